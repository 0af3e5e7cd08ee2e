"""The CompLit rows of the calibration table: what the project's BM25 finds of queries, and what memorizing would.

Indexes hold no surveys, as in CompLit; texts are split by words, scored with k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import world_search

from scholar_env.construction.records import SETTINGS, Passage
from scholar_env.corpora.world import complit_tasks
from scholar_env.corpora.world.complit_evidence import shares_words
from scholar_env.corpora.world.complit_mix import CompLitMix
from scholar_env.corpora.world.templates import Choice, Literal, Template
from scholar_env.corpora.world.terms import Form
from scholar_env.corpora.world.world import World
from scholar_env.corpus import Corpus
from scholar_env.index.base import Index
from scholar_env.index.text_index import FULL_TEXT, TITLE_ABSTRACT, IndexSpec, text_index
from scholar_env.records import Task

FOLDS, RIDGE = 5, 1.0
PAPERS = 443
"""Different papers behind all queries, as published."""

SENTENCE_END = re.compile(r"(?<=[.?!]) ")


def complit_measures(corpus: Corpus, world: World) -> dict[str, float]:
    """The rows of a world."""
    made = complit_tasks.build(world, corpus)
    by_id = {task.id: task for task in made.tasks}
    sets = {name: [by_id[task_id] for task_id in ids] for name, ids in made.subsets.items()}
    surveys = complit_tasks.surveys_of(world)
    lead, full = (text_index(corpus, IndexSpec(fields, surveys)) for fields in (TITLE_ABSTRACT, FULL_TEXT))
    standard = ranks(corpus, lead, sets["standard"], question)
    implicit = ranks(corpus, lead, sets["implicit"], question)
    values = {
        "CompLit Standard H@1, title+abstract": hit(standard, 1),
        "CompLit Implicit H@1": hit(implicit, 1),
        "Implicit H@100 / Standard H@100": hit(implicit, 100) / hit(standard, 100),
        "CompLit shortcut AUC without date": shortcut(corpus, world, [*sets["standard"], *sets["implicit"]]),
        "Unmet told from Standard by its text, AUC": told_apart(sets["standard"], sets["unmet"]),
        "CompLit rules broken by the sets": float(len(broken_rules(sets))),
    }
    if not world.spec.train:
        known = Known(world)
        values["Implicit full-text H@1 knowing every training form"] = hit(
            ranks(corpus, full, sets["implicit"], known.query), 1
        )
    return values


def broken_rules(sets: dict[str, list[Task]]) -> list[str]:
    """What the sets of a world of 5,000 papers or more break of the published numbers and of the rules of a query."""
    mix, broken = CompLitMix(), list[str]()
    papers = {name: {paper_of(task) for task in tasks} for name, tasks in sets.items()}
    every = papers["standard"] | papers["implicit"] | papers["unmet"]
    turns = Counter(len(task.details["turns"]) for task in sets["cumulative"])
    counts = {
        "queries": ([len(sets[name]) for name in SETTINGS], [mix.standard, mix.implicit, mix.implicit, mix.unmet]),
        "mixed": (len(sets["mixed"]), mix.mixed),
        "papers": ([len(papers[name]) for name in SETTINGS],
                   [mix.standard_targets, mix.implicit_targets, mix.implicit_targets, mix.unmet_targets]),
        "papers in all": (len(every), PAPERS),
        "papers of Standard and Implicit": (len(papers["standard"] & papers["implicit"]), 0),
        "papers of Standard and Unmet": (len(papers["standard"] & papers["unmet"]), mix.shared_standard),
        "papers of Implicit and Unmet": (len(papers["implicit"] & papers["unmet"]), mix.shared_implicit),
        "turns": ([turns[3], turns[4], turns[5]], list(mix.turns)),
    }  # fmt: skip
    broken += [f"{name}: {found} instead of {wanted}" for name, (found, wanted) in counts.items() if found != wanted]
    for name in SETTINGS:
        broken += [f"{task.id}: {rule}" for task in sets[name] for rule in broken_by(task, name)]
    return broken


def broken_by(task: Task, setting: str) -> list[str]:
    """Rules that one query breaks."""
    constraints, turns = task.details["constraints"], task.details["turns"]
    least, most = (4, 17) if setting in ("standard", "unmet") else (3, 10)
    told = [name for turn in turns for name in turn["constraint_ids"]]
    said = " ".join(turn["utterance"] for turn in turns) if turns else task.question
    rules = {
        "number of constraints": least <= len(constraints) <= most,
        "a constraint is said once": all(said.count(entry["text"]) == 1 for entry in constraints),
        "one injected constraint where no paper fits": sum(entry["injected"] for entry in constraints)
        == (setting == "unmet")
        == (task.details["target"] is None),
        "inferred throughout, nothing on the record": setting in ("standard", "unmet")
        or {(entry["level"], entry["source"] == "metadata") for entry in constraints} == {("inferred", False)},
        "an explicit one in a word of its own": all(plain(one) for one in constraints if one["level"] == "explicit"),
        "turns": (setting == "cumulative") == bool(turns),
        "nothing in the first turn": not turns or not turns[0]["constraint_ids"],
        "one to three a later turn": all(1 <= len(turn["constraint_ids"]) <= 3 for turn in turns[1:]),
        "each in one turn": not turns or sorted(told) == sorted(entry["id"] for entry in constraints),
    }
    return [rule for rule, holds in rules.items() if not holds]


def plain(constraint: Mapping[str, Any]) -> bool:
    """Whether what supports a constraint shares a content word with it."""
    passages = [Passage(entry["place"], entry["text"]) for entry in constraint["evidence"]["passages"]]
    return constraint["injected"] or shares_words(constraint["text"], passages)


def paper_of(task: Task) -> str:
    """The target or the near-miss."""
    return str((task.details["target"] or task.details["near_miss"])["id"])


def question(task: Task) -> str:
    """A query as it stands."""
    return task.question


def ranks(corpus: Corpus, index: Index, tasks: list[Task], text: Callable[[Task], str]) -> list[int]:
    """0-based ranks of the targets."""
    found = []
    for task in tasks:
        row = corpus.row_of(task.gold[0])
        assert row is not None
        rank = index.search(text(task), 1, gold=[row]).gold_ranks[0]
        found.append(world_search.UNRANKED if rank is None else rank)
    return found


def hit(found: list[int], k: int) -> float:
    """Share of ranks below k."""
    return statistics.mean(rank < k for rank in found)


class Known:
    """Somebody who has memorized every wording of the training worlds, and says all wordings of what a query asks for.

    A constraint that is worded as in a training world is replaced by all training wordings of the same thing: names,
    paraphrases and descriptions of a concept; sentences and both halves of evidence of an attribute's value.

    Args:
        world: The test world.
    """

    def __init__(self, world: World) -> None:
        self._forms: list[tuple[str, str]] = []
        for subfield in world.ontology.subfields:
            for concept in subfield.concepts:
                known = [form.text for form in concept.forms if not form.heldout]
                self._forms += [(text.lower(), " ".join(known)) for text in known]
        for attribute in world.ontology.attributes:
            for value in attribute.values:
                forms: list[Form] = [*value.explicit, *value.paraphrased]
                forms += [half for entry in value.evidence if not entry.heldout for half in entry.halves]
                known = [" ".join(literals(form.template)) for form in forms if not form.heldout]
                asks = [" ".join(literals(form.template)).lower() for form in value.asks if not form.heldout]
                self._forms += [(" ".join(ask.split()), " ".join(known)) for ask in asks]

    def query(self, task: Task) -> str:
        """What is searched for instead of a query's words."""
        out = [task.question]
        for constraint in task.details["constraints"]:
            text = constraint["text"].lower()
            out += [known for form, known in self._forms if form and (form in text or text in form)]
        return " ".join(out)


