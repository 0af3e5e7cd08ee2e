"""Durable files: what is written is on the disk, and a file is replaced whole or not at all.

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
import secrets
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
