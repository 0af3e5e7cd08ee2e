"""Reading rollouts as a stream: lines, whole episodes, and the summaries that a study takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.environment.registry import card
from scholar_env.episode.family import family
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import sha256_text
from scholar_env.rollout.episodes import FoundEpisode, found_episodes, whole_episodes
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, read_manifest, stranger, worker_files
from scholar_env.rollout.record import (
    INFRASTRUCTURE,
    EpisodeRecord,
)
from scholar_env.study.summary import EpisodeSummary, Run


@dataclass(frozen=True, slots=True)
class EpisodePlace:
    """The bytes of one whole episode, and whether an infrastructure failure ended it."""

    path: Path
    start: int
    stop: int
    failed: bool


def rollout_files(path: str | Path) -> list[Path]:
    """Returns the files that hold a run's episodes: the merged file, and those of its workers while it is not closed.

    Args:
        path: A run folder, or one rollout file.

    Raises:
        RolloutFormatError: There is no rollout at this path.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    merged = [path / ROLLOUTS] if (path / ROLLOUTS).is_file() else []
    if merged and not is_open(path):
        return merged
    files = [*worker_files(path), *merged] if path.is_dir() else []
    if not files and not (path / MANIFEST).is_file():
        raise RolloutFormatError(
            f"{path} holds no rollout",
            f"a run folder holds {ROLLOUTS}",
            "name a folder made by 'scholar-env run --out'",
        )
    return files


def is_open(path: str | Path) -> bool:
    """Returns whether a run folder is not closed, so that torn ends and failed episodes are nothing unusual in it."""
    path = Path(path)
    try:
        return path.is_dir() and read_manifest(path)["status"] == "running"
    except RolloutFormatError:
        return not (path / ROLLOUTS).is_file()


def find_episodes(folder: str | Path, manifest: dict[str, Any] | None = None) -> dict[str, EpisodePlace]:
    """Returns where each finished task's episode lies; of doubles the first one counts that no infrastructure ended.

    A merged file counts too: it is there when closing was cut short, or when a closed run was opened again.

    Args:
        folder: The run folder.
        manifest: The run that every episode must be of; None leaves that open.

    Raises:
        RolloutFormatError: An episode is of another run.
    """
    places: dict[str, EpisodePlace] = {}
    merged = Path(folder) / ROLLOUTS
    for path in [*worker_files(folder), *([merged] if merged.exists() else [])]:
        for found in whole_episodes(path):
            if manifest is not None:
                _refuse_stranger(manifest, found)
            place = EpisodePlace(path, found.start, found.stop, found.end.failure_kind == INFRASTRUCTURE)
            known = places.get(found.header.task_id)
            if known is None or (known.failed and not place.failed):
                places[found.header.task_id] = place
    return places


def read_episodes(path: str | Path, *, damaged: bool = False) -> Iterator[FoundEpisode]:
    """Yields the episodes of a run folder or rollout file in stored order; a doubled task comes twice.

    Of a run that is not closed, what its own way of working leaves behind is passed over: torn ends, failed episodes
    that were played again, and copies of an episode that a cut-off closing had merged already.

    Args:
        path: A run folder, closed or not, or one rollout file.
        damaged: Whether damaged episodes of a closed run or of a file are passed over, too.

    Raises:
        RolloutFormatError: There is no rollout at this path, or an episode is damaged.
    """
    unfinished = is_open(path)
    places = find_episodes(path) if unfinished else {}
    copies: set[str] = set()
    for file in rollout_files(path):
        for found in found_episodes(file):
            if isinstance(found, Finding) or found.problem:
                if not (damaged or unfinished):
                    raise _damaged(found)
                continue
            if unfinished:
                place, text = places[found.header.task_id], sha256_text("\n".join(found.episode.lines()))
                failed = found.end.failure_kind == INFRASTRUCTURE
                if (failed and (place.path, place.start) != (file, found.start)) or text in copies:
                    continue
                copies.add(text)
            yield found


def _damaged(found: FoundEpisode | Finding) -> RolloutFormatError:
    what = (
        str(found) if isinstance(found, Finding) else f"{found.path.name}, task {found.header.task_id}: {found.problem}"
    )
    return RolloutFormatError(
        what, "every episode is as it was written", "restore the file from a copy (scholar-env replay names each line)"
    )


def summarize(episode: EpisodeRecord) -> EpisodeSummary:
    """Returns what a study needs of an episode."""
    header, end = episode.header, episode.end
    columns = family(card(header.env_id).family).rows
    return EpisodeSummary(
        task_id=header.task_id,
        source=str(end.evaluation["source"]),
        labels={str(key): str(value) for key, value in end.evaluation["labels"].items()},
        n_gold=int(end.evaluation["n_gold"]),
        metrics=_floats(end.evaluation["metrics"]),
        rows=[{name: float(row[name]) for name in columns} for row in end.evaluation["rows"]],
        return_=end.total_reward,
        stop_reason=end.stop_reason,
        failure_kind=end.failure_kind,
        assisted=header.assisted,
        corpus=header.corpus,
        env_id=header.env_id,
        agent=header.agent,
        config_hash=header.config_hash(),
        player_hash=header.player_hash(),
    )


def _floats(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(key): float(value) for key, value in values.items()}


def read_run(path: str | Path) -> Run:
    """Reads a run for a study, one episode at a time.

    Args:
        path: A run folder, closed or not, or one rollout file.

    Raises:
        RolloutFormatError: There is no rollout at this path, or its manifest is damaged.
    """
    path = Path(path)
    manifest = read_manifest(path) if path.is_dir() else None
    expected: list[str] = _tasks_of_file(path) if manifest is None else manifest["tasks"]
    episodes = []
    for found in read_episodes(path, damaged=True):
        if manifest is not None:
            _refuse_stranger(manifest, found)
        try:
            episodes.append(summarize(found.episode))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RolloutFormatError(
                f"{found.path}, line {found.line}: an episode without its evaluation ({error!r})",
                "the end of an episode holds source, labels, n_gold, metrics and rows",
                "record the episode again, or restore the file from a copy",
            ) from error
    return Run(name=path.resolve().name if manifest else path.stem, episodes=episodes, expected=expected)


def _refuse_stranger(manifest: dict[str, Any], found: FoundEpisode) -> None:
    foreign = stranger(manifest, found.header)
    if foreign:
        raise RolloutFormatError(
            f"{found.path}, line {found.line}: an episode of another run ({foreign})",
            "the files of a run folder are those that the run wrote",
            "take that file out of the folder, or restore it from a copy",
        )


def _tasks_of_file(path: Path) -> list[str]:
    """The tasks of all episodes of a file, damaged ones too, so that a study misses those."""
    tasks = []
    for found in (found for file in rollout_files(path) for found in found_episodes(file)):
        task_id = found.task_id if isinstance(found, Finding) else found.header.task_id
        tasks.append(task_id or f"({path.name}, line {found.line})")
    return tasks
