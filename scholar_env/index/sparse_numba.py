"""Sparse scoring and ranking as one compiled kernel; import it only when numba is wanted.

Documents are scored in blocks small enough for the second-level cache, each ranked while it lies there. Within a
document the tokens' gains are added in query order and nothing is reordered (no ``fastmath``, no parallel loops), so
scores have the same bits as :mod:`scholar_env.index.sparse_numpy`. The kernel holds no lock: threads over queries run
at once.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scholar_env.compiled import compiled
from scholar_env.index.base import Hits
from scholar_env.index.dates import NO_BOUND
from scholar_env.index.layout import PageRequest, Postings

BLOCK = 1 << 15
"""Documents scored at a time: 256 KiB of scores."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]

_local = threading.local()


class Tokens(NamedTuple):
    """The query's tokens in order.

    Attributes:
        places: ``int64[m]``, the first posting of each token that is still to be read; moves.
        ends: ``int64[m]``, the ends of the tokens' postings.
        weights: ``float64[m]``, their idf.
    """

    places: Ints
    ends: Ints
    weights: Floats


class Filters(NamedTuple):
    """The newest admissible month, rows to remove (ascending), and rows whose ranks are wanted."""

    bound: int
    exclude: Ints
    gold: Ints


class Best(NamedTuple):
    """The best documents so far: a heap whose root ranks last (lowest score, of those the last row)."""

    scores: Floats
    rows: Rows


@compiled
def _first_at_least(docs: Rows, low: int, high: int, row: int) -> int:
    """Returns the first place in the ascending ``docs[low:high]`` that holds ``row`` or more."""
    while low < high:
        middle = (low + high) >> 1
        if docs[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def accumulate(postings: Postings, tokens: Tokens, low: int, high: int, scores: Floats) -> None:
    """Scores the documents ``[low, high)`` into ``scores[: high - low]`` and moves the tokens' places behind them."""
    docs, codes, impact = postings.docs, postings.codes, postings.impact
    scores[: high - low] = 0.0
    for j in range(len(tokens.places)):
        start = tokens.places[j]
        stop = _first_at_least(docs, start, tokens.ends[j], high)
        weight = tokens.weights[j]
        for p in range(start, stop):
            scores[np.uint32(docs[p] - low)] += weight * impact[codes[p]]
        tokens.places[j] = stop


@compiled
def _score_one(postings: Postings, tokens: Tokens, row: int) -> float:
    score = 0.0
    for j in range(len(tokens.places)):
        place = _first_at_least(postings.docs, tokens.places[j], tokens.ends[j], row)
        if place < tokens.ends[j] and postings.docs[place] == row:
            score += tokens.weights[j] * postings.impact[postings.codes[place]]
    return score


@compiled
def _count_at_least(scores: Floats, low: int, high: int, score: float) -> int:
    count = 0
    for i in range(np.uint64(low), np.uint64(high)):
        count += scores[i] >= score
    return count


@compiled
def _count_above(scores: Floats, low: int, high: int, score: float) -> int:
    count = 0
    for i in range(np.uint64(low), np.uint64(high)):
        count += scores[i] > score
    return count


@compiled
def _sift_down(best: Best, size: int, score: float, row: int) -> None:
    """Puts an entry into the place of the root of the first ``size`` entries."""
    scores, rows = best.scores, best.rows
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            scores[right] < scores[child] or (scores[right] == scores[child] and rows[right] > rows[child])
        ):
            child = right
        if scores[child] < score or (scores[child] == score and rows[child] > row):
            scores[at], rows[at] = scores[child], rows[child]
            at = child
        else:
            break
    scores[at], rows[at] = score, row


@compiled
def _sift_up(best: Best, at: int, score: float, row: int) -> None:
    """Puts an entry behind the first ``at`` entries."""
    scores, rows = best.scores, best.rows
    while at > 0:
        parent = (at - 1) >> 1
        if score < scores[parent] or (score == scores[parent] and row > rows[parent]):
            scores[at], rows[at] = scores[parent], rows[parent]
            at = parent
        else:
            break
    scores[at], rows[at] = score, row


@compiled
def _offer(scores: Floats, low: int, high: int, best: Best, size: int) -> int:
    """Offers a block's positive scores to the best of the blocks before; returns how many there are now."""
    i, n, keep = 0, high - low, len(best.rows)
    while i < n and size < keep:
        if scores[i] > 0.0:
            _sift_up(best, size, scores[i], low + i)
            size += 1
        i += 1
    if size < keep or keep == 0:
        return size
    least = best.scores[0]
    for j in range(i, n):
        if scores[j] > least:  # an equal score ranks behind, as its row is later
            _sift_down(best, size, scores[j], low + j)
            least = best.scores[0]
    return size


