"""A remote index that fails: the episodes say so, count as nothing, and are played again by resume."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scholar_env.cli import app
from scholar_env.rollout.export import export
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import RunResult, run
from scholar_env.study.summary import IncompleteRunError, usable_episodes

ENV_ID = "ScholarGym-All-v0"
INDEX = '''
from pathlib import Path

def make(corpus):
    return Flaky(corpus.sparse_index(engine="numpy"))

class Flaky:
    """Fails for every third query, by its length, until a file says that all is well."""

    def __init__(self, index):
        self.index, self.engine, self.fingerprint = index, "flaky", index.fingerprint
        self.n_documents = index.n_documents

    def search(self, query, k, **options):
        if len(query) % 3 == 0 and not Path(__file__).with_name("well").exists():
            raise ConnectionError("the index is away")
        return self.index.search(query, k, **options)

    def search_batch(self, requests):
        raise NotImplementedError
'''
KWARGS = {"retriever": "flaky_index:make", "retry_delay": 0.0}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "flaky_index.py").write_text(INDEX, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "flaky_index", raising=False)
    return tmp_path


def flaky_run(folder: Path, **options: Any) -> RunResult:
    return run(ENV_ID, "direct", out=folder, corpus="toy", tasks=12, kwargs=KWARGS, **options)


def test_failed_episodes_are_told_left_out_and_played_again(place: Path) -> None:
    flaky_run(place / "run")
    episodes = list(read_episodes(place / "run"))
    failed = [found for found in episodes if found.end.failure_kind == "infrastructure"]
    assert 0 < len(failed) < 12
    for found in failed:
        assert found.end.stop_reason == "infrastructure"
        assert found.end.mask_sample
        assert found.end.total_reward == 0.0
        assert found.steps[-1].truncated
        assert found.steps[-1].retrieval == []
    with pytest.raises(IncompleteRunError, match="ended by an infrastructure failure"):
        usable_episodes(read_run(place / "run"))
    assert export(place / "run", place / "chat", "chat", allow_code=True) == 12 - len(failed)
    assert replay(place / "run", allow_code=True).findings == ()

    (place / "well").touch()
    again = flaky_run(place / "run", resume=True)
    assert again.n_played == len(failed)
    peaceful = flaky_run(place / "peaceful")
    assert (again.folder / "rollouts.jsonl").read_bytes() == (peaceful.folder / "rollouts.jsonl").read_bytes()
    assert len(usable_episodes(read_run(again.folder))[0]) == 12
    assert flaky_run(place / "run", resume=True).n_played == 0


def test_the_command_ends_with_the_code_of_infrastructure(place: Path) -> None:
    arguments = ["run", ENV_ID, "--corpus", "toy", "--tasks", "12", "--out", str(place / "run"), "--json"]
    arguments += ["--set", "retriever=flaky_index:make", "--set", "retry_delay=0.0"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 3
    assert "--resume plays them again" in result.stderr
    found = json.loads(result.stdout)
    assert found["n_failed"] > 0
    (place / "well").touch()
    result = CliRunner().invoke(app, [*arguments, "--resume"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["n_played"] == found["n_failed"]
