"""Finding task sets: by name or path; those of generated worlds are built at first use.

A set that was imported lies in ``<home>/tasks/own/<name>/``, one of a world in
``<home>/tasks/<corpus fingerprint>/<family>-<version of its builder>/`` (:mod:`scholar_env.home`).
"""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from scholar_env.corpus_folder import Corpus
from scholar_env.errors import CorpusFormatError, InvalidOptionError, ScholarEnvError, TaskSetNotFoundError
from scholar_env.first_use import build_once
from scholar_env.folder_lock import LOCK_TIMEOUT_S
from scholar_env.home import home, recover, shelf_folders
from scholar_env.removal import Removal, remove_from_shelf
from scholar_env.sealed import MANIFEST, check_name
from scholar_env.task_set_build import TaskSetWriter
from scholar_env.task_set_folder import TaskSet
from scholar_env.task_set_manifest import read_task_set_manifest

__all__ = [
    "TaskSet",
    "TaskSetSummary",
    "TaskSetWriter",
    "imported_task_sets",
    "list_task_sets",
    "new_task_set_folder",
    "remove_task_set",
    "resolve_task_set",
    "task_set_of",
]

SHELF = "tasks"
OWN = "own"
"""Folder of the imported sets on the shelf."""

_TRIES = 3
_SPEC = re.compile(r"(?P<place>.+?)(?:@(?P<fingerprint>[0-9a-f]{8,64}))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TaskSetSummary:
    """One line of ``tasks list``; ``error`` is empty for a set whose manifest can be read.

    ``name`` is what :func:`resolve_task_set` and :func:`remove_task_set` take.
    """

    name: str
    path: Path
    family: str
    fingerprint: str
    corpus_name: str
    corpus_fingerprint: str
    n_tasks: int
    licence: str
    error: str = ""


def resolve_task_set(spec: str) -> TaskSet:
    """Opens the task set that a specification names.

    Args:
        spec: The name of an imported set, ``<corpus fingerprint>/<family>-<version>`` for one of a world, a path to a
            folder, or any of these followed by ``@`` and a fingerprint (at least its first 8 digits), which the set
            must then have.

    Raises:
        TaskSetNotFoundError: There is no such set, or it has another fingerprint.
        CorpusBusyError: Another process takes too long to replace it.
        CorpusFormatError, CorpusIntegrityError: It cannot be read or is damaged.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise _not_found(spec)
    task_set = _open(match["place"], spec)
    if not task_set.fingerprint.startswith(match["fingerprint"] or ""):
        raise TaskSetNotFoundError(
            f"the task set {task_set.name} in {task_set.path} has the fingerprint {task_set.fingerprint}",
            f"{spec} asks for another one",
            "import that task file again, or name the task set that is there",
        )
    return task_set


def _open(place: str, spec: str) -> TaskSet:
    for _ in range(_TRIES):
        with contextlib.suppress(TaskSetNotFoundError):  # it gives way to another one just now
            return TaskSet.open(_found(place, spec))
    return TaskSet.open(_found(place, spec))


def _found(place: str, spec: str) -> Path:
    folder = find_task_set(place)
    if folder is None:
        raise _not_found(spec)
    return folder


def find_task_set(place: str) -> Path | None:
    """Returns the folder of a name or path, None where there is no task set; a name in the home goes first."""
    path = Path(place).expanduser()
    plain = len(path.parts) == 1 and not place.startswith((".", "~"))
    if plain:
        found = recover(SHELF, f"{OWN}/{check_name(place)}", LOCK_TIMEOUT_S)
        if found is not None:
            return found
    elif not path.is_absolute() and len(path.parts) == 2 and re.fullmatch("[0-9a-f]{64}", path.parts[0]):
        return recover(SHELF, place, LOCK_TIMEOUT_S)
    return path if (path / MANIFEST).is_file() or not plain else None


def new_task_set_folder(name: str) -> Path:
    """Returns where an imported task set of that name is to be.

    Raises:
        CorpusFormatError: The name is no plain one, or a number.
    """
    if check_name(name).isdecimal():
        raise CorpusFormatError(
            f"the task set name {name!r}",
            "a name is no number, since --tasks takes numbers, too",
            "choose a name with a letter in it",
        )
    return home() / SHELF / OWN / name


def task_set_of(corpus: Corpus, family: str) -> TaskSet:
    """Opens the task set that a generated world has for a family; it is built at first use.

    Args:
        corpus: A world.
        family: Name of a family.

    Raises:
        InvalidOptionError: The corpus is no world, or worlds have no tasks of that family.
        CorpusBusyError: Another process takes too long to build it.
        CorpusFormatError, CorpusIntegrityError: It cannot be read or is damaged.
    """
    families: Any = import_module("scholar_env.corpora.world.task_families")
    if "world" not in corpus.tables or family not in families.BUILDERS:
        made = ", ".join(sorted(families.BUILDERS)) or "none"
        raise InvalidOptionError(
            f"the corpus {corpus.name} makes no tasks of the family {family!r}",
            f"generated worlds make tasks of the families {made}; other corpora make none",
            f"import a task file with scholar-env tasks import FILE --family {family} --corpus {corpus.name}, and give "
            "the set's name as the argument tasks",
        )
    builder: Any = families.builder(family)
    name = f"{family}-{builder.VERSION}"
    place = f"{corpus.fingerprint}/{name}"
    folder = recover(SHELF, place, LOCK_TIMEOUT_S)
    if folder is None:
        build = _build(corpus, family, name, builder)
        title = f"making the {family} tasks of the corpus {corpus.name} once"
        folder = build_once(home() / SHELF / place, build, title, LOCK_TIMEOUT_S)
    task_set = TaskSet.open(folder)
    task_set.require(corpus, family)
    return task_set


def _build(corpus: Corpus, family: str, name: str, builder: Any) -> Callable[..., Path]:
    def build(folder: Path, progress: Callable[[str, int, int], None]) -> Path:
        families: Any = import_module("scholar_env.corpora.world.task_families")
        told = {"progress": progress} if "progress" in inspect.signature(builder.build).parameters else {}
        with TaskSetWriter(
            folder,
            name=name,
            family=family,
            corpus=corpus,
            source=corpus.manifest.source,
            licence=corpus.manifest.licence,
            builder=builder.VERSION,
        ) as writer:
            made = builder.build(families.world_of(corpus), corpus, **told)
            for task in made.tasks:
                writer.add(task)
            return writer.finish(made.subsets, dict.fromkeys(made.subsets, "generated"), notes=made.notes)

    return build


def list_task_sets() -> list[TaskSetSummary]:
    """Returns the task sets in the home, the imported ones first, by name; none is opened or built."""
    found: dict[str, TaskSetSummary] = {}
    for shelf in shelf_folders(SHELF):
        for group in sorted(shelf.iterdir()):
            for path in sorted(group.iterdir()) if group.is_dir() else ():
                name = path.name if group.name == OWN else f"{group.name}/{path.name}"
                if not path.name.startswith(".") and name not in found and (path / MANIFEST).is_file():
                    found[name] = _summary(name, path)
    return [found[name] for name in sorted(found, key=lambda name: ("/" in name, name))]


def imported_task_sets(fingerprint: str) -> tuple[str, ...]:
    """Returns the names of the imported task sets in the home that are of the corpus of a fingerprint."""
    found = list_task_sets()
    return tuple(entry.name for entry in found if entry.corpus_fingerprint == fingerprint and "/" not in entry.name)


def remove_task_set(name: str) -> Removal:
    """Deletes a task set from the home. Processes that have it open keep it.

    Args:
        name: As :func:`list_task_sets` names it.

    Raises:
        TaskSetNotFoundError: The home holds no task set of that name.
        CorpusBusyError: Another process is building it.
    """
    known = {entry.name: entry.path for entry in list_task_sets()}
    if name not in known:
        raise _not_found(name)
    return Removal(known[name], remove_from_shelf(known[name]))


def _summary(name: str, path: Path) -> TaskSetSummary:
    try:
        manifest = read_task_set_manifest(path)
    except ScholarEnvError as error:
        return TaskSetSummary(name, path, "", "", "", "", 0, "", str(error))
    return TaskSetSummary(
        *(name, path, manifest.family, manifest.fingerprint, manifest.corpus_name, manifest.corpus_fingerprint),
        *(manifest.counts["tasks"], manifest.licence),
    )


def _not_found(spec: str) -> TaskSetNotFoundError:
    names = ", ".join(entry.name for entry in list_task_sets())
    return TaskSetNotFoundError(
        f"there is no task set {spec!r}",
        f"a task set is named by a path or by a name in the home, which has {names or 'none'}",
        "name one of these, or import a task file with scholar-env tasks import",
    )
