"""Budgets, forced answers, conversations, the simulated user, and saved states of CompLit."""

from __future__ import annotations

import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus
from scholar_env.episode.complit.user import NO_REQUIREMENT, answer_to
from scholar_env.errors import StateError
from scholar_env.index.sparse import SparseIndex
from scholar_env.metrics.complit import Answer
from scholar_env.metrics.complit_judging import own_judge, requests
from scholar_env.metrics.complit_tracker import ComplitTracker
from scholar_env.records import Paper, Task
from tests.episode.complit_small import TURNS, corpus, corpus_of, cumulative, do, episode, standard, unmet

__all__ = ["corpus"]


def test_an_answer_ends_a_single_turn(corpus: Corpus) -> None:
    running = episode(corpus, standard())
    outcome = do(running, "answer", paper="p0", rationale="it fits")
    assert (outcome.ended, running.stop_reason, running.terminated) == (True, "answered", True)
    assert (running.answer_ids(), running.state.final, running.state.forced) == (["p0"], True, False)
    assert do(running, "abstain").error_code == "ended"
    titled = episode(corpus, standard())
    do(titled, "answer", title="Graph walks")
    assert titled.answer_ids() == ["Graph walks"]


def test_an_answer_is_taken_under_the_id_that_the_corpus_holds(tmp_path: Path) -> None:
    task = Task("a", "Which paper is it?", "", ("2101.00001",))
    walks, runs = Paper("2101.00001", "Graph walks", "Random walks."), Paper("2102.00002", "Graph runs", "Fast runs.")
    papers = corpus_of(tmp_path, walks, runs)
    for given, right in (("2101.00001", 1.0), ("arXiv:2101.00001v3", 1.0), ("arXiv:2102.00002v3", 0.0)):
        for title in ("", "Graph walks"):
            running = episode(papers, task)
            do(running, "answer", paper=given, title=title)
            metrics = ComplitTracker(task.gold).update(running)
            assert (metrics["accuracy"], metrics["conflict"]) == (right, float(bool(title) and not right))
            assert running.answer_ids() == ["2101.00001" if right else "2102.00002"]


@pytest.mark.parametrize("paper", ["", "p0"])
@pytest.mark.parametrize(("title", "right"), [("graph WALKS", 1.0), ("Walks on graphs", 1.0), ("Graph runs", 0.0)])
def test_a_target_may_be_named_as_the_corpus_or_as_the_task_does(
    corpus: Corpus, paper: str, title: str, right: float
) -> None:
    task = dataclasses.replace(standard(), details={"target": {"id": "p0", "title": "Walks on graphs"}})
    running = episode(corpus, task)
    do(running, "answer", paper=paper, title=title)
    metrics = ComplitTracker(task.gold).update(running)
    assert (metrics["accuracy"], metrics["conflict"]) == (right, float(bool(paper) and not right))
    [request] = requests(running) or []
    rating = own_judge(running).rate(request)
    assert (rating.score == 1.0) == bool(right)


def test_naming_nothing_abstains(corpus: Corpus) -> None:
    for name, arguments in (("abstain", {"reason": "none fits"}), ("answer", {"title": "  "}), ("answer", {})):
        running = episode(corpus, unmet())
        do(running, name, **arguments)
        assert (running.stop_reason, running.answer_ids(), running.state.answer) == ("abstained", [], Answer())


def test_tool_calls_and_refused_calls_spend_the_budget_and_answers_do_not(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True, max_tool_calls=4)
    assert running.budget() == {"iterations": -1, "calls": 4, "results": -1, "characters": -1, "answer_only": 0}
    do(running, "search", text="graphs")
    do(running, "answer", paper="p1")
    do(running, "next_turn")
    do(running, "abstain")
    assert running.budget()["calls"] == 3
    do(running, "read", paper="nowhere")
    running.call("no call at all")
    assert running.budget()["calls"] == 1
    outcome = do(running, "grep", text="walk")
    assert running.budget() == {"iterations": -1, "calls": 0, "results": -1, "characters": -1, "answer_only": 1}
    assert outcome.notices[-1] == "the budget is spent; answer or abstain now"


def test_every_call_is_a_message_under_that_budget(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True, max_tool_calls=3, budget_mode="messages")
    do(running, "answer", paper="p1")
    do(running, "next_turn")
    assert running.budget()["calls"] == 1
    do(running, "search", text="graphs")
    assert running.budget()["answer_only"] == 1


