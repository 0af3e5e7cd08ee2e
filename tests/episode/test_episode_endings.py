"""Selecting, answering, the ways to end, budgets and infrastructure failures (rules 4 to 7, 10 and 15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from scholar_env.episode.retrieval import with_retries
from scholar_env.episode.scholargym.assess import Assessment, Candidate
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.trace import Outcome
from scholar_env.errors import InfrastructureError
from scholar_env.index.base import Hits

if TYPE_CHECKING:
    from tests.episode.conftest import DeclaredIndex

Begin = Callable[..., Episode]


def call(episode: Episode, name: str, **arguments: Any) -> Outcome:
    return episode.call({"name": name, "arguments": arguments})


def entry(text: str, link: str = "derive", source: int = 0, **more: Any) -> dict[str, Any]:
    return {"link": link, "source": source, "text": text, **more}


# Selecting.


@pytest.mark.parametrize("mode", ["NONE", "REFRESH", "PRE_ENRICH"])
def test_second_selection_replaces_the_first(start: Begin, mode: str) -> None:
    episode = start(browser_mode=mode)
    call(episode, "derive", text="alpha", k=5)
    call(episode, "select", subquery=1, papers=["p03", "p01"], overview="good")
    assert list(episode.selected) == ["p01", "p03"]
    assert episode.tree[1].selected == 2
    call(episode, "select", subquery=1, papers=["p02"])
    assert list(episode.selected) == ["p02"]
    assert episode.trace.open.overviews == {1: "good"}
    call(episode, "select", subquery=1, papers=[])
    assert (list(episode.selected), episode.tree[1].selected) == ([], 0)


def test_second_selection_merges_under_incremental(start: Begin) -> None:
    episode = start(browser_mode="INCREMENTAL")
    call(episode, "derive", text="alpha", k=5)
    call(episode, "select", subquery=1, papers=["p03"])
    call(episode, "select", subquery=1, papers=["p01"])
    assert list(episode.selected) == ["p01", "p03"]


def test_ids_that_are_on_no_page_of_the_subquery_are_named(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=2)
    call(episode, "derive", text="beta", k=2)
    outcome = call(episode, "select", subquery=1, papers=["p00", "p20", "p20", "zz"])
    assert outcome.notices == ("select: not on a page of subquery 1, so passed over: p20, zz",)
    assert (outcome.error, list(episode.selected), episode.n_unseen) == ("", ["p00"], 0)


def test_selection_covers_every_page_of_the_open_iteration(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=2)
    call(episode, "continue", source=1, k=2)
    call(episode, "select", subquery=1, papers=["p03", "p00"])
    assert list(episode.selected) == ["p00", "p03"]


def test_only_nodes_with_a_page_in_the_open_iteration_can_be_selected_from(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=2)
    call(episode, "select", subquery=1, papers=["p00"])
    call(episode, "next_iteration")
    old = call(episode, "select", subquery=1, papers=[])
    assert (old.error_code, old.error) == (
        "no_page",
        "select: subquery 1 fetched nothing in the open iteration; subqueries with a page: none",
    )
    call(episode, "derive", text="beta", k=2)
    unknown = call(episode, "select", subquery=7, papers=[])
    assert unknown.error == "select: subquery 7 does not exist; subqueries with a page: 2"
    assert list(episode.selected) == ["p00"]  # nothing selected in a closed iteration can be unselected


def test_selections_add_up_over_iterations(start: Begin) -> None:
    episode = start()
    for paper in ("p00", "p02"):
        call(
            episode,
            "derive" if paper == "p00" else "continue",
            **({"text": "alpha"} if paper == "p00" else {"source": 1}),
            k=2,
        )
        call(episode, "select", subquery=1, papers=[paper])
        call(episode, "next_iteration")
    assert list(episode.selected) == ["p00", "p02"]
    assert episode.tree[1].selected == 2
    assert [iteration.selected for iteration in episode.trace.iterations] == [{1: ("p00",)}, {1: ("p02",)}, {}]


def test_a_fixed_assessor_takes_no_selection(start: Begin) -> None:
    episode = start(assessor="oracle")
    call(episode, "derive", text="alpha")
    outcome = call(episode, "select", subquery=1, papers=["p00"])
    assert outcome.error_code == "not_available"
    assert outcome.error == (
        "select is not part of this environment's options; tools: "
        "derive, expand, continue, plan, next_iteration, search, read, answer, abstain"
    )


# Answering.


def test_answer_finishes_with_what_was_selected(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    call(episode, "select", subquery=1, papers=["p01"])
    outcome = call(episode, "answer")
    assert (outcome.ended, episode.terminated, episode.truncated) == (True, True, False)
    assert (episode.stop_reason, list(episode.selected), episode.iterations_closed) == ("answered", ["p01"], 1)


def test_answer_with_ids_keeps_those_retrieved(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=3)
    call(episode, "select", subquery=1, papers=["p00"])
    outcome = call(episode, "answer", papers=["p02", "p40", "p01", "p02", "nowhere"])
    assert (list(episode.selected), episode.n_unseen) == (["p02", "p01"], 2)
    assert outcome.notices == ("answer: never retrieved, so not counted: 2",)


def test_answer_with_an_empty_list_is_the_empty_answer(start: Begin) -> None:
    episode = start(assessor="oracle")
    call(episode, "derive", text="alpha")
    call(episode, "answer", papers=[])
    assert (list(episode.selected), episode.stop_reason) == ([], "answered")
    assert episode.trace.iterations[0].selected == {1: ("p00", "p03")}  # the close came first


def test_abstain_ends_with_the_empty_answer(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    call(episode, "select", subquery=1, papers=["p00"])
    outcome = call(episode, "abstain", reason="nothing fits")
    assert (outcome.ended, list(episode.selected), episode.stop_reason) == (True, [], "abstained")
    assert (episode.terminated, episode.iterations_closed) == (True, 1)


def test_after_the_end_every_call_is_refused_and_costs_nothing(start: Begin) -> None:
    episode = start()
    call(episode, "answer")
    outcome = call(episode, "derive", text="alpha")
    assert (outcome.error_code, outcome.ended, outcome.invalid) == ("ended", True, True)
    assert (episode.n_calls, len(episode.tree)) == (1, 0)


# Budgets.


def test_a_runaway_agent_is_truncated_after_the_close(start: Begin) -> None:
    episode = start(max_calls=3, assessor="oracle", gold=("p01",))
    call(episode, "derive", text="alpha", k=2)
    call(episode, "nonsense")
    assert episode.budget()["calls"] == 1
    outcome = episode.call(b"\xff")
    assert (outcome.ended, outcome.invalid, outcome.failure_kind) == (True, True, "policy")
    assert (episode.stop_reason, episode.terminated, episode.truncated) == ("max_calls", False, True)
    assert (episode.iterations_closed, list(episode.selected), episode.n_invalid) == (1, ["p01"], 2)
    assert outcome.assessments[0].selected == ("p01",)


def test_an_answer_with_the_last_call_counts(start: Begin) -> None:
    episode = start(max_calls=2)
    call(episode, "derive", text="alpha")
    call(episode, "answer")
    assert (episode.stop_reason, episode.truncated) == ("answered", False)


# Infrastructure.


def failing(kind: type[Exception], times: int) -> list[Exception]:
    error = InfrastructureError("down", "up", "wait") if kind is InfrastructureError else kind("down")
    return [error] * times


@pytest.mark.parametrize("kind", [InfrastructureError, ConnectionError, TimeoutError, ConnectionResetError])
def test_three_retries_are_enough_or_the_episode_is_truncated(
    start: Begin, declared: DeclaredIndex, kind: type[Exception]
) -> None:
    episode = start(index=declared)
    declared.failures[:] = failing(kind, 3)
    assert len(call(episode, "derive", text="alpha").pages) == 1
    declared.failures[:] = failing(kind, 4)
    outcome = call(episode, "derive", text="beta")
    assert (outcome.failure_kind, outcome.error_code, outcome.ended) == ("infrastructure", "infrastructure", True)
    assert outcome.error == f"a part that this call needs cannot be reached ({kind.__name__})"
    assert (episode.terminated, episode.truncated, episode.stop_reason) == (False, True, "infrastructure")
    assert (episode.failure_kind, episode.n_calls, len(episode.tree)) == ("infrastructure", 1, 1)
    assert episode.iterations_closed == 0
    assert declared.failures == []


def test_waits_double() -> None:
    waits: list[float] = []

    def attempt() -> Hits:
        raise TimeoutError("slow")

    with pytest.raises(TimeoutError):
        with_retries(attempt, 0.5, waits.append)
    assert waits == [0.5, 1.0, 2.0]


def test_a_plan_that_fails_midway_is_undone_whole(start: Begin, declared: DeclaredIndex) -> None:
    episode = start(gold=("p01",), assessor="oracle", index=declared)
    call(episode, "derive", text="alpha", k=2)
    before = episode.get_state()
    searches = len(declared.requests)

    class Late(list[Exception]):
        """Fails from the third search on."""

        def __bool__(self) -> bool:
            return len(declared.requests) >= searches + 2

    declared.failures = Late(failing(ConnectionError, 4))
    outcome = call(episode, "plan", subqueries=[entry("alpha", k=2), entry("", "continue", 1), entry("beta")])
    assert (outcome.failure_kind, outcome.pages) == ("infrastructure", ())
    after = episode.get_state()
    assert (after.pop("stop_reason"), before.pop("stop_reason")) == ("infrastructure", "")
    del after["calls"]["last"], before["calls"]["last"]
    assert after == before


def test_an_empty_result_is_no_failure(start: Begin) -> None:
    outcome = call(start(), "derive", text="nothing")
    assert (outcome.failure_kind, outcome.ended, outcome.error) == ("none", False, "")


def test_a_failing_assessor_leaves_the_iteration_open(start: Begin) -> None:
    def judge(question: str, subquery: str, checklist: str, page: object) -> Assessment:
        raise ConnectionError("no judge")

    episode = start(assessor=judge)
    call(episode, "derive", text="alpha")
    outcome = call(episode, "next_iteration")
    assert (outcome.failure_kind, episode.n_calls, episode.iterations_closed) == ("infrastructure", 1, 0)
    assert not episode.trace.open.closed


class Remote:
    """An assessor and a browser that cannot be reached the first times that they are asked."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def reach(self) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise TimeoutError("no answer")

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        self.reach()
        return Assessment((page[0].id,))

    def decide(self, question: str, subquery: str, checklist: str, candidate: Candidate) -> str:
        self.reach()
        return ""

    def summarize(self, goal: str, subquery: str, title: str, sections: object) -> str:
        self.reach()
        return "A remote summary."


