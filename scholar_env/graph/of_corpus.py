"""The citation graph of a corpus: made once, kept in the home under the corpus's fingerprint, opened by mapping.

References come from the tables ``graph_starts`` and ``graph_targets`` where a corpus has them (generated worlds, with
``graph_paragraph`` and ``graph_sentiment``), else from the papers' lists of ids. Citation contexts of imported corpora
are the tables ``mentions_source``, ``mentions_target``, ``mentions_paragraph`` and ``mentions_sentiment``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scholar_env.corpus_folder import Corpus
from scholar_env.documents import DOCUMENTS
from scholar_env.errors import CorpusFormatError, InvalidOptionError
from scholar_env.first_use import build_once
from scholar_env.folder_lock import LOCK_TIMEOUT_S
from scholar_env.graph.citation_graph import CitationGraph, Column, Contexts, Edges, make_graph
from scholar_env.graph.frozen import FORMAT, open_graph_folder, write_graph
from scholar_env.graph.gather import Rows
from scholar_env.home import home, recover
from scholar_env.index.dates import month_of

if TYPE_CHECKING:
    import pyarrow as pa

SHELF = "graphs"

UNITS = ("reference", "journal", "topic")
"""What a reference may count as for novelty: the cited paper itself, its journal, its topic."""

VENUES = "people_paper_venue"
"""Table of a world with the venue of each paper."""

BATCHES = 64
"""Record batches whose references are looked up at a time."""


@lru_cache(maxsize=64)
def open_graph(corpus: Corpus) -> CitationGraph:
    """Opens the citation graph of a corpus; the same object for the same open corpus.

    Raises:
        CorpusBusyError: Another process takes too long to make it.
        CorpusFormatError: The corpus's tables do not fit its papers, or a date cannot be ordered.
        CorpusIntegrityError: The kept graph is damaged.
    """
    place = f"{corpus.fingerprint}/citations-{FORMAT}"
    folder = recover(SHELF, place, LOCK_TIMEOUT_S)
    if folder is None:

        def build(target: Path, progress: Any) -> None:
            progress("references", 0, 1)
            write_graph(target, graph_of(corpus), corpus.fingerprint)

        title = f"making the citation graph of the corpus {corpus.name} once"
        folder = build_once(home() / SHELF / place, build, title, LOCK_TIMEOUT_S)
    return open_graph_folder(folder, corpus.fingerprint)


def graph_of(corpus: Corpus) -> CitationGraph:
    """Makes the citation graph of a corpus in memory; errors as :func:`open_graph`."""
    import pyarrow as pa

    reader = pa.ipc.open_file(pa.memory_map(str(corpus.path / DOCUMENTS)))
    ids = _column(reader, "id")
    edges, contexts = _stored(corpus)
    try:
        return make_graph(
            corpus.n_papers,
            edges or _listed(reader, ids),
            contexts,
            month=_months(_column(reader, "date")),
            id_rank=_ranks(ids),
        )
    except InvalidOptionError as error:  # rows of tables that are not the corpus's
        raise CorpusFormatError(error.what, error.rule, "import or generate the corpus again") from error


def units_of(corpus: Corpus, unit: str) -> Rows | None:
    """The unit of each paper for novelty.

    Args:
        corpus: The corpus.
        unit: ``reference``; ``journal`` (the table ``works_journals``, or a world's venues); ``topic`` (the table
            ``works_topics``, else the main category).

    Returns:
        int32 [papers], -1 for none; None for ``reference``, where each paper is its own unit.

    Raises:
        InvalidOptionError: An unknown unit, or one that the corpus does not know of its papers.
    """
    if not has_unit(corpus, unit):
        raise InvalidOptionError(
            f"unit={unit!r} of the corpus {corpus.name}",
            f"a unit is one of {', '.join(UNITS)}, as far as the corpus has it",
            "use 'reference', the default",
        )
    if unit == "reference":
        return None
    if f"works_{unit}s_ends" in corpus.tables:
        return _numbered(corpus.tables.texts(f"works_{unit}s"))
    if unit == "journal":
        return corpus.tables.array(VENUES).astype(np.int32)
    return _numbered([next(iter(corpus.categories(row)), "") for row in range(corpus.n_papers)])


def has_unit(corpus: Corpus, unit: str) -> bool:
    """Whether a corpus knows the units of its papers: journals are in some only."""
    if unit != "journal":
        return unit in UNITS
    return "works_journals_ends" in corpus.tables or VENUES in corpus.tables


def _numbered(names: Any) -> Rows:
    """Numbers texts in the order of the texts; "" is -1."""
    distinct = {name: number for number, name in enumerate(sorted({name for name in names if name}))}
    return np.array([distinct.get(name, -1) for name in names], dtype=np.int32)


def _stored(corpus: Corpus) -> tuple[Edges | None, Contexts | None]:
    """References and contexts as the corpus's tables hold them."""
    tables = corpus.tables
    if "graph_starts" in tables:
        starts, target = tables.array("graph_starts"), tables.array("graph_targets")
        if len(starts) != corpus.n_papers + 1 or starts[-1] != len(target):
            raise CorpusFormatError(
                f"the tables graph_starts ({len(starts)}) and graph_targets ({len(target)}) of {corpus.name}",
                f"they hold the references of its {corpus.n_papers} papers",
                "import or generate the corpus again",
            )
        source = np.repeat(np.arange(corpus.n_papers), np.diff(starts))
        if "graph_paragraph" not in tables:
            return Edges(source, target), None
        columns = (tables.array("graph_paragraph"), tables.array("graph_sentiment"))
        return Edges(source, target), Contexts(source, target, *columns)
    if "mentions_source" not in tables:
        return None, None
    names = ("source", "target", "paragraph", "sentiment")
    return None, Contexts(*(tables.array(f"mentions_{name}") for name in names))


