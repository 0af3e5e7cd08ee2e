"""A finding: one thing that is not as it was recorded, with its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was recorded.

    Attributes:
        file: Name of the file.
        line: Line number from 1, 0 when it is about the whole file.
        task_id: Task of the episode, "" when unknown.
        step: Index of the step, -1 when it is about no step.
        field: Field that differs, "" when it is about the file's bytes.
        expected: What was recorded, as text.
        got: What is there, as text.
    """

    file: str
    line: int = 0
    task_id: str = ""
    step: int = -1
    field: str = ""
    expected: str = ""
    got: str = ""

    def __str__(self) -> str:
        place = [self.file]
        if self.line:
            place.append(f"line {self.line}")
        if self.task_id:
            place.append(f"task {self.task_id}")
        if self.step >= 0:
            place.append(f"step {self.step}")
        what = f"{self.field}: " if self.field else ""
        return f"{', '.join(place)}: {what}expected {self.expected}, got {self.got}"
