"""What ties papers together besides topic: data sets, baselines and rivals, copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Ints, chance, pick, shuffled
from .dates import is_copyable
from .spec import WorldSpec
from .streams import below, column

RIVALS = 16
"""Names of rivals that no paper introduces, a subfield."""
UNINTRODUCED = 120
"""Share of papers, in thousandths, that compare with such a rival."""
SILENT = 5
"""Papers that cite nothing, in thousandths."""
COPIES = 4
"""Exact copies, in thousandths."""
COMMON = 8
"""Data sets that a whole subfield uses."""


@dataclass(frozen=True)
class Ties:
    """Columns `dataset`, `baseline` and `rival` of the facts table, and the papers that cite nothing (`silent`)."""

    dataset: NDArray[np.int32]
    baseline: NDArray[np.int32]
    rival: NDArray[np.int32]
    silent: NDArray[np.bool_]


def draw_datasets(spec: WorldSpec, topics: Topics) -> NDArray[np.int32]:
    """Number of each paper's data set: of the line (60 %), common in the subfield (15 %), or its own."""
    size, lines = len(topics.line), int(topics.line.max()) + 1
    pools = 1 + below(column(spec.seed, "pool-size", lines), 3)
    first = np.cumsum(pools) - pools
    place = below(np.minimum(column(spec.seed, "pool-1", size), column(spec.seed, "pool-2", size)), pools[topics.line])
    common = topics.subfield.astype(np.int64) * COMMON + pick(
        column(spec.seed, "pool-common", size), (1 << 16) // (np.arange(COMMON) + 2)
    )
    fields = int(topics.subfield.max()) + 1
    kind = below(column(spec.seed, "pool-kind", size), 100)
    of_line = fields * COMMON + first[topics.line] + place
    own = fields * COMMON + int(pools.sum()) + np.arange(size)
    numbers = np.where(kind < 60, of_line, np.where(kind < 75, common, own))
    return cast(NDArray[np.int32], np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int32))


def draw_earlier(draws: NDArray[np.uint64], group: Ints, age: Ints) -> Ints:
    """Draw an earlier row of the same group for each row, recent ones more likely; -1 for the first of a group."""
    order = np.lexsort((age, group))
    sorted_group = group[order]
    start = np.searchsorted(sorted_group, sorted_group, side="left")
    before = np.arange(len(order)) - start
    own = draws[order]
    # The smaller of two draws: a step back that is short more often than long.
    back = 1 + below(np.minimum(own, (own * np.uint64(2654435761)) & np.uint64(0xFFFFFFFF)), np.maximum(before, 1))
    earlier = np.full(len(order), -1, dtype=np.int64)
    earlier[order] = np.where(before > 0, order[np.maximum(np.arange(len(order)) - back, 0)], -1)
    return earlier


def draw_ties(spec: WorldSpec, topics: Topics, age: Ints, original: Ints) -> Ties:
    """Draw data sets and rivals: an earlier paper of the line, else the cell, else the subfield, or a mere name.

    Args:
        spec: The world.
        topics: What papers are about.
        age: Places in the order of time.
        original: For each paper its row, for a copy that of the paper which it repeats: a system has one paper.
    """
    size = spec.papers
    cell = (topics.problem.astype(np.int64) * 1000 + topics.method) * 1000 + topics.object
    groups = (topics.line.astype(np.int64), topics.subfield.astype(np.int64) * 10**9 + cell, topics.subfield)
    baseline = np.full(size, -1, dtype=np.int64)
    for at, group in enumerate(groups):
        earlier = draw_earlier(column(spec.seed, f"baseline-{at}", size), group.astype(np.int64), age)
        baseline = np.where(baseline < 0, earlier, baseline)
    baseline = np.where(baseline < 0, -1, original[baseline])
    silent = chance(spec.seed, "silent", size, SILENT)
    baseline = np.where(silent | chance(spec.seed, "unintroduced", size, UNINTRODUCED), -1, baseline)
    place = pick(column(spec.seed, "rival", size), (1 << 16) // (np.arange(RIVALS) + 2))
    rival = np.where(baseline < 0, size + topics.subfield.astype(np.int64) * RIVALS + place, -1)
    return Ties(draw_datasets(spec, topics), baseline.astype(np.int32), rival.astype(np.int32), silent)


def draw_copies(spec: WorldSpec, month: NDArray[np.int32]) -> NDArray[np.int32]:
    """Choose the papers that repeat an earlier one word for word.

    Returns:
        int32 [papers]: row of the paper that is repeated, of an earlier month and no copy itself; -1 for most.
    """
    order = shuffled(spec.seed, "copies", spec.papers)
    order = order[month[order] > month.min()]
    copies = order[: spec.papers * COPIES // 1000]
    taken = np.zeros(spec.papers, dtype=np.bool_)
    taken[copies] = True
    sources = np.flatnonzero(~taken & is_copyable(month))
    sources = sources[np.argsort(month[sources], kind="stable")]
    earlier = np.searchsorted(month[sources], month[copies], side="left")
    copy_of = np.full(spec.papers, -1, dtype=np.int32)
    draws = column(spec.seed, "copy-of", len(copies))
    for copy, draw, count in zip(copies.tolist(), draws, earlier.tolist(), strict=True):
        # A copy comes within about two years of its original; no paper is copied twice.
        window = sources[int(np.searchsorted(month[sources], month[copy] - 24)) : count]
        window = window[~taken[window]]
        if len(window):
            copy_of[copy] = window[int(below(np.array([draw]), len(window))[0])]
            taken[copy_of[copy]] = True
    return copy_of
