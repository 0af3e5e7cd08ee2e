"""The counts of disruption as compiled loops; import it only when numba is wanted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scholar_env.compiled import compiled
from scholar_env.graph.gather import Ints, Rows
from scholar_env.index.dates import UNDATED

Starts = NDArray[np.uint32] | NDArray[np.uint64]

BLOCK = np.uint64(4)


@compiled
def _any_of_four(marked: NDArray[np.uint8], targets: Rows, first: np.uint64) -> np.uint8:
    """1 when one of four papers in a row is marked; there is no branch to predict."""
    found = np.uint8(0)
    for beyond in range(4):
        found |= marked[np.uint32(targets[first + np.uint64(beyond)])]
    return found


@compiled
def shared_citers(starts: Starts, targets: Rows, citer_starts: Ints, sources: Rows) -> Ints:
    """For each paper, how many citers cite one of its references.

    References are looked up by fours, of which the last two may overlap, so that few lengths differ in their branches.
    What is read at random is small, to stay in the cache, and unsigned, so that no index is taken from the end.
    """
    size = len(starts) - 1
    out = np.zeros(size, dtype=np.int64)
    marked = np.zeros(size, dtype=np.uint8)
    for focal in range(size):
        if starts[focal] == starts[focal + 1] or citer_starts[focal] == citer_starts[focal + 1]:
            continue
        for place in range(starts[focal], starts[focal + 1]):
            marked[np.uint32(targets[place])] = 1
        shared = np.uint64(0)
        for place in range(citer_starts[focal], citer_starts[focal + 1]):
            citer = np.uint32(sources[place])
            low, high = np.uint64(starts[citer]), np.uint64(starts[citer + np.uint32(1)])
            found = np.uint8(0)
            if high >= low + BLOCK:
                last = high - BLOCK
                while low < last:
                    found |= _any_of_four(marked, targets, low)
                    low += BLOCK
                found |= _any_of_four(marked, targets, last)
            else:
                while low < high:
                    found |= marked[np.uint32(targets[low])]
                    low += np.uint64(1)
            shared += np.uint64(found)
        out[focal] = shared
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
