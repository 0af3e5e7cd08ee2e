"""Texts to rows: a table of distinct texts in order, each with the ascending rows that go with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scholar_env.arrays import load_array, save_array
from scholar_env.string_table import StringTable, write_string_table

Rows = NDArray[np.int32]


def write_row_table(folder: Path, name: str, rows: Mapping[str, Collection[int]]) -> list[str]:
    """Writes a table and returns its texts in order: text n has the number n.

    Args:
        folder: An existing folder.
        name: First part of the file names.
        rows: Text -> its rows.
    """
    texts = sorted(rows)
    write_string_table(folder, name, texts)
    lists = [sorted(rows[text]) for text in texts]
    save_array(folder / f"{name}_starts.npy", starts_of([len(found) for found in lists]))
    save_array(folder / f"{name}_rows.npy", np.array([row for found in lists for row in found], dtype=np.int32))
    return texts


def starts_of(counts: Sequence[int]) -> NDArray[np.int64]:
    """Where parts of these lengths begin in their concatenation, and its length."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


class RowTable:
    """An open table. Safe to share between threads; maps files read-only.

    Args:
        folder: Where its files are.
        name: First part of their names.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._texts = StringTable(folder, name)
        self._starts = load_array(folder / f"{name}_starts.npy", np.int64)
        self._rows = load_array(folder / f"{name}_rows.npy", np.int32)

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, number: int) -> str:
        """The text of a number."""
        return self._texts.text(number)

    def rows_of(self, number: int) -> Rows:
        """Rows of the text of a number, ascending."""
        return self._rows[self._starts[number] : self._starts[number + 1]]

    def rows(self, text: str) -> Rows:
        """Rows of a text, ascending; none when it is not there."""
        number = self._texts.get(text)
        return self.none if number is None else self.rows_of(number)

    @property
    def none(self) -> Rows:
        """No rows."""
        return self._rows[:0]
