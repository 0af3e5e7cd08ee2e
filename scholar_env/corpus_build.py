"""Writes a corpus folder from streams of papers and tasks, in bounded memory, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import numpy as np

from scholar_env import __version__
from scholar_env.build_folder import BuildFolder
from scholar_env.corpus_check import IDS, Fingerprint
from scholar_env.corpus_tables import TableWriter, table_digest
from scholar_env.documents import DocumentWriter
from scholar_env.errors import CorpusFormatError
from scholar_env.index.freeze import SparseBuilder
from scholar_env.index.sparse import SparseIndex
from scholar_env.manifest import INDEX_FOLDER, MANIFEST, TABLES_FOLDER, FileEntry, MalformedRow, Manifest, check_name
from scholar_env.records import Paper, Task
from scholar_env.stamp import store_stamp, take_stamp
from scholar_env.storage import DurableFile, sha256_file
from scholar_env.string_table import write_string_table
from scholar_env.task_table import SUBSETS, TASKS, subsets_bytes, task_line
from scholar_env.text import scholargym_text

DATE_PATTERN = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?", re.ASCII)
"""Form of a date that is not empty."""

MAX_MALFORMED_KEPT = 1000
"""Malformed rows that the manifest lists; all are counted."""


class CorpusWriter:
    """Builds a corpus: add papers in row order, freeze the index, add tasks, finish.

    Use it as a context manager. Until :meth:`finish` returns, nothing is at ``target``; a block left without it, by
    an error or otherwise, leaves nothing behind.

    Args:
        target: The folder to be made.
        name: Name of the corpus.
        source: Where the content comes from.
        licence: Terms under which the content may be used.
        derived_from: Name of the release or generator.
        tokenizers: Ids of the tokenizers that indexes are made with.
        replace: Whether a corpus that is at ``target`` already gives way; otherwise it stays and the new one is
            dropped.

    Raises:
        CorpusFormatError: The name is not a plain one.
    """

    def __init__(
        self,
        target: str | Path,
        *,
        name: str,
        source: str,
        licence: str,
        derived_from: str = "",
        tokenizers: Sequence[str] = ("scholargym-v1",),
        replace: bool = False,
    ) -> None:
        self._target = Path(target).resolve()
        self._facts = {
            "name": check_name(name),
            "source": source,
            "licence": licence,
            "derived_from": derived_from,
        }
        self._tokenizers = tuple(tokenizers)
        self._build = BuildFolder(self._target, replace=replace)
        self._ids: dict[str, int] = {}
        self._tasks: dict[str, Task] = {}
        self._fingerprint = Fingerprint()
        self._oldest = self._newest = ""
        self._open = self._frozen = False

    def __enter__(self) -> CorpusWriter:
        self._folder = self._build.__enter__()
        with ExitStack() as stack:  # what was opened closes again when the next one fails
            stack.push(self._build)
            parts = ExitStack()
            stack.push(parts)
            self._documents = parts.enter_context(DocumentWriter(self._folder))
            builders = [SparseBuilder(tokenizer, scratch=self._folder) for tokenizer in self._tokenizers]
            self._builders = [parts.enter_context(builder) for builder in builders]
            stack.pop_all()
        self._parts = parts
        self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._open:
            return
        self._open = False
        give_up = GeneratorExit("the corpus was not finished")
        try:
            self._parts.__exit__(GeneratorExit, give_up, None)
        finally:
            self._build.__exit__(GeneratorExit, give_up, None)

    @property
    def n_papers(self) -> int:
        """Number of papers added so far."""
        return len(self._ids)

    def row_of(self, paper_id: str) -> int | None:
        """Returns the row of a paper that was added, or None."""
        return self._ids.get(paper_id)

    def add_paper(self, paper: Paper) -> int:
        """Adds a paper and returns its row.

        Raises:
            CorpusFormatError: The id is empty or taken, the date has another form, or a text holds a lone surrogate.
        """
        if not paper.id or paper.id in self._ids:
            raise CorpusFormatError(
                f"the paper id {paper.id!r} is {'taken' if paper.id else 'empty'}",
                "every paper of a corpus has an id of its own",
                "leave the paper out or give it another id",
            )
        if paper.date and not DATE_PATTERN.fullmatch(paper.date):
            raise CorpusFormatError(
                f"the paper {paper.id} has the date {paper.date!r}",
                "dates are YYYY-MM-DD, YYYY-MM or empty",
                "write the date in one of these forms",
            )
        try:
            self._fingerprint.add_paper(paper)
        except UnicodeEncodeError as error:
            raise CorpusFormatError(
                f"the paper {paper.id!r} holds a lone surrogate ({error.reason})",
                "texts are valid Unicode",
                "repair the text or leave the paper out",
            ) from error
        row = self._ids[paper.id] = len(self._ids)
        self._documents.add(paper)
        text = scholargym_text(paper.title, paper.abstract) if paper.title or paper.abstract else None
        for builder in self._builders:
            builder.add(text, paper.date)
        if paper.date:
            self._oldest = min(self._oldest or paper.date, paper.date)
            self._newest = max(self._newest, paper.date)
        return row

    def freeze_index(self) -> SparseIndex:
        """Closes the list of papers, builds the indexes, and returns the first one, open."""
        self._documents.close()
        write_string_table(self._folder, IDS, self._ids)
        for tokenizer, builder in zip(self._tokenizers, self._builders, strict=True):
            builder.finish(self._folder / INDEX_FOLDER / f"sparse-{tokenizer}")
        self._parts.close()
        self._frozen = True
        engine = "auto" if self.n_papers > 50_000 else "numpy"  # compiling pays off for many papers only
        return SparseIndex.open(self._folder / INDEX_FOLDER / f"sparse-{self._tokenizers[0]}", engine=engine)

    @property
    def tables(self) -> TableWriter:
        """Writes further tables of the corpus."""
        return TableWriter(self._folder)

    def add_task(self, task: Task) -> None:
        """Adds a task.

        Raises:
            CorpusFormatError: Its id is empty or taken.
        """
        if not task.id or task.id in self._tasks:
            raise CorpusFormatError(
                f"the task id {task.id!r} is {'taken' if task.id else 'empty'}",
                "every task of a corpus has an id of its own",
                "leave the task out or give it another id",
            )
        self._tasks[task.id] = task

    def finish(
        self,
        subsets: Mapping[str, Sequence[str]],
        subset_origin: Mapping[str, str],
        *,
        notes: Iterable[str] = (),
        malformed: Sequence[MalformedRow] = (),
        counts: Mapping[str, int] | None = None,
    ) -> Path:
        """Writes tasks, subsets and manifest, and moves the folder into place.

        Args:
            subsets: Task ids by subset.
            subset_origin: Who chose each subset.
            notes: Sentences for ``corpus info``.
            malformed: Rows that were left out; the first :data:`MAX_MALFORMED_KEPT` are kept.
            counts: Further counts for the manifest.

        Returns:
            The folder.
        """
        if not self._frozen:
            self.freeze_index()
        with DurableFile(self._folder / TASKS) as file:
            for task in self._tasks.values():
                file.write(task_line(task))
        with DurableFile(self._folder / SUBSETS) as file:
            file.write(subsets_bytes(subsets))
        tables = file_entries(self._folder / TABLES_FOLDER) if (self._folder / TABLES_FOLDER).is_dir() else {}
        for name in tables:
            self._fingerprint.add_table(name, table_digest(self._folder / TABLES_FOLDER / name))
        manifest = Manifest(
            **self._facts,
            fingerprint=self._fingerprint.finish(self._tasks.values(), subsets),
            date_min=self._oldest,
            date_max=self._newest,
            counts={**(counts or {}), "papers": len(self._ids), "tasks": len(self._tasks)},
            subset_origin=dict(subset_origin),
            notes=tuple(notes),
            malformed=tuple(malformed[:MAX_MALFORMED_KEPT]),
            built_with=__version__,
            files=file_entries(self._folder),
            indexes={path.name: file_entries(path) for path in sorted((self._folder / INDEX_FOLDER).iterdir())},
            tables=tables,
        )
        with DurableFile(self._folder / MANIFEST) as file:
            file.write(manifest.as_bytes())
        stamp = take_stamp(self._folder, [MANIFEST, *manifest.paths()])
        self._open = False
        if not (self._target / MANIFEST).is_file():
            self._build.replace = True  # a folder that is no corpus gives way
        self._build.__exit__(None, None, None)
        if take_stamp(self._target, [MANIFEST])[MANIFEST] == stamp[MANIFEST]:  # else another builder was faster
            store_stamp(self._target, stamp)
        return self._target


def file_entries(folder: Path) -> dict[str, FileEntry]:
    """Describes the plain files of a folder: hash, size, and element type and shape of arrays."""
    entries = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file():
            continue
        digest, size = sha256_file(path), path.stat().st_size
        if path.suffix == ".npy":
            array = np.load(path, mmap_mode="r", allow_pickle=False)
            entries[path.name] = FileEntry(digest, size, array.dtype.str, array.shape)
        else:
            entries[path.name] = FileEntry(digest, size)
    return entries
