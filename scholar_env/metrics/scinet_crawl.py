"""PaSa's and LitSearch's measures of an episode in a citation graph: its searches and lists as PaSa's tree.

The root's actions are searches, those of a paper the lists of its references, citers and co-cited papers. A paper's
score is 1 for the first of the answer, falls to just above one half for the last, and is 0 outside the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scholar_env.metrics.litsearch import litsearch_ndcg, litsearch_recall
from scholar_env.metrics.names import SCINET_CRAWL
from scholar_env.metrics.pasa import pasa_measures

Listing = tuple[int, str, tuple[str, ...]]
"""Number of the call, the paper whose list it is ("" for a search), and the papers."""


def crawl_measures(
    listings: Sequence[Listing], answer: Sequence[str], gold: Sequence[str], title_of: Callable[[str], str]
) -> dict[str, float]:
    """The measures of an episode with the keys :data:`~scholar_env.metrics.names.SCINET_CRAWL`.

    Args:
        listings: What was shown, in order.
        answer: The papers of the answer that count.
        gold: The right papers.
        title_of: Title of a paper; PaSa compares papers by the letters of their titles.
    """
    found = pasa_measures(crawl_tree(listings, answer, gold, title_of))
    values = (found.crawler_recall, found.precision, found.recall, *found.recall_at, float(found.actions), found.score)
    pasa = dict(zip(SCINET_CRAWL, values, strict=False))
    return {**pasa, "litsearch_recall": litsearch_recall(answer, gold), "litsearch_ndcg": litsearch_ndcg(answer, gold)}


def crawl_tree(
    listings: Sequence[Listing], answer: Sequence[str], gold: Sequence[str], title_of: Callable[[str], str]
) -> dict[str, Any]:
    """The tree as PaSa keeps it; a list of a paper that no list has shown hangs at the root."""
    distinct = list(dict.fromkeys(answer))
    scores = {paper: 1 - 0.5 * place / len(distinct) for place, paper in enumerate(distinct)}
    root: dict[str, Any] = {"child": {}, "extra": {"answer": [title_of(paper) for paper in gold]}}
    first: dict[str, dict[str, Any]] = {}
    for call, of, papers in listings:
        nodes = []
        for paper in papers:
            node = {"title": title_of(paper), "select_score": scores.get(paper, 0.0), "child": {}}
            first.setdefault(paper, node)
            nodes.append(node)
        first.get(of, root)["child"][f"call {call}"] = nodes
    return root
