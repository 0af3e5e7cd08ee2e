"""A report as JSON, Markdown, terminal tables and one static HTML page."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scholar_env.episode.family import family
from scholar_env.errors import InvalidOptionError
from scholar_env.study.family_report import report_of
from scholar_env.study.judged_runs import judged_remarks, judged_table
from scholar_env.study.report import Comparison, Report, ReportRow
from scholar_env.study.tables import Table, html_table, markdown, markdown_text, number, printable, rich_table, signed

if TYPE_CHECKING:
    from rich.console import Group

_STYLE = (
    "body{font-family:sans-serif;margin:2em;max-width:90em}table{border-collapse:collapse;margin-bottom:2em}"
    "th,td{border:1px solid #bbb;padding:.25em .6em;vertical-align:top}td.n{text-align:right}th{background:#eee}"
)
_MAX_VALUES = 12  # a label with more values is no feature to break down by in a table


def report_json(report: Report) -> dict[str, Any]:
    """The whole report as plain JSON; undefined numbers are null."""
    plain: dict[str, Any] = _without_nan(asdict(report))
    return plain


def report_markdown(report: Report, by: Sequence[str] = ()) -> str:
    """The report as Markdown: tables, broken down by the labels ``by``, then remarks."""
    remarks = "".join(f"- {markdown_text(line)}\n" for line in notes(report))
    return "\n".join([*map(markdown, report_tables(report, by)), f"## Notes\n\n{remarks}"])


def report_rich(report: Report, by: Sequence[str] = ()) -> Group:
    """The report for a terminal, broken down by the labels ``by``."""
    from rich.console import Group
    from rich.text import Text

    return Group(
        *(rich_table(table) for table in report_tables(report, by)),
        *(Text(f"• {printable(line)}") for line in notes(report)),
    )


def report_html(report: Report, title: str = "scholar-env report") -> str:
    """The report as one static page without scripts or links to anything outside, broken down by every label."""
    tables = "".join(html_table(table) for table in report_tables(report, label_names(report)))
    items = "".join(f"<li>{html.escape(printable(line))}</li>\n" for line in notes(report))
    heading = html.escape(printable(title))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{heading}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n{tables}"
        f"<h2>Notes</h2>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    )


def report_tables(report: Report, by: Sequence[str] = ()) -> list[Table]:
    """The tables of a report: what ran, results, process, the family's own, sources, labels, endings, comparisons.

    Args:
        report: The report.
        by: Labels to break the results down by (:func:`label_names`).

    Raises:
        InvalidOptionError: No task of the runs has such a label, or one has too many values.
    """
    shown = report_of(report.family)
    tables = [_identities(report), _numbers(report, "Results", _results(report))]
    tables += [_numbers(report, "Process", shown.process)] if shown.process else []
    tables += [*shown.tables(report), _sources(report), *(_label_table(report, label) for label in by)]
    tables += [judged_table(report.judged)] if report.judged else []
    tables.append(_endings(report))
    pairs = [pair for pair in report.comparisons if pair.intervals]
    return tables + ([_comparisons(report, pairs)] if pairs else [])


def label_names(report: Report) -> list[str]:
    """Labels of the tasks that tell them apart and have few enough values for a table, in order."""
    names = {label for row in report.rows for label in row.averages["by_label"]}
    return [label for label in sorted(names) if 2 <= len(_label_values(report, label)) <= _MAX_VALUES]


def notes(report: Report) -> list[str]:
    """Remarks on the runs, pairs that are not compared, and the settings."""
    unofficial = [row.run for row in report.rows if row.corpus.get("official") is not True]
    lines = [*report.remarks, *judged_remarks(report.judged)]
    if unofficial:
        lines.append(f"not on an official release of the corpus, so not a published result: {', '.join(unofficial)}")
    lines += [
        f"{pair.first} and {pair.second} are not comparable: {pair.reason}"
        for pair in report.comparisons
        if pair.reason
    ]
    lines.append("settings: " + ", ".join(f"{name}={value}" for name, value in report.settings.items()))
    return lines


def _identities(report: Report) -> Table:
    columns = ["run", "environment", "agent", "config", "corpus", "official", "tasks"]
    rows = [
        [
            row.label,
            row.env_id,
            row.agent,
            row.config_hash[:8],
            _place(row.corpus),
            "yes" if row.corpus.get("official") is True else "no",
            str(row.averages["n_tasks"]),
        ]
        for row in report.rows
    ]
    return Table("Runs", columns, rows, n_text=6)


def _place(corpus: Mapping[str, Any]) -> str:
    """The corpus, and the task set where there is one."""
    place = f"{corpus.get('name', '?')}@{str(corpus.get('fingerprint', '?'))[:8]}"
    return f"{place}, tasks@{str(corpus['tasks'])[:8]}" if corpus.get("tasks") else place


def _results(report: Report) -> Sequence[tuple[str, str]]:
    """Columns of the results, without those that are undefined for every run."""
    named = report_of(report.family).results
    means = [row.averages["means"] for row in report.rows]
    every = dict.fromkeys((*family(report.family).metrics, *(name for known in means for name in known)))
    return _filled(named or [(name, name) for name in every], [row.averages for row in report.rows])


def _filled(columns: Sequence[tuple[str, str]], parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The columns that at least one of the parts has a number for."""
    known = [{**part["means"], **part} for part in parts]
    return [column for column in columns if not all(math.isnan(one.get(column[1], math.nan)) for one in known)]


