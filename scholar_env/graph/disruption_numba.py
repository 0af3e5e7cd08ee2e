"""The counts of disruption as compiled loops; import it only when numba is wanted."""

from __future__ import annotations

import numpy as np

from scholar_env.compiled import compiled
from scholar_env.graph.gather import Ints, Rows
from scholar_env.index.dates import UNDATED


@compiled
def shared_citers(starts: Ints, targets: Rows, citer_starts: Ints, sources: Rows) -> Ints:
    """For each paper, how many citers cite one of its references."""
    size = len(starts) - 1
    out = np.zeros(size, dtype=np.int64)
    marked = np.full(size, -1, dtype=np.int32)
    for focal in range(size):
        if starts[focal] == starts[focal + 1]:
            continue
        for place in range(starts[focal], starts[focal + 1]):
            marked[targets[place]] = focal
        for place in range(citer_starts[focal], citer_starts[focal + 1]):
            citer = sources[place]
            for other in range(starts[citer], starts[citer + 1]):
                if marked[targets[other]] == focal:
                    out[focal] += 1
                    break
    return out


@compiled
def passers_by(starts: Ints, targets: Rows, citer_starts: Ints, sources: Rows, month: Rows) -> Ints:
    """For each paper, how many newer papers cite one of its references and not itself."""
    size = len(starts) - 1
    out = np.zeros(size, dtype=np.int64)
    seen = np.full(size, -1, dtype=np.int32)
    for focal in range(size):
        own = month[focal]
        for place in range(citer_starts[focal], citer_starts[focal + 1]):
            seen[sources[place]] = focal
        for place in range(starts[focal], starts[focal + 1]):
            cited = targets[place]
            for other in range(citer_starts[cited], citer_starts[cited + 1]):
                paper = sources[other]
                if seen[paper] != focal:
                    seen[paper] = focal
                    if own < month[paper] < UNDATED:
                        out[focal] += 1
    return out
