"""Claims about a paper as bit sets over all papers of a world: bit r is set where paper row r satisfies the claim.

Every claim is decided on the facts alone. Concepts and nouns count by their wording, so a paper of another subfield
that says the same thing satisfies the claim, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .choice import Ints
from .complit_shapes import Shapes
from .complit_values import Compared
from .facts import FIGURE_KINDS, Facts
from .ontology import Ontology
from .predicates import CONCEPTS, Constraint, FieldColumns, Flags
from .world import World

TREND, ORDERING, PEAK = (FIGURE_KINDS.index(kind) for kind in ("trend", "ordering", "peak"))


class Claim(NamedTuple):
    """What is claimed of a paper.

    Attributes:
        kind: One of the table below, or an attribute's id.
        values: Integers by kind.

    | kind | values |
    |---|---|
    | P, M, O | number of the concept (`Terms`) |
    | noun | number of the noun (`Terms`), in whatever part |
    | dataset, baseline | as in `predicates.Constraint` |
    | an attribute's id | place in `Attribute.values` |
    | trend, peak | numbers of the nouns of y and x (-1 for any x); 1 where it falls, or dips |
    | order | rows of the two papers whose systems are compared, the better one first |
    | monotone, turning | 1 where it falls, or dips |
    | shape | place in `complit_classes.SHAPES` |
    | year, since, before | the year |
    | filed, listed | place in `Columns.categories`: main category; any category |
    | author | place in `Columns.surnames` |
    | authors | how many |
    | a relation of `complit_classes.RELATIONS` | row of the other paper |
    """

    kind: str
    values: tuple[int, ...]


class Terms:
    """Numbers of concepts and nouns that are the same wherever they are worded alike.

    Args:
        ontology: The ontology.
        facts: The facts, for the order of the subfields.

    Attributes:
        concepts: int64 [papers, 3]: problem, method and object of each paper.
        nouns: int64 [papers, parts]: its cast, -1 for none.
    """

    def __init__(self, ontology: Ontology, facts: Facts) -> None:
        by_id = {subfield.id: subfield for subfield in ontology.subfields}
        fields = [by_id[name] for name in facts.subfields]
        self._concept_of = merged(
            [[[*(form.text for form in entry.forms), entry.short] for entry in field.concepts] for field in fields]
        )
        self._noun_of = merged([[[entry.singular or entry.plural] for entry in field.nouns] for field in fields])
        field = facts.subfield.astype(np.int64)
        triple = np.stack([facts.problem, facts.method, facts.object], axis=1)
        self.concepts = looked_up(self._concept_of, field, triple)
        self.nouns = looked_up(self._noun_of, field, facts.cast)
        self.y, self.x = (looked_up(self._noun_of, field, column) for column in (facts.figures.y, facts.figures.x))

        self._places: list[dict[int, int]] = [
            {number: place for place, number in enumerate(numbers.tolist())} for numbers in self._noun_of
        ]

    def place(self, subfield: int, noun: int) -> int:
        """Place in `Subfield.nouns` of a noun by its number."""
        return self._places[subfield][noun]


def merged(texts: list[list[list[str]]]) -> list[Ints]:
    """Number entries of lists of lists so that entries with a text in common have one number."""
    first: dict[str, int] = {}
    parents: list[int] = []

    def root(number: int) -> int:
        while parents[number] != number:
            number = parents[number]
        return number

    numbers = []
    for field in texts:
        for entry in field:
            own = len(parents)
            parents.append(own)
            numbers.append(own)
            for text in entry:
                if text:
                    other = root(first.setdefault(text.lower(), own))
                    low, high = sorted((other, root(own)))
                    parents[high] = low
    out, at = [], 0
    for field in texts:
        out.append(np.array([root(number) for number in numbers[at : at + len(field)]], dtype=np.int64))
        at += len(field)
    return out


def looked_up(numbers: list[Ints], field: Ints, places: NDArray[np.int16]) -> Ints:
    """Numbers for places by subfield: same shape as `places`, -1 stays."""
    starts = np.concatenate([[0], np.cumsum([len(entry) for entry in numbers])])
    table = np.concatenate(numbers)
    at = starts[field].reshape((-1,) + (1,) * (places.ndim - 1)) + np.maximum(places, 0)
    return np.where(places >= 0, table[at], -1)


def bit_set(flags: Flags) -> int:
    """Flags as an integer: bit r for row r."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


