"""Averages over the episodes of a run: means, what a family makes of them, break-downs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.ranking import mean
from scholar_env.study.family_report import FamilyReport, report_of
from scholar_env.study.summary import EpisodeSummary

DROPPED = ("score", "drop")
"""What to do with episodes that the released evaluation leaves out: score them as they stand, or drop them too."""


def aggregate(
    episodes: Sequence[EpisodeSummary], *, horizon: int | None = None, dropped: str = "score"
) -> dict[str, Any]:
    """Averages a run.

    Args:
        episodes: The episodes that count, each task once, all of one family.
        horizon: Length T of series over the rows of episodes; None = the longest episode. Rows beyond it are left out.
        dropped: One of :data:`DROPPED`.

    Returns:
        ``n_tasks``, ``n_dropped`` (left out by the released evaluation, whether or not they are here), ``means``
        (every metric and ``return``) with the further forms and averages of the family
        (:class:`scholar_env.study.family_report.FamilyReport`), ``stop_reasons``, ``by_source`` and ``by_label`` (each
        value to ``n_tasks``, ``means`` and the forms). Averages over nothing are NaN.

    Raises:
        InvalidOptionError: Unknown ``dropped``, or horizon < 1.
    """
    if dropped not in DROPPED:
        raise InvalidOptionError(f"dropped={dropped!r}", f"one of {DROPPED}", "use 'score', the default")
    if horizon is not None and horizon < 1:
        raise InvalidOptionError(f"horizon={horizon}", "a series has at least one iteration", "leave it out")
    report = report_of(episodes[0].family) if episodes else FamilyReport()
    lost = [report.dropped is not None and report.dropped(episode) for episode in episodes]
    kept = [episode for episode, out in zip(episodes, lost, strict=True) if dropped == "score" or not out]
    length = horizon or max((len(episode.rows) for episode in kept), default=0)
    return {
        "n_tasks": len(kept),
        "n_dropped": sum(lost),
        **averages(kept, report),
        **report.averages(kept, length),
        "stop_reasons": dict(sorted(Counter(episode.stop_reason for episode in kept).items())),
        "by_source": _broken_down([(episode.source, episode) for episode in kept], report),
        "by_label": {
            label: _broken_down([(item.labels[label], item) for item in kept if label in item.labels], report)
            for label in sorted({label for episode in kept for label in episode.labels})
        },
    }


def averages(episodes: Sequence[EpisodeSummary], report: FamilyReport) -> dict[str, Any]:
    """``means`` over episodes, and the further forms that a family makes of them."""
    names = dict.fromkeys(name for episode in episodes for name in episode.metrics)
    means = {name: mean(episode.metrics.get(name, math.nan) for episode in episodes) for name in names}
    means["return"] = mean(episode.return_ for episode in episodes)
    return {"means": means, **report.forms(means)}


def _broken_down(pairs: Iterable[tuple[str, EpisodeSummary]], report: FamilyReport) -> dict[str, dict[str, Any]]:
    """Averages per value of a feature, values in order."""
    groups: dict[str, list[EpisodeSummary]] = {}
    for value, episode in pairs:
        groups.setdefault(value, []).append(episode)
    return {value: {"n_tasks": len(groups[value]), **averages(groups[value], report)} for value in sorted(groups)}