def test_after_the_budget_an_answer_is_forced(corpus: Corpus) -> None:
    running = episode(corpus, standard(), max_tool_calls=1)
    do(running, "search", text="graphs")
    refused = do(running, "search", text="graphs")
    assert (refused.error_code, refused.invalid, refused.ended) == ("answer_only", True, False)
    assert refused.error == "search: the budget is spent; call answer or abstain now"
    do(running, "answer", paper="p0")
    assert (running.stop_reason, running.state.forced) == ("answered", True)


BLOCKED: list[Any] = [
    {"name": "search", "arguments": {"text": "graphs"}},
    {"name": "no_tool", "arguments": {}},
    {"name": "answer", "arguments": {"paper": 1}},
    "gibberish",
]


@pytest.mark.parametrize("blocked", BLOCKED)
def test_a_call_that_is_blocked_costs_nothing_and_is_invalid(corpus: Corpus, blocked: Any) -> None:
    running, tracker = episode(corpus, standard(), max_tool_calls=2), ComplitTracker(("p0",))
    do(running, "search", text="graphs")
    do(running, "read", paper="nowhere")
    assert running.call(blocked).invalid
    do(running, "abstain")
    metrics = tracker.update(running)
    assert [metrics[name] for name in ("n_tool_calls", "n_calls", "n_invalid", "forced")] == [2.0, 4.0, 2.0, 1.0]
    assert [row["call"] for row in tracker.rows] == [1.0, 2.0, 2.0, 2.0]
    restored = episode(corpus, standard(), max_tool_calls=2)
    restored.set_state(json.loads(json.dumps(running.get_state())))
    assert restored.state == running.state


def test_a_blocked_call_is_a_message_all_the_same(corpus: Corpus) -> None:
    running = episode(corpus, standard(), max_tool_calls=1, budget_mode="messages")
    for name in ("search", "search", "abstain"):
        do(running, name, **({"text": "graphs"} if name == "search" else {}))
    assert ComplitTracker(("p0",)).update(running)["n_tool_calls"] == 3.0
    assert running.budget()["calls"] == 0


def test_a_second_other_call_after_the_budget_ends_without_an_answer(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True, max_tool_calls=1)
    do(running, "answer", paper="p0")
    do(running, "search", text="graphs")
    running.call("gibberish")
    do(running, "next_turn")
    assert running.stop_reason == ""
    outcome = do(running, "tool_that_is_not", x=1)
    assert (outcome.ended, running.stop_reason, running.truncated) == (True, "no_answer", True)
    assert (running.failure_kind, running.answer_ids(), running.state.final) == ("policy", [], False)


def test_a_conversation_keeps_an_answer_a_turn_and_ends_on_the_last(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    assert (running.question, running.turn) == (TURNS[0], 0)
    do(running, "answer", paper="p1")
    outcome = do(running, "next_turn")
    assert outcome.notices == (f"The user says: {TURNS[1]}",)
    assert (running.question, running.turn) == (f"{TURNS[0]}\n\n{TURNS[1]}", 1)
    assert running.answer_ids() == ["p1"]
    do(running, "abstain")
    assert (running.answer_ids(), running.stop_reason) == ([], "")
    do(running, "next_turn")
    refused = do(running, "next_turn")
    assert (refused.error_code, refused.error) == (
        "last_turn", "next_turn: this is the last turn; call answer or abstain",
    )  # fmt: skip
    do(running, "answer", paper="p0")
    assert (running.stop_reason, running.state.turn_answers) == (
        "answered", [Answer("p1"), None, Answer("p0")],
    )  # fmt: skip


def test_the_remaining_turns_are_delivered_when_the_budget_is_spent(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True, max_tool_calls=1)
    do(running, "search", text="graphs")
    for turn in (1, 2):
        assert do(running, "next_turn").error == ""
        assert running.turn == turn
    do(running, "answer", paper="p0")
    assert (running.state.forced, running.question) == (True, "\n\n".join(TURNS))


SAID = ["I study soil. Any crop will do.", "The data should span at least 20 years. It must come from Kenya."]


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("", ""),
        ("I will go on.", ""),
        ("How many years should the data cover?", "As I said: The data should span at least 20 years."),
        ("Do you mind which crop it is", "As I said: Any crop will do."),
        ("Does the sensor matter?", NO_REQUIREMENT),
        ("Is this the right paper?", NO_REQUIREMENT),
        ("I propose p1 as it stands.", "As I said: It must come from Kenya."),
        ('My choice is "Soils of Kenya".', "As I said: It must come from Kenya."),
        ("My choice is soils of kenya (2019).", "As I said: It must come from Kenya."),
        ("The p10 soils of Kenyatta go on.", ""),
    ],
)
def test_the_user_answers_from_what_was_said(message: str, reply: str) -> None:
    assert answer_to(message, SAID, {"p1", "Soils of Kenya", ""}) == reply


