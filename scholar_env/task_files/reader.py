"""Reads a task file as a stream of tasks, and gathers everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.task_files.faults import Faults, FieldFault, shown
from scholar_env.task_files.form import RecordSource, TaskFileForm
from scholar_env.task_files.judgements import Judgements, Queries, find_pair
from scholar_env.task_files.lines import SourceFile
from scholar_env.task_files.schema import SchemaCheck

PAIRED = "scholargym"
"""The family whose queries may have their judgements in a file of their own."""


@dataclass(frozen=True, slots=True)
class Input:
    """What is read.

    Attributes:
        path: The task file; for plain queries also the folder of a file of queries and one of judgements.
        qrels: The judgements of plain queries, when they stand in a file of their own.
        least: Least score of a gold paper in it.
    """

    path: Path
    qrels: Path | None = None
    least: float = 1.0


class TaskFileReader:
    """Reads the tasks of a file once, in order and in bounded memory.

    Args:
        given: What is read.
        form: Its format.

    Attributes:
        faults: What was found wrong so far.
        done: Bytes read so far, of :attr:`size`.

    Raises:
        InvalidOptionError: A file cannot be read, or judgements are given for a family that has none.
    """

    def __init__(self, given: Input, form: TaskFileForm) -> None:
        self.faults, self._odd = Faults(), Faults()
        self._form = form
        self._lines: dict[str, int] = {}
        path, qrels = given.path, given.qrels
        if path.is_dir() and qrels is None and form.family == PAIRED:
            path, qrels = find_pair(path)
        if qrels is not None and form.family != PAIRED:
            raise InvalidOptionError(
                f"judgements for the family {form.family!r}",
                f"task files of the family {PAIRED} alone have judgements in a file of their own",
                "leave --qrels out",
            )
        if qrels is None and path.suffix == ".tsv":
            raise InvalidOptionError(
                f"{path} without judgements", "a table of queries has its judgements beside it", "add --qrels FILE"
            )
        self._judgements = None if qrels is None else Judgements(qrels, given.least, self.faults)
        self._queries = None if self._judgements is None else Queries(path, self._judgements, self.faults)
        self._source: RecordSource
        if self._queries is not None:
            self._source = self._queries.source
        else:
            self._source = form.released(path, self.faults) or SourceFile(path, self.faults)

    @property
    def name(self) -> str:
        """The file as it was named."""
        return self._source.name

    @property
    def ids(self) -> Container[str]:
        """The query ids read so far."""
        return self._lines.keys()

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return self._source.done

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._source.size

    def sha256(self) -> str:
        """Returns the hex sha256 of the file, once all tasks were read."""
        return self._source.sha256()

    def tasks(self) -> Iterator[Task]:
        """Yields the tasks whose lines are right; the others are faults."""
        check = SchemaCheck(self._form.schema())
        records = self._source.objects() if self._queries is None else self._queries.records()
        for line, record in records:
            wrong = check.faults(record)
            if not wrong:
                wrong = list(self._form.check(record))
            repeated = self._repeated(line, record)
            if repeated is not None:
                wrong.append(repeated)
            for fault in wrong:
                self._source.refuse(line, fault)
            if not wrong:
                for odd in self._form.remarks(record):
                    self._odd.add(self.name, line, odd)
                yield self._form.read(record)

    def _repeated(self, line: int, record: dict[str, Any]) -> FieldFault | None:
        query_id = record.get("query_id")
        if not isinstance(query_id, str) or self._lines.setdefault(query_id, line) == line:
            return None
        rule = f"every line has a query_id of its own; line {self._lines[query_id]} has the same"
        return FieldFault("query_id", shown(query_id), rule, "give the query another id, or remove the line")

    def remark(self, task_id: str, odd: FieldFault) -> None:
        """Adds what is odd about a task that was read."""
        self._odd.add(self.name, self._lines[task_id], odd)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is odd about the records without being wrong, once all tasks were read; of lines the first ones."""
        more = self._odd.n - len(self._odd.listed)
        unlisted = [f"… and {more} more"] if more else []
        return (*self._source.remarks, *map(str, self._odd.listed), *unlisted)

    def notes(self) -> list[str]:
        """Returns what a reader of the set should know of its files, once all tasks were read."""
        notes = [f"{self._source.path.name} has the sha256 {self.sha256()}"]
        if self._judgements is not None and self._queries is not None:
            source = self._judgements.source
            notes.append(f"{source.path.name} has the sha256 {source.sha256()}")
            if self._judgements.n_repeated:
                notes.append(f"{self._judgements.n_repeated} judgements repeat an earlier one")
            if self._queries.n_unjudged:
                notes.append(f"{self._queries.n_unjudged} queries without judgement were passed over")
            notes.extend(
                f"the field {field!r} of {count} queries was passed over"
                for field, count in self._queries.ignored.items()
            )
        return notes
