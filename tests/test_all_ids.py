"""The suite that every registered id passes: ids join by registration, a family by one line in ``tests/families``."""

from __future__ import annotations

import copy
import json
import math
import multiprocessing
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import VectorEnv

import scholar_env
from scholar_env.agents import make_agent
from scholar_env.agents.oracle import GoldAgent
from scholar_env.corpus import Corpus
from scholar_env.environment import registry
from scholar_env.environment.env import ScholarEnv
from scholar_env.environment.task_source import TaskSource
from scholar_env.index.base import Index
from scholar_env.records import Task
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run
from scholar_env.task_set import TaskSet, TaskSetWriter
from tests.families import ending, suite_of

IDS = [
    "AISEBench-All-v0",
    "AISEBench-Test-v0",
    "AISEBench-Train-v0",
    "CompLit-Cumulative-Train-v0",
    "CompLit-Cumulative-v0",
    "CompLit-Implicit-Train-v0",
    "CompLit-Implicit-v0",
    "CompLit-Mixed-Train-v0",
    "CompLit-Mixed-v0",
    "CompLit-Standard-Train-v0",
    "CompLit-Standard-v0",
    "CompLit-Unmet-Train-v0",
    "CompLit-Unmet-v0",
    "ScholarGym-All-v0",
    "ScholarGym-TestFast-v0",
    "ScholarGym-TestHard-v0",
    "ScholarGym-Train-v0",
    "SciNet-CiteSentiment-Train-v0",
    "SciNet-CiteSentiment-v0",
    "SciNet-CoMention-Train-v0",
    "SciNet-CoMention-v0",
    "SciNet-Disruption-Train-v0",
    "SciNet-Disruption-v0",
    "SciNet-Novelty-Train-v0",
    "SciNet-Novelty-v0",
    "SciNet-Path-Train-v0",
    "SciNet-Path-v0",
]
MODES = ["threads", "sync", "async"]
INFO_KEYS = {
    "task_id", "corpus", "metrics", "reward_terms", "stop_reason", "action_error", "failure_kind", "mask_sample",
    "assisted",
}  # fmt: skip
CORPUS_KEYS = {"name", "fingerprint", "engine", "official", "derived_from", "subset_origin", "tasks"}
every_id = pytest.mark.parametrize("env_id", IDS)

Action = Any
Transition = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


CORPUS = ""
"""What is played on in place of the corpora of the families' suites; at the end some of it plays on the world."""


@pytest.fixture(autouse=True)
def _small_worlds(request: pytest.FixtureRequest) -> None:
    env_id = getattr(request.node, "callspec", None) and request.node.callspec.params.get("env_id")
    if env_id and suite_of(env_id).small_worlds:
        request.getfixturevalue("small_home")


def make(env_id: str, **options: Any) -> ScholarEnv:
    env = gymnasium.make(env_id, corpus=CORPUS or suite_of(env_id).corpus, **{**place_of(env_id), **options}).unwrapped
    assert isinstance(env, ScholarEnv)
    return env


def place_of(env_id: str) -> dict[str, Any]:
    """Arguments without which an id has too many tasks, or takes too long, where it is played."""
    suite = suite_of(env_id)
    return suite.on_world(env_id) if "world" in (CORPUS, suite.corpus) else {}


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()


def drawn_actions(env: ScholarEnv, seed: int, n: int) -> list[Action]:
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(n)]


def walk(env: ScholarEnv, seed: int, n: int) -> Iterator[tuple[bytes, float, bool, bool, bytes]]:
    """Plays a random agent for n steps over as many episodes as it takes, and yields all that was returned."""
    agent = make_agent("random", env.card.family, env.tools)
    agent.reset(seed)
    observation, info = env.reset(seed=seed)
    yield canonical(observation), 0.0, False, False, canonical(info)
    for _ in range(n):
        observation, reward, terminated, truncated, info = env.step(agent.act(observation))
        yield canonical(observation), reward, terminated, truncated, canonical(info)
        if terminated or truncated:
            agent.reset(seed)
            observation, info = env.reset()


