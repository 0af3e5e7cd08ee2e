"""The public package rank_bm25 behind the index protocol: slow, and what the exact engines are compared with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array
from scholar_env.errors import InvalidOptionError, MissingDependencyError
from scholar_env.index.base import Hits, SearchRequest
from scholar_env.index.dates import UNDATED
from scholar_env.index.layout import VOCABULARY, SparseMeta, map_postings, read_meta
from scholar_env.index.scoring import OKAPI, Variant
from scholar_env.index.sparse import page_bounds
from scholar_env.string_table import StringTable
from scholar_env.text import tokenizer


class RankBM25Index:
    """BM25Okapi with the filters and the stable sort of the released ScholarGym retriever, in plain Python.

    Args:
        documents: Tokens of each document; an empty list keeps a row that is not indexed.
        dates: Their dates as text, ``""`` for undated.
        tokenizer_id: Tokenizer of the queries.
        variant: Scoring variant of form ``okapi``.
        fingerprint: Hash of everything that decides a ranking.

    Raises:
        MissingDependencyError: rank_bm25 is not installed.
        InvalidOptionError: The variant has another form.
    """

    def __init__(
        self,
        documents: Iterable[Sequence[str]],
        dates: Sequence[str],
        *,
        tokenizer_id: str = "scholargym-v1",
        variant: Variant = OKAPI,
        fingerprint: str = "",
    ) -> None:
        if variant.form != "okapi":
            raise InvalidOptionError(
                f"retriever 'rank-bm25' was asked for the scoring form {variant.form!r}",
                "it computes BM25Okapi only",
                "choose a variant of form 'okapi', or another engine",
            )
        self._split = tokenizer(tokenizer_id)
        self._dates = list(dates)
        self._fingerprint = fingerprint
        self._folder: str | None = None
        self._variant = variant.name
        self._rows: list[int] = []  # row of each indexed document
        self._model = _model(self._indexed(documents), variant)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str | None],
        dates: Iterable[str],
        tokenizer_id: str = "scholargym-v1",
        variant: Variant = OKAPI,
    ) -> RankBM25Index:
        """Builds the index from texts, without a frozen one; arguments as of freeze_sparse."""
        texts, dates, split = list(texts), list(dates), tokenizer(tokenizer_id)
        facts = json.dumps([tokenizer_id, variant.as_json(), texts, dates])
        return cls(
            ([] if text is None else split(text) for text in texts),
            dates,
            tokenizer_id=tokenizer_id,
            variant=variant,
            fingerprint=hashlib.sha256(facts.encode()).hexdigest(),
        )

    @classmethod
    def open(cls, folder: str | Path, *, variant: str = "okapi") -> RankBM25Index:
        """Rebuilds the documents' words from a frozen sparse index; takes minutes and gigabytes on a large corpus.

        Within a document the words come in the order of their numbers, so that all words first appear in the same order
        as in the texts, which the mean idf depends on.
        """
        folder = Path(folder).absolute()
        meta = read_meta(folder)
        months = load_array(folder / "dates.npy", np.int32).tolist()
        dates = ["" if m == UNDATED else f"{m // 100:04d}-{m % 100:02d}" if m % 100 else f"{m:06d}"[:4] for m in months]
        made = cls(
            _stored_documents(folder, meta, variant),
            dates,
            tokenizer_id=meta.tokenizer,
            variant=meta.variant(variant),
            fingerprint=meta.fingerprint(variant),
        )
        made._folder = str(folder)
        return made

    @property
    def engine(self) -> str:
        """``rank-bm25``."""
        return "rank-bm25"

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides a ranking; for an opened folder that of the sparse index in it."""
        return self._fingerprint

    @property
    def n_documents(self) -> int:
        """Number of rows, including those that match nothing."""
        return len(self._dates)

    def scores(self, query: str) -> npt.NDArray[np.float64]:
        """Returns every document's score, ``float64[N]``."""
        scores = np.zeros(len(self._dates))
        if self._model is not None:
            scores[self._rows] = self._model.get_scores(self._split(query))
        return scores

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
        """Answers one request; see :class:`~scholar_env.index.base.SearchRequest` for the arguments."""
        k, offset = page_bounds(k, offset, len(self._dates))
        scores = self.scores(query)
        positive = np.flatnonzero(scores > 0).tolist()
        if before is not None:
            positive = [row for row in positive if self._dates[row] and self._dates[row][:7] <= before[:7]]
        ranked = sorted(positive, key=lambda row: scores[row], reverse=True)
        places = {row: rank for rank, row in enumerate(ranked)}
        removed = set(map(index, exclude))
        left = [row for row in ranked if row not in removed]
        left_places = {row: rank for rank, row in enumerate(left)}
        rows = np.array(left[offset : offset + k], dtype=np.int32)
        wanted = list(map(index, gold))
        return Hits(
            rows,
            scores[rows],
            len(left),
            tuple(left_places.get(row) for row in wanted),
            tuple(places.get(row) for row in wanted),
        )

    def search_batch(self, requests: Sequence[SearchRequest]) -> list[Hits]:
        """Answers several requests, each exactly as :meth:`search` would."""
        return [
            self.search(r.query, r.k, offset=r.offset, before=r.before, exclude=r.exclude, gold=r.gold)
            for r in requests
        ]

    def __reduce__(self) -> tuple[Callable[..., RankBM25Index], tuple[Any, ...]]:
        if self._folder is None:
            raise TypeError("a RankBM25Index made from texts cannot be pickled; open a frozen index instead")
        return _reopen, (self._folder, self._variant)

    def __copy__(self) -> RankBM25Index:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> RankBM25Index:
        return self

    def _indexed(self, documents: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
        for row, tokens in enumerate(documents):
            if tokens:
                self._rows.append(row)
                yield tokens


def _model(documents: Iterator[Sequence[str]], variant: Variant) -> Any:
    """Builds BM25Okapi from a stream of documents; None when there is none."""
    try:
        from rank_bm25 import BM25Okapi
    except ImportError as error:
        raise MissingDependencyError(
            f"retriever 'rank-bm25' cannot be loaded ({error})",
            "it needs the optional package rank-bm25",
            "install scholar-env[reference], or use the sparse retriever, which gives the same results",
        ) from error
    first = next(documents, None)
    if first is None:
        return None
    return BM25Okapi(chain([first], documents), k1=variant.k1, b=variant.b, epsilon=variant.epsilon)


def _stored_documents(folder: Path, meta: SparseMeta, variant: str) -> Iterator[list[str]]:
    postings = map_postings(folder, meta, variant)
    words = list(StringTable(folder, VOCABULARY))
    order = np.argsort(postings.docs, kind="stable")
    terms = np.repeat(np.arange(meta.n_terms, dtype=np.int32), np.diff(postings.indptr))[order]
    counts = load_array(folder / "pair_tf.npy", np.uint32)[postings.codes][order]
    ends = np.cumsum(np.bincount(postings.docs, minlength=meta.n_documents)).tolist()
    for start, end in zip([0, *ends], ends, strict=False):
        pairs = zip(terms[start:end].tolist(), counts[start:end].tolist(), strict=True)
        yield list(chain.from_iterable(repeat(words[term], count) for term, count in pairs))


def _reopen(folder: str, variant: str) -> RankBM25Index:
    return RankBM25Index.open(folder, variant=variant)
