"""The lock that saves double work where several processes want the same folder."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from scholar_env.errors import CorpusBusyError

LOCK_TIMEOUT_S = 600.0
"""Seconds that a waiter gives another builder before it gives up, unless told otherwise."""


class FolderLock:
    """Lets one process (and one thread) at a time build the folder ``target``; others wait.

    The lock only saves work: correctness rests on the unique temporary folder and the rename. On file systems
    without locks it does nothing.

    Args:
        target: The folder to be built; the lock file lies beside it.
        timeout: Seconds to wait before giving up.

    Raises:
        CorpusBusyError: Another builder held the lock for longer than ``timeout`` (on entering the block).
    """

    def __init__(self, target: str | Path, timeout: float = LOCK_TIMEOUT_S) -> None:
        self.target = Path(target)
        self.timeout = timeout
        self._lock: FileLock | None = None

    def __enter__(self) -> FolderLock:
        self.target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.target.with_name(f".{self.target.name}.lock"), timeout=self.timeout)
        try:
            lock.acquire()
        except Timeout as error:
            raise CorpusBusyError(
                f"another process has been building {self.target} for more than {self.timeout:g} seconds",
                "one process builds a folder while the others wait",
                "wait for it to end, or end it and try again",
            ) from error
        except NotImplementedError:
            return self
        self._lock = lock
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
