"""An open task set: the frozen folder of one family's tasks on one corpus, read whole and checked at every opening."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from scholar_env.corpus_check import Problem, check_subsets, file_problems
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError, ScholarEnvError, TaskSetNotFoundError
from scholar_env.sealed import MANIFEST
from scholar_env.stamp import Stamp, take_stamp
from scholar_env.task_set_manifest import TaskSetFingerprint, TaskSetManifest, read_task_set_manifest
from scholar_env.task_table import SUBSETS, TASKS, parse_subsets, parse_tasks, task_line

_FILES = (TASKS, SUBSETS)
_TRIES = 3

_opened: dict[Path, tuple[Stamp, TaskSet]] = {}
"""What this process has open; each access is one step of the interpreter, so no lock is held at a fork."""


class TaskSet:
    """The tasks of one family for one corpus. Copies and pickles are references by path and fingerprint.

    Use :meth:`open`; it returns the same object for the same content.

    Attributes:
        path: The folder.
        manifest: What the folder says about itself.
        name: Name of the set.
        family: Family of the tasks.
        corpus_fingerprint: The corpus whose papers the gold is of.
        tasks: The tasks in order.
        subsets: Task ids by subset.
        origin: For each subset, who chose it.
        notes: Sentences on how the set departs from its rules.
        fingerprint: Hex sha256 over family, corpus fingerprint and canonical rows.
    """

    def __init__(self, path: Path, manifest: TaskSetManifest, raw: Mapping[str, bytes]) -> None:
        self.path = path
        self.manifest = manifest
        self.name, self.family = manifest.name, manifest.family
        self.corpus_fingerprint, self.fingerprint = manifest.corpus_fingerprint, manifest.fingerprint
        self.tasks = parse_tasks(raw[TASKS].splitlines(keepends=True), path / TASKS)
        self.subsets: Mapping[str, tuple[str, ...]] = MappingProxyType(parse_subsets(raw[SUBSETS], path / SUBSETS))
        self.origin = manifest.subset_origin
        self.notes = manifest.notes

    @classmethod
    def open(cls, path: str | Path) -> TaskSet:
        """Opens the folder of a task set; every byte is checked before it is used, nothing is written.

        Raises:
            TaskSetNotFoundError: There is no task set.
            CorpusFormatError: The manifest is not one that this version reads.
            CorpusIntegrityError: A file is not as the manifest describes it; the message names it.
        """
        folder = Path(path).resolve()
        for _ in range(_TRIES):
            before = _stamp(folder)
            held = _opened.get(folder)
            if held is not None and held[0] == before:
                return held[1]
            problem: ScholarEnvError | None = None
            try:
                opened = cls._read(folder)
            except ScholarEnvError as error:
                problem = error
            if _stamp(folder) == before:  # else another one took its place meanwhile
                break
        if problem is not None:
            raise problem
        held = _opened.get(folder)
        if held is not None and held[0] == before:  # another thread was faster
            return held[1]
        _opened[folder] = (before, opened)
        return opened

    @classmethod
    def _read(cls, folder: Path) -> TaskSet:
        manifest = read_task_set_manifest(folder)
        raw: dict[str, bytes] = {}
        problems: list[Problem] = []
        for name in _FILES:
            try:
                raw[name] = (folder / name).read_bytes()
            except OSError as error:
                problems.append(Problem(name, f"it cannot be read ({error.strerror or error})"))
                continue
            entry = manifest.files.get(name)
            if entry is None:
                problems.append(Problem(name, "the manifest does not list it"))
            elif hashlib.sha256(raw[name]).hexdigest() != entry.sha256:
                problems.append(Problem(name, "its sha256 is not the one in the manifest"))
        if problems:
            raise _damaged(folder, problems)
        task_set = cls(folder, manifest, raw)
        problems = _inner_problems(task_set, raw)
        if problems:
            raise _damaged(folder, problems)
        return task_set

    @property
    def spec(self) -> str:
        """The set as ``path@fingerprint``, which :func:`scholar_env.task_set.resolve_task_set` takes anywhere."""
        return f"{self.path}@{self.fingerprint}"

    @property
    def identity(self) -> str:
        """The set as ``name@fingerprint``, as rollouts record it."""
        return f"{self.name}@{self.fingerprint}"

    @property
    def corpus_spec(self) -> str:
        """The corpus as ``name@fingerprint``."""
        return f"{self.manifest.corpus_name}@{self.corpus_fingerprint}"

    def require(self, corpus: Corpus, family: str) -> None:
        """Refuses another family or corpus than the set is of.

        Raises:
            InvalidOptionError: The set is of another family, or of another corpus.
        """
        if self.family != family:
            raise InvalidOptionError(
                f"the task set {self.name} in {self.path} is of the family {self.family!r}",
                f"tasks of the family {family!r} are wanted",
                "name another task set, or an environment of that family",
            )
        if self.corpus_fingerprint != corpus.fingerprint:
            raise InvalidOptionError(
                f"the task set {self.name} in {self.path} was made for the corpus {self.corpus_spec}, not for "
                f"{corpus.name}@{corpus.fingerprint}",
                "the gold of a task set is of its own corpus",
                f"name the corpus {self.corpus_spec}, or import the task file again with --corpus {corpus.name}",
            )

    def ids(self, subset: str) -> tuple[str, ...]:
        """Returns the task ids of a subset in order.

        Raises:
            InvalidOptionError: The set has no tasks in it.
        """
        found = self.subsets.get(subset, ())
        if not found:
            sizes = ", ".join(f"{name} ({len(ids)})" for name, ids in self.subsets.items())
            raise InvalidOptionError(
                f"the task set {self.name} has no tasks in the split {subset!r}",
                f"it has {sizes or 'none'}",
                "take an id with another split, another task set, or your own list as subset",
            )
        return found

    def verify(self) -> list[Problem]:
        """Checks every file and returns all findings; an empty list means that all is well."""
        return find_task_set_problems(self.path)

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return reopen, (str(self.path), self.fingerprint)

    def __repr__(self) -> str:
        return f"TaskSet({self.name!r}, {self.family!r}, {len(self.tasks)} tasks, {self.fingerprint[:12]})"


def reopen(path: str, fingerprint: str) -> TaskSet:
    """Opens the task set that a copy or a pickle refers to.

    Raises:
        TaskSetNotFoundError: The folder now holds another one, or none.
    """
    task_set = TaskSet.open(path)
    if task_set.fingerprint != fingerprint:
        raise TaskSetNotFoundError(
            f"{path} holds a task set of fingerprint {task_set.fingerprint}",
            f"the fingerprint {fingerprint} is wanted",
            "import that task file again, or name the task set that is there",
        )
    return task_set


def find_task_set_problems(folder: Path) -> list[Problem]:
    """Checks the files of a task set's folder and returns all findings.

    Raises:
        TaskSetNotFoundError: There is no task set.
    """
    try:
        manifest = read_task_set_manifest(folder)
    except TaskSetNotFoundError:
        raise
    except ScholarEnvError as error:
        return [Problem(MANIFEST, error.what)]
    problems = file_problems(folder, manifest.files, [name for name in _FILES if name not in manifest.files])
    if problems:
        return problems
    try:
        raw = {name: (folder / name).read_bytes() for name in _FILES}
        return _inner_problems(TaskSet(folder, manifest, raw), raw)
    except ScholarEnvError as error:
        return [Problem(TASKS, error.what)]


def _inner_problems(task_set: TaskSet, raw: Mapping[str, bytes]) -> list[Problem]:
    """What is wrong with a set whose files have the right hashes: its maker was wrong, or it was forged."""
    manifest = task_set.manifest
    if len(task_set.tasks) != manifest.counts["tasks"]:
        return [Problem(TASKS, f"there are {len(task_set.tasks)} tasks instead of {manifest.counts['tasks']}")]
    try:
        check_subsets(task_set.subsets, task_set.tasks)
    except ScholarEnvError as error:
        return [Problem(SUBSETS, error.what)]
    fingerprint = TaskSetFingerprint(manifest.family, manifest.corpus_fingerprint)
    for task in task_set.tasks:
        fingerprint.add(task_line(task))
    found = fingerprint.finish(task_set.subsets)
    if found != manifest.fingerprint:
        return [Problem(MANIFEST, f"the rows have the fingerprint {found} instead of {manifest.fingerprint}")]
    return []


def _stamp(folder: Path) -> Stamp:
    try:
        return take_stamp(folder, (MANIFEST, *_FILES))
    except OSError:
        return {}


def _damaged(folder: Path, problems: Sequence[Problem]) -> CorpusIntegrityError:
    findings = "; ".join(f"{problem.file}: {problem.reason}" for problem in problems)
    return CorpusIntegrityError(
        f"the task set {folder} is damaged: {findings}",
        "every file is as the manifest describes it",
        f"remove it (scholar-env tasks remove {folder.name}) and import or build it again",
    )
