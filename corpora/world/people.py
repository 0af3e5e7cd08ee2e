"""Authors, organizations and venues."""

from __future__ import annotations

import numpy as np

from .cells import Topics
from .choice import shuffled
from .facts import People
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

TIER_SOURCES = ("SJR", "CCF", "JCR", "CSCD")


def draw_people(spec: WorldSpec, subfields: tuple[Subfield, ...], topics: Topics) -> People:
    """Draw who wrote each paper and where it appeared."""
    size, authors, orgs = spec.papers, spec.papers * 11 // 10, max(8, spec.papers // 25)
    counts = 1 + below(column(spec.seed, "authors", size), 6)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    order = shuffled(spec.seed, "author-order", size)
    first = np.empty(size, dtype=np.int64)
    first[order] = np.arange(size)
    row = np.repeat(np.arange(size), counts)
    member = first[row] * authors // size + np.arange(len(row)) - starts[row]
    field = topics.subfield[order[np.minimum(np.arange(authors) * size // authors, size - 1)]]
    venues = [(f"Journal of {sub.title}", at) for at, sub in enumerate(subfields)]
    return People(
        tuple(f"Author {at}" for at in range(authors)),
        ("",) * authors,
        below(column(spec.seed, "author-org", authors), orgs).astype(np.int32),
        field.astype(np.int16),
        tuple(f"Institute {at}" for at in range(orgs)),
        ("",) * orgs,
        tuple(f"I{at}" for at in range(orgs)),
        ("Greece",) * orgs,
        tuple(name for name, _ in venues),
        ("",) * len(venues),
        tuple(f"J{at}" for _, at in venues),
        np.array([at for _, at in venues], dtype=np.int16),
        np.ones((len(venues), len(TIER_SOURCES)), dtype=np.int8),
        starts,
        (member % authors).astype(np.int32),
        topics.subfield.astype(np.int16),
    )
