"""The knowledge graph of a corpus: a derived artefact, keyed by the corpus's fingerprint and built at first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from scholar_env.build_folder import BuildFolder
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.first_use import build_once
from scholar_env.folder_lock import LOCK_TIMEOUT_S
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_build import build_graph
from scholar_env.graph.kg_manifest import VERSION
from scholar_env.graph.kg_tables import GraphTables
from scholar_env.home import home, recover
from scholar_env.named import named

SHELF = "graphs"


def knowledge_graph(corpus: Corpus) -> KnowledgeGraph:
    """Opens the knowledge graph of a corpus; it is built where it is missing.

    It lies in ``<home>/graphs/<corpus fingerprint>/kg-<version>/``.

    Raises:
        InvalidOptionError: The corpus has no people, venues and organizations to make one of.
        CorpusBusyError: Another process takes too long to build it.
        CorpusFormatError, CorpusIntegrityError: It cannot be read or is damaged.
    """
    place = f"{corpus.fingerprint}/kg-{VERSION}"
    folder = recover(SHELF, place, LOCK_TIMEOUT_S)
    if folder is None:
        make = _tables_of(corpus)

        def build(target: Path, progress: Callable[[str, int, int], None]) -> None:
            with BuildFolder(target) as temporary:
                build_graph(temporary, make(corpus), f"{corpus.name}@{corpus.fingerprint}", progress)

        title = f"building the knowledge graph of the corpus {corpus.name} once"
        folder = build_once(home() / SHELF / place, build, title, LOCK_TIMEOUT_S)
    return KnowledgeGraph.open(folder)


def _tables_of(corpus: Corpus) -> Callable[[Corpus], GraphTables]:
    maker = _maker(corpus)
    if maker is None:
        raise InvalidOptionError(
            f"the corpus {corpus.name} has no knowledge graph",
            "it is made of the people, venues and organizations of a generated world",
            "use corpus='world', or generate a world with scholar-env corpus generate",
        )
    return maker


def _maker(corpus: Corpus) -> Callable[[Corpus], GraphTables] | None:
    makers: dict[str, str] = import_module("scholar_env.corpora").KNOWLEDGE_GRAPHS
    for table, reference in makers.items():
        if table in corpus.tables:
            return cast(Callable[[Corpus], GraphTables], named(reference))
    return None
