"""The attributes of papers: values by the weights of their group, like those of their line, without contradictions.

Values contradict where one excludes the other, where a concept or a noun of the paper excludes it, and where all
evidence sets of one clash with the other, so that a paper could not state it by evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Flags, Ints, chance, pick_rows, shuffled
from .ontology import Ontology
from .spec import WorldSpec
from .streams import column
from .terms import Attribute, Subfield

INHERITED = 500
"""Probability, in thousandths, that a value is the one of the line."""

MOST = 44
"""Largest share of one value among the papers of a group, in percent."""

ROUNDS = 8
"""Tries for papers whose earlier values leave none for a later attribute."""


@dataclass(frozen=True)
class ValueTable:
    """All values of all attributes in one row, those of attribute a at `starts[a]:starts[a + 1]`.

    Attributes:
        place: Value id -> place.
        starts: First place of each attribute, and the end.
        against: bool [values, values]: they contradict.
        weights: int64 [values] in the group; 0 for all values of an attribute that the group lacks.
    """

    place: dict[str, int]
    starts: tuple[int, ...]
    against: Flags
    weights: Ints


def value_table(attributes: tuple[Attribute, ...], group: str, *, train: bool) -> ValueTable:
    """Arrays of the values for a group."""
    values = [value for attribute in attributes for value in attribute.values]
    place = {value.id: at for at, value in enumerate(values)}
    starts = tuple(np.cumsum([0, *(len(attribute.values) for attribute in attributes)]).tolist())
    against = np.zeros((len(values), len(values)), dtype=np.bool_)
    for at, value in enumerate(values):
        against[at, known(value.excludes, place)] = True
        sets = [
            item
            for item in value.evidence
            if not (train and item.heldout) and (not item.groups or group in item.groups)
        ]
        if sets:
            clashes = frozenset.intersection(*(frozenset(known(item.excludes, place)) for item in sets))
            against[at, sorted(clashes)] = True
    weights = [
        value.weights.get(group, 0) if group in attribute.groups else 0
        for attribute in attributes
        for value in attribute.values
    ]
    return ValueTable(place, starts, against | against.T, np.array(weights, dtype=np.int64))


def known(ids: tuple[str, ...], place: dict[str, int]) -> list[int]:
    """Places of value ids; an id marked `?` may be one that is not there yet."""
    return [place[name.rstrip("?")] for name in ids if name.rstrip("?") in place]


def forbidden(subfield: Subfield, table: ValueTable, concepts: Ints, cast: Ints) -> Flags:
    """Values that the concepts and nouns of papers exclude: bool [n, values]."""
    by_concept = np.zeros((len(subfield.concepts) + 1, len(table.weights)), dtype=np.bool_)
    by_noun = np.zeros((len(subfield.nouns) + 1, len(table.weights)), dtype=np.bool_)
    for at, concept in enumerate(subfield.concepts):
        by_concept[at, known(concept.excludes, table.place)] = True
    for at, noun in enumerate(subfield.nouns):
        by_noun[at, known(noun.excludes, table.place)] = True
    blocked = by_concept[concepts[:, 0]]
    for at in range(1, concepts.shape[1]):
        blocked |= by_concept[concepts[:, at]]
    if by_noun.any():
        for at in range(cast.shape[1]):
            blocked |= by_noun[cast[:, at]]
    return blocked


def draw_values(
    spec: WorldSpec, purpose: str, table: ValueTable, blocked: Flags, preferred: NDArray[np.int8] | None = None
) -> NDArray[np.int8]:
    """Draw a value of each attribute for each row.

    Args:
        spec: The world.
        purpose: Key of the draws.
        table: The values.
        blocked: bool [n, values]: values that a row must not have.
        preferred: int8 [n, attributes]: values to take over with a probability, or None.

    Returns:
        int8 [n, attributes]; -1 where the group lacks the attribute.
    """
    count = len(table.starts) - 1
    values = np.full((len(blocked), count), -1, dtype=np.int8)
    todo = np.arange(len(blocked))
    for turn in range(ROUNDS):
        open_ = blocked[todo].copy()
        for at in range(count):
            low, high = table.starts[at], table.starts[at + 1]
            if not table.weights[low:high].any():
                continue
            key = f"{purpose}/{at}/{turn}"
            weights = np.where(open_[:, low:high], 0, table.weights[low:high])
            place = pick_rows(column(spec.seed, key, len(todo)), weights)
            if preferred is not None and turn == 0:
                wish = np.maximum(preferred[todo, at], 0).astype(np.int64)
                fine = (preferred[todo, at] >= 0) & (weights[np.arange(len(todo)), wish] > 0)
                place = np.where(fine & chance(spec.seed, f"{key}/line", len(todo), INHERITED), wish, place)
            values[todo, at] = place
            open_ |= table.against[low + np.maximum(place, 0)] & (place >= 0)[:, None]
        lacking = (values[todo] < 0) & np.array([table.weights[a:b].any() for a, b in pairs(table)])
        todo = todo[lacking.any(axis=1)]
        if not len(todo):
            break
    return values


def pairs(table: ValueTable) -> list[tuple[int, int]]:
    """First place and end of each attribute."""
    return list(zip(table.starts[:-1], table.starts[1:], strict=True))


def level(spec: WorldSpec, purpose: str, table: ValueTable, blocked: Flags, values: NDArray[np.int8]) -> None:
    """Give papers of a group another value where one is held by more than `MOST` percent; in place."""
    order = shuffled(spec.seed, purpose, len(values))
    for at, (low, high) in enumerate(pairs(table)):
        counts = np.bincount(values[values[:, at] >= 0, at], minlength=high - low)
        limit = len(values) * MOST // 100
        for value in np.flatnonzero(counts > limit).tolist():
            holders = order[values[order, at] == value]
            open_ = ~blocked[holders, low:high]
            for column_, (first, _) in enumerate(pairs(table)):
                if column_ != at:
                    held = values[holders, column_].astype(np.int64)
                    open_ &= ~(table.against[first + np.maximum(held, 0)][:, low:high] & (held >= 0)[:, None])
            open_[:, value] = False
            weights = np.where(open_, table.weights[low:high], 0)
            place = pick_rows(column(spec.seed, f"{purpose}/{at}/{value}", len(holders)), weights)
            moved = np.flatnonzero(place >= 0)[: int(counts[value]) - limit]
            values[holders[moved], at] = place[moved]


def draw_attributes(
    spec: WorldSpec, ontology: Ontology, subfields: tuple[Subfield, ...], topics: Topics, cast: NDArray[np.int16]
) -> NDArray[np.int8]:
    """Draw the attributes of all papers: int8 [papers, attributes], see `Facts.attributes`."""
    attributes = np.full((spec.papers, len(ontology.attributes)), -1, dtype=np.int8)
    for group in sorted({subfield.group for subfield in subfields}):
        table = value_table(ontology.attributes, group, train=spec.train)
        members = []
        for at, subfield in enumerate(subfields):
            rows = np.flatnonzero(topics.subfield == at)
            if subfield.group != group or not len(rows):
                continue
            concepts = np.stack([topics.problem[rows], topics.method[rows], topics.object[rows]], axis=1)
            first, line = np.unique(topics.line[rows], return_index=True, return_inverse=True)[1:]
            none = np.full((len(first), cast.shape[1]), -1, dtype=np.int64)
            of_line = forbidden(subfield, table, concepts[first].astype(np.int64), none)
            preferred = draw_values(spec, f"line-values/{subfield.id}", table, of_line)[line.reshape(-1)]
            blocked = forbidden(subfield, table, concepts.astype(np.int64), cast[rows].astype(np.int64))
            attributes[rows] = draw_values(spec, f"values/{subfield.id}", table, blocked, preferred)
            members.append((rows, blocked))
        if members:
            rows = np.concatenate([part[0] for part in members])
            values = attributes[rows]
            level(spec, f"level/{group}", table, np.concatenate([part[1] for part in members]), values)
            attributes[rows] = values
    return attributes
