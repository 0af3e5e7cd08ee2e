"""Where an environment gets its index."""

from __future__ import annotations

from typing import cast

from scholar_env.corpus import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index
from scholar_env.named import load_named


def open_index(corpus: Corpus, retriever: str, engine: str) -> Index:
    """Opens the index that the arguments ``retriever`` and ``index_engine`` ask for.

    Args:
        corpus: The corpus to search.
        retriever: ``sparse``, ``rank-bm25``, or ``"package.module:name"`` of a callable from a corpus to an index.
        engine: ``auto``, ``numpy`` or ``numba``; for the sparse index only.

    Raises:
        InvalidOptionError: The callable is not there, does not take a corpus, or gives no index.
        MissingDependencyError: The engine's package is not installed.
    """
    if ":" in retriever:
        return _own_index(corpus, retriever)
    return corpus.sparse_index(engine=engine if retriever == "sparse" else retriever)


def _own_index(corpus: Corpus, retriever: str) -> Index:
    rule, mend = (
        "a retriever is a callable from a corpus to an index",
        "name one that takes the corpus alone and returns an object with the methods of scholar_env.index.base.Index",
    )
    try:
        index = load_named("retriever", retriever)(corpus)
    except TypeError as problem:
        raise InvalidOptionError(f"retriever={retriever!r} does not take a corpus ({problem})", rule, mend) from problem
    if not all(hasattr(index, name) for name in ("engine", "fingerprint", "search")):
        raise InvalidOptionError(f"retriever={retriever!r} gives a {type(index).__name__}", rule, mend)
    return cast(Index, index)
