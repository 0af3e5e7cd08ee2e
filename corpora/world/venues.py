"""Journals and conferences of the world, with their tiers in four lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .choice import chance, pick, shuffled
from .organizations import acronym
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

TIER_SOURCES = ("SJR", "CCF", "JCR", "CSCD")
LISTED = {"journal": (900, 250, 850, 250), "conference": (500, 700, 0, 50)}
"""How many venues of a kind each source lists, in thousandths."""
TITLES = (
    ("journal", "Journal of {title}"),
    ("conference", "International Meeting on {title}"),
    ("journal", "{title} Letters"),
    ("journal", "Advances in {title}"),
    ("conference", "Symposium on {title}"),
    ("journal", "Annals of {title}"),
    ("conference", "World Congress on {title}"),
    ("journal", "{title} Quarterly"),
    ("journal", "Open {title}"),
    ("journal", "Transactions on {title}"),
    ("conference", "Winter School on {title}"),
    ("journal", "{title} Review"),
)
"""Venues of a subfield; the first of a list are drawn in each world of many subfields."""
GENERAL = (
    ("journal", "Bulletin of Applied Science", "应用科学通报"),
    ("journal", "Archive of Open Science", ""),
    ("journal", "Berichte der Angewandten Wissenschaften", "Berichte der Angewandten Wissenschaften"),
    ("journal", "Comptes ouverts des sciences", "Comptes ouverts des sciences"),
    ("journal", "Frontier Science Letters", "前沿科学快报"),
    ("conference", "Federated Conference on Data and Models", ""),
    ("journal", "Science Notes of Japan", "日本科学ノート"),
    ("journal", "Northern Proceedings of Science", "Северные научные труды"),
)
"""Venues of all fields, some with a name in another language."""
WANTED = 100


@dataclass(frozen=True)
class Venues:
    """Columns of `People` on venues."""

    names: tuple[str, ...]
    native: tuple[str, ...]
    short: tuple[str, ...]
    field: NDArray[np.int16]
    tiers: NDArray[np.int8]


def draw_venues(spec: WorldSpec, subfields: tuple[Subfield, ...]) -> Venues:
    """Draw the venues of each subfield, about a hundred together, and the general ones."""
    each = min(max(WANTED // len(subfields), 4), len(TITLES))
    rows = [(kind, name, native, -1) for kind, name, native in GENERAL]
    for at, subfield in enumerate(subfields):
        order = sorted(shuffled(spec.seed, f"venues/{subfield.id}", len(TITLES)).tolist()[:each])
        rows += [(TITLES[place][0], TITLES[place][1].format(title=titled(subfield.title)), "", at) for place in order]
    count = len(rows)
    quality = pick(column(spec.seed, "venue-quality", count), (2, 3, 3, 2))
    tiers = np.zeros((count, len(TIER_SOURCES)), dtype=np.int8)
    for at, source in enumerate(TIER_SOURCES):
        shift = pick(column(spec.seed, f"tier/{source}", count), (1, 4, 1)) - 1
        tier = np.clip(1 + quality + shift, 1, 4)
        draws = below(column(spec.seed, f"listed/{source}", count), 1000)
        listed = draws < np.array([LISTED[row[0]][at] for row in rows])
        tiers[:, at] = np.where(listed, tier, 0)
    names = tuple(row[1] for row in rows)
    return Venues(
        names, tuple(row[2] for row in rows), shorts(names), np.array([row[3] for row in rows], dtype=np.int16), tiers
    )


def titled(title: str) -> str:
    """A subfield's title with capitals."""
    return " ".join(
        word if word in ("and", "of", "in", "for", "the") else word[:1].upper() + word[1:] for word in title.split()
    )


def shorts(names: tuple[str, ...]) -> tuple[str, ...]:
    """Short names, no two alike: initials, with more letters of the last word where they are taken."""
    out: list[str] = []
    for name in names:
        short, last = acronym(name), name.split()[-1].upper()
        for letters in range(1, len(last) + 1):
            if short not in out:
                break
            short = acronym(name) + last[1 : 1 + letters]
        while short in out:
            short += "X"
        out.append(short)
    return tuple(out)


def draw_paper_venues(
    spec: WorldSpec, venues: Venues, field: NDArray[np.int16], line: NDArray[np.int32]
) -> NDArray[np.int16]:
    """Draw where each paper appeared: mostly in a venue that its line prefers; -1 for preprints only."""
    size = len(field)
    out = np.full(size, -1, dtype=np.int16)
    general = np.flatnonzero(venues.field < 0)
    by_line = column(spec.seed, "venue-line", int(line.max()) + 1)[line]
    draws = np.where(chance(spec.seed, "venue-usual", size, 450), by_line, column(spec.seed, "venue", size))
    for at in range(int(field.max()) + 1):
        own = np.flatnonzero(venues.field == at)
        rows = np.flatnonzero(field == at)
        out[rows] = own[pick(draws[rows], (1 << 10) // (np.arange(len(own)) + 2))]
    elsewhere = chance(spec.seed, "venue-general", size, 90)
    out[elsewhere] = general[below(column(spec.seed, "venue-which", size), len(general))][elsewhere]
    out[chance(spec.seed, "preprint", size, 230)] = -1
    return out