def literals(template: Template) -> Iterator[str]:
    """The fixed words of a template, all alternatives."""
    for node in template:
        if isinstance(node, Literal):
            yield node.text.strip()
        elif isinstance(node, Choice):
            for option in node.options:
                yield from literals(option)


def shortcut(corpus: Corpus, world: World, tasks: list[Task]) -> float:
    """How well targets can be told from other papers without reading, date left out; as `world_search.shortcut`."""
    bench = world_search.Bench(corpus, world, corpus.sparse_index(), tuple(tasks))
    features = world_search.paper_features(bench)
    papers = np.flatnonzero(~world.facts.survey)
    features = (features - features[papers].mean(axis=0)) / np.maximum(features[papers].std(axis=0), 1e-9)
    draws = np.random.Generator(np.random.PCG64(5))
    targets = sorted({bench.rows(task)[0] for task in tasks})
    groups = [
        (features[[row]], features[papers[draws.integers(0, len(papers), world_search.NEGATIVES)]]) for row in targets
    ]
    halves = (groups[::2], groups[1::2])
    return statistics.mean(
        world_search.above(positive @ weights, negative @ weights)
        for fitted, tested in (halves, halves[::-1])
        for weights in (world_search.logistic(fitted),)
        for positive, negative in tested
    )


def told_apart(first: list[Task], second: list[Task]) -> float:
    """AUC of a ridge regression on the words of queries that tells two sets apart; folds part papers, not queries.

    An Unmet query has the first and the last sentence of a Standard one. A regression that has seen the one says the
    opposite of the other, far below one half, so what has a frame of the fold that is told apart is not fitted to.
    """
    tasks = [*first, *second]
    papers = [paper_of(task) for task in tasks]
    labels = np.array([-1.0] * len(first) + [1.0] * len(second))
    kernel = np.array(similarities([task.question for task in tasks]))
    fold = {paper: place % FOLDS for place, paper in enumerate(sorted(set(papers), key=lambda paper: paper[::-1]))}
    folds = np.array([fold[paper] for paper in papers])
    frames = [frame_of(task) for task in tasks]
    values = []
    for number in range(FOLDS):
        own = folds == number
        seen = {frame for frame, is_own in zip(frames, own, strict=True) if is_own}
        other = ~own & np.array([frame not in seen for frame in frames])
        fitted = kernel[np.ix_(other, other)] + RIDGE * np.eye(int(other.sum()))
        scores = kernel[np.ix_(own, other)] @ np.linalg.solve(fitted, labels[other] - labels[other].mean())
        values.append(world_search.above(scores[labels[own] > 0], scores[labels[own] < 0]))
    return statistics.mean(values)


def frame_of(task: Task) -> tuple[str, str]:
    """First and last sentence of a query."""
    sentences = SENTENCE_END.split(task.question)
    return sentences[0], sentences[-1]


def similarities(texts: list[str]) -> np.ndarray:
    """Cosines of texts as weighted bags of words."""
    bags = [text.lower().split() for text in texts]
    words = sorted({word.strip('.,;:?"') for bag in bags for word in bag})
    place = {word: at for at, word in enumerate(words)}
    table = np.zeros((len(texts), len(words)))
    for row, bag in enumerate(bags):
        for word in bag:
            table[row, place[word.strip('.,;:?"')]] += 1
    spread = np.log(len(texts) / (table > 0).sum(axis=0))
    table = np.log1p(table) * spread
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    return table @ table.T