@pytest.mark.parametrize("mode", ["NONE", "PRE_ENRICH"])
def test_an_assessor_is_asked_again_three_times(start: Begin, mode: str) -> None:
    for failures, failed in ((3, False), (4, True)):
        remote = Remote(failures)
        episode = start(assessor=remote, browser_mode=mode)
        outcome = call(episode, "plan", subqueries=[entry("alpha", k=2)])
        assert (outcome.failure_kind == "infrastructure") is failed
        assert (list(episode.selected), episode.n_calls) == (([], 0) if failed else (["p00"], 1))


def test_a_browser_is_asked_again_three_times(start: Begin) -> None:
    for failures, failed in ((3, False), (4, True)):
        episode = start(browser_mode="REFRESH")
        episode.browser = Remote(failures).summarize
        call(episode, "derive", text="alpha", k=1)
        outcome = call(episode, "browse", paper="p00", goal="anything")
        assert (outcome.failure_kind == "infrastructure") is failed
        assert failed or (outcome.document or {})["summary"] == "A remote summary."


def test_an_agent_is_told_the_kind_of_a_failure_and_the_log_the_rest(
    start: Begin, declared: DeclaredIndex, caplog: pytest.LogCaptureFixture
) -> None:
    episode = start(index=declared, gold=("p03",))
    declared.failures[:] = [ConnectionError("POST /search gold=[p03]")] * 4
    outcome = call(episode, "derive", text="alpha")
    assert "p03" not in outcome.error
    assert "gold=[p03]" in caplog.text


