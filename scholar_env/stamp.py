"""Stamps: a note in the user's home that the files of a corpus folder were verified on this machine.

A stamp holds size, times and inode of each file. It lies in the home and not in the corpus folder, so a folder that
comes from elsewhere cannot bring its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from scholar_env.home import stamp_folders
from scholar_env.storage import write_json_atomic

Stamp = dict[str, list[int]]
"""For each file, by its path relative to the folder: size, modification time, change time (both ns), inode."""


def take_stamp(folder: Path, names: Iterable[str]) -> Stamp:
    """Looks at the files as they are now.

    Raises:
        OSError: One is missing.
    """
    stamp: Stamp = {}
    for name in names:
        found = (folder / name).stat()
        stamp[name] = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
    return stamp


def is_stamped(folder: Path, stamp: Stamp) -> bool:
    """Returns whether a stored stamp of the folder equals ``stamp``; nothing is written."""
    for stamps in stamp_folders():
        with contextlib.suppress(OSError, ValueError):
            if json.loads(_stamp_path(stamps, folder).read_bytes()) == {"folder": str(folder), "files": stamp}:
                return True
    return False


def store_stamp(folder: Path, stamp: Stamp) -> None:
    """Stores the stamp of a folder that was found to be whole; where no home can be written, nothing happens."""
    for stamps in stamp_folders():
        with contextlib.suppress(OSError):
            stamps.mkdir(parents=True, exist_ok=True)
            write_json_atomic(_stamp_path(stamps, folder), {"folder": str(folder), "files": stamp})
            return


def drop_stamp(folder: Path) -> None:
    """Removes the stored stamps of a folder, if there are any."""
    for stamps in stamp_folders():
        with contextlib.suppress(OSError):
            _stamp_path(stamps, folder).unlink()


def _stamp_path(stamps: Path, folder: Path) -> Path:
    return stamps / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:32]}.json"
