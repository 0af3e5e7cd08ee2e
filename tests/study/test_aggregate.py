from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.ranking import mean
from scholar_env.study.aggregate import aggregate
from scholar_env.study.scholargym_report import PADDED, UNPADDED, iteration_series, release_averages
from scholar_env.study.summary import EpisodeSummary

Make = Callable[..., EpisodeSummary]


def test_means_and_both_forms_of_f1(episode: Make) -> None:
    good = {"precision": 1.0, "recall": 0.5, "f1": 2 / 3, "n_results_shown": 30.0}
    bad = {"precision": 0.0, "recall": 0.0, "f1": 0.0, "n_results_shown": 10.0}
    found = aggregate([episode("a", metrics=good, return_=2.0), episode("b", metrics=bad, return_=1.0)])
    assert found["n_tasks"] == 2
    assert found["means"]["recall"] == 0.25
    assert found["means"]["n_results_shown"] == 20.0
    assert found["means"]["return"] == 1.5
    assert found["f1_of_means"] == pytest.approx(2 * 0.5 * 0.25 / 0.75, abs=1e-15)
    assert found["f1_macro"] == pytest.approx(1 / 3, abs=1e-15)
    assert found["ret_f1_of_means"] == found["ret_f1_macro"] == 0.0


def test_undefined_values_are_left_out_of_a_mean(episode: Make) -> None:
    one = episode("a", metrics={"avg_distance_best": math.nan})
    other = episode("b", metrics={"avg_distance_best": 0.5})
    assert aggregate([one, other])["means"]["avg_distance_best"] == 0.5
    assert math.isnan(aggregate([one])["means"]["avg_distance_best"])
    assert math.isnan(mean([]))


def test_shares_are_padded_with_the_last_value_and_distances_are_not(episode: Make) -> None:
    short = [{"recall": 0.5, "precision": 1.0, "avg_distance_iter": 0.4, "gt_discard_iter": 0.2}]
    long = [
        {"recall": 0.0, "precision": 0.0, "avg_distance_iter": 0.8, "gt_discard_iter": 0.0},
        {"recall": 1.0, "precision": 0.5, "avg_distance_iter": 0.6, "gt_discard_iter": 0.1},
    ]
    found = aggregate([episode("a", rows=short), episode("b", rows=long)], horizon=3)
    assert found["series"]["recall"] == [0.25, 0.75, 0.75]
    assert found["series"]["precision"] == [0.5, 0.75, 0.75]
    assert found["series"]["f1"] == pytest.approx([1 / 3, 0.75, 0.75], abs=1e-15)
    assert found["series"]["avg_distance_iter"][:2] == pytest.approx([0.6, 0.6], abs=1e-15)
    assert math.isnan(found["series"]["avg_distance_iter"][2])
    assert found["series"]["gt_discard_iter"][:2] == pytest.approx([0.1, 0.1], abs=1e-15)
    assert found["series_counts"]["recall"] == [2, 2, 2]
    assert found["series_counts"]["avg_distance_iter"] == [2, 1, 0]


def test_an_episode_that_retrieved_nothing_counts_zero_in_the_padded_series(episode: Make) -> None:
    found = aggregate([episode("a", rows=[{"recall": 1.0}]), episode("b")])
    assert found["series"]["recall"] == [0.5]
    assert found["series_counts"] == {name: [1 if name in UNPADDED else 2] for name in found["series_counts"]}


def test_dropping_as_the_release_does(episode: Make) -> None:
    kept = episode("a", metrics={"recall": 1.0}, rows=[{"recall": 1.0}])
    lost = episode("b", stop_reason="converged", rows=[{"recall": 0.0}, {"recall": 0.0}])
    scored, dropped = aggregate([kept, lost]), aggregate([kept, lost], dropped="drop")
    assert (scored["means"]["recall"], scored["n_tasks"], scored["n_dropped"]) == (0.5, 2, 1)
    assert (dropped["means"]["recall"], dropped["n_tasks"], dropped["n_dropped"]) == (1.0, 1, 1)
    assert scored["stop_reasons"] == {"answered": 1, "converged": 1}
    assert dropped["stop_reasons"] == {"answered": 1}
    assert len(dropped["series"]["recall"]) == 1


def test_nothing_left_after_dropping_gives_undefined_averages(episode: Make) -> None:
    found = aggregate([episode("a", stop_reason="converged")], dropped="drop", horizon=2)
    assert found["n_tasks"] == 0
    assert math.isnan(found["f1_of_means"])
    assert math.isnan(found["means"]["return"])


def test_break_downs_by_source_and_label(episode: Make) -> None:
    episodes = [
        episode("a", source="LitSearch", labels={"year": "2020"}, metrics={"recall": 1.0, "precision": 1.0}),
        episode("b", source="PASA", labels={"year": "2021"}, metrics={"recall": 0.5, "precision": 0.5}),
        episode("c", source="PASA", labels={}, metrics={"recall": 0.0}),
    ]
    found = aggregate(episodes)
    assert list(found["by_source"]) == ["LitSearch", "PASA"]
    assert found["by_source"]["PASA"]["n_tasks"] == 2
    assert found["by_source"]["PASA"]["means"]["recall"] == 0.25
    assert found["by_source"]["PASA"]["f1_of_means"] == 0.25
    assert {value: part["n_tasks"] for value, part in found["by_label"]["year"].items()} == {"2020": 1, "2021": 1}


def test_missed_gt_ratio_is_averaged_over_padded_iterations(episode: Make) -> None:
    short, long = [{"missed_gt_ratio": 0.1}], [{"missed_gt_ratio": 0.3}, {"missed_gt_ratio": 0.0}]
    found = aggregate([episode("a", rows=short), episode("b", rows=long)])
    assert found["series"]["missed_gt_ratio"] == pytest.approx([0.2, 0.05], abs=1e-15)
    assert found["missed_gt_ratio_macro_avg"] == pytest.approx(0.125, abs=1e-15)


@pytest.mark.parametrize(
    ("options", "message"), [({"dropped": "keep"}, "dropped='keep'"), ({"horizon": 0}, "horizon=0")]
)
def test_bad_options_are_refused(episode: Make, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        aggregate([episode("a")], **options)


def test_release_averages_stop_where_the_episodes_do(episode: Make) -> None:
    rows = episode("a", rows=[{"recall": 0.5, "avg_distance_iter": 0.4}]).rows
    found = release_averages([rows], 2)
    assert found["avg_recall_iter_1"] == found["avg_recall_iter_2"] == 0.5
    assert found["avg_avg_distance_iter_1"] == 0.4
    assert "avg_avg_distance_iter_2" not in found
    assert release_averages([], 5) == {}


ROWS = st.lists(st.fixed_dictionaries({name: st.floats(0, 1) for name in (*PADDED, *UNPADDED)}), max_size=4)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=5), st.integers(1, 6))
def test_padded_series_end_at_the_mean_of_the_last_values(episodes: list[list[dict[str, float]]], horizon: int) -> None:
    series, counts = iteration_series(episodes, horizon)
    for name in PADDED:
        last = [rows[min(horizon, len(rows)) - 1][name] if rows else 0.0 for rows in episodes]
        assert series[name][-1] == pytest.approx(sum(last) / len(last), abs=1e-12)
        assert counts[name] == [len(episodes)] * horizon
    for name in UNPADDED:
        assert counts[name] == [sum(len(rows) > step for rows in episodes) for step in range(horizon)]
