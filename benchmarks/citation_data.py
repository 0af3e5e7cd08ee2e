"""Citation graphs for the benchmarks: any size, heavy-tailed citation counts, triangles, months in order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.citation_graph import CitationGraph, Edges, make_graph
from scholar_env.streams import below, column

REFERENCES = 10
"""References of a paper that has enough to cite; a few fall away as repetitions."""
BATCHES = 200
"""Papers appear in so many months."""
DRAWN = 11
"""Drawn candidates a paper: every second one is replaced by a reference of the one before."""


def generated(papers: int, seed: int = 1) -> CitationGraph:
    """A graph in which papers cite at random, by fame and by copying what a cited paper cites.

    Args:
        papers: Number of papers.
        seed: Decides all draws.
    """
    batch = -(-papers // BATCHES)
    table = np.full((papers, DRAWN), -1, dtype=np.int64)
    counts = np.zeros(papers, dtype=np.int64)
    fame = np.zeros(0, dtype=np.int64)  # every citation so far, so that a draw from it is by citation count
    for number, low in enumerate(range(batch, papers, batch)):
        rows = np.arange(low, min(low + batch, papers))
        fresh = _drawn(seed, number, rows, low, fame)
        copied = below(column(seed, f"copy/{number}", fresh.size), 1 << 31).reshape(fresh.shape)
        known = counts[fresh]
        of_cited = table[fresh, copied % np.maximum(known, 1)]
        fresh[:, 1::2] = np.where(known > 0, of_cited, fresh)[:, 0:-1:2]
        fresh.sort(axis=1)
        distinct = np.diff(fresh, axis=1, prepend=-1) > 0
        order = np.argsort(~distinct, axis=1, kind="stable")
        table[rows] = np.where(np.take_along_axis(distinct, order, 1), np.take_along_axis(fresh, order, 1), -1)
        counts[rows] = distinct.sum(axis=1)
        fame = np.concatenate([fame, fresh[distinct]])
    source = np.repeat(np.arange(papers), counts)
    month = 200_001 + 100 * (np.arange(papers) // batch // 12) + np.arange(papers) // batch % 12
    return make_graph(papers, Edges(source, table[table >= 0]), month=month)


def _drawn(seed: int, number: int, rows: NDArray[np.int64], low: int, fame: NDArray[np.int64]) -> NDArray[np.int64]:
    """Earlier papers for each row: a third at random among the newest, a third by fame, a third at random."""
    size = len(rows) * DRAWN
    draws = column(seed, f"draw/{number}", size)
    kind = below(column(seed, f"kind/{number}", size), 3)
    newest = low - 1 - below(draws, max(low // 20, 1))
    out = np.where(kind == 0, newest, below(draws, low))
    if len(fame):
        out = np.where(kind == 1, fame[below(draws, len(fame))], out)
    return out.reshape(len(rows), DRAWN)
