"""SciNet's measures of citation paths: how much of the gold path an answer holds, and whether it is a path.

Paths run from the classical paper A to the emerging paper B, each paper cited by the next. ``cited_by`` of a paper are
those that cite it. The release's own forms are in :mod:`scholar_env.metrics.scinet_release_path`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise, permutations

from scholar_env.metrics.ranking import harmonic_mean, ratio
from scholar_env.metrics.scinet import Neighbours
from scholar_env.metrics.scinet_release import TOP
from scholar_env.metrics.scinet_release_path import SHUFFLES


def path_precision(answer: Sequence[str], gold: Sequence[str]) -> float | None:
    """Items on the gold path / items, repetitions counted (the release's Consistency); None of an empty answer."""
    return sum(paper in set(gold) for paper in answer) / len(answer) if answer else None


def path_recall(answer: Collection[str], gold: Sequence[str]) -> float:
    """|L ∩ T| / |T| with T the gold path, ends included."""
    return ratio(len(set(answer) & set(gold)), len(set(gold)))


def path_inner(answer: Collection[str], gold: Sequence[str]) -> float | None:
    """Recall of the gold path without its ends; None where it has only these."""
    inner = set(gold[1:-1])
    return len(inner.intersection(answer)) / len(inner) if inner else None


def path_jaccard(answer: Collection[str], gold: Sequence[str]) -> float:
    """|L ∩ T| / |L ∪ T|."""
    return ratio(len(set(answer) & set(gold)), len(set(answer) | set(gold)))


def path_lcs(answer: Sequence[str], gold: Sequence[str]) -> float:
    """Length of the longest common subsequence / |T|, of the answer as given or reversed, whichever is longer."""
    return ratio(max(_common(answer, gold), _common(answer[::-1], gold)), len(gold))


def path_f1_inner(answer: Collection[str], gold: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of the inner papers, in [0, 1]: the reward.

    Distinct items without the two ends that the query names, so that these earn nothing; 0.0 of an empty answer, and
    where the gold path has no inner papers.
    """
    inner = set(gold[1:-1])
    items = set(answer) - set(gold[:1]) - set(gold[-1:])
    hits = len(inner & items)
    return harmonic_mean(ratio(hits, len(items)), ratio(hits, len(inner)))


def connectivity_order(answer: Sequence[str], cited_by: Neighbours) -> bool:
    """Whether the first five papers are a path as given or reversed; fewer than two are none."""
    first = list(answer[:TOP])
    return len(first) > 1 and (_is_path(first, cited_by) or _is_path(first[::-1], cited_by))


def connectivity_any(answer: Sequence[str], cited_by: Neighbours) -> bool:
    """Whether the first five papers are a path in some order."""
    return valid_orders(answer, cited_by) > 0


def connectivity_expected(answer: Sequence[str], cited_by: Neighbours) -> float:
    """Probability of ``connectivity_release``: 1 as given or reversed, else 1 - (1 - h/n!)^5 with h valid orders."""
    if connectivity_order(answer, cited_by):
        return 1.0
    n = len(answer[:TOP])
    miss = 1 - valid_orders(answer, cited_by) / math.factorial(n)
    hit = 1.0
    for _ in range(SHUFFLES):
        hit *= miss
    return 1 - hit if n > 1 else 0.0


def valid_orders(answer: Sequence[str], cited_by: Neighbours) -> int:
    """In how many of the n! orders the first five papers are a path; repeated papers count as different ones."""
    first = list(answer[:TOP])
    return sum(_is_path(order, cited_by) for order in permutations(first)) if len(first) > 1 else 0


def connectivity_chain(answer: Sequence[str], ends: tuple[str, str], cited_by: Neighbours) -> bool:
    """Whether the papers, as given or reversed, are a path that begins at A and ends at B.

    Args:
        answer: Ids.
        ends: A and B.
        cited_by: Who cites a paper.
    """
    forward = list(answer) if answer and answer[0] == ends[0] else list(reversed(answer))
    return len(forward) > 1 and (forward[0], forward[-1]) == ends and _is_path(forward, cited_by)


def connectivity_induced(answer: Collection[str], ends: tuple[str, str], cited_by: Neighbours) -> bool:
    """Whether a path leads from A to B over papers of the answer alone, in whatever order they are given."""
    start, end = ends
    allowed = {*answer, start, end}
    seen, front = {start}, [start]
    while front:
        front = [paper for last in front for paper in cited_by(last) if paper in allowed and paper not in seen]
        seen.update(front)
    return end in seen


def _common(papers: Sequence[str], gold: Sequence[str]) -> int:
    row = [0] * (len(gold) + 1)
    for paper in papers:
        before = row[:]
        for place, wanted in enumerate(gold, start=1):
            row[place] = before[place - 1] + 1 if paper == wanted else max(row[place - 1], before[place])
    return row[-1]


def _is_path(papers: Sequence[str], cited_by: Neighbours) -> bool:
    return all(newer in cited_by(older) for older, newer in pairwise(papers))
