"""A citation graph as a folder of mapped arrays, derived from a corpus and kept in the home.

::

    manifest.json          format, corpus fingerprint, counts, what was left out, every file's hash, type and shape
    starts.npy  targets.npy  citer_starts.npy  sources.npy      references and citers of each paper
    month.npy  id_rank.npy  component.npy                       a number a paper
    mention_starts.npy  mention_paragraph.npy  mention_sentiment.npy      only with citation contexts

The first opening on a machine checks every byte and every invariant and stamps the folder (``scholar_env.stamp``);
later ones compare the stamp and read nothing.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.arrays import load_array, save_array
from scholar_env.build_folder import BuildFolder
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError, ScholarEnvError
from scholar_env.graph.citation_graph import SENTIMENTS, CitationGraph, Dropped, Mentions
from scholar_env.sealed import (
    MANIFEST,
    FileEntry,
    SealedReader,
    entries_json,
    parse_sealed,
    read_sealed,
    require_untouched,
    sealed_bytes,
)
from scholar_env.storage import sha256_file, write_bytes_atomic
from scholar_env.verified import verified

FORMAT = 1
"""Version of the layout."""

COLUMNS: dict[str, type[np.integer[Any]]] = {
    "starts": np.int64,
    "targets": np.int32,
    "citer_starts": np.int64,
    "sources": np.int32,
    "month": np.int32,
    "id_rank": np.int32,
    "component": np.int32,
}
MENTION_COLUMNS: dict[str, type[np.integer[Any]]] = {
    "mention_starts": np.int64,
    "mention_paragraph": np.int32,
    "mention_sentiment": np.int8,
}


def write_graph(folder: Path, graph: CitationGraph, corpus_fingerprint: str) -> Path:
    """Writes a graph, whole or not at all.

    Args:
        folder: Where it is to be; what is there already stays.
        graph: The graph.
        corpus_fingerprint: The corpus that it was made from.
    """
    arrays = {name: getattr(graph, name) for name in COLUMNS}
    if graph.mentions is not None:
        arrays |= {f"mention_{entry.name}": getattr(graph.mentions, entry.name) for entry in fields(Mentions)}
    with BuildFolder(folder) as building:
        entries: dict[str, FileEntry] = {}
        for name, array in arrays.items():
            path = building / f"{name}.npy"
            save_array(path, array)
            entries[path.name] = FileEntry(sha256_file(path), path.stat().st_size, array.dtype.str, array.shape)
        write_bytes_atomic(building / MANIFEST, _manifest(corpus_fingerprint, graph.dropped, entries))
    return folder


def open_graph_folder(folder: Path, corpus_fingerprint: str) -> CitationGraph:
    """Opens a graph.

    Args:
        folder: What :func:`write_graph` made.
        corpus_fingerprint: The corpus that it must have been made from.

    Raises:
        CorpusNotFoundError: There is none, or it is of another corpus.
        CorpusFormatError: It is of another version.
        CorpusIntegrityError: A file is not as it was written; the message names it.
    """
    folder = folder.resolve()
    path = folder / MANIFEST
    mend = "remove the folder; the graph is made again at its next use"
    raw = read_sealed(path, CorpusNotFoundError(f"there is no citation graph in {folder}", "one is wanted", mend))
    reader = parse_sealed(raw, path, FORMAT, _refuse)
    made_from = reader.hash("corpus")
    dropped = _dropped(reader)
    entries = reader.entries(reader.take("files", dict))
    reader.end()
    require_untouched(raw, _manifest(made_from, dropped, entries), path)
    if made_from != corpus_fingerprint:
        raise CorpusNotFoundError(
            f"the citation graph in {folder} is of the corpus {made_from}",
            f"that of {corpus_fingerprint} is wanted",
            mend,
        )
    with verified(folder, entries, _broken) as is_new:
        graph = _mapped(folder, entries, dropped)
        if is_new:
            _check(folder, graph)
    return graph


def _mapped(folder: Path, entries: dict[str, FileEntry], dropped: Dropped) -> CitationGraph:
    def load(columns: dict[str, type[np.integer[Any]]]) -> dict[str, npt.NDArray[Any]]:
        return {name: load_array(folder / f"{name}.npy", kind) for name, kind in columns.items()}

    mentions = Mentions(*load(MENTION_COLUMNS).values()) if "mention_starts.npy" in entries else None
    columns = load(COLUMNS)
    graph = CitationGraph(
        columns["starts"],
        columns["targets"],
        columns["citer_starts"],
        columns["sources"],
        columns["month"],
        columns["id_rank"],
        columns["component"],
        mentions,
        dropped,
    )
    size, references = graph.n_papers, graph.n_references
    lengths = {"citer_starts": size + 1, "sources": references, "month": size, "id_rank": size, "component": size}
    for name, length in lengths.items():
        if len(getattr(graph, name)) != length:
            raise _broken(folder / f"{name}.npy", f"it has {len(getattr(graph, name))} elements instead of {length}")
    if mentions is not None:
        if len(mentions.starts) != references + 1:
            raise _broken(folder / "mention_starts.npy", f"it has {len(mentions.starts)} elements")
        if len(mentions.paragraph) != len(mentions.sentiment):
            raise _broken(folder / "mention_sentiment.npy", f"it has {len(mentions.sentiment)} elements")
    return graph


def _check(folder: Path, graph: CitationGraph) -> None:
    """Checks what look-ups rely on: they use these numbers as addresses."""
    lists = [
        ("starts", graph.starts, "targets", graph.targets),
        ("citer_starts", graph.citer_starts, "sources", graph.sources),
    ]
    for starts_name, starts, name, rows in lists:
        if not _rises(starts, len(rows)):
            raise _broken(folder / f"{starts_name}.npy", f"it does not rise from 0 to {len(rows)}")
        if len(rows) and not (rows.min() >= 0 and rows.max() < graph.n_papers):
            raise _broken(folder / f"{name}.npy", f"a row is outside [0, {graph.n_papers})")
        falls = np.flatnonzero(rows[1:] <= rows[:-1]) + 1
        if not np.isin(falls, starts).all():
            raise _broken(folder / f"{name}.npy", "rows do not rise within a paper")
    if not np.array_equal(np.bincount(graph.targets, minlength=graph.n_papers), graph.n_citers_of):
        raise _broken(folder / "citer_starts.npy", "it does not count the citers")
    mentions = graph.mentions
    if mentions is not None:
        if not _rises(mentions.starts, len(mentions.paragraph)):
            raise _broken(folder / "mention_starts.npy", f"it does not rise from 0 to {len(mentions.paragraph)}")
        if len(mentions.sentiment) and not (
            0 <= mentions.sentiment.min() <= mentions.sentiment.max() < len(SENTIMENTS)
        ):
            raise _broken(folder / "mention_sentiment.npy", "a sentiment is unknown")


def _rises(starts: npt.NDArray[np.int64], end: int) -> bool:
    return len(starts) > 0 and starts[0] == 0 and starts[-1] == end and bool(np.all(starts[1:] >= starts[:-1]))


def _manifest(corpus_fingerprint: str, dropped: Dropped, entries: dict[str, FileEntry]) -> bytes:
    body = {"format": FORMAT, "corpus": corpus_fingerprint, "dropped": asdict(dropped), "files": entries_json(entries)}
    return sealed_bytes(body)


def _dropped(reader: SealedReader) -> Dropped:
    counts = reader.mapping("dropped", int)
    if sorted(counts) != sorted(entry.name for entry in fields(Dropped)) or min(counts.values()) < 0:
        raise reader.bad(f"what was left out is {counts!r:.160}")
    return Dropped(**counts)


def _refuse(path: Path, what: str) -> ScholarEnvError:
    return CorpusFormatError(
        f"{path} is no manifest of a citation graph: {what}",
        f"this version reads format {FORMAT}",
        "remove the folder; the graph is made again at its next use",
    )


def _broken(path: Path, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(
        f"{path} is damaged: {what}",
        "the file is as it was written",
        "remove the folder; the graph is made again at its next use",
    )