def _column(reader: pa.RecordBatchFileReader, name: str, batches: range | None = None) -> pa.ChunkedArray[Any]:
    """A column of the papers, of all batches by default; nothing is copied."""
    import pyarrow as pa

    numbers = range(reader.num_record_batches) if batches is None else batches
    return pa.chunked_array(
        [reader.get_batch(number).column(name) for number in numbers], type=reader.schema.field(name).type
    )


def _listed(reader: pa.RecordBatchFileReader, ids: pa.ChunkedArray[Any]) -> Edges:
    """References as the papers list them, by id."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = ids.combine_chunks()
    sources: list[Column] = [np.empty(0, dtype=np.int64)]
    targets: list[Column] = [np.empty(0, dtype=np.int32)]
    first, n_batches = 0, reader.num_record_batches
    for low in range(0, n_batches, BATCHES):
        column = _column(reader, "references", range(low, min(low + BATCHES, n_batches)))
        lists = [part for part in column.chunks if isinstance(part, pa.ListArray)]
        counts = np.concatenate([np.diff(part.offsets.to_numpy()) for part in lists])
        rows = pc.index_in(pa.chunked_array([part.flatten() for part in lists], type=pa.string()), value_set=known)
        assert isinstance(rows, pa.ChunkedArray)
        targets.append(rows.fill_null(-1).to_numpy())
        sources.append(first + np.repeat(np.arange(len(counts)), counts))
        first += len(counts)
    return Edges(np.concatenate(sources), np.concatenate(targets))


def _months(dates: pa.ChunkedArray[Any]) -> Column:
    import pyarrow as pa
    import pyarrow.compute as pc

    coded = pc.dictionary_encode(dates).combine_chunks()
    assert isinstance(coded, pa.DictionaryArray)
    months: Rows = np.array([month_of(str(date)) for date in coded.dictionary.to_pylist()], dtype=np.int32)
    return np.take(months, coded.indices.to_numpy())


def _ranks(ids: pa.ChunkedArray[Any]) -> Column:
    """Place of each id among all of them in the order of their code points."""
    import pyarrow.compute as pc

    order = pc.sort_indices(ids).to_numpy()
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks
