"""Disruption: whether those who cite a paper still cite what it builds on.

Of the citers of a paper, Ni cite none of its references and Nj cite one or more; Nk further papers, newer than it, cite
one of its references and not the paper itself (Funk and Owen-Smith 2017; Wu, Wang and Evans 2019). Newer is by month;
an undated paper is never newer and has none newer than itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scholar_env.engines import compiled_module
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.gather import Ints, chunks, is_member, places
from scholar_env.index.dates import UNDATED

Floats = NDArray[np.float64]

KERNELS = "scholar_env.graph.disruption_numba"


@dataclass(frozen=True)
class Impact:
    """Counts of a paper's citers and of those who pass it by, all int64 [papers].

    Attributes:
        n_i: Citers that cite none of its references.
        n_j: Citers that cite one or more of them.
        n_k: Newer papers that cite one or more of its references and not itself; None where it was not asked for.
    """

    n_i: Ints
    n_j: Ints
    n_k: Ints | None = None


def impact(graph: CitationGraph, *, beside: bool = False, engine: str = "auto") -> Impact:
    """Counts, for every paper, what disruption is made of.

    Args:
        graph: The graph.
        beside: Whether ``n_k`` is wanted, too, which takes the square of the citation counts instead of the square of
            the reference counts.
        engine: One of ``scholar_env.engines.ENGINES``; both give the same numbers.

    Raises:
        InvalidOptionError, MissingDependencyError: The engine is unknown or not installed.
    """
    kernels = compiled_module(engine, KERNELS)
    arrays = (graph.starts, graph.targets, graph.citer_starts, graph.sources)
    if kernels is None:
        n_j = _shared_citers(graph)
    else:
        narrow = graph.starts.astype(np.uint32 if graph.n_references < 1 << 32 else np.uint64)
        n_j = cast(Ints, kernels.shared_citers(narrow, *arrays[1:]))
    n_k = None
    if beside:
        n_k = cast(Ints, kernels.passers_by(*arrays, graph.month)) if kernels else _passers_by(graph)
    return Impact(graph.n_citers_of - n_j, n_j, n_k)


def disruption_seed(counts: Impact, n_references: Ints | None = None) -> Floats:
    """(Ni - Nj) / (Ni + Nj), the SciNet form: in [-1, 1], NaN for a paper without citers.

    Args:
        counts: From :func:`impact`.
        n_references: When given, a paper without references is NaN, as the released code has it.
    """
    total = counts.n_i + counts.n_j
    unscored = total == 0 if n_references is None else (total == 0) | (n_references == 0)
    return _share(counts.n_i - counts.n_j, total, unscored)


def disruption_cd(counts: Impact) -> Floats:
    """(Ni - Nj) / (Ni + Nj + Nk), the CD index: in [-1, 1], NaN where the denominator is 0 or was not counted."""
    if counts.n_k is None:
        return np.full(len(counts.n_i), np.nan)
    total = counts.n_i + counts.n_j + counts.n_k
    return _share(counts.n_i - counts.n_j, total, total == 0)


def _share(part: Ints, whole: Ints, unscored: NDArray[np.bool_]) -> Floats:
    return np.where(unscored, np.nan, part / np.where(unscored, 1, whole))


def _shared_citers(graph: CitationGraph) -> Ints:
    """For each paper, how many citers cite one of its references: reference by reference, in whole arrays."""
    source = np.repeat(np.arange(graph.n_papers), graph.n_references_of)
    shared = np.zeros(graph.n_references, dtype=np.bool_)
    for low, high in chunks(graph.n_references_of[graph.targets]):
        owner, place = places(graph.starts, graph.targets[low:high])
        wanted = source[low:high][owner] * graph.n_papers + graph.targets[place]
        shared[low + owner[is_member(graph.keys, wanted)]] = True
    return np.bincount(graph.targets[shared], minlength=graph.n_papers).astype(np.int64)


def _passers_by(graph: CitationGraph) -> Ints:
    """For each paper, how many newer papers cite one of its references and not itself: paper by paper."""
    n_k = np.zeros(graph.n_papers, dtype=np.int64)
    month = np.where(graph.month == UNDATED, -1, graph.month)
    last = np.zeros(graph.n_papers, dtype=np.int64)  # where a paper stands last among the citers of the references
    for focal in np.flatnonzero((graph.n_references_of > 0) & (month >= 0)).tolist():
        papers = graph.sources[places(graph.citer_starts, graph.references(focal))[1]]
        papers = papers[month[papers] > month[focal]]
        order = np.arange(len(papers))
        last[papers] = order
        distinct = int((last[papers] == order).sum())
        last[papers] = -1
        citers = graph.citers(focal)
        n_k[focal] = distinct - int((last[citers] == -1).sum())
        last[papers] = 0
    return n_k
