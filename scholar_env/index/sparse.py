"""The exact sparse index: BM25 over frozen postings, with exact ranks of gold documents in the whole ranked list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.engines import ENGINES, compiled_module
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError
from scholar_env.index import sparse_numpy
from scholar_env.index.base import Hits, SearchRequest
from scholar_env.index.dates import month_bound
from scholar_env.index.invariants import check_invariants
from scholar_env.index.layout import VOCABULARY, PageRequest, Postings, SparseMeta, map_postings, read_meta
from scholar_env.string_table import StringTable
from scholar_env.text import tokenizer

__all__ = ["ENGINES", "SparseIndex", "check_invariants", "warm"]


class SparseIndex:
    """An open index; open one with :meth:`open`.

    All arrays are read-only maps shared by every process on the machine; threads may search at once. Copies share the
    maps, and a pickled index opens its folder again.
    """

    def __init__(self, folder: Path, meta: SparseMeta, variant: str, engine: str) -> None:
        self._folder, self._meta, self._variant, self._asked = folder, meta, variant, engine
        self._postings = map_postings(folder, meta, variant)
        self._vocabulary = StringTable(folder, VOCABULARY)
        self._split = tokenizer(meta.tokenizer)
        self._fingerprint = meta.fingerprint(variant)
        self._engine, self._search = _engine(engine)
        if len(self._vocabulary) != meta.n_terms:
            raise CorpusIntegrityError(
                f"the vocabulary in {folder} holds {len(self._vocabulary)} terms",
                f"the index has {meta.n_terms}",
                "build the index again",
            )

    @classmethod
    def open(cls, folder: str | Path, *, engine: str = "auto", variant: str = "okapi") -> SparseIndex:
        """Opens an index without reading its arrays (see :func:`check_invariants` for a full check).

        Args:
            folder: What :func:`scholar_env.index.freeze.freeze_sparse` made.
            engine: One of :data:`ENGINES`.
            variant: Name of a scoring variant in the index.

        Raises:
            InvalidOptionError: The engine or the variant is unknown.
            MissingDependencyError: The engine is ``numba``, which is not installed.
            CorpusIntegrityError: A file is missing or damaged.
            CorpusFormatError: The index is of another format version.
        """
        folder = Path(folder).absolute()
        return cls(folder, read_meta(folder), variant, engine)

    @property
    def engine(self) -> str:
        """``numpy`` or ``numba``."""
        return self._engine

    @property
    def fingerprint(self) -> str:
        """Hex sha256 of the documents, the tokenizer and the scoring variant; the same for both engines."""
        return self._fingerprint

    @property
    def n_documents(self) -> int:
        """Number of rows, including those that match nothing."""
        return self._meta.n_documents

    @property
    def meta(self) -> SparseMeta:
        """Counts, tokenizer and scoring variants of the index."""
        return self._meta

    @property
    def vocabulary(self) -> StringTable:
        """The terms by number, in the order of their first appearance."""
        return self._vocabulary

    @property
    def postings(self) -> Postings:
        """The mapped arrays under the scoring variant."""
        return self._postings

    def search(
        self,
        query: str,
        k: int,
        *,
        offset: int = 0,
        before: str | None = None,
        exclude: Sequence[int] = (),
        gold: Sequence[int] = (),
    ) -> Hits:
        """Answers one request; see :class:`~scholar_env.index.base.SearchRequest` for the arguments.

        A token counts as often as the query holds it; a query without a known word has an empty ranked list. Rows
        outside the corpus exclude nothing and have no rank. ``k=0`` gives an empty page with total and ranks.

        Raises:
            InvalidOptionError: ``k`` or ``offset`` is negative.
        """
        n = self._meta.n_documents
        k, offset = page_bounds(k, offset, n)
        terms = self.terms(query)
        if not terms:
            none = (None,) * len(gold)
            return Hits(np.zeros(0, np.int32), np.zeros(0, np.float64), 0, none, none)
        removed = sorted({row for row in map(index, exclude) if 0 <= row < n})
        wanted = [row if 0 <= row < n else -1 for row in map(index, gold)]
        page = PageRequest(terms, min(k + offset, n), offset, month_bound(before), removed, wanted)
        return self._search(self._postings, page)

    def search_batch(self, requests: Sequence[SearchRequest]) -> list[Hits]:
        """Answers several requests, each exactly as :meth:`search` would."""
        return [
            self.search(r.query, r.k, offset=r.offset, before=r.before, exclude=r.exclude, gold=r.gold)
            for r in requests
        ]

    def tokenize(self, text: str) -> list[str]:
        """Splits a text as the index's documents and queries are split."""
        return self._split(text)

    def terms(self, query: str) -> list[int]:
        """Returns the term numbers of the query's known tokens, in query order, duplicates kept."""
        found = map(self._vocabulary.get, self._split(query))
        return [term for term in found if term is not None]

    def scores(self, query: str) -> npt.NDArray[np.float64]:
        """Returns every document's score, ``float64[N]``; what matches no token has 0."""
        return sparse_numpy.score_all(self._postings, self.terms(query), np.empty(self._meta.n_documents))

    def idf(self, term: str) -> float | None:
        """Returns a term's idf under the variant, or None when no document holds the term."""
        number = self._vocabulary.get(term)
        return None if number is None else float(self._postings.idf[number])

    def __reduce__(self) -> tuple[Callable[..., SparseIndex], tuple[Any, ...]]:
        return _reopen, (str(self._folder), self._asked, self._variant, self._fingerprint)

    def __copy__(self) -> SparseIndex:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SparseIndex:
        return self

    def __repr__(self) -> str:
        return f"SparseIndex({str(self._folder)!r}, engine={self._engine!r}, variant={self._variant!r})"


def page_bounds(k: int, offset: int, n: int) -> tuple[int, int]:
    """Checks a page's size and offset and cuts both to the number of documents.

    Raises:
        InvalidOptionError: One of them is negative.
    """
    k, offset = index(k), index(offset)
    if k < 0 or offset < 0:
        raise InvalidOptionError(
            f"a page of k={k} at offset={offset} was asked for", "both are at least 0", "give non-negative numbers"
        )
    return min(k, n), min(offset, n)


def warm() -> str:
    """Compiles the kernel into numba's cache where numba is installed, so that workers start fast.

    Returns:
        The engine that ``auto`` stands for.
    """
    name, _ = _engine("auto")
    if name == "numba":
        from scholar_env.index import sparse_numba

        sparse_numba.compile_all()
    return name


def _engine(name: str) -> tuple[str, Callable[..., Hits]]:
    kernel = compiled_module(name, "scholar_env.index.sparse_numba")
    return ("numpy", sparse_numpy.search) if kernel is None else ("numba", kernel.search)


def _reopen(folder: str, engine: str, variant: str, fingerprint: str) -> SparseIndex:
    opened = SparseIndex.open(folder, engine=engine, variant=variant)
    if opened.fingerprint != fingerprint:
        raise CorpusIntegrityError(
            f"the index in {folder} has fingerprint {opened.fingerprint}",
            f"the pickled one had {fingerprint}",
            "restore the folder or pickle a freshly opened index",
        )
    return opened
