"""Learns how much stems of clauses speak for traits and values, for `complit_phrases`."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from complit_headings import Value, wordings_of

from scholar_env.agents.complit_asks import Asks, asked_by
from scholar_env.agents.complit_compare import QUOTED
from scholar_env.agents.complit_headings import UNIT, stems_in
from scholar_env.agents.study_traits import traits_of
from scholar_env.corpora.world.training import TrainingTasks
from scholar_env.corpus import Corpus

KINDS = {"standard": 2500, "implicit": 1500}
"""Kinds of tasks and how many of each are read; one world is enough, since all of them ask in the same words."""

LEAST_PASSAGES = 3
"""Passages of a value in which a wording and a stem have to stand."""

PASSAGE_WORTH = 0.5
"""What a wording of a passage counts beside one of a clause."""

LEAST_WORTH = 1.0
"""What the wordings of a trait that have a pair of stems count, at least."""

PRIOR, VALUE_PRIOR = 2.0, 0.5
"""How many wordings the background of other clauses, and that of the trait, counts as much as."""

LEAST_LOG, MOST_LOG, MOST_VALUE_LOG, PAIR = -1.5, 3.0, 2.0, 0.5
"""What one stem counts at least and at most, and the share of that which a pair of stems counts."""


Counted = tuple[Mapping[str, float], float]
"""How many wordings have each stem, and how many wordings there are."""


class Material(NamedTuple):
    """Clauses that ask for values, passages that tell them in so many words, and clauses that ask for something else.

    Attributes:
        clauses: Value to clauses.
        passages: Value to passages.
        others: Other clauses.
    """

    clauses: dict[Value, set[str]]
    passages: dict[Value, set[str]]
    others: set[str]


def read_clauses(corpus: Corpus) -> Material:
    """Reads the constraints of a world's training tasks."""
    found = Material(defaultdict(set), defaultdict(set), set())
    for kind, number in KINDS.items():
        tasks = TrainingTasks([corpus], "complit", kind)
        for task_id in tasks.ids[:number]:
            for constraint in tasks.task(task_id).details["constraints"]:
                _take(found, constraint)
    return found


def _take(found: Material, constraint: Mapping[str, Any]) -> None:
    text = QUOTED.sub("", constraint["text"])
    traits = traits_of(text)
    if constraint["source"] == "content" and len(traits) == 1:
        [value] = traits.items()
        found.clauses[value].add(text)
        if constraint["level"] in {"explicit", "paraphrased"}:
            found.passages[value].update(passage["text"] for passage in constraint["evidence"]["passages"])
    elif not traits:
        found.others.add(text)


def learn_asks(material: Material) -> dict[str, Any]:
    """Learns how much stems speak for each trait, against other clauses, and for each of its values."""
    every = sorted(material.clauses)
    counted = {
        value: _counts(sorted(material.clauses[value]), sorted(material.passages.get(value, ()))) for value in every
    }
    background = Counter(stem for text in sorted(material.others) for stem in dict.fromkeys(stems_in(text)))
    values = {trait: [value for value in every if value[0] == trait] for trait in dict(every)}
    sums = {trait: _sum([counted[value] for value in values[trait]]) for trait in values}
    stems: dict[str, list[int]] = {}
    for stem in sorted({stem for counts, _ in sums.values() for stem in counts if _kept(stem, counts[stem])}):
        share = (background[stem] + 0.5) / (len(material.others) + 1)
        stems[stem] = [_points(stem, sums[trait], share, PRIOR, MOST_LOG) for trait in values]
    marks = {trait: _value_marks([counted[value] for value in values[trait]], sums[trait]) for trait in values}
    names = {trait: [name for _, name in values[trait]] for trait in values}
    learned: dict[str, Any] = {"traits": list(values), "stems": stems, "values": names, "marks": marks}
    known = Asks(**learned, others=())
    return {**learned, "others": [text for text in sorted(material.others) if asked_by(text.strip(), known)]}


def _kept(stem: str, times: float) -> bool:
    return " " not in stem or times >= LEAST_WORTH


def _sum(counted: Sequence[Counted]) -> Counted:
    found: dict[str, float] = defaultdict(float)
    for counts, _ in counted:
        for stem, times in counts.items():
            found[stem] += times
    return found, math.fsum(total for _, total in counted)


def _value_marks(counted: Sequence[Counted], trait: Counted) -> dict[str, list[int]]:
    counts, total = trait
    shares = {stem: (times + 0.1) / (total + 0.2) for stem, times in sorted(counts.items())}
    return {
        stem: [_points(stem, one, share, VALUE_PRIOR, MOST_VALUE_LOG) for one in counted]
        for stem, share in shares.items()
    }


def _counts(clauses: Sequence[str], passages: Sequence[str]) -> Counted:
    """How many wordings of a value have each stem, and how many there are."""
    found: dict[str, float] = defaultdict(float)
    held = Counter(stem for text in passages for stem in dict.fromkeys(stems_in(text)))
    wordings = dict(zip(wordings_of(passages), passages, strict=True))
    kept = [text for text in wordings.values() if max(held[stem] for stem in stems_in(text)) >= LEAST_PASSAGES]
    for text in clauses:
        for stem in dict.fromkeys(stems_in(text)):
            found[stem] += 1.0
    for text in kept:
        for stem in dict.fromkeys(stems_in(text)):
            found[stem] += PASSAGE_WORTH * (held[stem] >= LEAST_PASSAGES)
    return found, len(clauses) + PASSAGE_WORTH * len(kept)


def _points(stem: str, counted: Counted, share: float, prior: float, most: float) -> int:
    counts, total = counted
    log = math.log((counts.get(stem, 0.0) + prior * share) / (total + prior) / share)
    return round(max(LEAST_LOG, min(most, log)) * (PAIR if " " in stem else 1.0) / UNIT)
