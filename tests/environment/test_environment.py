"""The environment beyond what every id must pass."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

import scholar_env
from scholar_env.agents.scholargym_random import ScholarGymRandomAgent
from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.episode.scholargym.assess import Assessment, Candidate
from scholar_env.errors import InvalidOptionError, StateError, TaskNotFoundError
from scholar_env.index.base import Hits, Index
from scholar_env.metrics.views import EpisodeView

ID = "ScholarGym-TestFast-v0"
ANSWER: dict[str, Any] = {"name": "answer", "arguments": {}}
DERIVE: dict[str, Any] = {"name": "derive", "arguments": {"source": 0, "text": "neural networks"}}


def make(**options: Any) -> ScholarEnv:
    return ScholarEnv(ID, **{"corpus": "toy", **options})


def test_a_seed_is_a_place_of_the_order_and_a_task_id_overrides_it() -> None:
    env = make(task_seed=4)
    played = [env.reset(seed=seed)[1]["task_id"] for seed in range(len(env.tasks))]
    assert sorted(played) == sorted(env.tasks)
    assert [env.seed_for(task_id) for task_id in played] == list(range(len(env.tasks)))
    second = [env.reset(seed=len(env.tasks) + seed)[1]["task_id"] for seed in range(len(env.tasks))]
    assert [env.seed_for(task_id, epoch=1) for task_id in second] == list(range(len(env.tasks), 2 * len(env.tasks)))
    assert env.reset(seed=3, options={"task_id": played[7]})[1]["task_id"] == played[7]
    assert env.reset()[1]["task_id"] == played[4]  # the seed moved the place, the task id did not


def test_resets_without_a_seed_go_on_by_the_stride() -> None:
    env = make(task_start=2, task_stride=3)
    places = [env.seed_for(env.reset()[1]["task_id"]) for _ in range(3)]
    assert places == [2, 5, 8]
    env.reset(options={"task_id": env.tasks[0]})
    assert env.seed_for(env.reset()[1]["task_id"]) == 11


def test_bad_resets_are_refused() -> None:
    env = make()
    with pytest.raises(TaskNotFoundError, match="Task 'nothing' is not in this environment's 20 tasks"):
        env.reset(options={"task_id": "nothing"})
    with pytest.raises(InvalidOptionError, match="reset has no option 'task'"):
        env.reset(options={"task": env.tasks[0]})
    others: list[Any] = ["x", ["task_id"], 0, ""]
    for options in others:
        with pytest.raises(InvalidOptionError, match=r"reset got options=.* Rule: options are a dict .*, or None\."):
            env.reset(options=options)
    with pytest.raises(ResetNeeded):
        env.step(ANSWER)


def test_stepping_out_of_turn_raises_as_gymnasium_does() -> None:
    env = make()
    for use in (lambda: env.step(ANSWER), lambda: env.episode, lambda: env.last_outcomes, env.get_state):
        with pytest.raises(ResetNeeded, match=r"call env.reset\(\)"):
            use()
    env.reset(seed=0)
    *_, terminated, truncated, info = env.step(ANSWER)
    assert (terminated, truncated, info["stop_reason"]) == (True, False, "answered")
    with pytest.raises(ResetNeeded, match="The episode is over"):
        env.step(ANSWER)


def test_a_runaway_agent_is_truncated() -> None:
    env = make(max_calls=3)
    env.reset(seed=0)
    steps = [env.step("no call") for _ in range(3)]
    assert [step[3] for step in steps] == [False, False, True]
    assert steps[-1][4]["stop_reason"] == "max_calls"
    assert steps[-1][4]["failure_kind"] == "policy"
    assert steps[-1][4]["mask_sample"] is False


class BrokenIndex:
    """An index whose machine is down."""

    def __init__(self, corpus: Corpus) -> None:
        self._index = corpus.sparse_index()
        self.engine, self.fingerprint, self.n_documents = "broken", self._index.fingerprint, corpus.n_papers

    def search(self, query: str, k: int, **_: Any) -> Hits:
        raise ConnectionError("no route to the index")


def broken(corpus: Corpus) -> Any:
    return BrokenIndex(corpus)


def test_an_infrastructure_failure_truncates_unpaid_and_uncharged() -> None:
    env = make(retriever=f"{__name__}:broken", retry_delay=0.0, step_cost=1.0)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(DERIVE)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["failure_kind"], info["stop_reason"], info["mask_sample"]) == (
        "infrastructure",
        "infrastructure",
        True,
    )
    assert info["metrics"]["n_calls"] == 0.0
    assert info["corpus"]["engine"] == "broken"
    assert observation["results"] == []
    assert set(info["reward_terms"].values()) == {0.0}


def chatty(question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
    return Assessment(overview="on and on " * 10_000)


LONG_REPLY = {
    "subqueries": [{"link_type": "derive", "source_id": True, "text": "neural networks " * 5_000}],
    "checklist": "c" * 50_000,
    "experience_replay": "e" * 50_000,
}


@pytest.mark.parametrize(
    ("options", "plan"),
    [
        ({"assessor": f"{__name__}:chatty"}, {"subqueries": [{"link": "derive", "text": "neural networks"}]}),
        ({"compat": "upstream"}, LONG_REPLY),
        ({"compat": "upstream", "memory": False}, {**LONG_REPLY, "reason": "r" * 300_000}),
    ],
)
def test_texts_that_nobody_bounds_are_cut_in_the_observation(options: dict[str, Any], plan: dict[str, Any]) -> None:
    env = make(**options)
    env.reset(seed=0)
    observation, *_, info = env.step({"name": "plan", "arguments": plan})
    assert (info["action_error"], len(observation["results"])) == ("", 10)
    assert observation in env.observation_space


class Judge:
    """A remote judge among the reward terms: down when the episode has a second subquery, after some hiccups."""

    def __init__(self) -> None:
        self.hiccups = 3

    def __call__(self, episode: EpisodeView, gold: tuple[str, ...], metrics: Mapping[str, float]) -> float:
        if metrics["n_subqueries"] == 1:
            self.hiccups -= 1
            if self.hiccups >= 0:
                raise ConnectionError("busy")
        if metrics["n_subqueries"] > 1:
            raise ConnectionError("gone")
        return 0.25


judge = Judge()


@pytest.mark.parametrize("timing", ["incremental", "terminal"])
def test_a_judge_that_cannot_be_reached_is_an_infrastructure_failure_too(timing: str) -> None:
    judge.hiccups = 3
    env = make(
        reward={f"{__name__}:judge": 1.0}, retry_delay=0.0, step_cost=0.5, reward_timing=timing, metrics_in_info="end"
    )
    env.reset(seed=0)
    _, reward, _, truncated, _ = env.step(DERIVE)
    assert (reward, truncated) == (-0.25 if timing == "incremental" else -0.5, False)
    before = env.get_state()["episode"]
    observation, reward, terminated, truncated, info = env.step([DERIVE, DERIVE])
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["stop_reason"], info["mask_sample"], info["metrics"]["n_calls"]) == ("infrastructure", True, 1.0)
    assert info["metrics"][f"{__name__}:judge"] == 0.25
    assert (observation["results"], len(observation["tree"])) == ([], 1)
    after = env.get_state()["episode"]
    assert {name: after[name] for name in ("log", "retrieved", "tree")} == {
        name: before[name] for name in ("log", "retrieved", "tree")
    }


@pytest.mark.parametrize("option", ["assessor", "browser", "retriever"])
def test_a_name_that_leads_nowhere_is_refused_when_the_environment_is_made(option: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"{option}='nowhere.at_all:this' cannot be imported"):
        make(**{option: "nowhere.at_all:this"})


@pytest.mark.parametrize("timing", ["incremental", "terminal"])
def test_a_restored_episode_is_not_paid_again(timing: str) -> None:
    options: dict[str, Any] = {"reward": {"n_results_shown": 0.25}, "reward_timing": timing}
    env, twin = make(**options), make(**options)
    env.reset(seed=0)
    env.step(DERIVE)
    twin.set_state(env.get_state())
    rewards = [env.step(action)[1] for action in (DERIVE, ANSWER)]
    assert [twin.step(action)[1] for action in (DERIVE, ANSWER)] == rewards
    assert rewards == ([2.5, 0.0] if timing == "incremental" else [0.0, 5.0])


def test_the_default_reward_follows_the_assessor() -> None:
    assert make().reset(seed=0)[1]["reward_terms"].keys() == {"f1", "metrics", "invalid_cost", "step_cost"}
    assert "ret_recall" in make(assessor="lexical").reset(seed=0)[1]["reward_terms"]


def test_a_fixed_assessor_takes_selection_out_of_the_tools() -> None:
    assert "select" in make().action_space.tools
    fixed = make(assessor="lexical", max_iterations=1)
    assert "select" not in fixed.action_space.tools
    fixed.reset(seed=0)
    _, _, terminated, _, info = fixed.step(
        {"name": "plan", "arguments": {"subqueries": [{"link": "derive", "source": 0, "text": "credit risk"}]}}
    )
    assert terminated
    assert info["stop_reason"] == "max_iterations"
    assert info["assisted"] is False
    assert make(assessor="oracle").reset(seed=0)[1]["assisted"] is True


def test_metrics_can_be_kept_until_the_end() -> None:
    env = make(metrics_in_info="end")
    _, info = env.reset(seed=0)
    step = env.step(DERIVE)[4]
    end = env.step(ANSWER)[4]
    assert info["metrics"].keys() == step["metrics"].keys() == end["metrics"].keys()
    assert all(math.isnan(value) for value in (*info["metrics"].values(), *step["metrics"].values()))
    assert end["metrics"]["n_calls"] == 2.0


def test_gold_is_in_info_only_when_debugging() -> None:
    assert "gold" not in make().reset(seed=0)[1]
    env = make(debug=True)
    _, info = env.reset(seed=0)
    assert tuple(info["gold"]) == env.episode.task.gold


def test_a_subset_of_ones_own_is_said_to_be_ones_own() -> None:
    ids = make().tasks
    env = make(subset=[ids[4], ids[1]])
    assert env.tasks == (ids[4], ids[1])
    assert env.reset(seed=0)[1]["corpus"]["subset_origin"] == "user"
    assert make().reset(seed=0)[1]["corpus"]["subset_origin"] != "user"


def test_a_reward_term_of_ones_own_is_a_metric_and_is_paid() -> None:
    name = f"{__name__}:share_of_calls"
    env = make(reward={name: 0.5})
    _, info = env.reset(seed=0)
    assert info["metrics"][name] == 0.0
    _, reward, *_, info = env.step(DERIVE)
    assert (reward, info["metrics"][name], info["reward_terms"][name]) == (0.25, 0.5, 0.25)


def share_of_calls(episode: Any, gold: tuple[str, ...], metrics: Any) -> float:
    return float(episode.n_calls) / 2


def test_texts_are_capped() -> None:
    env = make(max_abstract_chars=10, max_document_chars=100)
    env.reset(seed=0)
    results = env.step(DERIVE)[0]["results"]
    assert {len(result["abstract"]) for result in results} == {10}
    document = env.step({"name": "read", "arguments": {"paper": results[0]["paper"]}})[0]["document"]
    assert len(document["text"]) == 100
    assert env.step(DERIVE)[0]["document"] == {}


def test_of_several_documents_in_one_step_the_last_is_shown_and_the_others_are_named() -> None:
    env = make(browser_mode="REFRESH")
    env.reset(seed=0)
    results = env.step(DERIVE)[0]["results"]
    reads = [{"name": "read", "arguments": {"paper": entry["paper"]}} for entry in results[:3]]
    observation, *_ = env.step([*reads, {"name": "read", "arguments": {"paper": "nothing"}}])
    assert observation["document"]["paper"] == results[2]["paper"]
    told = observation["feedback"].split("\n")
    assert [line for line in told if "not shown" in line] == [
        "call 1: not shown: one step shows one document, that of call 3",
        "call 2: not shown: one step shows one document, that of call 3",
    ]
    assert "not shown" not in env.step(reads[0])[0]["feedback"]


def test_a_long_horizon_runs_all_its_iterations() -> None:
    env = make(max_iterations=25)
    env.reset(seed=0)
    for iteration in range(25):
        assert env.step(DERIVE)[2:4] == (False, False)
        terminated, info = env.step({"name": "next_iteration", "arguments": {}})[2::2]
        assert terminated is (iteration == 24)
    assert info["stop_reason"] == "max_iterations"
    assert len(env.rows) == 25


def test_scores_carry_six_digits_and_ranks_count_from_zero() -> None:
    env = make()
    env.reset(seed=0)
    results = env.step(DERIVE)[0]["results"]
    assert [result["rank"] for result in results] == list(range(10))
    assert all(result["score"] == float(f"{result['score']:.6g}") for result in results)
    exact = [entry.score for entry in env.last_outcomes[0].pages[0].entries]
    assert [result["score"] for result in results] == [float(f"{score:.6g}") for score in exact]


def test_render_shows_the_episode_as_text() -> None:
    env = make(render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.render()
    observation, _ = env.reset(seed=0)
    env.step(DERIVE)
    page = env.render()
    assert page is not None
    assert observation["question"] in page
    assert "[1] derive of [0], iteration 1: neural networks (10 retrieved on 1 pages, 0 selected)" in page
    assert "199 calls left" in page
    assert page.count("\n- toy:") == 10
    with pytest.raises(InvalidOptionError, match="render_mode='human'"):
        make(render_mode="human")
    silent = make()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert silent.render() is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"env": "ScholarGym-All-v0"}, "The state is of env 'ScholarGym-All-v0'"),
        ({"corpus": "0" * 64}, "The state is of corpus"),
        ({"index": "0" * 64}, "The state is of index"),
        ({"task_id": "nothing"}, "The state is of task 'nothing'"),
        ({"task_id": 3}, "The state names task 3"),
        ({"place": -1}, "place -1"),
        ({"version": 1}, "a state of version 2"),
        ({"tasks": "0" * 64}, "this environment is of tasks ''"),
        ({"rng": {"bit_generator": "PCG64", "state": {}}}, "generator's state is bad"),
        ({"episode": {}}, "saved state does not fit"),
        ({"episode": float("nan")}, "The state is not JSON"),
        ({"episode": object()}, "The state is not JSON"),
        ({"more": 1}, "has the keys"),
    ],
)
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(change: dict[str, Any], message: str) -> None:
    env = make()
    env.reset(seed=0)
    env.step(DERIVE)
    before = env.get_state()
    with pytest.raises(StateError, match=message):
        env.set_state({**before, **change})
    assert env.get_state() == before
    with pytest.raises(StateError, match="The state has"):
        env.set_state(cast("Any", []))


def test_a_fork_goes_its_own_way() -> None:
    env = make()
    env.reset(seed=0)
    env.step(DERIVE)
    fork = env.fork()
    fork.step({"name": "expand", "arguments": {"source": 1, "text": "graphs"}})
    assert len(fork.episode.get_state()["tree"]) == 2
    assert len(env.episode.get_state()["tree"]) == 1
    assert fork.index is env.index
    env.action_space.seed(0)
    fork.action_space.seed(1)
    assert env.action_space.sample() != fork.action_space.sample()
    assert json.dumps(env.step(ANSWER)[0]) != json.dumps(fork.step(ANSWER)[0])


MODES = [
    {"browser_mode": mode, "assessor": assessor, "compat": compat, "memory": memory, "on_empty_plan": "fail"}
    for mode in ("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH")
    for assessor in ("agent", "lexical", "oracle")
    for compat, memory in ((None, True), (None, False), ("upstream", True))
]


@pytest.mark.parametrize("options", MODES, ids=lambda options: "-".join(str(value) for value in options.values()))
def test_every_mode_keeps_to_the_spaces_and_its_states_come_back(options: dict[str, Any]) -> None:
    env = make(**options)
    agent = ScholarGymRandomAgent(env.action_space.tools)
    for seed in range(3):
        agent.reset(seed)
        observation, info = env.reset(seed=seed)
        keys, ended, number = info.keys(), False, 0
        while not ended and number < 25:
            action: Any = "no call" if number == 3 else agent.act(observation)
            observation, _, terminated, truncated, info = env.step(action)
            assert observation in env.observation_space
            assert info.keys() == keys
            ended, number = terminated or truncated, number + 1
        saved = json.loads(json.dumps(env.get_state()))
        twin = make(**options)
        restored, restored_info = twin.set_state(saved)
        assert json.dumps(restored) == json.dumps(observation)
        assert restored_info["metrics"] == info["metrics"]
        assert restored_info["stop_reason"] == info["stop_reason"]
        assert json.dumps(pickle.loads(pickle.dumps(env)).get_state()) == json.dumps(saved)


def test_without_an_installed_corpus_the_world_stands_in_with_one_warning(small_worlds_home: Path) -> None:
    code = (
        "import warnings, gymnasium, scholar_env, scholar_env.corpora\n"
        "scholar_env.corpora.FINGERPRINTS.clear()  # the world here is a small one\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    envs = [gymnasium.make('ScholarGym-TestFast-v0') for _ in range(3)]\n"
        "print(len(caught), envs[0].reset(seed=0)[1]['corpus']['name'])\n"
        "print(str(caught[0].message))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"SCHOLAR_ENV_HOME": str(small_worlds_home), "PATH": "", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "1 world"
    assert "the synthetic 'world' of made-up papers takes its place" in done.stdout.splitlines()[1]


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, scholar_env, gymnasium\n"
        "assert 'ScholarGym-All-v0' in gymnasium.registry\n"
        "heavy = {'pyarrow', 'numba', 'faiss', 'torch', 'scholar_env.environment.env', 'typer', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = scholar_env.nothing
    assert scholar_env.ScholarEnv is ScholarEnv


def test_gymnasium_makes_the_environment_by_module_name_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"scholar_env:{ID}", corpus="toy")
        env.reset(seed=0)
        env.step(env.action_space.sample())
    assert isinstance(env.unwrapped, ScholarEnv)
    assert env.unwrapped.metadata == {"render_modes": ["ansi"], "render_fps": 1}


def test_an_index_is_what_the_protocol_says() -> None:
    index: Index = make().index
    assert index.n_documents == make().corpus.n_papers
