"""What numbered actions refer to is what is shown, and no action said to be possible is refused."""

from __future__ import annotations

import re
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.wrappers import discrete
from scholar_env.wrappers.discrete import DiscreteTemplates
from scholar_env.wrappers.numeric import NumericObs

ID = "ScholarGym-TestFast-v0"
OPTIONS = st.fixed_dictionaries(
    {
        "assessor": st.sampled_from(["agent", "agent", "oracle", "lexical"]),
        "browser_mode": st.sampled_from(["NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH"]),
        "max_iterations": st.integers(1, 4),
        "page_size": st.integers(1, 15),
        "max_pages": st.integers(1, 4),
        "max_subqueries": st.integers(1, 7),
        "max_calls": st.sampled_from([1, 2, 7, 30, 200]),
        "memory": st.booleans(),
        "on_empty_plan": st.sampled_from(["finish", "fail"]),
    }
)


def base(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, corpus="toy", disable_env_checker=True, **options)


def places(env: Any, kind: str) -> list[int]:
    return [action for action, template in enumerate(env.get_wrapper_attr("templates")) if template[0] == kind]


@settings(max_examples=80, deadline=None)
@given(OPTIONS, st.integers(1, 12), st.integers(1, 7), st.integers(0, 2**32))
def test_no_possible_action_is_refused_whatever_the_options(
    options: dict[str, Any], results: int, subqueries: int, seed: int
) -> None:
    env = DiscreteTemplates(base(**options), results=results, subqueries=subqueries)
    rng = np.random.default_rng(seed)
    for _ in range(2):
        env.reset(seed=int(rng.integers(1000)))
        ended = False
        while not ended:
            possible = np.flatnonzero(env.action_masks())
            # The ends are rare, so that the limits are met.
            weights = np.array([0.02 if env.templates[action][0] == "answer" else 1.0 for action in possible])
            action = int(rng.choice(possible, p=weights / weights.sum()))
            observation, _, terminated, truncated, info = env.step(action)
            assert (info["action_error"], observation["error"]) == ("", ""), env.templates[action]
            ended = terminated or truncated


@settings(max_examples=40, deadline=None)
@given(OPTIONS, st.integers(1, 12), st.integers(1, 7), st.integers(0, 2**32))
def test_rows_and_masks_agree_after_every_step(
    options: dict[str, Any], results: int, subqueries: int, seed: int
) -> None:
    env = cast("Any", NumericObs(DiscreteTemplates(base(**options), results, subqueries)))
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed % 1000)
    ended = False
    while not ended:
        mask = observation["action_mask"].astype(bool)
        assert (mask == env.env.action_masks()).all()
        shown = dict(zip(env.columns["results"], observation["results"].T, strict=True))
        there = observation["results_mask"].astype(bool)
        if options["assessor"] == "agent":
            assert (mask[places(env, "keep")] == (there & (shown["selected"] == 0))).all()
        assert not (mask[places(env, "derive")] & ~there).any()
        for place, action in enumerate(places(env, "derive")):
            if mask[action]:
                assert env.env.call_of(action)["arguments"]["source"] == shown["subquery"][place]
        for place, action in enumerate(places(env, "continue")):
            if mask[action]:
                assert env.env.call_of(action)["arguments"]["source"] == observation["tree"][place][0]
        possible = np.flatnonzero(mask)
        observation, _, terminated, truncated, _ = env.step(int(rng.choice(possible)))
        assert observation in env.observation_space
        ended = terminated or truncated
    assert np.flatnonzero(observation["action_mask"]).tolist() == places(env, "answer")


def test_the_shelf_outlasts_steps_that_fetch_nothing() -> None:
    below = DiscreteTemplates(base(), results=5, subqueries=2)
    env = cast("Any", NumericObs(below))
    env.reset(seed=0)
    searched, *_ = env.step(places(env, "question")[0])
    keep = places(env, "keep")
    kept, *_ = env.step(keep[1])
    assert kept["results_mask"].tolist() == [1] * 5
    selected = env.columns["results"].index("selected")
    assert kept["results"][:, selected].tolist() == [0, 1, 0, 0, 0]
    assert (np.delete(kept["results"], selected, 1) == np.delete(searched["results"], selected, 1)).all()
    assert kept["action_mask"][keep].tolist() == [1, 0, 1, 1, 1]
    assert kept["action_mask"][places(env, "derive")].tolist() == [1] * 5
    first = [result["paper"] for result in below.shelf]
    derived, *_ = env.step(places(env, "derive")[0])
    fresh = [result["paper"] for result in env.unwrapped._observe()["results"]]
    assert [result["paper"] for result in below.shelf] == fresh[:5] != first
    assert (derived["results"][:, env.columns["results"].index("subquery")] == 2).all()
    closed, *_ = env.step(places(env, "next_iteration")[0])
    assert not closed["results_mask"].any()
    assert below.shelf == ()


def test_a_paper_that_is_found_again_stays_kept() -> None:
    env = cast("Any", NumericObs(DiscreteTemplates(base(), results=3)))
    env.reset(seed=0)
    env.step(places(env, "question")[0])
    env.step(places(env, "keep")[0])
    again, *_ = env.step(places(env, "question")[0])
    assert again["results"][0][list(env.columns["results"]).index("subquery")] == 2
    assert again["results"][:, list(env.columns["results"]).index("selected")].tolist() == [1, 0, 0]
    assert again["action_mask"][places(env, "keep")].tolist() == [0, 1, 1]


