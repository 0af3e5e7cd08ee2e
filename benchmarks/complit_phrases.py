"""Learns the phrases of CompLit's checker from training worlds: ``python benchmarks/complit_phrases.py``.

It plays the part of a reader who is shown needs together with the passages that meet them, as training tasks give
them, and who knows how else one may say so in English (``complit_paraphrases.tsv``), and writes
``scholar_env/agents/complit_phrases.json``. The default world and its tasks are never opened. It needs
scikit-learn: ``pip install scholar-env[learn]``.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import complit_asks
from complit_asks import Material, learn_asks, take_in
from complit_headings import Headed, learn_headings, learn_scales
from complit_held import NOTHING, Held, without
from complit_scales import Value

import scholar_env.agents
from scholar_env.agents.complit_clauses import SENTENCE_END
from scholar_env.agents.complit_compare import QUOTED
from scholar_env.agents.complit_headings import paragraphs_of
from scholar_env.agents.complit_phrases import LEARNED, cues_of, keys_of, words_of_names
from scholar_env.agents.stems import content_stems
from scholar_env.agents.study_traits import traits_of
from scholar_env.corpora.world.pool import TRAINING
from scholar_env.corpora.world.training import TrainingTasks
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.records import Task

KINDS = {"standard": 4000, "implicit": 5000}
"""Kinds of tasks and how many of each are read in each world."""

PAPERS = 700
"""Papers of each world that tell how common words are."""

PASSAGES = {"explicit": 1, "paraphrased": 1, "inferred": 2}
"""Levels, about equally frequent in papers, and how many passages one of them takes."""
LEAST_TIMES, LEAST_RATIO = 3, 0.7
"""How often a cue has to be seen, and how many papers have to hold it for that trait, of those that hold it at all."""
LEAST_SHARE, LEAST_LIFT, MOST_NAMES = 0.12, 8.0, 6
EXPLICIT = "explicit"
"""The level of constraints that papers word as needs do."""


class Told(NamedTuple):
    """A constraint and a passage that meets it, with the heading before it, if any."""

    text: str
    level: str
    passage: str
    paper: str
    heading: str


class Background(NamedTuple):
    """How many papers hold a run of words, and how many paragraphs have a run-in heading."""

    papers: int
    cues: Counter[str]
    headings: Counter[str]


class Seen(NamedTuple):
    """What is read of training worlds.

    Attributes:
        told: Constraints on content with the passages that meet them.
        background: How common words and headings are.
        asked: Clauses of the first world.
    """

    told: list[Told]
    background: Background
    asked: Material


def read_worlds(numbers: Sequence[int]) -> Seen:
    """Reads training tasks and papers of worlds."""
    corpora = [resolve_corpus(f"{TRAINING}{number}") for number in numbers]
    told: list[Told] = []
    asked = Material({}, {}, set(), set())
    for corpus in corpora:
        for kind, number in KINDS.items():
            tasks = TrainingTasks([corpus], "complit", kind)
            for place, task_id in enumerate(tasks.ids[:number]):
                task = tasks.task(task_id)
                told.extend(told_by_task(corpus, task))
                if corpus is corpora[0] and place < complit_asks.KINDS[kind]:
                    take_in(asked, task)
    return Seen(told, read_papers(corpora), asked)


def told_by_task(corpus: Corpus, task: Task) -> Iterator[Told]:
    """Yields the constraints on content of a training task with the passages that meet them."""
    for constraint in task.details["constraints"]:
        if constraint["source"] == "content":
            for passage in constraint["evidence"]["passages"]:
                text = QUOTED.sub("", constraint["text"])
                heading = headings_in(corpus, task.gold[0]).get(passage["text"].strip(), "")
                yield Told(text, constraint["level"], passage["text"], task.gold[0], heading)


@lru_cache(maxsize=20_000)
def headings_in(corpus: Corpus, paper: str) -> dict[str, str]:
    """The paragraphs of a paper that have run-in headings, with these."""
    row = corpus.row_of(paper)
    assert row is not None
    sections = corpus.sections(row)
    return {text.strip(): heading for section in sections for heading, text in paragraphs_of(section.text)}


def read_papers(corpora: Sequence[Corpus]) -> Background:
    """Counts in how many papers runs of words stand, and run-in headings."""
    found: Counter[str] = Counter()
    headings: Counter[str] = Counter()
    for corpus in corpora:
        for row in range(PAPERS):
            sections = corpus.sections(row)
            headings.update(heading for section in sections for heading, _ in paragraphs_of(section.text))
            text = "\n".join([corpus.abstract(row), *(section.text for section in sections)])
            sentences = SENTENCE_END.split(text.replace("\n", " "))
            found.update(sorted({cue for sentence in sentences for cue in cues_of(sentence)}))
    return Background(PAPERS * len(corpora), found, headings)


def valued(told: Iterable[Told]) -> Iterator[tuple[Told, Value]]:
    """Yields constraints that ask for a single trait, with this and its value."""
    for one in told:
        traits = traits_of(one.text)
        if len(traits) == 1:
            yield one, next(iter(traits.items()))


def learn_cues(
    told: Iterable[Told], background: Background
) -> tuple[dict[str, dict[str, Counter[str]]], dict[str, Counter[str]]]:
    """Learns which runs of words tell which value of a trait; both answers by trait."""
    sentences: dict[str, dict[tuple[str, str, str], None]] = defaultdict(dict)
    for one, (trait, value) in valued(told):
        sentences[trait][one.passage, value, one.level] = None
    cues = {trait: _cues(list(sentences[trait]), background) for trait in sorted(sentences)}
    return cues, {trait: Counter(value for _, value, _ in sentences[trait]) for trait in sorted(sentences)}


def _cues(sentences: Sequence[tuple[str, str, str]], background: Background) -> dict[str, Counter[str]]:
    """Cues of one trait: of the runs of each sentence the two that tell most often, then the longest."""
    levels = Counter(level for _, _, level in sentences)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    expected: Counter[str] = Counter()
    for sentence, value, level in sentences:
        for cue in dict.fromkeys(cues_of(sentence)):
            counts[cue][value] += 1
            expected[cue] += PASSAGES[level] / levels[level] / len(PASSAGES)
    kept = {
        cue: found
        for cue, found in counts.items()
        if found.total() >= LEAST_TIMES and expected[cue] >= LEAST_RATIO * background.cues[cue] / background.papers
    }
    chosen: dict[str, Counter[str]] = {}
    for sentence, _, _ in sentences:
        runs = sorted(
            {cue for cue in cues_of(sentence) if cue in kept}, key=lambda cue: (-kept[cue].total(), -len(cue), cue)
        )
        for cue in runs[:2]:
            chosen[cue] = kept[cue]
    return {cue: Counter(dict(sorted(chosen[cue].items()))) for cue in sorted(chosen)}


def headed_by(told: Iterable[Told]) -> list[Headed]:
    """The passages behind headings that tell a trait."""
    return [Headed(one.heading, one.passage, value) for one, value in valued(one for one in told if one.heading)]


def learn_names(told: Iterable[Told]) -> dict[str, dict[str, float]]:
    """Learns which words of passages go with which words of descriptions."""
    passages: dict[str, set[tuple[str, str]]] = defaultdict(set)
    every: dict[str, None] = {}
    for one in told:
        if traits_of(one.text):
            continue
        every[one.passage] = None
        if one.level != EXPLICIT:
            for key in keys_of(content_stems(one.text)):
                passages[key].add((one.paper, one.passage))
    common: Counter[str] = Counter()
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in every:
        for name, word in words_of_names(passage).items():
            common[name] += 1
            written[name][word] += 1
    names: dict[str, dict[str, float]] = {}
    for key in sorted(passages):
        papers = len({paper for paper, _ in passages[key]})
        if papers < LEAST_TIMES:
            continue
        texts = {passage for _, passage in passages[key]}
        found = Counter(name for passage in texts for name in words_of_names(passage))
        rated = {
            name: times / len(texts)
            for name, times in found.items()
            if times >= LEAST_TIMES
            and times / len(texts) >= LEAST_SHARE
            and times / len(texts) >= LEAST_LIFT * common[name] / len(every)
            and not set(name.split()) <= set(key.split())
        }
        best = sorted(rated, key=lambda name: (-rated[name] * math.log(len(every) / common[name]), name))[:MOST_NAMES]
        if best:
            names[key] = {written[name].most_common(1)[0][0]: round(rated[name], 2) for name in best}
    return names


def learn(seen: Seen, held: Held = NOTHING) -> dict[str, Any]:
    """Learns what the checker knows, but nothing of what is held out; the JSON object that comes with the package."""
    cues, totals = learn_cues(seen.told, seen.background)
    out = held.cues()
    by_cue: dict[str, dict[str, Counter[str]]] = defaultdict(dict)
    for trait, found in cues.items():
        for cue, values in found.items():
            if cue not in out:
                by_cue[cue][trait] = values
    headed = headed_by(seen.told)
    headings = learn_headings(headed, seen.background.headings)
    scales = learn_scales([one for one in headed if one.passage not in held.passages], headings)
    asks = learn_asks(without(seen.asked, held))
    names = learn_names(seen.told)
    return {"cues": by_cue, "totals": totals, "names": names, "headings": {"traits": headings, **scales}, "asks": asks}


def main() -> None:
    """Learns and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 2, 3], help="numbers of training worlds")
    parser.add_argument("--out", type=Path, default=Path(next(iter(scholar_env.agents.__path__))) / LEARNED)
    options = parser.parse_args()
    learned = learn(read_worlds(options.worlds))
    options.out.write_text(json.dumps(learned, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    size = options.out.stat().st_size
    cues, names, headings = learned["cues"], learned["names"], learned["headings"]["traits"]
    print(f"{len(cues)} cues, {len(headings)} headings, {len(names)} keys of names, {size} bytes")


if __name__ == "__main__":
    main()
