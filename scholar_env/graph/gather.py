"""Whole-array look-ups in lists that lie one after another: list i is ``values[starts[i] : starts[i + 1]]``.

All arithmetic is on integers, so results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", bound=np.generic)

Ints = NDArray[np.int64]
Rows = NDArray[np.int32]
Flags = NDArray[np.bool_]

CHUNK = 1 << 22
"""Elements that whole-array code makes at a time."""


def sealed(array: NDArray[Kind]) -> NDArray[Kind]:
    """Returns an array after making it read-only, as maps are: compiled loops then see one type of array only."""
    array.setflags(write=False)
    return array


def places(starts: Ints, rows: NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
    """Returns the places of all elements of some rows.

    Args:
        starts: int64 [n + 1].
        rows: Row numbers; one may stand more than once.

    Returns:
        For each element, in the order of ``rows``: which of the rows it belongs to (its position in ``rows``), and its
        place in the values.
    """
    first = starts[rows]
    counts = starts[rows + 1] - first
    owner = np.repeat(np.arange(len(rows)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (first - before)[owner]


def chunks(sizes: Ints, most: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Cuts rows into runs ``[low, high)`` whose sizes add up to at most ``most``, or that hold one row."""
    ends = np.cumsum(sizes)
    low, done = 0, 0
    while low < len(sizes):
        high = max(int(np.searchsorted(ends, done + most, side="right")), low + 1)
        yield low, high
        low, done = high, int(ends[high - 1])


def is_member(sorted_keys: Ints, wanted: Ints) -> Flags:
    """Tells which numbers occur among sorted ones."""
    if not len(sorted_keys):
        return np.zeros(len(wanted), dtype=np.bool_)
    place = np.minimum(np.searchsorted(sorted_keys, wanted), len(sorted_keys) - 1)
    return cast(Flags, sorted_keys[place] == wanted)


def starts_of(rows: NDArray[np.integer[Any]], size: int) -> Ints:
    """Returns where each row starts in a list that is sorted by row: int64 [size + 1]."""
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))]).astype(np.int64)
