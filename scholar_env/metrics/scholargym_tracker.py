"""Keeps the measures of one episode up to date, reading only what is new after each call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scholar_env.metrics import scholargym as measures
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.ranking import harmonic_mean, ratio
from scholar_env.metrics.terms import TermTracker
from scholar_env.metrics.views import EpisodeView, IterationView, PageView

ITERATION_NAMES: tuple[str, ...] = (
    "iteration",
    "ret_recall",
    "ret_precision",
    "ret_f1",
    "recall",
    "precision",
    "f1",
    "avg_distance_iter",
    "avg_distance_best",
    "gt_discard_iter",
    "missed_gt_ratio",
    "n_discarded",
    "n_discarded_gt",
    "n_results_shown",
    "n_retrieved",
    "n_selected",
)
"""Keys of every iteration row. ``iteration`` counts from 1; the shares over R and S, ``avg_distance_best`` and the
last three are cumulative through that iteration; ``n_discarded`` = |R_t - S_t|
and ``n_discarded_gt`` = |(R_t ∩ G) - S_t|."""


class ScholarGymTracker(TermTracker):
    """Metrics of one episode, updated after every call at the cost of the new pages.

    The measures of one iteration (``avg_distance_iter``, ``gt_discard_iter``, ``missed_gt_ratio`` and the means over
    iterations) change only when an iteration closes and are 0.0 before the first; the cumulative ones follow every
    call, so R - S holds papers of the open iteration that nobody has judged yet. An iteration that closes without
    having fetched a page is no iteration here. ``n_subqueries`` counts the nodes that fetched a page,
    ``n_iterations`` the closed iterations. Without gold the distances are NaN and the shares 0.0. A tracker can be
    copied (``copy.deepcopy``) with its episode; for a restored episode make a new one: the first :meth:`update` reads
    the whole trace.

    Args:
        gold: Ids of the gold papers, in the order in which the pages' gold ranks are given.
        cutoff: c of the distances, at least 1.
        terms: Names of further terms (:mod:`scholar_env.metrics.terms`), reported under these names.

    Raises:
        InvalidOptionError: cutoff < 1, or a term is unknown.
    """

    METRICS = SCHOLARGYM_METRICS

    def __init__(self, gold: Sequence[str], *, cutoff: int = measures.CUTOFF, terms: Iterable[str] = ()) -> None:
        measures.distance(None, cutoff=cutoff)  # refuses a bad cutoff
        super().__init__(gold, terms)
        self._cutoff = cutoff
        self._start()

    def _start(self) -> None:
        """Forgets everything that was read."""
        self._rows: list[dict[str, float]] = []
        self._iterations_read = 0  # closed iterations read whole
        self._pages_read = 0  # pages read of the iteration after them
        self._n_shown = 0
        self._subqueries: set[int] = set()
        self._retrieved: set[str] = set()  # through the last closed iteration
        self._selected: set[str] = set()
        self._best: list[int | None] = [None] * len(self._gold)
        self._memory: dict[str, int | None] = {}
        self._distance_best = self._mean_distance(self._best)

    @property
    def rows(self) -> tuple[dict[str, float], ...]:
        """One row per closed iteration with the keys :data:`ITERATION_NAMES`, fresh copies."""
        return tuple(dict(row) for row in self._rows)

    def update(self, episode: EpisodeView) -> dict[str, float]:
        """Reads what is new and returns all metrics: a fresh dictionary of floats with the keys :attr:`names`."""
        self._read(episode.trace.iterations)
        gold = self._gold
        retrieved, selected = episode.retrieved, episode.selected
        n_retrieved, n_selected = len(retrieved), len(selected)
        n_found = sum(paper in retrieved for paper in gold)
        n_kept = sum(paper in selected for paper in gold)
        found = (ratio(n_found, len(gold)), ratio(n_found, n_retrieved))
        kept = (ratio(n_kept, len(gold)), ratio(n_kept, n_selected))
        n_missed = n_found - n_kept  # |(R ∩ G) - S|, because S is a subset of R
        rows = self._rows
        last = rows[-1] if rows else None
        metrics = {
            **_shares(found, kept),
            "avg_distance_iter": last["avg_distance_iter"] if last else 0.0,
            "avg_distance_best": self._distance_best,
            "avg_distance_mean_iters": measures.avg_distance_mean_iters([row["avg_distance_iter"] for row in rows]),
            "gt_discard_of_discarded": ratio(n_missed, n_retrieved - n_selected),
            "gt_discard_of_retrieved_gt": ratio(n_missed, n_found),
            "gt_discard_iter": last["gt_discard_iter"] if last else 0.0,
            "missed_gt_ratio": last["missed_gt_ratio"] if last else 0.0,
            "missed_gt_ratio_macro": measures.missed_gt_ratio_macro([row["missed_gt_ratio"] for row in rows]),
            "n_results_shown": float(episode.n_results_shown),
            "n_retrieved": float(n_retrieved),
            "n_selected": float(n_selected),
            "n_calls": float(episode.n_calls),
            "n_invalid": float(episode.n_invalid),
            "n_unseen": float(episode.n_unseen),
            "n_iterations": float(len(rows)),
            "n_subqueries": float(len(self._subqueries)),
        }
        return self._with_terms(episode, metrics)

    def _read(self, iterations: Sequence[IterationView]) -> None:
        """Reads new pages, and closes the books of every iteration that has been closed since."""
        if len(iterations) < self._iterations_read:
            self._start()  # another or a restored episode
        while self._iterations_read < len(iterations):
            iteration = iterations[self._iterations_read]
            for page in iteration.pages[self._pages_read :]:
                self._read_page(page)
            self._pages_read = len(iteration.pages)
            if not iteration.closed:
                break
            if iteration.pages:
                self._close(iteration)
            self._iterations_read += 1
            self._pages_read = 0

    def _read_page(self, page: PageView) -> None:
        """Counts a page and keeps the best rank of each gold paper."""
        self._subqueries.add(page.subquery)
        self._n_shown += len(page.entries)
        pairs = zip(self._best, page.gold_ranks_unexcluded, strict=True)
        best = [measures.better_rank(old, new) for old, new in pairs]
        if best != self._best:
            self._best = best
            self._distance_best = self._mean_distance(best)

    def _mean_distance(self, ranks: Sequence[int | None]) -> float:
        return measures.mean_distance(dict(zip(self._gold, ranks, strict=True)), self._gold, cutoff=self._cutoff)

    def _close(self, iteration: IterationView) -> None:
        """Adds the row of an iteration that has just been closed."""
        gold = self._gold
        shown = {entry.paper for page in iteration.pages for entry in page.entries}
        chosen = {paper for papers in iteration.selected.values() for paper in papers}
        discarded = shown - chosen
        self._retrieved |= shown
        self._selected |= chosen
        ranks = [dict(zip(gold, page.gold_ranks, strict=True)) for page in iteration.pages]
        counted, self._memory = measures.carry_ranks(ranks, gold, self._selected, self._memory)
        found = (measures.ret_recall(self._retrieved, gold), measures.ret_precision(self._retrieved, gold))
        kept = (measures.recall(self._selected, gold), measures.precision(self._selected, gold))
        row = {
            "iteration": float(len(self._rows) + 1),
            **_shares(found, kept),
            "avg_distance_iter": measures.mean_distance(counted, gold, cutoff=self._cutoff),
            "avg_distance_best": self._distance_best,
            "gt_discard_iter": measures.gt_discard_iter(shown, chosen, gold),
            "missed_gt_ratio": measures.missed_gt_ratio(shown, chosen, gold),
            "n_discarded": float(len(discarded)),
            "n_discarded_gt": float(len(discarded & set(gold))),
            "n_results_shown": float(self._n_shown),
            "n_retrieved": float(len(self._retrieved)),
            "n_selected": float(len(self._selected)),
        }
        self._rows.append(row)


def _shares(found: tuple[float, float], kept: tuple[float, float]) -> dict[str, float]:
    """Recall, precision and their harmonic mean, of what was retrieved and of what is selected."""
    return {
        "ret_recall": found[0],
        "ret_precision": found[1],
        "ret_f1": harmonic_mean(*found),
        "recall": kept[0],
        "precision": kept[1],
        "f1": harmonic_mean(*kept),
    }
