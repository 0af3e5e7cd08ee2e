"""Files of a frozen sparse index: names, element types, metadata, and how they are mapped.

::

    index.json                        format, tokenizer, counts, content hash, scoring variants
    vocab_*.npy                       string table: term -> number, in the order of first appearance
    indptr.npy   i8[V + 1]            postings of term t are [indptr[t], indptr[t + 1])
    docs.npy     i4[P]                rows, ascending within a term
    codes.npy    u2[P] (u4 if C > 65,536)   number of the posting's (term frequency, document length) pair
    pair_tf.npy  pair_dl.npy  u4[C]   the distinct pairs, sorted
    dates.npy    i4[N]                yyyymm; 999999 = undated
    idf_<variant>.npy  f8[V]   impact_<variant>.npy  f8[C]
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, InvalidOptionError
from scholar_env.index.scoring import Variant
from scholar_env.string_table import PARTS

FORMAT = 1
"""Version of the layout."""

NARROW_PAIRS = 1 << 16
"""Most pairs that two-byte codes can number."""

META = "index.json"
VOCABULARY = "vocab"
CONTENT_FILES = (
    *(f"{VOCABULARY}_{part}.npy" for part in PARTS),
    *("indptr.npy", "docs.npy", "codes.npy", "pair_tf.npy", "pair_dl.npy", "dates.npy"),
)
"""The files that do not depend on the scoring variant."""


@dataclass(frozen=True, slots=True)
class SparseMeta:
    """What ``index.json`` says.

    Attributes:
        tokenizer: Id of the tokenizer.
        n_documents: Number of rows, N.
        n_indexed: Rows that hold at least one token; only these count in idf and mean length.
        n_terms: Distinct terms, V.
        n_postings: (term, document) pairs, P.
        n_pairs: Distinct (term frequency, document length) pairs, C.
        n_tokens: Tokens of the whole corpus; the mean document length is ``n_tokens / n_indexed``.
        content: Hex sha256 over the content files' hashes.
        variants: Scoring variants by name.
    """

    tokenizer: str
    n_documents: int
    n_indexed: int
    n_terms: int
    n_postings: int
    n_pairs: int
    n_tokens: int
    content: str
    variants: dict[str, Variant] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Returns the JSON object of ``index.json``."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        variants = {name: variant.as_json() for name, variant in self.variants.items()}
        return {
            "format": FORMAT,
            "tokenizer": self.tokenizer,
            **counts,
            "content": self.content,
            "variants": variants,
        }

    def fingerprint(self, variant: str) -> str:
        """Returns the hex sha256 of everything that decides a ranking under a variant."""
        facts = [FORMAT, self.tokenizer, self.content, self.variant(variant).as_json()]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def variant(self, name: str) -> Variant:
        """Returns a variant by name.

        Raises:
            InvalidOptionError: The index has no such variant.
        """
        if name not in self.variants:
            raise InvalidOptionError(
                f"scoring variant {name!r} is not in the index",
                f"the index has {', '.join(sorted(self.variants))}",
                "name one of these, or add it with scholar_env.index.freeze.add_variant",
            )
        return self.variants[name]

    def with_variant(self, variant: Variant) -> SparseMeta:
        """Returns a copy that has one more variant."""
        return replace(self, variants={**self.variants, variant.name: variant})


_COUNTS = ("n_documents", "n_indexed", "n_terms", "n_postings", "n_pairs", "n_tokens")


def read_meta(folder: str | Path) -> SparseMeta:
    """Reads and checks ``index.json``.

    Raises:
        CorpusIntegrityError: The file is missing or is not what :meth:`SparseMeta.as_json` gives.
        CorpusFormatError: It is of a format version that this package does not read.
    """
    path = Path(folder) / META
    try:
        data = json.loads(path.read_bytes())
        version = data["format"]
        meta = _parse_meta(data) if version == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InvalidOptionError) as error:
        raise CorpusIntegrityError(
            f"{path} cannot be read as the description of a sparse index ({error!r})",
            "it is as it was frozen",
            "build the index again",
        ) from error
    if meta is None:
        raise CorpusFormatError(
            f"{path} is of format {version!r}",
            f"this version reads format {FORMAT}",
            "build the index again with this version",
        )
    return meta


def _parse_meta(data: dict[str, Any]) -> SparseMeta:
    counts = {name: int(data[name]) for name in _COUNTS}
    if min(counts.values()) < 0:
        raise ValueError("a count is negative")
    variants = {name: Variant(name, **values) for name, values in data["variants"].items()}
    return SparseMeta(str(data["tokenizer"]), content=str(data["content"]), variants=variants, **counts)


class Postings(NamedTuple):
    """The mapped arrays of an index under one scoring variant; names and types as in the module's table."""

    indptr: npt.NDArray[np.int64]
    docs: npt.NDArray[np.int32]
    codes: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    dates: npt.NDArray[np.int32]
    idf: npt.NDArray[np.float64]
    impact: npt.NDArray[np.float64]


class PageRequest(NamedTuple):
    """A request as the scoring code takes it.

    Attributes:
        terms: Term numbers of the query's known tokens, in query order, duplicates kept.
        keep: Length of the prefix of the ranked list that is wanted, in [0, N].
        offset: Leading documents of that prefix that are not returned, in [0, N].
        bound: Newest admissible month; :data:`~scholar_env.index.dates.NO_BOUND` admits undated documents, too.
        exclude: Rows to remove, ascending, distinct, within [0, N).
        gold: Rows whose ranks are wanted; rows outside [0, N) have none.
    """

    terms: list[int]
    keep: int
    offset: int
    bound: int
    exclude: list[int]
    gold: list[int]


def code_dtype(n_pairs: int) -> type[np.uint16] | type[np.uint32]:
    """Returns the narrowest element type for the numbers of ``n_pairs`` pairs."""
    return np.uint16 if n_pairs <= NARROW_PAIRS else np.uint32


def map_postings(folder: str | Path, meta: SparseMeta, variant: str) -> Postings:
    """Maps the arrays read-only and checks their types and lengths (not their content).

    Raises:
        CorpusIntegrityError: A file is missing, damaged, or of another type or length.
        InvalidOptionError: The index has no such variant.
    """
    meta.variant(variant)
    folder = Path(folder)

    def load(name: str, dtype: npt.DTypeLike, length: int) -> npt.NDArray[Any]:
        array = load_array(folder / name, dtype)
        if len(array) != length:
            raise CorpusIntegrityError(
                f"{folder / name} holds {len(array)} elements",
                f"{META} promises {length}",
                "build the index again",
            )
        return array

    return Postings(
        indptr=load("indptr.npy", np.int64, meta.n_terms + 1),
        docs=load("docs.npy", np.int32, meta.n_postings),
        codes=load("codes.npy", code_dtype(meta.n_pairs), meta.n_postings),
        dates=load("dates.npy", np.int32, meta.n_documents),
        idf=load(f"idf_{variant}.npy", np.float64, meta.n_terms),
        impact=load(f"impact_{variant}.npy", np.float64, meta.n_pairs),
    )
