"""Which frames a group says a proposition in."""

from __future__ import annotations

from collections import Counter

from ..facts import SENTIMENTS
from ..ontology import Ontology
from .realize import Compiler
from .shapes import Shape, shape_of

ENOUGH = 30
"""Frames of its own with which a group does without the shared ones: those would recur in all groups."""

PLOTTED = frozenset(("from", "own"))
"""Numbers that only a figure has."""

OWN_ONLY = {
    "math": ("comparison", "resource", "failure", "setup"),
}
"""Propositions that a group says in its own frames only: a theorem is no measurement."""


class Pools:
    """All frames that are finite clauses, compiled, by group and proposition.

    Args:
        ontology: The ontology.
    """

    def __init__(self, ontology: Ontology) -> None:
        compiler = Compiler(ontology)
        shelves: dict[tuple[str, str], list[tuple[tuple[str, ...], Shape]]] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for frame in ontology.frames:
            counts[frame.prop, frame.group] += 1
            if not frame.nominal:
                entry = (frame.moves, shape_of(frame, ontology, compiler))
                shelves.setdefault((frame.prop, frame.group), []).append(entry)
        self._finite: dict[tuple[str, str, str], tuple[Shape, ...]] = {}
        self._toned: dict[tuple[str, str, str], tuple[Shape, ...]] = {}
        self._plotted: dict[tuple[str, str], tuple[Shape, ...]] = {}
        for group in sorted({subfield.group for subfield in ontology.subfields}):
            for prop in ontology.registry.props:
                own, common = shelves.get((prop, group), []), shelves.get((prop, "any"), [])
                alone = prop in OWN_ONLY.get(group, ()) or counts[prop, group] >= ENOUGH
                pool = own if alone else sorted((*common, *own), key=lambda entry: entry[1].id)
                self._add(group, prop, pool, ("", *ontology.registry.moves))

    def _add(self, group: str, prop: str, pool: list[tuple[tuple[str, ...], Shape]], moves: tuple[str, ...]) -> None:
        """Lay out the frames of a group and proposition; moves with the same frames share one tuple of them."""
        known: dict[tuple[bool, ...], tuple[Shape, ...]] = {}
        for move in moves:
            fitting = tuple(not given or move in given for given, _ in pool)
            if fitting not in known:
                shapes = [shape for fits, (_, shape) in zip(fitting, pool, strict=True) if fits]
                known[fitting] = tuple(shape for shape in shapes for _ in range(shape.weight))
            self._finite[group, prop, move] = known[fitting]
        self._plotted[group, prop] = tuple(
            shape for shape in self._finite[group, prop, ""] if not PLOTTED.isdisjoint(shape.facts)
        )
        for tone in SENTIMENTS:
            self._toned[group, prop, tone] = tuple(
                shape for shape in self._finite[group, prop, ""] if shape.tone == tone
            )

    def finite(self, group: str, prop: str, move: str = "") -> tuple[Shape, ...]:
        """Frames of a proposition that a group may use in a move, in order of id, each as often as it weighs."""
        return self._finite[group, prop, move]

    def plotted(self, group: str, prop: str) -> tuple[Shape, ...]:
        """Those that quote the numbers of a figure."""
        return self._plotted[group, prop]

    def toned(self, group: str, prop: str, tone: str) -> tuple[Shape, ...]:
        """Those of a citation with a sentiment, in any move."""
        return self._toned[group, prop, tone]


_known: list[tuple[Ontology, Pools]] = []


def pools_of(ontology: Ontology) -> Pools:
    """The frames of an ontology, compiled once: the last one is kept, as most programs know one only."""
    for known, pools in _known:
        if known is ontology:
            return pools
    _known[:] = [(ontology, Pools(ontology))]
    return _known[0][1]
