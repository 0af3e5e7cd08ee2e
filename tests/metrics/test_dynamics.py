"""Hand-made traces with hand-computed curves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.complit import ABSTAINED, GOLD, NEAR_MISS, NONE, OTHER, STANDINGS
from scholar_env.metrics.dynamics import (
    SearchTrace,
    answer_changes,
    by_call,
    change_timeline,
    search_curves,
    turn_curves,
    unmet_curves,
)

SEARCHES = [
    SearchTrace(retrieved=1, read=2, verdict=3, standing=GOLD),
    SearchTrace(retrieved=2, read=None, verdict=4, standing=OTHER),
    SearchTrace(retrieved=None, read=1, verdict=4, standing=GOLD, forced=True),  # opened by its id, never listed
    SearchTrace(retrieved=None, read=None, verdict=None, standing=NONE),
]


def test_search_curves_by_hand() -> None:
    curves = search_curves(SEARCHES, 4)
    assert curves.retrieved == (0.0, 0.5, 0.75, 0.75, 0.75)  # read counts as retrieved
    assert curves.read == (0.0, 0.25, 0.5, 0.5, 0.5)
    assert curves.answered == (0.0, 0.0, 0.0, 0.25, 0.25)  # the forced one is apart
    assert curves.forced == 0.25


def test_unmet_curves_by_hand() -> None:
    traces = [
        SearchTrace(retrieved=1, read=1, verdict=2, standing=NEAR_MISS),
        SearchTrace(retrieved=1, read=3, verdict=3, standing=ABSTAINED),
        SearchTrace(retrieved=2, read=None, verdict=0, standing=OTHER),
        SearchTrace(retrieved=2, read=2, verdict=3, standing=ABSTAINED, forced=True),
        SearchTrace(retrieved=None, read=None, verdict=3, standing=OTHER, forced=True),
    ]
    curves = unmet_curves(traces, 3)
    assert curves.near_miss_opened == (0.0, 0.2, 0.4, 0.6)
    assert curves.verdict == (0.2, 0.2, 0.4, 0.6)
    assert curves.hallucinated == (0.2, 0.2, 0.4, 0.4)
    assert curves.abstained == (0.0, 0.0, 0.0, 0.2)
    assert (curves.forced_hallucinated, curves.forced_abstained) == (0.2, 0.2)


def test_turn_curves_by_hand_with_a_short_conversation_carried_forward() -> None:
    conversations = [
        [NONE, OTHER, GOLD, GOLD],  # leaves another paper for the target
        [OTHER, OTHER, OTHER],  # shorter: stays on another paper at the fourth turn
        [GOLD, NEAR_MISS, NONE, ABSTAINED],  # leaves another paper for no answer
        [NONE, GOLD, OTHER, GOLD],  # right, wrong, right again
    ]
    curves = turn_curves(conversations)
    assert curves.committed == (0.25, 0.25, 0.25, 0.5)
    assert curves.another == (0.25, 0.75, 0.5, 0.25)
    assert curves.ever_another == (0.25, 0.75, 1.0, 1.0)
    assert curves.escaped == (0.0, 0.0, 0.5, 0.75)
    assert curves.recovered == (0.0, 0.0, 0.25, 0.5)
    assert turn_curves(conversations, turns=5).committed == (0.25, 0.25, 0.25, 0.5, 0.5)
    assert turn_curves(conversations, turns=2).committed == (0.25, 0.25)


def test_answer_changes_turn_by_turn() -> None:
    assert answer_changes([0, 1, 1, 2, 0, 2]) == ("none", "first", "kept", "changed", "withdrawn", "first")
    timeline = change_timeline([[0, 1, 1, 2], [1, 0, 0]])
    assert timeline["first"] == (0.5, 0.5, 0.0, 0.0)
    assert timeline["none"] == (0.5, 0.0, 0.5, 0.0)
    assert timeline["withdrawn"] == (0.0, 0.5, 0.0, 0.0)
    assert timeline["kept"] == (0.0, 0.0, 0.5, 0.0)
    assert timeline["changed"] == (0.0, 0.0, 0.0, 1.0)  # over the one conversation that has a fourth turn


def test_curves_of_nothing_are_undefined() -> None:
    assert all(math.isnan(value) for value in search_curves([], 2).retrieved)
    assert turn_curves([]).committed == ()
    assert math.isnan(unmet_curves([], 0).forced_abstained)


@pytest.mark.parametrize(
    ("conversations", "turns", "message"),
    [
        ([[]], None, "a conversation of 0 turns, with no standing"),
        ([["wrong"]], None, r"with \['wrong'\] standing"),
        ([[GOLD]], 0, "turns=0. Rule: a conversation has at least one turn"),
    ],
)
def test_bad_conversations_are_refused(conversations: list[list[str]], turns: int | None, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        turn_curves(conversations, turns)


def test_a_curve_needs_a_length() -> None:
    with pytest.raises(InvalidOptionError, match="calls=-1"):
        by_call([1], -1)


moments = st.none() | st.integers(0, 12)
traces = st.lists(st.builds(SearchTrace, moments, moments, moments, st.sampled_from(STANDINGS), st.booleans()))
conversations_drawn = st.lists(st.lists(st.sampled_from(STANDINGS), min_size=1, max_size=5), min_size=1)


@given(traces.filter(bool))
def test_search_curves_never_fall_and_retrieved_is_never_below_read(drawn: list[SearchTrace]) -> None:
    curves = search_curves(drawn, 12)
    for curve in (curves.retrieved, curves.read, curves.answered):
        assert list(curve) == sorted(curve)
    assert all(first >= second for first, second in zip(curves.retrieved, curves.read, strict=True))


@given(conversations_drawn)
def test_turn_curves_hold_their_sums_at_every_turn(drawn: list[list[str]]) -> None:
    curves = turn_curves(drawn)
    for ever, escaped, another, recovered in zip(
        curves.ever_another, curves.escaped, curves.another, curves.recovered, strict=True
    ):
        assert escaped == pytest.approx(ever - another)
        assert recovered <= escaped
    assert list(curves.ever_another) == sorted(curves.ever_another)
