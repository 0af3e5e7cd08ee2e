"""Building something at its first use, once for all processes, and what a person sees of it: a bar, or nothing."""

from __future__ import annotations

import inspect
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scholar_env.build_folder import clear_leftovers
from scholar_env.folder_lock import FolderLock
from scholar_env.sealed import MANIFEST

PROGRESS_VARIABLE = "SCHOLAR_ENV_PROGRESS"
"""Environment variable: ``1`` shows progress where standard error is no terminal, too; ``0`` never shows it."""

Tell = Callable[[str, int, int], None]
"""Takes the stage, what is done of it, and its total."""


def build_once(folder: Path, build: Callable[..., object], title: str, timeout: float) -> Path:
    """Builds a folder with a manifest that is not there, while other processes that want it wait.

    Args:
        folder: Where it is to be.
        build: ``build(folder)`` makes it whole or not at all; one with a parameter ``progress`` is given a
            :data:`Tell`.
        title: What is shown to a person.
        timeout: Seconds to wait for another process.

    Raises:
        CorpusBusyError: Another process takes longer to build it.
    """
    with FolderLock(folder, timeout):
        if not (folder / MANIFEST).is_file():
            clear_leftovers(folder)
            if "progress" not in inspect.signature(build).parameters:
                build(folder)
            else:
                with first_use(title) as tell:
                    build(folder, progress=tell)
    return folder


def is_watched() -> bool:
    """Whether progress is to be shown: by the first process alone, and to a terminal unless the variable says so."""
    if multiprocessing.parent_process() is not None or sys.stderr is None:
        return False
    setting = os.environ.get(PROGRESS_VARIABLE, "")
    return setting != "0" if setting else sys.stderr.isatty()


@contextmanager
def first_use(title: str) -> Iterator[Tell]:
    """Shows how far the block is; it is given a function to tell it.

    Args:
        title: What is built.
    """
    if not is_watched():
        yield lambda stage, done, total: None
    elif sys.stderr.isatty():
        yield from _bar(title)
    else:
        yield _lines(title)


def _bar(title: str) -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda stage, done, total: bars.update(task, description=f"{title}: {stage}", completed=done, total=total)


def _lines(title: str) -> Tell:
    last = ""

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal last
        line = f"{title}: {stage} {10 * (10 * done // max(total, 1))} %"
        if line != last:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
            last = line

    return tell
