"""Durable files: atomic writes, and folders that appear whole or not at all.

Every write, fsync and rename of the package goes through :func:`fs_write`, :func:`fs_fsync` and
:func:`fs_rename`. Tests replace these three to crash at the n-th operation, so other modules call them as
attributes of this module (``storage.fs_write(…)``).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

_CHUNK = 1 << 20

Bytes = bytes | bytearray | memoryview
"""What can be written to a file."""


class Sink(Protocol):
    """Anything that bytes can be written to."""

    def write(self, data: Bytes, /) -> object:
        """Takes all the bytes."""
        ...


def fs_write(file: Sink, data: Bytes) -> None:
    """Writes all of ``data`` to an open binary file."""
    file.write(data)


def fs_fsync(fd: int) -> None:
    """Forces the file or folder behind a descriptor onto the disk."""
    os.fsync(fd)


def fs_rename(src: str | Path, dst: str | Path) -> None:
    """Renames in one step; an existing file (or empty folder) at ``dst`` is replaced."""
    Path(src).replace(dst)


def fsync_folder(path: str | Path) -> None:
    """Forces a folder's entries onto the disk (no effect on systems that cannot open folders)."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        fs_fsync(fd)
    finally:
        os.close(fd)


def sha256_file(path: str | Path) -> str:
    """Returns the hex sha256 of a file's bytes, read in pieces."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


class DurableFile:
    """A new binary file: writes pass through the seam and are hashed; closing without an error fsyncs.

    It serves as the file object of ``numpy.save`` and of pyarrow writers, too. Those write once more when they are
    collected, so what comes after an error has ended the block is dropped.

    Args:
        path: Where the file is made; an existing file is overwritten.

    Attributes:
        size: Number of bytes written so far.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = io.BufferedWriter(io.FileIO(path, "w"))
        self._digest = hashlib.sha256()
        self._given_up = False
        self.size = 0

    @property
    def closed(self) -> bool:
        """Whether the file takes no more writes."""
        return self._file.closed

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, data: Bytes, /) -> int:
        """Writes all of ``data`` and returns its length in bytes."""
        view = memoryview(data).cast("B") if not isinstance(data, bytes) else data
        if self._given_up:
            return len(view)
        fs_write(self._file, view)
        self._digest.update(view)
        self.size += len(view)
        return len(view)

    def tell(self) -> int:
        """Returns the position, which is the number of bytes written."""
        return self.size

    def flush(self) -> None:
        """Hands buffered bytes to the operating system."""
        if not self._given_up:
            self._file.flush()

    def sha256(self) -> str:
        """Returns the hex sha256 of everything written so far."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Flushes, fsyncs and closes; closing twice is allowed."""
        if self._file.closed:
            return
        try:
            self._file.flush()
            fs_fsync(self._file.fileno())
        finally:
            self._file.close()

    def __enter__(self) -> DurableFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._given_up = True
            self._file.close()


def write_bytes_atomic(path: str | Path, data: Bytes) -> None:
    """Writes a file so that readers see the old content or the new one, never a part.

    Raises:
        OSError: The folder is missing or not writable; the old file is then untouched.
    """
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[DurableFile]:
    """Opens a file to be written piece by piece that takes the place of ``path`` when the block ends well.

    After an error ``path`` is as before, and nothing is left beside it.

    Raises:
        OSError: The folder is missing or not writable, or the disk is full.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        with DurableFile(temporary) as file:
            yield file
        fs_rename(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    fsync_folder(target.parent)


def json_bytes(value: Any) -> bytes:
    """Returns readable JSON: UTF-8, keys sorted, two-space indent, final newline; NaN and infinities are refused."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False)
    return (text + "\n").encode("utf-8")


def write_json_atomic(path: str | Path, value: Any) -> None:
    """Writes :func:`json_bytes` of ``value`` with :func:`write_bytes_atomic`."""
    write_bytes_atomic(path, json_bytes(value))


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
            fs_rename(self.target, self._old)
        try:
            fs_rename(self.path, self.target)
        except OSError:
            if self._old.exists():
                fs_rename(self._old, self.target)
                raise
            if not self.target.is_dir():  # otherwise another builder was faster, with the same content
                raise
        fsync_folder(self.target.parent)
        shutil.rmtree(self._old, ignore_errors=True)


def remove_folder(target: str | Path) -> None:
    """Deletes a folder so that it is there whole or not at all: it is renamed first, then emptied.

    Raises:
        OSError: It is not there, or cannot be renamed.
    """
    target = Path(target)
    gone = target.with_name(f".{target.name}.gone-{_host()}-{os.getpid()}-{secrets.token_hex(8)}")
    fs_rename(target, gone)
    fsync_folder(target.parent)
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
            fs_rename(path, target)
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
            fsync_folder(path)
        else:
            with path.open("rb") as file:
                fs_fsync(file.fileno())
    fsync_folder(folder)