class Columns:
    """The bit sets of claims.

    Args:
        world: The world.

    Attributes:
        terms: Numbers of concepts and nouns.
        shapes: What the figures show.
        everything: The set of all papers.
        year, n_authors: int64 [papers].
        categories, surnames: What claims about the record count.
    """

    def __init__(self, world: World) -> None:
        facts = world.facts
        self.facts, self.terms = facts, Terms(world.ontology, facts)
        size = len(facts.line)
        self.everything = (1 << size) - 1
        self._plain = FieldColumns(facts, np.arange(size))
        self._attributes = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        self.shapes = Shapes(world)
        self._compared = Compared(world)
        self.year = facts.month.astype(np.int64) // 12
        self.categories = tuple(sorted({name for own in facts.categories for name in own}))
        places = {name: place for place, name in enumerate(self.categories)}
        self._main = np.array([places[own[0]] for own in facts.categories])
        self._listed = np.zeros((size, len(places)), dtype=np.bool_)
        for row, own in enumerate(facts.categories):
            self._listed[row, [places[name] for name in own]] = True
        people = facts.people
        last = [surname(name) for name in people.author_names]
        self.surnames = tuple(sorted(set(last)))
        order = {name: place for place, name in enumerate(self.surnames)}
        self._surname = np.array([order[name] for name in last], dtype=np.int64)
        self.n_authors = np.diff(people.paper_starts)
        self._found: dict[Claim, int] = {}

    def bits(self, claim: Claim) -> int:
        """The papers that satisfy a claim."""
        found = self._found.get(claim)
        if found is None:
            found = self._found[claim] = bit_set(self.flags(claim))
        return found

    def holds(self, row: int, claim: Claim) -> bool:
        """Whether a paper satisfies a claim."""
        return bool(self.bits(claim) >> row & 1)

    def flags(self, claim: Claim) -> Flags:
        """The papers that satisfy a claim: bool [papers]."""
        kind, values = claim
        if kind in CONCEPTS:
            return np.equal(self.terms.concepts[:, CONCEPTS.index(kind)], values[0])
        if kind in self._attributes or kind in ("dataset", "baseline"):
            return self._plain.equal(Constraint(kind, values[0]), self._attributes.get(kind))
        if kind in self._compared.relations:
            return self._compared.flags(kind, values[0])
        return RULES[kind](self, values)

    def authors_of(self, row: int) -> list[int]:
        """Surnames of a paper's authors in order, as places in `surnames`."""
        people = self.facts.people
        rows = people.paper_authors[people.paper_starts[row] : people.paper_starts[row + 1]]
        return [int(place) for place in self._surname[rows]]

    def drawn(self, kind: int, values: tuple[int, ...]) -> Flags:
        """Papers with a figure of a kind that plots one noun over another and goes one way: bool [papers]."""
        y, x, falls = values
        is_same = (self.facts.figures.kind == kind) & (self.terms.y == y) & ((self.terms.x == x) | (x < 0))
        return np.asarray((is_same & (self.shapes.falls == bool(falls))).any(axis=1))

    def curve(self, kind: int, values: tuple[int, ...]) -> Flags:
        """Papers with a figure of a kind that goes one way: bool [papers]."""
        found = (self.facts.figures.kind == kind) & (self.shapes.falls == bool(values[0]))
        return np.asarray(found.any(axis=1))

    def filed(self, category: int) -> Flags:
        """Papers with a main category: bool [papers]."""
        found: Flags = np.equal(self._main, category)
        return found

    def listed(self, category: int) -> Flags:
        """Papers that a category lists: bool [papers]."""
        return np.asarray(self._listed[:, category])

    def by(self, author: int) -> Flags:
        """Papers with an author of a surname: bool [papers]."""
        people = self.facts.people
        found = np.zeros(len(self.year), dtype=np.bool_)
        paper = np.repeat(np.arange(len(self.year)), self.n_authors)
        found[paper[self._surname[people.paper_authors] == author]] = True
        return found


RULES: dict[str, Callable[[Columns, tuple[int, ...]], Flags]] = {
    "noun": lambda columns, values: np.asarray((columns.terms.nouns == values[0]).any(axis=1)),
    "trend": lambda columns, values: columns.drawn(TREND, values),
    "peak": lambda columns, values: columns.drawn(PEAK, values),
    "monotone": lambda columns, values: columns.curve(TREND, values),
    "turning": lambda columns, values: columns.curve(PEAK, values),
    "order": lambda columns, values: columns.shapes.ranked(*values),
    "shape": lambda columns, values: columns.shapes.flags(values[0]),
    "year": lambda columns, values: np.equal(columns.year, values[0]),
    "since": lambda columns, values: np.greater_equal(columns.year, values[0]),
    "before": lambda columns, values: np.less(columns.year, values[0]),
    "filed": lambda columns, values: columns.filed(values[0]),
    "listed": lambda columns, values: columns.listed(values[0]),
    "author": lambda columns, values: columns.by(values[0]),
    "authors": lambda columns, values: np.equal(columns.n_authors, values[0]),
}
"""Kinds that are no concept, name, attribute or relation."""


def surname(name: str) -> str:
    """The last part of a full name."""
    return name.rsplit(" ", 1)[-1]
