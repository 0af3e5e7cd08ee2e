"""Where an environment gets its corpus, its index and the callables that its arguments name."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from scholar_env.corpus import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index


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


def load_named(option: str, reference: str) -> Any:
    """Imports what ``"package.module:name"`` names.

    Raises:
        InvalidOptionError: There is no such module or name, or it cannot be called.
    """
    module_name, _, name = reference.partition(":")
    try:
        found = getattr(import_module(module_name), name)
    except (ImportError, AttributeError, ValueError) as problem:
        raise InvalidOptionError(
            f"{option}={reference!r} cannot be imported ({problem})",
            'a callable is named "package.module:name"',
            "check the spelling and that the package is installed",
        ) from problem
    if not callable(found):
        raise InvalidOptionError(f"{option}={reference!r}", "it names something that can be called", "name a callable")
    return found
