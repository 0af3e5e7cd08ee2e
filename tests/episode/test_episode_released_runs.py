"""Outcome classes of whole runs of the released loop that the recorded files do not cover."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scholar_env.episode.scholargym.upstream import UpstreamCrashError

PAPERS = {f"p{n}": [f"graph title {n}", f"on graph networks {'and more ' * n}", "2020-01-01"] for n in range(10)}
PAPERS |= {f"q{n}": [f"speech title {n}", "on speech", "2020-01-01"] for n in range(30)}
NAME = "scholar_env_oracle_workflow_for_episode_tests"


@pytest.fixture(scope="module")
def workflow() -> ModuleType:
    path = Path(__file__).resolve().parent.parent / "oracles" / "workflow.py"
    spec = importlib.util.spec_from_file_location(NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def item(**more: Any) -> dict[str, Any]:
    return {"link_type": "derive", "source_id": 0, "text": "graph", "target_k": 10, **more}


def plan(*items: Any, complete: bool = False) -> dict[str, Any]:
    return {"subqueries": list(items), "checklist": "", "experience_replay": "", "is_complete": complete}


def replay(workflow: ModuleType, *plans: dict[str, Any], **more: Any) -> Any:
    inputs = {
        "query": "graph networks",
        "date": "2021-01",
        "gt": ["p3"],
        "T": 3,
        "browser_mode": "NONE",
        "plans": list(plans),
        "accept": ["p0", "p1", "p3"],
        "to_browse": ["p1", "p2"],
        "accept_after_browse": ["p2"],
        **more,
    }
    return workflow.REPLAY[f"workflow_{inputs['browser_mode']}"](inputs, {"corpus": PAPERS, "compat": "upstream"})


@pytest.mark.parametrize(
    ("plans", "more", "kind"),
    [
        ([plan(item(target_k=0))], {}, "ValueError"),
        ([plan(item(), item(link_type="continue", source_id=1))], {}, "KeyError"),
        ([plan(item())], {"gt": []}, "ZeroDivisionError"),
        ([plan(item()), plan(item(target_k="x"))], {}, "ValueError"),
    ],
)
def test_crash_of_a_run(workflow: ModuleType, plans: list[dict[str, Any]], more: dict[str, Any], kind: str) -> None:
    with pytest.raises(UpstreamCrashError) as caught:
        replay(workflow, *plans, **more)
    assert caught.value.kind == kind


def test_dropped_queries(workflow: ModuleType) -> None:
    assert replay(workflow, plan(item(), complete=True)) is None
    assert replay(workflow, plan(item())) is None  # a planner with nothing more to say


def test_browsing_modes(workflow: ModuleType) -> None:
    """accept p0 p1 p3 on p0…p9; browse p1 p2; after browsing only p2 is accepted."""
    runs = {
        mode: replay(workflow, plan(item()), plan(complete=True), browser_mode=mode)
        for mode in ("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH")
    }
    assert {mode: run["final_selected"] for mode, run in runs.items()} == {
        "NONE": ["p0", "p1", "p3"],
        "REFRESH": ["p2"],
        "INCREMENTAL": ["p0", "p1", "p2", "p3"],
        "PRE_ENRICH": ["p0", "p1", "p3"],
    }
    page = [f"p{n}" for n in range(10)]
    assert {mode: run["history"][1]["browsing_arxiv_ids"] for mode, run in runs.items()} == {
        "NONE": [],
        "REFRESH": ["p1", "p2"],
        "INCREMENTAL": ["p1", "p2"],
        "PRE_ENRICH": page,
    }
    assert runs["NONE"]["history"][1]["avg_distance"] == pytest.approx(0.97, abs=1e-12)
    assert [entry["stage"] for entry in runs["NONE"]["history"]] == ["plan", "select", "plan"]
