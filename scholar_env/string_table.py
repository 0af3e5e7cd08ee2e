"""Frozen tables from strings to rows (paper ids, vocabularies) that all processes share through the page cache.

A table is four arrays: the strings' UTF-8 bytes one after another, their offsets, and their 64-bit blake2b hashes
sorted, each with its row. A look-up is a binary search among the hashes and one comparison of bytes; nothing is
held privately.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array, save_array
from scholar_env.errors import CorpusIntegrityError

PARTS = ("blob", "offsets", "hashes", "order")
"""The four files of a table called ``ids``: ``ids_blob.npy`` and so on."""


def string_hash(data: bytes) -> int:
    """Returns the 64-bit blake2b hash (big-endian) that orders a table."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def write_string_table(folder: str | Path, name: str, strings: Iterable[str]) -> list[str]:
    """Writes a table; the row of a string is its position.

    Args:
        folder: An existing folder.
        name: First part of the file names.
        strings: The strings, distinct; empty ones and any Unicode text (without lone surrogates) are allowed.

    Returns:
        The names of the files written.

    Raises:
        ValueError: A string occurs twice.
    """
    blob = bytearray()
    ends = [0]
    hash_list: list[int] = []
    for text in strings:
        data = text.encode("utf-8")
        blob += data
        ends.append(len(blob))
        hash_list.append(string_hash(data))
    hashes = np.array(hash_list, dtype=np.uint64)
    order = np.argsort(hashes, kind="stable").astype(np.int32)
    offsets = np.array(ends, dtype=np.int64)
    hashes = hashes[order]
    _refuse_doubles(blob, offsets, hashes, order)
    folder = Path(folder)
    save_array(folder / f"{name}_blob.npy", np.frombuffer(bytes(blob), dtype=np.uint8))
    save_array(folder / f"{name}_offsets.npy", offsets)
    save_array(folder / f"{name}_hashes.npy", hashes)
    save_array(folder / f"{name}_order.npy", order)
    return [f"{name}_{part}.npy" for part in PARTS]


def _refuse_doubles(
    blob: bytearray, offsets: npt.NDArray[np.int64], hashes: npt.NDArray[np.uint64], order: npt.NDArray[np.int32]
) -> None:
    seen: set[bytes] = set()
    for i in np.flatnonzero(hashes[1:] == hashes[:-1]):
        for row in order[i : i + 2] if i == 0 or hashes[i - 1] != hashes[i] else order[i + 1 : i + 2]:
            data = bytes(blob[offsets[row] : offsets[row + 1]])
            if data in seen:
                raise ValueError(f"the string {data.decode('utf-8')!r} occurs twice in a table of distinct strings")
            seen.add(data)


class StringTable:
    """An open table. Safe to share between threads and across fork; not picklable, open it again instead.

    Args:
        folder: Where the table's files are.
        name: First part of their names.

    Raises:
        CorpusIntegrityError: A file is missing or the arrays do not fit together.
    """

    def __init__(self, folder: str | Path, name: str) -> None:
        folder = Path(folder)
        self._where = folder / f"{name}_*.npy"
        self._blob = load_array(folder / f"{name}_blob.npy", np.uint8)
        self._offsets = load_array(folder / f"{name}_offsets.npy", np.int64)
        self._hashes = load_array(folder / f"{name}_hashes.npy", np.uint64)
        self._order = load_array(folder / f"{name}_order.npy", np.int32)
        self._n = len(self._order)
        if len(self._hashes) != self._n or len(self._offsets) != self._n + 1:
            raise self._broken("its arrays differ in length")
        if self._offsets[0] != 0 or self._offsets[-1] != len(self._blob):
            raise self._broken("its offsets do not cover its bytes")
        self._blob_view = self._blob.data
        self._offset_view = self._offsets.data
        self._hash_view = self._hashes.data
        self._order_view = self._order.data

    def check(self) -> None:
        """Checks every invariant that look-ups rely on; takes milliseconds per million strings.

        Raises:
            CorpusIntegrityError: One does not hold.
        """
        if np.any(self._offsets[1:] < self._offsets[:-1]):
            raise self._broken("its offsets fall")
        if np.any(self._hashes[1:] < self._hashes[:-1]):
            raise self._broken("its hashes are not sorted")
        if not np.array_equal(np.sort(self._order), np.arange(self._n, dtype=np.int32)):
            raise self._broken("its order is no permutation")

    def get(self, text: str) -> int | None:
        """Returns the row of a string, or None when the table does not hold it."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            return None  # a lone surrogate is in no table
        wanted = string_hash(data)
        at = bisect_left(self._hash_view, wanted)
        while at < self._n and self._hash_view[at] == wanted:
            row = self._order_view[at]
            if self._blob_view[self._offset_view[row] : self._offset_view[row + 1]] == data:
                return row
            at += 1
        return None

    def text(self, row: int) -> str:
        """Returns the string of a row.

        Raises:
            IndexError: ``row`` is not in ``[0, len)``.
        """
        if not 0 <= row < self._n:
            raise IndexError(f"row {row} is outside [0, {self._n})")
        return str(self._blob_view[self._offset_view[row] : self._offset_view[row + 1]], "utf-8")

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.get(text) is not None

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[str]:
        """Iterates over the strings by row."""
        return (self.text(row) for row in range(self._n))

    def _broken(self, what: str) -> CorpusIntegrityError:
        return CorpusIntegrityError(
            f"the string table {self._where} is damaged: {what}",
            "its files are as they were frozen",
            "build the folder again",
        )
