"""What paragraphs behind run-in headings tell of a study: each heading announces a trait, the words tell its value.

Which heading announces which traits, and how much each stem speaks for each value, was learned from training worlds
(``benchmarks/complit_phrases.py``). What a paragraph says in so many words counts alone, else a regression over its
stems tells how probable each value is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from scholar_env.agents.complit_phrases import MOST, learned_json
from scholar_env.agents.complit_scale import Scale, log_sum, stems_in, weighted
from scholar_env.agents.study_traits import traits_of

_RUN_IN: Final = re.compile(r"([A-Z][a-z]+(?: (?!al\b)[a-z]+){0,2})\. (?=\S)")

ELSE: Final = ""
"""The value of a trait where headings told one of another trait: together they are one question."""

Paragraph = tuple[str, str]
"""A run-in heading, and what stands behind it."""


@dataclass(frozen=True, slots=True)
class Headings:
    """What was learned of headings.

    Attributes:
        traits: Heading to the traits that it announces, the most frequent first; none for one that announces none.
        weights: Stem, or two that follow each other, to its weight.
        scales: Most frequent trait of a heading to what tells the values apart that stand behind it, each written as
            trait and value with a slash between them.
    """

    traits: Mapping[str, Sequence[str]]
    weights: Mapping[str, int]
    scales: Mapping[str, Scale]


def headings_of(found: Mapping[str, Any]) -> Headings:
    """What was learned, from its JSON object."""
    return Headings(found["traits"], found["weights"], {name: Scale(**one) for name, one in found["scales"].items()})


@cache
def learned_headings() -> Headings:
    """What comes with the package."""
    return headings_of(learned_json()["headings"])


def paragraphs_of(text: str) -> list[Paragraph]:
    """The paragraphs of a text that have run-in headings."""
    parts = ((part, _RUN_IN.match(part)) for part in text.split("\n"))
    return [(match[1], part[match.end() :]) for part, match in parts if match]


def told_behind(
    paragraphs: Iterable[Paragraph], known: Headings, cues: Callable[[str], Mapping[str, str]] = traits_of
) -> dict[str, dict[str, float]]:
    """What paragraphs tell of the traits that their headings announce.

    Args:
        paragraphs: The paragraphs.
        known: What was learned of headings.
        cues: The traits that a paragraph tells in so many words, each with its value.

    Returns:
        Trait to value to the logarithm of its likelihood relative to the likeliest value behind the same headings (0
        for that one, which may be of another trait). Where these tell several traits, ELSE stands for the values of
        the others.
    """
    sums: dict[str, list[float]] = {}
    for heading, text in paragraphs:
        group = next(iter(known.traits.get(heading, ())), "")
        if group in known.scales:
            logs = _logs(text, cues(text), known.scales[group], known.weights)
            sums[group] = [one + more for one, more in zip(sums.get(group, [0.0] * len(logs)), logs, strict=True)]
    told: dict[str, dict[str, float]] = {}
    for group, logs in sums.items():
        values = [label.split("/") for label in known.scales[group].labels]
        for trait in dict.fromkeys(one for one, _ in values):
            own = told.setdefault(trait, {})
            own.update({value: log - max(logs) for (one, value), log in zip(values, logs, strict=True) if one == trait})
            rest = [log for (one, _), log in zip(values, logs, strict=True) if one != trait]
            if rest:
                own[ELSE] = log_sum(rest) - max(logs)
    return told


def _logs(text: str, traits: Mapping[str, str], scale: Scale, weights: Mapping[str, int]) -> list[float]:
    """Logarithms of the values' likelihoods by one paragraph and its traits, 0 for the likeliest."""
    said = {f"{trait}/{value}" for trait, value in traits.items()}
    if said & set(scale.labels):
        return [0.0 if label in said else -MOST for label in scale.labels]
    logs = scale.logs(weighted(stems_in(text), weights))
    return [max(log - max(logs), -MOST) for log in logs]


def silent_on(paragraphs: Sequence[Paragraph], known: Headings) -> frozenset[str]:
    """Traits of which a paper surely tells nothing: it has headings, knows each of them, and none announces these."""
    if not paragraphs or any(heading not in known.traits for heading, _ in paragraphs):
        return frozenset()
    announced = {trait for heading, _ in paragraphs for trait in known.traits[heading]}
    return frozenset(trait for traits in known.traits.values() for trait in traits) - announced
