"""``scholar-env aise`` and ``scholar-env judge`` on a small world, and the released files where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scholar_env.aise_files import read_tasks
from scholar_env.corpus import resolve_corpus
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
