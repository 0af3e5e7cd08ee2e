"""What a task file format is: a JSON schema for a line, what no schema can say, and how a line becomes a task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from scholar_env.records import Task
from scholar_env.task_files.faults import FieldFault

Record = Mapping[str, Any]
"""One line of a file, parsed."""


def no_faults(record: Record) -> Iterable[FieldFault]:
    """The further rules of a format that has none."""
    del record
    return ()


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
    """

    family: str
    schema_file: str
    read: Callable[[Record], Task]
    check: Callable[[Record], Iterable[FieldFault]] = no_faults
    papers: Callable[[Task], tuple[str, ...]] = gold_of
    subsets: Callable[[Task], Iterable[str]] = all_alone

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
