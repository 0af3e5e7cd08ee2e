"""Learns which stems of clauses speak for which trait and value, for `complit_phrases`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from complit_headings import wordings_of
from complit_scales import Example, Value, fit, read_paraphrases, weights_of, written

from scholar_env.agents.complit_asks import OTHER, asked_by, asks_of
from scholar_env.agents.complit_clauses import clauses_of
from scholar_env.agents.complit_compare import QUOTED
from scholar_env.agents.complit_scale import stems_in
from scholar_env.agents.study_traits import traits_of
from scholar_env.agents.words import words
from scholar_env.records import Task

KINDS = {"standard": 2500, "implicit": 1500}
"""Kinds of tasks and how many of each are taken in; one world is enough, since all of them ask in the same words."""

WORTHS = {"c": 1.0, "s": 0.5, "h": 0.25, "o": 1.0}
PASSAGE_WORTH, OTHER_WORTH = 0.3, 0.5
"""What paraphrases, wordings of passages, and clauses that ask for something else count beside one clause. They, the
strength of the regression and the least probability were chosen on clauses whose wordings were held out."""

STRENGTH = 100.0
"""Inverse of the weight of the penalty."""

LEAST_TIMES = 2
"""Texts in which a pair of stems has to stand that tell a trait, at least."""


LEAST_POINTS = 3
"""What a stem counts for or against a trait or value, at least."""


class Material(NamedTuple):
    """Clauses that ask for values, passages that tell them in so many words, and clauses that ask for something else.

    Attributes:
        clauses: Value to clauses.
        passages: Value to passages.
        others: Clauses that ask for something else.
        frames: Clauses of questions that are no constraint.
    """

    clauses: dict[Value, set[str]]
    passages: dict[Value, set[str]]
    others: set[str]
    frames: set[str]


def take_in(material: Material, task: Task) -> None:
    """Adds the constraints of a training task, and what else its question says."""
    for constraint in task.details["constraints"]:
        _take(material, constraint)
    material.frames.update(_frames(task.question, task.details["constraints"]))


def _frames(question: str, constraints: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Clauses of a question that are no part of a constraint, and hold none."""
    asking = [" ".join(words(QUOTED.sub("", one["text"]))) for one in constraints]
    for clause in clauses_of(question):
        own = " ".join(words(clause.own))
        if not clause.quoted and not any(own in one or one in own for one in asking):
            yield clause.own


def _take(found: Material, constraint: Mapping[str, Any]) -> None:
    text = QUOTED.sub("", constraint["text"])
    traits = traits_of(text)
    if constraint["source"] == "content" and len(traits) == 1:
        [value] = traits.items()
        found.clauses.setdefault(value, set()).add(text)
        if constraint["level"] in {"explicit", "paraphrased"}:
            passages = found.passages.setdefault(value, set())
            passages.update(passage["text"] for passage in constraint["evidence"]["passages"])
    elif not traits:
        found.others.add(text)


def learn_asks(material: Material) -> dict[str, Any]:
    """Learns how much stems speak for each trait, against other clauses, and for each of its values."""
    told = _examples(material)
    by_trait = [one._replace(label=one.label.split("/")[0]) for one in told]
    weights = weights_of(told, _kept(told))
    learned = {
        "weights": written(weights),
        "traits": fit(by_trait, weights, STRENGTH, LEAST_POINTS),
        "values": {
            trait: fit(_values(told, trait), weights, STRENGTH, LEAST_POINTS)
            for trait in sorted({one.label for one in by_trait} - {OTHER})
        },
    }
    known = asks_of({**learned, "others": ()})
    others = [text for text in sorted(material.others | material.frames) if asked_by(text.strip(), known)[0]]
    return {**learned, "others": others}


def _examples(material: Material) -> list[Example]:
    found = [
        *((value, text, 1.0) for value in sorted(material.clauses) for text in sorted(material.clauses[value])),
        *((value, text, WORTHS[kind]) for value, kind, text in read_paraphrases("csho")),
        *(((OTHER, ""), text, OTHER_WORTH) for text in sorted(material.others)),
        *(((OTHER, ""), text, 1.0) for text in sorted(material.frames)),
    ]
    for value in sorted(material.passages):
        passages = sorted(material.passages[value])
        wordings = dict(zip(wordings_of(passages), passages, strict=True))
        found.extend((value, text, PASSAGE_WORTH) for text in wordings.values())
    return [Example(list(dict.fromkeys(stems_in(text))), "/".join(value), worth) for value, text, worth in found]


def _values(examples: Sequence[Example], trait: str) -> list[Example]:
    return [
        one._replace(label=one.label.removeprefix(f"{trait}/")) for one in examples if one.label.startswith(f"{trait}/")
    ]


def _kept(examples: Sequence[Example]) -> list[str]:
    """Stems that tell a trait, or that stand in several other clauses; pairs of stems have to tell one repeatedly."""
    every = Counter(stem for one in examples for stem in one.stems)
    telling = Counter(stem for one in examples for stem in one.stems if not one.label.startswith(OTHER))
    return [
        stem
        for stem in sorted(every)
        if telling[stem] >= LEAST_TIMES or (" " not in stem and (telling[stem] or every[stem] >= LEAST_TIMES))
    ]
