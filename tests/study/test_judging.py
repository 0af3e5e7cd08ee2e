"""Judging recorded runs of every family, without a model and by one, and what reports show of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scholar_env.errors import InvalidOptionError, RolloutFormatError
from scholar_env.rollout.runner import run
from scholar_env.study.judged_runs import judged_file, read_judged
from scholar_env.study.judging import JUDGED, judge_run
from tests.metrics.test_judge_server import FakeServer, said, server
from tests.test_cli import machine, scholar_env_cli

__all__ = ["server"]


def played(env_id: str, out: Path, agent: str = "oracle", tasks: int = 3) -> Path:
    return run(env_id, agent, out=out, corpus="world", tasks=tasks).folder


@pytest.mark.usefixtures("small_home")
@pytest.mark.parametrize(
    ("env_id", "criteria", "least"),
    [
        ("SciNet-Novelty-v0", {"novelty"}, 8.0),
        ("SciNet-CiteSentiment-v0", {"sentiment"}, 0.6),
        ("SciNet-Path-v0", {"rationality"}, 9.0),
        ("CompLit-Standard-v0", {"fit"}, 1.0),
        ("AISEBench-Test-v0", {"correctness", "completeness_coverage", "completeness_task", "faithfulness"}, 1.0),
    ],
)
def test_right_answers_are_rated_high_without_a_model(
    env_id: str, criteria: set[str], least: float, tmp_path: Path
) -> None:
    found = judge_run(played(env_id, tmp_path / "run"), None)
    assert (found.judge, len(found.episodes), found.n_left_out) == ("own", 3, 0)
    assert set(found.criteria) == criteria
    assert all(found.means()[name] >= least for name in criteria)


@pytest.mark.usefixtures("small_home")
def test_what_there_is_nothing_to_judge_about_is_left_out(tmp_path: Path) -> None:
    unmet = judge_run(played("CompLit-Unmet-v0", tmp_path / "unmet"), None)
    assert (unmet.episodes, unmet.n_left_out, unmet.means()) == ((), 3, {})
    together = judge_run(played("SciNet-CoMention-v0", tmp_path / "together"), None)
    assert (len(together.episodes), together.n_left_out) == (0, 3)


@pytest.mark.usefixtures("small_home")
@pytest.mark.parametrize(
    ("env_id", "criterion", "shown"),
    [
        ("SciNet-Disruption-v0", "disruption", "a number from 0 to 10"),
        ("SciNet-CiteSentiment-v0", "sentiment", '"neutral" | "positive" | "negative"'),
        ("CompLit-Standard-v0", "fit", "a number from 0 to 1"),
    ],
)
def test_a_model_judges_every_family(
    server: FakeServer, env_id: str, criterion: str, shown: str, tmp_path: Path
) -> None:
    folder = played(env_id, tmp_path / "run", tasks=2)
    server.script = [said('{"rating": 1, "label": "positive", "reason": "so it is"}')]
    options = ("--judge", "openai", "--base-url", f"http://127.0.0.1:{server.server_port}/v1", "--model", "m", "-q")
    found = machine("judge", folder, *options)
    assert found["means"] == {criterion: 1.0}
    assert all(shown in body["messages"][1]["content"] for body, _ in server.asked)
    asked = len(server.asked)
    assert machine("judge", folder, *options) == found
    assert machine("judge", folder, "--judge", "recorded", "-q") == found
    assert len(server.asked) == asked  # kept beside the run


@pytest.mark.usefixtures("small_home")
def test_a_report_shows_what_judges_said(server: FakeServer, tmp_path: Path) -> None:
    folder = played("AISEBench-Test-v0", tmp_path / "run")
    machine("judge", folder, "-q")
    server.script = [said('{"rating": 0.5}')]
    address = f"http://127.0.0.1:{server.server_port}/v1"
    machine("judge", folder, "--judge", "openai", "--base-url", address, "--model", "m", "-q")
    judged = machine("report", folder)["judged"]
    assert [(entry["run"], entry["n"], entry["stale"]) for entry in judged] == [("run", 3, False)] * 2
    means = {entry["judge"].partition(" ")[0]: entry["means"] for entry in judged}
    assert means["own"]["f1_lm_of_means"] == 1.0
    assert {means[name]["faithfulness"] for name in means if name != "own"} == {0.5}
    text = scholar_env_cli("report", folder, "--format", "markdown").stdout
    table = text.split("## Judges")[1].split("##")[0]
    assert "| run | judge | judged | completeness\\_coverage |" in table
    assert "| run | own | 3 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |" in table
    assert "judged another state" not in text
    path = folder / judged_file("own")
    content = json.loads(path.read_text())
    content["episodes"][0]["task_id"] = "another"
    path.write_text(json.dumps(content))
    assert "own judged another state of run: judge it again" in scholar_env_cli("report", folder).stdout
    path.write_text("{}")
    with pytest.raises(RolloutFormatError, match=r"judged-own\.json holds no ratings of a run"):
        read_judged(folder, "run", ())


@pytest.mark.usefixtures("small_home")
def test_a_family_that_nothing_is_judged_about_is_refused(tmp_path: Path) -> None:
    folder = run("ScholarGym-All-v0", "direct", out=tmp_path / "run", corpus="world", tasks=1).folder
    with pytest.raises(InvalidOptionError, match=f"judged are those of {', '.join(JUDGED)}"):
        judge_run(folder, None)