def test_the_user_repeats_what_was_needed_and_not_what_was_repeated(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    do(running, "next_turn", message="What kind can it be?")
    do(running, "next_turn", message="Can it be of any kind?")
    again = "As I said: It can be of any kind."
    assert running.question == f"{TURNS[0]}\n\n{again} {TURNS[1]}\n\n{again} {TURNS[2]}"


def test_a_title_that_was_shown_is_a_proposal(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    do(running, "search", text="graphs")
    do(running, "next_turn", message="Graph Runs fits best.")
    assert running.question.endswith(f"As I said: It can be of any kind. {TURNS[1]}")


def test_an_id_that_was_never_shown_is_a_proposal_whether_it_is_the_target_or_not(corpus: Corpus) -> None:
    replies = {}
    for message in ("I propose p0", "I propose p1.", "**p3**, I think", "(arXiv p4)", "I propose p2", "I propose p9"):
        running = episode(corpus, cumulative(), conversation=True)
        do(running, "next_turn", message=message)
        replies[message] = running.state.said[-1].removesuffix(TURNS[1]).strip()
    again = "As I said: It can be of any kind."
    assert list(replies.values()) == [again, again, again, again, "", ""]  # p2 is left out, p9 is nowhere


def test_what_the_user_says_between_turns_never_holds_a_later_constraint(corpus: Corpus) -> None:
    for message in ("Which depth, which recall, which communities?", "p0 is it, I think.", "?", "any labels"):
        running = episode(corpus, cumulative(), conversation=True)
        do(running, "search", text="graphs")
        do(running, "next_turn", message=message)
        said = running.question.removeprefix(TURNS[0]).removesuffix(TURNS[1]).strip()
        repeated = said.removeprefix("As I said: ")
        assert repeated in TURNS[0] or repeated == NO_REQUIREMENT
        assert "random" not in repeated


def play_some(running: Any) -> None:
    do(running, "search", text="walks", scope="full_text")
    running.call({"bad": "call"})
    do(running, "grep", text="GPUs")
    do(running, "read", paper="p1")
    do(running, "answer", paper="p1", rationale="because")
    do(running, "next_turn", message="Which graphs?")


def test_states_pickles_and_forks_go_on_identically(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    play_some(running)
    saved = json.loads(json.dumps(running.get_state()))
    restored = episode(corpus, cumulative(), conversation=True)
    restored.set_state(saved)
    twins = [running.fork(), restored, pickle.loads(pickle.dumps(running))]
    for twin in twins:
        assert twin.get_state() == saved
        assert twin.state == running.state
        assert do(twin, "read", paper="p0") == do(running.fork(), "read", paper="p0")
    assert running.get_state() == saved


def test_a_state_with_another_key_is_refused(corpus: Corpus) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    play_some(running)
    before = running.get_state()
    with pytest.raises(StateError, match="does not fit: it has the key more, which no state has"):
        running.set_state({**before, "more": 1})
    with pytest.raises(StateError, match="does not fit: calls has the key gold, which no state has"):
        running.set_state({**before, "calls": {**before["calls"], "gold": []}})
    assert running.get_state() == before


@pytest.mark.parametrize(
    ("name", "value"), [("answer", ["p0", ""]), ("turn", 2), ("opened", {}), ("final", True), ("said", ["other"])]
)
def test_a_changed_state_is_refused(corpus: Corpus, name: str, value: Any) -> None:
    running = episode(corpus, cumulative(), conversation=True)
    play_some(running)
    with pytest.raises(StateError, match=f"{name} is"):
        episode(corpus, cumulative(), conversation=True).set_state({**running.get_state(), name: value})


def test_a_failing_index_ends_the_episode_and_changes_nothing_else(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = episode(corpus, standard(), retry_delay=0.0)
    do(running, "read", paper="p0")

    def fail(*arguments: Any, **keywords: Any) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(SparseIndex, "search", fail)
    outcome = do(running, "search", text="graphs")
    assert (outcome.failure_kind, running.stop_reason, running.state.n_calls) == ("infrastructure", "infrastructure", 1)
    assert (running.state.n_searches, len(running.state.marks)) == (0, 1)
