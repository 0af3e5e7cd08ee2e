"""How CompLit's tasks are grouped in break-downs: by year, by evidence of the constraints, by their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from scholar_env.metrics.ranking import mean

SOURCES: Final = ("content", "figural", "metadata", "comparative")
"""What can support a constraint: the text, a figure, the bibliographic record, a comparison with another paper."""

LEVELS: Final = ("explicit", "paraphrased", "inferred")
"""How plainly it does; metadata constraints have no level."""

YEAR_BINS: Final = ((2015, "to 2015"), (2018, "2016-2018"), (2023, "2019-2023"))
LATER: Final = "from 2024"
SHARE_BINS: Final = ("none", "under 1/4", "1/4 to 1/2", "from 1/2", "unknown")
BINS: Final = (*(name for _, name in YEAR_BINS), LATER, *SHARE_BINS)
"""Names of groups that have an order of their own, in this order."""

MANY: Final = 9
"""From this number on, numbers of constraints are one group."""

Item = TypeVar("Item")


def year_bin(year: int) -> str:
    """``to 2015``, ``2016-2018``, ``2019-2023`` or ``from 2024``."""
    return next((name for last, name in YEAR_BINS if year <= last), LATER)


def inferred_share(constraints: Iterable[tuple[str, str]]) -> float:
    """Share of inferred ones among the content and figural constraints that have a level; NaN when none has.

    Args:
        constraints: (source, level) of each constraint; level "" = none is recorded.
    """
    levels = [level for source, level in constraints if source in ("content", "figural") and level]
    return sum(level == "inferred" for level in levels) / len(levels) if levels else math.nan


def share_bin(value: float) -> str:
    """``none``, ``under 1/4``, ``1/4 to 1/2``, ``from 1/2``; ``unknown`` for NaN."""
    none, few, some, most, unknown = SHARE_BINS
    if math.isnan(value):
        return unknown
    if value == 0:
        return none
    return few if value < 0.25 else some if value < 0.5 else most


def number_bin(constraints: int) -> str:
    """The number itself, ``9 and more`` from there on."""
    return f"{constraints}" if constraints < MANY else f"{MANY} and more"


def labels_of(details: Mapping[str, Any]) -> dict[str, str]:
    """The labels by which a task is grouped, from its details; what is not known is ``""``.

    Args:
        details: As :meth:`scholar_env.construction.records.Query.details` gives them.
    """
    constraints, year = details["constraints"], details["year"]
    present = {entry["source"] for entry in constraints}
    levels = [(entry["source"], entry["level"] or "") for entry in constraints]
    return {
        "setting": details["setting"],
        "domain": details["domain"],
        "year": str(year or ""),
        "year_bin": year_bin(year) if year else "",
        "sources": ",".join(name for name in SOURCES if name in present),
        "inferred_share": share_bin(inferred_share(levels)),
        "n_constraints": str(len(constraints)),
        "intent": details["intent"],
        "clause": next((entry["status_in_paper"] for entry in constraints if entry["injected"]), ""),
    }


def break_down(
    items: Sequence[Item], groups: Callable[[Item], Iterable[str]], value: Callable[[Item], float]
) -> dict[str, tuple[int, float]]:
    """Number of items and mean of their values by group, groups in the order of :func:`group_order`.

    Args:
        items: What is grouped.
        groups: Names of the groups of an item; an item may be in several (sources contained), or in none.
        value: Value of an item; NaN = undefined, it counts in the number and not in the mean.
    """
    members: dict[str, list[float]] = {}
    for item in items:
        for name in dict.fromkeys(groups(item)):
            members.setdefault(name, []).append(value(item))
    return {name: (len(members[name]), mean(members[name])) for name in sorted(members, key=group_order)}


def group_order(name: str) -> tuple[int, str]:
    """Key by which groups stand: those of :data:`BINS` as there, others by name."""
    return (BINS.index(name) if name in BINS else -1, name)
