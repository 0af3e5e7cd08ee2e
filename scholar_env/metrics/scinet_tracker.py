"""Keeps the measures of one SciNet episode up to date."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from scholar_env.metrics import scinet
from scholar_env.metrics.names import SCINET_ANSWER, SCINET_CRAWL, SCINET_METRICS
from scholar_env.metrics.ranking import ratio
from scholar_env.metrics.scinet_answer import RELEASED, Evidence, measures
from scholar_env.metrics.scinet_crawl import Listing, crawl_measures
from scholar_env.metrics.scinet_need import ScinetNeed
from scholar_env.metrics.terms import TermTracker
from scholar_env.records import Task

ROW_NAMES: tuple[str, ...] = ("call", "n_shown", "gold_shown")
"""Keys of every row, one a call that showed papers: its number, papers shown so far, share of the gold among them."""


class StateView(Protocol):
    """What measures read of an episode's state."""

    given: list[str] | None
    forced: bool
    listings: list[Listing]
    n_contexts: int
    n_calls: int
    n_invalid: int
    stop_reason: str


class EpisodeView(Protocol):
    """An episode of SciNet as its measures see it."""

    @property
    def state(self) -> StateView:
        """What has changed."""
        ...

    @property
    def resources(self) -> Evidence:
        """The citation graph."""
        ...


class ScinetTracker(TermTracker):
    """Metrics of one episode, updated after every call; an answer is measured once.

    Before the answer all measures of it are 0. Where an episode ends without an answer they are those of an empty
    one, and the released ones, which pass such a query over, are NaN.

    Args:
        task: The task.
        terms: Names of further terms (:mod:`scholar_env.metrics.terms`), reported under these names.

    Raises:
        InvalidOptionError: A term is unknown.
    """

    METRICS = SCINET_METRICS

    def __init__(self, task: Task, *, terms: Iterable[str] = ()) -> None:
        super().__init__(task.gold, terms)
        self._need = ScinetNeed.of(task)
        self._own = (*SCINET_ANSWER[self._need.kind], *SCINET_CRAWL)
        self._given: list[str] | None = None
        self._measured = dict.fromkeys(self._own, 0.0)
        self._rows: list[dict[str, float]] = []
        self._seen: set[str] = set()
        self._n_shown = 0

    @property
    def rows(self) -> Sequence[dict[str, float]]:
        """One row a call that showed papers, with the keys :data:`ROW_NAMES`; fresh copies."""
        return [dict(row) for row in self._rows]

    def update(self, episode: EpisodeView) -> dict[str, float]:
        """Reads what is new and returns all metrics: a fresh dictionary of floats with the keys :attr:`names`.

        Raises:
            InfrastructureError: The judge cannot be reached.
        """
        state = episode.state
        for call, _, papers in state.listings[len(self._rows) :]:
            self._seen.update(papers)
            self._n_shown += len(papers)
            row = {"call": float(call), "n_shown": float(self._n_shown), "gold_shown": self._gold_shown()}
            self._rows.append(row)
        if state.given is not None and self._given != state.given:
            answer, _ = scinet.cut(state.given, self._need.limit)
            crawl = crawl_measures(state.listings, answer, self._gold, titles(episode.resources))
            self._measured = measures(self._need, state.given, episode.resources) | crawl
            self._given = list(state.given)
        measured = self._measured
        if state.given is None and state.stop_reason not in ("", "infrastructure"):
            measured = {name: math.nan if name in RELEASED else value for name, value in measured.items()}
        given = state.given or []
        answer, n_cut = scinet.cut(given, self._need.limit)
        counts = {
            "n_items": len(given),
            "n_cut": n_cut,
            "n_distinct": len(scinet.distinct(answer)),
            "n_unknown": sum(episode.resources.row_of(paper) is None for paper in given),
            "gold_shown": self._gold_shown(),
            "n_results_shown": self._n_shown,
            "n_contexts": state.n_contexts,
            "forced": state.forced,
            "n_calls": state.n_calls,
            "n_invalid": state.n_invalid,
        }
        metrics = {
            **dict.fromkeys(SCINET_METRICS, math.nan),
            **measured,
            **{name: float(count) for name, count in counts.items()},
        }
        return self._with_terms(episode, metrics)

    def _gold_shown(self) -> float:
        gold = set(self._gold)
        return ratio(len(gold & self._seen), len(gold))


def titles(evidence: Evidence) -> Callable[[str], str]:
    """Looks up titles; a paper outside the corpus has its id for a title."""

    def title_of(paper: str) -> str:
        work = evidence.work(paper)
        return paper if work is None else work.title

    return title_of
