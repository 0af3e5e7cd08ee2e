"""Words to rows: which rows hold all words of a phrase, over stemmed words of short texts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.kg_rows import Rows, RowTable, write_row_table
from scholar_env.text import snowball_en_tokens


def write_term_index(folder: Path, name: str, texts: Iterable[str]) -> None:
    """Writes an index over texts, row by row; what is empty is found by nothing."""
    found: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in dict.fromkeys(snowball_en_tokens(text)):
            found.setdefault(word, []).append(row)
    write_row_table(folder, name, found)


class TermIndex:
    """An open index. Safe to share between threads; maps files read-only.

    Args:
        folder: Where its files are.
        name: First part of their names.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._words = RowTable(folder, name)

    def rows(self, phrase: str) -> Rows:
        """Rows that hold all words of a phrase, ascending; none for a phrase without words."""
        lists = sorted((self._words.rows(word) for word in dict.fromkeys(snowball_en_tokens(phrase))), key=len)
        if not lists:
            return self._words.none
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
