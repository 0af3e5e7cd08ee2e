"""What the recorded calls (``tests/test_oracles.py``) do not show: crashes, purity and hostile replies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import UndefinedMeasureError
from scholar_env.metrics import scholargym_release as release


def test_no_gold_and_no_subquery_is_a_declared_error_or_the_released_crash() -> None:
    with pytest.raises(UndefinedMeasureError, match="average distance over 0 ranked gold papers with cutoff 50"):
        release.calculate_gt_rank_and_distance({1: "q"}, {1: {}}, [], [], {}, cutoff=50)
    with pytest.raises(ZeroDivisionError):
        release.calculate_gt_rank_and_distance({1: "q"}, {1: {}}, [], [], {}, cutoff=50, compat="upstream")
    with pytest.raises(UndefinedMeasureError, match="with cutoff 0"):
        release.calculate_gt_rank_and_distance({1: "q"}, {}, ["a"], [], {}, cutoff=0)


def test_rank_and_distance_change_none_of_their_arguments() -> None:
    ranks = {1: {"a": {"rank": 3, "total": 7}}}
    memory = {"a": 5}
    result = release.calculate_gt_rank_and_distance({1: "q"}, ranks, ["a", "b"], ["a"], memory, cutoff=10)
    assert memory == {"a": 5}
    assert ranks == {1: {"a": {"rank": 3, "total": 7}}}
    assert result["updated_selected_min_rank_tracker"] == {"a": 3, "b": release.TOTAL_PAPER_NUM}
    assert result["cur_iter_distances"] == {"a": 0.7, "b": 0}
    assert result["gt_rank"][0]["ranks"][1] == {"arxiv_id": "b", "rank": 570_205, "total_rank": -1}


def test_a_remembered_rank_counts_only_for_selected_gold() -> None:
    def distances(selected: list[str]) -> dict[str, float]:
        found = release.calculate_gt_rank_and_distance({}, {}, ["a", "b"], selected, {"a": 2, "b": 2, "x": 0}, cutoff=4)
        return dict(found["cur_iter_distances"])

    assert distances(["a"]) == {"a": 0.5}
    assert distances(["a", "x"]) == {"a": 0.5}


def test_retrieval_metrics_without_selection_have_four_keys() -> None:
    assert release.calculate_retrieval_metrics(["a"], ["a", "b"]) == {
        "retrieval_recall": 1.0,
        "retrieval_precision": 0.5,
        "retrieval_matches": 1,
        "retrieved_count": 2,
    }


def test_combined_results_carry_the_record_of_the_best_entry() -> None:
    merged = release.combine_search_results(
        [[("a", 1.0, "old"), ("b", 2.0, "b")], [("a", 2.0, "new"), ("b", 2.0, "x")]]
    )
    assert merged == [("a", 2.0, "new"), ("b", 2.0, "b")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<plan>{"a": 1}</plan>', {"a": 1}),
        ('<think>{"b": 2}</think><plan>```json\n{"a": 1}\n```</plan>', {"a": 1}),
        ('<plan>{"a": 1</plan>', None),
        ("} nothing {", None),
        ("<plan>7</plan>", 7),
        ("{" * 100_000 + "}" * 100_000, None),
    ],
)
def test_json_replies(text: str, expected: object) -> None:
    assert release.parse_json_from_tag(text, "plan") == expected


def test_query_keys_lose_numbers_bullets_and_extremes() -> None:
    text = "x<sub_queries>\n1. graph nets\n- survey\n•* star\nab\n" + "y" * 101 + "\n</sub_queries>"
    assert release.parse_response_to_keys(text) == ["graph nets", "survey", "* star"]


@given(st.text(max_size=200), st.text(alphabet="abc_", min_size=1, max_size=8))
def test_parsers_take_any_text(text: str, tag: str) -> None:
    release.parse_json_from_tag(text, tag)
    assert all(3 <= len(key) <= 100 for key in release.parse_response_to_keys(text))
