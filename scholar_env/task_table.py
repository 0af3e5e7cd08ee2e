"""The search tasks of a corpus and its named subsets, as stored beside the papers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, TaskNotFoundError
from scholar_env.records import Task

TASKS = "tasks.jsonl"
SUBSETS = "subsets.json"

LEFT_OUT = "left_out"
"""Label of a task that is kept but in no subset; its value is the reason, ``""`` for all other tasks."""


class TaskTable:
    """The tasks of a corpus in release order.

    Args:
        tasks: The tasks, with distinct ids.

    Attributes:
        ids: Their ids.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self.ids: tuple[str, ...] = tuple(self._tasks)

    def get(self, task_id: str) -> Task:
        """Returns a task by its id.

        Raises:
            TaskNotFoundError: The table has no such task.
        """
        task = self._tasks.get(task_id)
        if task is None:
            raise TaskNotFoundError(
                f"there is no task {task_id!r}",
                f"the corpus has {len(self.ids)} tasks, from {min(self.ids, default='-')!r} on",
                "use an id from the environment's list of tasks",
            )
        return task

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._tasks

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[Task]:
        """Iterates over the tasks in order."""
        return iter(self._tasks.values())


def task_line(task: Task) -> bytes:
    """Returns a task as one line of JSON in UTF-8, as stored and as hashed into fingerprints.

    Raises:
        CorpusFormatError: Its details are no plain JSON, or a text of it holds a lone surrogate.
    """
    row: dict[str, Any] = {
        "id": task.id,
        "question": task.question,
        "before": task.before,
        "gold": list(task.gold),
        "source": task.source,
        "labels": task.labels,
    }
    if task.details:  # a key of its own only where there is something, so that other tasks keep their lines
        row["details"] = dict(task.details)
    try:
        return (json.dumps(row, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n").encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise CorpusFormatError(
            f"the task {task.id!r} cannot be written ({error})",
            "tasks hold valid Unicode, and their details plain JSON without NaN and infinities",
            "mend the task or leave it out",
        ) from error


def subsets_bytes(subsets: Mapping[str, Iterable[str]]) -> bytes:
    """Returns the subsets as JSON in UTF-8, as stored and as hashed into the corpus fingerprint."""
    rows = {name: list(ids) for name, ids in subsets.items()}
    return (json.dumps(rows, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode("utf-8")


def read_tasks(path: str | Path) -> TaskTable:
    """Reads a task file.

    Raises:
        CorpusIntegrityError: The file is missing or a line is no task.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            return parse_tasks(file, path)
    except OSError as error:
        raise _broken(path, f"it cannot be read ({error!r})") from error


def parse_tasks(lines: Iterable[bytes], path: Path) -> TaskTable:
    """Reads tasks from the lines of a task file; ``path`` is for messages. See :func:`read_tasks`."""
    tasks: list[Task] = []
    try:
        tasks.extend(_task(json.loads(line)) for line in lines)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _broken(path, f"line {len(tasks) + 1} is no task ({error!r})") from error
    table = TaskTable(tasks)
    if len(table) != len(tasks):
        raise _broken(path, "a task id occurs twice")
    return table


def read_subsets(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Reads a subset file.

    Raises:
        CorpusIntegrityError: The file is missing or no object of lists of ids.
    """
    path = Path(path)
    try:
        return parse_subsets(path.read_bytes(), path)
    except OSError as error:
        raise _broken(path, f"it cannot be read ({error!r})") from error


def parse_subsets(raw: bytes, path: Path) -> dict[str, tuple[str, ...]]:
    """Reads subsets from the bytes of a subset file; ``path`` is for messages. See :func:`read_subsets`."""
    try:
        rows = json.loads(raw)
        return {str(name): tuple([_text(task_id) for task_id in ids]) for name, ids in rows.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _broken(path, f"it holds no subsets ({error!r})") from error


def _task(row: Any) -> Task:
    labels = {_text(key): _text(value) for key, value in row["labels"].items()}
    gold = tuple([_text(paper_id) for paper_id in row["gold"]])
    question, before, source = _text(row["question"]), _text(row["before"]), _text(row["source"])
    details = row.get("details", {})
    if not isinstance(details, dict):
        raise TypeError(f"{details!r:.80} is no object")
    return Task(_text(row["id"]), question, before, gold, source, labels, details)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.80} is no text")
    return value


def _broken(path: Path, what: str) -> CorpusIntegrityError:
    return CorpusIntegrityError(
        f"{path} is damaged: {what}", "the file is as it was frozen", "import or build the corpus again"
    )
