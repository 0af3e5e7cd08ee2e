"""Workers: the same results whatever their number, tasks once each, deaths noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scholar_env.agents.base import AgentError
from scholar_env.environment.registry import CARDS
from scholar_env.errors import InfrastructureError, InvalidOptionError, TaskNotFoundError
from scholar_env.rollout.reader import read_episodes
from scholar_env.rollout.record import episode_seed
from scholar_env.rollout.runner import run
from scholar_env.rollout.setting import Setting

RunFactory = Callable[..., Path]
ENV_ID = "ScholarGym-All-v0"

AGENT = '''
import os
from pathlib import Path
from typing import Any
from scholar_env.agents.direct import DirectAgent

class Mortal(DirectAgent):
    """Ends its process at the second step of every task with a word in its question: once, or each time."""

    def __init__(self, tools, *, word="", once=True, mark=""):
        super().__init__(tools)
        self.options = {"word": word, "once": once, "k": 10}
        self.mark = mark

    def act(self, observation):
        if self._asked and self.options["word"] in observation["question"]:
            if self.mark == "raise":
                raise ValueError("a bug")
            if not self.options["once"] or not Path(self.mark).exists():
                Path(self.mark).touch()
                os._exit(9)
        return super().act(observation)
'''


@pytest.fixture
def mortal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mortal_agent.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "mortal_agent:Mortal"


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 3):
        run(ENV_ID, "random", out=tmp_path / str(workers), corpus="toy", tasks=10, seed=3, workers=workers)
    one, three = (tmp_path / name / "rollouts.jsonl" for name in ("1", "3"))
    assert one.read_bytes() == three.read_bytes()
    assert (tmp_path / "1" / "rollouts.parquet").read_bytes() == (tmp_path / "3" / "rollouts.parquet").read_bytes()


def test_all_tasks_are_played_once_in_the_order_of_the_release(tmp_path: Path) -> None:
    result = run(ENV_ID, "direct", out=tmp_path / "run", corpus="toy", workers=2)
    env = Setting(ENV_ID, {}, "toy").make_env()
    assert [found.header.task_id for found in read_episodes(result.folder)] == list(env.tasks)
    assert result.n_played == len(env.tasks)


def test_a_number_of_tasks_takes_the_first_of_the_environments_order(tmp_path: Path) -> None:
    env = Setting(ENV_ID, {"task_seed": 5}, "toy").make_env()
    result = run(ENV_ID, "direct", out=tmp_path / "run", corpus="toy", tasks=4, seed=9, kwargs={"task_seed": 5})
    assert [env.seed_for(task) for task in result.manifest["tasks"]] == [0, 1, 2, 3]


def test_more_workers_than_tasks(tmp_path: Path) -> None:
    assert run(ENV_ID, "direct", out=tmp_path / "run", corpus="toy", tasks=1, workers=4).n_played == 1


def test_seeds_of_episodes_depend_on_run_seed_and_task_alone() -> None:
    assert episode_seed(0, "toy-q1") == episode_seed(0, "toy-q1")
    assert len({episode_seed(seed, task) for seed in range(5) for task in ("a", "b")}) == 10
    assert 0 <= episode_seed(-1, "é\ud800") < 2**31


def question_word(task: str) -> str:
    env = Setting(ENV_ID, {}, "toy").make_env()
    return str(env.corpus.tasks().get(task).question)


def test_a_worker_that_dies_is_replaced_and_its_task_handed_out_again(mortal: str, tmp_path: Path) -> None:
    plain = run(ENV_ID, mortal, out=tmp_path / "plain", corpus="toy", tasks=8, agent_options={"word": "\n"})
    word = question_word(plain.manifest["tasks"][3])
    options = {"word": word, "mark": str(tmp_path / "died")}
    dying = run(ENV_ID, mortal, out=tmp_path / "dying", corpus="toy", tasks=8, agent_options=options, workers=2)
    assert (tmp_path / "died").exists()
    stories = [
        [[step.call for step in found.steps] for found in read_episodes(result.folder)] for result in (plain, dying)
    ]
    assert stories[0] == stories[1]


def test_a_task_that_kills_every_worker_ends_the_run_which_can_go_on(mortal: str, tmp_path: Path) -> None:
    env = Setting(ENV_ID, {}, "toy").make_env()
    deadly = env.tasks[2]
    options = {"word": question_word(deadly), "once": False, "mark": str(tmp_path / "died")}
    with pytest.raises(InfrastructureError, match=f"two workers died over task '{deadly}'.*exit code 9.*--resume"):
        run(
            ENV_ID,
            mortal,
            out=tmp_path / "run",
            corpus="toy",
            tasks=list(env.tasks[:6]),
            agent_options=options,
            workers=2,
        )
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["status"] == "running"
    assert deadly not in {found.header.task_id for found in read_episodes(tmp_path / "run")}


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_agent_is_told_as_such(workers: int, mortal: str, tmp_path: Path) -> None:
    options = {"word": "", "mark": "raise"}
    with pytest.raises(
        AgentError, match=r"agent 'mortal_agent:Mortal' raised ValueError: a bug at step 1 of task 'toy-"
    ):
        run(ENV_ID, mortal, out=tmp_path / "run", corpus="toy", tasks=3, agent_options=options, workers=workers)


def test_a_run_is_never_overwritten(recorded: RunFactory, tmp_path: Path) -> None:
    folder = recorded("direct")
    with pytest.raises(InvalidOptionError, match=r"holds a run already.*--resume"):
        run("ScholarGym-TestFast-v0", "direct", out=folder, corpus="toy", tasks=3)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InvalidOptionError, match=r"is not empty \(it holds notes.txt\)"):
        run(ENV_ID, "direct", out=tmp_path, corpus="toy")


def test_a_finished_run_is_left_alone_by_resume(copied: RunFactory) -> None:
    folder = copied("direct")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    result = run("ScholarGym-TestFast-v0", "direct", out=folder, corpus="toy", tasks=3, seed=7, resume=True)
    assert result.n_played == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"seed": 8}, "seed"),
        ({"tasks": 2}, "tasks"),
        ({"kwargs": {"max_iterations": 2}}, "kwargs"),
        ({"agent_options": {"k": 3}}, "agent_options"),
    ],
)
def test_another_run_cannot_go_on_in_its_place(changes: dict[str, Any], key: str, copied: RunFactory) -> None:
    arguments: dict[str, Any] = {"tasks": 3, "seed": 7, "kwargs": {}, "agent_options": {}, **changes}
    with pytest.raises(InvalidOptionError, match=f"has {key} .*this one"):
        run("ScholarGym-TestFast-v0", "direct", out=copied("direct"), corpus="toy", resume=True, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"workers": 0}, "workers=0"),
        ({"tasks": 0}, "tasks=0"),
        ({"tasks": 41}, "the environment has 40 tasks"),
        ({"kwargs": {"max_iteration": 3}}, "did you mean 'max_iterations'"),
        ({"agent_options": {"results": 3}}, "agent 'direct' has no option 'results'. Rule: its options are k"),
        ({"agent": "nobody"}, "there is no agent 'nobody'"),
        ({"agent": "json:loads"}, "is not a class with the methods reset"),
        ({"agent": "no.such:Thing"}, "cannot be imported"),
        ({"kwargs": {"corpus": "scholargym"}}, "a run has one corpus"),
        ({"env_id": "CartPole-v1"}, "there is no environment 'CartPole-v1'"),
    ],
)
def test_bad_arguments_are_told(arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    call: dict[str, Any] = {
        "env_id": ENV_ID,
        "agent": "direct",
        "out": tmp_path / "run",
        "corpus": "toy",
        **arguments,
    }
    with pytest.raises(InvalidOptionError, match=message):
        run(**call)


def test_an_unknown_task_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskNotFoundError, match="Task 'nothing' is not in this environment"):
        run(ENV_ID, "direct", out=tmp_path / "run", corpus="toy", tasks=["nothing"])


def test_the_prefix_that_imports_the_package_is_taken(tmp_path: Path) -> None:
    result = run(f"scholar_env:{ENV_ID}", "direct", out=tmp_path / "run", corpus="toy", tasks=1)
    assert result.manifest["env_id"] == ENV_ID


def test_ids_are_those_of_the_registry() -> None:
    assert ENV_ID in CARDS
