"""How long it takes merely to walk the postings of a query, against scoring them."""

from __future__ import annotations

import time
from typing import Any

import numba
import numpy as np

from scholar_env.index import sparse_numba
from scholar_env.index.sparse import SparseIndex

REPEATS = 5


@numba.njit(cache=True, nogil=True)
def walk(docs: Any, codes: Any, starts: Any, ends: Any) -> float:
    """Reads row and code of every posting in a scalar loop, a dependent addition each; looks up and stores nothing."""
    total = 0.0
    for j in range(len(starts)):
        for p in range(starts[j], ends[j]):
            total += docs[p] ^ codes[p]
    return total


@numba.njit(cache=True, nogil=True)
def score(postings: Any, tokens: Any, scores: Any) -> float:
    """Scores all documents block by block, as the kernel does before it ranks."""
    total = 0.0
    for low in range(0, len(postings.dates), len(scores)):
        sparse_numba.accumulate(postings, tokens, low, min(low + len(scores), len(postings.dates)), scores)
        total += scores[0]
    return total


def measure(index: SparseIndex, query: str) -> tuple[float, float]:
    """Returns the CPU seconds of scoring and of walking one query's postings, each the fastest of a few."""
    postings = index.postings
    terms = np.array(index.terms(query), dtype=np.int64)
    starts, ends, weights = postings.indptr[terms], postings.indptr[terms + 1], postings.idf[terms]
    scores = np.empty(sparse_numba.BLOCK)
    spent = []
    for call in (
        lambda: score(postings, sparse_numba.Tokens(starts.copy(), ends, weights), scores),
        lambda: walk(postings.docs, postings.codes, starts, ends),
    ):
        call()
        best = float("inf")
        for _ in range(REPEATS):
            start = time.process_time()
            call()
            best = min(best, time.process_time() - start)
        spent.append(best)
    return spent[0], spent[1]
