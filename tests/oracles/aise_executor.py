"""Oracle set ``aise_executor``: the released plan executor with stubbed APIs and filler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scholar_env.episode.aise.filling import FillRequest
from scholar_env.episode.aise.plan import read_plan
from scholar_env.episode.aise.upstream import run_upstream

SET = "aise_executor"

REPLIES: dict[str, Any] = {
    "ok": {"success": True, "data": [{"id": "x1", "name": "N", "junk": 1, "h_index": 3, "secret": "s"}], "total": 1},
    "error": {"error": "Request failed", "details": "x"},
    "list": [{"id": "a1", "name": "N"}],
    "strdata": {"data": ["p1", "p2"]},
    "dictdata": {"data": {"paper_ids": ["p1"]}},
    "authors": {
        "data": [
            {"paper_id": "p1", "title": "T", "authors": [{"author": "A One"}, {"name": "B Two"}, {"author": "A One"}]}
        ]
    },
}


def run(inputs: Mapping[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    def call(api: str, params: dict[str, Any]) -> Any:
        behaviour = inputs["api_behaviour"].get(api, "ok")
        if behaviour == "raise":
            raise RuntimeError(f"{api} is down")
        return REPLIES[behaviour]

    def fill(request: FillRequest) -> dict[str, Any]:
        return {"filled": "yes", "true_flag": True}

    steps, problems = read_plan(inputs["plan"])
    assert problems == ()
    done = run_upstream(call, fill, steps)
    left = [name for name, status in done.status.items() if status == "pending"]
    return {
        "calls": done.calls,
        "inputs": done.inputs,
        "results": done.results,
        "status": done.status,
        "left_pending": left,
    }


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Any]] = {"TaskExecutor.run": run}
