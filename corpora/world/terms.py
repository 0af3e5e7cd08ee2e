"""Frozen records of the ontology, read from the data files. Ids are full: `q-bio.NC/P/spike-sorting`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .blocks import Where
from .templates import Template

Grammatical = Literal["sg", "pl", "mass"]
NUMBERS: tuple[Grammatical, ...] = ("sg", "pl", "mass")
KINDS = ("P", "M", "O")


@dataclass(frozen=True)
class Form:
    """One wording.

    Attributes:
        text: As written; may hold slots where the field allows them.
        number: Agreement of a noun phrase; `sg` for clauses.
        heldout: Kept for test worlds.
        groups: Groups that may use it; empty for all.
        template: The parsed text.
        where: File and line.
    """

    text: str
    number: Grammatical
    heldout: bool
    groups: tuple[str, ...]
    template: Template
    where: Where

    def fits(self, group: str) -> bool:
        """Tell whether papers of a group may use the form."""
        return not self.groups or group in self.groups


@dataclass(frozen=True)
class Concept:
    """A problem (P), method (M) or object (O) of a subfield."""

    id: str
    kind: str
    type: str
    name: Form
    short: str
    paraphrases: tuple[Form, ...]
    functional: tuple[Form, ...]
    broader: str
    refer: tuple[str, str]
    verbs: tuple[str, ...]
    does: tuple[str, ...]
    excludes: tuple[str, ...]
    since: int
    where: Where

    @property
    def forms(self) -> tuple[Form, ...]:
        """Name, paraphrases and functional descriptions."""
        return (self.name, *self.paraphrases, *self.functional)


@dataclass(frozen=True)
class Noun:
    """A typed domain noun.

    Attributes:
        number: `sg` for a count noun with both forms, `mass`, or `pl` for a plural-only noun.
        det: How it stands without a form: `bare`, `the`, `a` or `pl`.
        prep: Preposition of `{role.pp}`.
        only: Concept ids that it is restricted to (any of them); empty for all.
        never: Concept ids that it does not go with.
        excludes: Attribute values that it contradicts.
        unit: Unit of its values; empty where it is never plotted.
        span: Lowest and highest value in units of 10**-decimals, or None.
        spread: Percent of its value by which it varies within a paper at most; 0 for any.
        good: `high` or `low` where one is better, else empty.
    """

    id: str
    type: str
    singular: str
    plural: str
    number: Grammatical
    det: str
    prep: str
    short: str
    only: tuple[str, ...]
    never: tuple[str, ...]
    excludes: tuple[str, ...]
    unit: str
    span: tuple[int, int] | None
    decimals: int
    spread: int
    good: str
    heldout: bool
    since: int
    where: Where


@dataclass(frozen=True)
class VerbEntry:
    """A verb of a class, with the noun types, or single nouns, that it goes with."""

    id: str
    cls: str
    base: str
    third: str
    past: str
    participle: str
    gerund: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    where: Where


@dataclass(frozen=True)
class Adjective:
    """An adjective and the noun types that it fits.

    Attributes:
        types: Noun types.
        only: Noun ids it is restricted to within those types.
        never: Noun ids it does not go with.
        gradable: May be used with `more`.
        predicative: May stand behind a verb.
    """

    id: str
    text: str
    types: tuple[str, ...]
    only: tuple[str, ...]
    never: tuple[str, ...]
    gradable: bool
    predicative: bool
    where: Where


@dataclass(frozen=True)
class Fit:
    """A compatibility table: 0 impossible, 1 possible, 2 usual.

    Attributes:
        rows: `P`, `M` or `C`: the kind of the row ids.
        columns: `M` or `O`.
        cells: (row id, column id) -> weight.
        missing: Row or column ids the table lacks, and ids it names that are not there, as readable findings.
    """

    id: str
    rows: str
    columns: str
    cells: dict[tuple[str, str], int]
    where: Where


@dataclass(frozen=True)
class Subfield:
    """A subfield with all of its terms.

    Attributes:
        signs: (noun that acts, measure) -> 0 where it raises the measure, 1 where it lowers it: what the field knows.
    """

    id: str
    group: str
    title: str
    categories: tuple[str, ...]
    units: tuple[tuple[str, str], ...]
    concepts: tuple[Concept, ...]
    nouns: tuple[Noun, ...]
    verbs: tuple[VerbEntry, ...]
    adjectives: tuple[Adjective, ...]
    eponyms: tuple[Form, ...]
    fits: tuple[Fit, ...]
    signs: dict[tuple[str, str], int]
    where: Where

    def of_kind(self, kind: str) -> tuple[Concept, ...]:
        """Concepts of a kind, sorted by id."""
        return self._kinds.get(kind, ())

    def fitting(self, kind: str, held: tuple[str, ...]) -> tuple[Concept, ...]:
        """Concepts of a kind that no table rules out with one of the ids held."""
        if (kind, held) not in self._fitting:
            self._fitting[kind, held] = tuple(
                concept
                for concept in self.of_kind(kind)
                if not any((other, concept.id) in self.impossible for other in held)
            )
        return self._fitting[kind, held]

    @cached_property
    def _fitting(self) -> dict[tuple[str, tuple[str, ...]], tuple[Concept, ...]]:
        return {}

    @cached_property
    def _kinds(self) -> dict[str, tuple[Concept, ...]]:
        kinds: dict[str, tuple[Concept, ...]] = {}
        for concept in self.concepts:
            kinds[concept.kind] = (*kinds.get(concept.kind, ()), concept)
        return kinds

    @cached_property
    def nouns_by_type(self) -> dict[str, tuple[tuple[int, Noun], ...]]:
        """Noun type -> its nouns, each with its place among all."""
        nouns: dict[str, list[tuple[int, Noun]]] = {}
        for place, noun in enumerate(self.nouns):
            nouns.setdefault(noun.type, []).append((place, noun))
        return {kind: tuple(own) for kind, own in nouns.items()}

    @cached_property
    def impossible(self) -> frozenset[tuple[str, str]]:
        """(row id, column id) of all tables where the weight is 0."""
        return frozenset(pair for fit in self.fits for pair, weight in fit.cells.items() if not weight)


@dataclass(frozen=True)
class Evidence:
    """An evidence set: halves for different places of a paper, whose conjunction implies the value.

    Attributes:
        halves: Clauses; each alone fits two values or more.
        fits: For each half the slugs of the values that it fits.
        condition: Integer comparison over the named numbers that keeps the inference true; empty without numbers.
        excludes: Value ids that the set contradicts.
    """

    halves: tuple[Form, ...]
    fits: tuple[tuple[str, ...], ...]
    condition: str
    excludes: tuple[str, ...]
    heldout: bool
    groups: tuple[str, ...]
    where: Where


@dataclass(frozen=True)
class Value:
    """A value of an attribute with its wordings at three levels."""

    id: str
    title: str
    weights: dict[str, int]
    asks: tuple[Form, ...]
    explicit: tuple[Form, ...]
    paraphrased: tuple[Form, ...]
    evidence: tuple[Evidence, ...]
    excludes: tuple[str, ...]
    since: int
    where: Where


@dataclass(frozen=True)
class Attribute:
    """A column of a survey table.

    Attributes:
        moves: Where in a paper one would look for it.
        labels: Run-in headings of the paragraphs that state it; they tell nothing of the value.
    """

    id: str
    title: str
    groups: tuple[str, ...]
    moves: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[Value, ...]
    since: int
    where: Where


@dataclass(frozen=True)
class Frame:
    """A clause of a proposition type.

    Attributes:
        prop: Proposition type.
        group: Group, or `any`.
        subject: The part before `//`; empty for a nominal frame.
        predicate: The part after `//`, or the whole of a nominal frame.
        narrows: Role -> narrower noun types than the proposition's.
        moves: Moves that it may stand in; empty for all of the proposition's.
        tone: Sentiment of a citation: `positive`, `neutral` or `negative`; else empty.
    """

    id: str
    prop: str
    group: str
    nominal: bool
    subject: Template
    predicate: Template
    text: str
    narrows: dict[str, tuple[str, ...]]
    moves: tuple[str, ...]
    tone: str
    where: Where


@dataclass(frozen=True)
class Phrase:
    """An entry of a `phrases`, `plans` or `queries` block: a text of a class, with its conditions."""

    id: str
    kind: str
    cls: str
    group: str
    text: str
    extras: dict[str, str]
    where: Where


@dataclass(frozen=True)
class Order:
    """A discourse order: moves of the abstract, and sections of the body with their moves."""

    id: str
    group: str
    weight: int
    abstract: tuple[str, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    where: Where
