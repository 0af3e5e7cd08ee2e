from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import ranking

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=12)


def test_precision_recall_and_f1_of_a_small_case() -> None:
    found, gold = ["a", "b", "c", "d"], ["a", "d", "x"]
    assert ranking.precision(found, gold) == 2 / 4
    assert ranking.recall(found, gold) == 2 / 3
    assert ranking.f1(found, gold) == pytest.approx(4 / 7, abs=1e-15)  # 2·2 / (4 + 3)


def test_repeated_ids_count_once() -> None:
    assert ranking.precision(["a", "a", "b"], ["a"]) == 0.5
    assert ranking.recall(["a", "a"], ["a", "a", "b"]) == 0.5


def test_empty_denominators_give_zero() -> None:
    assert ranking.precision([], ["a"]) == 0.0
    assert ranking.recall(["a"], []) == 0.0
    assert ranking.f1(["a"], ["b"]) == 0.0
    assert ranking.ratio(3, 0) == 0.0
    assert ranking.harmonic_mean(0.0, 0.0) == 0.0


def test_measures_at_k() -> None:
    ranked, gold = ["a", "x", "b", "y"], ["a", "b", "c"]
    assert ranking.recall_at(ranked, gold, 2) == 1 / 3
    assert ranking.recall_at(ranked, gold, 3) == 2 / 3
    assert ranking.precision_at(ranked, gold, 3) == 2 / 3
    assert ranking.precision_at(["a", "b"], gold, 10) == 1.0  # over the two that there are


def test_reciprocal_rank_is_one_at_the_top() -> None:
    assert ranking.reciprocal_rank(["a", "b"], ["a"]) == 1.0
    assert ranking.reciprocal_rank(["x", "y", "b", "a"], ["a", "b"]) == 1 / 3
    assert ranking.reciprocal_rank(["x"], ["a"]) == 0.0


def test_ndcg_by_hand() -> None:
    gain = 1 / math.log2(2) + 1 / math.log2(4)  # ranks 0 and 2
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert ranking.ndcg_at(["a", "x", "b"], ["a", "b"], 3) == pytest.approx(gain / ideal, abs=1e-15)
    assert ranking.ndcg_at(["a", "x", "b"], ["a", "b"], 1) == 1.0
    assert ranking.ndcg_at(["a"], [], 5) == 0.0
    assert ranking.ndcg_at(["a", "a"], ["a", "b"], 2) == pytest.approx(1 / ideal, abs=1e-15)  # counted once


@pytest.mark.parametrize("measure", [ranking.precision_at, ranking.recall_at, ranking.ndcg_at])
def test_a_cutoff_below_one_is_refused(measure: ranking.CutoffMeasure) -> None:
    with pytest.raises(InvalidOptionError, match=r"cutoff k=0\. Rule: a cutoff is an integer of at least 1"):
        measure(["a"], ["a"], 0)


@given(IDS, IDS)
def test_f1_lies_between_precision_and_recall(found: list[str], gold: list[str]) -> None:
    low, high = sorted((ranking.precision(found, gold), ranking.recall(found, gold)))
    assert 0.0 <= low - 1e-12 <= ranking.f1(found, gold) + 1e-12 or low == 0.0
    assert ranking.f1(found, gold) <= high + 1e-12
    assert (ranking.f1(found, gold) == 0.0) == (not set(found) & set(gold))


@given(st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True), IDS, st.integers(1, 9))
def test_ranked_measures_stay_within_bounds_and_recall_grows_with_k(ranked: list[str], gold: list[str], k: int) -> None:
    assert 0.0 <= ranking.ndcg_at(ranked, gold, k) <= 1.0 + 1e-12
    assert ranking.recall_at(ranked, gold, k) <= ranking.recall_at(ranked, gold, k + 1)
    front = sorted(ranked, key=lambda paper: paper not in gold)
    assert ranking.ndcg_at(front, gold, k) >= ranking.ndcg_at(ranked, gold, k) - 1e-12
