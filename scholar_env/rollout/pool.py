"""Handing out tasks: each from one queue, each once, to this process or to several."""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from scholar_env.errors import InfrastructureError
from scholar_env.rollout.episodes import whole_episodes
from scholar_env.rollout.folder import EpisodeWriter, next_worker_number, worker_file
from scholar_env.rollout.setting import Setting
from scholar_env.rollout.worker import Player, work

_AHEAD = 2
"""Tasks that a worker holds: the one it plays and the next, so that it never waits for this process."""

_GRACE_S = 10.0
"""Seconds that workers have to end on their own when nothing is left to do."""


@dataclass
class _Worker:
    process: SpawnProcess
    channel: connection.Connection[Any, Any]
    path: Path
    tasks: deque[str] = field(default_factory=deque)


def play_here(setting: Setting, folder: Path, tasks: Sequence[str]) -> Iterator[float]:
    """Plays tasks in this process, one after the other; yields the CPU seconds of each when it is on the disk."""
    if not tasks:
        return
    player = Player(setting)
    with EpisodeWriter(worker_file(folder, next_worker_number(folder))) as writer:
        for task_id in tasks:
            began = time.process_time()
            writer.append(player.play(task_id))
            yield time.process_time() - began


def play_in_processes(setting: Setting, folder: Path, tasks: Sequence[str], n_workers: int) -> Iterator[float]:
    """Plays tasks in spawned processes, which share the index through the page cache.

    A worker that dies is replaced, and what it had not finished is handed out again; a task over which two workers died
    ends the run.

    Yields:
        CPU seconds per finished episode, in order of finishing.

    Raises:
        InfrastructureError: Two workers died over one task.
        ScholarEnvError: A worker could not go on; its error.
    """
    pool = _Pool(setting, folder, tasks)
    try:
        pool.start(min(n_workers, len(tasks)))
        while pool.workers:
            yield from pool.next_events()
    finally:
        pool.stop()


class _Pool:
    def __init__(self, setting: Setting, folder: Path, tasks: Sequence[str]) -> None:
        self._setting = setting
        self._folder = folder
        self._queue = deque(tasks)
        self._suspects: set[str] = set()  # tasks over which a worker died
        self._context = multiprocessing.get_context("spawn")
        self._number = next_worker_number(folder)
        self.workers: list[_Worker] = []

    def start(self, n: int) -> None:
        """Starts ``n`` more workers, each with its first tasks."""
        for _ in range(n):
            path = worker_file(self._folder, self._number)
            self._number += 1
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=work, args=(theirs, self._setting, path), daemon=True)
            process.start()
            theirs.close()
            worker = _Worker(process, ours, path)
            self.workers.append(worker)
            self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        try:
            while self._queue and len(worker.tasks) < _AHEAD:
                worker.channel.send(self._queue[0])
                worker.tasks.append(self._queue.popleft())
            if not worker.tasks:
                worker.channel.send(None)
        except OSError:  # it is dead, which its channel will tell
            return

    def next_events(self) -> Iterator[float]:
        """Waits for the next messages and deaths, and acts on them."""
        by_channel = {worker.channel: worker for worker in self.workers}
        for ready in connection.wait(list(by_channel)):
            worker = next(item for channel, item in by_channel.items() if channel is ready)
            try:
                message = worker.channel.recv()
            except (EOFError, OSError):
                yield from self._bury(worker)
                continue
            if message[0] == "error":
                raise message[1]
            _, task_id, _, seconds = message
            worker.tasks.remove(task_id)
            self._feed(worker)
            yield seconds

    def _bury(self, worker: _Worker) -> Iterator[float]:
        """Takes a worker that has ended out of the pool, and its unfinished tasks back into the queue."""
        self.workers.remove(worker)
        worker.process.join()
        worker.channel.close()
        finished = (
            {found.episode.header.task_id for found in whole_episodes(worker.path)} if worker.path.exists() else set()
        )
        yield from (0.0 for task in worker.tasks if task in finished)
        left = [task for task in worker.tasks if task not in finished]
        if not left:
            return
        if left[0] in self._suspects:
            raise InfrastructureError(
                f"two workers died over task {left[0]!r} (the last with exit code {worker.process.exitcode})",
                "a task that ends its worker is handed out again once",
                "look for lack of memory or a crash in native code, then go on with --resume",
            )
        self._suspects.add(left[0])
        self._queue.extendleft(reversed(left))
        self.start(1)

    def stop(self) -> None:
        """Ends all workers; those with work left at once."""
        for worker in self.workers:
            worker.process.terminate()
        for worker in self.workers:
            worker.process.join(_GRACE_S)
            worker.channel.close()
        self.workers.clear()
