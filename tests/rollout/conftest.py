"""Small recorded runs on the toy corpus, each made once a session and copied for tests that change files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scholar_env.rollout.runner import run

ENV_ID = "ScholarGym-TestFast-v0"
RunFactory = Callable[..., Path]


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> RunFactory:
    """Returns a function that records a run of an agent (once per agent and arguments)."""
    made: dict[str, Path] = {}

    def record(agent: str = "random", *, tasks: int = 3, env_id: str = ENV_ID, **kwargs: object) -> Path:
        key = f"{agent} {tasks} {env_id} {kwargs}"
        if key not in made:
            folder = tmp_path_factory.mktemp("run") / "run"
            run(env_id, agent, out=folder, corpus="toy", tasks=tasks, kwargs=kwargs, seed=7)
            made[key] = folder
        return made[key]

    return record


@pytest.fixture
def copied(recorded: RunFactory, tmp_path: Path) -> RunFactory:
    """Returns a function that gives a copy of a recorded run, to be damaged."""

    def copy(agent: str = "random", **kwargs: object) -> Path:
        target = tmp_path / "copy"
        shutil.copytree(recorded(agent, **kwargs), target)
        return target

    return copy
