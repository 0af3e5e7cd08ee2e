"""``scholar-env aise run-plan``: what runs again, APIs of one's own, logs that cannot be read, interrupts."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from scholar_env.episode.aise.attempts import POLICIES
from tests.test_cli import machine, scholar_env_cli
from tests.test_cli_aise import written


def test_a_plan_runs_again_only_where_it_was_edited(small_home: Path, tmp_path: Path) -> None:
    plan = [
        {"name": "search_author_id", "rely": [], "order": 1, "params": {"interest": ["ranking"], "size": 2}},
        {"name": "search_venue_id", "rely": [], "order": 1, "params": {"keywords": ["retrieval"]}},
    ]
    file, log = tmp_path / "plan.json", tmp_path / "log.json"
    first = machine("aise", "run-plan", written(file, plan), "--corpus", "world", "--log", log)
    plan[1]["params"] = {"keywords": ["retrieval"], "size": 3}
    second = machine("aise", "run-plan", written(file, plan), "--corpus", "world", "--log", log)
    assert [step["kept"] for step in first["steps"]] == [False, False]
    assert {step["step"]: step["kept"] for step in second["steps"]} == {
        "search_author_id": True, "search_venue_id": False,
    }  # fmt: skip
    shown = scholar_env_cli("aise", "run-plan", file, "--corpus", "world", "--steps")
    assert shown.exit_code == 0
    assert shown.stdout.count("completed") == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "it is no JSON: Expecting property name"),
        (b"[" * 5000, "it is no JSON: maximum recursion depth"),
        (b"[]", "it is no object with a list of steps"),
        (b'{"steps": 5}', "it is no object with a list of steps"),
        (b'{"steps": [5]}', "steps[0] has no step"),
        (b'{"steps": [{"step": "a", "planned": {}, "inputs": {}, "status": "completed"}]}', "steps[0] has no result"),
        (b'{"steps": [{"step": [], "planned": 0, "inputs": 0, "status": "completed", "result": 0}]}', "are no texts"),
        (b'{"steps": [{"step": "a", "planned": 0, "inputs": {}, "status": "completed", "result": NaN}]}',
         "steps[0] holds a number that is NaN"),
        (b"\xff", "it is no text in UTF-8: invalid start byte at byte 0"),
    ],
)  # fmt: skip
def test_a_log_that_cannot_be_read_stops_a_plan_and_stays(
    small_home: Path, tmp_path: Path, content: bytes, problem: str
) -> None:
    file, log = (
        written(tmp_path / "plan.json", [{"name": "search_venue_id", "params": {"name": "X"}}]),
        tmp_path / "log",
    )
    log.write_bytes(content)
    error = machine("aise", "run-plan", file, "--corpus", "world", "--log", log, code=2)["error"]
    assert error["what"].startswith(f"the log {log} cannot be read (")
    assert problem in error["what"]
    assert error["mend"].startswith("remove or rename the log")
    assert log.read_bytes() == content


def test_a_log_is_no_folder_and_lies_in_one_that_is_there(small_home: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "plan.json", [{"name": "search_venue_id", "params": {"name": "X"}}])
    for log, problem in ((tmp_path, "Is a directory"), (tmp_path / "a" / "b", "No such file or directory")):
        error = machine("aise", "run-plan", file, "--corpus", "world", "--log", log, code=2)["error"]
        assert error["what"] == f"the log {log} cannot be read ({problem})"


def test_steps_that_never_run_are_told(small_home: Path, tmp_path: Path) -> None:
    plan = [
        {"name": "search_author_id", "rely": ["search_org_id"], "order": 1, "params": {}},
        {"name": "search_org_id", "rely": ["search_author_id"], "order": 2, "params": {}},
        {"name": "search_venue_id", "rely": ["nobody"], "order": 1, "params": {}},
    ]
    result = scholar_env_cli("aise", "run-plan", written(tmp_path / "plan.json", plan), "--corpus", "world")
    assert result.exit_code == 1
    assert "search_venue_id" in result.output
    assert "Traceback" not in result.output


def test_a_plan_runs_on_an_api_of_ones_own_which_fails_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_api.py").write_text(
        "tries = []\n"
        "def call(api, params):\n"
        "    tries.append((api, params))\n"
        "    if len(tries) % 3:\n"
        "        raise ConnectionError('reset')\n"
        "    return {'success': True, 'data': [{'id': 'v1'}]}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(POLICIES, "released", replace(POLICIES["released"], backoff_s=()))
    plan = [{"name": "search_venue_id", "rely": [], "order": 1, "params": {"name": "X"}}]
    on_own = ("aise", "run-plan", written(tmp_path / "plan.json", plan), "--api", "own_api:call")
    (tried,) = machine(*on_own, "--policy", "released")["steps"]
    assert tried["result"] == {"success": True, "data": [{"id": "v1"}]}
    assert import_module("own_api").tries == [("search_venue_id", {"name": "X"})] * 3
    (once,) = machine(*on_own, code=1)["steps"]
    assert once["result"]["error"] == "api_failed"
    assert once["result"]["msg"] == "search_venue_id: ConnectionError: reset"
    for arguments, what in (
        (("--policy", "twice"), "--policy 'twice'"),
        (("--policy", "released", "--upstream"), "--policy released with --upstream"),
        (("--corpus", "world"), "--api own_api:call and --corpus world"),
        (("--api", "own_api:none"), "--api='own_api:none' cannot be imported"),
    ):
        assert what in machine(*on_own, *arguments, code=2)["error"]["what"]


NO_RESULTS = {
    "a_set": ("return {1}", "its result holds a value of type set"),
    "nan": ("return {'data': [float('nan')]}", "its result holds a number that is NaN"),
    "surrogate": ("return '\\ud800'", "its result holds a string with a lone surrogate"),
    "keys": ("return {1: 2, 'a': 3}", "its result holds a key of type int"),
    "cycle": ("found = []; found.append(found); return found", "its result holds values nested deeper than 32 levels"),
    "deep": ("return eval('[' * 90 + ']' * 90)", "its result holds values nested deeper than 32 levels"),
    "nothing": ("params['ids'].append({1}); return None", "it returned None"),
    "leaves": ("raise SystemExit(3)", "SystemExit: 3"),
    "mute": ("raise Mute", "Mute: its message cannot be told"),
    "plain": ("raise Exception('odd')", "Exception: odd"),
}


def test_whatever_an_api_of_ones_own_does_its_steps_fail_and_the_log_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "\n".join(f"    if api == {name!r}:\n        {what}" for name, (what, _) in NO_RESULTS.items())
    (tmp_path / "odd_api.py").write_text(
        "class Mute(Exception):\n    def __str__(self): raise self\n"
        f"def call(api, params):\n{body}\n    return ['good'] if api == 'listed' else 'good'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plan = [{"name": name, "params": {"ids": ["x"]}} for name in (*NO_RESULTS, "listed", "text")]
    file, log = written(tmp_path / "plan.json", plan), tmp_path / "log.json"
    for policy in ("once", "released"):
        monkeypatch.setitem(POLICIES, "released", replace(POLICIES["released"], backoff_s=()))
        told = ("aise", "run-plan", file, "--api", "odd_api:call", "--log", log, "--policy", policy)
        found = machine(*told, code=1)
        assert json.loads(log.read_text(encoding="utf-8")) == found
        steps = {step["step"]: step for step in found["steps"]}
        for name, (_, message) in NO_RESULTS.items():
            assert (steps[name]["status"], steps[name]["result"]["error"]) == ("failed", "api_failed")
            assert steps[name]["result"]["msg"].startswith(f"{name}: {message}")
            assert steps[name]["inputs"] == {"ids": ["x"]}
        assert (steps["listed"]["result"], steps["text"]["result"]) == (["good"], "good")
    upstream = machine("aise", "run-plan", file, "--api", "odd_api:call", "--log", log, "--upstream", code=1)
    assert [step["status"] for step in upstream["steps"]] == ["failed"] * len(NO_RESULTS) + ["completed"] * 2


@pytest.mark.parametrize("options", [(), ("--policy", "released"), ("--steps",), ("--upstream",)])
def test_an_interrupted_plan_leaves_the_log_of_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    (tmp_path / "broken_off.py").write_text(
        "asked = []\n"
        "def call(api, params):\n"
        "    asked.append(api)\n"
        "    if api == 'b' and asked.count('b') == 1:\n"
        "        raise KeyboardInterrupt\n"
        "    return 'good'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_off", raising=False)
    plan = [{"name": name, "rely": rely, "order": 1} for name, rely in (("a", []), ("b", ["a"]), ("c", ["b"]))]
    file, log = written(tmp_path / "plan.json", plan), tmp_path / "log.json"
    arguments = ("aise", "run-plan", file, "--api", "broken_off:call", "--log", log, *options)
    assert scholar_env_cli(*arguments).exit_code == 130
    assert [(step["step"], step["status"]) for step in json.loads(log.read_text())["steps"]] == [("a", "completed")]
    again = machine(*arguments)["steps"]
    assert [step["kept"] for step in again] == ["--upstream" not in options, False, False]


@pytest.mark.parametrize("value", ["NaN", '"\\ud800"', "[" * 40 + "]" * 40])
def test_a_plan_that_no_log_could_hold_is_refused_before_a_call(tmp_path: Path, value: str) -> None:
    (tmp_path / "plan.json").write_text(f'[{{"name": "a", "params": {{"size": {value}}}}}]')
    error = machine("aise", "run-plan", tmp_path / "plan.json", "--api", "json:dumps", code=2)["error"]
    assert error["what"].startswith(f"the plan of {tmp_path / 'plan.json'} holds ")