@compiled
def _sort_best_first(best: Best, size: int) -> None:
    for last in range(size - 1, 0, -1):
        score, row = best.scores[last], best.rows[last]
        best.scores[last], best.rows[last] = best.scores[0], best.rows[0]
        _sift_down(best, last, score, row)


@compiled
def _remove(filters: Filters, e: int, score: float, wanted: Floats, ahead: Ints) -> None:
    """Counts the ``e``-th removed row for each gold row that it ranks before; a removed gold row has no rank left."""
    row = filters.exclude[e]
    for g in range(len(wanted)):
        gold = filters.gold[g]
        if gold == row:
            ahead[g] = -1
        elif ahead[g] >= 0 and (score > wanted[g] or (score == wanted[g] and row < gold)):
            ahead[g] += 1


@compiled
def rank(postings: Postings, tokens: Tokens, filters: Filters, best: Best, scores: Floats) -> tuple[int, int, Ints]:
    """Scores and ranks all documents for one request.

    Args:
        postings: The arrays.
        tokens: The query.
        filters: Date, exclusion and gold.
        best: As long as the wanted prefix of the ranked list; receives it in order.
        scores: Scratch of one block.

    Returns:
        Number of entries in ``best``, length of the ranked list, and ``int64[2, gold]``: the gold rows' ranks without
        and with exclusion, -1 for none.
    """
    dates, bound, exclude, gold = postings.dates, filters.bound, filters.exclude, filters.gold
    n, block = len(dates), len(scores)
    wanted = np.zeros(len(gold), dtype=np.float64)
    ranks = np.full((2, len(gold)), -1, dtype=np.int64)
    for g in range(len(gold)):
        if 0 <= gold[g] < n and dates[gold[g]] <= bound:
            wanted[g] = _score_one(postings, tokens, gold[g])
        if wanted[g] > 0.0:
            ranks[:, g] = 0
    size, total, e = 0, 0, 0
    for low in range(0, n, block):
        high = min(low + block, n)
        accumulate(postings, tokens, low, high, scores)
        if bound != NO_BOUND:
            for i in range(high - low):
                if dates[low + i] > bound:
                    scores[i] = 0.0
        for g in range(len(gold)):
            if wanted[g] > 0.0:
                own = min(max(gold[g] - low, 0), high - low)  # rows before its own win a tie, the others lose it
                ranks[0, g] += _count_at_least(scores, 0, own, wanted[g])
                ranks[0, g] += _count_above(scores, own, high - low, wanted[g])
        while e < len(exclude) and exclude[e] < high:
            _remove(filters, e, scores[exclude[e] - low], wanted, ranks[1])
            scores[exclude[e] - low] = 0.0
            e += 1
        total += _count_above(scores, 0, high - low, 0.0)
        size = _offer(scores, low, high, best, size)
    _sort_best_first(best, size)
    for g in range(len(gold)):
        if ranks[1, g] >= 0:
            ranks[1, g] = ranks[0, g] - ranks[1, g]
    return size, total, ranks


def search(postings: Postings, page: PageRequest) -> Hits:
    """Answers one request."""
    terms = np.array(page.terms, dtype=np.int64)
    tokens = Tokens(postings.indptr[terms], postings.indptr[terms + 1], postings.idf[terms])
    filters = Filters(page.bound, np.array(page.exclude, dtype=np.int64), np.array(page.gold, dtype=np.int64))
    best = Best(np.empty(page.keep, dtype=np.float64), np.empty(page.keep, dtype=np.int32))
    size, total, places = rank(postings, tokens, filters, best, _scratch())
    ranks, left = (tuple(None if place < 0 else place for place in line) for line in places.tolist())
    return Hits(best.rows[page.offset : size], best.scores[page.offset : size], total, left, ranks)


def compile_all() -> None:
    """Compiles the kernel for mapped arrays, or loads it from numba's cache."""
    postings = Postings(
        indptr=np.array([0, 1], dtype=np.int64),
        docs=np.zeros(1, dtype=np.int32),
        codes=np.zeros(1, dtype=np.uint16),
        dates=np.zeros(1, dtype=np.int32),
        idf=np.ones(1, dtype=np.float64),
        impact=np.ones(1, dtype=np.float64),
    )
    for array in postings:
        array.setflags(write=False)  # maps are read-only, which is a type of its own to the compiler
    search(postings, PageRequest([0], 1, 0, NO_BOUND, [], [0]))


def _scratch() -> Floats:
    """Returns this thread's block of scores."""
    buffer: Floats | None = getattr(_local, "scores", None)
    if buffer is None or len(buffer) != BLOCK:
        buffer = _local.scores = np.empty(BLOCK, dtype=np.float64)
    return buffer
