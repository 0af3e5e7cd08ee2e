"""LitSearch's released measures, behaviour for behaviour (princeton-nlp/LitSearch at commit 42107c06, utils.py).

For reports beside published numbers; :mod:`scholar_env.metrics.ranking` has recall and nDCG as they are defined.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from scholar_env.metrics.ranking import ratio
from scholar_env.metrics.released import as_released


def litsearch_recall(retrieved: Sequence[Hashable], relevant: Sequence[Hashable]) -> float:
    """Distinct relevant documents found / length of the relevant list, repetitions counted; 0 without relevant ones."""
    return ratio(len(set(retrieved) & set(relevant)), len(relevant))


def litsearch_ndcg(retrieved: Sequence[Hashable], relevant: Sequence[Hashable]) -> float:
    """Σ 1/rank over relevant documents in the list, over Σ 1/rank of the first ``len(relevant)`` ranks.

    The release calls it nDCG; its discount is 1/rank and not 1/log2(rank + 1), and a document that stands twice counts
    twice, so that it can exceed 1. 0 without relevant documents.
    """
    wanted = set(relevant)
    gain = sum(1 / rank for rank, document in enumerate(retrieved, start=1) if document in wanted)
    return ratio(gain, sum(1 / rank for rank in range(1, len(relevant) + 1)))


def litsearch_overlap(query: str, text: str) -> float:
    """Share of the distinct words of a query that occur in a text, as they are written.

    Raises:
        ReleaseCrashError: The query has no word.
    """
    words = set(query.split())
    with as_released("word overlap"):
        return len(words & set(text.split())) / len(words)
