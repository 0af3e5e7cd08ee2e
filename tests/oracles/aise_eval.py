"""Oracle set ``aise_eval``: the released measures, format check and rating parser of AISE-Bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.metrics import aise_release as release
from scholar_env.metrics.rating import extract_rating_json

SET = "aise_eval"

REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {
    "parse_link": lambda inputs, _: release.parse_link(inputs["answer"]),
    "judge_precision": lambda inputs, _: release.judge_precision(inputs["pred"], inputs["gold"]),
    "judge_recall": lambda inputs, _: release.judge_recall(inputs["pred"], inputs["gold"]),
    "judge_clarity": lambda inputs, context: release.judge_clarity(inputs["pred"], compat=context["compat"]),
    "planning_edit_distance": lambda inputs, context: release.planning_edit_distance(
        inputs["pred"], inputs["gold"], compat=context["compat"]
    ),
    "check_api_success": lambda inputs, context: release.check_api_success(
        inputs["execution_result"], compat=context["compat"]
    ),
    "_extract_rating_json": lambda inputs, _: extract_rating_json(inputs["text"]),
}
