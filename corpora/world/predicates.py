"""Constraints on papers as boolean columns over the facts: which papers satisfy them, and which of these say so.

Every predicate is decided on the facts alone, so the gold set of a question is exact: a paper that satisfies it counts
whether its text mentions the fact or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .facts import CAST, Facts
from .query_classes import NOUN_FACETS
from .world import Statements, World

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

CONCEPTS = ("P", "M", "O")
NAMES = ("system", "dataset", "baseline")


class Constraint(NamedTuple):
    """One constraint on a paper.

    Attributes:
        kind: P, M, O; a facet of `query_classes.NOUN_FACETS`; system, dataset, baseline; or an attribute's id.
        value: P, M, O: place in `Subfield.concepts`. A noun facet: place in `Subfield.nouns`; satisfied by papers whose
            cast holds the noun in any part. system: number of the name (`Facts.name`). dataset: `Facts.dataset`.
            baseline: `Facts.baseline`, or -2 - `Facts.rival` for a rival that no paper introduces. An attribute: place
            in `Attribute.values`.
    """

    kind: str
    value: int


class Predicates:
    """Evaluates constraints within a subfield.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        facts = world.facts
        self._facts = facts
        self._attributes = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        self._fields = [FieldColumns(facts, np.flatnonzero(facts.subfield == at)) for at in range(len(facts.subfields))]
        self._support = Support(world.statements, self._attributes)

    def rows(self, subfield: int, constraints: Iterable[Constraint]) -> Rows:
        """Rows of the papers of a subfield that satisfy all constraints, dated or not, in order."""
        columns = self._fields[subfield]
        mask = np.ones(len(columns.rows), dtype=np.bool_)
        for constraint in constraints:
            mask &= self._column(columns, constraint)
        return columns.rows[mask]

    def holders(self, subfield: int, noun: int) -> int:
        """Number of papers of a subfield whose cast holds a noun."""
        return self._fields[subfield].holders(noun)

    def stated(self, row: int, constraint: Constraint) -> bool:
        """Whether title or abstract of a paper that satisfies a constraint says so, at whatever level."""
        return self._support.says(self._facts, row, constraint)

    def _column(self, columns: FieldColumns, constraint: Constraint) -> Flags:
        if constraint.kind in NOUN_FACETS:
            return columns.has_noun(constraint.value)
        return columns.equal(constraint, self._attributes.get(constraint.kind))


class FieldColumns:
    """The columns of one subfield's papers.

    Args:
        facts: The facts.
        rows: int64, the subfield's rows in order.
    """

    def __init__(self, facts: Facts, rows: Rows) -> None:
        self.rows = rows
        self.plain: dict[str, Rows] = {
            name: column[rows].astype(np.int64)
            for name, column in (
                ("P", facts.problem),
                ("M", facts.method),
                ("O", facts.object),
                ("system", facts.name),
                ("dataset", facts.dataset),
                ("baseline", rivals_of(facts)),
            )
        }
        self.attributes = facts.attributes[rows].T.astype(np.int64)
        self._cast = facts.cast[rows]
        self._counts: list[int] = np.bincount(self._cast[self._cast >= 0].astype(np.int64)).tolist()

    def equal(self, constraint: Constraint, attribute: int | None) -> Flags:
        """Whether each paper has the value that a constraint asks for.

        Args:
            constraint: Of any kind but a noun facet.
            attribute: Place of the attribute that its kind names, None for another kind.
        """
        values = self.plain[constraint.kind] if attribute is None else self.attributes[attribute]
        return np.equal(values, constraint.value)

    def has_noun(self, noun: int) -> Flags:
        """Whether the cast of each paper holds a noun."""
        found: Flags = (self._cast == noun).any(axis=1)
        return found

    def holders(self, noun: int) -> int:
        """Number of papers whose cast holds a noun."""
        return self._counts[noun]


def rivals_of(facts: Facts) -> Rows:
    """What each paper is compared with, as `Constraint.value` counts baselines."""
    return np.where(facts.baseline >= 0, facts.baseline.astype(np.int64), -2 - facts.rival.astype(np.int64))


class Support:
    """What title and abstract of papers say.

    Args:
        statements: The record.
        attributes: Place of each attribute by its id.
    """

    def __init__(self, statements: Statements, attributes: dict[str, int]) -> None:
        self._lead = statements.lead
        self._columns = {name: statements.column(name) for name in (*CONCEPTS, *NAMES, *CAST, *attributes)}

    def says(self, facts: Facts, row: int, constraint: Constraint) -> bool:
        """Whether a paper that satisfies a constraint says so; for a noun, in the part that it plays there."""
        kind, value = constraint
        if kind not in NOUN_FACETS:
            return bool(self._lead[row, self._columns[kind]])
        parts = np.flatnonzero(facts.cast[row] == value).tolist()
        return any(self._lead[row, self._columns[CAST[part]]] for part in parts)
