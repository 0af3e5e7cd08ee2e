"""Writes a task set's folder from a stream of tasks, in bounded memory, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from scholar_env import __version__
from scholar_env.build_folder import BuildFolder
from scholar_env.corpus_check import check_subsets
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import CorpusFormatError
from scholar_env.records import Task
from scholar_env.sealed import MANIFEST, FileEntry, check_name
from scholar_env.storage import DurableFile
from scholar_env.task_set_manifest import IMPORTED, TaskSetFingerprint, TaskSetManifest
from scholar_env.task_table import SUBSETS, TASKS, subsets_bytes, task_line


class TaskSetWriter:
    """Writes a task set from a stream of tasks, whole or not at all.

    Use it as a context manager. Until :meth:`finish` returns, nothing is at ``target``; a block left without it leaves
    nothing behind.

    Args:
        target: The folder to be made.
        name: Name of the set.
        family: Family of the tasks.
        corpus: The corpus.
        source: Where the tasks come from.
        licence: Terms under which they may be used.
        builder: Version of the builder, :data:`~scholar_env.task_set_manifest.IMPORTED` for an import.
        replace: Whether a set that is at ``target`` already gives way; otherwise it stays and the new one is dropped.

    Raises:
        CorpusFormatError: A name is not a plain one.
    """

    def __init__(
        self,
        target: str | Path,
        *,
        name: str,
        family: str,
        corpus: Corpus,
        source: str,
        licence: str,
        builder: int = IMPORTED,
        replace: bool = False,
    ) -> None:
        self._target = Path(target).resolve()
        self._facts = {"name": check_name(name), "family": check_name(family), "source": source, "licence": licence}
        self._corpus = corpus
        self._builder = builder
        self._build = BuildFolder(self._target, replace=replace)
        self._fingerprint = TaskSetFingerprint(family, corpus.fingerprint)
        self._ids: dict[str, None] = {}
        self._open = False

    def __enter__(self) -> TaskSetWriter:
        self._folder = self._build.__enter__()
        self._open = True
        try:
            self._file = DurableFile(self._folder / TASKS)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._open:
            return
        self._open = False
        give_up = GeneratorExit("the task set was not finished")
        if hasattr(self, "_file"):
            self._file.__exit__(GeneratorExit, give_up, None)
        self._build.__exit__(GeneratorExit, give_up, None)

    def add(self, task: Task) -> None:
        """Adds a task.

        Raises:
            CorpusFormatError: Its id is empty or taken, or it cannot be written as JSON.
        """
        if not task.id or task.id in self._ids:
            raise CorpusFormatError(
                f"the task id {task.id!r} is {'taken' if task.id else 'empty'}",
                "every task of a set has an id of its own",
                "leave the task out or give it another id",
            )
        line = task_line(task)
        self._ids[task.id] = None
        self._fingerprint.add(line)
        self._file.write(line)

    def finish(
        self,
        subsets: Mapping[str, Sequence[str]],
        subset_origin: Mapping[str, str],
        *,
        notes: Iterable[str] = (),
        counts: Mapping[str, int] | None = None,
    ) -> Path:
        """Writes subsets and manifest, and moves the folder into place.

        Args:
            subsets: Task ids by subset.
            subset_origin: Who chose each subset.
            notes: Sentences on how the set departs from its rules.
            counts: Further counts for the manifest.

        Returns:
            The folder.

        Raises:
            CorpusIntegrityError: A subset names a task twice or one that was not added.
        """
        check_subsets(subsets, self._ids)
        self._file.close()
        with DurableFile(self._folder / SUBSETS) as file:
            file.write(subsets_bytes(subsets))
        written = {TASKS: self._file, SUBSETS: file}
        manifest = TaskSetManifest(
            **self._facts,
            corpus_name=self._corpus.name,
            corpus_fingerprint=self._corpus.fingerprint,
            fingerprint=self._fingerprint.finish(subsets),
            builder=self._builder,
            counts={**(counts or {}), "tasks": len(self._ids)},
            subset_origin=dict(subset_origin),
            notes=tuple(notes),
            built_with=__version__,
            files={name: FileEntry(made.sha256(), made.size) for name, made in written.items()},
        )
        with DurableFile(self._folder / MANIFEST) as file:
            file.write(manifest.as_bytes())
        self._open = False
        if not (self._target / MANIFEST).is_file():
            self._build.replace = True  # a folder that is no task set gives way
        self._build.__exit__(None, None, None)
        return self._target
