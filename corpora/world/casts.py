"""The nouns that papers are about: a cast for each, drawn from those that go with its problem, method and object.

A line of work has a preferred cast, from which a paper takes over each part with a probability; the rest is its own.
Nouns of a paper are pairwise different, and parts that would sound alike in a sentence share no content word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Flags, Ints, chance, pick_rows, skewed
from .facts import CAST, CAST_TYPES
from .morphology import content_stems
from .registry import Registry
from .spec import WorldSpec
from .streams import column
from .terms import Subfield

INHERITED = 350
"""Probability, in thousandths, that a part of the cast is the one that the line prefers."""

ALIKE = (
    ("knob", "cond"), ("knob", "other"), ("cause", "cond"), ("cause", "other"), ("cause", "hazard"),
    ("effect", "merit"),
    ("source", "cond"), ("source", "hazard"), ("hazard", "cond"), ("hazard", "other"), ("cause", "effect"),
    ("source", "effect"), ("via", "effect"), ("via", "source"), ("second", "knob"), ("second", "merit"),
    ("symptom", "effect"), ("cond", "effect"), ("cond", "second"), ("supply", "merit"), ("supply", "tool"),
)  # fmt: skip
"""Pairs of parts whose nouns share no content stem, wherever there is another noun."""

PLOTTED = ("effect", "second", "merit", "knob")
"""Parts that figures show: nouns with a range of values are preferred."""

MOVED = {
    "cause": "effect", "source": "effect", "via": "effect", "cond": "second", "other": "effect", "knob": "second",
}  # fmt: skip
"""Part -> the part that it moves: nouns of which the field knows the sign (`signs` of the subfield) go first."""

ENOUGH = 2
"""With so many known movers no other noun is drawn for a part of SURE."""
SURE = ("cause", "source", "via", "knob")
KNOWN = 6
"""Else a known mover is drawn so many times as often as another noun."""

NOUN_SKEW = 500
"""Nouns of a subfield are drawn like 1 / (rank + NOUN_SKEW)."""


@dataclass(frozen=True)
class NounTable:
    """A subfield's nouns as arrays.

    Attributes:
        of_part: For each part the places of the nouns of its type.
        skew: int64 [nouns]: how popular a noun is in this world; 0 where it is held out.
        spans: bool [nouns]: it has a range of values.
        alike: bool [nouns, nouns]: they share a content stem.
        moves: bool [nouns, nouns]: the field knows in which direction the first moves the second.
    """

    of_part: dict[str, Ints]
    skew: Ints
    spans: Flags
    alike: Flags
    moves: Flags


def noun_table(spec: WorldSpec, subfield: Subfield, registry: Registry) -> NounTable:
    """Arrays of a subfield's nouns."""
    nouns = subfield.nouns
    of_type = {
        kind: np.array([at for at, noun in enumerate(nouns) if registry.is_a(noun.type, (kind,))], dtype=np.int64)
        for kind in dict.fromkeys(CAST_TYPES.values())
    }
    of_part = {part: of_type[CAST_TYPES[part]] for part in CAST}
    having: dict[str, list[int]] = {}
    for at, noun in enumerate(nouns):
        for name in stems_of(f"{noun.singular} {noun.plural}"):
            having.setdefault(name, []).append(at)
    alike = np.zeros((len(nouns), len(nouns)), dtype=np.bool_)
    for places in having.values():
        for place in places:
            alike[place, places] = True
    skew = skewed(spec.seed, f"nouns/{subfield.id}", len(nouns), offset=NOUN_SKEW)
    if spec.train:
        skew[[at for at, noun in enumerate(nouns) if noun.heldout]] = 0
    spans = np.array([noun.span is not None for noun in nouns], dtype=np.bool_)
    moves = np.zeros_like(alike)
    rows = {noun.id: at for at, noun in enumerate(nouns)}
    for mover, moved in subfield.signs:
        if mover in rows and moved in rows:
            moves[rows[mover], rows[moved]] = True
    return NounTable(of_part, skew, spans, alike, moves)


def movable(table: NounTable, part: str, fits: Ints) -> Flags:
    """Measures that a known mover of each part of SURE which fits can move: bool [n, nouns]."""
    found = np.ones(fits.shape, dtype=np.bool_)
    for mover in (mover for mover in SURE if MOVED[mover] == part and mover != "via"):
        nouns = table.of_part[mover]
        here = (fits[:, nouns] > 0) & (table.skew[nouns] > 0)
        found &= here.astype(np.int64) @ table.moves[nouns].astype(np.int64) >= (1 if mover == "knob" else ENOUGH)
    return found


def by_signs(table: NounTable, part: str, nouns: Ints, cast: NDArray[np.int16], weights: Ints) -> Ints:
    """Weights of nouns for a part, after what the field knows about the measure that the part moves."""
    moved = cast[:, CAST.index(MOVED[part])]
    known = table.moves[nouns][:, np.maximum(moved, 0)].T & (moved >= 0)[:, None]
    sure = np.where(known, weights, 0)
    if part in SURE:
        enough = (sure > 0).sum(axis=1) >= (1 if part == "knob" else ENOUGH)
        return np.where(enough[:, None], sure, weights + sure * (KNOWN - 1)).astype(np.int64)
    return np.asarray(weights + sure * (KNOWN - 1), dtype=np.int64)


