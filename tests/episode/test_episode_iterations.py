"""Iterations, plans, paging and caps (rules 1 to 4), with hand-computed pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.trace import Outcome

Begin = Callable[..., Episode]


def call(episode: Episode, name: str, **arguments: Any) -> Outcome:
    return episode.call({"name": name, "arguments": arguments})


def pages(outcome: Outcome) -> list[list[str]]:
    return [list(page.papers) for page in outcome.pages]


def ids(*numbers: int) -> list[str]:
    return [f"p{number:02d}" for number in numbers]


def entry(text: str, link: str = "derive", source: int = 0, **more: Any) -> dict[str, Any]:
    return {"link": link, "source": source, "text": text, **more}


def test_derive_makes_a_node_and_a_page(start: Begin) -> None:
    episode = start()
    outcome = call(episode, "derive", source=0, text="alpha", k=3)
    (page,) = outcome.pages
    assert pages(outcome) == [ids(0, 1, 2)]
    assert [(e.row, e.rank, e.score) for e in page.entries] == [(0, 0, 30.0), (1, 1, 29.0), (2, 2, 28.0)]
    assert (page.subquery, page.iteration, page.number, page.offset, page.total) == (1, 1, 1, 0, 30)
    assert page.gold_ranks == (0, 3)
    assert episode.tree.to_json() == [
        {
            "id": 1,
            "parent": 0,
            "link": "derive",
            "text": "alpha",
            "iteration": 1,
            "requested": 3,
            "retrieved": 3,
            "selected": 0,
            "pages": 1,
        }
    ]
    assert list(episode.retrieved) == ids(0, 1, 2)
    assert (episode.n_calls, episode.n_invalid, episode.n_results_shown) == (1, 0, 3)


def test_expand_keeps_its_source_as_parent(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    call(episode, "expand", source=1, text="beta")
    assert [(node.id, node.parent, node.link) for node in episode.tree] == [(1, 0, "derive"), (2, 1, "expand")]


def test_continue_pages_on_within_an_iteration(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=4)
    assert pages(call(episode, "continue", source=1, k=2)) == [ids(4, 5)]
    outcome = call(episode, "continue", source=1)
    assert pages(outcome) == [ids(*range(6, 16))]
    assert [e.rank for e in outcome.pages[0].entries] == list(range(6, 16))
    refused = call(episode, "continue", source=1)
    assert (refused.error_code, refused.invalid) == ("node_full", True)
    assert refused.error == "subquery 1 has shown all its 3 pages; derive or expand"


def test_continue_after_a_selection_shows_the_next_unseen(start: Begin) -> None:
    """Selected p01 is excluded from iteration 2 on: the list is then p00 p02 p03 …, of which two were seen."""
    episode = start()
    call(episode, "derive", text="alpha", k=3)
    call(episode, "select", subquery=1, papers=["p01"])
    call(episode, "next_iteration")
    (page,) = call(episode, "continue", source=1, k=3).pages
    assert list(page.papers) == ids(3, 4, 5)
    assert (page.offset, page.total) == (2, 29)
    assert [e.rank for e in page.entries] == [2, 3, 4]
    assert page.gold_ranks == (0, 2)
    assert page.gold_ranks_unexcluded == (0, 3)
    assert episode.tree[1].iteration == 2


def test_selections_of_the_open_iteration_exclude_nothing(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=2)
    call(episode, "select", subquery=1, papers=["p00", "p01"])
    assert pages(call(episode, "derive", text="alpha", k=2)) == [ids(0, 1)]
    call(episode, "next_iteration")
    assert pages(call(episode, "derive", text="alpha", k=2)) == [ids(2, 3)]


@pytest.mark.parametrize(
    ("name", "arguments", "code", "message"),
    [
        ("derive", {"source": 2, "text": "beta"}, "unknown_source",
         "there is no subquery 2 to derive from; there are 0 (the question) to 1"),
        ("expand", {"source": 9, "text": "beta"}, "unknown_source",
         "there is no subquery 9 to expand from; there are 0 (the question) to 1"),
        ("continue", {"source": 2}, "unknown_source",
         "there is no subquery 2 to continue; there are 0 (the question) to 1"),
        ("continue", {"source": 0}, "unknown_source",
         "the question itself (0) is never searched; derive a subquery from it first"),
        ("derive", {"source": 0, "text": "beta", "k": 0}, "out_of_range", "derive: k must be at least 1, got 0."),
    ],
)  # fmt: skip
def test_impossible_requests(start: Begin, name: str, arguments: dict[str, Any], code: str, message: str) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    outcome = call(episode, name, **arguments)
    assert (outcome.error_code, outcome.invalid, outcome.pages) == (code, True, ())
    assert outcome.error.startswith(message)
    assert (episode.n_calls, episode.n_invalid, len(episode.tree)) == (2, 1, 1)


def test_k_above_the_page_size_is_capped_with_a_notice(start: Begin) -> None:
    outcome = call(start(), "derive", text="alpha", k=25)
    assert len(outcome.pages[0].entries) == 10
    assert outcome.notices == ("k capped to 10",)
    assert outcome.error == ""


def test_a_text_that_finds_nothing_is_a_retrieval(start: Begin) -> None:
    episode = start()
    outcome = call(episode, "derive", text="nothing")
    assert outcome.notices == ("subquery 1: no results",)
    assert outcome.pages[0].total == 0
    call(episode, "next_iteration")
    assert (episode.stop_reason, episode.iteration, episode.iterations_closed) == ("", 2, 1)


def test_an_exhausted_node_says_so(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="gamma")
    outcome = call(episode, "continue", source=1)
    assert (pages(outcome), outcome.notices) == ([[]], ("subquery 1: no more results",))


def test_plan_runs_its_entries_in_order(start: Begin) -> None:
    episode = start()
    plan = [
        entry("alpha", k=2),
        entry("beta", "expand", 1, k=2),
        entry("", "continue", 1, k=2),
        entry("", "continue", 1, k=2),
    ]
    outcome = call(episode, "plan", subqueries=plan, checklist="c1", experience="e1")
    assert pages(outcome) == [ids(0, 1), ids(20, 21), ids(2, 3), ids(4, 5)]
    assert [page.subquery for page in outcome.pages] == [1, 2, 1, 1]
    assert (outcome.error, outcome.error_code) == ("", "")
    assert episode.memory.to_json() == {"checklist": "c1", "experience": "e1", "history": []}
    assert (episode.n_calls, episode.iteration, episode.iterations_closed) == (1, 1, 0)


def test_plan_takes_the_released_planner_s_names(start: Begin) -> None:
    plan = [{"link_type": "derive", "source_id": 0, "text": "alpha", "target_k": 2}]
    outcome = call(start(), "plan", subqueries=plan, checklist="", experience_replay="", is_complete=False)
    assert pages(outcome) == [ids(0, 1)]


def test_bad_entries_are_named_by_their_index_and_the_others_run(start: Begin) -> None:
    episode = start()
    plan = [
        entry("alpha", k=2), entry("", "derive"), entry("x", "refine"), 7, entry("", "continue", 5),
        {"link": "continue", "source": 1, "k": 99}, entry("beta", k=0),
    ]  # fmt: skip
    outcome = call(episode, "plan", subqueries=plan)
    assert pages(outcome) == [ids(0, 1), ids(*range(2, 12))]
    assert not outcome.invalid
    assert outcome.error_code == "plan_entries"
    assert outcome.notices == ("[5] k capped to 10",)
    assert episode.n_invalid == 0
    assert outcome.error == (
        "plan: these entries were passed over."
        " [1] derive needs a text: the words to search for."
        " [2] link must be one of derive, expand, continue, got 'refine'."
        " [3] must be an object with link, source, text and k."
        " [4] there is no subquery 5 to continue; there are 0 (the question) to 1."
        " [6] k must be at least 1, got 0."
        ' A right entry: {"link": "derive", "source": 0, "text": "sparse retrieval", "k": 10}.'
    )


def test_a_long_list_of_bad_entries_is_cut_short(start: Begin) -> None:
    outcome = call(start(), "plan", subqueries=[entry("")] * 60)
    assert "[9] derive needs a text: the words to search for. … and 50 more. A right entry: " in outcome.error


def test_plan_without_a_valid_entry_changes_nothing(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    outcome = call(episode, "plan", subqueries=[entry(""), 3], checklist="c")
    assert (outcome.error_code, outcome.invalid, outcome.ended) == ("no_valid_entry", True, False)
    assert outcome.error.startswith("plan: no entry is right. [0] derive needs a text")
    assert (episode.iteration, episode.memory.checklist, episode.n_invalid) == (1, "", 1)
    missing = call(episode, "plan", checklist="c")
    assert (missing.error_code, missing.ended) == ("missing_argument", False)


def test_plan_closes_an_iteration_that_holds_a_retrieval(start: Begin) -> None:
    episode = start()
    call(episode, "plan", subqueries=[entry("alpha", k=2)])
    assert (episode.iteration, episode.iterations_closed) == (1, 0)
    call(episode, "select", subquery=1, papers=["p00"])
    outcome = call(episode, "plan", subqueries=[entry("alpha", k=2)])
    assert pages(outcome) == [ids(1, 2)]
    assert (episode.iteration, episode.iterations_closed) == (2, 1)
    assert [iteration.closed for iteration in episode.trace.iterations] == [True, False]


def test_plan_under_a_fixed_assessor_closes_in_one_call(start: Begin) -> None:
    episode = start(gold=("p01", "p21"), assessor="oracle")
    outcome = call(episode, "plan", subqueries=[entry("alpha", k=2), entry("beta", k=2)])
    assert [assessment.selected for assessment in outcome.assessments] == [("p01",), ("p21",)]
    assert (episode.iteration, episode.iterations_closed, list(episode.selected)) == (2, 1, ["p01", "p21"])
    assert pages(call(episode, "derive", text="alpha", k=2)) == [ids(0, 2)]


def test_plan_under_a_fixed_assessor_first_closes_what_single_calls_opened(start: Begin) -> None:
    episode = start(gold=("p01",), assessor="oracle")
    call(episode, "derive", text="alpha", k=2)
    assert list(episode.selected) == []
    outcome = call(episode, "plan", subqueries=[entry("alpha", k=2)])
    assert pages(outcome) == [ids(0, 2)]
    assert (episode.iteration, episode.iterations_closed) == (3, 2)


def test_next_iteration_runs_a_fixed_assessor_over_every_page(start: Begin) -> None:
    episode = start(gold=("p01", "p04", "p20"), assessor="oracle")
    call(episode, "derive", text="alpha", k=3)
    call(episode, "continue", source=1, k=3)
    call(episode, "derive", text="beta", k=2)
    outcome = call(episode, "next_iteration")
    assert [(a.subquery, a.page, a.selected) for a in outcome.assessments] == [
        (1, 1, ("p01",)),
        (1, 2, ("p04",)),
        (2, 1, ("p20",)),
    ]
    (closed, _) = episode.trace.iterations
    assert closed.selected == {1: ("p01", "p04"), 2: ("p20",)}
    assert [node.selected for node in episode.tree] == [2, 1]


@pytest.mark.parametrize("action", [("next_iteration", {}), ("plan", {"subqueries": []})])
def test_empty_plan_ends_as_converged(start: Begin, action: tuple[str, dict[str, Any]]) -> None:
    episode = start()
    call(episode, "derive", text="alpha")
    call(episode, "select", subquery=1, papers=["p02"])
    call(episode, "next_iteration")
    outcome = call(episode, action[0], **action[1])
    assert (outcome.ended, episode.terminated, episode.truncated) == (True, True, False)
    assert (episode.stop_reason, episode.failure_kind) == ("converged", "none")
    assert (list(episode.selected), episode.iterations_closed) == (["p02"], 1)


def test_empty_plan_on_an_open_retrieval_closes_it_and_ends(start: Begin) -> None:
    episode = start(gold=("p01",), assessor="oracle")
    call(episode, "derive", text="alpha")
    call(episode, "plan", subqueries=[])
    assert (episode.stop_reason, episode.iterations_closed, list(episode.selected)) == ("converged", 1, ["p01"])


def test_empty_plan_can_be_a_failure(start: Begin) -> None:
    episode = start(on_empty_plan="fail")
    call(episode, "next_iteration")
    assert (episode.stop_reason, episode.failure_kind, episode.terminated) == ("failed", "policy", True)


def test_complete_ends_without_running_its_subqueries(start: Begin) -> None:
    episode = start()
    call(episode, "derive", text="alpha", k=1)
    outcome = call(episode, "plan", subqueries=[entry("beta")], complete=True)
    assert (outcome.pages, episode.stop_reason, episode.iterations_closed) == ((), "complete", 1)
    assert len(episode.tree) == 1


def test_the_last_iteration_terminates(start: Begin) -> None:
    episode = start(max_iterations=2)
    assert episode.budget() == {"iterations": 2, "calls": 200, "results": -1, "characters": -1, "answer_only": 0}
    call(episode, "derive", text="alpha")
    call(episode, "next_iteration")
    assert episode.budget()["iterations"] == 1
    call(episode, "derive", text="beta")
    outcome = call(episode, "next_iteration")
    assert (outcome.ended, episode.terminated, episode.truncated) == (True, True, False)
    assert (episode.stop_reason, episode.iteration, episode.iterations_closed) == ("max_iterations", 2, 2)
    assert episode.budget()["iterations"] == 0
    assert [iteration.closed for iteration in episode.trace.iterations] == [True, True]


def test_a_plan_after_the_last_iteration_is_not_run(start: Begin) -> None:
    episode = start(max_iterations=1)
    call(episode, "derive", text="alpha", k=1)
    outcome = call(episode, "plan", subqueries=[entry("beta")], checklist="c")
    assert (outcome.pages, outcome.notices) == ((), ("the last iteration is over: the plan was not run",))
    assert (episode.stop_reason, episode.memory.checklist) == ("max_iterations", "")


def test_at_most_six_subqueries_an_iteration(start: Begin) -> None:
    episode = start(max_pages=9)
    call(episode, "derive", text="alpha", k=1)
    call(episode, "search", text="alpha", k=1)
    for _ in range(4):
        call(episode, "continue", source=1, k=1)
    outcome = call(episode, "derive", text="beta")
    assert outcome.error_code == "too_many_subqueries"
    assert outcome.error == ("an iteration has at most 6 subqueries; next_iteration or a new plan opens the next one")
    call(episode, "next_iteration")
    assert call(episode, "derive", text="beta").error == ""


def test_a_plan_of_eight_runs_six(start: Begin) -> None:
    outcome = call(start(), "plan", subqueries=[entry("alpha", k=1)] * 8)
    assert len(outcome.pages) == 6
    assert "[6] an iteration has at most 6 subqueries" in outcome.error
    assert "[7] an iteration has at most 6 subqueries" in outcome.error


def test_undated_papers_only_without_a_bound(start: Begin) -> None:
    assert pages(call(start(), "derive", text="mixed")) == [["p00", "late", "p01", "undated", "p02"]]
    assert pages(call(start(before="2015-06"), "derive", text="mixed")) == [ids(0, 1, 2)]
    assert pages(call(start(before="2015-05"), "derive", text="mixed")) == [[]]


def test_search_pages_by_offset(start: Begin) -> None:
    episode = start()
    outcome = call(episode, "search", text="alpha", k=3, offset=5)
    assert pages(outcome) == [ids(5, 6, 7)]
    assert [e.rank for e in outcome.pages[0].entries] == [5, 6, 7]
    (node,) = episode.tree
    assert (node.parent, node.link, node.requested) == (0, "search", 3)
    assert call(episode, "derive", source=1, text="beta").error == ""
    refused = call(episode, "continue", source=1)
    assert refused.error == "subquery 1 is a search; search again with a larger offset instead"
    far = call(episode, "search", text="alpha", offset=21)
    assert (far.error_code, far.error) == ("out_of_range", "search: offset must be at most 20, the start of page 3")
    assert pages(call(episode, "search", text="alpha", offset=20)) == [ids(*range(20, 30))]


def test_search_can_only_tighten_the_bound(start: Begin) -> None:
    episode = start(before="2020-01")
    assert pages(call(episode, "search", text="mixed", before="2015-05")) == [[]]
    outcome = call(episode, "search", text="mixed", before="2023-01-15")
    assert pages(outcome) == [ids(0, 1, 2)]
    assert outcome.notices == ("before 2023-01-15 is later than the task's bound 2020-01, which holds",)
    free = start()
    assert pages(call(free, "search", text="mixed", before="2022-01")) == [["p00", "late", "p01", "p02"]]


def test_single_calls_and_one_plan_give_the_same_pages(start: Begin) -> None:
    plan = [entry("alpha", k=2), entry("", "continue", 1), entry("beta", "expand", 1, k=3), entry("gamma")]
    for assessor in ("agent", "oracle"):
        whole, singly = start(assessor=assessor), start(assessor=assessor)
        together = pages(call(whole, "plan", subqueries=plan))
        alone = [pages(call(singly, step["link"], **_arguments(step)))[0] for step in plan]
        call(singly, "next_iteration")
        if assessor == "agent":
            call(whole, "next_iteration")
        assert together == alone
        assert whole.tree.to_json() == singly.tree.to_json()
        assert list(whole.selected) == list(singly.selected)


def _arguments(step: dict[str, Any]) -> dict[str, Any]:
    wanted = ("source", "k") if step["link"] == "continue" else ("source", "text", "k")
    return {name: step[name] for name in wanted if name in step}
