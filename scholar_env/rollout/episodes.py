"""One rollout file as a stream of lines, and of whole episodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import read_checked_line
from scholar_env.rollout.finding import Finding
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
