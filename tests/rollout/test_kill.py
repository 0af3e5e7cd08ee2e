"""Ten real kills at random moments of one run: it goes on each time, to the same end as one left in peace."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from scholar_env.rollout.episodes import whole_episodes
from scholar_env.rollout.integrity import check_folder
from scholar_env.rollout.reader import read_episodes
from scholar_env.rollout.replay import replay

AGENT = """
import time
from scholar_env.agents.scholargym_random import ScholarGymRandomAgent

class Slow(ScholarGymRandomAgent):
    def act(self, observation):
        time.sleep(0.004)
        return super().act(observation)
"""
MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job starts with it ignored
from scholar_env.cli import main
main()
"""
TASKS = 16
PATIENCE_S = 120.0

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such signals")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "slow_agent.py").write_text(AGENT, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}


def start(folder: Path, workers: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", MAIN, "run", "ScholarGym-All-v0", "--agent", "slow_agent:Slow"]
    command += ["--set", "index_engine=numpy"]  # starts sooner
    command += ["--corpus", "toy", "--tasks", str(TASKS), "--workers", str(workers), "--out", str(folder), "--resume"]
    return subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def recorded_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("rollouts*.jsonl")) if folder.is_dir() else 0


def has_bytes(folder: Path, size: int) -> bool:
    return recorded_bytes(folder) >= size


def has_an_episode(folder: Path) -> bool:
    """Whether a whole episode is recorded: its first bytes are there before its last."""
    return any(True for path in folder.glob("rollouts*.jsonl") for _ in whole_episodes(path))


def wait_for(reached: Callable[[], bool], process: subprocess.Popen[bytes]) -> bool:
    """Waits until the run has come so far; False when it ended before."""
    deadline = time.monotonic() + PATIENCE_S
    while not reached() and process.poll() is None:
        assert time.monotonic() < deadline, "the run hangs"
        time.sleep(0.001)
    return process.poll() is None


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, error = process.communicate(timeout=PATIENCE_S)
    return process.returncode, error.decode()


def test_ten_kills(tmp_path: Path, environment: dict[str, str]) -> None:
    peaceful = start(tmp_path / "peaceful", 1, environment)
    assert finish(peaceful) == (0, "")
    expected = (tmp_path / "peaceful" / "rollouts.jsonl").read_bytes()
    draws = random.Random(1)
    folder = tmp_path / "killed"
    n_kills = 0
    for number in range(10):
        process = start(folder, 1 + number % 2, environment)
        size = recorded_bytes(folder) + draws.randrange(len(expected) // 12)
        if wait_for(partial(has_bytes, folder, size), process):
            time.sleep(draws.random() * 0.02)
            n_kills += 1
            if number % 4 < 2:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()  # the parent alone: its workers must notice
        process.communicate(timeout=PATIENCE_S)
    assert n_kills >= 5
    assert finish(start(folder, 2, environment)) == (0, "")
    assert (folder / "rollouts.jsonl").read_bytes() == expected
    assert check_folder(folder)[1] == []
    assert sorted(path.name for path in folder.iterdir() if path.suffix) == [
        "rollouts.jsonl", "rollouts.parquet", "run.json",
    ]  # fmt: skip
    assert replay(folder).agrees


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_leaves_a_run_that_can_go_on(workers: int, tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "run"
    process = start(folder, workers, environment)
    assert wait_for(partial(has_an_episode, folder), process)
    os.killpg(process.pid, signal.SIGINT)
    code, error = finish(process)
    assert code == 130
    assert f"the same command with --resume goes on with {folder}" in error
    assert "Traceback" not in error
    assert 0 < len(list(read_episodes(folder))) < TASKS
    assert finish(start(folder, workers, environment))[0] == 0
    assert len(list(read_episodes(folder))) == TASKS
