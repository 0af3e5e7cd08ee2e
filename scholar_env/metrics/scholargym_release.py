"""The measures and reply parsers of ScholarGym's released code, behaviour for behaviour.

Used by ``compat="upstream"`` and by the oracle tests; everywhere else the pure functions of
:mod:`scholar_env.metrics.scholargym` hold. Source of the behaviour: shenhao-stu/ScholarGym at commit f426fd15,
``code/metrics.py`` and ``code/utils.py``, whose function names are kept so that the two can be laid side by side. Two
things differ on purpose: what the release holds as a set comes back as a sorted list, and a crash of the release is a
declared error unless ``compat="upstream"`` asks for the crash itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from scholar_env.errors import UndefinedMeasureError

TOTAL_PAPER_NUM = 570_205
"""Size of the released corpus, which the release also writes as the rank of a paper that was not found."""


def _matches(found: Collection[str], gold: Collection[str]) -> dict[str, float]:
    """Precision, recall and the two counts of one set against the gold set; 0.0 for an empty denominator."""
    n_matched = len(set(found) & set(gold))
    n_found, n_gold = len(set(found)), len(set(gold))
    return {
        "precision": n_matched / n_found if n_found else 0.0,
        "recall": n_matched / n_gold if n_gold else 0.0,
        "matched": n_matched,
        "total": n_found,
    }


def calculate_subquery_metrics(
    retrieved: Collection[str], selected: Collection[str], gold: Collection[str]
) -> dict[str, Any]:
    """Measures one subquery of one iteration.

    Args:
        retrieved: Ids on the page.
        selected: Ids that the assessor kept; need not be a subset of ``retrieved``.
        gold: Relevant ids.

    Returns:
        ``retrieval`` and ``selection`` (precision, recall, matched, total), ``discarded_gt_count`` and
        ``discarded_gt_ids``: gold papers that were retrieved and not selected.
    """
    discarded = (set(retrieved) & set(gold)) - set(selected)
    return {
        "retrieval": _matches(retrieved, gold),
        "selection": _matches(selected, gold),
        "discarded_gt_count": len(discarded),
        "discarded_gt_ids": sorted(discarded),
    }


def calculate_iteration_metrics(
    subquery_results: Mapping[Any, Mapping[str, Collection[str]]], gold: Collection[str]
) -> dict[str, Any]:
    """Measures the union over the subqueries of one iteration.

    Args:
        subquery_results: Subquery id to ``{"retrieved_arxiv_ids": ids, "selected_arxiv_ids": ids}``; a missing key is
            an empty set.
        gold: Relevant ids.

    Returns:
        The keys of :func:`calculate_subquery_metrics` over the unions R_t and S_t, with ``discarded_total_count`` =
        |R_t - S_t| and ``discarded_ratio`` = |(R_t & G) - S_t| / |R_t - S_t| (0.0 when nothing was discarded).
    """
    retrieved = {paper for result in subquery_results.values() for paper in result.get("retrieved_arxiv_ids", ())}
    selected = {paper for result in subquery_results.values() for paper in result.get("selected_arxiv_ids", ())}
    measures = calculate_subquery_metrics(retrieved, selected, gold)
    n_discarded = len(retrieved - selected)
    measures["discarded_total_count"] = n_discarded
    measures["discarded_ratio"] = measures["discarded_gt_count"] / n_discarded if n_discarded else 0.0
    return measures


def calculate_gt_rank_and_distance(
    subqueries: Mapping[int, str],
    rank_dicts: Mapping[int, Mapping[str, Mapping[str, int]]],
    gold: Iterable[str],
    selected_ids: Collection[str],
    selected_min_rank: Mapping[str, int],
    *,
    cutoff: int,
    compat: str | None = None,
) -> dict[str, Any]:
    """Ranks and distances of the gold papers in one iteration.

    A gold paper's rank is its best one over this iteration's subqueries; if it was ever selected, the best rank
    remembered for it counts too. Its distance is ``max(1 - rank / cutoff, 0)``; a paper that was not found has rank
    :data:`TOTAL_PAPER_NUM`.

    Args:
        subqueries: Subquery id to text, in order of execution.
        rank_dicts: Subquery id to ``{paper: {"rank": 0-based rank, "total": highest rank of the list}}``.
        gold: Relevant ids; order of the reported ranks.
        selected_ids: Ids selected so far, this iteration included.
        selected_min_rank: Best rank remembered for each gold paper.
        cutoff: Rank from which the distance is 0, at least 1.
        compat: ``"upstream"`` lets the release's ZeroDivisionError through.

    Returns:
        ``gt_rank`` (per subquery), ``cur_iter_distances``, ``avg_distance`` (mean of the distances) and
        ``updated_selected_min_rank_tracker``. The arguments are not changed.

    Raises:
        UndefinedMeasureError: No gold paper has a rank (no gold, or no subquery and nothing remembered), or cutoff is
            0.
        ZeroDivisionError: The same under ``compat="upstream"``.
    """
    papers = list(dict.fromkeys(gold))
    details: list[dict[str, Any]] = []
    best: dict[str, int] = {}
    for subquery, text in subqueries.items():
        found = rank_dicts.get(subquery, {})
        ranks = []
        for paper in papers:
            entry = found.get(paper)
            rank = TOTAL_PAPER_NUM if entry is None else entry["rank"]
            ranks.append({"arxiv_id": paper, "rank": rank, "total_rank": -1 if entry is None else entry["total"]})
            best[paper] = min(best.get(paper, rank), rank)
        details.append({"sq_id": subquery, "sub_query": text, "ranks": ranks})
    chosen = set(selected_ids)
    for paper in papers:
        if paper in chosen and paper in selected_min_rank:
            best[paper] = min(best.get(paper, selected_min_rank[paper]), selected_min_rank[paper])
    if compat != "upstream" and (not best or cutoff == 0):
        raise UndefinedMeasureError(
            f"average distance over {len(best)} ranked gold papers with cutoff {cutoff}",
            "it is a mean over at least one gold paper with a cutoff of at least 1",
            "leave tasks without gold papers out, or give the iteration a subquery",
        )
    distances = {paper: max(1 - rank / cutoff, 0) for paper, rank in best.items()}
    remembered = dict(selected_min_rank)
    for paper, rank in best.items():
        remembered[paper] = min(remembered.get(paper, rank), rank)
    return {
        "gt_rank": details,
        "cur_iter_distances": distances,
        "avg_distance": sum(distances.values()) / len(distances),
        "updated_selected_min_rank_tracker": remembered,
    }


def calculate_simple_avg_distance(
    rank_dicts: Sequence[Mapping[str, Mapping[str, int]]], gold: Collection[str], cutoff: int
) -> float:
    """Average distance of the released one-shot workflow.

    Mean over the gold papers of ``max(1 - rank / cutoff, 0)`` with each paper's best rank over all queries; a paper
    without a rank counts as rank ``cutoff``, so its distance is 0.

    Args:
        rank_dicts: One ``{paper: {"rank": …}}`` per query; an entry may lack ``rank``.
        gold: Relevant ids.
        cutoff: Rank from which the distance is 0, at least 1.

    Returns:
        The mean in [0, 1]; 0.0 without queries or without gold.
    """
    papers = set(gold)
    if not rank_dicts or not papers:
        return 0.0
    best: dict[str, int] = {}
    for ranks in rank_dicts:
        for paper in papers & ranks.keys():
            rank = ranks[paper].get("rank", cutoff)
            best[paper] = min(best.get(paper, rank), rank)
    return sum(max(1 - best.get(paper, cutoff) / cutoff, 0) for paper in sorted(papers)) / len(papers)


def calculate_retrieval_metrics(
    gold: Collection[str], retrieved: Collection[str], selected: Collection[str] | None = None
) -> dict[str, float]:
    """Recall, precision and counts of what was retrieved and, if given, of what was selected.

    Args:
        gold: Relevant ids.
        retrieved: Retrieved ids, cumulative.
        selected: Selected ids, cumulative; None leaves the four selection keys out.

    Returns:
        ``retrieval_recall``, ``retrieval_precision``, ``retrieval_matches``, ``retrieved_count`` and, with
        ``selected``, ``recall``, ``precision``, ``matches``, ``selected_count``; 0.0 for an empty denominator.
    """
    found = _matches(retrieved, gold)
    measures = {
        "retrieval_recall": found["recall"],
        "retrieval_precision": found["precision"],
        "retrieval_matches": found["matched"],
        "retrieved_count": found["total"],
    }
    if selected is not None:
        kept = _matches(selected, gold)
        measures |= {
            "recall": kept["recall"],
            "precision": kept["precision"],
            "matches": kept["matched"],
            "selected_count": kept["total"],
        }
    return measures


def extract_ground_truth_arxiv_ids(cited_paper: Iterable[Mapping[str, Any]], gt_label: Iterable[int]) -> list[str]:
    """Gold ids of a released query record, sorted.

    Args:
        cited_paper: Records with ``arxiv_id``; a missing or empty id is passed over.
        gt_label: Labels in parallel; 1 = relevant. The longer of the two is cut to the shorter.
    """
    pairs = zip(cited_paper, gt_label, strict=False)
    return sorted({paper["arxiv_id"] for paper, label in pairs if label == 1 and paper.get("arxiv_id")})


def combine_search_results(lists: Iterable[Iterable[Sequence[Any]]]) -> list[tuple[Any, ...]]:
    """Merges ranked lists: each paper once with its highest score, best first, ties in order of first appearance.

    Args:
        lists: Ranked lists of ``(paper, score, …)``; whatever follows the score is carried along from the entry that
            won.
    """
    best: dict[str, tuple[Any, ...]] = {}
    for ranked in lists:
        for entry in ranked:
            if entry[0] not in best or entry[1] > best[entry[0]][1]:
                best[entry[0]] = tuple(entry)  # keeps the place of the first appearance, which breaks ties
    return sorted(best.values(), key=lambda entry: entry[1], reverse=True)


def parse_json_from_tag(text: str, tag: str) -> Any:
    """Reads the JSON value of a model's reply.

    Thinking blocks are removed; then the first of these that is there is read: the first ``<tag>…</tag>`` with
    content, the first fenced ``json`` block, the stretch from the first ``{`` to the last ``}``.

    Returns:
        The value (of any JSON type), or None when there is none or it is not JSON.
    """
    reply = re.sub(r"<think>.*?</think>|<thought>.*?</thought>", "", text, flags=re.DOTALL)
    tagged = re.search(rf"<{re.escape(tag)}>(.*?)</{re.escape(tag)}>", reply, re.DOTALL)
    content = tagged.group(1).strip() if tagged else ""
    if not content:
        block = re.search(r"```json\s*(.*?)\s*```", reply, re.DOTALL)
        first, last = reply.find("{"), reply.rfind("}")
        if block:
            content = block.group(1)
        elif 0 <= first < last:
            content = reply[first : last + 1]
        else:
            return None
    try:
        return json.loads(content.replace("```json", "").replace("```", "").strip())
    except (ValueError, RecursionError):
        return None


def parse_response_to_keys(text: str) -> list[str]:
    """Reads the query keys of the released one-shot workflow: one a line, within ``<sub_queries>`` if that is there.

    Leading numbers with an optional full stop, then one bullet, are cut off, which also eats digits that belong to
    the query; lines of fewer than 3 or more than 100 characters are dropped. Without the tag every ``<…>`` is removed
    first.
    """
    tagged = re.search(r"<sub_queries>(.*?)</sub_queries>", text, re.DOTALL)
    body = tagged.group(1) if tagged else re.sub(r"<.*?>", "", text, flags=re.DOTALL)
    keys = []
    for line in body.strip().split("\n"):
        unnumbered = re.sub(r"^\d+\.?\s*", "", line.strip())
        key = re.sub(r"^[-•*]\s*", "", unnumbered).strip()
        if 3 <= len(key) <= 100:
            keys.append(key)
    return keys
