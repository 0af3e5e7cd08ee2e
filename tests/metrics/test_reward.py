from __future__ import annotations

import copy
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.reward import RewardModel

ZERO = dict.fromkeys(SCHOLARGYM_METRICS, 0.0)
VALUE = st.one_of(st.floats(0.0, 1.0), st.just(math.nan))
METRICS = st.fixed_dictionaries({"f1": VALUE, "ret_recall": VALUE, "avg_distance_iter": VALUE})
SERIES = st.lists(METRICS, min_size=1, max_size=60)


def test_incremental_pays_differences_that_may_be_negative() -> None:
    model = RewardModel({"f1": 1.0}, SCHOLARGYM_METRICS)
    rewards = [model.step(ZERO | {"f1": f1}, ended=False, invalid=False)[0] for f1 in (0.5, 0.25, 0.25, 1.0)]
    assert rewards == [0.5, -0.25, 0.0, 0.75]


def test_terminal_pays_once_at_the_end() -> None:
    model = RewardModel({"f1": 2.0, "ret_recall": 1.0}, SCHOLARGYM_METRICS, timing="terminal")
    assert model.step(ZERO | {"f1": 0.5}, ended=False, invalid=False)[0] == 0.0
    reward, terms = model.step(ZERO | {"f1": 0.25, "ret_recall": 1.0}, ended=True, invalid=False)
    assert reward == 1.5
    assert terms == {"f1": 0.5, "ret_recall": 1.0, "metrics": 1.5, "invalid_cost": 0.0, "step_cost": 0.0}


def test_costs_stand_apart_from_the_metrics() -> None:
    model = RewardModel({"f1": 1.0}, SCHOLARGYM_METRICS, invalid_cost=0.5, step_cost=0.125)
    reward, terms = model.step(ZERO | {"f1": 0.25}, ended=False, invalid=True)
    assert reward == -0.375
    assert terms == {"f1": 0.25, "metrics": 0.25, "invalid_cost": -0.5, "step_cost": -0.125}
    reward, terms = model.step(ZERO | {"f1": 0.25}, ended=True, invalid=False)
    assert (reward, terms["invalid_cost"], terms["metrics"]) == (-0.125, 0.0, 0.0)


def test_keys_and_types_are_the_same_at_every_call() -> None:
    model = RewardModel({"f1": 1, "recall": 0}, SCHOLARGYM_METRICS)
    for ended in (False, True):
        reward, terms = model.step(ZERO, ended, invalid=ended)
        assert tuple(terms) == model.term_names == ("f1", "recall", "metrics", "invalid_cost", "step_cost")
        assert {type(value) for value in (reward, *terms.values())} == {float}
        assert all(math.copysign(1.0, value) == 1.0 for value in terms.values())  # no minus zero


def test_an_infrastructure_failure_pays_and_charges_nothing() -> None:
    model = RewardModel({"f1": 1.0}, SCHOLARGYM_METRICS, step_cost=0.1)
    reward, terms = model.step(ZERO | {"f1": 1.0}, ended=True, invalid=False, masked=True)
    assert reward == 0.0
    assert set(terms.values()) == {0.0}


def test_weight_zero_records_and_pays_nothing() -> None:
    model = RewardModel({"avg_distance_best": 0.0, "f1": 1.0}, SCHOLARGYM_METRICS)
    metrics = ZERO | {"avg_distance_best": math.nan, "f1": 0.5}
    assert model.step(metrics, ended=True, invalid=False) == (
        0.5,
        {"avg_distance_best": 0.0, "f1": 0.5, "metrics": 0.5, "invalid_cost": 0.0, "step_cost": 0.0},
    )


@given(SERIES, st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_rewards_sum_to_the_final_value(series: list[dict[str, float]], first: float, second: float) -> None:
    weights = {"f1": first, "ret_recall": second, "avg_distance_iter": 0.5}
    for timing in ("incremental", "terminal"):
        model = RewardModel(weights, SCHOLARGYM_METRICS, timing=timing, invalid_cost=1.0, step_cost=0.25)
        steps = [
            model.step(metrics, ended=at == len(series) - 1, invalid=at % 2 == 0) for at, metrics in enumerate(series)
        ]
        final = model.value(series[-1])
        assert math.fsum(terms["metrics"] for _, terms in steps) == pytest.approx(final, abs=1e-12)
        for name, weight in weights.items():
            worth = 0.0 if math.isnan(series[-1][name]) else weight * series[-1][name]
            assert math.fsum(terms[name] for _, terms in steps) == pytest.approx(worth, abs=1e-12)
        costs = 0.25 * len(series) + math.ceil(len(series) / 2)
        assert math.fsum(reward for reward, _ in steps) == pytest.approx(final - costs, abs=1e-11)


def test_ten_thousand_swings_lose_nothing() -> None:
    model = RewardModel({"f1": 1.0}, SCHOLARGYM_METRICS)
    values = [(at * 0.618034) % 1.0 for at in range(10_000)]
    paid = [model.step({"f1": value}, ended=False, invalid=False)[0] for value in values]
    assert abs(math.fsum(paid) - values[-1]) <= 1e-12


@given(SERIES, SERIES)
def test_a_resumed_episode_pays_what_the_original_would(
    before: list[dict[str, float]], after: list[dict[str, float]]
) -> None:
    for timing in ("incremental", "terminal"):
        original = RewardModel({"f1": 1.0, "ret_recall": 0.5}, SCHOLARGYM_METRICS, timing=timing)
        for metrics in before:
            original.step(metrics, ended=False, invalid=False)
        fork = copy.deepcopy(original)
        restored = RewardModel({"f1": 1.0, "ret_recall": 0.5}, SCHOLARGYM_METRICS, timing=timing)
        restored.resume(before[-1])
        for at, metrics in enumerate(after):
            ended = at == len(after) - 1
            reward, terms = original.step(metrics, ended, invalid=False)
            assert fork.step(metrics, ended, invalid=False) == (reward, terms)
            again, _ = restored.step(metrics, ended, invalid=False)
            assert again == pytest.approx(reward, abs=1e-12)


def test_reset_starts_from_zero() -> None:
    model = RewardModel({"f1": 1.0}, SCHOLARGYM_METRICS)
    model.step(ZERO | {"f1": 0.5}, ended=True, invalid=False)
    model.reset()
    assert model.step(ZERO | {"f1": 0.5}, ended=False, invalid=False)[0] == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"weights": {"f1": 1.0}, "timing": "daily"},
            r"reward_timing='daily'\. Rule: one of \('incremental', 'terminal'\)",
        ),
        ({"weights": {"f1": 10**400}}, "Rule: a weight is a finite number"),
        ({"weights": {"f1": 1.0}, "step_cost": 10**400}, "Rule: a cost is a finite number >= 0"),
        ({"weights": {"f1": math.inf}}, "weight inf of reward term 'f1'. Rule: a weight is a finite number"),
        ({"weights": {"f1": True}}, "weight True of reward term 'f1'"),
        ({"weights": {"f2": 1.0}}, "metric 'f2'. Rule: a metric is one of the environment's own"),
        ({"weights": {"step_cost": 1.0}}, "reward term 'step_cost'"),
        ({"weights": {"f1": 1.0}, "step_cost": -0.1}, "step_cost=-0.1. Rule: a cost is a finite number >= 0"),
        ({"weights": {"f1": 1.0}, "invalid_cost": math.nan}, "invalid_cost=nan"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        RewardModel(metrics=SCHOLARGYM_METRICS, **options)
