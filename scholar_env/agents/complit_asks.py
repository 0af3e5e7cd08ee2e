"""Which trait a clause asks for when it does so in words that were never learned, by its stems and pairs of stems.

How much each of them speaks for a trait, against clauses that ask for something else, and for each of its values was
learned from training worlds (``benchmarks/complit_phrases.py``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from scholar_env.agents.complit_headings import UNIT, stems_in
from scholar_env.agents.complit_phrases import LEARNED

STRANGE: Final = -1.5
"""What a stem that no trait knows speaks for each trait."""

LEAST: Final = 6.0
"""What a clause has to speak for its trait, a logarithm."""

LEAST_MARGIN: Final = 2.0
"""How much more the best trait and the best value have than the next."""


@dataclass(frozen=True, slots=True)
class Asks:
    """What was learned of clauses.

    Attributes:
        traits: Traits.
        stems: Stem, or two that follow each other, to its points for each trait.
        values: Trait to its values.
        marks: Trait to stem to its points for each value.
        others: Clauses that would pass for such that ask for a trait, but are known to ask for something else.
    """

    traits: Sequence[str]
    stems: Mapping[str, Sequence[int]]
    values: Mapping[str, Sequence[str]]
    marks: Mapping[str, Mapping[str, Sequence[int]]]
    others: Sequence[str]


def read_asks(text: str) -> Asks:
    """Reads what was learned from its JSON."""
    return Asks(**json.loads(text)["asks"])


@cache
def learned_asks() -> Asks:
    """What comes with the package."""
    return read_asks(resources.files(__package__).joinpath(LEARNED).read_text(encoding="utf-8"))


def asked_by(text: str, known: Asks | None = None) -> dict[str, str]:
    """The trait that a clause asks for with its value; nothing where that is not clear, as in clauses with names."""
    asks = known or learned_asks()
    stems = list(dict.fromkeys(stems_in(text)))
    if not stems or {"~", "#"} & set(stems) or any(other in text for other in asks.others):
        return {}
    strange = STRANGE * sum(" " not in one and one not in asks.stems for one in stems)
    trait, points, margin = _best(asks.traits, [asks.stems[one] for one in stems if one in asks.stems])
    if points + strange < LEAST or margin < LEAST_MARGIN:
        return {}
    marks = asks.marks[trait]
    value, _, margin = _best(asks.values[trait], [marks[one] for one in stems if one in marks])
    return {trait: value} if margin >= LEAST_MARGIN else {}


def _best(names: Sequence[str], points: Sequence[Sequence[int]]) -> tuple[str, float, float]:
    """The name with most points, these, and how many more they are than those of the next."""
    if not points:
        return "", 0.0, 0.0
    rated = sorted(((sum(column) * UNIT, name) for column, name in zip(zip(*points, strict=True), names, strict=True)))
    (more, name) = rated[-1]
    return name, more, more - rated[-2][0] if len(rated) > 1 else more
