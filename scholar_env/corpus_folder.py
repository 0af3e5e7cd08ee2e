"""An open corpus: the frozen folder, read-only, cheap to open, shared by all environments of a process."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from scholar_env import documents as columns
from scholar_env.corpus_check import IDS, Problem, find_problems
from scholar_env.corpus_tables import Tables
from scholar_env.documents import DOCUMENTS, DocumentStore
from scholar_env.errors import CorpusIntegrityError, CorpusNotFoundError, InvalidOptionError, ScholarEnvError
from scholar_env.index.base import Index
from scholar_env.manifest import INDEX_FOLDER, MANIFEST, Manifest, read_manifest
from scholar_env.records import Paper, Section
from scholar_env.stamp import is_stamped, store_stamp, take_stamp
from scholar_env.string_table import StringTable
from scholar_env.task_table import LEFT_OUT, SUBSETS, TASKS, TaskTable, read_subsets, read_tasks

OFFICIAL_FINGERPRINTS: frozenset[str] = frozenset()
"""Fingerprints of releases with released subsets, made by this package's importers. None exists yet."""


class _OpenCorpora:
    """The corpora that this process has open, and the lock for everything that is loaded late."""

    def __init__(self) -> None:
        self.by_content: dict[tuple[Path, str], Corpus] = {}
        self.renew_lock()
        if hasattr(os, "register_at_fork"):  # another thread of the parent may hold the lock at the fork
            os.register_at_fork(after_in_child=self.renew_lock)

    def renew_lock(self) -> None:
        self.lock = threading.RLock()


_opened = _OpenCorpora()


class Corpus:
    """A frozen corpus. Threads may read at once; copies and pickles are references by path and fingerprint.

    Use :meth:`open`; it returns the same object for the same content, so many environments share one set of maps.

    Attributes:
        path: The folder.
        manifest: What the folder says about itself.
        name: Name of the corpus.
        fingerprint: Hex sha256 over its canonical rows.
        n_papers: Number of papers, whose rows are ``0 … n_papers - 1``.
        tables: Further tables; most corpora have none.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self.name = manifest.name
        self.fingerprint = manifest.fingerprint
        self.n_papers = manifest.counts["papers"]
        self.tables = Tables(path, manifest.tables)
        self._documents = DocumentStore(path / DOCUMENTS, self.n_papers)
        self._ids = StringTable(path, IDS)
        if len(self._ids) != self.n_papers:
            raise _damaged(path, [Problem(f"{IDS}_order.npy", f"it has {len(self._ids)} rows, not {self.n_papers}")])
        self._tasks: TaskTable | None = None
        self._subsets: Mapping[str, tuple[str, ...]] | None = None
        self._indexes: dict[tuple[str, str, str], Index] = {}

    @classmethod
    def open(cls, path: str | Path, *, verify: bool | None = None) -> Corpus:
        """Opens a corpus folder.

        Args:
            path: The folder.
            verify: None compares the files with the stamp that their first verification on this machine left in the
                home, and verifies them in full (hashes, invariants, fingerprint) when they differ or none is there;
                True always verifies in full.

        Raises:
            CorpusNotFoundError: There is no corpus.
            CorpusFormatError: The manifest is not one that this version reads.
            CorpusIntegrityError: A file is not as the manifest describes it; the message names it.
        """
        folder = Path(path).resolve()
        manifest = read_manifest(folder)
        _ensure_verified(folder, manifest, force=bool(verify))
        key = (folder, hashlib.sha256(manifest.as_bytes()).hexdigest())
        with _opened.lock:
            if key not in _opened.by_content:
                corpus = cls(folder, manifest)
                corpus._require_same()
                _opened.by_content[key] = corpus
            return _opened.by_content[key]

    @property
    def spec(self) -> str:
        """The corpus as ``path@fingerprint``, which :func:`scholar_env.corpus.resolve_corpus` takes in any process."""
        return f"{self.path}@{self.fingerprint}"

    @property
    def documents(self) -> DocumentStore:
        """The table of papers as it lies in the map."""
        return self._documents

    def row_of(self, paper_id: str) -> int | None:
        """Returns the row of a paper, or None when the corpus does not hold it."""
        return self._ids.get(paper_id)

    def id_of(self, row: int) -> str:
        """Returns the id of a row; rows outside ``[0, n_papers)`` raise IndexError, here and below."""
        return self._documents.text(columns.ID, row)

    def title(self, row: int) -> str:
        """Returns the title of a row."""
        return self._documents.text(columns.TITLE, row)

    def abstract(self, row: int) -> str:
        """Returns the abstract of a row."""
        return self._documents.text(columns.ABSTRACT, row)

    def date(self, row: int) -> str:
        """Returns the date of a row: ``YYYY-MM-DD``, ``YYYY-MM`` or ``""``."""
        return self._documents.text(columns.DATE, row)

    def authors(self, row: int) -> tuple[str, ...]:
        """Returns the authors of a row in order."""
        return self._documents.texts(columns.AUTHORS, row)

    def categories(self, row: int) -> tuple[str, ...]:
        """Returns the categories of a row, the primary one first."""
        return self._documents.texts(columns.CATEGORIES, row)

    def references(self, row: int) -> tuple[str, ...]:
        """Returns the ids of the papers that a row cites."""
        return self._documents.texts(columns.REFERENCES, row)

    def sections(self, row: int) -> tuple[Section, ...]:
        """Returns the full text of a row, empty when the corpus holds none for it."""
        titles = self._documents.texts(columns.SECTION_TITLES, row)
        texts = self._documents.texts(columns.SECTION_TEXTS, row)
        return tuple(Section(title, text) for title, text in zip(titles, texts, strict=False))

    def paper(self, row: int) -> Paper:
        """Returns the whole record of a row."""
        return self._documents.paper(row)

    def tasks(self) -> TaskTable:
        """Returns all tasks in release order, those that are in no subset included."""
        with _opened.lock:
            if self._tasks is None:
                tasks = read_tasks(self.path / TASKS)
                self._require_same()
                self._tasks = tasks
            return self._tasks

    def subsets(self) -> Mapping[str, tuple[str, ...]]:
        """Returns the task ids of each subset: ``all``, ``test_fast``, ``test_hard``, ``train``."""
        with _opened.lock:
            if self._subsets is None:
                subsets = read_subsets(self.path / SUBSETS)
                self._require_same()
                self._subsets = MappingProxyType(subsets)
            return self._subsets

    def left_out(self) -> dict[str, str]:
        """Returns the reason for each task that is kept but in no subset, by task id."""
        return {task.id: task.labels[LEFT_OUT] for task in self.tasks() if task.labels.get(LEFT_OUT)}

    def info(self) -> dict[str, str | bool]:
        """Returns what every rollout and report carries: name, fingerprint, official, derived_from, subset_origin."""
        origins = self.manifest.subset_origin
        same = len(set(origins.values())) == 1
        origin = next(iter(origins.values())) if same else ", ".join(f"{key}={origins[key]}" for key in sorted(origins))
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "official": self.fingerprint in OFFICIAL_FINGERPRINTS,
            "derived_from": self.manifest.derived_from,
            "subset_origin": origin,
        }

    def sparse_index(self, *, engine: str = "auto", variant: str = "okapi", tokenizer: str = "scholargym-v1") -> Index:
        """Returns the exact BM25 index; the same object for the same arguments.

        Args:
            engine: ``auto``, ``numpy``, ``numba``, or ``rank-bm25`` for the slow reference.
            variant: Name of a scoring variant of the index.
            tokenizer: Id of the tokenizer that the index was made with.

        Raises:
            InvalidOptionError: The corpus has no such index, or the engine or variant is unknown.
            MissingDependencyError: The engine's package is not installed.
        """
        with _opened.lock:
            key = (engine, variant, tokenizer)
            if key not in self._indexes:
                index = self._open_index(*key)
                self._require_same()
                self._indexes[key] = index
            return self._indexes[key]

    def verify(self) -> list[Problem]:
        """Checks every byte and every invariant, and returns all findings; an empty list means that all is well."""
        try:
            manifest = read_manifest(self.path)
        except ScholarEnvError as error:
            return [Problem(MANIFEST, error.what)]
        return find_problems(self.path, manifest)

    def _require_same(self) -> None:
        """Refuses what was loaded just now when another corpus has taken the folder's place since it was opened."""
        _require_fingerprint(self.path, read_manifest(self.path).fingerprint, self.fingerprint)

    def _open_index(self, engine: str, variant: str, tokenizer: str) -> Index:
        name = f"sparse-{tokenizer}"
        if name not in self.manifest.indexes:
            raise InvalidOptionError(
                f"the corpus {self.name} has no index for the tokenizer {tokenizer!r}",
                f"it has {', '.join(sorted(self.manifest.indexes)) or 'none'}",
                "name one of these tokenizers, or import the corpus with that one",
            )
        folder = self.path / INDEX_FOLDER / name
        if engine == "rank-bm25":
            from scholar_env.index.reference import RankBM25Index

            return RankBM25Index.open(folder, variant=variant)
        from scholar_env.index.sparse import SparseIndex

        return SparseIndex.open(folder, engine=engine, variant=variant)

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return reopen, (str(self.path), self.fingerprint)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r}, {self.n_papers} papers, {self.fingerprint[:12]})"


