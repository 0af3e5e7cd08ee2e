"""The released workflow (``compat="upstream"``), beside what the recorded runs cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.scholargym.upstream import KnownSubquery, UpstreamCrashError, plan_iteration
from scholar_env.episode.trace import Outcome

Begin = Callable[..., Episode]
ANY = KnownSubquery("old text", 0, 1)


def item(link: Any = "derive", source: Any = 0, text: Any = "alpha", k: Any = 10) -> dict[str, Any]:
    return {"link_type": link, "source_id": source, "text": text, "target_k": k}


def plan(episode: Episode, *items: Any, **more: Any) -> Outcome:
    arguments = {"subqueries": list(items), "checklist": "", "experience_replay": "", "is_complete": False, **more}
    return episode.call({"name": "plan", "arguments": arguments})


def planned(known: dict[int, KnownSubquery], *items: Any) -> list[tuple[Any, ...]]:
    result = plan_iteration(known, {"subqueries": list(items)}, 2, "2020-01")
    return [(s.id, s.link, s.source, s.text, s.target_k) for s in result.subqueries]


def test_gaps_are_filled() -> None:
    known = {1: ANY, 3: ANY, 6: ANY}
    assert [row[0] for row in planned(known, item(), item(), item(), item())] == [2, 4, 5, 7]


def test_sources_are_not_checked() -> None:
    assert [row[2] for row in planned({}, item(source=77), item(source=None), item(source="1"), item(source=-4))] == [
        77,
        0,
        0,
        -4,
    ]


def test_doubled_continues_collapse_to_the_last_at_the_place_of_the_first() -> None:
    rows = planned({4: ANY}, item("continue", 4, k=3), item(), item("continue", 4, k=8))
    assert rows == [(4, "continue", 0, "old text", 8), (1, "derive", 0, "alpha", 10)]


def test_what_is_passed_over() -> None:
    known = {1: KnownSubquery("full", 0, 3)}
    passed_over = [
        item("continue", 1),
        item("continue", 0),
        item("continue", 9),
        item("Derive"),
        item(text=""),
        {},
        item("continue", None),
    ]
    assert planned(known, *passed_over) == []


@pytest.mark.parametrize(
    ("items", "kind", "message"),
    [
        ([item(), item("continue", 1)], "KeyError", "1"),
        ([item("refine", k="many")], "ValueError", "invalid literal for int() with base 10: 'many'"),
        ([item(k=None)], "TypeError", ""),
        (["derive"], "AttributeError", "'str' object has no attribute 'get'"),
        ([item("continue", [1])], "TypeError", "unhashable type: 'list'"),
    ],
)
def test_crashes_of_the_planner(start: Begin, items: list[Any], kind: str, message: str) -> None:
    with pytest.raises(UpstreamCrashError) as caught:
        planned({}, *items)
    assert caught.value.kind == kind
    assert message in caught.value.crash.message
    assert f"the released workflow raises {kind}: " in str(caught.value)
    episode = start(compat="upstream", assessor="lexical")
    outcome = plan(episode, *items)
    assert (outcome.error_code, outcome.ended, outcome.invalid) == ("upstream_crash", True, False)
    assert (episode.stop_reason, episode.failure_kind, episode.terminated) == ("upstream_crash", "policy", True)
    assert episode.state.crash is not None
    assert episode.state.crash.kind == kind


@pytest.mark.parametrize(
    ("items", "kind", "message"),
    [
        ([item(), item(k=0)], "ValueError", "not enough values to unpack (expected 3, got 2)"),
        ([item(text=5)], "AttributeError", "'int' object has no attribute 'lower'"),
    ],
)
def test_crashes_of_the_retrieval_lose_the_iteration(start: Begin, items: list[Any], kind: str, message: str) -> None:
    episode = start(compat="upstream", assessor="lexical")
    outcome = plan(episode, *items)
    assert outcome.error == f"the released workflow dies here: {kind}: {message}"
    assert (outcome.pages, len(episode.tree), episode.iterations_closed) == ((), 0, 0)


def test_a_task_without_gold_dies_after_its_first_iteration(start: Begin) -> None:
    episode = start(compat="upstream", assessor="lexical", gold=())
    plan(episode, item())
    assert episode.state.crash is not None
    assert (episode.state.crash.kind, episode.stop_reason) == ("ZeroDivisionError", "upstream_crash")
    fair = start(assessor="lexical", gold=())
    fair.call({"name": "plan", "arguments": {"subqueries": [{"link": "derive", "text": "alpha"}]}})
    assert fair.stop_reason == ""


def test_offset_drift(start: Begin) -> None:
    """p00 and p03 are selected from p00…p03 and leave the list; the next page starts four further on all the same."""
    episode = start(compat="upstream", assessor="oracle")
    plan(episode, item(k=4))
    outcome = plan(episode, item("continue", 1, k=4))
    assert outcome.pages[0].papers == ("p06", "p07", "p08", "p09")
    assert outcome.pages[0].offset == 4
    fair = start(assessor="oracle")
    fair.call({"name": "plan", "arguments": {"subqueries": [{"link": "derive", "text": "alpha", "k": 4}]}})
    next_page = fair.call({"name": "continue", "arguments": {"source": 1, "k": 4}}).pages[0]
    assert next_page.papers == ("p04", "p05", "p06", "p07")


def test_page_sizes(start: Begin) -> None:
    outcome = plan(start(compat="upstream", assessor="oracle"), item(k=50), item(k=-3), item(k="2"), item(k=1.9))
    assert [len(page.entries) for page in outcome.pages] == [10, 10, 2, 1]
    assert outcome.notices == ()


def test_more_subqueries_than_asked_for_run(start: Begin) -> None:
    assert len(plan(start(compat="upstream", assessor="oracle"), *[item()] * 9).pages) == 9


def test_empty_plan_that_is_not_complete_drops_the_query(start: Begin) -> None:
    for items in ([], [item("continue", 8)]):
        episode = start(compat="upstream", assessor="oracle")
        plan(episode, item())
        outcome = plan(episode, *items)
        assert (outcome.ended, episode.stop_reason, episode.failure_kind) == (True, "failed", "policy")
        assert list(episode.selected) == ["p00", "p03"]


def test_complete_drops_in_the_first_iteration_and_ends_later_ones(start: Begin) -> None:
    episode = start(compat="upstream", assessor="oracle")
    plan(episode, item(), is_complete=True)
    assert (episode.stop_reason, len(episode.tree)) == ("failed", 0)
    episode = start(compat="upstream", assessor="oracle")
    plan(episode, item())
    plan(episode, item(), is_complete=True)
    assert (episode.stop_reason, len(episode.tree), episode.failure_kind) == ("complete", 1, "none")


def test_agent_may_select_in_place_of_the_selector(start: Begin) -> None:
    episode = start(compat="upstream")
    plan(episode, item(k=2), checklist="c")
    episode.call({"name": "select", "arguments": {"subquery": 1, "papers": ["p01"]}})
    outcome = plan(episode, item("continue", 1, k=2))
    assert outcome.pages[0].papers == ("p03", "p04")  # p01 is gone and two are skipped: p02 is never seen
    assert (episode.iterations_closed, episode.memory.checklist) == (1, "c")


def test_single_requests_are_not_part_of_the_released_workflow(start: Begin) -> None:
    outcome = start(compat="upstream").call({"name": "derive", "arguments": {"text": "alpha"}})
    assert outcome.error == (
        "derive is not part of this environment's options; tools: plan, select, next_iteration, answer, abstain"
    )


def test_a_crashed_episode_can_be_saved(start: Begin) -> None:
    episode = start(compat="upstream", assessor="oracle")
    plan(episode, item())
    plan(episode, item(k=0))
    twin = start(compat="upstream", assessor="oracle", index=episode.index)
    twin.set_state(episode.get_state())
    assert twin.state == episode.state
    assert twin.state.crash is not None


def test_plans_in_this_package_s_own_names_run_too(start: Begin) -> None:
    episode = start(compat="upstream", assessor="oracle")
    entries = [{"link": "derive", "source": 0, "text": "alpha", "k": 2}, {"link": "expand", "text": "beta", "k": None}]
    arguments = {"subqueries": entries, "checklist": "c", "experience": "e", "complete": False}
    outcome = episode.call({"name": "plan", "arguments": arguments})
    assert [len(page.entries) for page in outcome.pages] == [2, 10]
    assert (episode.memory.checklist, episode.memory.experience) == ("c", "e")
    assert episode.trace.iterations[0].plan == {
        "sub_queries": [
            {"id": 1, "text": "alpha", "target_k": 2, "link_type": "derive", "source_id": 0},
            {"id": 2, "text": "beta", "target_k": 10, "link_type": "expand", "source_id": 0},
        ],
        "experience_replay": "e",
        "checklist": "c",
    }


@pytest.mark.parametrize("arguments", [{}, {"subqueries": None, "complete": True}, {"subqueries": [], "reason": "x"}])
def test_replies_are_taken_unchecked(start: Begin, arguments: dict[str, Any]) -> None:
    episode = start(compat="upstream", assessor="oracle")
    outcome = episode.call({"name": "plan", "arguments": arguments})
    assert (episode.stop_reason, outcome.invalid) == ("failed", False)


@pytest.mark.parametrize("arguments", [{"subqueries": "ab"}, {"subqueries": None}, {"subqueries": 3}])
def test_replies_that_the_released_planner_dies_of(start: Begin, arguments: dict[str, Any]) -> None:
    episode = start(compat="upstream", assessor="oracle")
    episode.call({"name": "plan", "arguments": arguments})
    assert episode.stop_reason == "upstream_crash"
