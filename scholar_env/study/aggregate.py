"""Averages over the episodes of a run: means, F1 in both forms, series over iterations, break-downs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.ranking import harmonic_mean, mean
from scholar_env.study.summary import EpisodeSummary

PADDED = ("ret_recall", "ret_precision", "recall", "precision", "missed_gt_ratio")
"""Series in which an episode that stopped early keeps its last value to the end (released code)."""

UNPADDED = ("avg_distance_iter", "gt_discard_iter", "n_discarded")
"""Series that average only the episodes that got so far (released code)."""

DROPPED = ("score", "drop")
"""What to do with episodes that the released evaluation leaves out: score them as they stand, or drop them too."""

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


def aggregate(
    episodes: Sequence[EpisodeSummary], *, horizon: int | None = None, dropped: str = "score"
) -> dict[str, Any]:
    """Averages a run.

    Args:
        episodes: The episodes that count, each task once.
        horizon: Length T of the series; None = the longest episode. Iterations beyond it are left out of the series.
        dropped: One of :data:`DROPPED`.

    Returns:
        ``n_tasks``, ``n_dropped`` (left out by the released evaluation, whether or not they are here), ``means``
        (every metric and ``return``; recall never stands without ``n_results_shown``), ``f1_of_means``, ``f1_macro``,
        ``ret_f1_of_means``, ``ret_f1_macro``, ``series`` and ``series_counts`` (metric to T numbers),
        ``missed_gt_ratio_macro_avg`` (released form: mean over the iterations of the padded averages),
        ``stop_reasons``, ``by_source`` and ``by_label`` (each value to ``n_tasks``, ``means`` and the F1 forms).
        Averages over nothing are NaN.

    Raises:
        InvalidOptionError: Unknown ``dropped``, or horizon < 1.
    """
    if dropped not in DROPPED:
        raise InvalidOptionError(f"dropped={dropped!r}", f"one of {DROPPED}", "use 'score', the default")
    if horizon is not None and horizon < 1:
        raise InvalidOptionError(f"horizon={horizon}", "a series has at least one iteration", "leave it out")
    kept = [episode for episode in episodes if dropped == "score" or not episode.dropped_upstream]
    length = horizon or max((len(episode.iterations) for episode in kept), default=0)
    series, counts = iteration_series([episode.iterations for episode in kept], length)
    return {
        "n_tasks": len(kept),
        "n_dropped": sum(episode.dropped_upstream for episode in episodes),
        **averages(kept),
        "series": series,
        "series_counts": counts,
        "missed_gt_ratio_macro_avg": mean(series["missed_gt_ratio"]),
        "stop_reasons": dict(sorted(Counter(episode.stop_reason for episode in kept).items())),
        "by_source": _broken_down((episode.source, episode) for episode in kept),
        "by_label": {
            label: _broken_down((episode.labels[label], episode) for episode in kept if label in episode.labels)
            for label in sorted({label for episode in kept for label in episode.labels})
        },
    }


def averages(episodes: Sequence[EpisodeSummary]) -> dict[str, Any]:
    """``means`` over episodes, and the two forms of F1 for selection and retrieval.

    ``f1_of_means`` is the published F1: the harmonic mean of the mean precision and the mean recall. ``f1_macro`` is
    the mean of the episodes' F1.
    """
    names = dict.fromkeys(name for episode in episodes for name in episode.metrics)
    means = {name: mean(episode.metrics.get(name, math.nan) for episode in episodes) for name in names}
    means["return"] = mean(episode.return_ for episode in episodes)
    forms = {}
    for prefix in ("", "ret_"):
        precision, recall = means.get(f"{prefix}precision", math.nan), means.get(f"{prefix}recall", math.nan)
        forms[f"{prefix}f1_of_means"] = harmonic_mean(precision, recall)
        forms[f"{prefix}f1_macro"] = means.get(f"{prefix}f1", math.nan)
    return {"means": means, **forms}


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


def _broken_down(pairs: Iterable[tuple[str, EpisodeSummary]]) -> dict[str, dict[str, Any]]:
    """Averages per value of a feature, values in order."""
    groups: dict[str, list[EpisodeSummary]] = {}
    for value, episode in pairs:
        groups.setdefault(value, []).append(episode)
    return {value: {"n_tasks": len(groups[value]), **averages(groups[value])} for value in sorted(groups)}
