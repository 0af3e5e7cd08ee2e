"""What reports on ScholarGym show: F1 in both forms, series over iterations, what the release drops."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholar_env.metrics.ranking import harmonic_mean, mean
from scholar_env.study.family_report import FamilyReport, series_table
from scholar_env.study.summary import EpisodeSummary
from scholar_env.study.tables import Table

if TYPE_CHECKING:
    from scholar_env.study.report import Report

PADDED = ("ret_recall", "ret_precision", "recall", "precision", "missed_gt_ratio")
"""Series in which an episode that stopped early keeps its last value to the end (released code)."""

UNPADDED = ("avg_distance_iter", "gt_discard_iter", "n_discarded")
"""Series that average only the episodes that got so far (released code)."""

_RELEASED_NAMES = {
    "recall": "recall",
    "precision": "precision",
    "ret_recall": "retrieval_recall",
    "ret_precision": "retrieval_precision",
    "missed_gt_ratio": "missed_gt_ratio",
    "avg_distance_iter": "avg_distance",
    "gt_discard_iter": "discarded_ratio",
    "n_discarded": "discarded_total_count",
}


def dropped_by_release(episode: EpisodeSummary) -> bool:
    """Whether the released evaluation would have left the episode out of every average.

    It does so for a task without gold, for a plan without subqueries that did not also declare itself complete, for
    one complete before any retrieval, and for any crash.
    """
    if episode.n_gold == 0 or episode.stop_reason in {"converged", "failed", "upstream_crash"}:
        return True
    return episode.stop_reason == "complete" and not episode.rows


def f1_forms(means: Mapping[str, float]) -> dict[str, float]:
    """The two forms of F1 for selection and retrieval.

    ``f1_of_means`` is the published F1: the harmonic mean of the mean precision and the mean recall. ``f1_macro`` is
    the mean of the episodes' F1.
    """
    forms = {}
    for prefix in ("", "ret_"):
        precision, recall = means.get(f"{prefix}precision", math.nan), means.get(f"{prefix}recall", math.nan)
        forms[f"{prefix}f1_of_means"] = harmonic_mean(precision, recall)
        forms[f"{prefix}f1_macro"] = means.get(f"{prefix}f1", math.nan)
    return forms


def series_averages(episodes: Sequence[EpisodeSummary], horizon: int) -> dict[str, Any]:
    """``series`` and ``series_counts`` (metric to T numbers), and ``missed_gt_ratio_macro_avg`` in the released form.

    That is the mean over the iterations of the padded averages.
    """
    series, counts = iteration_series([episode.rows for episode in episodes], horizon)
    return {"series": series, "series_counts": counts, "missed_gt_ratio_macro_avg": mean(series["missed_gt_ratio"])}


def iteration_series(
    episodes: Sequence[Sequence[Mapping[str, float]]], horizon: int
) -> tuple[dict[str, list[float]], dict[str, list[int]]]:
    """Averages over episodes at each iteration.

    Args:
        episodes: Rows of each episode's closed iterations.
        horizon: T.

    Returns:
        Metric to T averages, and to the T numbers of episodes behind them. Padded metrics (:data:`PADDED`) repeat an
        episode's last value to T; the others (:data:`UNPADDED`) average the episodes that have the iteration. ``f1``
        and ``ret_f1`` are harmonic means of the averages. An episode without iterations counts 0 in the padded ones.
    """
    series: dict[str, list[float]] = {}
    counts: dict[str, list[int]] = {}
    for name in PADDED:
        columns = [[_last(rows[: step + 1], name) for rows in episodes] for step in range(horizon)]
        series[name], counts[name] = [mean(values) for values in columns], [len(values) for values in columns]
    for name in UNPADDED:
        columns = [[rows[step][name] for rows in episodes if step < len(rows)] for step in range(horizon)]
        series[name], counts[name] = [mean(values) for values in columns], [len(values) for values in columns]
    for prefix in ("", "ret_"):
        pairs = zip(series[f"{prefix}precision"], series[f"{prefix}recall"], strict=True)
        series[f"{prefix}f1"] = [harmonic_mean(precision, recall) for precision, recall in pairs]
        counts[f"{prefix}f1"] = counts[f"{prefix}recall"]
    return series, counts


def _last(rows: Sequence[Mapping[str, float]], name: str) -> float:
    """Value in the last of some rows; 0.0 when nothing has been retrieved."""
    return rows[-1][name] if rows else 0.0


def release_averages(episodes: Sequence[Sequence[Mapping[str, float]]], horizon: int) -> dict[str, float]:
    """The averages that the released evaluation reports, under its names.

    Args:
        episodes: Rows of each episode that the release counts as successful (it drops the others).
        horizon: T, to which recall, precision and missed_gt_ratio are padded.

    Returns:
        ``avg_<measure>_iter_<t>`` from t = 1 on (the unpadded ones as far as an episode got) and
        ``avg_missed_gt_ratio_macro_avg``; empty without episodes.
    """
    series, counts = iteration_series(episodes, horizon)
    averaged = {
        f"avg_{released}_iter_{step + 1}": value
        for name, released in _RELEASED_NAMES.items()
        for step, value in enumerate(series[name])
        if counts[name][step]
    }
    if averaged:
        averaged["avg_missed_gt_ratio_macro_avg"] = mean(series["missed_gt_ratio"])
    return averaged


_SERIES = ("ret_recall", "ret_precision", "recall", "precision", "f1", "avg_distance_iter", "gt_discard_iter")


def _tables(report: Report) -> list[Table]:
    return [series_table(report, "By iteration, as selected before the final answer", _SERIES)]


REPORT: Final = FamilyReport(
    results=(  # n_results_shown stands beside recall: who shows more finds more
        ("RetR", "ret_recall"),
        ("shown", "n_results_shown"),
        ("RetP", "ret_precision"),
        ("RetF1", "ret_f1_of_means"),
        ("R", "recall"),
        ("P", "precision"),
        ("F1", "f1_of_means"),
        ("F1mac", "f1_macro"),
    ),
    process=(
        ("distance", "avg_distance_mean_iters"),
        ("discard", "gt_discard_of_discarded"),
        ("iters", "n_iterations"),
        ("nodes", "n_subqueries"),
        ("calls", "n_calls"),
        ("invalid", "n_invalid"),
        ("return", "return"),
    ),
    summary=("ret_recall", "recall", "precision", "f1", "n_results_shown", "n_calls", "n_invalid", "return"),
    compared=("ret_recall", "recall", "f1_of_means", "return"),
    effort=("n_results_shown", "results shown"),
    digits={
        "n_results_shown": 1,
        "n_iterations": 1,
        "n_subqueries": 1,
        "n_calls": 1,
        "n_invalid": 2,
        "gt_discard_of_discarded": 4,
    },
    harmonic={"f1_of_means": ("precision", "recall"), "ret_f1_of_means": ("ret_precision", "ret_recall")},
    forms=f1_forms,
    averages=series_averages,
    tables=_tables,
    dropped=dropped_by_release,
)
