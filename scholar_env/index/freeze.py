"""Builds a frozen sparse index from a stream of texts, in bounded memory and with the same bytes every time."""

from __future__ import annotations

import hashlib
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array, save_array
from scholar_env.errors import InvalidOptionError
from scholar_env.index.dates import month_of
from scholar_env.index.layout import CONTENT_FILES, META, VOCABULARY, SparseMeta, code_dtype, read_meta
from scholar_env.index.scoring import LUCENE, OKAPI, Variant, idf_table, impact_table
from scholar_env.storage import sha256_file, write_json_atomic
from scholar_env.string_table import write_string_table
from scholar_env.text import tokenizer

CHUNK_POSTINGS = 1 << 20
"""Postings held in memory before they are spilled; decides memory and speed, never the bytes of the result."""


class _Vocabulary(dict[str, int]):
    """Numbers words in the order of their first appearance."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class SparseBuilder:
    """Builds one index; documents are added in row order.

    Postings are spilled to an unnamed temporary file, so memory holds the vocabulary and, at the end, six bytes a
    posting. Use it as a context manager, or call :meth:`close`, to release that file when a build is given up.

    Args:
        tokenizer_id: Id of a tokenizer of :mod:`scholar_env.text`.
        scratch: Folder for the temporary file (default: the system's).
        variants: Scoring variants to store.

    Raises:
        InvalidOptionError: No tokenizer has that id.
    """

    def __init__(
        self,
        tokenizer_id: str = "scholargym-v1",
        *,
        scratch: str | Path | None = None,
        variants: tuple[Variant, ...] = (OKAPI, LUCENE),
    ) -> None:
        self._tokenizer_id = tokenizer_id
        self._split = tokenizer(tokenizer_id)
        self._variants = variants
        self._vocabulary = _Vocabulary()
        self._terms, self._tfs = array("I"), array("I")  # postings since the last spill, by document
        self._lengths, self._uniques, self._months = array("I"), array("I"), array("i")  # one a document
        self._first_document = 0  # of the current chunk
        self._chunks: list[tuple[int, int, int]] = []  # (first document, end document, postings)
        self._frequencies = np.zeros(0, dtype=np.int64)  # documents of each term, spilled ones
        self._pairs = np.zeros(0, dtype=np.uint64)  # sorted distinct tf << 32 | length, spilled ones
        self._resources = ExitStack()
        self._spill: IO[bytes] = self._resources.enter_context(_unnamed_file(scratch))

    @property
    def n_documents(self) -> int:
        """Documents added so far."""
        return len(self._lengths)

    def add(self, text: str | None, date: str = "") -> None:
        """Adds the next document.

        Args:
            text: Its text. None, or a text without a token, keeps the row but is not indexed: it matches nothing and
                counts neither in the number of documents nor in their mean length.
            date: ``YYYY-MM-DD``, ``YYYY-MM``, ``YYYY`` or ``""`` for undated.

        Raises:
            CorpusFormatError: The date has another form.
        """
        month = month_of(date)
        tokens = self._split(text) if text is not None else []
        counts = Counter(tokens)
        self._terms.extend(map(self._vocabulary.__getitem__, counts))
        self._tfs.extend(counts.values())
        self._lengths.append(len(tokens))
        self._uniques.append(len(counts))
        self._months.append(month)
        if len(self._terms) >= CHUNK_POSTINGS:
            self._flush()

    def finish(self, folder: str | Path) -> dict[str, Any]:
        """Writes the index into a folder (made when missing) and releases the builder.

        Returns:
            The content of ``index.json``.
        """
        self._flush()
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        n_terms = len(self._vocabulary)
        write_string_table(folder, VOCABULARY, self._vocabulary)
        self._vocabulary.clear()
        lengths = np.frombuffer(self._lengths, dtype=np.uint32)
        pair_tf, pair_dl = (self._pairs >> 32).astype(np.uint32), self._pairs.astype(np.uint32)
        indptr = np.zeros(n_terms + 1, dtype=np.int64)
        np.cumsum(self._frequencies, out=indptr[1:])
        save_array(folder / "indptr.npy", indptr)
        save_array(folder / "pair_tf.npy", pair_tf)
        save_array(folder / "pair_dl.npy", pair_dl)
        save_array(folder / "dates.npy", np.frombuffer(self._months, dtype=np.int32))
        self._invert(folder, indptr)
        self.close()
        meta = SparseMeta(
            tokenizer=self._tokenizer_id,
            n_documents=len(lengths),
            n_indexed=int(np.count_nonzero(lengths)),
            n_terms=n_terms,
            n_postings=int(indptr[-1]),
            n_pairs=len(self._pairs),
            n_tokens=int(lengths.sum(dtype=np.int64)),
            content=_content_hash(folder),
        )
        for variant in self._variants:
            _save_tables(folder, meta, variant)
            meta = meta.with_variant(variant)
        write_json_atomic(folder / META, meta.as_json())
        return meta.as_json()

    def close(self) -> None:
        """Releases the temporary file; the builder takes no more documents."""
        self._resources.close()

    def __enter__(self) -> SparseBuilder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _flush(self) -> None:
        """Spills the current chunk and adds it to the term and pair statistics."""
        if len(self._terms) == 0:
            self._first_document = self.n_documents
            return
        first, end = self._first_document, self.n_documents
        terms, tfs = np.frombuffer(self._terms, dtype=np.uint32), np.frombuffer(self._tfs, dtype=np.uint32)
        frequencies = np.bincount(terms, minlength=len(self._vocabulary))
        frequencies[: len(self._frequencies)] += self._frequencies
        self._frequencies = frequencies
        _, lengths = self._spread(first, end)
        self._pairs = np.union1d(self._pairs, _pair_keys(tfs, lengths))
        self._spill.write(terms.data)
        self._spill.write(tfs.data)
        self._chunks.append((first, end, len(terms)))
        self._terms, self._tfs = array("I"), array("I")
        self._first_document = end

    def _spread(self, first: int, end: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """Returns row and document length for each posting of the documents ``[first, end)``."""
        uniques = np.frombuffer(self._uniques, dtype=np.uint32, offset=4 * first, count=end - first)
        lengths = np.frombuffer(self._lengths, dtype=np.uint32, offset=4 * first, count=end - first)
        return np.repeat(np.arange(first, end, dtype=np.int32), uniques), np.repeat(lengths, uniques)

    def _read_chunks(self) -> Iterator[tuple[int, int, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]]:
        self._spill.seek(0)
        for first, end, count in self._chunks:
            terms = np.frombuffer(self._spill.read(4 * count), dtype=np.uint32)
            tfs = np.frombuffer(self._spill.read(4 * count), dtype=np.uint32)
            yield first, end, terms, tfs

    def _invert(self, folder: Path, indptr: npt.NDArray[np.int64]) -> None:
        """Turns the spilled postings, ordered by document, into postings ordered by term, then document."""
        docs = np.empty(int(indptr[-1]), dtype=np.int32)
        codes = np.empty(len(docs), dtype=code_dtype(len(self._pairs)))
        filled = indptr[:-1].copy()  # where the next posting of each term goes
        for first, end, terms, tfs in self._read_chunks():
            rows, lengths = self._spread(first, end)
            found = np.searchsorted(self._pairs, _pair_keys(tfs, lengths)).astype(codes.dtype)
            keys = terms.astype(np.uint64) << 32 | np.arange(len(terms), dtype=np.uint64)
            keys.sort()
            order = keys.astype(np.uint32)  # stable order by term
            keys >>= np.uint64(32)
            ordered = keys.astype(np.uint32)
            del keys
            starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            counts = np.diff(starts, append=len(ordered))
            present = ordered[starts]
            places = np.repeat(filled[present] - starts, counts)
            places += np.arange(len(ordered))
            filled[present] += counts
            docs[places] = rows[order]
            codes[places] = found[order]
        save_array(folder / "docs.npy", docs)
        save_array(folder / "codes.npy", codes)


def freeze_sparse(
    folder: str | Path,
    texts: Iterable[str | None],
    dates: Iterable[str],
    tokenizer_id: str = "scholargym-v1",
    *,
    scratch: str | Path | None = None,
    variants: tuple[Variant, ...] = (OKAPI, LUCENE),
) -> dict[str, Any]:
    """Builds an index from texts and their dates, in row order; see :class:`SparseBuilder`.

    Returns:
        The content of ``index.json``.

    Raises:
        ValueError: There are more texts than dates or the other way round.
    """
    with SparseBuilder(tokenizer_id, scratch=scratch, variants=variants) as builder:
        for text, date in zip(texts, dates, strict=True):
            builder.add(text, date)
        return builder.finish(folder)


def add_variant(folder: str | Path, variant: Variant) -> dict[str, Any]:
    """Adds a scoring variant to an index on disk: two tables and an entry in ``index.json``, no new postings.

    Adding the same variant again changes nothing.

    Returns:
        The new content of ``index.json``.

    Raises:
        InvalidOptionError: The index has another variant of that name.
    """
    folder = Path(folder)
    meta = read_meta(folder)
    present = meta.variants.get(variant.name)
    if present is not None and present.as_json() != variant.as_json():
        raise InvalidOptionError(
            f"scoring variant {variant.name!r} is {present.as_json()} in {folder}",
            "a variant never changes under its name",
            "choose another name",
        )
    if present is None:
        _save_tables(folder, meta, variant)
        meta = meta.with_variant(variant)
        write_json_atomic(folder / META, meta.as_json())
    return meta.as_json()


def _save_tables(folder: Path, meta: SparseMeta, variant: Variant) -> None:
    frequencies = np.diff(load_array(folder / "indptr.npy", np.int64))
    pair_tf, pair_dl = load_array(folder / "pair_tf.npy", np.uint32), load_array(folder / "pair_dl.npy", np.uint32)
    idf, _ = idf_table(variant, frequencies, meta.n_indexed)
    save_array(folder / f"idf_{variant.name}.npy", idf)
    save_array(
        folder / f"impact_{variant.name}.npy", impact_table(variant, pair_tf, pair_dl, meta.n_tokens, meta.n_indexed)
    )


@contextmanager
def _unnamed_file(folder: str | Path | None) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile(dir=folder) as file:
        yield file


def _pair_keys(tfs: npt.NDArray[np.uint32], lengths: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    return tfs.astype(np.uint64) << np.uint64(32) | lengths


def _content_hash(folder: Path) -> str:
    lines = "".join(f"{name} {sha256_file(folder / name)}\n" for name in CONTENT_FILES)
    return hashlib.sha256(lines.encode()).hexdigest()
