"""The measures of ScholarGym as pure functions, one name for one formula.

Notation: G = gold papers; R_t, S_t = papers retrieved and selected in iteration t (unions over its subqueries); R =
∪R_t, S = ∪S_t. Every share is 0.0 when its denominator is 0. A rank is 0-based in the ranked list after score > 0,
date filter and exclusion; None means that the paper is not in it. Sources: paper arXiv 2601.21654 (equations 4, 7-9)
and the released code; where the two differ, each formula has its own name. The released code's own functions are in
:mod:`scholar_env.metrics.scholargym_release`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import ranking
from scholar_env.metrics.ranking import harmonic_mean, ratio

CUTOFF = 100
"""The c of the distance measures: a rank of 100 or worse counts nothing."""

Ranks = Mapping[str, int | None]
"""Gold paper to rank; a paper that is missing counts like None."""


def ret_recall(retrieved: Collection[str], gold: Collection[str]) -> float:
    """|R ∩ G| / |G|: the part of the gold papers that was retrieved."""
    return ranking.recall(retrieved, gold)


def ret_precision(retrieved: Collection[str], gold: Collection[str]) -> float:
    """|R ∩ G| / |R|: the part of the retrieved papers that is gold."""
    return ranking.precision(retrieved, gold)


def ret_f1(retrieved: Collection[str], gold: Collection[str]) -> float:
    """Harmonic mean of :func:`ret_recall` and :func:`ret_precision` of one episode (a macro form when averaged)."""
    return ranking.f1(retrieved, gold)


def recall(selected: Collection[str], gold: Collection[str]) -> float:
    """|S ∩ G| / |G|: the part of the gold papers that was selected."""
    return ranking.recall(selected, gold)


def precision(selected: Collection[str], gold: Collection[str]) -> float:
    """|S ∩ G| / |S|: the part of the selected papers that is gold."""
    return ranking.precision(selected, gold)


def f1(selected: Collection[str], gold: Collection[str]) -> float:
    """Harmonic mean of :func:`recall` and :func:`precision` of one episode (a macro form when averaged)."""
    return ranking.f1(selected, gold)


def f1_of_means(precisions: Sequence[float], recalls: Sequence[float]) -> float:
    """Harmonic mean of the mean precision and the mean recall over episodes: the published F1; 0.0 over no episodes."""
    return harmonic_mean(
        ratio(math.fsum(precisions), len(precisions)),
        ratio(math.fsum(recalls), len(recalls)),
    )


def f1_macro(precisions: Sequence[float], recalls: Sequence[float]) -> float:
    """Mean over episodes of the harmonic mean of each one's precision and recall; 0.0 over no episodes."""
    values = [harmonic_mean(first, second) for first, second in zip(precisions, recalls, strict=True)]
    return ratio(math.fsum(values), len(values))


def distance(rank: int | None, *, cutoff: int = CUTOFF) -> float:
    """Nearness of a rank in [0, 1]: max(1 - rank / cutoff, 0); 1.0 at the top, 0.0 from ``cutoff`` on and for None.

    The paper calls it a distance, although higher is better.

    Raises:
        InvalidOptionError: cutoff < 1.
    """
    if cutoff < 1:
        raise InvalidOptionError(f"cutoff={cutoff}", "a cutoff is an integer of at least 1", "use 100, as published")
    return 0.0 if rank is None or rank >= cutoff else 1 - rank / cutoff


def better_rank(first: int | None, second: int | None) -> int | None:
    """The smaller of two ranks; None loses to any rank."""
    if first is None or second is None:
        return second if first is None else first
    return min(first, second)


def best_ranks(rank_lists: Iterable[Ranks], gold: Collection[str]) -> dict[str, int | None]:
    """For each gold paper its best rank over several ranked lists, None where no list holds it."""
    best: dict[str, int | None] = dict.fromkeys(gold)
    for ranks in rank_lists:
        best = {paper: better_rank(rank, ranks.get(paper)) for paper, rank in best.items()}
    return best


def mean_distance(ranks: Ranks, gold: Collection[str], *, cutoff: int = CUTOFF) -> float:
    """Mean over the gold papers of :func:`distance` of their rank; NaN without gold, where no mean exists."""
    papers = set(gold)
    if not papers:
        return math.nan
    return math.fsum(distance(ranks.get(paper), cutoff=cutoff) for paper in papers) / len(papers)


