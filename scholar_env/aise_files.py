"""Files in AISE-Bench's released formats: questions, gold records and predictions, read with an allow-list of fields.

Gold records and API results of the release hold personal data; only the fields that are listed here are read, the
others are dropped wherever they stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scholar_env.episode.aise.plan import Step, read_plan
from scholar_env.errors import TaskFileError
from scholar_env.graph.kg_ids import canonical_links, entity_of
from scholar_env.records import Task

GOLD_FIELDS: Final = ("qid", "id", "question", "quetsion", "planning_text", "api_input", "api_output", "result_edit")
PREDICTION_FIELDS: Final = ("id", "question", "plan", "execution_result", "summary", "error")
RESULT_FIELDS: Final = frozenset({
    "success", "msg", "error", "details", "data", "total", "log_id", "paper_ids", "titles", "shown", "api", "parameter",
    "id", "name", "name_zh", "name_en", "org", "org_id", "org_zh", "orgs", "interests", "n_citation", "n_pubs",
    "nation", "position", "h_index", "g_index", "citation_num", "pub_num", "activity", "diversity", "sociability",
    "paper_id", "title", "abstract", "year", "citation", "keywords", "authors", "author", "author_id", "venue",
    "language", "url", "alias", "aliases", "acronyms", "issn", "quartile", "source_quartiles", "source", "category",
    "categories", "type", "established", "geo", "country", "relationships", "paper_count", "author_count", "query",
})  # fmt: skip
"""Fields of API results that are kept: none of them is a mail address, telephone number, homepage, photograph, gender,
biography, education or career."""


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


def cleaned(value: Any) -> Any:
    """API results without any field that is not allowed, at any depth."""
    if isinstance(value, Mapping):
        return {key: cleaned(item) for key, item in value.items() if key in RESULT_FIELDS}
    return [cleaned(item) for item in value] if isinstance(value, list) else value


def read_questions(path: str | Path) -> list[Task]:
    """The tasks of a released question file (``[{"id", "question"}]``); they have no gold.

    Raises:
        TaskFileError: The file is no such list; the message names record and field.
    """
    tasks = []
    for number, record in enumerate(records(path), start=1):
        question = record.get("question", record.get("quetsion"))
        identifier = record.get("id", record.get("qid"))
        if not isinstance(question, str) or not question.strip() or not isinstance(identifier, int | str):
            raise _bad(path, number, "id and question", record)
        tasks.append(Task(str(identifier), question, "", (), "released"))
    return tasks


def read_gold(path: str | Path) -> list[Task]:
    """The tasks of a released gold file, with plan, inputs, outputs, answer and links in their details.

    A record without a readable ``result_edit`` keeps its plan and has no answer.

    Raises:
        TaskFileError: The file is no list of such records.
    """
    tasks = []
    for number, record in enumerate(records(path), start=1):
        question, identifier = record.get("question", record.get("quetsion")), record.get("qid", record.get("id"))
        if not isinstance(question, str) or not isinstance(identifier, int | str):
            raise _bad(path, number, "qid and question", record)
        steps, _ = read_plan(record.get("planning_text", []))
        answer = _answer(record.get("result_edit"))
        links = canonical_links(json.dumps(answer.get("reference", {})))
        gold = tuple(dict.fromkeys(entity[1] for link in links if (entity := entity_of(link))))
        outputs = record.get("api_output")
        details = {
            "plan": [step.as_json() for step in steps],
            "inputs": dict(record.get("api_input") or {}),
            "outputs": {name: cleaned(result) for name, result in outputs.items()} if isinstance(outputs, dict) else {},
            "answer": answer.get("answer", ""),
            "reference": dict(answer.get("reference", {})),
            "facts": [],
        }
        tasks.append(Task(str(identifier), question, "", gold, "released", {}, details))
    return tasks


def _answer(text: Any) -> dict[str, Any]:
    try:
        content = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return {}
    good = isinstance(content, dict) and isinstance(content.get("reference", {}), dict)
    return dict(content) if good else {}


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
