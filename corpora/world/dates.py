"""When papers appeared, and their ids: more every year, lines of work in bursts, ids random within the month."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from .choice import Flags, Ints, chance, pick, shuffled
from .spec import WorldSpec
from .streams import below, column

FIRST_MONTH, LAST_MONTH = 1998 * 12, 2026 * 12 + 8
SPREAD = 30
"""Papers of a line mostly lie within so many months of its middle."""
LOOSE, UNDATED = 350, 30
"""In thousandths: papers whose month does not follow their line; papers without a date."""


def draw_months(spec: WorldSpec, line: NDArray[np.int32]) -> NDArray[np.int32]:
    """Draw the month of each paper, four times as many in the last as in the first."""
    months = LAST_MONTH - FIRST_MONTH + 1
    growth = np.arange(months, dtype=np.int64) * 3 + months
    middle = pick(column(spec.seed, "line-middle", int(line.max()) + 1), growth)[line]
    first = below(column(spec.seed, "month-1", len(line)), SPREAD)
    second = below(column(spec.seed, "month-2", len(line)), SPREAD)
    near = middle + first - second
    free = pick(column(spec.seed, "month-free", len(line)), growth)
    outside = (near < 0) | (near >= months)
    month = np.where(chance(spec.seed, "month-loose", len(line), LOOSE) | outside, free, near)
    return (FIRST_MONTH + month).astype(np.int32)


def draw_days(spec: WorldSpec, month: NDArray[np.int32]) -> NDArray[np.int32]:
    """Draw a day within each month; -1 for undated papers."""
    first = days_before(month.astype(np.int64))
    length = days_before(month.astype(np.int64) + 1) - first
    day = first + below(column(spec.seed, "day", len(month)), length)
    return np.where(chance(spec.seed, "undated", len(month), UNDATED), -1, day).astype(np.int32)


def days_before(month: Ints) -> Ints:
    """Days from 1970-01-01 to the first of months that count from year 0 (Gregorian calendar).

    The year is taken to start in March, so that the leap day is its last (H. Hinnant, days_from_civil).
    """
    year, since_march = np.divmod(month - 2, 12)
    day_of_year = (153 * since_march + 2) // 5
    return cast(Ints, year * 365 + year // 4 - year // 100 + year // 400 + day_of_year - 719468)


def paper_ids(spec: WorldSpec, month: NDArray[np.int32]) -> tuple[str, ...]:
    """Ids `YYMM.NNNNN`, unique; the number tells nothing of a paper but its month."""
    order = shuffled(spec.seed, "ids", len(month))
    order = order[np.argsort(month[order], kind="stable")]
    starts = np.searchsorted(month[order], month[order], side="left")
    size = np.searchsorted(month[order], month[order], side="right") - starts
    step = np.maximum(20_000 // size, 1)
    number = np.empty(len(month), dtype=np.int64)
    offset = below(column(spec.seed, "ids-offset", len(month)), step)
    number[order] = 1 + (np.arange(len(month)) - starts) * step + offset
    year, place = np.divmod(month.astype(np.int64), 12)
    prefix = (year % 100 * 100 + place + 1).tolist()
    return tuple(f"{head:04d}.{tail:05d}" for head, tail in zip(prefix, number.tolist(), strict=True))


def ages(month: NDArray[np.int32]) -> Ints:
    """Place of each paper in the order of (month, row): a paper cites those of a lower place only."""
    place = np.empty(len(month), dtype=np.int64)
    place[np.argsort(month, kind="stable")] = np.arange(len(month))
    return place


def is_copyable(month: NDArray[np.int32]) -> Flags:
    """Papers that a later month can repeat."""
    return month < LAST_MONTH - 1
