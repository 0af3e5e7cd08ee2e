"""Further text indexes of a corpus: other fields, without some papers, for another tokenizer, k1 and b.

A corpus folder holds an index of titles and abstracts. Any other is derived from it at first use and kept in the home
(:mod:`scholar_env.derived`), keyed by the corpus fingerprint and the specification.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from scholar_env.corpus_folder import Corpus
from scholar_env.derived import Artefact, open_artefact
from scholar_env.errors import InvalidOptionError
from scholar_env.first_use import Tell
from scholar_env.index.freeze import SparseBuilder
from scholar_env.index.invariants import check_invariants
from scholar_env.index.layout import FORMAT
from scholar_env.index.scoring import LUCENE, Variant
from scholar_env.index.sparse import SparseIndex

SHELF: Final = "indexes"
FIELDS: Final = ("title", "abstract", "sections")
TITLE_ABSTRACT: Final = ("title", "abstract")
FULL_TEXT: Final = FIELDS


@dataclass(frozen=True, slots=True)
class IndexSpec:
    """Everything beside the corpus that decides an index.

    Attributes:
        fields: What is indexed of a paper, of :data:`FIELDS`; ``sections`` are titles and texts of its full text.
        left_out: Rows, ascending, that match nothing and count in no statistic.
        tokenizer: Id of the tokenizer.
        variant: How it scores.
    """

    fields: tuple[str, ...]
    left_out: tuple[int, ...] = ()
    tokenizer: str = "lucene-standard-v1"
    variant: Variant = LUCENE

    def __post_init__(self) -> None:
        if not self.fields or any(field not in FIELDS for field in self.fields):
            raise InvalidOptionError(f"fields={self.fields!r}", f"some of {', '.join(FIELDS)}", "name these")

    def as_json(self) -> dict[str, Any]:
        """Returns what the artefact's key is made of."""
        rows = np.array(self.left_out, dtype="<i8").tobytes()
        return {
            "fields": list(self.fields),
            "left_out": {"papers": len(self.left_out), "sha256": hashlib.sha256(rows).hexdigest()},
            "tokenizer": self.tokenizer,
            "variant": {"name": self.variant.name, **self.variant.as_json()},
            "layout": FORMAT,
        }


def text_index(corpus: Corpus, spec: IndexSpec, *, engine: str = "auto") -> SparseIndex:
    """Returns an index of a corpus, built at its first use; the same object for the same arguments.

    Args:
        corpus: The corpus, whose rows the index has.
        spec: What is indexed and how.
        engine: ``auto``, ``numpy`` or ``numba``.

    Raises:
        CorpusIntegrityError: The index on disk is damaged.
        CorpusBusyError: Another process takes too long to build it.
        InvalidOptionError: The tokenizer or the engine is unknown.
        MissingDependencyError: The engine's package is not installed.
    """
    what = " and ".join(spec.fields) if len(spec.fields) < len(FIELDS) else "the full text"
    wanted = Artefact(SHELF, corpus.fingerprint, spec.as_json(), f"indexing {what} of {corpus.name} once")
    folder = open_artefact(wanted, lambda folder, tell: _build(corpus, spec, folder, tell), check_invariants)
    return _opened(folder, engine, spec.variant.name)


@lru_cache(maxsize=64)
def _opened(folder: Path, engine: str, variant: str) -> SparseIndex:
    return SparseIndex.open(folder, engine=engine, variant=variant)


def _build(corpus: Corpus, spec: IndexSpec, folder: Path, tell: Tell) -> None:
    left_out = set(spec.left_out)
    with SparseBuilder(spec.tokenizer, scratch=folder, variants=(spec.variant,)) as builder:
        for row in range(corpus.n_papers):
            parts = [] if row in left_out else [part for part in _parts(corpus, spec.fields, row) if part]
            builder.add("\n".join(parts) if parts else None, corpus.date(row))
            if row % 200 == 0:
                tell("papers", row, corpus.n_papers)
        builder.finish(folder)


def _parts(corpus: Corpus, fields: tuple[str, ...], row: int) -> Iterator[str]:
    for field in fields:
        if field == "title":
            yield corpus.title(row)
        elif field == "abstract":
            yield corpus.abstract(row)
        else:
            for section in corpus.sections(row):
                yield section.title
                yield section.text
