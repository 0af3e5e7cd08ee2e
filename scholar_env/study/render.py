"""A report as JSON, Markdown, terminal tables and one static HTML page."""

from __future__ import annotations

import html
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scholar_env.study.report import Comparison, Report, ReportRow
from scholar_env.study.tables import Table, html_table, markdown, markdown_text, number, printable, rich_table, signed

if TYPE_CHECKING:
    from rich.console import Group

_STYLE = (
    "body{font-family:sans-serif;margin:2em;max-width:90em}table{border-collapse:collapse;margin-bottom:2em}"
    "th,td{border:1px solid #bbb;padding:.25em .6em;vertical-align:top}td.n{text-align:right}th{background:#eee}"
)
_SERIES = ("ret_recall", "ret_precision", "recall", "precision", "f1", "avg_distance_iter", "gt_discard_iter")
_MEANS = (  # n_results_shown stands beside recall: who shows more finds more
    ("RetR", "ret_recall", 3),
    ("shown", "n_results_shown", 1),
    ("RetP", "ret_precision", 3),
    ("R", "recall", 3),
    ("P", "precision", 3),
)
_MORE_MEANS = (
    ("distance", "avg_distance_mean_iters", 3),
    ("GT discard", "gt_discard_of_discarded", 4),
    ("iterations", "n_iterations", 1),
    ("calls", "n_calls", 1),
    ("invalid", "n_invalid", 2),
    ("return", "return", 3),
)


def report_json(report: Report) -> dict[str, Any]:
    """The whole report as plain JSON; undefined numbers are null."""
    plain: dict[str, Any] = _without_nan(asdict(report))
    return plain


def report_markdown(report: Report) -> str:
    """The report as Markdown: tables, then remarks."""
    remarks = "".join(f"- {markdown_text(line)}\n" for line in notes(report))
    return "\n".join([*map(markdown, report_tables(report)), f"## Notes\n\n{remarks}"])


def report_rich(report: Report) -> Group:
    """The report for a terminal."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        *(rich_table(table) for table in report_tables(report)),
        *(Text(f"• {printable(line)}") for line in notes(report)),
    )


def report_html(report: Report, title: str = "scholar-env report") -> str:
    """The report as one static page without scripts or links to anything outside."""
    tables = "".join(html_table(table) for table in report_tables(report))
    items = "".join(f"<li>{html.escape(printable(line))}</li>\n" for line in notes(report))
    heading = html.escape(printable(title))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{heading}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n{tables}"
        f"<h2>Notes</h2>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    )


def report_tables(report: Report) -> list[Table]:
    """The tables of a report: runs, series over iterations, sources, endings, comparisons."""
    tables = [_runs(report), _series(report), _sources(report), _endings(report)]
    return tables + ([_comparisons(report)] if report.comparisons else [])


def notes(report: Report) -> list[str]:
    """Remarks on the runs, pairs that are not compared, and the settings."""
    unofficial = [row.run for row in report.rows if row.corpus.get("official") is not True]
    lines = list(report.remarks)
    if unofficial:
        lines.append(f"not on an official release of the corpus, so not a published result: {', '.join(unofficial)}")
    lines += [
        f"{pair.first} and {pair.second} are not comparable: {pair.reason}"
        for pair in report.comparisons
        if pair.reason
    ]
    lines.append("settings: " + ", ".join(f"{name}={value}" for name, value in report.settings.items()))
    return lines


def _runs(report: Report) -> Table:
    columns = ["run", "environment", "agent", "corpus", "official", "note", "tasks"]
    columns += [title for title, _, _ in _MEANS] + ["F1 of means", "F1 macro", "RetF1 of means"]
    columns += [title for title, _, _ in _MORE_MEANS]
    return Table("Runs", columns, [_run_cells(row) for row in report.rows], n_text=6)


def _run_cells(row: ReportRow) -> list[str]:
    averages = row.averages
    means = averages["means"]
    cells = [row.run, row.env_id, row.agent, _corpus(row), "yes" if row.corpus.get("official") is True else "no"]
    cells += ["assisted" if row.assisted else "", str(averages["n_tasks"])]
    cells += [number(means.get(name, math.nan), digits) for _, name, digits in _MEANS]
    cells += [number(averages[name]) for name in ("f1_of_means", "f1_macro", "ret_f1_of_means")]
    return cells + [number(means.get(name, math.nan), digits) for _, name, digits in _MORE_MEANS]


def _corpus(row: ReportRow) -> str:
    return f"{row.corpus.get('name', '?')}@{str(row.corpus.get('fingerprint', '?'))[:12]}"


def _series(report: Report) -> Table:
    horizon = report.settings["horizon"] or 0
    rows = [
        [row.run, name, *(number(value) for value in row.averages["series"][name])]
        for name in _SERIES
        for row in report.rows
    ]
    return Table("By iteration", ["run", "metric", *(str(step + 1) for step in range(horizon))], rows, n_text=2)


def _sources(report: Report) -> Table:
    columns = ["run", "source", "tasks", *(title for title, _, _ in _MEANS), "F1 of means"]
    rows = []
    for row in report.rows:
        for source, part in row.averages["by_source"].items():
            numbers = [number(part["means"].get(name, math.nan), digits) for _, name, digits in _MEANS]
            rows.append([row.run, source, str(part["n_tasks"]), *numbers, number(part["f1_of_means"])])
    return Table("By source", columns, rows, n_text=2)


def _endings(report: Report) -> Table:
    rows = [
        [row.run, reason, str(count)] for row in report.rows for reason, count in row.averages["stop_reasons"].items()
    ]
    rows += [[row.run, "dropped by the released evaluation", str(row.averages["n_dropped"])] for row in report.rows]
    return Table("How episodes ended", ["run", "stop reason", "episodes"], rows, n_text=2)


def _comparisons(report: Report) -> Table:
    metrics = list(dict.fromkeys(name for pair in report.comparisons for name in pair.intervals))
    columns = ["first", "second", "comparable", "shown", *metrics, "tasks"]
    rows = [_comparison_cells(pair, metrics) for pair in report.comparisons]
    title = f"Paired differences, first - second, with {report.settings['confidence']:.0%} bootstrap intervals"
    return Table(title, columns, rows, n_text=3)


def _comparison_cells(pair: Comparison, metrics: list[str]) -> list[str]:
    shown = f"{number(pair.shown[0], 1)} / {number(pair.shown[1], 1)}"
    cells = [pair.first, pair.second, "no" if pair.reason else "yes", shown]
    for name in metrics:
        found = pair.intervals.get(name)
        cells.append(f"{signed(found.value)} [{signed(found.low)}, {signed(found.high)}]" if found else "–")
    counts = {found.n_tasks for found in pair.intervals.values()}
    return [*cells, " / ".join(map(str, sorted(counts))) if counts else "–"]


def _without_nan(value: Any) -> Any:
    """A copy in which NaN and infinities, which JSON lacks, are None."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
