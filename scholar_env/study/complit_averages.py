"""What is read from the episodes of CompLit, and what a run's averages are: shares by setting, curves, break-downs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from scholar_env.metrics import complit, dynamics
from scholar_env.metrics.complit import STANDINGS, Verdict
from scholar_env.metrics.complit_groups import break_down, number_bin, year_bin
from scholar_env.metrics.dynamics import SearchTrace
from scholar_env.metrics.ranking import mean
from scholar_env.study.summary import EpisodeSummary

STANDARD: Final = "standard"
CUMULATIVE: Final = "cumulative"
UNMET: Final = "unmet"

Rows = Sequence[Mapping[str, float]]


def setting_of(episode: EpisodeSummary) -> str:
    """The setting of an episode's task: its label, else what its measures tell."""
    return episode.labels.get("setting") or (STANDARD if has_target(episode) else UNMET)


def has_target(episode: EpisodeSummary) -> bool:
    """Whether a paper of the corpus meets the need."""
    return math.isnan(episode.metrics["unmet_accuracy"])


def verdict_of(episode: EpisodeSummary) -> Verdict:
    """How an episode ended."""
    last = episode.rows[-1] if episode.rows else {}
    standing = STANDINGS[int(last["standing"])] if last.get("final") else complit.NONE
    return Verdict(standing, has_target(episode), bool(last.get("forced")), episode.labels.get("clause", ""))


def trace_of(episode: EpisodeSummary) -> SearchTrace:
    """When what happened, about the target, or about the near-miss of an Unmet need."""
    about = "" if has_target(episode) else "near_miss_"
    verdict = verdict_of(episode)
    return SearchTrace(
        _first(episode.rows, f"{about}retrieved"),
        _first(episode.rows, f"{about}read"),
        _first(episode.rows, "final"),
        verdict.standing,
        verdict.forced,
    )


def turns_of(episode: EpisodeSummary) -> tuple[list[str], list[int]]:
    """After each turn what the answer was worth and its number, 0 for none: on the last turn without a verdict, too."""
    ends = {int(row["turn"]): row for row in episode.rows}
    worths = [STANDINGS[int(ends[turn]["standing"])] for turn in sorted(ends)] or [complit.NONE]
    numbers = [int(ends[turn]["answer"]) for turn in sorted(ends)] or [0]
    if not (episode.rows and episode.rows[-1]["final"]):
        worths[-1], numbers[-1] = complit.NONE, 0
    return worths, numbers


def _first(rows: Rows, name: str) -> int | None:
    return next((int(row["call"]) for row in rows if row[name]), None)


def run_averages(episodes: Sequence[EpisodeSummary], horizon: int) -> dict[str, Any]:
    """Averages of a run: ``settings`` (shares by setting), ``curves``, ``timeline``, ``groups``; plain JSON."""
    del horizon  # curves run over calls and turns, not over rows
    by_setting: dict[str, list[EpisodeSummary]] = {}
    for episode in episodes:
        by_setting.setdefault(setting_of(episode), []).append(episode)
    talks = [turns_of(episode) for episode in by_setting.get(CUMULATIVE, ())]
    return {
        "settings": {setting: setting_shares(by_setting[setting]) for setting in sorted(by_setting)},
        "curves": {setting: _curves(by_setting[setting]) for setting in sorted(by_setting)},
        "turns": asdict(dynamics.turn_curves([worths for worths, _ in talks])) if talks else {},
        "timeline": dynamics.change_timeline([numbers for _, numbers in talks]) if talks else {},
        "groups": {setting: group_accuracy(by_setting[setting]) for setting in sorted(by_setting)},
    }


def setting_shares(episodes: Sequence[EpisodeSummary]) -> dict[str, float]:
    """Shares and means over the episodes of one setting (:mod:`scholar_env.metrics.complit`)."""
    verdicts = [verdict_of(episode) for episode in episodes]
    return {
        "n_tasks": float(len(episodes)),
        "accuracy": complit.accuracy(verdicts),
        "accuracy_unforced": complit.accuracy_unforced(verdicts),
        "forced": complit.forced_share(verdicts),
        "false_abstention": complit.false_abstention(verdicts),
        "near_miss": complit.near_miss_rate(verdicts),
        "other": complit.other_rate(verdicts),
        "abstain_refuted": complit.unmet_accuracy(verdicts, complit.REFUTED),
        "abstain_silent": complit.unmet_accuracy(verdicts, complit.SILENT),
        "calls": mean(episode.metrics["n_tool_calls"] for episode in episodes),
        "characters": mean(episode.metrics["n_characters"] for episode in episodes),
    }


def _curves(episodes: Sequence[EpisodeSummary]) -> dict[str, Any]:
    """Search curves of needs with a target, Unmet curves of the others, as far as any episode went."""
    calls = max((int(row["call"]) for episode in episodes for row in episode.rows), default=0)
    traces = [trace_of(episode) for episode in episodes]
    if all(has_target(episode) for episode in episodes):
        return asdict(dynamics.search_curves(traces, calls))
    return asdict(dynamics.unmet_curves(traces, calls))


def _year_bins(labels: Mapping[str, str]) -> list[str]:
    return [year_bin(int(labels["year"]))] if labels.get("year", "").isdecimal() else []


def _number_bins(labels: Mapping[str, str]) -> list[str]:
    return [number_bin(int(labels["n_constraints"]))] if labels.get("n_constraints", "").isdecimal() else []


def _own(name: str) -> Callable[[Mapping[str, str]], list[str]]:
    return lambda labels: [labels[name]] if labels.get(name) else []


GROUPS: Final[Mapping[str, Callable[[Mapping[str, str]], list[str]]]] = {
    "domain": _own("domain"),
    "year": _year_bins,
    "source": lambda labels: [name for name in labels.get("sources", "").split(",") if name],
    "inferred share": _own("inferred_share"),
    "constraints": _number_bins,
}
"""Break-downs: from a task's labels to the names of its groups. A task is in one group for each source that it has."""


def group_accuracy(episodes: Sequence[EpisodeSummary]) -> dict[str, dict[str, list[float]]]:
    """For each of :data:`GROUPS`, number of episodes and accuracy by group."""
    return {feature: _accuracy_by(episodes, groups) for feature, groups in GROUPS.items()}


def _accuracy_by(
    episodes: Sequence[EpisodeSummary], groups: Callable[[Mapping[str, str]], list[str]]
) -> dict[str, list[float]]:
    found = break_down(episodes, lambda episode: groups(episode.labels), lambda episode: episode.metrics["accuracy"])
    return {name: [float(count), value] for name, (count, value) in found.items()}