def _numbers(report: Report, title: str, columns: Sequence[tuple[str, str]]) -> Table:
    rows = [[row.label, *_cells(report, row.averages, columns)] for row in report.rows]
    return Table(title, ["run", *(name for name, _ in columns)], rows)


def _cells(report: Report, averages: dict[str, Any], columns: Sequence[tuple[str, str]]) -> list[str]:
    """Averages as text, one a column."""
    known, digits = {**averages["means"], **averages}, report_of(report.family).digits
    return [number(known.get(name, math.nan), digits.get(name, 3)) for _, name in columns]


def _sources(report: Report) -> Table:
    parts = [(row, source, part) for row in report.rows for source, part in row.averages["by_source"].items()]
    return _broken_down(report, "By source", "source", parts)


def _label_values(report: Report, label: str) -> set[str]:
    return {value for row in report.rows for value in row.averages["by_label"].get(label, {})}


def _label_table(report: Report, label: str) -> Table:
    values = _label_values(report, label)
    if not 1 <= len(values) <= _MAX_VALUES:
        raise InvalidOptionError(
            f"a break-down by {label!r}, which has {len(values)} values",
            f"a label with 1 to {_MAX_VALUES} values",
            f"take one of {', '.join(label_names(report)) or 'none'}",
        )
    groups = [(row, row.averages["by_label"].get(label, {})) for row in report.rows]
    parts = [(row, value, part) for row, found in groups for value, part in found.items()]
    return _broken_down(report, f"By {label}", label, parts)


def _broken_down(
    report: Report, title: str, feature: str, parts: Sequence[tuple[ReportRow, str, dict[str, Any]]]
) -> Table:
    columns = _filled(_results(report), [part for _, _, part in parts])
    rows = [[row.label, value, str(part["n_tasks"]), *_cells(report, part, columns)] for row, value, part in parts]
    return Table(title, ["run", feature, "tasks", *(name for name, _ in columns)], rows, n_text=2)


def _endings(report: Report) -> Table:
    rows = [
        [row.label, reason, str(count)] for row in report.rows for reason, count in row.averages["stop_reasons"].items()
    ]
    if report_of(report.family).dropped is not None:
        rows += [[row.label, "(the release drops)", str(row.averages["n_dropped"])] for row in report.rows]
    return Table("How episodes ended", ["run", "stop reason", "episodes"], rows, n_text=2)


def _comparisons(report: Report, pairs: Sequence[Comparison]) -> Table:
    effort = report_of(report.family).effort
    rows = [
        [
            pair.first,
            pair.second,
            name,
            *([f"{number(pair.shown[0], 1)} / {number(pair.shown[1], 1)}"] if effort else []),
            signed(found.value),
            f"{signed(found.low)} … {signed(found.high)}",
            str(found.n_tasks),
        ]
        for pair in pairs
        for name, found in pair.intervals.items()
    ]
    coverage = f"{report.settings['confidence']:.0%} interval"
    columns = ["first", "second", "metric", *(["shown"] if effort else []), "difference", coverage, "tasks"]
    title = "Paired differences, first - second" + (f", at equal {effort[1]}" if effort else "")
    return Table(title, columns, rows, n_text=3)


def _without_nan(value: Any) -> Any:
    """A copy in which NaN and infinities, which JSON lacks, are None."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
