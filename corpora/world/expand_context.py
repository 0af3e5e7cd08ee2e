"""What one clause is said about: a paper's concepts, and the things that fill the roles of its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from .ontology import Ontology
from .terms import Concept, Noun, Subfield

MASK = (1 << 64) - 1
NAMES = ("Orvane", "Telmar", "Istrid", "Bracken", "Ulmora", "Senner")
Thing = Noun | Concept | str


class StarvedError(Exception):
    """A slot for which the subfield has no word; the message says which."""


class Draws:
    """A splitmix64 stream of integers below a bound."""

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def below(self, bound: int) -> int:
        """Return an integer from 0 to bound − 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return ((mixed ^ (mixed >> 31)) >> 32) * bound >> 32


@dataclass
class Context:
    """What one clause is said about: a paper's concepts and the things that fill its roles."""

    ontology: Ontology
    subfield: Subfield
    concepts: dict[str, Concept]
    draws: Draws
    direction: int = 0
    things: dict[str, Thing] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    plural: dict[str, bool] = field(default_factory=dict)


def new_context(ontology: Ontology, subfield: Subfield, draws: Draws) -> Context:
    """Draw a compatible problem, method and object.

    Raises:
        StarvedError: A kind of concept is empty.
    """
    concepts: dict[str, Concept] = {}
    for kind in "PMO":
        options = subfield.fitting(kind, tuple([held.id for held in concepts.values()]))
        if not options:
            raise StarvedError(f"no {kind} that fits {', '.join(held.id for held in concepts.values()) or 'anything'}")
        concepts[kind] = options[draws.below(len(options))]
    return Context(ontology, subfield, concepts, draws, draws.below(2))


def nouns_for(context: Context, types: Sequence[str]) -> list[Noun]:
    """Nouns of the wanted types that go with the paper's concepts."""
    present = {concept.id for concept in context.concepts.values()}
    target = context.concepts["O"].id if "O" in context.concepts else ""
    impossible, by_type = context.subfield.impossible, context.subfield.nouns_by_type
    placed = [
        (place, noun)
        for kind in context.ontology.registry.leaves(types)
        for place, noun in by_type.get(kind, ())
        if (not noun.only or not present.isdisjoint(noun.only))
        and present.isdisjoint(noun.never)
        and (noun.id, target) not in impossible
    ]
    return [noun for _, noun in sorted(placed, key=itemgetter(0))]


def fill_roles(context: Context, roles: dict[str, Sequence[str]]) -> None:
    """Draw a different noun, or a name, for each role.

    Raises:
        StarvedError: No noun of a role's types is left.
    """
    for role, types in roles.items():
        if role in context.things:
            continue
        if set(types) & {"system", "baseline"}:
            names = [name for name in NAMES if name not in context.things.values()]
            context.things[role] = names[context.draws.below(len(names))]
            continue
        taken = {thing.id for thing in context.things.values() if isinstance(thing, Noun)}
        options = [noun for noun in nouns_for(context, types) if noun.id not in taken]
        if not options:
            raise StarvedError(f"no noun of type {' or '.join(types)} for '{role}' with {context.concepts['O'].id}")
        context.things[role] = options[context.draws.below(len(options))]
