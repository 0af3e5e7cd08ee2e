"""Names to rows: exact, by prefix, and by similarity, over names in any script.

Names are folded (case, accents, punctuation), sorted and stored once each. A similar name is looked for among those
that share three-letter groups with it, and measured with rapidfuzz: 1 − (insertions and deletions) / (letters of
both), which does not depend on the machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scholar_env.arrays import load_array, save_array
from scholar_env.graph.kg_rows import Rows, RowTable, starts_of, write_row_table

LEAST_SIMILAR = 0.8
"""Names below are not taken for one another."""

CANDIDATES = 64
"""Names that are measured: those that share the most groups of letters."""

RAREST = 32
"""Groups of letters that are looked up: the rarest ones of a long name."""

_words = re.compile(r"\w+").findall


class Similar(NamedTuple):
    """A name like the one that was asked for."""

    name: str
    similarity: float
    rows: Rows


def folded(text: str) -> str:
    """A name without case, accents and punctuation: words of any script, one space between them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_words("".join(sign for sign in plain if not unicodedata.combining(sign))))


def write_name_index(folder: Path, name: str, pairs: Iterable[tuple[str, int]]) -> None:
    """Writes an index.

    Args:
        folder: An existing folder.
        name: First part of the file names.
        pairs: (name as written, row); names that fold to nothing are left out.
    """
    found: dict[str, set[int]] = {}
    for text, row in pairs:
        key = folded(text)
        if key:
            found.setdefault(key, set()).add(row)
    names = write_row_table(folder, name, found)
    codes = [_gram_codes(key) for key in names]
    flat = np.concatenate(codes) if codes else np.zeros(0, dtype=np.uint64)
    owners = np.repeat(np.arange(len(names), dtype=np.int32), [len(part) for part in codes])
    grams, numbers = np.unique(flat, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    save_array(folder / f"{name}_grams.npy", grams.astype(np.uint64))
    save_array(folder / f"{name}_gram_starts.npy", starts_of(np.bincount(numbers, minlength=len(grams)).tolist()))
    save_array(folder / f"{name}_gram_rows.npy", owners[order].astype(np.int32))


def _gram_codes(key: str) -> NDArray[np.uint64]:
    """The distinct groups of three letters of a folded name with a space at either end, as numbers."""
    letters = np.array([ord(sign) for sign in f" {key} "], dtype=np.uint64)
    codes = letters[:-2] << np.uint64(42) | letters[1:-1] << np.uint64(21) | letters[2:]
    return np.unique(codes)


class NameIndex:
    """An open index. Safe to share between threads; maps files read-only.

    Args:
        folder: Where its files are.
        name: First part of their names.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._names = RowTable(folder, name)
        self._grams = load_array(folder / f"{name}_grams.npy", np.uint64)
        self._gram_starts = load_array(folder / f"{name}_gram_starts.npy", np.int64)
        self._gram_rows = load_array(folder / f"{name}_gram_rows.npy", np.int32)

    def __len__(self) -> int:
        return len(self._names)

    def exact(self, text: str) -> Rows:
        """Rows of a name, ascending; none when it is not there."""
        return self._names.rows(folded(text))

    def prefix(self, text: str, most: int = 10) -> list[Similar]:
        """The first names, in order of their letters, that begin with a text."""
        key = folded(text)
        if not key:
            return []
        low, high = 0, len(self._names)
        while low < high:
            middle = (low + high) // 2
            if self._names.text(middle) < key:
                low = middle + 1
            else:
                high = middle
        found = []
        for number in range(low, min(low + most, len(self._names))):
            name = self._names.text(number)
            if not name.startswith(key):
                break
            found.append(Similar(name, len(key) / len(name), self._names.rows_of(number)))
        return found

    def fuzzy(self, text: str, least: float = LEAST_SIMILAR, most: int = 10) -> list[Similar]:
        """Names that are similar to a text, the most similar first, then by their letters."""
        from rapidfuzz.distance import Indel

        key = folded(text)
        if not key or not len(self._names):
            return []
        found = []
        for number in self._sharing(key):
            name = self._names.text(number)
            similarity = Indel.normalized_similarity(key, name, score_cutoff=least)
            if similarity >= least:
                found.append(Similar(name, similarity, self._names.rows_of(number)))
        found.sort(key=lambda entry: (-entry.similarity, entry.name))
        return found[:most]

    def _sharing(self, key: str) -> list[int]:
        """Numbers of the names that share the most groups of letters with a key, at least a third of the rarest."""
        codes = _gram_codes(key)
        places = np.searchsorted(self._grams, codes)
        places = places[places < len(self._grams)]
        places = places[np.isin(self._grams[places], codes, assume_unique=True)]
        if not len(places):
            return []
        sizes = self._gram_starts[places + 1] - self._gram_starts[places]
        places = places[np.argsort(sizes, kind="stable")[:RAREST]]
        parts = [self._gram_rows[self._gram_starts[place] : self._gram_starts[place + 1]] for place in places.tolist()]
        counts = np.zeros(len(self._names), dtype=np.int16)  # fresh pages, of which only those touched are made
        for part in parts:
            counts[part] += 1
        touched = np.concatenate(parts)
        seen = counts[touched]
        enough = seen >= max(2 if len(codes) > 2 else 1, min(len(codes), RAREST) // 3)
        numbers = np.unique(touched[enough])
        order = np.argsort(-counts[numbers], kind="stable")[:CANDIDATES]
        return [int(number) for number in numbers[order]]