def play(env: ScholarEnv, agent: Any, seed: int = 0) -> tuple[list[float], dict[str, Any]]:
    """Plays one episode; returns its rewards and its last info."""
    observation, info = env.reset(seed=seed)
    if agent.needs_gold:
        agent.bind(env.episode.task, env.corpus)
    agent.reset(seed)
    rewards: list[float] = []
    ended = False
    while not ended:
        observation, reward, terminated, truncated, info = env.step(agent.act(observation))
        rewards.append(reward)
        ended = terminated or truncated
    return rewards, info


def test_the_registered_ids_are_exactly_these() -> None:
    ours = [name for name, spec in gymnasium.registry.items() if str(spec.entry_point).startswith("scholar_env.")]
    assert sorted(ours) == IDS
    assert sorted(registry.CARDS) == IDS


@every_id
def test_gymnasiums_checker_finds_nothing(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(env_id))


@every_id
def test_two_environments_with_one_seed_agree_for_fifty_steps(env_id: str) -> None:
    first, second = list(walk(make(env_id), 7, 50)), list(walk(make(env_id), 7, 50))
    assert len(first) == 51
    assert first == second


@every_id
def test_drawn_actions_are_members_and_keep_the_environment_going(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=1)
    codes = set()
    for action in drawn_actions(env, 3, 300):
        assert action in env.action_space
        observation, _, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        codes.add(info["action_error"])
        if terminated or truncated:
            env.reset()
    assert "" in codes
    assert "malformed" not in codes


@every_id
def test_a_pickle_in_mid_episode_goes_on_identically(env_id: str) -> None:
    env = make(env_id)
    actions = _open_an_episode(env)
    twin, third = pickle.loads(pickle.dumps(env)), copy.deepcopy(env)
    assert twin.spec == env.spec
    expected = _go_on(env, actions)
    assert _go_on(twin, actions) == expected
    assert _go_on(third, actions) == expected


@every_id
def test_a_pickle_goes_on_identically_in_a_spawned_process(env_id: str) -> None:
    env = make(env_id)
    actions = _open_an_episode(env)
    frozen = pickle.dumps(env)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(_go_on_from_pickle, frozen, actions).result(120)
    assert there == _go_on(env, actions)


def _open_an_episode(env: ScholarEnv) -> list[Action]:
    """Plays into the middle of an episode and returns actions that go on from there, across its end."""
    return suite_of(env.card.id).opening(env)


def _go_on(env: ScholarEnv, actions: list[Action]) -> list[bytes]:
    steps = [canonical(env.step(action)) for action in actions]
    after = canonical(env.reset())
    return [*steps, after, canonical(env.np_random.random()), canonical(env.action_space.sample())]


def _go_on_from_pickle(frozen: bytes, actions: list[Action]) -> list[bytes]:
    return _go_on(pickle.loads(frozen), actions)


@every_id
def test_a_saved_state_goes_on_identically_and_holds_no_gold(env_id: str) -> None:
    env = make(env_id)
    actions = _open_an_episode(env)
    saved = json.loads(json.dumps(env.get_state()))
    twin, fork = make(env_id), env.fork()
    observation, info = twin.set_state(saved)
    assert canonical([observation, info]) == canonical([env._observe(), env._info()])
    assert canonical(twin.get_state()) == canonical(saved)
    expected = _go_on(env, actions)[:-1]  # the sampler of the action space is not part of the episode
    assert _go_on(twin, actions)[:-1] == expected
    assert _go_on(fork, actions)[:-1] == expected
    seen = [canonical(env.reset(options={"task_id": saved["task_id"]})[0]).decode()]
    seen += [canonical(env.step(call)[0]).decode() for call in saved["episode"]["log"]]
    unseen = [paper for paper in env.episode.task.gold if f'"{paper}"' not in "".join(seen)]
    assert not any(f'"{paper}"' in json.dumps(saved) for paper in unseen)


def own_index(corpus: Corpus) -> Index:
    return corpus.sparse_index(engine="numpy")


