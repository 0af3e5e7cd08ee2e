"""The full check of a corpus folder: hashes, invariants of every table, and the fingerprint of the rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scholar_env.corpus_tables import table_digest
from scholar_env.documents import DOCUMENTS, EXCHANGE, ID, DocumentStore, canonical_row
from scholar_env.errors import CorpusIntegrityError, ScholarEnvError
from scholar_env.index.invariants import check_invariants
from scholar_env.manifest import INDEX_FOLDER, MANIFEST, TABLES_FOLDER, FileEntry, Manifest
from scholar_env.records import Paper, Task
from scholar_env.storage import sha256_file
from scholar_env.string_table import PARTS, StringTable
from scholar_env.task_table import SUBSETS, TASKS, read_subsets, read_tasks, subsets_bytes, task_line

IDS = "ids"
"""Name of the string table of paper ids."""

REQUIRED_FILES = (DOCUMENTS, EXCHANGE, TASKS, SUBSETS, *(f"{IDS}_{part}.npy" for part in PARTS))


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a check: the file (relative to the corpus folder) and what is wrong with it."""

    file: str
    reason: str


class Fingerprint:
    """Builds a corpus fingerprint: sha256 over the canonical rows of papers, then tasks, then subsets, then tables.

    It does not depend on how files are encoded, on the order of dictionary keys or on hash seeds.
    """

    def __init__(self) -> None:
        self._digest = hashlib.sha256(b"scholar-env corpus 1\n")
        self._tables: dict[str, str] = {}

    def add_paper(self, paper: Paper) -> None:
        """Adds the next paper in row order."""
        self._digest.update(canonical_row(paper))

    def add_table(self, name: str, digest: str) -> None:
        """Adds a further table by its file name and :func:`~scholar_env.corpus_tables.table_digest`."""
        self._tables[name] = digest

    def finish(self, tasks: Iterable[Task], subsets: Mapping[str, Iterable[str]]) -> str:
        """Adds tasks and subsets and returns the hex digest."""
        self._digest.update(b"tasks\n")
        for task in tasks:
            self._digest.update(task_line(task))
        self._digest.update(b"subsets\n")
        self._digest.update(subsets_bytes(subsets))
        if self._tables:
            lines = [f"{name} {self._tables[name]}\n" for name in sorted(self._tables)]
            self._digest.update("".join(("tables\n", *lines)).encode())
        return self._digest.hexdigest()


def find_problems(folder: Path, manifest: Manifest) -> list[Problem]:
    """Checks everything that can be checked and returns all findings, files with a wrong hash first.

    Invariants are looked at only where every hash is right: they then tell a folder whose maker was wrong.
    """
    unlisted = [name for name in REQUIRED_FILES if name not in manifest.files]
    problems = file_problems(folder, manifest.paths(), unlisted)
    if problems:
        return problems
    checks: list[tuple[str, Callable[[], None]]] = [
        (DOCUMENTS, lambda: _check_documents(folder, manifest)),
        (f"{IDS}_order.npy", lambda: _check_ids(folder, manifest)),
        (TASKS, lambda: _check_tasks(folder, manifest)),
        (SUBSETS, lambda: check_subsets(read_subsets(folder / SUBSETS), read_tasks(folder / TASKS))),
        *((f"{INDEX_FOLDER}/{name}", _index_check(folder, name)) for name in manifest.indexes),
        (MANIFEST, lambda: _check_fingerprint(folder, manifest)),
    ]
    for name, check in checks:
        try:
            check()
        except ScholarEnvError as error:
            return [Problem(name, error.what)]
    return []


def file_problems(folder: Path, files: Mapping[str, FileEntry], unlisted: Iterable[str]) -> list[Problem]:
    """Returns what is wrong with the files of a folder, those first that its manifest should list and does not."""
    problems = [Problem(name, "the manifest does not list it") for name in unlisted]
    reasons = {name: file_problem(folder / name, entry) for name, entry in files.items()}
    return [*problems, *(Problem(name, reason) for name, reason in reasons.items() if reason)]


def file_problem(path: Path, entry: FileEntry) -> str:
    """Returns what is wrong with a file's size or hash, "" when nothing is."""
    try:
        size = path.stat().st_size
        if size != entry.size:
            return f"it has {size} bytes instead of {entry.size}"
        if not path.is_file() or sha256_file(path) != entry.sha256:
            return "its sha256 is not the one in the manifest"
    except OSError as error:
        return f"it cannot be read ({error.strerror or error})"
    return ""


def _check_documents(folder: Path, manifest: Manifest) -> None:
    DocumentStore(folder / DOCUMENTS, manifest.counts["papers"]).check()


def _check_ids(folder: Path, manifest: Manifest) -> None:
    table = StringTable(folder, IDS)
    table.check()
    store = DocumentStore(folder / DOCUMENTS, manifest.counts["papers"])
    if len(table) != store.n_rows or any(store.text(ID, row) != table.text(row) for row in range(store.n_rows)):
        raise _wrong("the table of ids does not list the documents' ids")
    if any(table.get(table.text(row)) != row for row in range(0, store.n_rows, 1 + store.n_rows // 1000)):
        raise _wrong("the table of ids does not find its own ids")


def _check_tasks(folder: Path, manifest: Manifest) -> None:
    tasks = read_tasks(folder / TASKS)
    if len(tasks) != manifest.counts["tasks"]:
        raise _wrong(f"there are {len(tasks)} tasks instead of {manifest.counts['tasks']}")


def check_subsets(subsets: Mapping[str, Iterable[str]], tasks: Container[str]) -> None:
    """Compares subsets with the ids of the tasks.

    Raises:
        CorpusIntegrityError: A subset names a task twice or one that is not there.
    """
    for name, members in subsets.items():
        ids = tuple(members)
        unknown = [task_id for task_id in ids if task_id not in tasks]
        if unknown or len(set(ids)) != len(ids):
            raise _wrong(f"the subset {name!r} names a task twice or one that is not there ({unknown[:1]})")


def _index_check(folder: Path, name: str) -> Callable[[], None]:
    return lambda: check_invariants(folder / INDEX_FOLDER / name)


def _check_fingerprint(folder: Path, manifest: Manifest) -> None:
    fingerprint = Fingerprint()
    for paper in DocumentStore(folder / DOCUMENTS, manifest.counts["papers"]):
        fingerprint.add_paper(paper)
    for name in manifest.tables:
        fingerprint.add_table(name, table_digest(folder / TABLES_FOLDER / name))
    found = fingerprint.finish(read_tasks(folder / TASKS), read_subsets(folder / SUBSETS))
    if found != manifest.fingerprint:
        raise _wrong(f"the rows have the fingerprint {found} instead of {manifest.fingerprint}")


def _wrong(what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(what, "tables fit together as they were frozen", "import or build the corpus again")
