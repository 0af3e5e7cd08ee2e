"""Oracle set ``scholargym_metrics``: the released measures and reply parsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.metrics import scholargym_release as release

SET = "scholargym_metrics"


def _rank_and_distance(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> object:
    return release.calculate_gt_rank_and_distance(
        {int(subquery): text for subquery, text in inputs["subqueries"].items()},
        {int(subquery): ranks for subquery, ranks in inputs["rank_dicts"].items()},
        inputs["gt"],
        inputs["selected_ids"],
        inputs["selected_min_rank"],
        cutoff=inputs["cutoff"],
        compat=context["compat"],
    )


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {
    "calculate_subquery_metrics": lambda inputs, _: release.calculate_subquery_metrics(
        inputs["retrieved"], inputs["selected"], inputs["gt"]
    ),
    "calculate_iteration_metrics": lambda inputs, _: release.calculate_iteration_metrics(
        inputs["subquery_results"], inputs["gt"]
    ),
    "calculate_gt_rank_and_distance": _rank_and_distance,
    "calculate_simple_avg_distance": lambda inputs, _: release.calculate_simple_avg_distance(
        inputs["rank_dicts"], inputs["gt"], inputs["cutoff"]
    ),
    "calculate_retrieval_metrics": lambda inputs, _: release.calculate_retrieval_metrics(
        inputs["gt"], inputs["retrieved"], inputs.get("selected")
    ),
    "extract_ground_truth_arxiv_ids": lambda inputs, _: release.extract_ground_truth_arxiv_ids(
        inputs["cited_paper"], inputs["gt_label"]
    ),
    "combine_search_results": lambda inputs, _: release.combine_search_results(inputs["lists"]),
    "parse_json_from_tag": lambda inputs, _: release.parse_json_from_tag(inputs["text"], inputs["tag"]),
    "parse_response_to_keys": lambda inputs, _: release.parse_response_to_keys(inputs["text"]),
}
