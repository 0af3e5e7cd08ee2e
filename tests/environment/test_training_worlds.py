"""Training on a pool of worlds: the environment takes on the corpus of the task, whatever is saved or replayed."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import scholar_env
from scholar_env.agents.scholargym_random import ScholarGymRandomAgent
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.tasks import train_task
from scholar_env.corpus import resolve_corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.errors import InvalidOptionError, StateError, TaskNotFoundError
from scholar_env.rollout.reader import read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.study.report import build_report

ID = "ScholarGym-Train-v0"

pytestmark = pytest.mark.usefixtures("small_home")


def make(**options: Any) -> ScholarEnv:
    env = gymnasium.make(ID, **{"corpus": "world", "train_worlds": 2, **options}).unwrapped
    assert isinstance(env, ScholarEnv)
    return env


def play(env: ScholarEnv, task_id: str, n: int, seed: int = 0) -> list[str]:
    agent = ScholarGymRandomAgent(env.action_space.tools)
    agent.reset(seed)
    observation, info = env.reset(options={"task_id": task_id})
    seen = [json.dumps([observation, info["corpus"]["name"]])]
    for _ in range(n):
        observation, reward, terminated, truncated, info = env.step(agent.act(observation))
        seen.append(json.dumps([observation, reward, info["corpus"]["name"]]))
        if terminated or truncated:
            break
    return seen


def test_the_corpus_goes_with_the_task() -> None:
    env = make()
    for task_id, name in (("w0-3", "world-train-0"), ("w1-3", "world-train-1"), ("w0-4", "world-train-0")):
        observation, info = env.reset(options={"task_id": task_id})
        corpus = resolve_corpus(name)
        assert info["task_id"] == task_id
        assert (info["corpus"]["name"], info["corpus"]["fingerprint"]) == (name, corpus.fingerprint)
        assert env.corpus is corpus
        assert env.index.fingerprint == corpus.sparse_index().fingerprint
        expected = replace(train_task(load_world(corpus), int(task_id[3:])), id=task_id)
        assert env.episode.task == expected
        assert observation["question"] == expected.question
        observation, *_ = env.step({"name": "derive", "arguments": {"source": 0, "text": expected.question, "k": 5}})
        assert observation["results"]
        for result in observation["results"]:
            row = corpus.row_of(result["paper"])
            assert row is not None
            assert corpus.title(row) == result["title"]


def test_tasks_are_endless_and_seeds_find_them() -> None:
    env = make()
    assert env.tasks[:3] == ("w0-0", "w1-0", "w0-1")
    names = [env.reset(seed=seed)[1]["task_id"] for seed in range(6)]
    assert [env.seed_for(name) for name in names] == list(range(6))
    assert {name[:2] for name in names} == {"w0", "w1"}
    env.reset(seed=1)
    assert env.reset()[1]["task_id"] == names[2]
    with pytest.raises(TaskNotFoundError, match="'w2-0' is not in this environment's endless task set"):
        env.reset(options={"task_id": "w2-0"})
    with pytest.raises(InvalidOptionError, match="has no length"):
        len(env.tasks)


def test_a_state_leads_back_to_its_corpus() -> None:
    env = make()
    play(env, "w1-5", 4)
    saved = json.loads(json.dumps(env.get_state()))
    assert saved["corpus"] == resolve_corpus("world-train-1").fingerprint
    env.reset(options={"task_id": "w0-5"})
    env.set_state(saved)
    assert env.corpus.name == "world-train-1"
    assert json.loads(json.dumps(env.get_state())) == saved
    twin = make()
    twin.set_state(saved)
    call = {"name": "derive", "arguments": {"source": 0, "text": env.episode.task.question}}
    assert json.dumps(twin.step(call)[0]) == json.dumps(env.step(call)[0])
    with pytest.raises(StateError, match=r"The state is of corpus .*this environment is of corpus"):
        twin.set_state({**saved, "task_id": "w0-5"})


def test_copies_go_on_alike() -> None:
    env = make()
    play(env, "w1-8", 3)
    for twin in (pickle.loads(pickle.dumps(env)), env.fork()):
        assert twin.corpus is env.corpus
        assert play(twin, "w0-9", 6) == play(env, "w0-9", 6)
        env.reset(options={"task_id": "w1-8"})


def test_a_training_world_alone_serves_its_own_tasks() -> None:
    env = make(corpus="world-train-1")
    assert env.tasks[:2] == ("w1-0", "w1-1")
    assert env.corpus_identity["name"] == "world-train-1"
    assert play(env, "w1-4", 8) == play(make(), "w1-4", 8)


def test_without_training_worlds_the_world_serves_its_training_split() -> None:
    env = make(train_worlds=0)
    assert tuple(env.tasks) == resolve_corpus("world").subsets()["train"]
    assert env.corpus.name == "world"


def test_a_subset_may_name_tasks_of_several_worlds() -> None:
    env = make(subset=["w1-2", "w0-2", "w1-9"])
    assert len(env.tasks) == 3
    infos = [env.reset(seed=seed)[1] for seed in range(3)]
    assert {info["task_id"] for info in infos} == {"w1-2", "w0-2", "w1-9"}
    assert {info["corpus"]["subset_origin"] for info in infos} == {"user"}
    with pytest.raises(TaskNotFoundError, match="w5-0"):
        make(subset=["w5-0"])


def test_training_tasks_are_not_those_of_the_test_world() -> None:
    test = {task.question for task in resolve_corpus("world").tasks()}
    world = load_world(resolve_corpus("world-train-0"))
    train = [train_task(world, number) for number in range(60)]
    assert len({task.question for task in train}) > 50
    assert test.isdisjoint(task.question for task in train)
    corpus = resolve_corpus("world-train-0")
    assert all(task.gold and all(corpus.row_of(paper) is not None for paper in task.gold) for task in train)


@pytest.mark.parametrize("mode", ["threads", "sync"])
def test_vector_environments_share_out_the_tasks(mode: str) -> None:
    vector = scholar_env.make_vec(ID, 3, mode, corpus="world", train_worlds=2)
    _, info = vector.reset()
    order = make()
    assert list(info["task_id"]) == [order.reset(seed=seed)[1]["task_id"] for seed in range(3)]
    names = [f"world-train-{task_id[1]}" for task_id in info["task_id"]]
    assert list(info["corpus"]["name"]) == names
    vector.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_over_the_pool_is_resumed_reported_and_replayed(tmp_path: Path, workers: int) -> None:
    kwargs = {"train_worlds": 2}
    given: dict[str, Any] = {"out": tmp_path / "run", "corpus": "world", "kwargs": kwargs, "seed": 3}
    if workers == 2:  # workers are new processes, which know the small pool by its files alone
        given["tasks"] = ["w0-1", "w1-1", "w1-2", "w0-2"]
    else:
        given["tasks"] = 6
    first = run(ID, "random", workers=workers, **given)
    finished = read_run(first.folder)
    assert {episode.corpus["name"] for episode in finished.episodes} == {"world-train-0", "world-train-1"}
    assert len({episode.config_hash for episode in finished.episodes}) == 1
    assert list(first.manifest["corpus"]) == ["pool"]
    assert run(ID, "random", resume=True, **given).n_played == 0
    report = replay(first.folder)
    assert report.findings == ()
    assert report.n_episodes == len(first.manifest["tasks"])
    assert len(build_report([finished]).rows) == 1


def test_an_endless_run_wants_a_number_of_tasks(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"has no length and no last task.*--tasks N"):
        run(ID, "random", out=tmp_path / "run", corpus="world", kwargs={"train_worlds": 2})


def test_a_subset_over_the_pool_is_replayed_corpus_by_corpus(tmp_path: Path) -> None:
    kwargs = {"train_worlds": 2, "subset": ["w0-5", "w1-5"]}
    done = run(ID, "direct", out=tmp_path / "run", corpus="world", kwargs=kwargs)
    report = replay(done.folder)
    assert report.findings == ()
    assert report.n_episodes == 2