def own_task_set(env: ScholarEnv, folder: Path) -> tuple[str, ...]:
    """Makes a task set of an environment's first tasks on one corpus; returns their ids."""
    found: dict[Corpus, list[Task]] = {}
    for task_id in env.tasks[:6]:
        env.reset(options={"task_id": task_id})
        found.setdefault(env.corpus, []).append(env.episode.task)
    corpus, tasks = next(iter(found.items()))
    ids = tuple(task.id for task in tasks[:3])
    family, split = env.card.family, env.card.split
    with TaskSetWriter(folder, name="own", family=family, corpus=corpus, source="tests", licence="none") as writer:
        for task in tasks[:3]:
            writer.add(task)
        writer.finish({split: ids}, {split: "tests"})
    return ids


@every_id
def test_a_task_set_is_played_like_the_benchmarks_own_tasks(env_id: str, tmp_path: Path) -> None:
    own = make(env_id)
    ids = own_task_set(own, tmp_path / "own")
    own.reset(options={"task_id": ids[0]})
    env = gymnasium.make(env_id, corpus=own.corpus.spec, tasks=str(tmp_path / "own")).unwrapped
    assert isinstance(env, ScholarEnv)
    assert tuple(env.tasks) == ids
    for task_id in ids:
        played = []
        for played_env in (own, env):
            observation, info = played_env.reset(options={"task_id": task_id})
            agent = make_agent("random", env.card.family, env.tools)
            agent.reset(1)
            seen = [canonical(observation)]
            for _ in range(6):
                observation, reward, terminated, truncated, info = played_env.step(agent.act(observation))
                seen.append(canonical([observation, reward, info["metrics"]]))
                if terminated or truncated:
                    break
            played.append((seen, {**info["corpus"], "tasks": "", "subset_origin": ""}))
        assert played[0] == played[1]
        assert info["corpus"]["tasks"] == TaskSet.open(tmp_path / "own").fingerprint
        assert info["corpus"]["subset_origin"] == "tests"


@every_id
def test_the_spec_goes_through_json_with_every_argument_at_another_value(env_id: str, tmp_path: Path) -> None:
    suite = suite_of(env_id)
    metric = registry.card(env_id).metrics[0]
    others: dict[str, Any] = {
        "corpus": suite.corpus, "retriever": f"{__name__}:own_index", "index_engine": "numpy", "task_seed": 5,
        "task_stride": 3, "task_start": 2, "reward": {metric: 0.5, "n_calls": 0}, "reward_timing": "terminal",
        "invalid_cost": 0.25, "step_cost": 0.125, "metrics_in_info": "end", "debug": True, **suite.others,
    }  # fmt: skip
    others["subset"] = list(own_task_set(make(env_id), tmp_path / "own"))
    others["tasks"] = str(tmp_path / "own")
    known = {option.name for option in registry.card(env_id).options}
    others = {name: value for name, value in others.items() if name in known}
    options = {option.name: option for option in registry.card(env_id).options if not option.frozen}
    assert others.keys() == options.keys()
    assert all(others[name] != option.default for name, option in options.items())
    env = gymnasium.make(env_id, render_mode="ansi", **others)
    assert env.spec is not None
    again = EnvSpec.from_json(env.spec.to_json())
    assert again == env.spec
    assert (
        cast("Any", gymnasium.make(again).unwrapped).options
        == cast("Any", env.unwrapped).options
        == {
            **{option.name: option.default for option in registry.card(env_id).options},
            **others,
        }
    )