def reopen(path: str, fingerprint: str) -> Corpus:
    """Opens the corpus that a copy or a pickle refers to.

    Raises:
        CorpusNotFoundError: The folder now holds another corpus, or none.
    """
    corpus = Corpus.open(path)
    _require_fingerprint(corpus.path, corpus.fingerprint, fingerprint)
    return corpus


def _require_fingerprint(path: Path, found: str, wanted: str) -> None:
    if found != wanted:
        raise CorpusNotFoundError(
            f"{path} holds a corpus of fingerprint {found}",
            f"the fingerprint {wanted} is wanted",
            "import that corpus again, or name the one that is there",
        )


def _ensure_verified(folder: Path, manifest: Manifest, *, force: bool) -> None:
    """Verifies the files in full unless a stamp says that this was done and nothing has changed since."""
    try:
        stamp = take_stamp(folder, [MANIFEST, *manifest.paths()])
    except OSError as error:
        name = Path(str(error.filename)).name
        raise _damaged(folder, [Problem(name, f"it cannot be read ({error.strerror})")]) from error
    if not force and is_stamped(folder, stamp):
        return
    problems = find_problems(folder, manifest)
    if problems:
        raise _damaged(folder, problems)
    store_stamp(folder, stamp)


def _damaged(folder: Path, problems: list[Problem]) -> CorpusIntegrityError:
    findings = "; ".join(f"{problem.file}: {problem.reason}" for problem in problems[:5])
    more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
    return CorpusIntegrityError(
        f"the corpus {folder} is damaged: {findings}{more}",
        "every file is as the manifest describes it",
        "import or build the corpus again (scholar-env corpus verify lists every file)",
    )
