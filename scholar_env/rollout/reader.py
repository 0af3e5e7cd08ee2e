"""Reading rollouts as a stream: lines, whole episodes, and the summaries that a study takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import read_checked_line
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, read_manifest, worker_files
from scholar_env.rollout.record import EpisodeEnd, EpisodeHeader, EpisodeRecord, Line, StepRecord, from_json
from scholar_env.study.summary import EpisodeSummary, Run


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
class FoundEpisode:
    """An episode and where it lies: file, number of its first line, byte range.

    Attributes:
        unharmed: Whether each of its lines matches its own check.
    """

    header: EpisodeHeader
    steps: tuple[StepRecord, ...]
    end: EpisodeEnd
    path: Path
    line: int
    start: int
    stop: int
    unharmed: bool

    @property
    def episode(self) -> EpisodeRecord:
        """The episode."""
        return EpisodeRecord(self.header, self.steps, self.end)


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


def found_episodes(path: str | Path) -> Iterator[FoundEpisode | Finding]:
    """Yields the episodes of a file in order, and in their place what is wrong where lines do not make up an episode.

    A line whose check fails but whose content can be read takes part, so that a replay can say what was changed.
    """
    lines: list[ReadLine] = []
    for line in read_lines(path):
        expected = EpisodeHeader if not lines else StepRecord | EpisodeEnd
        if isinstance(line.record, EpisodeHeader) and lines:
            yield _torn(lines, "the next episode begins")
            lines = []
            expected = EpisodeHeader
        if not isinstance(line.record, expected):
            if lines or line.record is None:
                yield _torn([*lines, line], line.problem or "a line without its episode")
            lines = []
            continue
        lines.append(line)
        if isinstance(line.record, EpisodeEnd):
            yield _whole(lines)
            lines = []
    if lines:
        yield _torn(lines, "the file ends")


def _whole(lines: list[ReadLine]) -> FoundEpisode | Finding:
    header, end = lines[0].record, lines[-1].record
    steps = tuple(line.record for line in lines if isinstance(line.record, StepRecord))
    if not isinstance(header, EpisodeHeader) or not isinstance(end, EpisodeEnd):
        return _torn(lines, "an episode without header or end")
    if [step.index for step in steps] != list(range(end.steps)):
        return _torn(lines, f"steps {[step.index for step in steps]}")
    unharmed = not any(line.problem for line in lines)
    first = lines[0]
    return FoundEpisode(header, steps, end, first.path, first.number, first.start, lines[-1].stop, unharmed)


def _torn(lines: list[ReadLine], got: str) -> Finding:
    header = lines[0].record
    task_id = header.task_id if isinstance(header, EpisodeHeader) else ""
    return Finding(
        lines[0].path.name, lines[-1].number, task_id, expected="header, steps and end of an episode", got=got
    )


def whole_episodes(path: str | Path) -> Iterator[FoundEpisode]:
    """Yields the episodes of a file that are whole and unharmed; others are passed over."""
    for found in found_episodes(path):
        if isinstance(found, FoundEpisode) and found.unharmed:
            yield found


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


def read_episodes(path: str | Path) -> Iterator[FoundEpisode]:
    """Yields the whole episodes of a run folder or rollout file, each task once, in stored order.

    Raises:
        RolloutFormatError: There is no rollout at this path.
    """
    seen: set[str] = set()
    for file in rollout_files(path):
        for found in whole_episodes(file):
            if found.header.task_id not in seen:
                seen.add(found.header.task_id)
                yield found


def summarize(episode: EpisodeRecord) -> EpisodeSummary:
    """Returns what a study needs of an episode."""
    header, end = episode.header, episode.end
    return EpisodeSummary(
        task_id=header.task_id,
        source=str(end.evaluation["source"]),
        labels={str(key): str(value) for key, value in end.evaluation["labels"].items()},
        n_gold=int(end.evaluation["n_gold"]),
        metrics=_floats(end.evaluation["metrics"]),
        iterations=[_floats(row) for row in end.evaluation["iterations"]],
        return_=end.total_reward,
        stop_reason=end.stop_reason,
        failure_kind=end.failure_kind,
        assisted=header.assisted,
        corpus=header.corpus,
        env_id=header.env_id,
        agent=header.agent,
        config_hash=header.config_hash(),
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
    expected: list[str] = read_manifest(path)["tasks"] if path.is_dir() else []
    episodes = [summarize(found.episode) for found in read_episodes(path)]
    return Run(name=path.name if path.is_dir() else path.stem, episodes=episodes, expected=expected)
