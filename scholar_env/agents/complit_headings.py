"""What paragraphs behind run-in headings tell of a study: each heading announces a trait, the words tell its value.

Which heading announces which traits, and how much each stem speaks for each value, was learned from training worlds
(``benchmarks/complit_phrases.py``). What a paragraph says in so many words counts alone, else its stems are weighed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

from scholar_env.agents.complit_phrases import LEARNED, MOST, tokens
from scholar_env.agents.study_traits import traits_of
from scholar_env.agents.words import stem

UNIT: Final = 0.1
"""What one point of a mark stands for, a logarithm."""

_RUN_IN: Final = re.compile(r"([A-Z][a-z]+(?: (?!al\b)[a-z]+){0,2})\. (?=\S)")

Paragraph = tuple[str, str]
"""A run-in heading, and what stands behind it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """How much stems speak for values.

    Attributes:
        values: Traits with their values, such as ``("funding", "public")``; they exclude each other.
        stems: Stem, or two that follow each other, to its points for each of the values.
    """

    values: Sequence[tuple[str, str]]
    stems: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Headings:
    """What was learned of headings.

    Attributes:
        traits: Heading to the traits that it announces, the most frequent first; none for one that announces none.
        marks: Most frequent trait of a heading to the marks of what stands behind it.
    """

    traits: Mapping[str, Sequence[str]]
    marks: Mapping[str, Marks]


def read_headings(text: str) -> Headings:
    """Reads what was learned from its JSON."""
    found = json.loads(text)
    marks = {
        trait: Marks([(name, value) for name, value in learned["values"]], learned["stems"])
        for trait, learned in found["marks"].items()
    }
    return Headings(found["headings"], marks)


@cache
def learned_headings() -> Headings:
    """What comes with the package."""
    return read_headings(resources.files(__package__).joinpath(LEARNED).read_text(encoding="utf-8"))


def paragraphs_of(text: str) -> list[Paragraph]:
    """The paragraphs of a text that have run-in headings."""
    parts = ((part, _RUN_IN.match(part)) for part in text.split("\n"))
    return [(match[1], part[match.end() :]) for part, match in parts if match]


def stems_in(text: str) -> list[str]:
    """Stems of a text in order, then pairs that follow each other; numbers are ``#``, names ``~``."""
    stems = [stem(word) if word.isalpha() else word for word in tokens(text)]
    return [*stems, *(f"{first} {second}" for first, second in pairwise(stems))]


def told_behind(paragraphs: Iterable[Paragraph], known: Headings) -> dict[str, dict[str, float]]:
    """What paragraphs tell of the traits that their headings announce.

    Returns:
        Trait to value to the logarithm of its likelihood relative to the likeliest value (0 for that one).
    """
    sums: dict[str, list[float]] = {}
    for heading, text in paragraphs:
        group = next(iter(known.traits.get(heading, ())), "")
        if group in known.marks:
            logs = _logs(text, known.marks[group])
            sums[group] = [one + more for one, more in zip(sums.get(group, [0.0] * len(logs)), logs, strict=True)]
    told: dict[str, dict[str, float]] = {}
    for group, logs in sums.items():
        for (trait, value), log in zip(known.marks[group].values, logs, strict=True):
            told.setdefault(trait, {})[value] = log - max(logs)
    return told


def _logs(text: str, marks: Marks) -> list[float]:
    """Logarithms of the values' likelihoods by one paragraph, 0 for the likeliest."""
    said = set(traits_of(text).items())
    points = [0 if value in said else -1 for value in marks.values]
    if any(point == 0 for point in points):
        return [MOST * point for point in points]
    found = [marks.stems[one] for one in dict.fromkeys(stems_in(text)) if one in marks.stems]
    sums = [UNIT * sum(column) for column in zip(*found, strict=True)] or [0.0] * len(marks.values)
    return [max(log - max(sums), -MOST) for log in sums]


def silent_on(paragraphs: Sequence[Paragraph], known: Headings) -> frozenset[str]:
    """Traits of which a paper surely tells nothing: it has headings, knows each of them, and none announces these."""
    if not paragraphs or any(heading not in known.traits for heading, _ in paragraphs):
        return frozenset()
    announced = {trait for heading, _ in paragraphs for trait in known.traits[heading]}
    return frozenset(trait for traits in known.traits.values() for trait in traits) - announced
