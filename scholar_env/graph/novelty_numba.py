"""The counts and scores of novelty as compiled loops; import it only when numba is wanted."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scholar_env.compiled import compiled
from scholar_env.graph.gather import Ints, Rows

Floats = NDArray[np.float64]


@compiled
def pair_counts(starts: Ints, units: Rows, unit_starts: Ints, papers: Rows, pair_starts: Ints) -> Rows:
    """For each pair of each paper, how many papers cite both units.

    Units are taken in turn. Of each paper that cites the unit, only the units behind it are counted; as the units of a
    paper ascend, the place of the unit in its list is one further each time.
    """
    out = np.empty(pair_starts[-1], dtype=np.int32)
    count = np.zeros(len(unit_starts) - 1, dtype=np.int32)
    place = starts[:-1].copy()
    for unit in range(len(unit_starts) - 1):
        for at in range(unit_starts[unit], unit_starts[unit + 1]):
            paper = papers[at]
            for other in range(place[paper] + 1, starts[paper + 1]):
                count[units[other]] += 1
        for at in range(unit_starts[unit], unit_starts[unit + 1]):
            paper = papers[at]
            length = starts[paper + 1] - starts[paper]
            rank = place[paper] - starts[paper]
            pair = pair_starts[paper] + rank * (2 * length - rank - 1) // 2
            for other in range(place[paper] + 1, starts[paper + 1]):
                out[pair] = count[units[other]]
                pair += 1
        for at in range(unit_starts[unit], unit_starts[unit + 1]):
            paper = papers[at]
            place[paper] += 1
            for other in range(place[paper], starts[paper + 1]):
                count[units[other]] = 0
    return out


@compiled
def _two_smallest_from(values: Floats, size: int, low: int) -> tuple[float, float]:
    """The values of rank ``low`` and ``low + 1`` (or the last one) among the first ``size``, which are reordered.

    The smallest so far stand sorted at the front; the percentile is a low one, so they are few.
    """
    keep = min(low + 2, size)
    for at in range(size):
        value = values[at]
        if at < keep or value < values[keep - 1]:
            place = min(at, keep - 1)
            while place > 0 and values[place - 1] > value:
                values[place] = values[place - 1]
                place -= 1
            values[place] = value
    return values[low], values[keep - 1]


@compiled
def scores(
    starts: Ints,
    units: Rows,
    weights: Rows,
    n_papers_of: Ints,
    pair_starts: Ints,
    counts: Rows,
    n_citing: int,
    share: float,
) -> Floats:
    """The score of each paper: the percentile of z over its pairs of references."""
    size = len(starts) - 1
    out = np.full(size, np.nan)
    whole = float(n_citing)
    scale = max(whole * whole * (whole - 1.0), 1.0)
    buffer = np.empty(1024, dtype=np.float64)
    own = np.empty((2, max(np.diff(starts).max(), 1) if size else 1), dtype=np.float64)  # n and n (M - n) by unit
    for paper in range(size):
        found = 0
        pair = pair_starts[paper]
        length = starts[paper + 1] - starts[paper]
        for first in range(length):
            own[0, first] = n_papers_of[units[starts[paper] + first]]
            own[1, first] = own[0, first] * (whole - own[0, first])
        for first in range(length):
            for second in range(first + 1, length):
                variance = own[1, first] * own[1, second] / scale
                if variance > 0.0:
                    z = (counts[pair] - own[0, first] * own[0, second] / whole) / math.sqrt(variance)
                    times = 1
                    if len(weights) > 0:
                        times = np.int64(weights[starts[paper] + first]) * weights[starts[paper] + second]
                    while found + times > len(buffer):
                        buffer = np.concatenate((buffer, buffer))
                    for _ in range(times):
                        buffer[found] = z
                        found += 1
                pair += 1
        if found:
            position = (found - 1) * share
            low = math.floor(position)
            rest = position - low
            below, above = _two_smallest_from(buffer, found, low)
            step = above - below
            out[paper] = above - step * (1.0 - rest) if rest >= 0.5 else below + step * rest
    return out
