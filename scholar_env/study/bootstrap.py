"""Seeded paired bootstrap: how sure a difference between two runs over the same tasks is.

Tasks are resampled, not episodes: both runs keep their results on a drawn task together, which removes the spread
between easy and hard tasks from the difference. Resamples come from the raw stream of PCG64, which numpy keeps
stable, so a seed gives the same interval on every machine and numpy version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scholar_env.errors import InvalidOptionError
from scholar_env.study.family_report import report_of
from scholar_env.study.summary import EpisodeSummary, IncomparableRunsError

RESAMPLES = 10_000
"""Default number of resamples."""

_CHUNK = 1 << 22  # draws held in memory at once

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its percentile bootstrap interval.

    Attributes:
        value: On the tasks themselves.
        low: Lower end.
        high: Upper end.
        n_tasks: Number of tasks behind it.
        confidence: Nominal coverage.
    """

    value: float
    low: float
    high: float
    n_tasks: int
    confidence: float

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0 or self.high < 0


def paired_interval(
    first: Sequence[EpisodeSummary],
    second: Sequence[EpisodeSummary],
    metric: str,
    *,
    partial: bool = False,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Interval of the difference ``first - second`` of a metric over common tasks.

    Args:
        first: Episodes of one run, each task once.
        second: Episodes of the other.
        metric: Name of a metric (its mean is compared), ``return``, or a harmonic mean of means that the family has.
        partial: Compare on the common tasks when the two task sets differ.
        resamples: Number of resamples, at least 1.
        confidence: Coverage in (0, 1).
        seed: Seed >= 0; the same seed gives the same interval.

    Returns:
        Difference and percentile interval. Tasks on which the metric is undefined (NaN) in either run are left out.

    Raises:
        IncomparableRunsError: The task sets differ and not ``partial``, or no task is common.
        InvalidOptionError: An option is outside its range, or a run lacks the metric.
    """
    tasks = common_tasks(first, second, partial=partial)
    ours, theirs = _columns(first, tasks, metric), _columns(second, tasks, metric)
    defined = ~(np.isnan(ours).any(axis=1) | np.isnan(theirs).any(axis=1))
    both = np.hstack([ours[defined], theirs[defined]])
    width = ours.shape[1]

    def difference(means: Floats) -> Floats:
        return _statistic(means[:, :width]) - _statistic(means[:, width:])

    return _interval(both, difference, resamples, confidence, seed)


def mean_interval(
    episodes: Sequence[EpisodeSummary],
    metric: str,
    *,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Interval of one run's own metric; arguments as in :func:`paired_interval`."""
    columns = _columns(episodes, [episode.task_id for episode in episodes], metric)
    return _interval(columns[~np.isnan(columns).any(axis=1)], _statistic, resamples, confidence, seed)


def common_tasks(
    first: Sequence[EpisodeSummary], second: Sequence[EpisodeSummary], *, partial: bool = False
) -> list[str]:
    """Sorted ids of the tasks of both runs, so that an interval does not depend on the order of the episodes.

    Raises:
        IncomparableRunsError: The task sets differ and not ``partial``, or they have nothing in common.
    """
    ours, theirs = {episode.task_id for episode in first}, {episode.task_id for episode in second}
    if ours != theirs and not partial:
        raise IncomparableRunsError(
            f"task sets of {len(ours)} and {len(theirs)} tasks with {len(ours & theirs)} in common",
            "a paired comparison needs the same tasks on both sides",
            "run both over the same tasks, or pass --partial to compare on the common ones",
        )
    if not ours & theirs:
        raise IncomparableRunsError(
            "two runs without a common task", "a paired comparison needs common tasks", "run both over the same tasks"
        )
    return sorted(ours & theirs)


def _columns(episodes: Sequence[EpisodeSummary], tasks: Sequence[str], metric: str) -> Floats:
    """``float64[task, 1 or 2]``: the metric, or the precision and recall whose means make an F1."""
    names = report_of(episodes[0].family).harmonic.get(metric, (metric,)) if episodes else (metric,)
    values: dict[str, list[float]] = {}
    for episode in episodes:
        known: Mapping[str, float] = {**episode.metrics, "return": episode.return_}
        if not known.keys() >= set(names):
            raise InvalidOptionError(
                f"metric {metric!r}", f"the run's metrics are {', '.join(sorted(known))}", "name one of them"
            )
        values[episode.task_id] = [known[name] for name in names]
    return np.array([values[task] for task in tasks], dtype=np.float64).reshape(len(tasks), len(names))


def _statistic(means: Floats) -> Floats:
    """Mean of one column, or harmonic mean of two: ``float64[B, 1 or 2] -> float64[B]``."""
    if means.shape[1] == 1:
        return means[:, 0]
    total: Floats = means.sum(axis=1)
    doubled: Floats = 2 * means.prod(axis=1)
    return np.divide(doubled, total, out=np.zeros_like(total), where=total > 0)


def _interval(
    values: Floats, statistic: Callable[[Floats], Floats], resamples: int, confidence: float, seed: int
) -> Interval:
    """Percentile interval of a statistic of the column means of ``float64[n, c]``."""
    if resamples < 1 or not 0 < confidence < 1 or seed < 0:
        raise InvalidOptionError(
            f"resamples={resamples}, confidence={confidence}, seed={seed}",
            "resamples >= 1, 0 < confidence < 1, seed >= 0",
            "use the defaults",
        )
    n = len(values)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0, confidence)
    drawn = np.concatenate([statistic(means) for means in _resampled_means(values, resamples, seed)])
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    value = float(statistic(values.mean(axis=0, keepdims=True))[0])
    return Interval(value, float(low), float(high), n, confidence)


def _resampled_means(values: Floats, resamples: int, seed: int) -> Iterator[Floats]:
    """Column means of the resamples, ``float64[b, c]`` at a time so that memory stays bounded."""
    n = len(values)
    generator = np.random.PCG64(seed)
    for start in range(0, resamples, max(1, _CHUNK // n)):
        size = min(max(1, _CHUNK // n), resamples - start)
        positions = _positions(generator, n, size)
        yield np.stack([column[positions].mean(axis=1) for column in values.T], axis=1)


def _positions(generator: np.random.PCG64, n: int, size: int) -> npt.NDArray[np.int64]:
    """Uniform draws from 0 … n-1 as ``int64[size, n]``, off by at most n / 2**32: upper half of 32 raw bits times n."""
    raw = generator.random_raw(size * n) >> np.uint64(32)
    return ((raw * np.uint64(n)) >> np.uint64(32)).astype(np.int64).reshape(size, n)
