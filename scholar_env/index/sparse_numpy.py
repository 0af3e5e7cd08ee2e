"""Sparse scoring and ranking with numpy alone; bit-equal to the compiled kernel."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scholar_env.index.base import Hits
from scholar_env.index.dates import NO_BOUND
from scholar_env.index.layout import PageRequest, Postings

CHUNK = 1 << 16
"""Postings scored at a time: temporary arrays stay small and in the cache."""

STRIDE = 1024
"""Rows of which only the best is looked at when the threshold of a page is sought."""

_local = threading.local()


def score_all(postings: Postings, terms: Sequence[int], out: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Adds up every document's score, token by token in the given order.

    Args:
        postings: The arrays.
        terms: Term numbers, one a query token, duplicates kept.
        out: ``float64[N]``, overwritten.

    Returns:
        ``out``.
    """
    out.fill(0.0)
    n = len(out)
    for term in terms:
        first, end = postings.indptr[term], postings.indptr[term + 1]
        for low in range(first, end, CHUNK):
            high = min(low + CHUNK, end)
            gains = postings.impact.take(postings.codes[low:high], mode="clip")
            gains *= postings.idf[term]
            if end - first == n:  # in every document, so in row order
                out[low - first : high - first] += gains
            else:
                np.add.at(out, postings.docs[low:high], gains)
    return out


def search(postings: Postings, page: PageRequest) -> Hits:
    """Answers one request."""
    _, keep, offset, bound, exclude, gold = page
    scores = score_all(postings, page.terms, _scratch(len(postings.dates)))
    n = len(scores)
    if bound != NO_BOUND:
        scores *= postings.dates <= bound
    wanted = [float(scores[row]) if 0 <= row < n else 0.0 for row in gold]
    ranks = [_ahead(scores, row, score) if score > 0 else None for row, score in zip(gold, wanted, strict=True)]
    removed = np.array(exclude, dtype=np.intp)
    removed_scores = scores[removed]
    removed, removed_scores = removed[removed_scores > 0], removed_scores[removed_scores > 0]
    excluded = set(exclude)
    left: list[int | None] = []
    for row, score, rank in zip(gold, wanted, ranks, strict=True):
        if rank is None or row in excluded:
            left.append(None)
        else:
            tied = (removed_scores == score) & (removed < row)
            left.append(rank - int(np.count_nonzero(tied | (removed_scores > score))))
    scores[removed] = 0.0
    total = int(np.count_nonzero(scores > 0))
    rows = _best(scores, min(keep, total))[offset:]
    return Hits(rows.astype(np.int32), scores[rows], total, tuple(left), tuple(ranks))


def _ahead(scores: npt.NDArray[np.float64], row: int, score: float) -> int:
    """Counts the documents that rank before a row: those with more, and earlier ones with as much."""
    return int(np.count_nonzero(scores[:row] >= score) + np.count_nonzero(scores[row + 1 :] > score))


def _best(scores: npt.NDArray[np.float64], keep: int) -> npt.NDArray[np.intp]:
    """Returns the rows of the ``keep`` best scores, all above zero, by score descending, then row."""
    if keep == 0:
        return np.zeros(0, dtype=np.intp)
    blocks = len(scores) // STRIDE
    threshold = 0.0
    if keep <= blocks:  # at least `keep` documents reach the keep-th best of the blocks' maxima
        peaks = scores[: blocks * STRIDE].reshape(blocks, STRIDE).max(axis=1)
        threshold = float(np.partition(peaks, blocks - keep)[blocks - keep])
    rows = np.flatnonzero(scores >= threshold) if threshold > 0 else np.flatnonzero(scores > 0)
    return rows[np.lexsort((rows, -scores[rows]))][:keep]


def _scratch(n: int) -> npt.NDArray[np.float64]:
    """Returns this thread's score array; indexes of one size share it."""
    buffer: npt.NDArray[np.float64] | None = getattr(_local, "scores", None)
    if buffer is None or len(buffer) < n:
        buffer = _local.scores = np.empty(n, dtype=np.float64)
    return buffer[:n]
