"""What CompLit opens for a corpus besides its papers: two BM25 indexes, and the papers that are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from scholar_env.corpus import Corpus
from scholar_env.index.base import Index
from scholar_env.index.text_index import FULL_TEXT, TITLE_ABSTRACT, IndexSpec, text_index

SURVEY_TABLE: Final = "facts_survey"
"""Table of a corpus with one truth value a paper, whether it is a survey; generated worlds have it."""

SCOPES: Final = ("title_abstract", "full_text")


@dataclass(frozen=True)
class ComplitResources:
    """What all episodes on a corpus share.

    Attributes:
        corpus: The corpus.
        left_out: Rows that no tool shows.
        indexes: Index by scope; empty where the environment's own ``retriever`` answers every search.
    """

    corpus: Corpus
    left_out: frozenset[int]
    indexes: Mapping[str, Index]


def open_resources(corpus: Corpus, options: Mapping[str, Any]) -> ComplitResources:
    """Opens what an environment needs on a corpus; indexes are built at first use.

    Args:
        corpus: The corpus.
        options: Arguments of the environment: ``left_out``, ``retriever``, ``index_engine``.

    Raises:
        CorpusBusyError: Another process takes too long to build an index.
        CorpusIntegrityError: An index is damaged.
        MissingDependencyError: The engine's package is not installed.
    """
    rows = surveys(corpus) if options["left_out"] == "surveys" else ()
    indexes: dict[str, Index] = {}
    if options["retriever"] == "sparse":
        for scope, fields in zip(SCOPES, (TITLE_ABSTRACT, FULL_TEXT), strict=True):
            indexes[scope] = text_index(corpus, IndexSpec(fields, left_out=rows), engine=options["index_engine"])
    return ComplitResources(corpus, frozenset(rows), indexes)


def surveys(corpus: Corpus) -> tuple[int, ...]:
    """Rows of the papers that are known as surveys, ascending; none where the corpus does not say."""
    if SURVEY_TABLE not in corpus.tables:
        return ()
    return tuple(np.flatnonzero(corpus.tables.array(SURVEY_TABLE)).tolist())
