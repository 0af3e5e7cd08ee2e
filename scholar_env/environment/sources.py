"""Where an environment gets its index."""

from __future__ import annotations

from typing import cast

from scholar_env.corpus import Corpus
from scholar_env.index.base import Index
from scholar_env.named import load_named


def open_index(corpus: Corpus, retriever: str, engine: str) -> Index:
    """Opens the index that the arguments ``retriever`` and ``index_engine`` ask for.

    Args:
        corpus: The corpus to search.
        retriever: ``sparse``, ``rank-bm25``, or ``"package.module:name"`` of a callable from a corpus to an index.
        engine: ``auto``, ``numpy`` or ``numba``; for the sparse index only.

    Raises:
        InvalidOptionError: The callable is not there.
        MissingDependencyError: The engine's package is not installed.
    """
    if ":" in retriever:
        return cast(Index, load_named("retriever", retriever)(corpus))
    return corpus.sparse_index(engine=engine if retriever == "sparse" else retriever)
