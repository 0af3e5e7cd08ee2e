"""Reading rollouts as a stream: lines, whole episodes, and the summaries that a study takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from scholar_env.environment.registry import card
from scholar_env.episode.family import family
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import read_checked_line, sha256_text
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.folder import MANIFEST, ROLLOUTS, read_manifest, stranger, worker_files
from scholar_env.rollout.record import (
    INFRASTRUCTURE,
    EpisodeEnd,
    EpisodeHeader,
    EpisodeRecord,
    Line,
    StepRecord,
    from_json,
)
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
        problem: What is wrong with the first line that does not match its own check, with its number; "" when nothing.
    """

    header: EpisodeHeader
    steps: tuple[StepRecord, ...]
    end: EpisodeEnd
    path: Path
    line: int
    start: int
    stop: int
    problem: str = ""

    @property
    def unharmed(self) -> bool:
        """Whether each of its lines matches its own check."""
        return not self.problem

    @property
    def episode(self) -> EpisodeRecord:
        """The episode."""
        return EpisodeRecord(self.header, self.steps, self.end)


@dataclass(frozen=True, slots=True)
class EpisodePlace:
    """The bytes of one whole episode, and whether an infrastructure failure ended it."""

    path: Path
    start: int
    stop: int
    failed: bool


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
    skipping = False  # behind lines that were reported already, up to the next episode
    for line in read_lines(path):
        expected = EpisodeHeader if not lines else StepRecord | EpisodeEnd
        if isinstance(line.record, EpisodeHeader) and lines:
            yield _torn(lines, "the next episode begins")
            lines = []
            expected = EpisodeHeader
        if not isinstance(line.record, expected):
            if lines or line.record is None or not skipping:
                yield _torn([*lines, line], line.problem or "a line without its episode")
            lines, skipping = [], True
            continue
        lines.append(line)
        skipping = False
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
    messages = [0, *(step.message for step in steps)]
    if any(after - before not in (0, 1) for before, after in pairwise(messages)):
        return _torn(lines, f"messages {messages[1:]}")
    problem = next((f"line {line.number}: {line.problem}" for line in lines if line.problem), "")
    first = lines[0]
    return FoundEpisode(header, steps, end, first.path, first.number, first.start, lines[-1].stop, problem)


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
