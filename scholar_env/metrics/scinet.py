"""SciNet's measures of novel, disruptive, citing and co-mentioned papers, as the paper means them and as rewards use.

Answers are lists of ids, best first; measures count an id where it stands first. The released scripts' forms, most of
which can be gamed, are in :mod:`scholar_env.metrics.scinet_release`; names that both have end in ``_release`` there.
Sets and sequences of ids only: what cites what comes in as functions, so that no graph is needed to test a formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scholar_env.metrics.ranking import harmonic_mean, ratio
from scholar_env.metrics.scinet_release import mean_or_none, pct_release

EGO_LIMIT, PAIR_LIMIT, PATH_LIMIT = 50, 50, 10
"""Ids of an answer that count; what is beyond is cut and counted."""

MIN_PAIR_ITEMS = 5
"""Pair accuracies divide by this at least, so that one sure paper is not a full score."""

Neighbours = Callable[[str], Collection[str]]
"""The papers that a paper cites, or that cite it."""


def distinct(papers: Iterable[str]) -> list[str]:
    """The ids in order, each where it stands first."""
    return list(dict.fromkeys(papers))


def cut(papers: Sequence[str], limit: int) -> tuple[list[str], int]:
    """The first ``limit`` ids, and how many are cut away (``n_cut``)."""
    return list(papers[:limit]), max(len(papers) - limit, 0)


def recall_paper(answer: Sequence[str], gold: Collection[str], k: int = EGO_LIMIT, *, of_gold: bool = False) -> float:
    """|set(L[:k]) ∩ G| / k, the paper's Recall@k; in [0, 1].

    Args:
        answer: L.
        gold: G, the top k of the field.
        k: Cutoff.
        of_gold: Divide by min(k, |G|) instead, so that the gold of a small field can be reached; 0.0 without gold.
    """
    hits = len(set(answer[:k]) & set(gold))
    return ratio(hits, min(k, len(set(gold))) if of_gold else k)


def pct_midrank(score: float | None, reference: Sequence[float]) -> float | None:
    """Percentile of a score by mid-ranks: 100 (L + (M - L) / 2) / N with L values below it and M up to it.

    Returns:
        0 to 100; None for no score; NaN for an empty reference, or where anything is NaN.
    """
    if score is None:
        return None
    if not reference or math.isnan(score) or any(map(math.isnan, reference)):
        return math.nan
    below = sum(value < score for value in reference)
    equal = sum(value == score for value in reference)
    return 100 * (below + equal / 2) / len(reference)


PERCENTILES = {"pct_release": pct_release, "pct_midrank": pct_midrank}


def percentiles(scores: NDArray[np.float64], percentile: str = "pct_release") -> NDArray[np.float64]:
    """The percentile of each score among all scores that are there, as the functions of :data:`PERCENTILES` have it.

    Args:
        scores: float64 [papers], NaN for an unscored one; the higher the better.
        percentile: A key of :data:`PERCENTILES`.

    Returns:
        float64 [papers] from 0 to 100, NaN for an unscored one.
    """
    rows = np.flatnonzero(~np.isnan(scores))
    population = np.sort(scores[rows])
    below = np.searchsorted(population, scores[rows], side="left")
    up_to = np.searchsorted(population, scores[rows], side="right")
    out = np.full(len(scores), np.nan)
    if percentile == "pct_release":
        out[rows] = (below + up_to + 1) * 50.0 / max(len(rows), 1)
    else:
        out[rows] = 100 * (below + (up_to - below) / 2) / max(len(rows), 1)
    return out


def raw_mean(answer: Sequence[str], scores: Mapping[str, float], k: int = 5) -> float | None:
    """Mean raw score of those of the first k papers that have one (``novelty_raw_top5``); None without."""
    return mean_or_none(scores[paper] for paper in answer[:k] if paper in scores)


def sos_mean_of_pct(
    answer: Sequence[str],
    scores: Mapping[str, float],
    reference: Sequence[float],
    *,
    k: int = 5,
    novelty: bool = False,
    percentile: str = "pct_release",
) -> float | None:
    """Score of scores of one answer: mean percentile of its first k papers among the reference population; 0 to 100.

    Args:
        answer: Ids.
        scores: Raw scores of the papers that have one; others are left out of the mean.
        reference: Raw scores of the population.
        k: 5 as released, or 50 as the paper's lists.
        novelty: Whether lower scores are better.
        percentile: A key of :data:`PERCENTILES`.

    Returns:
        None where none of the papers has a score.
    """
    sign = -1.0 if novelty else 1.0
    population = [sign * value for value in reference]
    found = [PERCENTILES[percentile](sign * scores[paper], population) for paper in answer[:k] if paper in scores]
    return mean_or_none(value for value in found if value is not None)


def cite_acc(answer: Sequence[str], seed: str, neighbours: Neighbours) -> float | None:
    """Share of items whose neighbours hold the seed; None of an empty answer, which the release counts as 0.0 here.

    With the references of a paper as neighbours this is ``cite_acc_in`` (it cites the seed, as the queries ask), with
    its citers ``cite_acc_out`` (the seed cites it, as the paper's defining sentence has it). Repetitions count.
    """
    return mean_or_none(float(seed in neighbours(paper)) for paper in answer)


def comention_acc(answer: Sequence[str], seed: str, citers: Neighbours) -> float | None:
    """Share of items that some paper cites together with the seed; the seed itself counts; None of an empty answer."""
    own = set(citers(seed))
    return mean_or_none(float(not own.isdisjoint(citers(paper))) for paper in answer)


def strict(answer: Sequence[str], seed: str, is_right: Callable[[str], bool], at_least: int = MIN_PAIR_ITEMS) -> float:
    """Right distinct items / distinct items, the seed wrong and an empty answer 0.0: the strict form of an accuracy.

    Args:
        answer: Ids.
        seed: The paper asked about.
        is_right: Whether another paper is.
        at_least: The denominator is no less than this.
    """
    items = distinct(answer)
    return ratio(sum(paper != seed and is_right(paper) for paper in items), max(len(items), at_least if items else 0))


def cite_sentiment(answer: Sequence[str], positive: Collection[str]) -> float | None:
    """Share of items with a positive context of the seed, over all items; None of an empty answer."""
    return mean_or_none(float(paper in positive) for paper in answer)


def cite_sentiment_given(answer: Sequence[str], positive: Collection[str], known: Collection[str]) -> float | None:
    """The same over items in ``known`` only: citing (``_given_cite``) or with a text (``_given_pdf``); None without."""
    return cite_sentiment([paper for paper in answer if paper in known], positive)


def comention_paragraph(answer: Sequence[str], together: Collection[str]) -> float | None:
    """Share of items that share a citation paragraph with the seed, over all items; None of an empty answer."""
    return mean_or_none(float(paper in together) for paper in answer)


def pair_f1(
    answer: Sequence[str], seed: str, gold: Collection[str], limit: int = PAIR_LIMIT, *, at_least: int = 0
) -> float:
    """Harmonic mean of precision and recall of a pair answer, in [0, 1]: the reward.

    Distinct items, the seed left out as wrong, an empty answer 0.0. Precision is over the distinct items; recall is
    over min(limit, |G|), so that a full list can reach 1.

    Args:
        answer: Ids, cut to the limit.
        seed: The paper asked about.
        gold: The right papers, without the seed.
        limit: Ids that an answer may hold.
        at_least: An answer of fewer distinct items is 0.0, unless it is as long as the gold: one sure paper is no
            answer.
    """
    items = distinct(answer)[:limit]
    right = set(gold) - {seed}
    if len(items) < min(at_least, len(right)):
        return 0.0
    hits = len(right.intersection(items))
    return harmonic_mean(ratio(hits, len(items)), ratio(hits, min(limit, len(right))))


def mean_over(values: Iterable[float | None], empty: str = "zero") -> float | None:
    """Mean over queries.

    Args:
        values: A value a query, None for an empty answer.
        empty: ``zero`` counts those as 0.0; ``release`` leaves them out, as the release does but for ``cite_acc_in``.
    """
    found = list(values)
    return mean_or_none(value or 0.0 for value in found) if empty == "zero" else _defined(found)


def _defined(values: Sequence[float | None]) -> float | None:
    return mean_or_none(value for value in values if value is not None)