@every_id
@pytest.mark.parametrize("mode", MODES)
def test_every_task_is_visited_once_an_epoch(env_id: str, mode: str) -> None:
    n_envs = 7
    tasks = make(env_id).tasks
    end = ending(make(env_id))
    vector = scholar_env.make_vec(env_id, n_envs, mode, corpus=suite_of(env_id).corpus, **place_of(env_id))
    played: dict[int, str] = {}  # place in the order -> task
    try:
        for start in ("unseeded", "seeded"):
            _, infos = vector.reset(seed=0 if start == "seeded" else None)
            for turn in range(2 * len(tasks) // n_envs + 1):
                for i, task_id in enumerate(infos["task_id"]):
                    played[turn * n_envs + i] = str(task_id)
                _, _, ended, _, infos = vector.step([end] * n_envs)
                assert ended.all()
            epochs = [[played[e * len(tasks) + p] for p in range(len(tasks))] for e in range(2)]
            assert sorted(epochs[0]) == sorted(epochs[1]) == sorted(tasks)
            assert epochs[0] != epochs[1]
    finally:
        vector.close()


@every_id
@pytest.mark.parametrize("mode", MODES)
def test_vector_environments_agree_with_single_ones(env_id: str, mode: str) -> None:
    singles = [make(env_id) for _ in range(2)]
    agents = [make_agent("random", env.card.family, env.tools) for env in singles]
    place = {"corpus": suite_of(env_id).corpus, **place_of(env_id)}
    vector = scholar_env.make_vec(env_id, 2, mode, autoreset_mode="DISABLED", **place)
    try:
        seeds = [env.seed_for(env.tasks[place]) for place, env in enumerate(singles)]
        seen, infos = cast("Any", vector).reset(seed=seeds)
        expected = [env.reset(seed=seed)[0] for env, seed in zip(singles, seeds, strict=True)]
        for agent in agents:
            agent.reset(1)
        for _ in range(4):
            actions = [agent.act(observation) for agent, observation in zip(agents, expected, strict=True)]
            seen, rewards, terminations, truncations, infos = vector.step(actions)
            steps = [env.step(action) for env, action in zip(singles, actions, strict=True)]
            expected = [step[0] for step in steps]
            assert rewards.tolist() == [step[1] for step in steps]
            assert (terminations | truncations).tolist() == [step[2] or step[3] for step in steps]
            assert [canonical(result) for result in seen["results"]] == [canonical(o["results"]) for o in expected]
            assert seen["budget"]["calls"].tolist() == [o["budget"]["calls"] for o in expected]
            assert infos["action_error"].tolist() == [step[4]["action_error"] for step in steps]
            for name in registry.card(env_id).metrics:
                assert infos["metrics"][name].dtype == np.float64
                np.testing.assert_array_equal(infos["metrics"][name], [step[4]["metrics"][name] for step in steps])
            assert set(infos) == INFO_KEYS | {f"_{key}" for key in INFO_KEYS}
            if (terminations | truncations).any():
                break
    finally:
        vector.close()


@every_id
def test_the_oracle_finds_nearly_everything(env_id: str) -> None:
    env = make(env_id)
    metric, least = suite_of(env_id).oracle
    oracle = make_agent("oracle", env.card.family, env.tools)
    values = [play(env, oracle, place)[1]["metrics"][metric] for place in range(len(env.tasks))]
    assert math.fsum(values) / len(values) >= least


def variants(*, assisted: bool) -> list[Any]:
    """Every id with the arguments under which its episodes go otherwise."""
    suites = {env_id: suite_of(env_id) for env_id in IDS}
    return [
        pytest.param(env_id, options, id=f"{env_id}-{number}")
        for env_id, suite in suites.items()
        for number, options in enumerate([*suite.variants, *(suite.assisted if assisted else ())])
    ]


@pytest.mark.parametrize(("env_id", "options"), variants(assisted=True))
@pytest.mark.parametrize("timing", ["incremental", "terminal"])
def test_the_return_is_the_final_metric(env_id: str, options: Mapping[str, Any], timing: str) -> None:
    for reward in (None, dict(suite_of(env_id).mixed)):
        env = make(env_id, reward_timing=timing, reward=reward, invalid_cost=0.5, step_cost=0.01, **options)
        default = env.card.default_reward[env.family.default_reward(env.config)]
        for seed in range(4):
            _check_return(env, timing, reward or default, seed)


def _check_return(env: ScholarEnv, timing: str, weights: Mapping[str, float], seed: int) -> None:
    agent = make_agent("random", env.card.family, env.tools)
    observation, info = env.reset(seed=seed)
    agent.reset(seed)
    paid: list[float] = []
    costs: list[float] = []
    ended = False
    while not ended:
        action = agent.act(observation) if len(costs) % 4 else "no call"
        observation, received, terminated, truncated, info = env.step(action)
        terms = info["reward_terms"]
        assert type(received) is float
        assert received == terms["metrics"] + terms["invalid_cost"] + terms["step_cost"]
        assert (terms["invalid_cost"] == -0.5) is env.last_outcomes[-1].invalid
        ended = terminated or truncated
        paid.append(terms["metrics"])
        costs.append(terms["step_cost"])
        assert timing == "incremental" or ended or paid[-1] == 0.0
    values = {name: info["metrics"][name] for name in weights}
    final = math.fsum(weight * values[name] for name, weight in weights.items() if not math.isnan(values[name]))
    assert abs(math.fsum(paid) - final) <= 1e-12
    assert costs == [-0.01] * len(costs)


@every_id
def test_a_message_of_several_calls_is_paid_and_played_like_the_calls_one_by_one(env_id: str) -> None:
    env, other = make(env_id), make(env_id)
    actions = _open_an_episode(env)
    _open_an_episode(other)
    message = {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": str(i), "type": "function", "function": {**action, "arguments": json.dumps(action["arguments"])}}
            for i, action in enumerate([*actions, actions[0]])
        ],
    }
    together = env.step(message)
    singly = [other.step(action) for action in actions]
    assert together[1] == math.fsum(step[1] for step in singly)
    assert together[2:4] == singly[-1][2:4]
    assert True in together[2:4]
    assert canonical(together[4]["metrics"]) == canonical(singly[-1][4]["metrics"])
    assert len(env.last_calls) == len(env.last_outcomes) == len(actions)  # the call after the end was not run
    assert env.episode.result_json() == other.episode.result_json()
    told = [f"call {number}: {step[0]['error']}" for number, step in enumerate(singly, 1) if step[0]["error"]]
    assert together[0]["error"] == "\n".join(told)
    assert together[4]["action_error"] == next((code for step in singly if (code := step[4]["action_error"])), "")


