"""The tables of reports on CompLit: needs that a paper meets, needs that none meets, curves, break-downs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from scholar_env.metrics.complit_groups import group_order
from scholar_env.study.complit_averages import GROUPS, UNMET
from scholar_env.study.tables import Table, number

if TYPE_CHECKING:
    from scholar_env.study.report import Report

CALLS_SHOWN: Final = (1, 2, 3, 5, 10, 15, 20, 30)
"""Calls at which curves are printed."""


def complit_tables(report: Report) -> list[Table]:
    """Returns those of the tables that have rows."""
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
