"""Puts runs side by side, and refuses to where that would mislead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.ranking import mean
from scholar_env.study.aggregate import aggregate
from scholar_env.study.bootstrap import RESAMPLES, Interval, paired_interval
from scholar_env.study.family_report import report_of
from scholar_env.study.judged_runs import JudgedMeans
from scholar_env.study.summary import EpisodeSummary, IncomparableRunsError, Run, usable_episodes


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One run.

    Attributes:
        run: Its name, unique in the report.
        env_id: Registered id.
        agent: Name of the agent.
        config_hash: Hash of its configuration.
        player_hash: Hash of the agent, its options and the rules; equal in runs of one player over other tasks.
        corpus: ``info["corpus"]`` of its episodes.
        assisted: Whether the assessor or the agent knew the gold.
        averages: What :func:`scholar_env.study.aggregate.aggregate` gives.
    """

    run: str
    env_id: str
    agent: str
    config_hash: str
    player_hash: str
    corpus: dict[str, str | bool]
    assisted: bool
    averages: dict[str, Any]

    @property
    def label(self) -> str:
        """What tables call it: its name, marked where the gold helped."""
        return f"{self.run} (assisted)" if self.assisted else self.run


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, task by task.

    Attributes:
        first: Name of a run.
        second: Name of another.
        shown: Mean effort of the two over their common tasks (n_results_shown, where nothing else is said); NaN where
            the family compares runs whatever their effort.
        reason: Why they are not compared; "" when they are.
        intervals: Metric to the paired interval of ``first - second``; empty when they are not compared.
    """

    first: str
    second: str
    shown: tuple[float, float]
    reason: str
    intervals: dict[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """Runs side by side.

    Attributes:
        family: Name of the family of all runs.
        rows: One a run, in the order given.
        comparisons: One a pair of runs.
        remarks: What a reader must know: gaps, assistance, several corpora.
        settings: Options that decide the numbers.
        judged: What judges said of the runs.
    """

    family: str
    rows: tuple[ReportRow, ...]
    comparisons: tuple[Comparison, ...]
    remarks: tuple[str, ...]
    settings: dict[str, Any]
    judged: tuple[JudgedMeans, ...] = ()


def build_report(
    runs: Sequence[Run],
    *,
    partial: bool = False,
    mixed: bool = False,
    dropped: str = "score",
    horizon: int | None = None,
    tolerance: float = 0.05,
    compared: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Report:
    """Averages runs and compares every pair that may be compared.

    A pair is compared task by task, with paired bootstrap intervals, if both runs have the same corpus and their mean
    effort over the common tasks agrees within ``tolerance``. In ScholarGym that is n_results_shown: a planner that
    shows more results finds more, whatever its queries are worth. Comparisons score every episode as it stands,
    whatever ``dropped`` says, because dropping unpairs them.

    Args:
        runs: At least one.
        partial: Accept missing, doubled and failed tasks, with a remark; comparisons then use the common tasks.
        mixed: Accept runs that differ in corpus or in task set; comparisons use common tasks of one corpus.
        dropped: How to average what the released evaluation drops (:data:`scholar_env.study.aggregate.DROPPED`).
        horizon: Length of the series over the rows of episodes; None = the longest episode of all runs.
        tolerance: Largest difference of the mean effort relative to the larger one, in [0, 1].
        compared: Metrics of the comparison, None = those of the family; one that a run lacks is left out.
        resamples: Bootstrap resamples.
        confidence: Coverage of the intervals.
        seed: Seed of the bootstrap.

    Raises:
        IncompleteRunError: A run is not whole, and not ``partial``.
        IncomparableRunsError: Runs differ in family; or in corpus or tasks and not ``mixed``; or one run mixes
            configurations.
        InvalidOptionError: No runs, or an option outside its range.
    """
    if not runs or not 0 <= tolerance <= 1:
        raise InvalidOptionError(
            f"{len(runs)} runs, tolerance={tolerance}", "at least one run and 0 <= tolerance <= 1", "pass a run folder"
        )
    names = _unique_names([run.name for run in runs])
    usable, remarks = {}, []
    for name, run in zip(names, runs, strict=True):
        usable[name], faults = usable_episodes(run, partial=partial)
        remarks += faults
    family = _require_one_family(usable)
    for group in _grounds(usable, report_of(family).by_environment):
        remarks += _require_common_ground(group, partial=partial, mixed=mixed)
    length = horizon or max(len(episode.rows) for episodes in usable.values() for episode in episodes) or None
    rows = tuple(_row(name, episodes, length, dropped) for name, episodes in usable.items())
    remarks += [f"{row.run} is assisted: its assessor or its agent knew the gold" for row in rows if row.assisted]
    options = {"resamples": resamples, "confidence": confidence, "seed": seed}
    chosen = report_of(family).compared if compared is None else compared
    remarks += report_of(family).beside(rows)
    comparisons = tuple(
        _compare((first, group[first]), (second, group[second]), tolerance, chosen, options)
        for group in _grounds(usable, report_of(family).by_environment)
        for first, second in combinations(group, 2)
    )
    settings = {"partial": partial, "mixed": mixed, "dropped": dropped, "horizon": length, "tolerance": tolerance}
    return Report(family, rows, comparisons, tuple(remarks), settings | options)


def _unique_names(names: Sequence[str]) -> list[str]:
    """The names, with a number behind each that comes again."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def _require_one_family(usable: dict[str, list[EpisodeSummary]]) -> str:
    families = {name: episodes[0].family for name, episodes in usable.items()}
    first, *others = dict.fromkeys(families.values())
    if others:
        listed = "; ".join(f"{name} is of {family}" for name, family in families.items())
        raise IncomparableRunsError(
            f"runs of several families: {listed}", "runs in one table have the same metrics", "report them apart"
        )
    return first


