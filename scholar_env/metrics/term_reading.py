"""Terms about the order in which papers come before the reader's eyes, whatever subquery showed them."""

from __future__ import annotations

from collections.abc import Mapping

from scholar_env.metrics import ranking
from scholar_env.metrics.views import PagedView


def _shown(episode: PagedView) -> list[str]:
    """Papers in order of their first appearance on a page."""
    return list(dict.fromkeys(entry.paper for page in episode.pages for entry in page.entries))


def shown_reciprocal_rank(episode: PagedView, gold: tuple[str, ...], metrics: Mapping[str, float]) -> float:
    """1 / (number of distinct papers shown up to and including the first gold one); 0.0 while there is none."""
    del metrics
    return ranking.reciprocal_rank(_shown(episode), gold)


def shown_ndcg(episode: PagedView, gold: tuple[str, ...], metrics: Mapping[str, float]) -> float:
    """Normalised DCG at 100 of the distinct papers in order of first appearance."""
    del metrics
    return ranking.ndcg_at(_shown(episode), gold, 100)
