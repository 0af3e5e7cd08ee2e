"""Who cites whom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Ints
from .facts import Graph
from .lineage import draw_earlier
from .spec import WorldSpec
from .streams import below, column

ROUNDS = 18


def draw_graph(spec: WorldSpec, topics: Topics, age: Ints, baseline: NDArray[np.int32]) -> Graph:
    """Draw the references of all papers."""
    size = spec.papers
    pairs = [np.stack([np.arange(size), baseline.astype(np.int64)], axis=1)]
    for at in range(ROUNDS):
        group = topics.line if at % 2 else topics.subfield
        earlier = draw_earlier(column(spec.seed, f"cite-{at}", size), group.astype(np.int64), age)
        pairs.append(np.stack([np.arange(size), earlier], axis=1))
    edges = np.concatenate(pairs)
    edges = np.unique(edges[edges[:, 1] >= 0], axis=0)
    starts = np.searchsorted(edges[:, 0], np.arange(size + 1)).astype(np.int64)
    count = len(edges)
    within = np.arange(count) - starts[edges[:, 0]]
    tone = below(column(spec.seed, "tone", count), 10)
    return Graph(
        starts,
        edges[:, 1].astype(np.int32),
        np.where(tone < 7, 0, np.where(tone < 9, 1, 2)).astype(np.int8),
        (within // 3).astype(np.int16),
        np.zeros(size, dtype=np.int8),
    )
