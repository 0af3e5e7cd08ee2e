"""Set and ranking measures that know nothing of a benchmark.

Sets are given as any collection of ids; a ranked list is a sequence of ids, best first. Precision and recall are 0.0
for an empty denominator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence

from scholar_env.errors import InvalidOptionError

CutoffMeasure = Callable[[Sequence[str], Collection[str], int], float]
"""A measure of the first k ids of a ranked list: ``measure(ranked, gold, k)``."""


def ratio(part: float, whole: float) -> float:
    """``part / whole``, 0.0 when ``whole`` is 0: the convention of every share in this package."""
    return part / whole if whole else 0.0


def mean(values: Iterable[float]) -> float:
    """Mean of the defined values (NaN = undefined); NaN when there is none."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def precision(found: Collection[str], gold: Collection[str]) -> float:
    """|found ∩ gold| / |found| in [0, 1]; 0.0 when nothing was found."""
    distinct = set(found)
    return ratio(len(distinct & set(gold)), len(distinct))


def recall(found: Collection[str], gold: Collection[str]) -> float:
    """|found ∩ gold| / |gold| in [0, 1]; 0.0 when there is no gold."""
    relevant = set(gold)
    return ratio(len(relevant & set(found)), len(relevant))


def harmonic_mean(first: float, second: float) -> float:
    """2ab / (a + b) of two numbers >= 0; 0.0 when both are 0. With precision and recall this is F1."""
    return ratio(2 * first * second, first + second)


def f1(found: Collection[str], gold: Collection[str]) -> float:
    """Harmonic mean of precision and recall in [0, 1]."""
    return harmonic_mean(precision(found, gold), recall(found, gold))


def _top(ranked: Sequence[str], k: int) -> Sequence[str]:
    """The first k ids; k below 1 is an error."""
    if k < 1:
        raise InvalidOptionError(f"cutoff k={k}", "a cutoff is an integer of at least 1", "pass k=10, for instance")
    return ranked[:k]


def precision_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Precision of the first k ids, over as many as there are (a list shorter than k is not held against it).

    Raises:
        InvalidOptionError: k < 1.
    """
    return precision(_top(ranked, k), gold)


def recall_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Recall of the first k ids.

    Raises:
        InvalidOptionError: k < 1.
    """
    return recall(_top(ranked, k), gold)


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """1 / (1 + 0-based rank of the first relevant id), 0.0 when there is none."""
    relevant = set(gold)
    return next((1 / (1 + rank) for rank, paper in enumerate(ranked) if paper in relevant), 0.0)


def ndcg_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain of the first k ids with binary relevance.

    DCG = Σ 1 / log2(rank + 2) over the relevant ids among the first k, with 0-based ranks, each id counted where it
    stands first; divided by the DCG of min(k, |gold|) relevant ids at the top (Järvelin and Kekäläinen 2002).

    Returns:
        A value in [0, 1]; 0.0 when there is no gold.

    Raises:
        InvalidOptionError: k < 1.
    """
    relevant = set(gold)
    first_rank: dict[str, int] = {}
    for rank, paper in enumerate(_top(ranked, k)):
        if paper in relevant:
            first_rank.setdefault(paper, rank)
    gain = math.fsum(1 / math.log2(rank + 2) for rank in first_rank.values())
    return ratio(gain, math.fsum(1 / math.log2(rank + 2) for rank in range(min(k, len(relevant)))))