def test_other_errors_of_an_index_are_faults_and_raise(start: Begin, declared: DeclaredIndex) -> None:
    episode = start(index=declared)
    declared.failures[:] = [ZeroDivisionError("a fault")]
    with pytest.raises(ZeroDivisionError):
        call(episode, "derive", text="alpha")


# Leakage.


def visible(outcome: Outcome) -> dict[str, Any]:
    shown = asdict(outcome)
    for page in shown["pages"]:
        del page["gold_ranks"], page["gold_ranks_unexcluded"]
    return shown


@pytest.mark.parametrize("options", [{}, {"assessor": "lexical"}, {"browser_mode": "REFRESH"}, {"compat": "upstream"}])
def test_gold_changes_nothing_that_an_agent_can_see(start: Begin, options: dict[str, Any]) -> None:
    calls: list[dict[str, Any]] = [
        {"name": "derive", "arguments": {"text": "alpha"}},
        {"name": "select", "arguments": {"subquery": 1, "papers": ["p00", "p09"]}},
        {"name": "browse", "arguments": {"paper": "p00", "goal": "retrieval"}},
        {"name": "read", "arguments": {"paper": "p05", "section": "Data"}},
        {"name": "plan", "arguments": {"subqueries": [entry("beta"), entry("", "continue", 1)], "checklist": "c"}},
        {"name": "plan", "arguments": {"subqueries": [{"link_type": "derive", "source_id": 0, "text": "beta"}]}},
        {"name": "search", "arguments": {"text": "mixed", "offset": 1}},
        {"name": "bogus", "arguments": {}},
        {"name": "answer", "arguments": {"papers": ["p00", "p45"]}},
    ]
    one, two = start(gold=("p00", "p03"), **options), start(gold=("p49", "nowhere", "late"), **options)
    for action in calls:
        assert visible(one.call(action)) == visible(two.call(action))
        assert one.get_state() == two.get_state()
        assert one.budget() == two.budget()


def test_state_and_outcomes_hold_no_gold(start: Begin) -> None:
    episode = start(gold=("p07", "p33"))
    call(episode, "derive", text="alpha", k=2)
    call(episode, "select", subquery=1, papers=["p00"])
    text = repr(episode.get_state())
    assert "p07" not in text
    assert "p33" not in text
    assert "gold" not in text


def test_a_select_that_drops_papers_says_so(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=3)
    assert call(episode, "select", subquery=1, papers=["p00", "p01"]).notices == ()
    outcome = call(episode, "select", subquery=1, papers=["p02", "p01"])
    assert outcome.notices == ("select: replaces the earlier selection of subquery 1; no longer kept: 1",)
    assert list(episode.selected) == ["p01", "p02"]
    assert call(episode, "select", subquery=1, papers=["p01", "p02", "p00"]).notices == ()


def test_a_merging_select_drops_nothing_and_says_nothing(start: Begin) -> None:
    episode = start(browser_mode="INCREMENTAL")
    call(episode, "derive", text="alpha", k=3)
    call(episode, "select", subquery=1, papers=["p00"])
    assert call(episode, "select", subquery=1, papers=["p02"]).notices == ()
    assert list(episode.selected) == ["p00", "p02"]