Hostile = Callable[[np.random.Generator], Any]
HOSTILE: list[Hostile] = [
    lambda rng: None,
    lambda rng: float("nan"),
    lambda rng: b"\xff\x00",
    lambda rng: np.float32(rng.random()),
    lambda rng: np.zeros(3),
    lambda rng: "[" * 100_000,
    lambda rng: "\ud800",
    lambda rng: int("9" * 4_000),
    lambda rng: object(),
    lambda rng: [],
    lambda rng: {},
    lambda rng: {1: 2},
    lambda rng: {"tool_calls": np.zeros(2)},
    lambda rng: {"name": np.zeros(2), "arguments": {}},
    lambda rng: {"name": "derive", "arguments": {"text": float("inf")}},
    lambda rng: {"name": "derive", "arguments": {"text": "x", "source": np.int64(0)}},
    lambda rng: {"name": "derive", "arguments": {"text": "\udfff", "source": 0}},
    lambda rng: {"name": "derive", "arguments": "{"},
    lambda rng: {"name": "derive", "arguments": {"source": 0, "text": "x", "k": int(rng.integers(-5, 1))}},
    lambda rng: {"name": "derive", "arguments": {"source": int(rng.integers(50, 99)), "text": "x"}},
    lambda rng: {"name": "no_such_tool", "arguments": {}},
    lambda rng: {"name": ["derive"], "arguments": {}},
    lambda rng: {"name": "plan", "arguments": {"subqueries": [{"link": "DERIVE", "source": 0, "text": "x"}]}},
    lambda rng: {"name": "plan", "arguments": {"subqueries": "derive"}},
    lambda rng: {"name": "select", "arguments": {"subquery": 1, "papers": [1, 2]}},
    lambda rng: {"name": "search", "arguments": {"text": " ", "before": "yesterday"}},
    lambda rng: "".join(map(chr, rng.integers(32, 1_000, size=20))),
    lambda rng: f'```json\n{{"name": "derive", "arguments": {{"text": {rng.integers(9)}}}}}\n```',
]


