"""Lint rules on a subfield as a whole: enough terms of every kind, complete tables, references that exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .findings import Finding
from .ontology import Ontology
from .registry import Registry
from .terms import Fit, Subfield

MIN_CONCEPTS = {"P": 8, "M": 10, "O": 8}
MIN_NOUNS, MIN_VERBS, MIN_ADJECTIVES, MIN_EPONYMS, MIN_UNITS = 120, 30, 40, 8, 2
MIN_BY_TYPE = {
    "observable": 20,
    "merit": 12,
    "knob": 6,
    "driver": 20,
    "hazard": 10,
    "path": 12,
    "setting": 12,
    "supply": 8,
    "carrier": 12,
    "tool": 6,
}
MIN_PLOTTED = 15
MIN_CLASSES = 10
MIN_TRIPLES = 80
MIN_PER_ROLE = 3
TABLES = {("P", "M"), ("P", "O"), ("M", "O"), ("C", "O")}
MIN_PARTNERS = 2
MIN_CONDITIONS = 4


def lint_counts(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on the size and the tables of each subfield."""
    for subfield in ontology.subfields:
        yield from sizes(subfield, ontology.registry)
        yield from references(subfield)
        yield from tables(subfield, ontology)


def sizes(subfield: Subfield, registry: Registry) -> Iterator[Finding]:
    """Minimum counts."""
    wanted = [
        *((f"concepts of kind {kind}", len(subfield.of_kind(kind)), least) for kind, least in MIN_CONCEPTS.items()),
        ("typed nouns", len(subfield.nouns), MIN_NOUNS),
        ("verbs", len(subfield.verbs), MIN_VERBS),
        ("verb classes with verbs of its own", len({verb.cls for verb in subfield.verbs}), MIN_CLASSES),
        ("adjectives", len(subfield.adjectives), MIN_ADJECTIVES),
        ("eponyms", len(subfield.eponyms), MIN_EPONYMS),
        ("units", len(subfield.units), MIN_UNITS),
        (
            "nouns of measures with unit= and range=",
            sum(noun.span is not None and bool(noun.unit) for noun in subfield.nouns),
            MIN_PLOTTED,
        ),
        *(
            (f"nouns of type {kind}", sum(registry.is_a(noun.type, (kind,)) for noun in subfield.nouns), least)
            for kind, least in MIN_BY_TYPE.items()
        ),
    ]
    for what, count, least in wanted:
        if count < least:
            yield Finding(subfield.where, "too-few", f"{subfield.id} has {count} {what}, at least {least} are needed")
    seen: dict[str, str] = {}
    for noun in subfield.nouns:
        for text in {noun.singular, noun.plural} - {""}:
            other = seen.setdefault(text, noun.id)
            if other != noun.id:
                yield Finding(noun.where, "duplicate-form", f"'{text}' of {noun.id} is a form of {other} too")
        if registry.is_a(noun.type, ("setting",)) and not noun.prep:
            yield Finding(noun.where, "prep", f"{noun.id} is a condition without prep=")
        if noun.span is not None and not noun.unit:
            yield Finding(
                noun.where,
                "unit",
                f"{noun.id} has a range without a unit; write unit=percent, unit=ms or unit=1 for a pure number",
            )


def references(subfield: Subfield) -> Iterator[Finding]:
    """Ids that nouns, verbs and adjectives name are there."""
    concepts = {concept.id for concept in subfield.concepts}
    nouns = {noun.id for noun in subfield.nouns}
    named = [
        *((noun.where, item, concepts) for noun in subfield.nouns for item in (*noun.only, *noun.never)),
        *((entry.where, item, nouns) for entry in subfield.adjectives for item in (*entry.only, *entry.never)),
        *(
            (verb.where, item, nouns)
            for verb in subfield.verbs
            for item in (*verb.subject, *verb.object)
            if "/" in item
        ),
    ]
    named += [(subfield.where, item, nouns) for pair in sorted(subfield.signs) for item in pair]
    for where, item, known in named:
        if item not in known:
            yield Finding(where, "unknown-id", f"'{item}' is not in {subfield.id}; correct the slug")


