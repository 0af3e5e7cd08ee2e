"""Closing a run: whole episodes of all worker files, in task order, into one JSONL file and one Parquet table.

The result depends on the tasks, the seed and the code alone, not on the number of workers, kills or continuations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env import storage
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.folder import ROLLOUTS, TABLE, worker_files, write_manifest
from scholar_env.rollout.reader import whole_episodes
from scholar_env.rollout.record import INFRASTRUCTURE
from scholar_env.rollout.table import write_table


@dataclass(frozen=True, slots=True)
class EpisodePlace:
    """The bytes of one whole episode, and whether an infrastructure failure ended it."""

    path: Path
    start: int
    stop: int
    failed: bool


def find_episodes(folder: str | Path) -> dict[str, EpisodePlace]:
    """Returns where each finished task's episode lies; of doubles the first one counts that no infrastructure ended.

    A merged file counts too: it is there when closing was cut short, or when a closed run was opened again.
    """
    places: dict[str, EpisodePlace] = {}
    merged = Path(folder) / ROLLOUTS
    for path in [*worker_files(folder), *([merged] if merged.exists() else [])]:
        for found in whole_episodes(path):
            episode = found.episode
            place = EpisodePlace(path, found.start, found.stop, episode.end.failure_kind == INFRASTRUCTURE)
            known = places.get(episode.header.task_id)
            if known is None or (known.failed and not place.failed):
                places[episode.header.task_id] = place
    return places


def close_run(folder: str | Path, manifest: dict[str, Any], session: dict[str, Any]) -> dict[str, Any]:
    """Merges the worker files, writes the final manifest and removes the worker files.

    A crash at any point leaves either the worker files with a running manifest, which closing again starts from, or a
    complete run, with perhaps some worker files too many.

    Args:
        folder: The run folder.
        manifest: The manifest of the running run, with ``tasks``.
        session: Timing of the closing session, for the reader's interest only.

    Returns:
        The final manifest: status ``complete``, and sha256 and size per file under ``files``.

    Raises:
        RolloutFormatError: A task has no whole episode.
    """
    folder = Path(folder)
    places = find_episodes(folder)
    missing = [task for task in manifest["tasks"] if task not in places]
    if missing:
        raise RolloutFormatError(
            f"{len(missing)} of {len(manifest['tasks'])} tasks have no whole episode, the first is {missing[0]!r}",
            "a run closes when each of its tasks is done",
            "continue it with --resume",
        )
    files = {
        ROLLOUTS: _merge(folder / ROLLOUTS, (places[task] for task in manifest["tasks"])),
        TABLE: write_table(folder / TABLE, (found.episode for found in whole_episodes(folder / ROLLOUTS))),
    }
    final = {**manifest, "status": "complete", "files": files, "session": session}
    write_manifest(folder, final)
    remove_worker_files(folder)
    return final


def remove_worker_files(folder: str | Path) -> None:
    """Removes what a run that is complete needs no more: worker files, and temporary files of killed sessions."""
    for path in [*worker_files(folder), *Path(folder).glob(".*.tmp")]:
        path.unlink()


def _merge(target: Path, places: Iterator[EpisodePlace]) -> dict[str, Any]:
    temporary = target.with_name(f".{target.name}.tmp")
    with storage.DurableFile(temporary) as out:
        for place in places:
            with place.path.open("rb") as file:
                file.seek(place.start)
                out.write(file.read(place.stop - place.start))
    storage.fs_rename(temporary, target)
    storage.fsync_folder(target.parent)
    return {"sha256": out.sha256(), "size": out.size}
