"""Vector environments over one shared index."""

from __future__ import annotations

import json
import threading
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from scholar_env import ScholarEnv, ThreadVectorEnv, make_vec
from scholar_env.corpus import Corpus
from scholar_env.environment.vector import autoreset_mode
from scholar_env.errors import InvalidOptionError

ID = "ScholarGym-TestFast-v0"
ANSWER: dict[str, Any] = {"name": "answer", "arguments": {}}
DERIVE: dict[str, Any] = {"name": "derive", "arguments": {"source": 0, "text": "neural networks"}}
READ: dict[str, Any] = {"name": "read", "arguments": {"paper": "nothing"}}
MODES = list(AutoresetMode)


def make(n: int = 3, mode: str = "threads", **options: Any) -> Any:
    return make_vec(ID, n, mode, **{"corpus": "toy", **options})


def plain(value: Any) -> Any:
    """Arrays as lists, so that what two vector environments returned can be compared."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return [str(value.dtype), [plain(item) for item in value]]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def comparable(value: Any) -> str:
    return json.dumps(plain(value), sort_keys=True)


@pytest.mark.parametrize("mode", ["threads", "sync", "async"])
def test_a_first_value_of_zero_cuts_no_later_number_off(mode: str) -> None:
    vector = make(2, mode, reward={"ret_f1": 1.0})
    single = cast("ScholarEnv", gymnasium.make(ID, corpus="toy", reward={"ret_f1": 1.0}).unwrapped)
    title = single.corpus.title(single.corpus.row_of(single.corpus.tasks().get(single.tasks[0]).gold[0]) or 0)
    derive = {"name": "derive", "arguments": {"source": 0, "text": title, "k": 3}}
    try:
        vector.reset(seed=[single.seed_for(single.tasks[1]), single.seed_for(single.tasks[0])])
        _, rewards, _, _, infos = vector.step([READ, derive])
        single.reset(options={"task_id": single.tasks[0]})
        _, reward, _, _, info = single.step(derive)
        assert 0.0 < reward < 1.0
        assert rewards.tolist() == [0.0, reward]
        assert infos["metrics"]["ret_f1"].tolist() == [0.0, info["metrics"]["ret_f1"]]
        assert infos["action_error"].tolist() == ["unknown_paper", ""]
    finally:
        vector.close()


@pytest.mark.parametrize("mode", MODES)
def test_threads_return_what_gymnasiums_synchronous_environment_returns(mode: AutoresetMode) -> None:
    threads, sync = make(autoreset_mode=mode), make(mode="sync", autoreset_mode=mode)
    assert threads.metadata == sync.metadata
    assert threads.observation_space == sync.observation_space
    assert threads.action_space == sync.action_space
    rounds = [[DERIVE, ANSWER, READ], [ANSWER, DERIVE, ANSWER], [DERIVE, DERIVE, DERIVE], [ANSWER, READ, DERIVE]]
    assert comparable(threads.reset(seed=5)) == comparable(sync.reset(seed=5))
    ended = np.zeros(3, dtype=bool)
    for actions in rounds:
        if mode is AutoresetMode.DISABLED and ended.any():
            assert comparable(threads.reset(options={"reset_mask": ended})) == comparable(
                sync.reset(options={"reset_mask": ended})
            )
        stepped, expected = threads.step(actions), sync.step(actions)
        assert comparable(stepped) == comparable(expected)
        ended = stepped[2] | stepped[3]
    assert comparable(threads.reset(seed=[9, None, 2])) == comparable(sync.reset(seed=[9, None, 2]))
    threads.close()
    sync.close()


def test_same_step_keeps_what_the_last_step_returned() -> None:
    vector, single = make(2), ScholarEnv(ID, corpus="toy")
    vector.reset(seed=0)
    single.reset(seed=1)
    observations, rewards, terminated, _, infos = vector.step([DERIVE, ANSWER])
    last, reward, *_, info = single.step(ANSWER)
    assert terminated.tolist() == [False, True]
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [False, True]
    assert infos["final_obs"][1] == last
    assert infos["final_info"]["task_id"][1] == info["task_id"]
    assert rewards[1] == reward
    assert observations["question"][1] == single.reset(seed=3)[0]["question"]
    vector.close()


def test_next_step_resets_with_reward_zero_and_an_explicit_reset_is_not_hidden() -> None:
    vector = make(2, autoreset_mode="NextStep", step_cost=1.0)
    vector.reset(seed=0)
    vector.step([ANSWER, DERIVE])
    _, rewards, terminated, _, infos = vector.step([ANSWER, DERIVE])
    assert rewards.tolist() == [0.0, -1.0]
    assert terminated.tolist() == [False, False]
    assert infos["metrics"]["n_calls"].tolist() == [0.0, 2.0]
    vector.step([ANSWER, DERIVE])
    vector.reset(seed=0)
    *_, infos = vector.step([DERIVE, DERIVE])
    assert infos["metrics"]["n_calls"].tolist() == [1.0, 1.0]
    vector.close()


def test_disabled_wants_a_reset_and_takes_a_mask() -> None:
    vector = make(2, autoreset_mode=AutoresetMode.DISABLED)
    first, _ = vector.reset(seed=0)
    vector.step([ANSWER, DERIVE])
    with pytest.raises(ResetNeeded, match=r"Environments \[0\] are over"):
        vector.step([ANSWER, DERIVE])
    observations, infos = vector.reset(options={"reset_mask": np.array([True, False])})
    assert infos["_task_id"].tolist() == [True, False]
    assert observations["question"][1] == first["question"][1]
    assert observations["question"][0] != first["question"][0]
    assert len(observations["tree"][1]) == 1  # the refused step reached no environment
    vector.close()


def test_task_ids_can_be_given_one_by_one() -> None:
    vector = make()
    tasks = vector.get_attr("tasks")[0]
    _, infos = vector.reset(options={"task_ids": [tasks[3], None, tasks[1]]})
    order = vector.envs[1].unwrapped
    assert infos["task_id"].tolist() == [tasks[3], infos["task_id"][1], tasks[1]]
    assert order.seed_for(infos["task_id"][1]) == 1
    _, infos = vector.reset(seed=4)
    assert [order.seed_for(task_id) for task_id in infos["task_id"]] == [4, 5, 6]
    vector.close()


def test_options_that_are_no_dict_are_refused() -> None:
    vector = make()
    with pytest.raises(InvalidOptionError, match=r"reset got options='x' \(str\)"):
        vector.reset(options="x")
    vector.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": [1, 2]}, "seed has 2 entries for 3 environments"),
        ({"options": {"task_ids": ["a"]}}, r"options\['task_ids'\] has 1 entries for 3"),
        ({"options": {"reset_mask": [True, False, False]}}, "must be a bool array"),
        ({"options": {"reset_mask": np.zeros(3, dtype=bool)}}, "with a True"),
    ],
)
def test_resets_of_another_length_are_refused(options: dict[str, Any], message: str) -> None:
    vector = make()
    with pytest.raises(ValueError, match=message):
        vector.reset(**options)
    vector.close()


def test_a_step_wants_one_action_an_environment() -> None:
    vector = make()
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="2 actions for 3 environments"):
        vector.step([ANSWER, ANSWER])
    vector.close()


def test_all_environments_share_one_corpus_and_one_index() -> None:
    vector = make(16)
    assert len({id(env.unwrapped.index) for env in vector.envs}) == 1
    assert len({id(env.unwrapped.corpus) for env in vector.envs}) == 1
    pinned = {env.unwrapped.options["corpus"] for env in vector.envs}
    assert len(pinned) == 1
    assert pinned.pop().endswith("@" + vector.envs[0].unwrapped.corpus.fingerprint)
    vector.close()


class Meeting:
    """An index whose searches wait for each other: they end only when as many run at once as there are environments."""

    barrier = threading.Barrier(4, timeout=60)

    def __init__(self, corpus: Corpus) -> None:
        self._index = corpus.sparse_index()
        self.engine, self.fingerprint, self.n_documents = "meeting", self._index.fingerprint, corpus.n_papers

    def search(self, *arguments: Any, **options: Any) -> Any:
        self.barrier.wait()
        return self._index.search(*arguments, **options)


def test_the_environments_of_a_step_run_at_the_same_time() -> None:
    vector = make(4, retriever=f"{__name__}:Meeting")
    vector.reset(seed=0)
    *_, infos = vector.step([DERIVE] * 4)
    assert infos["metrics"]["n_results_shown"].tolist() == [10.0] * 4
    vector.close()


def test_a_limit_of_steps_truncates() -> None:
    vector = cast(
        "Any", gymnasium.make_vec(ID, num_envs=2, max_episode_steps=2, corpus="toy", autoreset_mode="Disabled")
    )
    vector.reset(seed=0)
    assert vector.step([READ, READ])[3].tolist() == [False, False]
    assert vector.step([READ, READ])[3].tolist() == [True, True]
    vector.close()


@pytest.mark.parametrize("mode", ["threads", "sync", "async"])
def test_wrappers_are_applied_to_every_environment(mode: str) -> None:
    vector = make(2, mode, wrappers=[two_steps], autoreset_mode="DISABLED")
    vector.reset(seed=0)
    vector.step([READ, READ])
    assert vector.step([READ, READ])[3].tolist() == [True, True]
    vector.close()


def two_steps(env: gymnasium.Env[Any, Any]) -> gymnasium.Env[Any, Any]:
    return TimeLimit(env, 2)


def test_gymnasiums_vector_wrappers_work_on_threads() -> None:
    vector = cast("Any", DictInfoToList(RecordEpisodeStatistics(make(2, step_cost=1.0))))
    vector.reset(seed=0)
    vector.step([READ, READ])
    *_, infos = vector.step([ANSWER, READ])
    assert infos[0]["final_info"]["stop_reason"] == "answered"
    assert infos[0]["episode"]["r"] == -2.0
    assert infos[0]["episode"]["l"] == 2
    vector.close()


def test_attributes_and_methods_reach_every_environment() -> None:
    vector = make(2)
    vector.reset(seed=0)
    assert vector.call("seed_for", vector.envs[0].unwrapped.tasks[0]) == (
        (place := vector.envs[0].unwrapped.seed_for(vector.envs[0].unwrapped.tasks[0])),
        place,
    )
    vector.set_attr("mark", [1, 2])
    assert vector.get_attr("mark") == (1, 2)
    vector.set_attr("mark", 3)
    assert vector.get_attr("mark") == (3, 3)
    with pytest.raises(ValueError, match="3 values for 2 environments"):
        vector.set_attr("mark", [1, 2, 3])
    assert vector.render_mode is None
    drawing = make(2, render_mode="ansi")
    drawing.reset(seed=0)
    assert [page.splitlines()[0][:10] for page in drawing.render()] == ["Question: "] * 2
    drawing.close()
    vector.close()
    vector.close()


def test_the_spec_of_a_vector_goes_through_json_and_makes_it_again() -> None:
    vector = make(2, page_size=5)
    assert vector.spec is not None
    spec = EnvSpec.from_json(vector.spec.to_json())
    again = cast("Any", gymnasium.make_vec(spec))
    assert isinstance(again, ThreadVectorEnv)
    assert again.num_envs == 2
    assert comparable(again.reset(seed=1)) == comparable(vector.reset(seed=1))
    assert again.metadata == vector.metadata
    vector.close()
    again.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fork"}, "vectorization_mode='fork'. Rule: the modes are threads, sync and async"),
        ({"n": 0}, "num_envs=0"),
        ({"autoreset_mode": "never"}, "autoreset_mode='never'. Rule: the modes are NEXT_STEP, SAME_STEP, DISABLED"),
        ({"vector_kwargs": {"shared_memory": True}}, "shared memory cannot carry text"),
        ({"corpus": "toy@" + "0" * 64}, "fingerprint"),
        ({"page_sise": 3}, "did you mean 'page_size'"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message) as caught:
        make(**options)
    assert type(caught.value).__module__ == "scholar_env.errors"


@pytest.mark.parametrize("given", [AutoresetMode.DISABLED, "DISABLED", "Disabled"])
def test_an_autoreset_mode_may_be_named(given: Any) -> None:
    assert autoreset_mode(given) is AutoresetMode.DISABLED


def test_a_vector_leaves_the_metadata_of_others_alone() -> None:
    vector = make(1, "sync", autoreset_mode="DISABLED")
    assert vector.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    assert ScholarEnv(ID, corpus="toy").metadata == {"render_modes": ["ansi"], "render_fps": 1}
    vector.close()


def test_process_environments_do_not_share_memory() -> None:
    vector = make(2, "async", vector_kwargs={"shared_memory": False, "context": "spawn"})
    assert vector.reset(seed=0)[1]["corpus"]["name"].tolist() == ["toy", "toy"]
    assert vector.shared_memory is False
    vector.close()
    assert isinstance(make(1, "sync"), SyncVectorEnv)


def test_an_unknown_autoreset_mode_is_named() -> None:
    with pytest.raises(InvalidOptionError, match="autoreset_mode='x'"):
        autoreset_mode("x")


class SickIndex:
    """An index whose machine is down for one query."""

    def __init__(self, corpus: Corpus) -> None:
        self._index = corpus.sparse_index()
        self.engine, self.fingerprint, self.n_documents = "sick", self._index.fingerprint, corpus.n_papers

    def search(self, query: str, k: int, **more: Any) -> Any:
        if query == "sickness":
            raise ConnectionError("down")
        return self._index.search(query, k, **more)


def sick(corpus: Corpus) -> Any:
    return SickIndex(corpus)


@pytest.mark.parametrize("mode", ["threads", "sync", "async"])
@pytest.mark.parametrize("autoreset", MODES)
def test_an_infrastructure_failure_ends_one_episode_and_no_other(mode: str, autoreset: AutoresetMode) -> None:
    vector = make(2, mode, autoreset_mode=autoreset, retriever=f"{__name__}:sick", retry_delay=0.0)
    sickness = {"name": "derive", "arguments": {"source": 0, "text": "sickness"}}
    try:
        _, infos = vector.reset(seed=0)
        first, healthy = infos["task_id"].tolist()
        _, rewards, terminated, truncated, infos = vector.step([sickness, DERIVE])
        assert (rewards[0], terminated.tolist(), truncated.tolist()) == (0.0, [False, False], [True, False])
        told = infos["final_info"] if autoreset == AutoresetMode.SAME_STEP else infos
        assert told["stop_reason"][0] == told["failure_kind"][0] == "infrastructure"
        assert bool(told["mask_sample"][0])
        assert told["metrics"]["n_calls"][0] == 0.0
        if autoreset == AutoresetMode.DISABLED:
            _, infos = vector.reset(options={"reset_mask": np.array([True, False])})
        elif autoreset == AutoresetMode.NEXT_STEP:
            *_, infos = vector.step([DERIVE, DERIVE])
        assert infos["task_id"][0] not in (first, healthy)
        _, _, terminated, truncated, infos = vector.step([DERIVE, DERIVE])
        assert not terminated.any()
        assert not truncated.any()
        assert infos["task_id"][1] == healthy
    finally:
        vector.close()
        vector.close()