def tables(subfield: Subfield, ontology: Ontology) -> Iterator[Finding]:
    """Every table is there and has every row and column; every term has partners; enough triples are possible."""
    found = {(fit.rows, fit.columns): fit for fit in subfield.fits}
    for rows, columns in sorted(TABLES - set(found)):
        yield Finding(subfield.where, "table", f"{subfield.id} lacks 'fit {rows} {columns}'")
    for fit in subfield.fits:
        yield from table_complete(fit, subfield)
    if set(found) >= TABLES:
        triples = len(possible_triples(subfield, found))
        if triples < MIN_TRIPLES:
            yield Finding(
                subfield.where,
                "table",
                f"{triples} problem, method, object triples are possible, at least {MIN_TRIPLES} are needed",
            )
        yield from starved_roles(subfield, ontology, found)


def table_complete(fit: Fit, subfield: Subfield) -> Iterator[Finding]:
    """Rows and columns are exactly the ids of their kinds, and none is without partners."""
    conditions = {noun.id for noun in subfield.nouns if noun.type == "condition"}
    kinds = {kind: {concept.id for concept in subfield.of_kind(kind)} for kind in "PMO"} | {"C": conditions}
    for place, kind in ((0, fit.rows), (1, fit.columns)):
        named = {pair[place] for pair in fit.cells}
        for missing in sorted(kinds[kind] - named):
            yield Finding(fit.where, "table", f"{fit.id} has no {'row' if place == 0 else 'column'} for {missing}")
        for unknown in sorted(named - kinds[kind]):
            yield Finding(fit.where, "unknown-id", f"{fit.id} names {unknown}, which is not in {subfield.id}")
        partners = Counter(
            {name: sum(weight > 0 for pair, weight in fit.cells.items() if pair[place] == name) for name in named}
        )
        least = 1 if kind == "C" else MIN_CONDITIONS if fit.rows == "C" else MIN_PARTNERS
        for name, count in sorted(partners.items()):
            if count < least:
                yield Finding(
                    fit.where, "table", f"{name} has {count} partners in {fit.id}, at least {least} are needed"
                )


def starved_roles(subfield: Subfield, ontology: Ontology, found: dict[tuple[str, str], Fit]) -> Iterator[Finding]:
    """For every possible triple each role of a proposition has enough nouns that go with it."""
    wanted = sorted(
        {role.type for prop in ontology.registry.props.values() for role in prop.roles} - {"system", "baseline"}
    )
    members = {kind: [noun for noun in subfield.nouns if ontology.registry.is_a(noun.type, (kind,))] for kind in wanted}
    conditions = found["C", "O"].cells
    reported: set[tuple[str, str]] = set()
    for triple in possible_triples(subfield, found):
        present = set(triple)
        for kind in wanted:
            fitting = sum(
                (not noun.only or bool(present & set(noun.only)))
                and not present & set(noun.never)
                and conditions.get((noun.id, triple[2]), 1) > 0
                for noun in members[kind]
            )
            if fitting < MIN_PER_ROLE and (kind, triple[2]) not in reported:
                reported.add((kind, triple[2]))
                what = (
                    f"{fitting} nouns of type {kind} go with {', '.join(triple)}, at least {MIN_PER_ROLE} are needed; "
                    "widen for= or add nouns"
                )
                yield Finding(subfield.where, "starved", what)


def possible_triples(subfield: Subfield, found: dict[tuple[str, str], Fit]) -> list[tuple[str, str, str]]:
    """Problem, method, object triples whose three tables allow them."""
    first, second, third = found["P", "M"].cells, found["P", "O"].cells, found["M", "O"].cells
    return [
        (p.id, m.id, o.id)
        for p in subfield.of_kind("P")
        for m in subfield.of_kind("M")
        for o in subfield.of_kind("O")
        if first.get((p.id, m.id)) and second.get((p.id, o.id)) and third.get((m.id, o.id))
    ]
