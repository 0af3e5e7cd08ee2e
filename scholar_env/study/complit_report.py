"""What reports on CompLit show: accuracy by setting, abstention on both sides, curves, break-downs.

The accuracy on Unmet needs never stands alone: beside it are the false abstention of the same agent on Standard, from
the same run (Mixed) or from another run of the report, and the balanced mean of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from scholar_env.metrics import complit, dynamics
from scholar_env.metrics.complit import STANDINGS, Verdict
from scholar_env.metrics.complit_groups import break_down, group_order, number_bin, year_bin
from scholar_env.metrics.dynamics import SearchTrace
from scholar_env.metrics.ranking import mean
from scholar_env.study.family_report import FamilyReport
from scholar_env.study.summary import EpisodeSummary
from scholar_env.study.tables import Table, number

if TYPE_CHECKING:
    from scholar_env.study.report import Report, ReportRow

STANDARD: Final = "standard"
CUMULATIVE: Final = "cumulative"
UNMET: Final = "unmet"
CALLS_SHOWN: Final = (1, 2, 3, 5, 10, 15, 20, 30)
"""Calls at which curves are printed."""

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


def set_beside(rows: Sequence[ReportRow]) -> list[str]:
    """Puts beside each run with Unmet needs the false abstention on Standard, and the balanced mean of both.

    Standard is taken from the run itself where it has such needs (Mixed), else from the one run of the same agent,
    with the same options and rules, on the same corpus that has.

    Args:
        rows: Runs; ``standard_false_abstention`` and ``balanced_abstention`` are added to their averages.

    Returns:
        A remark for each run that lacks its other side.
    """
    remarks = []
    for row in rows:
        unmet = row.averages["settings"].get(UNMET)
        if unmet is None:
            continue
        own = [row] if STANDARD in row.averages["settings"] else []
        others = [other for other in rows if _same_agent(row, other) and STANDARD in other.averages["settings"]]
        found = own or others
        if len(found) != 1:
            which = "no" if not found else f"{len(found)}"
            remarks.append(
                f"{row.run}: accuracy on Unmet says nothing without false abstention on Standard, and the report has "
                f"{which} runs of {row.agent} with Standard needs on that corpus, with the same options"
            )
            continue
        false = found[0].averages["settings"][STANDARD]["false_abstention"]
        row.averages["standard_false_abstention"] = false
        row.averages["balanced_abstention"] = complit.balanced_abstention(unmet["accuracy"], false)
    return remarks


def _same_agent(one: ReportRow, other: ReportRow) -> bool:
    """Whether two runs are of one agent with the same options and rules, on one corpus."""
    same_player = (one.agent, one.player_hash) == (other.agent, other.player_hash)
    return same_player and one.corpus.get("fingerprint") == other.corpus.get("fingerprint")


def _tables(report: Report) -> list[Table]:
    tables = [_settings(report), _abstention(report)]
    tables += [_call_curves(report), _turn_curves(report), *(_groups(report, feature) for feature in GROUPS)]
    return [table for table in tables if table.rows]


def _settings(report: Report) -> Table:
    columns = ("accuracy", "accuracy_unforced", "forced", "false_abstention", "calls", "characters")
    rows = [
        [row.label, setting, number(shares["n_tasks"], 0), *(_shown(shares, name) for name in columns)]
        for row in report.rows
        for setting, shares in row.averages["settings"].items()
        if setting != UNMET
    ]
    heads = ("accuracy", "unforced", "forced", "false abst.", "calls", "characters")
    return Table("Needs that a paper meets", ["run", "setting", "tasks", *heads], rows, n_text=2)


def _abstention(report: Report) -> Table:
    rows = []
    for row in report.rows:
        shares = row.averages["settings"].get(UNMET)
        if shares is not None:
            beside = [row.averages.get(name, math.nan) for name in ("standard_false_abstention", "balanced_abstention")]
            kinds = ("abstain_refuted", "abstain_silent", "near_miss", "other", "forced", "calls", "characters")
            cells = [number(value) for value in (shares["accuracy"], *beside)]
            rows.append([row.label, number(shares["n_tasks"], 0), *cells, *(_shown(shares, name) for name in kinds)])
    heads = ("Unmet acc.", "false abst. on Standard", "balanced", "refuted", "silent", "near-miss", "other")
    columns = ["run", "tasks", *heads, "forced", "calls", "characters"]
    return Table("Needs that no paper meets, beside Standard", columns, rows)


def _shown(shares: Mapping[str, float], name: str) -> str:
    return number(shares[name], {"calls": 1, "characters": 0}.get(name, 3))


def _call_curves(report: Report) -> Table:
    rows = [
        [row.label, setting, *_curve_cells(name, curve)]
        for row in report.rows
        for setting, curves in row.averages["curves"].items()
        for name, curve in curves.items()
    ]
    return Table("By call", ["run", "setting", "share", *map(str, CALLS_SHOWN)], rows, n_text=3)


def _curve_cells(name: str, curve: Sequence[float] | float) -> list[str]:
    """A curve at some calls; a share of the whole stands in the last column."""
    if isinstance(curve, float):
        return [f"{name} (at the end)", *[""] * (len(CALLS_SHOWN) - 1), number(curve)]
    return [name, *(number(curve[min(n, len(curve) - 1)]) for n in CALLS_SHOWN)]


def _turn_curves(report: Report) -> Table:
    longest = max((len(curve) for row in report.rows for curve in row.averages["turns"].values()), default=0)
    rows = []
    for row in report.rows:
        named = {**row.averages["turns"], **{f"answer {name}": one for name, one in row.averages["timeline"].items()}}
        for name, curve in named.items():
            cells = [number(value) for value in curve]
            rows.append([row.label, name, *cells, *[""] * (longest - len(cells))])
    return Table("By turn", ["run", "share", *(str(turn + 1) for turn in range(longest))], rows, n_text=2)


def _groups(report: Report, feature: str) -> Table:
    parts = [
        (row, setting, groups[feature])
        for row in report.rows
        for setting, groups in row.averages["groups"].items()
        if setting != UNMET and groups[feature]
    ]
    names = sorted({name for _, _, found in parts for name in found}, key=group_order)
    rows = [
        [row.label, setting, *(number(found[name][1]) if name in found else "–" for name in names)]
        for row, setting, found in parts
    ]
    return Table(f"Accuracy by {feature}", ["run", "setting", *names], rows, n_text=2)


REPORT: Final = FamilyReport(
    results=(
        ("accuracy", "accuracy"),
        ("false abst. on Standard", "standard_false_abstention"),
        ("balanced", "balanced_abstention"),
        ("unforced", "accuracy_unforced"),
        ("forced", "forced"),
        ("abstained", "abstained"),
        ("listed", "retrieved"),
        ("read", "read"),
        ("near-miss read", "near_miss_read"),
    ),
    process=(
        ("tool calls", "n_tool_calls"),
        ("searches", "n_searches"),
        ("greps", "n_greps"),
        ("reads", "n_reads"),
        ("shown", "n_results_shown"),
        ("characters", "n_characters"),
        ("calls", "n_calls"),
        ("invalid", "n_invalid"),
        ("return", "return"),
    ),
    summary=("accuracy", "unmet_accuracy", "false_abstention", "forced", "n_tool_calls", "n_invalid", "return"),
    cautions={
        "unmet_accuracy": "unmet_accuracy says nothing without false abstention on Standard needs, where an agent that "
        "always abstains fails: scholar-env report sets runs of both side by side",
    },
    compared=("accuracy", "accuracy_unforced", "return"),
    digits={
        "n_tool_calls": 1,
        "n_searches": 1,
        "n_greps": 1,
        "n_reads": 1,
        "n_results_shown": 1,
        "n_characters": 0,
        "n_calls": 1,
        "n_invalid": 2,
    },
    averages=run_averages,
    tables=_tables,
    beside=set_beside,
    by_environment=True,
)