def carry_ranks(
    iteration_ranks: Iterable[Ranks], gold: Collection[str], selected: Collection[str], remembered: Ranks
) -> tuple[dict[str, int | None], dict[str, int | None]]:
    """Ranks that count for :func:`avg_distance_iter`, and the memory to hand to the next iteration.

    A gold paper counts with its best rank over this iteration's subqueries. If it has ever been selected, the best
    rank remembered for it counts too, because selected papers are excluded from later searches and would otherwise be
    lost. A gold paper that was not selected loses its earlier rank, so the measure is not monotone in t (released
    code).

    Args:
        iteration_ranks: Ranks of the gold papers, one mapping per subquery of the iteration.
        gold: G.
        selected: Papers selected so far, this iteration included.
        remembered: Memory from the previous iteration, empty at first.

    Returns:
        (ranks that count now, memory for the next iteration), both over all gold papers.
    """
    current = best_ranks(iteration_ranks, gold)
    counted = {
        paper: better_rank(rank, remembered.get(paper)) if paper in selected else rank
        for paper, rank in current.items()
    }
    memory = {paper: better_rank(rank, remembered.get(paper)) for paper, rank in counted.items()}
    return counted, memory


def avg_distance_iter(
    iterations: Sequence[tuple[Sequence[Ranks], Collection[str]]], gold: Collection[str], *, cutoff: int = CUTOFF
) -> list[float]:
    """Average distance of each iteration, as the released code computes it (see :func:`carry_ranks`).

    Args:
        iterations: Per iteration the gold ranks of each subquery and the papers selected in it (S_t).
        gold: G.
        cutoff: c.

    Returns:
        One value in [0, 1] per iteration; NaN without gold.
    """
    values: list[float] = []
    selected: set[str] = set()
    memory: dict[str, int | None] = {}
    for rank_lists, chosen in iterations:
        selected |= set(chosen)
        counted, memory = carry_ranks(rank_lists, gold, selected, memory)
        values.append(mean_distance(counted, gold, cutoff=cutoff))
    return values


def avg_distance_best(rank_lists: Iterable[Ranks], gold: Collection[str], *, cutoff: int = CUTOFF) -> float:
    """Average distance of the best rank over all subqueries and iterations (equations 7-8); never falls in t.

    Args:
        rank_lists: Gold ranks of every subquery so far, in the lists before exclusion (date filter only): a paper
            that was selected keeps the rank at which a later subquery would show it.
        gold: G.
        cutoff: c.
    """
    return mean_distance(best_ranks(rank_lists, gold), gold, cutoff=cutoff)


def avg_distance_mean_iters(distances: Sequence[float]) -> float:
    """Mean of :func:`avg_distance_iter` over the iterations so far: the published headline; 0.0 before the first."""
    return ratio(math.fsum(distances), len(distances))


def gt_discard_of_discarded(retrieved: Collection[str], selected: Collection[str], gold: Collection[str]) -> float:
    """|(R ∩ G) - S| / |R - S|, cumulative (equation 4): the part of the discarded papers that is gold."""
    discarded = set(retrieved) - set(selected)
    return ratio(len(discarded & set(gold)), len(discarded))


def gt_discard_of_retrieved_gt(retrieved: Collection[str], selected: Collection[str], gold: Collection[str]) -> float:
    """|(R ∩ G) - S| / |R ∩ G|, cumulative (equation 9): the part of the retrieved gold papers that was discarded."""
    found = set(retrieved) & set(gold)
    return ratio(len(found - set(selected)), len(found))


def gt_discard_iter(retrieved: Collection[str], selected: Collection[str], gold: Collection[str]) -> float:
    """|(R_t ∩ G) - S_t| / |R_t - S_t| of one iteration (released code, figure 3 and table 6)."""
    return gt_discard_of_discarded(retrieved, selected, gold)


def missed_gt_ratio(retrieved: Collection[str], selected: Collection[str], gold: Collection[str]) -> float:
    """|(R_t ∩ G) - S_t| / |R_t| of one iteration (released code only)."""
    shown = set(retrieved)
    return ratio(len((shown & set(gold)) - set(selected)), len(shown))


def missed_gt_ratio_macro(ratios: Sequence[float]) -> float:
    """Mean of :func:`missed_gt_ratio` over the iterations so far; 0.0 before the first."""
    return ratio(math.fsum(ratios), len(ratios))
