from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.study import bootstrap
from scholar_env.study.bootstrap import common_tasks, mean_interval, paired_interval
from scholar_env.study.summary import EpisodeSummary, IncomparableRunsError

Make = Callable[..., EpisodeSummary]


def runs(episode: Make, n: int = 40) -> tuple[list[EpisodeSummary], list[EpisodeSummary]]:
    """Two runs over the same tasks; the first finds a little more on every task."""
    rng = np.random.default_rng(7)
    values = rng.uniform(0.0, 0.8, size=n)
    gains = rng.uniform(0.0, 0.2, size=n)
    first = [
        episode(f"t{at}", metrics={"recall": float(a + b)}) for at, (a, b) in enumerate(zip(values, gains, strict=True))
    ]
    second = [episode(f"t{at}", metrics={"recall": float(a)}) for at, a in enumerate(values)]
    return first, second


def test_one_seed_gives_one_interval_whatever_the_order(episode: Make) -> None:
    first, second = runs(episode)
    found = paired_interval(first, second, "recall", resamples=500, seed=3)
    assert found == paired_interval(first[::-1], second[7:] + second[:7], "recall", resamples=500, seed=3)
    assert found != paired_interval(first, second, "recall", resamples=500, seed=4)


def test_the_stream_of_draws_is_pinned() -> None:
    generator = np.random.PCG64(0)
    assert bootstrap._positions(generator, 10, 2).tolist() == [
        [6, 2, 0, 0, 8, 9, 6, 7, 5, 9],
        [8, 0, 8, 0, 7, 1, 8, 5, 2, 4],
    ]


def test_a_constant_difference_has_no_width(episode: Make) -> None:
    first = [episode(f"t{at}", metrics={"recall": at / 16 + 0.25}) for at in range(8)]
    second = [episode(f"t{at}", metrics={"recall": at / 16}) for at in range(8)]
    found = paired_interval(first, second, "recall", resamples=200)
    assert (found.value, found.low, found.high, found.n_tasks) == (0.25, 0.25, 0.25, 8)
    assert found.excludes_zero


def test_pairing_removes_the_spread_between_tasks(episode: Make) -> None:
    first, second = runs(episode)
    paired = paired_interval(first, second, "recall", resamples=2000)
    assert paired.low <= paired.value <= paired.high
    assert paired.excludes_zero
    alone = mean_interval(first, "recall", resamples=2000)
    assert alone.high - alone.low > 2 * (paired.high - paired.low)


def test_the_interval_matches_the_normal_approximation(episode: Make) -> None:
    first, second = runs(episode, n=400)
    differences = [a.metrics["recall"] - b.metrics["recall"] for a, b in zip(first, second, strict=True)]
    half = 1.96 * float(np.std(differences)) / math.sqrt(400)
    found = paired_interval(first, second, "recall", resamples=4000)
    assert found.value == pytest.approx(float(np.mean(differences)), abs=1e-12)
    assert found.high - found.value == pytest.approx(half, rel=0.1)
    assert found.value - found.low == pytest.approx(half, rel=0.1)


def test_f1_of_means_is_resampled_as_a_whole(episode: Make) -> None:
    first = [episode("a", metrics={"precision": 1.0, "recall": 0.5}), episode("b", metrics={"precision": 0.0})]
    second = [episode("a"), episode("b")]
    found = paired_interval(first, second, "f1_of_means", resamples=300)
    assert found.value == pytest.approx(1 / 3, abs=1e-15)
    assert found.low == 0.0  # both draws were b
    assert found.high == pytest.approx(2 / 3, abs=1e-15)  # both were a


def test_undefined_tasks_are_left_out(episode: Make) -> None:
    first = [episode("a", metrics={"recall": 1.0}), episode("b", metrics={"recall": math.nan})]
    second = [episode("a"), episode("b")]
    found = paired_interval(first, second, "recall", resamples=10)
    assert (found.value, found.n_tasks) == (1.0, 1)
    nothing = paired_interval(first[1:], second[1:], "recall", resamples=10)
    assert nothing.n_tasks == 0
    assert math.isnan(nothing.value)
    assert not nothing.excludes_zero


def test_chunks_do_not_change_the_draws(episode: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = runs(episode)
    whole = paired_interval(first, second, "recall", resamples=97)
    monkeypatch.setattr(bootstrap, "_CHUNK", 40 * 10)
    assert paired_interval(first, second, "recall", resamples=97) == whole


def test_unpaired_sets_are_refused_unless_partial(episode: Make) -> None:
    first, second = [episode("a"), episode("b")], [episode("b"), episode("c")]
    with pytest.raises(IncomparableRunsError, match="task sets of 2 and 2 tasks with 1 in common"):
        paired_interval(first, second, "recall")
    assert paired_interval(first, second, "recall", partial=True, resamples=5).n_tasks == 1
    with pytest.raises(IncomparableRunsError, match="two runs without a common task"):
        common_tasks(first[:1], second, partial=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": 0}, "resamples=0"),
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"seed": -1}, "seed=-1"),
        ({"metric": "nothing"}, "metric 'nothing'. Rule: the run's metrics are avg_distance_best"),
    ],
)
def test_bad_options_are_refused(episode: Make, options: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"metric": "recall", **options}
    compare: Callable[..., bootstrap.Interval] = paired_interval
    with pytest.raises(InvalidOptionError, match=message):
        compare([episode("a")], [episode("a")], **arguments)


@settings(deadline=None)
@given(st.integers(1, 50), st.integers(1, 20), st.integers(0, 2**32))
def test_draws_are_positions(n: int, size: int, seed: int) -> None:
    positions = bootstrap._positions(np.random.PCG64(seed), n, size)
    assert positions.shape == (size, n)
    assert 0 <= positions.min() <= positions.max() < n


def test_draws_are_uniform() -> None:
    counts = np.bincount(bootstrap._positions(np.random.PCG64(1), 7, 10_000).ravel(), minlength=7)
    assert np.abs(counts / 10_000 - 1).max() < 0.04
