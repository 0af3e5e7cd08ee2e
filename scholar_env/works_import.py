"""Imports a release of works into a frozen corpus: read in parts, then written, indexed and completed with tables.

Beside its papers such a corpus has the tables ``works_journals`` and ``works_topics`` (a text a paper) and, where the
release holds full texts, the citation contexts as four arrays of one length: ``mentions_source`` and
``mentions_target`` (int32 rows), ``mentions_paragraph`` (int32) and ``mentions_sentiment`` (int8), see
:class:`scholar_env.works.Mention`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.build_folder import clear_leftovers
from scholar_env.corpus_build import MAX_MALFORMED_KEPT, CorpusWriter
from scholar_env.corpus_import import ImportReport
from scholar_env.errors import CorpusFormatError, ImportRowError
from scholar_env.folder_lock import LOCK_TIMEOUT_S, FolderLock
from scholar_env.home import new_corpus_folder
from scholar_env.manifest import MalformedRow, check_name
from scholar_env.works import Work, WorksFormat
from scholar_env.works_parts import Part, PartStore, WorksFiles

JOURNALS, TOPICS = "works_journals", "works_topics"
MENTIONS = ("mentions_source", "mentions_target", "mentions_paragraph", "mentions_sentiment")

Progress = Callable[[str, int, int], None]
"""Told the stage (``works``: bytes of the files; ``papers``: files; ``index``), what is done of it, and its total."""


@dataclass
class _Found:
    """What was found on the way."""

    malformed: list[MalformedRow] = field(default_factory=list)
    n_malformed: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("kept_out_by_conditions", "self_references", "unidentified_references", "dangling_references"), 0
        )
    )

    def reject(self, row: MalformedRow) -> None:
        """Counts a malformed row."""
        self.n_malformed[row.file] = self.n_malformed.get(row.file, 0) + 1
        if len(self.malformed) < MAX_MALFORMED_KEPT:
            self.malformed.append(row)


def import_works(
    form: WorksFormat,
    source: str | Path,
    *,
    name: str = "",
    folder: str | Path | None = None,
    strict: bool = False,
    keep: Sequence[str] = (),
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> ImportReport:
    """Makes a frozen corpus of a release; a corpus of that name that exists gives way when the new one is whole.

    An import that was cut off goes on with the records that it had read when it is run again.

    Args:
        form: The format.
        source: Folder of the downloaded files, or one file.
        name: Name of the corpus; empty = that of the release.
        folder: Where it is made (default: ``<home>/corpora/<name>``).
        strict: Whether the first malformed row ends the import.
        keep: Conditions, all of which a record must satisfy (:class:`scholar_env.works.Condition`).
        progress: Told how far the import is.
        timeout: Seconds to wait for another import of the same corpus.

    Raises:
        CorpusNotFoundError: There are no files.
        CorpusFormatError: A file cannot be read, or no work can be used.
        ImportRowError: A row is malformed and ``strict`` is set.
        InvalidOptionError: A condition has another form.
        CorpusBusyError: Another process imports the same corpus.
    """
    tell = progress or (lambda stage, done, total: None)
    files = WorksFiles.find(Path(source), form, keep)
    name = name or form.name
    target = new_corpus_folder(check_name(name)) if folder is None else Path(folder)
    with FolderLock(target, timeout):
        clear_leftovers(target)
        store = PartStore(target, files)
        store.begin()
        numbers = _read(files, store, strict, tell)
        parts = _Parts(store, numbers, _names(store, numbers) if form.aliases else {})
        facts = {"name": name, "source": form.source, "licence": form.licence, "derived_from": f"{form.name} release"}
        found = _Found()
        with CorpusWriter(target, **facts, replace=True) as writer:
            journals, topics = _write_papers(writer, files, parts, found, strict, tell)
            if not writer.n_papers:
                raise _nothing(source, form, found)
            tell("index", 0, 1)
            writer.freeze_index()
            writer.tables.texts(JOURNALS, journals)
            writer.tables.texts(TOPICS, topics)
            _write_mentions(writer, parts, found)
            tell("index", 1, 1)
            notes = tuple(f"kept: {condition}" for condition in keep)
            counts = {"malformed_works": sum(found.n_malformed.values()), **found.counts}
            writer.finish({}, {}, notes=notes, malformed=found.malformed, counts=counts)
        store.drop()
    return ImportReport(
        target, writer.n_papers, 0, dict(found.n_malformed), tuple(found.malformed), notes=notes, counts=counts
    )


def _nothing(source: str | Path, form: WorksFormat, found: _Found) -> CorpusFormatError:
    first = f"; the first: {found.malformed[0].reason}" if found.malformed else ""
    return CorpusFormatError(
        f"{source} holds no work that can be used ({sum(found.n_malformed.values())} malformed rows{first}; "
        f"{found.counts['kept_out_by_conditions']} kept out by conditions)",
        f"a release of {form.name} holds works",
        "look at the files, or at the conditions",
    )


def _read(files: WorksFiles, store: PartStore, strict: bool, tell: Progress) -> list[tuple[int, int]]:
    """Reads what is not read yet, and returns the places of all parts."""
    sizes = [path.stat().st_size for path in files.paths]
    numbers = []
    for place, path in enumerate(files.paths):
        tell("works", sum(sizes[:place]), sum(sizes))
        for number in store.fill(place, path):
            numbers.append((place, number))
            if strict:
                _require_good(files, store.read(place, number))
    tell("works", sum(sizes), sum(sizes))
    return numbers


@dataclass(frozen=True)
class _Parts:
    """The parts of an import in order, their works under the names that cited papers have in the corpus."""

    store: PartStore
    numbers: Sequence[tuple[int, int]]
    names: Mapping[str, str]

    def __iter__(self) -> Iterator[tuple[int, Part]]:
        for place, number in self.numbers:
            part = self.store.read(place, number)
            part.works = [(where, work.named(self.names)) for where, work in part.works]
            yield place, part


def _names(store: PartStore, numbers: Sequence[tuple[int, int]]) -> dict[str, str]:
    """Further ids of works to their ids."""
    names: dict[str, str] = {}
    for place, number in numbers:
        for _, work in store.read(place, number).works:
            for other in work.also:
                names.setdefault(other, work.paper.id)
    return names


def _require_good(files: WorksFiles, part: Part) -> None:
    for row in part.malformed:
        raise _bad_row(files, row)


def _bad_row(files: WorksFiles, row: MalformedRow) -> ImportRowError:
    return ImportRowError(
        f"{files.folder / row.file}, {row.where}: {row.reason}",
        "every row of the release can be used",
        "mend the row, or import without strict to leave such rows out",
    )


def _write_papers(
    writer: CorpusWriter,
    files: WorksFiles,
    parts: _Parts,
    found: _Found,
    strict: bool,
    tell: Progress,
) -> tuple[list[str], list[str]]:
    """Adds the papers, and returns the journal and the topic of each."""
    journals, topics = [], []
    for done, (place, part) in enumerate(parts):
        tell("papers", done, len(parts.numbers))
        for row in part.malformed:
            found.reject(row)
        found.counts["kept_out_by_conditions"] += part.n_kept_out
        for where, work in part.works:
            if writer.row_of(work.paper.id) is not None:
                row = MalformedRow(files.name(files.paths[place]), where, f"the id {work.paper.id!r} was there before")
                if strict:
                    raise _bad_row(files, row)
                found.reject(row)
                continue
            writer.add_paper(work.paper)
            journals.append(work.journal)
            topics.append(work.topic)
            found.counts["self_references"] += work.n_self
            found.counts["unidentified_references"] += work.n_unidentified
    tell("papers", len(parts.numbers), len(parts.numbers))
    return journals, topics


def _write_mentions(writer: CorpusWriter, parts: _Parts, found: _Found) -> None:
    """Writes the citation contexts whose papers are both in the corpus, and counts the dangling references."""
    kinds = (np.int32, np.int32, np.int32, np.int8)
    pieces: list[list[NDArray[np.signedinteger[Any]]]] = [[] for _ in MENTIONS]
    seen: set[int] = set()
    for _, part in parts:
        rows: list[tuple[int, int, int, int]] = []
        for source, work in _once(writer, part, seen):
            cited = {other: writer.row_of(other) for other in work.paper.references}
            found.counts["dangling_references"] += sum(row is None for row in cited.values())
            for mention in work.mentions:
                row = cited.get(mention.cited)
                if row is not None:
                    rows.append((source, row, mention.paragraph, mention.sentiment))
        columns = np.array(rows, dtype=np.int64).reshape(-1, len(MENTIONS)).T
        for piece, column, kind in zip(pieces, columns, kinds, strict=True):
            piece.append(column.astype(kind))
    if any(len(column) for column in pieces[0]):
        for name, piece in zip(MENTIONS, pieces, strict=True):
            writer.tables.array(name, np.concatenate(piece))


def _once(writer: CorpusWriter, part: Part, seen: set[int]) -> Iterator[tuple[int, Work]]:
    """The works of a part that became papers, with their rows; a repeated id became one only the first time."""
    for _, work in part.works:
        row = writer.row_of(work.paper.id)
        if row is not None and row not in seen:
            seen.add(row)
            yield row, work