def test_limits_are_the_environments_own_or_tighter() -> None:
    for given_limits in ({}, {"page_size": 50, "max_pages": 9, "max_subqueries": 9}):
        env = DiscreteTemplates(base(page_size=3, max_pages=1, max_subqueries=2), **given_limits)
        env.reset(seed=0)
        for _ in range(2):
            assert env.action_masks()[0]
            observation, *_ = env.step(0)
            assert (len(observation["results"]), observation["feedback"]) == (3, "")
        assert [env.action_names[a] for a in np.flatnonzero(env.action_masks()) if env.templates[a][0] != "keep"] == [
            "next_iteration",
            "answer",
        ]
    tighter = DiscreteTemplates(base(), page_size=4, max_pages=2, max_subqueries=3)
    tighter.reset(seed=0)
    observation, *_ = tighter.step(0)
    assert len(observation["results"]) == 4
    tighter.step(places(tighter, "continue")[0])
    assert not tighter.action_masks()[places(tighter, "continue")].any()
    tighter.step(0)
    assert not tighter.action_masks()[0]
    wide = DiscreteTemplates(base(page_size=20, max_subqueries=8, max_pages=5))
    wide.reset(seed=0)
    observation, *_ = wide.step(0)
    assert len(observation["results"]) == 20
    for _ in range(4):
        assert wide.action_masks()[places(wide, "continue")[0]]
        wide.step(places(wide, "continue")[0])
    assert not wide.action_masks()[places(wide, "continue")[0]]
    for _ in range(3):
        assert wide.action_masks()[0]
        wide.step(0)
    assert not wide.action_masks()[0]


class Asks(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Another question."""

    def __init__(self, env: gymnasium.Env[Any, Any], question: str) -> None:
        super().__init__(env)
        self.question = question

    def observation(self, observation: Any) -> Any:
        return {**observation, "question": self.question}


def test_questions_longer_than_a_search_takes_are_cut_and_empty_ones_not_searched() -> None:
    env = DiscreteTemplates(Asks(base(), " credit risk" * 500))
    env.reset(seed=0)
    assert env.step(0)[4]["action_error"] == ""
    env = DiscreteTemplates(Asks(base(), " \n"))
    env.reset(seed=0)
    assert np.flatnonzero(env.action_masks()).tolist() == places(env, "answer")


def test_a_selection_longer_than_a_call_takes_is_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discrete, "MOST_KEPT", 2)
    env = DiscreteTemplates(base(), results=4)
    env.reset(seed=0)
    env.step(0)
    for place in (0, 1):
        assert env.action_masks()[places(env, "keep")[place]]
        env.step(places(env, "keep")[place])
    assert not env.action_masks()[places(env, "keep")].any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"results": 0}, "results=0"),
        ({"subqueries": 0}, "subqueries=0"),
        ({"max_pages": 0}, "max_pages=0"),
        ({"page_size": "ten"}, "page_size='ten'"),
    ],
)
def test_senseless_sizes_are_refused(options: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=f"^{message}"):
        DiscreteTemplates(base(), **options)


def test_a_view_too_small_for_the_actions_is_refused() -> None:
    below = DiscreteTemplates(base(), results=5, subqueries=3)
    assert cast("Any", NumericObs(below).observation_space)["results"].shape == (5, 5)
    with pytest.raises(InvalidOptionError, match=r"results=4\..*at least 5"):
        NumericObs(below, results=4)
    with pytest.raises(InvalidOptionError, match=r"nodes=2\..*at least 3"):
        NumericObs(below, nodes=2)
    wide = cast("Any", NumericObs(below, results=7))
    wide.reset(seed=0)
    assert wide.step(0)[0]["results_mask"].tolist() == [1] * 5 + [0] * 2


def test_columns_have_names_units_and_ranges_in_the_docstring() -> None:
    env = cast("Any", NumericObs(DiscreteTemplates(base(), results=2, subqueries=1)))
    text = " ".join((NumericObs.__doc__ or "").split())
    for key, names in env.columns.items():
        box = env.observation_space[key]
        assert len(names) == box.shape[-1]
        if key == "action_mask":
            continue
        start = text.index(f"``{key}`` float32[")
        part = text[start : text.find("``", text.index("- " + names[-1], start))]
        told = re.findall(r"- (\w+): .*?\[(-?\d+), ([\d^]+)\]", part)
        flat = box.low.reshape(-1, len(names))[0].tolist(), box.high.reshape(-1, len(names))[0].tolist()
        ranges = [
            (name, str(int(low)), "2^24" if high == 2**24 else str(int(high)))
            for name, low, high in zip(names, *flat, strict=True)
        ]
        assert told == ranges
    assert env.columns["action_mask"] == (
        "question", "derive 0", "derive 1", "continue 0", "keep 0", "keep 1", "next_iteration", "answer",
    )  # fmt: skip
    assert NumericObs(base()).columns.keys() == {"budget", "results", "tree", "selected"}
