"""Keeps the measures of one episode of CompLit up to date, and a row a call from which all curves are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from scholar_env.metrics.complit import (
    ABSTAINED,
    GOLD,
    NEAR_MISS,
    NONE,
    OTHER,
    REFUTED,
    SILENT,
    STANDINGS,
    Answer,
    TitlesOf,
    abstains,
    is_conflict,
    is_correct,
    standing,
    title_norm,
)
from scholar_env.metrics.complit_views import CallMark, ComplitView, CorpusView, NeedView, StateView
from scholar_env.metrics.names import COMPLIT_METRICS
from scholar_env.metrics.terms import TermTracker
from scholar_env.records import NamedPaper

ROW_NAMES: Final = (
    "call", "turn", "retrieved", "read", "near_miss_retrieved", "near_miss_read", "answer", "standing", "final",
    "forced", "results", "characters",
)  # fmt: skip
"""Columns of the rows, one row a call: budget spent after it; 1-based turn in which it was made; whether the target and
the near-miss had been listed and opened by then (0.0 where there is none); number of the current answer among the
different ones of the episode, from 1, 0 without one; what it is worth, as place in
:data:`scholar_env.metrics.complit.STANDINGS`; whether it is the verdict, and a forced one; results and characters shown
so far."""


class ComplitTracker(TermTracker):
    """Measures of one episode; see :class:`scholar_env.metrics.tracker.Tracker`.

    Args:
        gold: Ids of the gold papers, for further terms.
        terms: Names of further terms (:mod:`scholar_env.metrics.terms`), reported under these names.

    Raises:
        InvalidOptionError: A term is unknown.
    """

    METRICS = COMPLIT_METRICS

    def __init__(self, gold: Sequence[str], terms: Iterable[str] = ()) -> None:
        super().__init__(gold, terms)
        self._start()

    def _start(self) -> None:
        self._rows: list[dict[str, float]] = []
        self._numbers: dict[str, int] = {}
        self._changes = 0  # of the answer, from row to row
        self._pages_read = 0
        self._best_rank: int | None = None

    @property
    def rows(self) -> tuple[dict[str, float], ...]:
        """One row a call with the keys :data:`ROW_NAMES`, fresh copies."""
        return tuple(dict(row) for row in self._rows)

    def update(self, episode: ComplitView) -> dict[str, float]:
        """Reads what is new and returns all metrics: a fresh dictionary of floats with the keys :attr:`names`."""
        titles_of = titles_in(episode.corpus, episode.need)
        self._read(episode, titles_of)
        worths = _turns(episode, titles_of)
        metrics = {
            **_verdict(episode, titles_of),
            **_search(episode, self._best_rank),
            **_answers(worths),
            "n_answer_changes": float(self._changes),
            **_counts(episode),
        }
        if not episode.stop_reason:  # what is undefined is told at the end; until then infos stay comparable
            metrics = {name: 0.0 if math.isnan(value) else value for name, value in metrics.items()}
        return self._with_terms(episode, metrics)

    def _read(self, episode: ComplitView, titles_of: TitlesOf) -> None:
        state = episode.state
        if len(state.marks) < len(self._rows) or len(episode.pages) < self._pages_read:
            self._start()  # another or a restored episode
        for mark in state.marks[len(self._rows) :]:
            row = self._row(episode, mark, titles_of)
            self._changes += row["answer"] != (self._rows[-1]["answer"] if self._rows else 0.0)
            self._rows.append(row)
        for page in episode.pages[self._pages_read :]:
            ranks = [rank for rank in page.gold_ranks if rank is not None]
            self._best_rank = min([*ranks, *([] if self._best_rank is None else [self._best_rank])], default=None)
        self._pages_read = len(episode.pages)

    def _row(self, episode: ComplitView, mark: CallMark, titles_of: TitlesOf) -> dict[str, float]:
        need, state = episode.need, episode.state
        worth = standing(mark.answer, need.target, need.near_miss, titles_of)
        target = _by_then(need.target, state, mark.spent)
        near = _by_then(need.near_miss, state, mark.spent)
        return {
            "call": float(mark.spent),
            "turn": float(mark.turn + 1),
            "retrieved": target[0],
            "read": target[1],
            "near_miss_retrieved": near[0],
            "near_miss_read": near[1],
            "answer": float(self._number(mark.answer, worth)),
            "standing": float(STANDINGS.index(worth)),
            "final": float(mark.final),
            "forced": float(mark.forced),
            "results": float(mark.n_listed),
            "characters": float(mark.n_characters),
        }

    def _number(self, answer: Answer | None, worth: str) -> int:
        """Number of an answer among the different ones; the target and the near-miss are one however named."""
        if answer is None or abstains(answer):
            return 0
        key = worth if worth in (GOLD, NEAR_MISS) else f"{answer.paper.strip()} {title_norm(answer.title)}"
        return self._numbers.setdefault(key, len(self._numbers) + 1)


def titles_in(corpus: CorpusView, need: NeedView) -> TitlesOf:
    """Titles of papers: the corpus's and, of the target and the near-miss, the one that the task gives them.

    Args:
        corpus: The papers.
        need: Names the target and the near-miss.
    """

    def titles_of(paper: str) -> tuple[str, ...]:
        row = corpus.row_of(paper)
        given = [one.title for one in (need.target, need.near_miss) if one is not None and one.id == paper]
        return (*given, *(() if row is None else (corpus.title(row),)))

    return titles_of


def _by_then(paper: NamedPaper | None, state: StateView, spent: int) -> tuple[float, float]:
    """Whether a paper had been listed, and opened, when so much was spent; opened counts as listed."""
    if paper is None:
        return 0.0, 0.0
    opened = state.opened.get(paper.id, math.inf) <= spent
    return float(opened or state.listed.get(paper.id, math.inf) <= spent), float(opened)


def _turns(episode: ComplitView, titles_of: TitlesOf) -> list[str]:
    """What the answer was worth after each turn that is over, and now."""
    state, need = episode.state, episode.need
    answers = list(state.turn_answers)
    if not state.final:
        answers.append(None if episode.stop_reason else state.answer)  # an episode that was cut off has no verdict
    return [standing(answer, need.target, need.near_miss, titles_of) for answer in answers]


def _verdict(episode: ComplitView, titles_of: TitlesOf) -> dict[str, float]:
    state, need = episode.state, episode.need
    worth = standing(state.answer, need.target, need.near_miss, titles_of) if state.final else NONE
    unmet = need.target is None
    right, abstained = is_correct(worth, not unmet), float(worth == ABSTAINED)
    conflict = state.final and state.answer is not None and is_conflict(state.answer, titles_of)
    of_clause = {clause: abstained if unmet and need.clause == clause else math.nan for clause in (REFUTED, SILENT)}
    return {
        "accuracy": float(right),
        "accuracy_unforced": float(right and not state.forced),
        "answered": float(worth in (GOLD, NEAR_MISS, OTHER)),
        "abstained": abstained,
        "another": float(worth in (NEAR_MISS, OTHER)),
        "forced": float(state.forced),
        "conflict": float(conflict),
        "unmet_accuracy": abstained if unmet else math.nan,
        "false_abstention": math.nan if unmet else abstained,
        "near_miss": float(worth == NEAR_MISS) if unmet else math.nan,
        "other": float(worth == OTHER) if unmet else math.nan,
        "abstain_refuted": of_clause[REFUTED],
        "abstain_silent": of_clause[SILENT],
    }


def _search(episode: ComplitView, best_rank: int | None) -> dict[str, float]:
    state, need = episode.state, episode.need
    target = _by_then(need.target, state, episode.spent) if need.target else (math.nan, math.nan)
    near = _by_then(need.near_miss, state, episode.spent)[1] if need.near_miss else math.nan
    ranked = math.nan if best_rank is None else float(best_rank + 1)
    return {"retrieved": target[0], "read": target[1], "near_miss_read": near, "best_rank": ranked}


def _answers(worths: Sequence[str]) -> dict[str, float]:
    wrong = [worth in (NEAR_MISS, OTHER) for worth in worths]
    return {
        "committed": float(worths[-1] == GOLD),
        "ever_another": float(any(wrong)),
        "escaped": float(any(wrong) and not wrong[-1]),
        "recovered": float(any(wrong) and worths[-1] == GOLD),
    }


def _counts(episode: ComplitView) -> dict[str, float]:
    state = episode.state
    return {
        "n_turns": float(state.turn + 1),
        "n_tool_calls": float(episode.spent),
        "n_calls": float(state.n_calls),
        "n_invalid": float(state.n_invalid),
        "n_results_shown": float(state.n_listed),
        "n_characters": float(state.n_characters),
        "n_searches": float(state.n_searches),
        "n_greps": float(state.n_greps),
        "n_reads": float(state.n_reads),
    }
