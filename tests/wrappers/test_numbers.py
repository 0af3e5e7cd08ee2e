"""Numbered actions, numeric observations and shaping."""

from __future__ import annotations

import math
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from scholar_env import make_vec
from scholar_env.errors import InvalidOptionError
from scholar_env.wrappers.discrete import DiscreteTemplates
from scholar_env.wrappers.messages import Messages
from scholar_env.wrappers.numeric import NumericObs
from scholar_env.wrappers.shaping import PotentialShaping

ID = "ScholarGym-TestFast-v0"


def base(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, corpus="toy", disable_env_checker=True, **options)


def numbered(env: Any, kind: str, place: int = 0) -> int:
    return int(env.templates.index((kind, place)))


@pytest.mark.parametrize("assessor", ["agent", "lexical"])
def test_the_mask_tells_exactly_which_actions_the_engine_takes(assessor: str) -> None:
    env = DiscreteTemplates(base(assessor=assessor), results=4, subqueries=3)
    rng = np.random.default_rng(1)
    played = set()
    for seed in range(12):
        env.reset(seed=seed)
        for _ in range(40):
            mask = env.action_masks()
            masked, possible = np.flatnonzero(~mask), np.flatnonzero(mask)
            if len(masked):
                info = env.step(rng.choice(masked))[4]
                assert info["action_error"] == "unknown_tool"
                assert (env.action_masks() == mask).all()
            choices = [a for a in possible if env.templates[a][0] != "answer"] or possible.tolist()
            action = int(rng.choice(choices))
            *_, terminated, truncated, info = env.step(action)
            assert info["action_error"] == "", env.templates[action]
            played.add(env.templates[action])
            if terminated or truncated:
                break
    kinds = {kind for kind, _ in played}
    assert kinds == {"question", "derive", "continue", "next_iteration"} | ({"keep"} if assessor == "agent" else set())


def test_templates_are_filled_from_the_newest_results() -> None:
    env = DiscreteTemplates(base(), results=3, subqueries=2)
    with pytest.raises(ResetNeeded):
        env.action_masks()
    observation, _ = env.reset(seed=0)
    assert [env.templates[a] for a in np.flatnonzero(env.action_masks())] == [("question", 0), ("answer", 0)]
    observation, *_ = env.step(numbered(env, "question"))
    results = observation["results"]
    assert env.call_of(numbered(env, "derive", 1)) == {
        "name": "derive",
        "arguments": {"source": 1, "text": results[1]["title"], "k": 10},
    }
    assert env.call_of(numbered(env, "continue")) == {"name": "continue", "arguments": {"source": 1, "k": 10}}
    observation, *_ = env.step(numbered(env, "keep", 0))
    observation, *_ = env.step(numbered(env, "keep", 2))
    assert observation["selected"] == [results[0]["paper"], results[2]["paper"]]
    assert not env.action_masks()[numbered(env, "keep", 2)]
    observation, *_ = env.step(numbered(env, "next_iteration"))
    assert [env.templates[a][0] for a in np.flatnonzero(env.action_masks())] == ["question", "continue", "answer"]
    *_, terminated, _, info = env.step(numbered(env, "answer"))
    assert terminated
    assert info["metrics"]["n_selected"] == 2.0


def test_arrays_hold_what_the_observation_says() -> None:
    plain, env = base(), cast("Any", NumericObs(DiscreteTemplates(base(), results=4, subqueries=2), nodes=2))
    expected, _ = plain.reset(seed=0)
    observation, _ = env.reset(seed=0)
    assert observation["results_mask"].tolist() == [0] * 4
    for _ in range(3):
        action = numbered(env.env, "question")
        call = env.env.call_of(action)
        expected, *_ = plain.step(call)
        observation, *_ = env.step(action)
    assert observation in env.observation_space
    assert observation["budget"].tolist() == [expected["budget"][name] for name in env.columns["budget"]]
    assert observation["results_mask"].tolist() == [1] * 4
    assert observation["tree_mask"].tolist() == [1, 1]
    first = dict(zip(env.columns["results"], observation["results"][0].tolist(), strict=True))
    result = expected["results"][0]
    assert first["score"] == np.float32(result["score"])
    assert (first["rank"], first["subquery"], first["selected"]) == (0.0, 3.0, 0.0)
    bound, date = expected["before"], result["date"]
    assert first["months_before_bound"] == (int(bound[:4]) - int(date[:4])) * 12 + int(bound[5:7]) - int(date[5:7])
    for row, node in zip(observation["tree"], expected["tree"][:0:-1], strict=True):
        shown = dict(zip(env.columns["tree"], row.tolist(), strict=True))
        assert shown == {name: float(node.get(name, 0)) for name in shown if name != "link"} | {"link": 0.0}
    assert observation["action_mask"].tolist() == env.env.action_masks().astype(int).tolist()


