"""One worker: a process that plays whole episodes and writes them to a file of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any

from scholar_env.errors import InfrastructureError, ScholarEnvError
from scholar_env.rollout.folder import EpisodeWriter
from scholar_env.rollout.play import play_episode
from scholar_env.rollout.record import EpisodeRecord
from scholar_env.rollout.setting import Setting


class Player:
    """An environment and an agent, made once, that play task after task.

    Args:
        setting: What the run is of.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._env = setting.make_env()
        self._agent = setting.make_agent(self._env)

    def play(self, task_id: str) -> EpisodeRecord:
        """Plays one task.

        Raises:
            AgentError: The agent itself failed.
        """
        setting = self._setting
        return play_episode(
            self._env,
            self._agent,
            setting.agent,
            task_id,
            env_id=setting.env_id,
            kwargs=setting.kwargs,
            seed=setting.seed,
        )


def work(channel: connection.Connection[Any, Any], setting: Setting, path: Path) -> None:
    """Plays the tasks that come through a channel until None comes.

    Sends ``("done", task id, failure kind, CPU seconds)`` after each episode is on the disk, or ``("error", error)``
    and ends. It ends at once when its parent is gone, so that no orphan writes into a folder that another run goes on
    with.

    Args:
        channel: The parent's end sends task ids.
        setting: What the run is of.
        path: The file to write; it must not exist.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        player = Player(setting)
        with EpisodeWriter(path) as writer:
            while (task_id := channel.recv()) is not None:
                began = time.process_time()
                episode = player.play(task_id)
                writer.append(episode)
                channel.send(("done", task_id, episode.end.failure_kind, time.process_time() - began))
    except ScholarEnvError as error:
        channel.send(("error", error))
    except (EOFError, BrokenPipeError):
        return
    except (OSError, MemoryError) as error:
        channel.send(("error", _fault(error)))


def _fault(error: OSError | MemoryError) -> InfrastructureError:
    return InfrastructureError(
        f"a worker failed with {type(error).__name__}: {error}",
        "a worker has the memory that it needs and can write its file",
        "look for a full disk or lack of memory, then go on with --resume",
    )


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
