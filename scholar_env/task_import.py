"""Imports task files into task sets, and validates them without importing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scholar_env.build_folder import clear_leftovers
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.folder_lock import LOCK_TIMEOUT_S, FolderLock
from scholar_env.records import Task
from scholar_env.sealed import MANIFEST, check_name
from scholar_env.subsets import IdList, given_ids, label_task, read_id_list
from scholar_env.task_file_report import TaskFileReport
from scholar_env.task_files import form_of
from scholar_env.task_files.faults import FieldFault
from scholar_env.task_files.form import TaskFileForm
from scholar_env.task_files.reader import Input, TaskFileReader
from scholar_env.task_files.schema import NOTHING
from scholar_env.task_set import TaskSet, TaskSetWriter, new_task_set_folder

Progress = Callable[[int, int], None]
"""Told the bytes read and the size of the file."""


@dataclass(frozen=True, slots=True)
class TaskImportReport:
    """What an import did: where the set is, its fingerprint, and what the file held."""

    path: Path
    fingerprint: str
    file: TaskFileReport


def validate_task_file(
    given: Input,
    family: str,
    corpus: Corpus | None = None,
    *,
    require_gold: str = "all",
    progress: Progress | None = None,
) -> TaskFileReport:
    """Reads a task file and reports everything that is wrong with it.

    Args:
        given: The file.
        family: Its family.
        corpus: With one, tasks are labelled and papers that it does not hold are counted.
        require_gold: See :func:`import_task_file`.
        progress: Told how far it is.

    Raises:
        InvalidOptionError: The family is unknown, or a file cannot be read.
    """
    form = form_of(family)
    reader = TaskFileReader(given, form)
    report = TaskFileReport()
    label = _labeller(form, corpus, require_gold)
    for task in _told(reader, progress):
        labelled = label(task)
        _remark(labelled, form, corpus, reader)
        report.add(labelled, form, corpus)
    if not report.n_tasks and not reader.faults.n:
        rule = f"a task file has at least one task, and {reader.name} holds none"
        reader.faults.add(reader.name, 1, FieldFault("", NOTHING, rule, "name another file"))
    return _closed(report, reader)


def import_task_file(
    given: Input,
    family: str,
    corpus: Corpus,
    name: str,
    *,
    folder: Path | None = None,
    require_gold: str = "all",
    subsets: Mapping[str, Path] | None = None,
    source: str = "",
    licence: str = "",
    replace_old: bool = False,
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> TaskImportReport:
    """Makes a task set of a task file, whole or not at all.

    Args:
        given: The file.
        family: Its family.
        corpus: The corpus that its papers are of.
        name: Name of the set.
        folder: Where it is made (default: in the home).
        require_gold: ``all`` puts a task into the subsets when the corpus holds all of its papers, ``any`` when it
            holds one.
        subsets: Files of task ids (:func:`scholar_env.subsets.read_id_list`) for further subsets, by name.
        source: Where the tasks come from; empty = the file's name.
        licence: Terms under which they may be used.
        replace_old: Whether a set of that name gives way.
        progress: Told how far it is.
        timeout: Seconds to wait for another process that makes a set of that name.

    Raises:
        TaskFileError: The file has faults; the message lists the first 50.
        InvalidOptionError: The family or an option is unknown, a set of that name is there, or no task can be played.
        CorpusFormatError: The name, or that of a subset, is no plain one.
        CorpusBusyError: Another process takes too long.
    """
    form = form_of(family)
    target = new_task_set_folder(name) if folder is None else folder
    lists = {check_name(subset): read_id_list(path) for subset, path in (subsets or {}).items()}
    label = _labeller(form, corpus, require_gold)
    reader = TaskFileReader(given, form)
    report = TaskFileReport()
    with FolderLock(target, timeout):
        clear_leftovers(target)
        _require_free(target, replace_old=replace_old)
        with TaskSetWriter(
            target,
            name=name,
            family=family,
            corpus=corpus,
            source=source or given.path.name,
            licence=licence or "not stated",
            replace=True,
        ) as writer:
            for task in _told(reader, progress):
                if not reader.faults.n:  # with a fault nothing is imported; the rest is read for further faults alone
                    labelled = label(task)
                    _remark(labelled, form, corpus, reader)
                    writer.add(labelled)
                    report.add(labelled, form, corpus)
            _closed(report, reader)
            if report.n_faults:
                raise reader.faults.error(reader.name)
            _refuse_none(report, reader.name, corpus)
            origin = dict.fromkeys(report.subsets, f"user:{reader.sha256()[:12]}")
            for subset, listed in lists.items():
                report.subsets[subset] = _own_subset(subset, listed, report, reader)
                origin[subset] = listed.origin
            counts = {"tasks_left_out": report.n_left_out, "papers_not_in_corpus": report.n_missing_gold}
            notes = (f"require_gold={require_gold}", *report.notes)
            writer.finish(report.subsets, origin, notes=notes, counts=counts)
    return TaskImportReport(target, TaskSet.open(target).fingerprint, report)


def _told(reader: TaskFileReader, progress: Progress | None) -> Iterator[Task]:
    """The tasks of a file, telling how far it is."""
    for task in reader.tasks():
        if progress is not None:
            progress(reader.done, reader.size)
        yield task


def _labeller(form: TaskFileForm, corpus: Corpus | None, require_gold: str) -> Callable[[Task], Task]:
    """What labels a task on a corpus; without one, tasks stay as they are."""
    if require_gold not in ("all", "any"):
        raise InvalidOptionError(f"require_gold is {require_gold!r}", "it is 'all' or 'any'", "choose one of the two")
    if corpus is None:
        return lambda task: task
    if form.label is not None:
        return form.label(corpus, require_gold)
    place: Corpus = corpus
    index = place.sparse_index()

    def category_of(row: int) -> str:
        return next(iter(place.categories(row)), "")

    def label(task: Task) -> Task:
        if form.on_corpus is not None:
            task = form.on_corpus(task, place)
        papers = form.papers(task)
        return label_task(task, place.row_of, category_of, index, require_gold, papers=papers, named_by="the file")

    return label


def _remark(task: Task, form: TaskFileForm, corpus: Corpus | None, reader: TaskFileReader) -> None:
    """Notes what is odd about a task on a corpus."""
    if corpus is not None and form.corpus_remarks is not None:
        for odd in form.corpus_remarks(task, corpus):
            reader.remark(task.id, odd)


def _closed(report: TaskFileReport, reader: TaskFileReader) -> TaskFileReport:
    report.n_faults, report.faults = reader.faults.n, tuple(reader.faults.listed)
    report.notes, report.remarks = tuple(reader.notes()), reader.remarks
    return report


def _require_free(target: Path, *, replace_old: bool) -> None:
    if not replace_old and (target / MANIFEST).is_file():
        raise InvalidOptionError(
            f"{target} holds a task set already", "a task set is replaced on purpose only", "add --replace, or --name"
        )


def _refuse_none(report: TaskFileReport, name: str, corpus: Corpus) -> None:
    if not report.n_tasks:
        raise InvalidOptionError(f"{name} holds no tasks", "a task set has at least one", "name another file")
    if not report.playable:
        task_id, reason = next(iter(report.left_out.items()))
        raise InvalidOptionError(
            f"none of the {report.n_tasks} tasks of {name} can be played on {corpus.name}; {task_id}: {reason}",
            "the corpus holds the papers that tasks are about",
            "name the corpus that the file is for, or add --require-gold any",
        )


def _own_subset(name: str, listed: IdList, report: TaskFileReport, reader: TaskFileReader) -> list[str]:
    notes: list[str] = []
    chosen = given_ids(name, listed, reader.ids, set(report.playable), notes)
    report.notes += tuple(notes)
    return [task_id for task_id in report.playable if task_id in chosen]
