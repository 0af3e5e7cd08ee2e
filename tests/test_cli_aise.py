"""``scholar-env aise`` and ``scholar-env judge`` on a small world, and the released files where they are at hand."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from scholar_env.aise_files import read_tasks
from scholar_env.corpus import resolve_corpus
from scholar_env.episode.aise.executor import POLICIES
from scholar_env.rollout.reader import read_run
from scholar_env.rollout.runner import run as play
from scholar_env.task_set import task_set_of
from tests.test_cli import machine, scholar_env_cli

DATA = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data")) / "aise"
released = pytest.mark.skipif(not (DATA / "question150.json").is_file(), reason=f"needs the data in {DATA}")


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def prediction(**changes: Any) -> dict[str, Any]:
    task = _first()
    details = task.details
    summary = json.dumps({"answer": details["answer"], "reference": details["reference"]}, ensure_ascii=False)
    record = {
        "id": task.id, "question": task.question, "plan": list(details["plan"]),
        "execution_result": [details["inputs"], details["outputs"]], "summary": summary,
    }  # fmt: skip
    return {**record, **changes}


def _first() -> Any:
    tasks = task_set_of(resolve_corpus("world"), "aise")
    return tasks.tasks.get(tasks.subsets["all"][0])


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


def test_a_prediction_file_is_checked_and_scored(small_home: Path, tmp_path: Path) -> None:
    good = prediction()
    assert machine("aise", "check", written(tmp_path / "good.json", [good]), "--corpus", "world")["findings"] == []
    invented = json.dumps({"answer": "X[1] and Y[3].", "reference": {"[1]": "https://www.aminer.cn/pub/" + "0" * 24}})
    bad = prediction(summary=invented)
    found = machine("aise", "check", written(tmp_path / "bad.json", [good, bad]), "--corpus", "world", code=1)
    assert found["n_records"] == 2
    assert {finding["line"] for finding in found["findings"]} == {2}
    assert all(finding["mend"] for finding in found["findings"])
    assert "id" in {finding["field"] for finding in found["findings"]}
    means = machine("aise", "score", tmp_path / "good.json", "--corpus", "world")["means"]
    assert means["link_f1"] == means["format"] == means["parameter_accuracy"] == 1.0
    assert machine("aise", "score", tmp_path / "bad.json", "--corpus", "world")["n"] == 1  # the last of an id


def test_a_run_is_judged_by_overlap_and_reported(small_home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    play("AISEBench-All-v0", "oracle", out=folder, corpus="world", tasks=3)
    found = machine("judge", folder, "--quiet")
    assert "correctness" in json.dumps(found)
    report = scholar_env_cli("report", folder)
    assert report.exit_code == 0, report.output
    assert "link_f1" in report.stdout or "F1" in report.stdout


@pytest.mark.parametrize("agent", ["oracle", "stepwise", "template-planner", "random"])
def test_a_run_written_as_predictions_scores_what_it_scored(small_home: Path, tmp_path: Path, agent: str) -> None:
    folder, file = tmp_path / "run", tmp_path / "predictions.json"
    play("AISEBench-Test-v0", agent, out=folder, corpus="world")
    assert machine("aise", "predictions", folder, file)["n"] == 39
    checked = json.loads(scholar_env_cli("aise", "check", file, "--corpus", "world", "--json").stdout)
    assert checked["n_records"] == 39
    assert checked["findings"] == [] or agent != "oracle"
    scored = machine("aise", "score", file, "--corpus", "world")
    found = scored["questions"]
    averages = machine("report", folder)["rows"][0]["averages"]
    for name in ("fuzzy_parameter_f1_micro", "f1_lm_of_means"):
        assert scored["means"][name] == pytest.approx(averages[name], abs=1e-12)
    for episode in read_run(folder).episodes:
        row = found[episode.task_id]
        shared = {name: value for name, value in episode.metrics.items() if name in row}
        assert len(shared) > 15
        assert {name: row[name] for name in shared} == pytest.approx(shared, abs=1e-12), episode.task_id


def test_predictions_are_of_this_benchmark(small_home: Path, tmp_path: Path) -> None:
    play("ScholarGym-All-v0", "direct", out=tmp_path / "run", corpus="world", tasks=1)
    result = scholar_env_cli("aise", "predictions", tmp_path / "run", tmp_path / "p.json")
    assert result.exit_code == 2
    assert "holds episodes of scholargym\n  rule: predictions are made of runs of AISE-Bench" in result.output


@released
def test_released_questions_and_gold_records_are_read() -> None:
    questions = read_tasks(DATA / "question150.json")
    assert len(questions) == 150
    assert questions[0].question.startswith("研究Tensor Factorization")
    gold = read_tasks(DATA / "gold_sample_hand_cut.json")
    assert len(gold) == 2
    assert all(task.details["plan"] for task in gold)
    kept = json.dumps([dict(task.details) for task in gold], ensure_ascii=False, default=dict)
    assert not any(field in kept for field in ('"email"', '"phone"', '"homepage"', '"gender"', '"avatar"'))


@released
def test_a_gold_record_scored_against_itself_is_right(tmp_path: Path) -> None:
    gold = DATA / "gold_sample_hand_cut.json"
    rows = json.loads(gold.read_text(encoding="utf-8"))
    made = [{
        "id": row["qid"], "question": row["question"], "plan": row["planning_text"],
        "execution_result": [row["api_input"], row["api_output"]],
        "summary": json.dumps(row["result_edit"], ensure_ascii=False)
        if not isinstance(row["result_edit"], str) else row["result_edit"],
    } for row in rows]  # fmt: skip
    means = machine("aise", "score", written(tmp_path / "p.json", made), "--gold", gold)["means"]
    assert means["link_f1"] == 1.0
    assert means["plan_levenshtein"] == 0.0
