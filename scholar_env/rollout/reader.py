"""Reading rollouts as a stream: lines, whole episodes, and the summaries that a study takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import read_checked_line
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, worker_files
from scholar_env.rollout.record import EpisodeEnd, EpisodeHeader, EpisodeRecord, Line, StepRecord, from_json


@dataclass(frozen=True, slots=True)
class ReadLine:
    """One line as it stands in a file.

    Attributes:
        path: The file.
        number: Line number, from 1.
        start: Byte offset of the line.
        stop: Byte offset behind its newline.
        record: What it says, None when it says nothing that can be read.
        problem: What is wrong with it, "" when nothing.
    """

    path: Path
    number: int
    start: int
    stop: int
    record: Line | None
    problem: str


@dataclass(frozen=True, slots=True)
class ReadEpisode:
    """A whole episode and where it lies: file, number of its first line, byte range."""

    episode: EpisodeRecord
    path: Path
    line: int
    start: int
    stop: int


def read_lines(path: str | Path) -> Iterator[ReadLine]:
    """Yields every line of a rollout file, good or bad, in order; one line at a time is in memory."""
    path = Path(path)
    offset = 0
    with path.open("rb") as file:
        for number, data in enumerate(file, start=1):
            record, problem = _read(data, f"{path.name}, line {number}")
            yield ReadLine(path, number, offset, offset + len(data), record, problem)
            offset += len(data)


def _read(data: bytes, where: str) -> tuple[Line | None, str]:
    if not data.endswith(b"\n"):
        return None, "it is cut off"
    try:
        text = data[:-1].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 ({error.reason})"
    raw, problem = read_checked_line(text)
    if raw is None:
        return None, problem
    try:
        return from_json(raw, where), problem
    except RolloutFormatError as error:
        return None, problem or str(error)


def whole_episodes(path: str | Path) -> Iterator[ReadEpisode]:
    """Yields the episodes of a file that are whole and unharmed; torn ones are passed over."""
    header: EpisodeHeader | None = None
    steps: list[StepRecord] = []
    first = start = 0
    for line in read_lines(path):
        record = None if line.problem else line.record
        if isinstance(record, EpisodeHeader):
            header, steps, first, start = record, [], line.number, line.start
        elif header is not None and isinstance(record, StepRecord) and record.index == len(steps):
            steps.append(record)
        else:
            if header is not None and isinstance(record, EpisodeEnd) and record.steps == len(steps):
                episode = EpisodeRecord(header, tuple(steps), record)
                yield ReadEpisode(episode, line.path, first, start, line.stop)
            header = None


def rollout_files(path: str | Path) -> list[Path]:
    """Returns the files that hold a run's episodes: the merged file, or those of its workers while it is not closed.

    Args:
        path: A run folder, or one rollout file.

    Raises:
        RolloutFormatError: There is no rollout at this path.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if (path / ROLLOUTS).is_file():
        return [path / ROLLOUTS]
    files = worker_files(path) if path.is_dir() else []
    if not files and not (path / MANIFEST).is_file():
        raise RolloutFormatError(
            f"{path} holds no rollout",
            f"a run folder holds {ROLLOUTS}",
            "name a folder made by 'scholar-env run --out'",
        )
    return files


def read_episodes(path: str | Path) -> Iterator[ReadEpisode]:
    """Yields the whole episodes of a run folder or rollout file, each task once, in stored order.

    Raises:
        RolloutFormatError: There is no rollout at this path.
    """
    seen: set[str] = set()
    for file in rollout_files(path):
        for found in whole_episodes(file):
            if found.episode.header.task_id not in seen:
                seen.add(found.episode.header.task_id)
                yield found
