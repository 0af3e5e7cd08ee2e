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
    paper ascend, they start one further each time. A count holds the unit that it is for in its upper half, so that
    those of the unit before need not be cleared.
    """
    out = np.empty(pair_starts[-1], dtype=np.int32)
    count = np.zeros(len(unit_starts) - 1, dtype=np.int64)
    behind = starts[:-1] + 1
    pair_of = pair_starts[:-1].copy()
    for unit in range(len(unit_starts) - 1):
        none = unit << 32
        for at in range(unit_starts[unit], unit_starts[unit + 1]):
            paper = np.uint32(papers[at])
            for place in range(behind[paper], starts[paper + np.uint32(1)]):
                other = np.uint32(units[place])
                count[other] = max(count[other], none) + 1
        for at in range(unit_starts[unit], unit_starts[unit + 1]):
            paper = np.uint32(papers[at])
            pair, low = pair_of[paper], behind[paper]
            behind[paper] = low + 1
            for place in range(low, starts[paper + np.uint32(1)]):
                out[pair] = count[np.uint32(units[place])]  # the lower half
                pair += 1
            pair_of[paper] = pair
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
def _z_of_pairs(n: Floats, rest: Floats, together: Rows, whole: float, z: Floats, variance: Floats) -> None:
    """Writes z and variance of all pairs of a paper's units, in order; where the variance is 0, z means nothing.

    By unit, ``n`` papers cite it, and ``rest`` is n (M - n); by pair, ``together`` cite both; ``whole`` is M.
    """
    scale = max(whole * whole * (whole - 1.0), 1.0)
    pair = 0
    for first in range(len(n)):
        for second in range(first + 1, len(n)):
            z[pair] = n[first] * n[second]
            variance[pair] = rest[first] * rest[second]
            pair += 1
    for pair in range(len(together)):  # one plain loop, so that several roots and quotients are taken at a time
        variance[pair] = variance[pair] / scale
        z[pair] = (together[pair] - z[pair] / whole) / math.sqrt(variance[pair])


@compiled
def _repeated(z: Floats, variance: Floats, weights: Rows) -> Floats:
    """The values of z whose variance is positive, each as often as the weights of its two units tell."""
    total = 0
    for first in range(len(weights)):
        for second in range(first + 1, len(weights)):
            total += np.int64(weights[first]) * weights[second]
    out = np.empty(total, dtype=np.float64)
    pair, found = 0, 0
    for first in range(len(weights)):
        for second in range(first + 1, len(weights)):
            if variance[pair] > 0.0:
                for _ in range(np.int64(weights[first]) * weights[second]):
                    out[found] = z[pair]
                    found += 1
            pair += 1
    return out[:found]


@compiled
def _percentile(values: Floats, share: float) -> float:
    """A percentile, as ``percentile_of_groups`` has it, NaN of nothing; the values are reordered."""
    if len(values) == 0:
        return np.nan
    position = (len(values) - 1) * share
    low = math.floor(position)
    rest = position - low
    below, above = _two_smallest_from(values, len(values), low)
    step = above - below
    return above - step * (1.0 - rest) if rest >= 0.5 else below + step * rest


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
    """The score of each paper: the percentile of z over its pairs of references.

    The arrays are those of the ``Incidence``, of which ``weights`` is empty where each unit has one reference, and the
    counts of :func:`pair_counts`.
    """
    size = len(starts) - 1
    out = np.full(size, np.nan)
    whole = float(n_citing)
    longest = max(np.diff(starts).max(), 1) if size else 1
    n, rest = np.empty(longest, dtype=np.float64), np.empty(longest, dtype=np.float64)
    z, variance = np.empty(longest * longest // 2, dtype=np.float64), np.empty(longest * longest // 2, dtype=np.float64)
    single = np.ones(longest, dtype=np.int32)
    for paper in range(size):
        low, length = starts[paper], starts[paper + 1] - starts[paper]
        everywhere = False
        for place in range(length):
            n[place] = n_papers_of[np.uint32(units[low + place])]
            rest[place] = n[place] * (whole - n[place])
            everywhere |= rest[place] == 0.0
        together = counts[pair_starts[paper] : pair_starts[paper + 1]]
        _z_of_pairs(n[:length], rest[:length], together, whole, z, variance)
        if everywhere or len(weights) > 0:
            own = weights[low : low + length] if len(weights) > 0 else single[:length]
            out[paper] = _percentile(_repeated(z, variance, own), share)
        else:
            out[paper] = _percentile(z[: len(together)], share)
    return out
