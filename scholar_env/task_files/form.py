"""What a task file format is: a JSON schema for a line, what no schema can say, and how a line becomes a task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scholar_env.records import Task
from scholar_env.task_files.faults import Faults, FieldFault

if TYPE_CHECKING:
    from scholar_env.corpus_folder import Corpus

Record = Mapping[str, Any]
"""One line of a file, parsed."""


class RecordSource(Protocol):
    """Where records come from: a file line by line, or a folder as it was released."""

    path: Path
    name: str

    @property
    def done(self) -> int:
        """Bytes read so far."""
        ...

    @property
    def size(self) -> int:
        """Bytes in all."""
        ...

    @property
    def remarks(self) -> Sequence[str]:
        """What is odd about the records without being wrong, once all were read."""
        ...

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields records with their lines."""
        ...

    def refuse(self, line: int, fault: FieldFault) -> None:
        """Adds a fault of a line."""
        ...

    def sha256(self) -> str:
        """Returns the hex sha256 of all that was read."""
        ...


def no_faults(record: Record) -> Iterable[FieldFault]:
    """The further rules, or remarks, of a format that has none."""
    del record
    return ()


def no_release(path: Path, faults: Faults) -> None:
    """The released form of a format that has none."""
    del path, faults


def gold_of(task: Task) -> tuple[str, ...]:
    """The papers that a task is about when they are its gold."""
    return task.gold


def all_alone(task: Task) -> tuple[str, ...]:
    """The subsets of a task where there is one for all."""
    del task
    return ("all",)


@dataclass(frozen=True, slots=True)
class TaskFileForm:
    """The task file format of a family.

    Attributes:
        family: The family.
        schema_file: Name of the JSON schema of a line, beside the modules of this package. The ``description`` of each
            part completes the sentence "<field> is …" and is shown as the rule when the part is wrong.
        read: Makes the task of a line that the schema and ``check`` let pass.
        check: Rules that no schema can say.
        papers: Ids of the papers that the corpus must hold for a task to be played.
        subsets: Names of the subsets that a task is in.
        remarks: What is odd about a line that is right; its task is taken all the same.
        on_corpus: Makes of a task what it is on a corpus: gold that follows from it, or a ``left_out`` label with the
            reason why there is none. None where a line says it all.
        corpus_remarks: What is odd about a task on a corpus; it is played all the same.
        released: Reads a folder or file in a form of its own, as it was released; gives None for a file of lines.
        label: Makes the function that labels tasks on a corpus, the reason to leave one out among the labels; None for
            labels from the papers.
    """

    family: str
    schema_file: str
    read: Callable[[Record], Task]
    check: Callable[[Record], Iterable[FieldFault]] = no_faults
    papers: Callable[[Task], tuple[str, ...]] = gold_of
    subsets: Callable[[Task], Iterable[str]] = all_alone
    remarks: Callable[[Record], Iterable[FieldFault]] = no_faults
    on_corpus: Callable[[Task, Corpus], Task] | None = None
    corpus_remarks: Callable[[Task, Corpus], Iterable[FieldFault]] | None = None
    released: Callable[[Path, Faults], RecordSource | None] = no_release
    label: Callable[[Corpus, str], Callable[[Task], Task]] | None = None

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of a line, a fresh object."""
        return load_schema(self.schema_file)


def load_schema(name: str) -> dict[str, Any]:
    """Returns a JSON schema of this package by its file name, a fresh object."""
    schema: dict[str, Any] = json.loads(_schema_text(name))
    return schema


@cache
def _schema_text(name: str) -> str:
    return (files("scholar_env.task_files") / name).read_text(encoding="utf-8")
