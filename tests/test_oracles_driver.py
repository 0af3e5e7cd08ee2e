"""The oracle driver fails where it must: unreadable file, unknown function, wrong value, missed crash."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).resolve().parent / "test_oracles.py"


def case(fn: str, inputs: dict[str, Any], out: dict[str, Any], number: int = 0) -> dict[str, Any]:
    return {"fn": fn, "in": inputs, "out": out, "id": number}


def replay(folder: Path) -> tuple[dict[str, str], str]:
    """Runs the driver over a folder; outcome by test id, and everything that it printed."""
    command = [sys.executable, "-m", "pytest", str(DRIVER), "-v", "-o", "addopts=", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=os.environ | {"SCHOLAR_ENV_ORACLES": str(folder)},
        cwd=DRIVER.parent.parent,
    )
    found = re.findall(r"::test_oracle_case\[(.+?)\] (PASSED|FAILED|SKIPPED|ERROR)", done.stdout)
    return dict(found), done.stdout + done.stderr


def test_driver_outcomes(tmp_path: Path) -> None:
    no_gold = {"subqueries": {"1": "q"}, "rank_dicts": {"1": {}}, "gt": [], "selected_ids": [], "selected_min_rank": {}}
    rank = "calculate_gt_rank_and_distance"
    cases = [
        case("parse_response_to_keys", {"text": "graph nets"}, {"ok": True, "value": ["graph nets"]}, 1),
        case("parse_response_to_keys", {"text": "graph nets"}, {"ok": True, "value": ["graph net"]}, 2),
        case("nobody_knows", {}, {"ok": True, "value": 1}, 3),
        case(rank, no_gold | {"cutoff": 5}, {"ok": False, "error": "ZeroDivisionError"}, 4),
        case(rank, no_gold | {"cutoff": 5}, {"ok": False, "error": "KeyError"}, 5),
        case(rank, no_gold | {"cutoff": 5}, {"ok": True, "value": {}}, 6),
        case("parse_response_to_keys", {"text": ""}, {"ok": False, "error": "KeyError"}, 7),
    ]
    (tmp_path / "scholargym_metrics.mine.json").write_text(json.dumps({"about": {}, "cases": cases}), encoding="utf-8")
    (tmp_path / "scholargym_metrics.empty.json").write_text('{"about": {}, "cases": []}', encoding="utf-8")
    (tmp_path / "scholargym_bm25.torn.json").write_text('{"about": {}, "cases": [', encoding="utf-8")
    (tmp_path / "scholargym_planner.half.json").write_text(
        json.dumps({"about": {}, "cases": [case("plan_iteration", {}, {"ok": True})]}), encoding="utf-8"
    )
    (tmp_path / "somebody_else.dev.json").write_text("not even JSON", encoding="utf-8")
    outcomes, printed = replay(tmp_path)
    name = "scholargym_metrics.mine.json"
    assert outcomes == {
        f"{name}:parse_response_to_keys:1": "PASSED",
        f"{name}:parse_response_to_keys:2": "FAILED",
        f"{name}:nobody_knows:3": "FAILED",
        f"{name}:{rank}:4": "PASSED",
        f"{name}:{rank}:5": "FAILED",
        f"{name}:{rank}:6": "FAILED",
        f"{name}:parse_response_to_keys:7": "FAILED",
        "scholargym_metrics.empty.json:read:file": "FAILED",
        "scholargym_bm25.torn.json:read:file": "FAILED",
        "scholargym_planner.half.json:read:file": "FAILED",
    }
    assert "value[0]: 'graph nets' instead of 'graph net'" in printed
    assert "set scholargym_metrics does not know the function nobody_knows" in printed
    assert "scholargym_bm25.torn.json cannot be replayed: JSONDecodeError" in printed
    assert "scholargym_metrics.empty.json cannot be replayed: it holds no cases" in printed
    assert "scholargym_planner.half.json cannot be replayed: ValueError: outcome without value or error" in printed
    assert "not registered yet: somebody_else.dev.json" in printed


def test_driver_fails_on_a_folder_without_oracles(tmp_path: Path) -> None:
    outcomes, printed = replay(tmp_path)
    assert outcomes == {f"{tmp_path.name}:read:folder": "FAILED"}
    assert f"no oracle file of a registered set in {tmp_path}" in printed
    assert "test_every_registered_set_is_replayed FAILED" in printed