@every_id
def test_ten_thousand_malformed_calls_change_nothing_but_the_call_counter(env_id: str) -> None:
    suite = suite_of(env_id)
    env = make(env_id, **suite.roomy)
    actions = _open_an_episode(env)
    before = env.get_state()
    log = before["episode"].pop("log")
    n_before, n_refused = (before["episode"]["calls"][name] for name in ("n", "invalid"))
    del before["episode"]["calls"]
    metrics_before = env._info()["metrics"]
    rng = np.random.default_rng(0)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    nested: list[Hostile] = [lambda rng: deep, lambda rng: {"name": "answer", "arguments": {"papers": deep}}]
    hostile = [*HOSTILE, *nested]
    n_calls = 0
    while n_calls < 10_000:
        make_hostile = hostile[int(rng.integers(len(hostile)))]
        _, reward, terminated, truncated, info = env.step(make_hostile(rng))
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert info["action_error"]
        n_calls += len(env.last_calls)
    after = env.get_state()
    calls = after["episode"].pop("calls")
    assert calls["n"] == n_before + n_calls
    assert calls["invalid"] == n_refused + n_calls
    logged = after["episode"].pop("log")
    assert logged[: len(log)] == log
    assert len(logged) == len(log) + (n_calls if env.episode.LOGS_ALL else 0)
    assert canonical(after) == canonical(before)
    same = [name for name in metrics_before if name not in suite.counters]
    assert canonical([info["metrics"][name] for name in same]) == canonical([metrics_before[name] for name in same])
    assert env.step(actions[0])[0]["error"] == ""


class OtherGold:
    """A task set whose tasks have another gold."""

    def __init__(self, source: TaskSource, alter: Callable[[Task, Corpus], Task]) -> None:
        self._source, self._alter = source, alter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def task(self, task_id: str) -> Task:
        return self._alter(self._source.task(task_id), self._source.corpus_of(task_id))


