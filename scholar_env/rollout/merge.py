"""Closing a run: whole episodes of all worker files, in task order, into one JSONL file and one Parquet table.

The result depends on the tasks, the seed and the code alone, not on the number of workers, kills or continuations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scholar_env import storage
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.episodes import whole_episodes
from scholar_env.rollout.folder import ROLLOUTS, TABLE, worker_files, write_manifest
from scholar_env.rollout.reader import EpisodePlace, find_episodes
from scholar_env.rollout.table import write_table


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
    places = find_episodes(folder, manifest)
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
    with storage.replacing(target) as out:
        for place in places:
            with place.path.open("rb") as file:
                file.seek(place.start)
                out.write(file.read(place.stop - place.start))
    return {"sha256": out.sha256(), "size": out.size}
