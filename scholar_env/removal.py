"""Deleting what the home holds: corpora with all that was derived from them alone, task sets."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scholar_env.build_folder import clear_leftovers, remove_folder
from scholar_env.folder_lock import FolderLock
from scholar_env.home import DERIVED_SHELVES
from scholar_env.stamp import drop_stamp


@dataclass(frozen=True, slots=True)
class Removal:
    """What was deleted.

    Attributes:
        path: Where it was.
        n_bytes: Bytes of the files in it and in :attr:`derived`.
        derived: Folders of what had been derived from it.
        kept_for: Corpora of the same content, for which what is derived from it was kept.
        kept_task_sets: Imported task sets of it, which stay.
    """

    path: Path
    n_bytes: int
    derived: tuple[Path, ...] = ()
    kept_for: tuple[str, ...] = ()
    kept_task_sets: tuple[str, ...] = ()


def remove_from_shelf(folder: Path) -> int:
    """Deletes a folder that was built, with its stamp and what killed builders of it left; only its lock file stays.

    Another process that waits for the lock, or looks for the folder later, finds it gone and may build it again.

    Args:
        folder: A folder on a shelf of the home; it may be missing where only leftovers are to go.

    Returns:
        Bytes of the folder's files.

    Raises:
        CorpusBusyError: Another process takes too long to build it.
        OSError: It cannot be deleted.
    """
    with FolderLock(folder):
        clear_leftovers(folder)  # first, since it puts back what was moved aside to be replaced
        for shards in folder.parent.glob(f".{folder.name}.shards-*"):  # of a world whose build was killed
            shutil.rmtree(shards, ignore_errors=True)
        n_bytes = sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
        drop_stamp(folder.resolve())
        if folder.is_dir():
            remove_folder(folder)
    return n_bytes


def derived_folders(home: Path, fingerprint: str) -> tuple[Path, ...]:
    """Returns where the home holds, or a killed builder has begun, what is derived from the corpus of a fingerprint."""
    groups = (home / shelf / fingerprint for shelf in DERIVED_SHELVES)
    return tuple(group / name for group in groups if group.is_dir() for name in sorted(_names(group.iterdir())))


def _names(paths: Iterable[Path]) -> set[str]:
    """The folders, and those that were locked to be built: a killed builder leaves nothing else that is visible."""
    names = set()
    for path in paths:
        if path.name.startswith(".") and path.name.endswith(".lock"):
            names.add(path.name[1 : -len(".lock")])
        elif not path.name.startswith("."):
            names.add(path.name)
    return names
