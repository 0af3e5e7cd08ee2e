"""What reports on runs of one family show: columns, averages and tables of the family's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from scholar_env.named import named
from scholar_env.study.tables import Table, number

if TYPE_CHECKING:
    from scholar_env.study.report import Report, ReportRow
    from scholar_env.study.summary import EpisodeSummary

REPORTS: Final[dict[str, str]] = {
    "complit": "scholar_env.study.complit_report:REPORT",
    "scholargym": "scholar_env.study.scholargym_report:REPORT",
    "aise": "scholar_env.study.aise_report:REPORT",
    "scinet": "scholar_env.study.scinet_report:REPORT",
}
"""Family to what its reports show; one line registers it. A family without a line shows all its metrics."""


def _no_forms(means: Mapping[str, float]) -> dict[str, float]:
    return {}


def _no_averages(episodes: Sequence[EpisodeSummary], horizon: int) -> dict[str, Any]:
    return {}


def _no_tables(report: Report) -> list[Table]:
    return []


def _nothing_beside(rows: Sequence[ReportRow]) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class FamilyReport:
    """What reports on runs of a family show.

    Attributes:
        results: Heading and metric of each column of the results; empty = every metric under its own name. A column
            that is undefined for every run, or for every group of a break-down, is left out.
        process: The same for the table of how the episodes went.
        summary: Metrics that are told after a run; empty = every metric.
        cautions: What is said after a run that has a metric of the summary, by the metric: how it must not be read.
        compared: Metrics of the paired comparison, unless told otherwise; one that a run lacks is left out.
        effort: Metric that must agree for two runs to be compared, and what it counts; None = runs are always compared.
        digits: Decimals by metric; 3 for others.
        harmonic: Averages that are harmonic means of the means of two metrics, by name.
        forms: ``forms(means)``: further averages made of the means; those of ``harmonic`` among them.
        averages: ``averages(episodes, horizon)``: further averages of a run, plain JSON by name (series over rows, …).
        tables: Tables of the family's own, between the process and the break-downs.
        dropped: Whether the released evaluation leaves an episode out; None = it leaves out none.
        beside: ``beside(rows)``: adds to the averages of a run what other runs of the report have, and returns remarks.
        by_environment: Whether runs of several environments stand in one report, each with the tasks of its own; only
            runs of the same environment are then compared.
    """

    results: Sequence[tuple[str, str]] = ()
    process: Sequence[tuple[str, str]] = ()
    summary: Sequence[str] = ()
    cautions: Mapping[str, str] = field(default_factory=dict)
    compared: Sequence[str] = ("return",)
    effort: tuple[str, str] | None = None
    digits: Mapping[str, int] = field(default_factory=dict)
    harmonic: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    forms: Callable[[Mapping[str, float]], dict[str, float]] = _no_forms
    averages: Callable[[Sequence[EpisodeSummary], int], dict[str, Any]] = _no_averages
    tables: Callable[[Report], list[Table]] = _no_tables
    dropped: Callable[[EpisodeSummary], bool] | None = None
    beside: Callable[[Sequence[ReportRow]], list[str]] = _nothing_beside
    by_environment: bool = False


def report_of(family: str) -> FamilyReport:
    """Returns what reports on runs of a family show."""
    if family not in REPORTS:
        return FamilyReport()
    return cast(FamilyReport, named(REPORTS[family]))


def series_table(report: Report, title: str, names: Sequence[str]) -> Table:
    """Returns a table of averages over the rows of episodes: one line a metric and run, one column a row.

    Args:
        report: The report, whose averages hold ``series`` (metric to numbers).
        title: Heading.
        names: The metrics.
    """
    horizon = report.settings["horizon"] or 0
    rows = [
        [row.label, name, *(number(value) for value in row.averages["series"][name])]
        for name in names
        for row in report.rows
    ]
    return Table(title, ["run", "metric", *(str(step + 1) for step in range(horizon))], rows, n_text=2)