def test_gymnasiums_checker_and_the_spec_hold_for_numbers() -> None:
    env = NumericObs(DiscreteTemplates(base(), results=5))
    with pytest.warns(UserWarning, match="different from the unwrapped version") as caught:
        check_env(env, skip_render_check=True)
    assert len(caught) == 1
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space
    assert again.action_space == env.action_space
    alone = NumericObs(base())
    assert "action_mask" not in alone.observation_space
    assert alone.reset(seed=0)[0] in alone.observation_space


def test_numbers_batch_into_arrays() -> None:
    vector = cast("Any", make_vec(ID, 2, "threads", corpus="toy", wrappers=[DiscreteTemplates, NumericObs]))
    observations, _ = vector.reset(seed=0)
    assert observations["results"].shape == (2, 10, 5)
    observations, *_ = vector.step(np.array([0, 0]))
    assert observations["tree_mask"].sum(axis=1).tolist() == [1, 1]
    assert vector.call("action_masks")[0].dtype == np.bool_
    vector.close()


def test_only_environments_of_tool_calls_get_templates() -> None:
    with pytest.raises(TypeError, match="an environment of tool calls"):
        DiscreteTemplates(gymnasium.make("CartPole-v1"))
    for view in (NumericObs, Messages):
        with pytest.raises(TypeError, match="put other views above it"):
            DiscreteTemplates(view(base()))
    with pytest.raises(InvalidOptionError, match=r"has no derive, continue, next_iteration.*without compat='upstream'"):
        DiscreteTemplates(base(compat="upstream", assessor="lexical"))


@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.0])
def test_shaping_adds_the_discounted_change_of_the_potential_and_nothing_in_sum(gamma: float) -> None:
    weights = {"ret_recall": 2.0, "n_calls": 0.01}
    plain, env = base(reward_timing="terminal"), PotentialShaping(base(reward_timing="terminal"), weights, gamma)
    plain.reset(seed=3)
    _, info = env.reset(seed=3)
    potential, added = 0.0, []
    core = cast("Any", env.unwrapped)
    title = core.corpus.title(core.corpus.row_of(core.episode.task.gold[0]))
    calls = [
        {"name": "derive", "arguments": {"source": 0, "text": title}},
        {"name": "expand", "arguments": {"source": 1, "text": "neural networks"}},
        {"name": "answer", "arguments": {}},
    ]
    for call in calls:
        expected = float(plain.step(call)[1])
        _, reward, terminated, _, info = env.step(call)
        after = 0.0 if terminated else sum(weight * info["metrics"][name] for name, weight in weights.items())
        assert reward == pytest.approx(expected + gamma * after - potential, abs=1e-12)
        added.append(reward - expected)
        potential = after
    assert any(term > 0.01 for term in added[:-1]) or gamma == 0.0
    assert math.fsum(gamma**t * term for t, term in enumerate(added)) == pytest.approx(0.0, abs=1e-12)


def test_a_truncated_episode_keeps_its_potential() -> None:
    env = PotentialShaping(base(max_calls=1), {"n_calls": 1.0})
    env.reset(seed=0)
    _, reward, terminated, truncated, _ = env.step("nothing")
    assert (reward, terminated, truncated) == (1.0, False, True)


@pytest.mark.parametrize(
    ("weights", "gamma", "options", "message"),
    [
        ({"f2": 1.0}, 1.0, {}, "The metric 'f2' is unknown"),
        ({"f1": 1.0}, 1.0, {"metrics_in_info": "end"}, "The metric 'f1' is not told"),
        ({"f1": 1.0}, 1.5, {}, "gamma=1.5"),
    ],
)
def test_potentials_that_cannot_be_had_are_refused(weights: Any, gamma: float, options: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        PotentialShaping(base(**options), weights, gamma).reset(seed=0)
