"""Which trait a clause asks for when it does so in words that were never learned.

One regression tells the trait, another one its value. They were learned from clauses of training worlds and from
paraphrases of their values in general English (``benchmarks/complit_phrases.py``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from scholar_env.agents.complit_phrases import learned_json
from scholar_env.agents.complit_scale import Scale, stems_in, weighted

OTHER: Final = "other"
"""The label of clauses that ask for no trait."""

LEAST: Final = 0.1
"""How probable the trait together with its value has to be."""


@dataclass(frozen=True, slots=True)
class Asks:
    """What was learned of clauses.

    Attributes:
        weights: Stem, or two that follow each other, to its weight.
        traits: Tells traits apart, and clauses that ask for none.
        values: Trait to what tells its values apart.
        others: Clauses that would pass for such that ask for a trait, but are known to ask for something else.
    """

    weights: Mapping[str, int]
    traits: Scale
    values: Mapping[str, Scale]
    others: Sequence[str]


def asks_of(found: Mapping[str, Any]) -> Asks:
    """What was learned, from its JSON object."""
    values = {trait: Scale(**scale) for trait, scale in found["values"].items()}
    return Asks(found["weights"], Scale(**found["traits"]), values, found["others"])


@cache
def learned_asks() -> Asks:
    """What comes with the package."""
    return asks_of(learned_json()["asks"])


def asked_by(text: str, known: Asks | None = None) -> tuple[dict[str, str], float]:
    """The trait that a clause asks for with its value, and how probable it is that it asks for these.

    Returns:
        Nothing with 0.0 where that is not probable at all, as in clauses with names and numbers.
    """
    asks = known or learned_asks()
    stems = stems_in(text)
    said = weighted(stems, asks.weights)
    if not said.stems or {"~", "#"} & set(stems) or any(other in text for other in asks.others):
        return {}, 0.0
    trait, likely = asks.traits.best(said)
    if trait == OTHER:
        return {}, 0.0
    value, share = asks.values[trait].best(said)
    sure = math.exp(likely + share)
    return ({trait: value}, sure) if sure >= LEAST else ({}, 0.0)
