"""Runs: many tasks, each exactly once, on any number of workers, into a folder that survives kills."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

import scholar_env
from scholar_env import storage
from scholar_env.environment.endless import EndlessIds, EndlessOrder
from scholar_env.environment.registry import card, open_corpus
from scholar_env.environment.tasks import TaskOrder
from scholar_env.errors import InvalidOptionError
from scholar_env.rollout import folder as files
from scholar_env.rollout.merge import close_run, remove_worker_files
from scholar_env.rollout.pool import play_here, play_in_processes
from scholar_env.rollout.reader import find_episodes, read_episodes
from scholar_env.rollout.record import INFRASTRUCTURE
from scholar_env.rollout.setting import Setting, own_id
from scholar_env.task_set import resolve_task_set

Progress = Callable[[int, int], None]
"""Told the number of finished tasks and of all tasks."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run: its folder, its manifest, and how many episodes this session played."""

    folder: Path
    manifest: dict[str, Any]
    n_played: int


def run(
    env_id: str,
    agent: str = "direct",
    *,
    out: str | Path,
    kwargs: Mapping[str, Any] | None = None,
    agent_options: Mapping[str, Any] | None = None,
    corpus: str | None = None,
    tasks: int | Sequence[str] | None = None,
    seed: int = 0,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> RunResult:
    """Plays tasks with an agent and records them.

    The recorded episodes depend on everything here but ``workers``, ``resume`` and ``progress``. With several
    workers, call it under ``if __name__ == "__main__":``, as every start of processes wants it.

    Args:
        env_id: Registered id of this package.
        agent: Name of an agent, or ``package.module:Class``.
        out: Folder of the run; made, or empty.
        kwargs: Arguments of the environment.
        agent_options: Options of the agent.
        corpus: Corpus specification; None resolves the default once, here.
        tasks: Task ids; a number takes that many in the environment's own order (``task_seed``); None takes all.
        seed: Fixes every draw of environment and agent, per task.
        workers: 1 plays in this process, more start that many processes.
        resume: Go on with the run in ``out`` when there is one; episodes that an infrastructure failure ended, or that
            were damaged since, are played again.
        progress: Called after each episode.

    Returns:
        The closed run.

    Raises:
        InvalidOptionError: A bad id, argument, option or number, or ``out`` holds something else.
        TaskNotFoundError: A task is not in the environment's set.
        InfrastructureError: A worker died twice over the same task. The folder can be resumed.
    """
    if workers < 1:
        raise InvalidOptionError(f"workers={workers}", "a run has at least one worker", "pass 1 or more")
    setting = _settle(Setting(own_id(env_id), dict(kwargs or {}), corpus, agent, dict(agent_options or {}), seed))
    env = setting.make_env()
    options = setting.make_agent(env).options
    identity = {
        "env_id": setting.env_id,
        "kwargs": setting.kwargs,
        "corpus": env.corpus_identity,
        "agent": agent,
        "agent_options": options,
        "seed": seed,
        "tasks": _choose(env.tasks, tasks, env.options["task_seed"]),
    }
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    with _only_writer(target):
        manifest = _open(target, identity, resume=resume)
        if manifest["status"] == "complete":
            remove_worker_files(target)
            return RunResult(target, manifest, 0)
        return _play(target, manifest, setting, workers, progress)


def _settle(setting: Setting) -> Setting:
    """Fixes the corpus and the task set by their fingerprints, once, for this process and all workers."""
    kwargs = dict(setting.kwargs)
    named = kwargs.pop("corpus", None)
    if named is not None and setting.corpus is not None and named != setting.corpus:
        raise InvalidOptionError(
            f"corpus={setting.corpus!r} and kwargs corpus={named!r}", "a run has one corpus", "name it once"
        )
    given = {"corpus": setting.corpus or named, "tasks": kwargs.get("tasks")}
    settled = replace(setting, kwargs=kwargs, corpus=open_corpus(card(setting.env_id), given).spec)
    if not isinstance(given["tasks"], str):
        return settled
    task_set = resolve_task_set(given["tasks"])
    return replace(settled, kwargs={**kwargs, "tasks": task_set.identity}, task_set=task_set.spec)


def _choose(known: Sequence[str], tasks: int | Sequence[str] | None, task_seed: int) -> list[str]:
    if tasks is None:
        return list(known)
    endless = isinstance(known, EndlessIds)
    order = EndlessOrder(known, task_seed) if isinstance(known, EndlessIds) else TaskOrder(known, task_seed)
    if isinstance(tasks, int):
        if tasks < 1 or not (endless or tasks <= len(known)):
            raise InvalidOptionError(
                f"tasks={tasks}",
                f"the environment has {'endless' if endless else len(known)} tasks",
                "ask for 1 to that many",
            )
        return [order.at(place) for place in range(tasks)]
    return list(TaskOrder([order.require(task_id) for task_id in tasks]).ids)


@contextmanager
def _only_writer(target: Path) -> Iterator[None]:
    lock = FileLock(target / ".lock", timeout=0)
    try:
        with lock:
            yield
    except Timeout:
        raise InvalidOptionError(
            f"another process is writing the run in {target}",
            "one process at a time writes a run folder",
            "wait for it, or choose another folder",
        ) from None


def _open(target: Path, identity: dict[str, Any], *, resume: bool) -> dict[str, Any]:
    """Returns the manifest of the run to go on with, or of a new one, which is written."""
    if not (target / files.MANIFEST).exists():
        strangers = [path.name for path in sorted(target.iterdir()) if not path.name.startswith(".")]
        if strangers:
            raise InvalidOptionError(
                f"{target} is not empty (it holds {strangers[0]})", "a new run takes an empty folder", "choose another"
            )
        manifest = files.new_manifest(identity, scholar_env.__version__)
        files.write_manifest(target, manifest)
        return manifest
    if not resume:
        raise InvalidOptionError(
            f"{target} holds a run already", "a run is never overwritten", "add --resume, or choose another folder"
        )
    manifest = files.read_manifest(target)
    files.check_same_run(target, manifest, identity)
    if manifest["status"] == "complete" and (_is_damaged(target, manifest) or _has_failures(target)):
        manifest = {**manifest, "status": "running", "files": {}}
        files.write_manifest(target, manifest)
    return manifest


def _is_damaged(target: Path, manifest: dict[str, Any]) -> bool:
    """Whether a file of a closed run is not as it was written: what is left of the episodes is then closed anew."""
    wanted = {name: manifest["files"].get(name, {}).get("sha256") for name in (files.ROLLOUTS, files.TABLE)}
    return any(
        not (target / name).is_file() or storage.sha256_file(target / name) != sha256 for name, sha256 in wanted.items()
    )


def _has_failures(target: Path) -> bool:
    return any(found.episode.end.failure_kind == INFRASTRUCTURE for found in read_episodes(target))


def _play(
    target: Path, manifest: dict[str, Any], setting: Setting, workers: int, progress: Progress | None
) -> RunResult:
    places = find_episodes(target, manifest)
    done = {task for task, place in places.items() if not place.failed}
    todo = [task for task in manifest["tasks"] if task not in done]
    tell = progress or (lambda finished, total: None)
    n_tasks = len(manifest["tasks"])
    tell(n_tasks - len(todo), n_tasks)
    began, cpu_seconds = time.perf_counter(), 0.0
    playing = play_here(setting, target, todo) if workers == 1 else play_in_processes(setting, target, todo, workers)
    for finished, seconds in enumerate(playing, start=n_tasks - len(todo) + 1):
        cpu_seconds += seconds
        tell(finished, n_tasks)
    session = {
        "workers": workers,
        "episodes": len(todo),
        "cpu_seconds": round(cpu_seconds, 3),
        "wall_seconds": round(time.perf_counter() - began, 3),
    }
    return RunResult(target, close_run(target, manifest, session), len(todo))
