"""Novelty: how seldom the works that a paper cites are cited together, against what chance would do.

For two units a and b, o papers cite both; n_a and n_b cite each, of M that cite anything. Under the hypergeometric null

    E = n_a n_b / M,   Var = n_a n_b (M - n_a)(M - n_b) / (M² (M - 1)),   z = (o - E) / √Var,

and a pair of variance 0 says nothing. A paper's score is the 10th percentile of z over its pairs of references with
linear interpolation (Uzzi, Mukherjee, Stringer and Jones 2013); the lower, the more novel. With journals or topics as
units, each pair of references counts, and pairs within one unit are left out. The other null, ``mcmc``, takes mean and
standard deviation from graphs that are rewired at random (``scholar_env.graph.null_model``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scholar_env.engines import compiled_module
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.cocitation import KERNELS, Incidence, Pairs, incidence, pair_counts, pairs_of
from scholar_env.graph.gather import Ints, Rows, chunks
from scholar_env.graph.null_model import NullModel, rewired_z

Floats = NDArray[np.float64]

SHARE = 10 / 100
"""The percentile of z that is a paper's score, as a share."""


def novelty(
    graph: CitationGraph, units: Rows | None = None, null: NullModel | None = None, engine: str = "auto"
) -> Floats:
    """Scores all papers: float64 [papers], NaN without a valid pair.

    Args:
        graph: The graph.
        units: What a reference counts as, as in :func:`~scholar_env.graph.cocitation.incidence`: None for the cited
            work itself (``unit="reference"``), a column of journals or topics else.
        null: None for the closed form; a rewired null otherwise.
        engine: One of ``scholar_env.engines.ENGINES``; both give the same bits.

    Raises:
        InvalidOptionError, MissingDependencyError: The engine is unknown or not installed, or a column does not fit.
    """
    cited = incidence(graph, units)
    counts = pair_counts(cited, engine)
    kernels = compiled_module(engine, KERNELS)
    if null is not None:
        z = rewired_z(graph, units, cited, counts, null)
        return _scores(cited, lambda pairs, low, high: z[low:high])
    if kernels is not None:
        weights = cited.weights if cited.weights is not None else np.empty(0, dtype=np.int32)
        arrays = (cited.starts, cited.units, weights, cited.n_papers_of, cited.pair_starts, counts)
        return cast(Floats, kernels.scores(*arrays, cited.n_citing, SHARE))

    def closed(pairs: Pairs, low: int, high: int) -> Floats:
        n_first, n_second = (cited.n_papers_of[cited.units[place]] for place in (pairs.first, pairs.second))
        return hypergeometric_z(counts[low:high], n_first, n_second, cited.n_citing)

    return _scores(cited, closed)


def hypergeometric_z(together: NDArray[np.integer[Any]], n_first: Ints, n_second: Ints, n_citing: int) -> Floats:
    """The z-scores of pairs under the hypergeometric null, NaN where the variance is 0.

    Args:
        together: Papers that cite both units, o.
        n_first: Papers that cite the one, n_a.
        n_second: Papers that cite the other, n_b.
        n_citing: Papers that cite anything, M.
    """
    whole = float(n_citing)
    first, second = n_first.astype(np.float64), n_second.astype(np.float64)
    expected = first * second / whole if n_citing else first
    variance = (first * (whole - first)) * (second * (whole - second)) / max(whole * whole * (whole - 1.0), 1.0)
    valid = variance > 0
    return np.where(valid, (together - expected) / np.sqrt(np.where(valid, variance, 1.0)), np.nan)


def percentile_of_groups(values: Floats, group: Ints, n_groups: int, share: float = SHARE) -> Floats:
    """A percentile of the values of each group with linear interpolation, as ``numpy.percentile`` has it.

    Args:
        values: Numbers without NaN.
        group: Group of each value.
        n_groups: Number of groups.
        share: The percentile as a share.

    Returns:
        float64 [groups], NaN for an empty one.
    """
    order = np.lexsort((values, group))
    values = values[order]
    counts = np.bincount(group, minlength=n_groups)
    start = np.cumsum(counts) - counts
    out = np.full(n_groups, np.nan)
    rows = np.flatnonzero(counts)
    position = (counts[rows] - 1) * share
    low = np.floor(position).astype(np.int64)
    rest = position - low
    below = values[start[rows] + low]
    above = values[start[rows] + np.minimum(low + 1, counts[rows] - 1)]
    step = above - below
    out[rows] = np.where(rest >= 0.5, above - step * (1.0 - rest), below + step * rest)
    return out


def _scores(cited: Incidence, z_of: Callable[[Pairs, int, int], Floats]) -> Floats:
    """Scores all papers in whole arrays; ``z_of`` gives z of the pairs ``[low, high)``."""
    out = np.full(len(cited.starts) - 1, np.nan)
    for low, high in chunks(np.diff(cited.pair_starts)):
        pairs = pairs_of(cited, low, high)
        z = z_of(pairs, int(cited.pair_starts[low]), int(cited.pair_starts[high]))
        valid = np.flatnonzero(~np.isnan(z))
        if cited.weights is not None:
            times = cited.weights[pairs.first[valid]].astype(np.int64) * cited.weights[pairs.second[valid]]
            valid = np.repeat(valid, times)
        out[low:high] = percentile_of_groups(z[valid], pairs.paper[valid] - low, high - low)
    return out
