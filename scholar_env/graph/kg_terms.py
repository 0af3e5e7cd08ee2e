"""Words to rows: which rows hold all words of a phrase, over stemmed words of short texts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scholar_env.arrays import load_array, save_array
from scholar_env.string_table import PARTS, StringTable, write_string_table
from scholar_env.text import snowball_en_tokens

Rows = NDArray[np.int32]


def term_index_files(name: str) -> list[str]:
    """The files of an index."""
    return [f"{name}_{part}.npy" for part in (*PARTS, "starts", "rows")]


def write_term_index(folder: Path, name: str, texts: Iterable[str]) -> None:
    """Writes an index over texts, row by row; what is empty is found by nothing."""
    found: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in dict.fromkeys(snowball_en_tokens(text)):
            found.setdefault(word, []).append(row)
    words = sorted(found)
    write_string_table(folder, name, words)
    counts = np.cumsum([len(found[word]) for word in words], dtype=np.int64)
    save_array(folder / f"{name}_starts.npy", np.concatenate([[0], counts]).astype(np.int64))
    save_array(folder / f"{name}_rows.npy", np.array([row for word in words for row in found[word]], dtype=np.int32))


class TermIndex:
    """An open index. Safe to share between threads; maps files read-only.

    Args:
        folder: Where its files are.
        name: First part of their names.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._words = StringTable(folder, name)
        self._starts = load_array(folder / f"{name}_starts.npy", np.int64)
        self._rows = load_array(folder / f"{name}_rows.npy", np.int32)

    def rows(self, phrase: str) -> Rows:
        """Rows that hold all words of a phrase, ascending; none for a phrase without words."""
        lists = []
        for word in dict.fromkeys(snowball_en_tokens(phrase)):
            number = self._words.get(word)
            if number is None:
                return self._rows[:0]
            lists.append(self._rows[self._starts[number] : self._starts[number + 1]])
        if not lists:
            return self._rows[:0]
        lists.sort(key=len)
        found = lists[0]
        for other in lists[1:]:
            found = found[is_in(found, other)]
        return found


def is_in(rows: Rows, ascending: Rows) -> NDArray[np.bool_]:
    """Which rows occur in an ascending list of distinct ones."""
    if not len(ascending):
        return np.zeros(len(rows), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ascending, rows), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[places] == rows
    return found
