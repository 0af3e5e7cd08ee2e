"""Many processes that want one thing at once, and processes that die at any write: what the tests of builds share."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, TypeVar

import pytest

from scholar_env import build_folder, storage
from scholar_env.folder_lock import FolderLock

FORKED, SPAWNED = 24, 8
OPERATIONS = ("fs_write", "fs_fsync", "fs_rename")
TIMEOUT_S = 300

Ask = Callable[["Queue[str]"], None]
"""Asks for what is built at first use, in a process of its own, and puts one answer into the queue."""

NEEDS_POSIX = [
    pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed by signal"),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]
"""Marks of test modules that use this one."""

Test = TypeVar("Test", bound=Callable[..., None])


class Crash(BaseException):
    """Stands for a machine that stops."""


def names(folder: Path) -> list[str]:
    """Names of what a folder holds, sorted."""
    return sorted(path.name for path in folder.iterdir())


def leftover(target: Path, kind: str, pid: int) -> Path:
    """Makes the folder that a killed builder of ``target`` leaves behind: a ``build``, an ``old`` or a ``gone`` one."""
    path = target.with_name(f".{target.name}.{kind}-{build_folder._host()}-{pid}-00ff")
    path.mkdir()
    (path / "part").write_bytes(kind.encode())
    return path


def dead_pid() -> int:
    """The id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def needs_posix(test: Test) -> Test:
    """Marks one test with :data:`NEEDS_POSIX`."""
    for mark in NEEDS_POSIX:
        test = mark(test)
    return test


def start(code: str, home: Path, **variables: str) -> subprocess.Popen[str]:
    """Starts Python code in a process that sees the same modules and has that home."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SCHOLAR_ENV_HOME": str(home), **variables}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env=environment)


def start_builder(code: str, home: Path, says: str) -> subprocess.Popen[str]:
    """Starts a builder that stops midway, and waits until it says so."""
    builder = start(code, home)
    assert builder.stdout is not None
    assert builder.stderr is not None
    assert builder.stdout.readline() == f"{says}\n", builder.stderr.read()
    return builder


def answers_when_the_builder_is_killed(builder: subprocess.Popen[str], ask: Ask) -> list[str]:
    """Lets 32 processes wait for a stopped builder, kills it, and returns their answers.

    Args:
        builder: From :func:`start_builder`.
        ask: What each process does; of a module that a new process can import.
    """
    fork, spawn = multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")
    results: Queue[str] = spawn.Queue()
    workers = [
        *(fork.Process(target=ask, args=(results,)) for _ in range(FORKED)),
        *(spawn.Process(target=ask, args=(results,)) for _ in range(SPAWNED)),
    ]
    for worker in workers:
        worker.start()
    assert results.empty()
    builder.kill()
    assert builder.wait() == -signal.SIGKILL
    for stream in (builder.stdout, builder.stderr):
        assert stream is not None
        stream.close()
    answers = [results.get(timeout=TIMEOUT_S) for _ in workers]
    for worker in workers:
        worker.join(timeout=TIMEOUT_S)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    return answers


def answers_without_a_lock(ask: Ask, n: int, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Lets processes that ignore the lock build the same thing at once, and returns what they answer."""
    monkeypatch.setattr(FolderLock, "__enter__", lambda self: self)
    context = multiprocessing.get_context("fork")  # hands the patched lock to the children
    results: Queue[str] = context.Queue()
    workers = [context.Process(target=ask, args=(results,)) for _ in range(n)]
    for worker in workers:
        worker.start()
    answers = {results.get(timeout=TIMEOUT_S) for _ in workers}
    for worker in workers:
        worker.join(timeout=TIMEOUT_S)
    assert [worker.exitcode for worker in workers] == [0] * n
    return answers


def crashes(work: Callable[[], object]) -> Iterator[int]:
    """Does a piece of work again and again, each time killed one operation further, until it gets to its end.

    The killed process has done its last write by half. Yields the number of the operation after each death.

    Args:
        work: Loads no module that is not loaded yet, since the children inherit them.
    """
    context = multiprocessing.get_context("fork")
    for at in range(10_000):
        process = context.Process(target=_work_with_crash, args=(work, at))
        process.start()
        process.join(timeout=60)
        if process.exitcode == 0:
            return
        assert process.exitcode == 9
        yield at
    raise AssertionError("the work never ends")


def _work_with_crash(work: Callable[[], object], at: int) -> None:
    """Works, and dies like a killed process at operation ``at`` (from 0), when it has been done by half."""
    count = 0

    def replace(name: str) -> None:
        real = getattr(storage, name)

        def operation(*given: Any) -> None:
            nonlocal count
            if count == at:
                if name == "fs_write":
                    file, data = given
                    file.write(data[: len(data) // 2])
                    file.flush()
                os._exit(9)
            count += 1
            real(*given)

        setattr(storage, name, operation)

    for name in OPERATIONS:
        replace(name)
    work()
    os._exit(0)
