"""The measures of CompLit over played episodes, against hand-computed values."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from scholar_env.corpus import Corpus
from scholar_env.episode.complit.family import FAMILY
from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.complit import GOLD, NEAR_MISS, NONE, STANDINGS
from scholar_env.metrics.complit_tracker import ROW_NAMES, ComplitTracker
from scholar_env.metrics.names import COMPLIT_METRICS
from tests.episode.complit_small import corpus, cumulative, do, episode, standard, unmet

__all__ = ["corpus"]


class Played:
    """An episode with its tracker, updated after every call."""

    def __init__(self, corpus: Corpus, task: Any, **options: Any) -> None:
        self.episode = episode(corpus, task, **options)
        self.tracker = FAMILY.tracker(self.episode, ())
        self.metrics = self.tracker.update(self.episode)

    def __call__(self, name: str, **arguments: Any) -> dict[str, float]:
        do(self.episode, name, **arguments)
        self.metrics = self.tracker.update(self.episode)
        return self.metrics


def some(metrics: dict[str, float], *names: str) -> tuple[float, ...]:
    return tuple(metrics[name] for name in names)


def test_before_the_first_call(corpus: Corpus) -> None:
    metrics = Played(corpus, standard()).metrics
    assert tuple(metrics) == COMPLIT_METRICS
    assert all(type(value) is float for value in metrics.values())
    assert {name: value for name, value in metrics.items() if value} == {"n_turns": 1.0}


def test_what_is_undefined_is_told_at_the_end(corpus: Corpus) -> None:
    metrics = Played(corpus, standard())("answer", paper="p1")
    assert {name for name, value in metrics.items() if math.isnan(value)} == {
        "unmet_accuracy", "near_miss", "other", "abstain_refuted", "abstain_silent", "near_miss_read", "best_rank",
    }  # fmt: skip


def test_a_right_answer_is_worth_one_and_only_at_the_end(corpus: Corpus) -> None:
    play = Played(corpus, standard())
    metrics = play("search", text="trees with labels")
    assert some(metrics, "accuracy", "retrieved", "read", "n_tool_calls") == (0.0, 0.0, 0.0, 1.0)
    metrics = play("search", text="walks graphs", k=1)
    assert some(metrics, "retrieved", "read", "best_rank", "n_results_shown") == (1.0, 0.0, 1.0, 2.0)
    metrics = play("read", paper="p0", section="introduction")
    assert some(metrics, "read", "n_reads", "committed") == (1.0, 1.0, 0.0)
    metrics = play("answer", paper="p0")
    wanted = ("accuracy", "accuracy_unforced", "answered", "committed", "abstained", "another", "forced")
    assert some(metrics, *wanted) == (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    assert some(metrics, "false_abstention", "n_calls", "n_tool_calls") == (0.0, 4.0, 3.0)


def test_shown_characters_are_counted(corpus: Corpus) -> None:
    play = Played(corpus, standard())
    assert play("search", text="trees labels", k=1)["n_characters"] == len("Tree walksWalks on trees need no labels.")
    assert play("read", paper="p3")["n_characters"] == 40 + len("Walks on trees need no labels.")
    snippet = "The runner needs 12 GPUs and no labels."
    assert play("grep", text="gpus")["n_characters"] == 70 + len(snippet)
    assert play.metrics["n_results_shown"] == 2.0


def test_characters_that_a_result_cuts_are_not_counted(corpus: Corpus) -> None:
    play = Played(corpus, standard(), max_abstract_chars=5)
    assert play("search", text="trees labels", k=1)["n_characters"] == len("Tree walksWalks")


def test_an_abstention_on_a_need_with_a_target_is_false(corpus: Corpus) -> None:
    metrics = Played(corpus, standard())("abstain")
    assert some(metrics, "accuracy", "abstained", "false_abstention", "answered") == (0.0, 1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {"accuracy": 1.0, "unmet_accuracy": 1.0, "near_miss": 0.0, "other": 0.0, "abstain_refuted": 1.0}),
        ({"paper": "p1"}, {"accuracy": 0.0, "unmet_accuracy": 0.0, "near_miss": 1.0, "other": 0.0, "another": 1.0}),
        ({"title": "graph RUNS"}, {"near_miss": 1.0, "abstain_refuted": 0.0}),
        ({"paper": "p3"}, {"near_miss": 0.0, "other": 1.0, "another": 1.0, "abstain_refuted": 0.0}),
        ({"paper": "p3", "title": "Graph runs"}, {"other": 1.0, "conflict": 1.0}),
    ],
)
def test_unmet_needs(corpus: Corpus, arguments: dict[str, str], expected: dict[str, float]) -> None:
    play = Played(corpus, unmet())
    assert play("read", paper="p1")["near_miss_read"] == 1.0
    metrics = play("answer", **arguments)
    assert {name: metrics[name] for name in expected} == expected
    assert all(math.isnan(metrics[name]) for name in ("false_abstention", "retrieved", "read", "abstain_silent"))


def test_no_answer_at_all_is_wrong_on_unmet_too(corpus: Corpus) -> None:
    play = Played(corpus, unmet("silent"), max_tool_calls=1)
    for _ in range(3):
        metrics = play("search", text="graphs")
    assert play.episode.stop_reason == "no_answer"
    assert some(metrics, "accuracy", "unmet_accuracy", "abstain_silent", "abstained", "forced") == (0.0,) * 5


def test_a_forced_answer_is_right_and_marked(corpus: Corpus) -> None:
    play = Played(corpus, standard(), max_tool_calls=1)
    play("search", text="graphs")
    metrics = play("answer", title="graph walks")
    assert some(metrics, "accuracy", "accuracy_unforced", "forced") == (1.0, 0.0, 1.0)
    assert play.tracker.rows[-1]["forced"] == 1.0


def test_a_conversation_row_by_row(corpus: Corpus) -> None:
    play = Played(corpus, cumulative(), conversation=True)
    play("search", text="runs")
    assert some(play("answer", paper="p1"), "committed", "ever_another", "escaped", "accuracy") == (0.0, 1.0, 0.0, 0.0)
    play("next_turn")
    assert some(play("answer", title="Graph walks"), "committed", "ever_another", "escaped") == (1.0, 1.0, 1.0)
    play("next_turn")
    metrics = play("answer", paper="p0")
    assert some(metrics, "accuracy", "committed", "ever_another", "n_answer_changes", "n_turns") == (
        1.0,
        1.0,
        1.0,
        2.0,
        3.0,
    )
    rows = play.tracker.rows
    assert all(tuple(row) == ROW_NAMES for row in rows)
    assert [row["turn"] for row in rows] == [1.0, 1.0, 1.0, 2.0, 2.0, 3.0]
    assert [row["call"] for row in rows] == [1.0] * 6
    assert [row["answer"] for row in rows] == [0.0, 1.0, 1.0, 2.0, 2.0, 2.0]
    worths = [STANDINGS[int(row["standing"])] for row in rows]
    assert worths == [NONE, "other", "other", GOLD, GOLD, GOLD]
    assert [row["final"] for row in rows] == [0.0] * 5 + [1.0]


def test_ever_another_looks_at_the_ends_of_turns_and_recovery_at_the_end(corpus: Corpus) -> None:
    play = Played(corpus, cumulative(), conversation=True)
    play("answer", paper="p1")
    play("next_turn")
    play("abstain")
    assert some(play.metrics, "ever_another", "escaped", "recovered") == (1.0, 1.0, 0.0)
    play("next_turn")
    assert some(play("answer", paper="p0"), "escaped", "recovered") == (1.0, 1.0)


def test_an_episode_that_is_cut_off_has_no_verdict(corpus: Corpus) -> None:
    play = Played(corpus, cumulative(), conversation=True, max_calls=2)
    play("answer", paper="p0")
    metrics = play("answer", paper="p0")
    assert play.episode.stop_reason == "max_calls"
    assert some(metrics, "accuracy", "committed", "answered") == (0.0, 0.0, 0.0)


def test_rows_tell_of_target_and_near_miss(corpus: Corpus) -> None:
    play = Played(corpus, unmet())
    play("search", text="runs hubs")
    play("read", paper="p1")
    play("answer", paper="p1")
    rows = play.tracker.rows
    assert [(row["near_miss_retrieved"], row["near_miss_read"], row["retrieved"]) for row in rows] == [
        (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 0.0),
    ]  # fmt: skip
    assert STANDINGS[int(rows[-1]["standing"])] == NEAR_MISS


def test_a_new_tracker_reads_a_whole_episode_and_copies_are_independent(corpus: Corpus) -> None:
    play = Played(corpus, cumulative(), conversation=True)
    play("search", text="walks")
    play("answer", paper="p1")
    twin = copy.deepcopy(play.tracker)
    play("next_turn")
    fresh = ComplitTracker(play.episode.task.gold)
    assert repr(fresh.update(play.episode)) == repr(play.metrics)  # NaN equals itself in writing
    assert fresh.rows == play.tracker.rows
    assert len(twin.rows) == 2


def test_further_terms_are_taken_by_name(corpus: Corpus) -> None:
    tracker = ComplitTracker(("p0",), ["tests.metrics.test_complit_tracker:twice_read"])
    running = episode(corpus, standard())
    do(running, "read", paper="p0")
    assert tracker.update(running)["tests.metrics.test_complit_tracker:twice_read"] == 2.0
    with pytest.raises(InvalidOptionError, match="metric 'nothing'"):
        ComplitTracker((), ["nothing"])


def twice_read(running: Any, gold: tuple[str, ...], metrics: dict[str, float]) -> float:
    return 2 * metrics["read"] if running.task.gold == gold else 0.0
