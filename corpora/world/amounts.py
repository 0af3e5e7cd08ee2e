"""The numbers of papers, as integers: gains, shares, sample sizes and levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Ints
from .facts import CAST
from .ontology import Ontology
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

SIZES = {
    "tiny": (3, 9), "small": (10, 99), "medium": (200, 999), "large": (2_000, 99_999),
    "massive": (1_000_000, 63_999_999),
}  # fmt: skip
"""Range of the units of data for each value of the attribute `size` (attributes/sample-size.txt)."""
ANY_SIZE = (20, 5_000)


@dataclass(frozen=True)
class Numbers:
    """Columns `gain`, `share`, `count` and `level` of the facts table."""

    gain: NDArray[np.int32]
    share: NDArray[np.int32]
    count: NDArray[np.int32]
    level: NDArray[np.int32]


def log_uniform(draws: NDArray[np.uint64], finer: NDArray[np.uint64], low: int, high: int) -> Ints:
    """Integers of a range, each doubling equally likely."""
    edges = [low]
    while edges[-1] * 2 < high:
        edges.append(edges[-1] * 2)
    edges.append(high + 1)
    table = np.array(edges, dtype=np.int64)
    place = below(draws, len(edges) - 1)
    return table[place] + below(finer, table[place + 1] - table[place])


def draw_counts(spec: WorldSpec, ontology: Ontology, attributes: NDArray[np.int8]) -> Ints:
    """Draw the number of units of data, within the class that the paper's attribute `size` names."""
    first, second = (column(spec.seed, f"count-{part}", len(attributes)) for part in (1, 2))
    count = log_uniform(first, second, *ANY_SIZE)
    for at, attribute in enumerate(ontology.attributes):
        if attribute.id != "size":
            continue
        for place, value in enumerate(attribute.values):
            bounds = SIZES.get(value.id.partition("/")[2])
            if bounds is not None:
                rows = attributes[:, at] == place
                count[rows] = log_uniform(first[rows], second[rows], *bounds)
    return count


def spans_of(subfield: Subfield) -> Ints:
    """Lowest and highest value of each noun and a last row for none: int64 [nouns + 1, 2]; -1 without a range."""
    return np.array([*(noun.span or (-1, -1) for noun in subfield.nouns), (-1, -1)], dtype=np.int64)


def draw_numbers(
    spec: WorldSpec,
    ontology: Ontology,
    subfields: tuple[Subfield, ...],
    topics: Topics,
    cast: NDArray[np.int16],
    attributes: NDArray[np.int8],
) -> Numbers:
    """Draw the numbers of all papers; figures overwrite those that they show."""
    size = spec.papers
    gain = log_uniform(column(spec.seed, "gain-1", size), column(spec.seed, "gain-2", size), 8, 420)
    share = 8 + below(column(spec.seed, "share", size), 80)
    level = np.zeros(size, dtype=np.int64)
    draws = column(spec.seed, "level", size)
    second = cast[:, CAST.index("second")]
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        span = spans_of(subfield)[second[rows]]
        drawn = span[:, 0] + below(draws[rows], span[:, 1] - span[:, 0] + 1)
        level[rows] = np.where(span[:, 1] >= 0, drawn, 0)
    return Numbers(
        gain.astype(np.int32),
        share.astype(np.int32),
        draw_counts(spec, ontology, attributes).astype(np.int32),
        level.astype(np.int32),
    )
