from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import scholargym as measures
from scholar_env.metrics import scholargym_release as release

RETRIEVED = ["a", "b", "c", "d", "e", "x", "y", "z"]  # three gold papers among eight
SELECTED = ["a", "x"]
GOLD = ["a", "b", "c", "missing"]

RANK = st.one_of(st.none(), st.integers(0, 150))
PAPERS = st.lists(st.sampled_from("abcdef"), max_size=6)


def test_shares_over_retrieved_and_selected() -> None:
    assert measures.ret_recall(RETRIEVED, GOLD) == 3 / 4
    assert measures.ret_precision(RETRIEVED, GOLD) == 3 / 8
    assert measures.ret_f1(RETRIEVED, GOLD) == pytest.approx(2 * (3 / 4) * (3 / 8) / (9 / 8), abs=1e-15)
    assert measures.recall(SELECTED, GOLD) == 1 / 4
    assert measures.precision(SELECTED, GOLD) == 1 / 2
    assert measures.f1(SELECTED, GOLD) == pytest.approx(1 / 3, abs=1e-15)


def test_discard_variants_have_three_denominators() -> None:
    assert measures.gt_discard_of_discarded(RETRIEVED, SELECTED, GOLD) == 2 / 6  # b, c of b c d e y z
    assert measures.gt_discard_of_retrieved_gt(RETRIEVED, SELECTED, GOLD) == 2 / 3  # b, c of a b c
    assert measures.gt_discard_iter(RETRIEVED, SELECTED, GOLD) == 2 / 6
    assert measures.missed_gt_ratio(RETRIEVED, SELECTED, GOLD) == 2 / 8


def test_discards_are_zero_when_there_is_nothing_to_discard() -> None:
    assert measures.gt_discard_of_discarded(["a"], ["a"], ["a"]) == 0.0
    assert measures.gt_discard_of_retrieved_gt(["x"], [], ["a"]) == 0.0
    assert measures.missed_gt_ratio([], [], ["a"]) == 0.0
    assert measures.missed_gt_ratio_macro([]) == 0.0
    assert measures.missed_gt_ratio_macro([0.5, 0.0]) == 0.25


@pytest.mark.parametrize(
    ("rank", "expected"), [(0, 1.0), (1, 0.99), (99, 0.01), (100, 0.0), (570_205, 0.0), (None, 0.0)]
)
def test_distance_of_a_rank_counts_from_zero(rank: int | None, expected: float) -> None:
    assert measures.distance(rank) == pytest.approx(expected, abs=1e-12)


def test_distance_refuses_a_cutoff_below_one() -> None:
    with pytest.raises(InvalidOptionError, match=r"cutoff=0\. Rule: a cutoff is an integer of at least 1"):
        measures.distance(3, cutoff=0)


def test_avg_distance_iter_forgets_what_was_not_selected() -> None:
    iterations: list[tuple[list[measures.Ranks], list[str]]] = [
        ([{"a": 9, "b": None}, {"a": 19, "b": 49}], ["a"]),  # best ranks 9 and 49; a is selected
        ([{"a": None, "b": None}], []),  # a keeps its 9, b has lost its 49
        ([{"b": 0}], ["b"]),
    ]
    expected = [(0.91 + 0.51) / 2, 0.91 / 2, (0.91 + 1.0) / 2]
    assert measures.avg_distance_iter(iterations, ["a", "b"]) == pytest.approx(expected, abs=1e-12)
    assert measures.avg_distance_mean_iters(expected) == pytest.approx(sum(expected) / 3, abs=1e-12)


def test_avg_distance_best_never_forgets() -> None:
    ranks: list[measures.Ranks] = [{"a": 9, "b": None}, {"a": 19, "b": 49}, {"a": None, "b": None}]
    assert measures.avg_distance_best(ranks, ["a", "b"]) == pytest.approx((0.91 + 0.51) / 2, abs=1e-12)
    assert measures.avg_distance_best([], ["a"]) == 0.0


def test_a_late_selection_brings_back_only_what_the_memory_holds() -> None:
    counted, memory = measures.carry_ranks([{"a": 40}], ["a"], [], {})
    assert (counted, memory) == ({"a": 40}, {"a": 40})
    counted, memory = measures.carry_ranks([{"a": 60}], ["a"], ["a"], memory)
    assert (counted, memory) == ({"a": 40}, {"a": 40})
    counted, memory = measures.carry_ranks([{}], ["a"], ["a"], memory)
    assert counted == {"a": 40}


def test_distances_without_gold_are_undefined() -> None:
    assert math.isnan(measures.mean_distance({}, []))
    assert math.isnan(measures.avg_distance_iter([([{}], [])], [])[0])


def test_f1_of_means_and_f1_macro_differ() -> None:
    precisions, recalls = [1.0, 0.0], [0.5, 0.0]
    assert measures.f1_of_means(precisions, recalls) == pytest.approx(2 * 0.5 * 0.25 / 0.75, abs=1e-15)
    assert measures.f1_macro(precisions, recalls) == pytest.approx((2 / 3) / 2, abs=1e-15)
    assert measures.f1_of_means([], []) == measures.f1_macro([], []) == 0.0


def test_f1_macro_refuses_series_of_different_length() -> None:
    with pytest.raises(ValueError, match="shorter"):
        measures.f1_macro([1.0, 0.5], [1.0])


@given(PAPERS, PAPERS, PAPERS)
def test_pure_measures_agree_with_the_released_ones(retrieved: list[str], chosen: list[str], gold: list[str]) -> None:
    selected = [paper for paper in chosen if paper in retrieved]
    released = release.calculate_retrieval_metrics(gold, retrieved, selected)
    assert measures.ret_recall(retrieved, gold) == released["retrieval_recall"]
    assert measures.ret_precision(retrieved, gold) == released["retrieval_precision"]
    assert measures.recall(selected, gold) == released["recall"]
    assert measures.precision(selected, gold) == released["precision"]
    one = {"retrieved_arxiv_ids": retrieved, "selected_arxiv_ids": selected}
    iteration = release.calculate_iteration_metrics({1: one}, gold)
    assert measures.gt_discard_iter(retrieved, selected, gold) == iteration["discarded_ratio"]


@given(
    st.lists(
        st.tuples(st.lists(st.dictionaries(st.sampled_from("abc"), RANK), min_size=1, max_size=3), PAPERS), max_size=4
    ),
    st.integers(1, 120),
)
def test_avg_distance_iter_agrees_with_the_released_loop(
    iterations: list[tuple[list[dict[str, int | None]], list[str]]], cutoff: int
) -> None:
    gold = ["a", "b", "c"]
    selected: set[str] = set()
    memory: dict[str, int] = {}
    expected = []
    for rank_lists, chosen in iterations:
        selected |= set(chosen)
        ranks = {
            at: {paper: {"rank": rank, "total": 999} for paper, rank in found.items() if rank is not None}
            for at, found in enumerate(rank_lists)
        }
        texts = dict.fromkeys(ranks, "query")
        result = release.calculate_gt_rank_and_distance(texts, ranks, gold, selected, memory, cutoff=cutoff)
        memory = result["updated_selected_min_rank_tracker"]
        expected.append(result["avg_distance"])
    assert measures.avg_distance_iter(iterations, gold, cutoff=cutoff) == pytest.approx(expected, abs=1e-12)
