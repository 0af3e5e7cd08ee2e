"""Files in AISE-Bench's released formats: tasks for scoring, and predictions, read with an allow-list of fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.episode.aise.engine import AiseEpisode, played_plan
from scholar_env.episode.aise.plan import Step, read_plan
from scholar_env.errors import TaskFileError
from scholar_env.records import Task
from scholar_env.task_files import form_of
from scholar_env.task_files.aise_release import PREDICTION_FIELDS, cleaned
from scholar_env.task_files.reader import Input, TaskFileReader


@dataclass(frozen=True, slots=True)
class Prediction:
    """A prediction record.

    Attributes:
        id: The question's id, as text.
        question: The question.
        plan: The predicted steps.
        inputs: Parameters sent, by step.
        results: Results by step.
        summary: The answer as the system gave it, None where it gave none.
        error: What went wrong, "" for nothing.
        line: Place in the file, from 1.
        raw: The record as it stood, allowed fields only.
    """

    id: str
    question: str
    plan: tuple[Step, ...]
    inputs: Mapping[str, Any]
    results: Mapping[str, Any]
    summary: Any
    error: str
    line: int
    raw: Mapping[str, Any]


def read_tasks(path: str | Path) -> list[Task]:
    """The tasks of a file of questions or gold records, as released or as a task file; questions have no gold.

    Raises:
        TaskFileError: Records have faults; the message lists them.
        InvalidOptionError: The file cannot be read, or holds predictions.
    """
    reader = TaskFileReader(Input(Path(path)), form_of("aise"))
    tasks = list(reader.tasks())
    if reader.faults.n:
        raise reader.faults.error(reader.name)
    return tasks


def read_predictions(path: str | Path) -> list[Prediction]:
    """The records of a prediction file, JSON list or JSON lines; whatever is malformed in one stays for the checker.

    Raises:
        TaskFileError: The file holds no records.
    """
    found = []
    for number, record in enumerate(records(path), start=1):
        raw: dict[str, Any] = {name: record[name] for name in PREDICTION_FIELDS if name in record}
        steps, _ = read_plan(record.get("plan", []))
        inputs, results = _executed(record.get("execution_result"))
        found.append(
            Prediction(
                id=str(record.get("id", "")),
                question=str(record.get("question", "")),
                plan=steps,
                inputs=inputs,
                results=results,
                summary=record.get("summary"),
                error=str(record.get("error") or ""),
                line=number,
                raw={**raw, "execution_result": [inputs, results]} if "execution_result" in raw else raw,
            )
        )
    return found


def prediction_record(episode: AiseEpisode) -> dict[str, Any]:
    """What an episode came to, as a prediction record in the released form.

    ``plan`` is JSON text, ``execution_result`` inputs and results by step under the names of the plan, ``summary`` the
    answer as JSON text, or None with an ``error`` where none was given.
    """
    steps, ran = played_plan(episode.state.ran), list(episode.state.ran.values())
    inputs = {
        step.name: dict(one.params if one.inputs is None else one.inputs) for step, one in zip(steps, ran, strict=True)
    }
    results = {step.name: one.result for step, one in zip(steps, ran, strict=True) if one.result is not None}
    record = {
        "id": episode.task.id,
        "question": episode.question,
        "plan": json.dumps([step.as_json() for step in steps], ensure_ascii=False),
        "execution_result": [inputs, results],
        "summary": episode.summary,
    }
    return record if episode.summary is not None else {**record, "error": f"no answer: {episode.state.stop_reason}"}


def _executed(value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and results of ``[inputs, results]``; what has another form counts as nothing."""
    parts: Sequence[Any] = value if isinstance(value, list) else [{}, value]
    inputs = parts[0] if len(parts) > 1 and isinstance(parts[0], dict) else {}
    results = parts[-1] if parts and isinstance(parts[-1], dict) else {}
    return (
        {str(name): params for name, params in inputs.items() if isinstance(params, dict)},
        {str(name): cleaned(result) for name, result in results.items()},
    )


def records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The objects of a file: a JSON list, one object, or one object a line.

    Raises:
        TaskFileError: It cannot be read as one of these.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskFileError(
            f"{path} cannot be read ({error})", "it is a JSON file in UTF-8", "check the path"
        ) from error
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        yield from _lines(path, text)
        return
    found = content if isinstance(content, list) else [content]
    for number, record in enumerate(found, start=1):
        if not isinstance(record, dict):
            raise _bad(path, number, "an object", record)
        yield record


def _lines(path: Path, text: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TaskFileError(
                f"{path}, line {number}: no JSON ({error})", "a line is one JSON object", "mend the line"
            ) from error
        if not isinstance(record, dict):
            raise _bad(path, number, "an object", record)
        yield record


def _bad(path: str | Path, number: int, what: str, record: Any) -> TaskFileError:
    return TaskFileError(
        f"{path}, record {number}: it lacks {what}: {record!r:.120}",
        "records are as the release writes them",
        "mend the record",
    )
