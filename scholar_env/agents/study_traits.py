"""Which traits of a study a text tells, by the words of :mod:`scholar_env.agents.study_cues`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from scholar_env.agents.study_cues import TRAITS


@cache
def _compiled() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (trait, value, re.compile(rf"(?<![a-z])(?:{cues})"))
        for trait, values in TRAITS.items()
        for value, cues in values.items()
    )


def traits_of(text: str) -> dict[str, str]:
    """Returns the traits that a short text tells, each with the value whose cue comes first."""
    lowered = text.lower()
    found: dict[str, tuple[int, str]] = {}
    for trait, value, pattern in _compiled():
        match = pattern.search(lowered)
        if match is not None and (trait not in found or match.start() < found[trait][0]):
            found[trait] = (match.start(), value)
    return {trait: value for trait, (_, value) in found.items()}


def told_by(sentences: Iterable[str], cues: Callable[[str], Mapping[str, str]] = traits_of) -> dict[str, Counter[str]]:
    """Returns how many sentences of a paper tell each value of each trait, by the traits that each sentence tells."""
    told: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for trait, value in cues(sentence).items():
            told.setdefault(trait, Counter())[value] += 1
    return told


def place_of(trait: str, told: Mapping[str, Mapping[str, float]]) -> int | None:
    """Returns the place of the likeliest value among those of an ordered trait, None where none is told.

    Args:
        trait: The trait.
        told: Trait to value to likelihood or its logarithm; what is no value of the trait stands for "none of these".
    """
    values, order = told.get(trait), list(TRAITS[trait])
    likeliest = max(values, key=lambda value: values[value]) if values else None
    return order.index(likeliest) if likeliest in order else None
