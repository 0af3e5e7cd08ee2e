"""Folders that appear whole or not at all, and what killed builders of them leave behind."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import socket
from pathlib import Path
from types import TracebackType

from scholar_env import storage


class BuildFolder:
    """A folder that is filled under a unique temporary name and renamed into place when the block ends well.

    Inside the block, the context's value is the temporary folder. At the end every file and folder in it is
    fsynced, then it is renamed to ``target``. After an error, or a kill, ``target`` is as before; what a killed
    builder left is removed by :func:`clear_leftovers`.

    Args:
        target: The folder to be made. Its parent is created when missing.
        replace: When ``target`` exists already at the end: True swaps it for the new folder, False keeps it and
            drops the new one (another builder was faster, and both build the same thing).
    """

    def __init__(self, target: str | Path, *, replace: bool = False) -> None:
        self.target = Path(target)
        self.replace = replace
        mark = f"{_host()}-{os.getpid()}-{secrets.token_hex(8)}"
        self.path = self.target.with_name(f".{self.target.name}.build-{mark}")
        self._old = self.target.with_name(f".{self.target.name}.old-{mark}")

    def __enter__(self) -> Path:
        self.path.mkdir(parents=True)
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                _fsync_tree(self.path)
                self._move_into_place()
        finally:
            shutil.rmtree(self.path, ignore_errors=True)

    def _move_into_place(self) -> None:
        if self.target.exists():
            if not self.replace:
                return
            storage.fs_rename(self.target, self._old)
        try:
            storage.fs_rename(self.path, self.target)
        except OSError:
            if self._old.exists():
                storage.fs_rename(self._old, self.target)
                raise
            if not self.target.is_dir():  # otherwise another builder was faster, with the same content
                raise
        storage.fsync_folder(self.target.parent)
        shutil.rmtree(self._old, ignore_errors=True)


def remove_folder(target: str | Path) -> None:
    """Deletes a folder so that it is there whole or not at all: it is renamed first, then emptied.

    Raises:
        OSError: It is not there, or cannot be renamed.
    """
    target = Path(target)
    gone = target.with_name(f".{target.name}.gone-{_host()}-{os.getpid()}-{secrets.token_hex(8)}")
    storage.fs_rename(target, gone)
    storage.fsync_folder(target.parent)
    shutil.rmtree(gone, ignore_errors=True)


def clear_leftovers(target: str | Path) -> None:
    """Removes what builders of ``target`` that were killed on this machine left behind.

    A folder that had been moved aside to be replaced goes back when nothing has taken its place.
    """
    target = Path(target)
    if not target.parent.is_dir():
        return
    pattern = re.compile(rf"\.{re.escape(target.name)}\.(build|old|gone)-{re.escape(_host())}-(\d+)-[0-9a-f]+")
    for path in sorted(target.parent.iterdir()):
        match = pattern.fullmatch(path.name)
        if match is None or _is_alive(int(match[2])):
            continue
        if match[1] == "old" and not target.exists():
            storage.fs_rename(path, target)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9.]", "_", socket.gethostname()) or "host"


def _is_alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    if os.name == "nt":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with contextlib.suppress(OSError):  # Linux tells the dying from the living
        return not _is_dying(Path(f"/proc/{pid}/stat").read_bytes())
    return True


def _is_dying(stat: bytes) -> bool:
    """Whether a line of ``/proc/PID/stat`` is of a process that is ending, or ended without its parent having asked.

    A killed builder lets go of its lock while it ends, so that a waiter may look just then.
    """
    state, *rest = stat.rpartition(b")")[2].split()
    exiting = 0x4  # PF_EXITING
    return state in (b"Z", b"X") or bool(int(rest[5]) & exiting)


def _fsync_tree(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            storage.fsync_folder(path)
        else:
            with path.open("rb") as file:
                storage.fs_fsync(file.fileno())
    storage.fsync_folder(folder)