@pytest.mark.parametrize(("env_id", "options"), variants(assisted=False))
def test_tasks_that_differ_in_gold_alone_look_alike_to_the_byte(
    env_id: str, options: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    env, other = make(env_id, **options), make(env_id, **options)
    monkeypatch.setattr(other, "_source", OtherGold(other._source, suite_of(env_id).other_gold))
    metrics_differ = 0
    for name, place in [("random", 0), ("random", 1), ("random", 2), ("oracle", 3)]:
        task = {"task_id": env.tasks[place]}
        (observation, info), (observation_2, info_2) = env.reset(options=task), other.reset(options=task)
        assert env.episode.task != other.episode.task
        agent = make_agent(name, env.card.family, env.tools)
        if isinstance(agent, GoldAgent):
            agent.bind(env.episode.task, env.corpus)
        agent.reset(place)
        ended = False
        while not ended:
            assert canonical(observation) == canonical(observation_2)
            action = agent.act(observation)
            observation, _, terminated, truncated, info = env.step(action)
            observation_2, _, *ends, info_2 = other.step(action)
            assert ends == [terminated, truncated]
            ended = terminated or truncated
        assert canonical(observation) == canonical(observation_2)
        metrics_differ += canonical(info["metrics"]) != canonical(info_2["metrics"])
    assert metrics_differ  # so the gold did differ in what the episodes were worth


@every_id
def test_an_observation_holds_nothing_that_only_the_evaluator_may_know(env_id: str) -> None:
    env = make(env_id)
    keys = set(env.card.observation)
    assert keys >= {"question", "results", "error", "budget", "turn", "feedback"}
    for observation, *_ in walk(env, 3, 60):
        seen = json.loads(observation)
        assert seen.keys() == keys
        text = observation.decode()
        assert env_id not in text
        assert not any(f'"{task_id}"' in text for task_id in env.tasks)
        assert not any(f'"{name}"' in text for name in registry.card(env_id).metrics)


@every_id
def test_info_has_the_same_keys_and_types_at_every_reset_and_step(env_id: str) -> None:
    env = make(env_id)
    agent = make_agent("random", env.card.family, env.tools)
    agent.reset(0)
    observation, info = env.reset(seed=0)
    shapes = [_shape(info)]
    for number in range(80):
        action = "nonsense" if number % 10 == 5 else agent.act(observation)
        observation, _, terminated, truncated, info = env.step(action)
        shapes.append(_shape(info))
        if terminated or truncated:
            agent.reset(number)
            observation, info = env.reset()
            shapes.append(_shape(info))
    assert all(shape == shapes[0] for shape in shapes)
    assert info.keys() == INFO_KEYS
    assert info["corpus"].keys() == CORPUS_KEYS
    assert tuple(info["metrics"]) == registry.card(env_id).metrics
    assert {type(value) for value in (*info["metrics"].values(), *info["reward_terms"].values())} == {float}


def _shape(value: Any) -> Any:
    return {key: _shape(item) for key, item in value.items()} if isinstance(value, dict) else type(value).__name__


@every_id
def test_no_corpus_is_official(env_id: str) -> None:
    _, info = make(env_id).reset(seed=0)
    assert info["corpus"]["official"] is False
    assert info["corpus"]["derived_from"]
    assert info["corpus"]["subset_origin"]


@every_id
def test_spoiling_what_was_returned_changes_nothing_later(env_id: str) -> None:
    env, twin = make(env_id), make(env_id)
    actions = _open_an_episode(env)
    _open_an_episode(twin)
    for returned in (env.step(actions[0]), env.step(actions[1])):
        _spoil(returned[0])
        _spoil(returned[4])
    twin.step(actions[0])
    twin.step(actions[1])
    assert _go_on(env, actions[2:]) == _go_on(twin, actions[2:])


def _spoil(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _spoil(item)
        value.clear()
    elif isinstance(value, list):
        for item in value:
            _spoil(item)
        value.append("spoilt")


@every_id
def test_the_page_of_the_benchmark_has_every_heading(env_id: str) -> None:
    page = import_module(f"scholar_env.envs.{registry.card(env_id).benchmark}").__doc__ or ""
    headings = [line[3:] for line in page.splitlines() if line.startswith("## ")]
    assert headings == [
        "Description", "Observation", "Actions", "Rewards", "Starting state", "Episode end", "Arguments", "Metrics",
        "Versions", "References",
    ]  # fmt: skip
    assert env_id in page
    for name in [*registry.card(env_id).tools, *registry.card(env_id).observation]:
        assert f"- {name}" in page
    for option in registry.card(env_id).options:
        assert option.name in page


@pytest.mark.parametrize(("env_id", "options"), variants(assisted=False))
def test_a_recorded_run_replays_equal(env_id: str, options: Mapping[str, Any], tmp_path: Path) -> None:
    kwargs = {**place_of(env_id), **options, "invalid_cost": 0.1}
    corpus = suite_of(env_id).corpus
    result = run(env_id, "random", out=tmp_path / "run", kwargs=kwargs, corpus=corpus, tasks=3, seed=5)
    report = replay(result.folder)
    assert report.agrees
    assert report.n_episodes == 3


def test_a_vector_environment_of_gymnasium_finds_our_threads() -> None:
    vector = gymnasium.make_vec("ScholarGym-All-v0", num_envs=2, corpus="toy")
    assert isinstance(vector, scholar_env.ThreadVectorEnv)
    assert isinstance(vector, VectorEnv)
    vector.close()


@every_id
@pytest.mark.usefixtures("small_home")
def test_the_world_passes_too(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.CORPUS", "world")
    env = make(env_id)
    _, info = env.reset(seed=0)
    assert info["corpus"]["name"].startswith("world")
    assert info["corpus"]["official"] is False
    test_gymnasiums_checker_finds_nothing(env_id)
    test_two_environments_with_one_seed_agree_for_fifty_steps(env_id)
    test_drawn_actions_are_members_and_keep_the_environment_going(env_id)
    test_a_pickle_in_mid_episode_goes_on_identically(env_id)


@every_id
@pytest.mark.usefixtures("small_home")
def test_the_oracle_finds_the_gold_of_the_world(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.CORPUS", "world")
    env = make(env_id)
    metric, least = suite_of(env_id).oracle
    oracle = make_agent("oracle", env.card.family, env.tools)
    values = [play(env, oracle, seed)[1]["metrics"][metric] for seed in range(12)]
    assert math.fsum(values) / len(values) >= least


@every_id
@pytest.mark.usefixtures("small_home")
def test_runs_on_the_world_replay(env_id: str, tmp_path: Path) -> None:
    kwargs, tasks = suite_of(env_id).on_world(env_id), suite_of(env_id).n_world_tasks(env_id)
    done = run(env_id, "random", out=tmp_path / "run", corpus="world", kwargs=kwargs, tasks=tasks)
    report = replay(done.folder)
    assert report.findings == ()
    assert report.n_episodes == tasks