def _grounds(usable: dict[str, list[EpisodeSummary]], by_environment: bool) -> list[dict[str, list[EpisodeSummary]]]:
    """The runs in groups whose members share their tasks: all, or those of one environment."""
    if not by_environment:
        return [usable]
    groups: dict[str, dict[str, list[EpisodeSummary]]] = {}
    for name, episodes in usable.items():
        groups.setdefault(episodes[0].env_id, {})[name] = episodes
    return list(groups.values())


def _require_common_ground(usable: dict[str, list[EpisodeSummary]], *, partial: bool, mixed: bool) -> list[str]:
    """Refuses runs on several corpora or task sets, or remarks on them where they are allowed."""
    corpora = {name: episodes[0].fingerprint for name, episodes in usable.items()}
    tasks = {name: {episode.task_id for episode in episodes} for name, episodes in usable.items()}
    everywhere = set.intersection(*tasks.values())
    remarks = []
    if len(set(corpora.values())) > 1:
        listed = "; ".join(f"{name} on {fingerprint[:12]}" for name, fingerprint in corpora.items())
        remarks.append(f"runs on several corpora: {listed}")
        if not mixed:
            raise IncomparableRunsError(
                remarks[-1], "runs in one table share a corpus fingerprint", "report them apart, or pass --mixed"
            )
    sets = {name: episodes[0].task_set for name, episodes in usable.items()}
    if len(set(sets.values())) > 1:
        listed = "; ".join(f"{name} on {found[:12] or 'the tasks of the corpus'}" for name, found in sets.items())
        remarks.append(f"runs over several task sets: {listed}")
        if not mixed:
            raise IncomparableRunsError(
                remarks[-1], "tasks of one id are one task in one task set", "report them apart, or pass --mixed"
            )
    if any(ids != everywhere for ids in tasks.values()):
        listed = "; ".join(f"{name} {len(ids)} tasks" for name, ids in tasks.items())
        remarks.append(f"runs over several task sets: {listed}; {len(everywhere)} in common")
        if not (mixed or partial):
            raise IncomparableRunsError(
                remarks[-1], "runs in one table share a task set", "run all over the same tasks, or pass --mixed"
            )
    return remarks


def _row(name: str, episodes: list[EpisodeSummary], horizon: int | None, dropped: str) -> ReportRow:
    first = episodes[0]
    return ReportRow(
        run=name,
        env_id=first.env_id,
        agent=first.agent,
        config_hash=first.config_hash,
        player_hash=first.player_hash,
        corpus=dict(first.corpus),
        assisted=any(episode.assisted for episode in episodes),
        averages=aggregate(episodes, horizon=horizon, dropped=dropped),
    )


def _compare(
    first: tuple[str, list[EpisodeSummary]],
    second: tuple[str, list[EpisodeSummary]],
    tolerance: float,
    compared: Sequence[str],
    options: dict[str, Any],
) -> Comparison:
    """Compares two runs, or says why not."""
    common = {episode.task_id for episode in first[1]} & {episode.task_id for episode in second[1]}
    sides = [[episode for episode in episodes if episode.task_id in common] for _, episodes in (first, second)]
    family = report_of(first[1][0].family)
    effort = family.effort[0] if family.effort else ""
    shown = (_mean_of(sides[0], effort), _mean_of(sides[1], effort))
    reason = ""
    if first[1][0].fingerprint != second[1][0].fingerprint:
        reason = "they ran on different corpora"
    elif first[1][0].task_set != second[1][0].task_set:
        reason = "they ran over different task sets"
    elif not common:
        reason = "they have no task in common"
    elif effort and not abs(shown[0] - shown[1]) <= tolerance * max(shown):
        reason = f"mean {effort} {shown[0]:.1f} against {shown[1]:.1f} differ by more than {tolerance:.0%}"
    if reason:
        return Comparison(first[0], second[0], shown, reason)
    known = sides[0][0].metrics.keys() & sides[1][0].metrics.keys() | {"return", *family.harmonic}
    intervals = {
        metric: paired_interval(sides[0], sides[1], metric, **options) for metric in compared if metric in known
    }
    return Comparison(first[0], second[0], shown, "", intervals)


def _mean_of(episodes: list[EpisodeSummary], metric: str) -> float:
    return mean(episode.metrics.get(metric, math.nan) for episode in episodes)
