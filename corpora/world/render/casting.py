"""What the roles of a proposition are filled with: parts of the paper's cast, in one way or another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..facts import CAST, ROLE_PARTS
from .shared import EXPLICIT, FACTS

CONCEPT_ROLES = ("P", "M", "O")
PART_OF = {name: place for place, name in enumerate(CAST)}

DIRECTED = {
    "cause": ("cause", "effect"),
    "contrast": ("cond", "moving"),
    "condition": ("cond", "what"),
    "trend": ("knob", "effect"),
    "mechanism": ("source", "effect"),
    "modeling": ("by", "what"),
    "implication": ("by", "what"),
}
"""Which role moves which one in a directed proposition."""

VARIANTS: dict[str, tuple[dict[str, str], ...]] = {
    "cause": (ROLE_PARTS["cause"], {"cause": "source", "effect": "second", "cond": "cond"}),
    "comparison": (ROLE_PARTS["comparison"], {"on": "symptom", "cond": "other"}),
    "contrast": (ROLE_PARTS["contrast"], {"moving": "second", "still": "still", "cond": "cond"}),
    "condition": (ROLE_PARTS["condition"], {"what": "effect", "cond": "other", "other": "cond"}),
    "resource": (ROLE_PARTS["resource"], {"supply": "supply", "goal": "symptom"}),
    "failure": (ROLE_PARTS["failure"], {"when": "hazard", "symptom": "merit", "cond": "cond"}),
    "trend": (ROLE_PARTS["trend"], {"effect": "effect", "knob": "knob", "cond": "other"}),
    "mechanism": (ROLE_PARTS["mechanism"], {"source": "cause", "via": "via", "effect": "second", "cond": "cond"}),
}
"""What a proposition may be said of: first what the paper is about, then what it adds."""


@dataclass(frozen=True, slots=True)
class Casting:
    """One way to fill the roles of a proposition.

    Attributes:
        prop: The proposition.
        roles: Role and place in the cast.
        stated: Role -> the (fact, level) pair that naming it states.
        directed: Which role moves which one, None where the proposition has no direction.
    """

    prop: str
    roles: tuple[tuple[str, int], ...]
    stated: dict[str, tuple[int, int]]
    directed: tuple[str, str] | None

    def nouns(self, cast: Sequence[int]) -> dict[str, int]:
        """The nouns that fill the roles, as far as a paper's cast has them."""
        nouns = {}
        for role, place in self.roles:
            noun = cast[place]
            if noun >= 0:
                nouns[role] = noun
        return nouns


def castings(prop: str) -> tuple[Casting, ...]:
    """The variants of a proposition."""
    return tuple(
        Casting(
            prop,
            tuple((role, PART_OF[part]) for role, part in parts.items()),
            {role: (FACTS.index(part), EXPLICIT) for role, part in parts.items()},
            DIRECTED.get(prop),
        )
        for parts in VARIANTS.get(prop, (ROLE_PARTS[prop],))
    )


CASTINGS = {prop: castings(prop) for prop in ROLE_PARTS}
"""Proposition -> its variants."""
