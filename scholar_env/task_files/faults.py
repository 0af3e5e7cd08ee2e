"""What is wrong with a task file: every fault with its line, field, value, rule and mend."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from scholar_env.errors import TaskFileError

LISTED = 50
"""Faults of a file that are listed; all are counted."""

_LONGEST = 120


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault of a record.

    Attributes:
        field: Path of the field, such as ``constraints[2].level``; ``""`` = the line as a whole.
        value: What stands there, as JSON and cut to 120 characters; ``"nothing"`` where a field is missing.
        rule: What is required.
        mend: What to do about it.
    """

    field: str
    value: str
    rule: str
    mend: str


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a file; see :class:`FieldFault`.

    Attributes:
        file: The file as it was named.
        line: Line, from 1.
    """

    file: str
    line: int
    field: str
    value: str
    rule: str
    mend: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" + (f", {self.field}" if self.field else "")
        return f"{place}: {self.value}. Rule: {self.rule}. Mend: {self.mend}."


@dataclass
class Faults:
    """The faults of a file, the first ones listed, all counted.

    Attributes:
        n: How many there are.
        listed: The first :data:`LISTED`.
    """

    n: int = 0
    listed: list[Fault] = field(default_factory=list)

    def add(self, file: str, line: int, fault: FieldFault) -> None:
        """Adds a fault."""
        self.n += 1
        if len(self.listed) < LISTED:
            self.listed.append(Fault(file, line, fault.field, fault.value, fault.rule, fault.mend))

    def error(self, file: str) -> TaskFileError:
        """Returns the error that lists them."""
        more = f"\n… and {self.n - len(self.listed)} more" if self.n > len(self.listed) else ""
        return TaskFileError(
            (f"{file} has {self.n} fault{'s' * (self.n != 1)}:\n" + "\n".join(map(str, self.listed)) + more).rstrip(
                "."
            ),
            "every line of a task file is right, or nothing of it is imported",
            "mend the lines named above",
            tuple(self.listed),
            self.n,
        )


def shown(value: Any) -> str:
    """Returns a value as it stands in a message: as JSON, cut to 120 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def path_of(parts: Iterable[str | int]) -> str:
    """Returns the path of a field as it is shown: ``constraints[2].level``."""
    path = ""
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else within(path, part)
    return path


def within(field: str, name: str) -> str:
    """Returns the path of a named part of a field, ``""`` being the line; an odd name is shown as JSON."""
    plain = name if re.fullmatch(r"[\w-]{1,60}", name) else shown(name)
    return f"{field}.{plain}" if field else plain