@cache
def stems_of(text: str) -> tuple[str, ...]:
    """The content stems of a text, in order."""
    return tuple(content_stems(text))


def fitting(subfield: Subfield, concepts: Ints) -> Ints:
    """How well each noun goes with each triple of concepts.

    Args:
        subfield: Terms.
        concepts: int64 [n, 3], places in `subfield.concepts`.

    Returns:
        int64 [n, nouns]: 0 where the noun does not go with them, else 1, or the weight of the table of conditions.
    """
    place = {concept.id: at for at, concept in enumerate(subfield.concepts)}
    shape = (len(subfield.concepts), len(subfield.nouns))
    only, never = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    free = np.array([not noun.only for noun in subfield.nouns], dtype=np.bool_)
    table = np.ones(shape, dtype=np.int64)
    for at, noun in enumerate(subfield.nouns):
        only[[place[name] for name in noun.only if name in place], at] = True
        never[[place[name] for name in noun.never if name in place], at] = True
    nouns = {noun.id: at for at, noun in enumerate(subfield.nouns)}
    for fit in subfield.fits:
        if fit.rows == "C":
            for (row, col), weight in fit.cells.items():
                if row in nouns and col in place:
                    table[place[col], nouns[row]] = weight
    allowed = (free | only[concepts].any(axis=1)) & ~never[concepts].any(axis=1)
    return np.where(allowed, table[concepts].prod(axis=1), 0)


def draw_cast(
    spec: WorldSpec, purpose: str, table: NounTable, fits: Ints, preferred: Ints | None = None
) -> NDArray[np.int16]:
    """Draw the nouns of each row, part by part.

    Args:
        spec: The world.
        purpose: Key of the draws.
        table: The subfield's nouns.
        fits: int64 [n, nouns], as `fitting` gives it.
        preferred: int64 [n, parts]: nouns to take over with a probability, or None.

    Returns:
        int16 [n, parts]; -1 where no noun is left.
    """
    rows = np.arange(len(fits))
    cast = np.full((len(fits), len(CAST)), -1, dtype=np.int16)
    used = np.zeros(fits.shape, dtype=np.bool_)
    for at, part in enumerate(CAST):
        nouns = table.of_part[part]
        if not len(nouns):
            continue
        free = np.where(used[:, nouns], 0, fits[:, nouns])
        skew = table.skew[nouns] * (np.where(table.spans[nouns], 3, 1) if part in PLOTTED else 1)
        best = free * skew
        for pair in ALIKE:
            if part in pair:
                other = cast[:, CAST.index(pair[pair[0] == part])]
                best = np.where((other >= 0)[:, None] & table.alike[other][:, nouns], 0, best)
        if part in MOVED:
            best = by_signs(table, part, nouns, cast, best)
        elif part in ("effect", "second"):
            sure = np.where(movable(table, part, fits)[:, nouns], best, 0)
            best = np.where((sure.max(axis=1) > 0)[:, None], sure, best)
        # Where nothing is left, sounding alike, and then being held out, is the smaller fault.
        weights = np.where((best > 0).any(axis=1)[:, None], best, free * skew)
        weights = np.where(weights.any(axis=1)[:, None], weights, free)
        place = pick_rows(column(spec.seed, f"{purpose}/{part}", len(fits)), weights)
        if preferred is not None:
            where = np.searchsorted(nouns, np.maximum(preferred[:, at], 0)).clip(0, len(nouns) - 1)
            same = (nouns[where] == preferred[:, at]) & (weights[rows, where] > 0)
            place = np.where(same & chance(spec.seed, f"{purpose}/{part}/line", len(fits), INHERITED), where, place)
        drawn = place >= 0
        cast[drawn, at] = nouns[place[drawn]]
        used[rows[drawn], cast[drawn, at]] = True
    return cast


def draw_casts(
    spec: WorldSpec, subfields: tuple[Subfield, ...], registry: Registry, topics: Topics
) -> NDArray[np.int16]:
    """Draw the casts of all papers: int16 [papers, parts], see `Facts.cast`."""
    cast = np.full((spec.papers, len(CAST)), -1, dtype=np.int16)
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        if not len(rows):
            continue
        first, line = np.unique(topics.line[rows], return_index=True, return_inverse=True)[1:]
        line = line.reshape(-1)
        concepts = np.stack([topics.problem[rows], topics.method[rows], topics.object[rows]], axis=1)
        table = noun_table(spec, subfield, registry)
        fits = fitting(subfield, concepts[first].astype(np.int64))
        preferred = draw_cast(spec, f"line-cast/{subfield.id}", table, fits).astype(np.int64)
        cast[rows] = draw_cast(spec, f"cast/{subfield.id}", table, fits[line], preferred[line])
    return cast
