"""What must hold in a sparse index's files before its arrays may be trusted as addresses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scholar_env.arrays import load_array
from scholar_env.errors import CorpusIntegrityError
from scholar_env.index.dates import UNDATED
from scholar_env.index.layout import META, VOCABULARY, Postings, SparseMeta, map_postings, read_meta
from scholar_env.string_table import StringTable
from scholar_env.text import tokenizer

_STEP = 1 << 22


def check_invariants(folder: str | Path) -> None:
    """Checks the content of every array that look-ups and scoring rely on (a second per 100 million postings).

    Raises:
        CorpusIntegrityError: One does not hold; the message names the file.
        CorpusFormatError: The index is of another format version.
        InvalidOptionError: Its tokenizer is unknown to this version.
    """
    folder = Path(folder)
    meta = read_meta(folder)
    tokenizer(meta.tokenizer)
    if not meta.variants:
        raise _broken(folder, META, "it names no scoring variant")
    vocabulary = StringTable(folder, VOCABULARY)
    vocabulary.check()
    if len(vocabulary) != meta.n_terms:
        raise _broken(folder, f"{VOCABULARY}_order.npy", f"it holds {len(vocabulary)} terms, not {meta.n_terms}")
    for name in meta.variants:
        postings = map_postings(folder, meta, name)
        for table in ("idf", "impact"):
            if not np.all(np.isfinite(getattr(postings, table))):
                raise _broken(folder, f"{table}_{name}.npy", "an entry is not finite")
    _check_postings(folder, meta, postings)
    _check_pairs(folder, meta)


def _check_postings(folder: Path, meta: SparseMeta, postings: Postings) -> None:
    indptr, docs, codes, dates = postings.indptr, postings.docs, postings.codes, postings.dates
    if indptr[0] != 0 or indptr[-1] != meta.n_postings or np.any(indptr[1:] <= indptr[:-1]):
        raise _broken(folder, "indptr.npy", f"it does not rise from 0 to {meta.n_postings}")
    starts = np.zeros(0, dtype=np.int64)
    for low in range(0, meta.n_postings, _STEP):
        part = docs[low : low + _STEP + 1]  # one more, so that no neighbours are missed
        if part.min() < 0 or part.max() >= meta.n_documents:
            raise _broken(folder, "docs.npy", f"a row is outside [0, {meta.n_documents})")
        falls = np.flatnonzero(part[1:] <= part[:-1]) + low + 1
        starts = indptr[np.searchsorted(indptr, low + 1) : np.searchsorted(indptr, low + len(part))]
        if not np.all(np.isin(falls, starts, assume_unique=True)):
            raise _broken(folder, "docs.npy", "rows do not rise within a term")
        if codes[low : low + _STEP].max() >= meta.n_pairs:
            raise _broken(folder, "codes.npy", f"a pair number is not below {meta.n_pairs}")
    if len(dates) and (dates.min() < 0 or dates.max() > UNDATED):
        raise _broken(folder, "dates.npy", f"a month is outside [0, {UNDATED}]")


def _check_pairs(folder: Path, meta: SparseMeta) -> None:
    for name in ("pair_tf.npy", "pair_dl.npy"):
        pairs = load_array(folder / name, np.uint32)
        if len(pairs) != meta.n_pairs or (len(pairs) and pairs.min() < 1):
            raise _broken(folder, name, f"it does not hold {meta.n_pairs} positive numbers")


def _broken(folder: Path, name: str, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(
        f"{folder / name} is damaged: {what}", "an index is as it was frozen", "build the index again"
    )
