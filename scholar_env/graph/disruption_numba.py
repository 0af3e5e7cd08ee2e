"""The counts of disruption as compiled loops; import it only when numba is wanted."""

from __future__ import annotations

import numpy as np

from scholar_env.compiled import compiled
from scholar_env.graph.gather import Ints, Rows
from scholar_env.index.dates import UNDATED


@compiled
def shared_citers(starts: Ints, targets: Rows, citer_starts: Ints, sources: Rows) -> Ints:
    """For each paper, how many citers cite one of its references.

    Rows are unsigned here, so that no index is taken from the end; the inner loop has no branch to predict.
    """
    size = len(starts) - 1
    out = np.zeros(size, dtype=np.int64)
    marked = np.zeros(size, dtype=np.uint8)
    for focal in range(size):
        if starts[focal] == starts[focal + 1] or citer_starts[focal] == citer_starts[focal + 1]:
            continue
        for place in range(starts[focal], starts[focal + 1]):
            marked[np.uint32(targets[place])] = 1
        for place in range(citer_starts[focal], citer_starts[focal + 1]):
            citer = np.uint32(sources[place])
            shared = np.uint8(0)
            for other in range(starts[citer], starts[citer + np.uint32(1)]):
                shared |= marked[np.uint32(targets[other])]
            out[focal] += shared
        for place in range(starts[focal], starts[focal + 1]):
            marked[np.uint32(targets[place])] = 0
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
