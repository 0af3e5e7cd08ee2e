"""Replays recorded replies of the released planner through the function that ``compat="upstream"`` plans with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.episode.scholargym.upstream import KnownSubquery, plan_iteration

SET = "scholargym_planner"


def replay_plan(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    known = {
        int(number): KnownSubquery(state["text"], state["source"], state["pages"])
        for number, state in inputs["states"].items()
    }
    result = plan_iteration(known, inputs["plan"], inputs["iteration"], inputs["query_date"])
    return {
        "subqueries": [
            {
                "id": planned.id,
                "text": planned.text,
                "before_date": planned.before,
                "target_k": planned.target_k,
                "link_type": planned.link,
                "source": planned.source,
                "iter": planned.iteration,
            }
            for planned in result.subqueries
        ],
        "experience": result.experience,
        "checklist": result.checklist,
        "is_complete": result.is_complete,
    }


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Any]] = {"plan_iteration": replay_plan}
