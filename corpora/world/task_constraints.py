"""The constraints of a question: drawn from what a paper satisfies and states."""

from __future__ import annotations

from .draws import Draw
from .facts import CAST
from .predicates import CONCEPTS, Constraint, Predicates
from .query_classes import ASK, NOUN_FACETS
from .task_mix import Shape
from .world import World

NOUNS_DRAWN = 3
"""Of so many nouns of a paper the one that most papers share is asked for."""

FACET_OF_PART = {part: facet for facet, parts in NOUN_FACETS.items() for part in parts}


class ConstraintDraw:
    """Draws the constraints that a paper stands for.

    Args:
        world: The world.
        predicates: What its papers satisfy and state.
    """

    def __init__(self, world: World, predicates: Predicates) -> None:
        self._facts, self._predicates = world.facts, predicates
        self._attributes = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        self._shared = shared_concepts(world)

    def of(self, target: int, shape: Shape, draw: Draw) -> tuple[Constraint, ...] | None:
        """Constraints of a shape that a paper satisfies and states; None where it states too little."""
        facts = self._facts
        places = {"P": facts.problem, "M": facts.method, "O": facts.object}
        concepts = [Constraint(letter, int(places[letter][target])) for letter in CONCEPTS if letter in shape.concepts]
        if len(concepts) == 1 and (int(facts.subfield[target]), concepts[0].value) in self._shared:
            return None
        options = [
            Constraint(facet, int(facts.cast[target, place]))
            for place, part in enumerate(CAST)
            if (facet := FACET_OF_PART.get(part)) and facts.cast[target, place] >= 0
        ]
        chosen: list[Constraint] = []
        kinds: set[str] = set()
        for _ in range(shape.nouns):
            open_ = [option for option in options if option.kind not in kinds]
            open_ = [option for option in open_ if self._predicates.stated(target, option)]
            if not open_:
                return None
            chosen.append(self._common(int(facts.subfield[target]), open_, draw))
            kinds.add(chosen[-1].kind)
        for other in shape.others:
            extra = self._other(target, other, draw)
            if extra is None or not self._predicates.stated(target, extra):
                return None
            chosen.append(extra)
        return (*concepts, *chosen)

    def _common(self, subfield: int, options: list[Constraint], draw: Draw) -> Constraint:
        """The most common one of a few nouns drawn."""
        some = [options[draw.below(len(options))] for _ in range(NOUNS_DRAWN)]
        return max(some, key=lambda option: self._predicates.holders(subfield, option.value))

    def _other(self, target: int, facet: str, draw: Draw) -> Constraint | None:
        facts = self._facts
        if facet == ASK:
            ids = [name for name, place in self._attributes.items() if facts.attributes[target, place] >= 0]
            said = [
                constraint
                for name in ids
                if self._predicates.stated(
                    target, constraint := Constraint(name, int(facts.attributes[target, self._attributes[name]]))
                )
            ]
            return said[draw.below(len(said))] if said else None
        if facet == "dataset":
            return Constraint(facet, int(facts.dataset[target]))
        if facet == "system":
            return Constraint(facet, int(facts.name[target]))
        baseline = int(facts.baseline[target])
        return Constraint(facet, baseline if baseline >= 0 else -2 - int(facts.rival[target]))


def shared_concepts(world: World) -> frozenset[tuple[int, int]]:
    """Concepts, as (subfield, place), one of whose wordings another subfield has too: alone they are no topic."""
    by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
    holders: dict[str, set[tuple[int, int]]] = {}
    for at, name in enumerate(world.facts.subfields):
        for place, concept in enumerate(by_id[name].concepts):
            for text in (*(form.text for form in concept.forms), concept.short):
                if text:
                    holders.setdefault(text.lower(), set()).add((at, place))
    return frozenset(place for places in holders.values() if len(places) > 1 for place in places)
