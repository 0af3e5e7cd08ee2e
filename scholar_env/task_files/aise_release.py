"""AISE-Bench records as they were released, and the lines of a task file that they come to.

A released file is one JSON list (or one record a line) of questions ``{"id", "question"}``, of gold records ``{"qid",
"question", "planning_text", "api_input", "api_output", "result_edit"}``, or of predictions, which are no tasks. Gold
records hold personal data: a field is read when it is listed here, wherever it stands; the others are dropped.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from scholar_env.episode.aise.plan import read_plan
from scholar_env.errors import InvalidOptionError
from scholar_env.task_files.faults import Faults, FieldFault, shown
from scholar_env.task_files.form import Record, RecordSource
from scholar_env.task_files.lines import LineError, SourceFile, parsed, record_of, unreadable

GOLD_FIELDS: Final = ("qid", "id", "question", "quetsion", "planning_text", "api_input", "api_output", "result_edit")
"""Fields of questions and gold records; the release's description misspells one of them."""

PREDICTION_FIELDS: Final = ("id", "question", "plan", "execution_result", "summary", "error")

API_FIELDS: Final = ("api_input", "api_output")

RELEASED: Final = "released"
"""Source of a line that was made of a released record."""

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

LARGEST = 1 << 28
"""Bytes of a JSON list at most."""


def cleaned(value: Any) -> Any:
    """API results without any field that is not allowed, at any depth."""
    if isinstance(value, Mapping):
        return {key: cleaned(item) for key, item in value.items() if key in RESULT_FIELDS}
    return [cleaned(item) for item in value] if isinstance(value, list) else value


def task_line(record: Record) -> dict[str, Any]:
    """The line of a task file that a released question or gold record comes to; other records stay as they are.

    Gold is taken as far as it can be read: a ``result_edit`` that is no JSON gives no answer, a malformed step what is
    left of it.

    Raises:
        InvalidOptionError: The record is a prediction.
    """
    question = record.get("question", record.get("quetsion"))
    if question is None:
        return dict(record)
    if "summary" in record or "execution_result" in record:
        raise InvalidOptionError(
            "the file holds predictions",
            "tasks are made of questions and gold records",
            "score predictions with scholar-env aise score FILE",
        )
    number = record.get("qid", record.get("id"))
    line: dict[str, Any] = {"query_id": str(number) if type(number) is int else number, "text": question}
    line["source"] = RELEASED
    steps, _ = read_plan(record.get("planning_text") or [])
    inputs, outputs = ({**found} if isinstance(found := record.get(name), Mapping) else {} for name in API_FIELDS)
    answer = _answer(record.get("result_edit"))
    reference = {key: link for key, link in answer.get("reference", {}).items() if isinstance(link, str)}
    gold = {
        "plan": [step.as_json() for step in steps if step.name],
        "inputs": {name: params for name, params in inputs.items() if isinstance(params, Mapping)},
        "outputs": {name: cleaned(result) for name, result in outputs.items()},
        "answer": str(answer.get("answer", "")) if reference else "",
        "reference": reference,
    }
    return line | {name: value for name, value in gold.items() if value}


def _answer(text: Any) -> dict[str, Any]:
    try:
        content = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and isinstance(content.get("reference"), dict) else {}


class ListFile:
    """A JSON list of records in one file; has the methods of a task file, a record's "line" being its place from 1.

    Args:
        path: The file.
        faults: Takes what is wrong with its records.

    Attributes:
        name: The file as it was named.
        done: Bytes read so far, of :attr:`size`.
        remarks: Empty: a list is right or has faults.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self.path, self.name, self.remarks = path, str(path), ()
        self._faults, self._digest = faults, hashlib.sha256()
        self.done, self.size = 0, path.stat().st_size

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the records with their places; what is none is a fault.

        Raises:
            InvalidOptionError: The file cannot be read.
        """
        text, values = self._values()
        for place, value in enumerate(values, start=1):
            try:
                yield place, record_of(value, escaped="\\u" in text)
            except LineError as error:
                self._refuse_json(place, shown(value), str(error), "mend or remove the record")

    def _values(self) -> tuple[str, list[Any]]:
        if self.size > LARGEST:
            self.refuse(1, FieldFault("", self.name, f"a JSON list has at most {LARGEST} bytes", "write it as lines"))
            return "", []
        try:
            raw = self.path.read_bytes()
        except OSError as error:
            raise unreadable(self.path, error) from error
        self._digest.update(raw)
        self.done = len(raw)
        try:
            text = raw.decode("utf-8-sig")
            values = parsed(text)
        except ValueError as error:
            self._refuse_json(1, shown(repr(raw[:60])), str(error), "mend the file")
            return "", []
        return text, values if isinstance(values, list) else [values]

    def _refuse_json(self, place: int, value: str, reason: str, mend: str) -> None:
        rule = f"the file is a JSON list of objects in UTF-8 ({reason})"
        self.refuse(place, FieldFault("", value, rule, mend))

    def refuse(self, line: int, fault: FieldFault) -> None:
        """Adds a fault of a record."""
        self._faults.add(self.name, line, fault)

    def sha256(self) -> str:
        """Returns the hex sha256 of the file, once it was read."""
        return self._digest.hexdigest()


class AiseRecords:
    """The records of a file as lines of a task file, whether they were written so or as released.

    Args:
        path: The file: a JSON list, or one record a line.
        faults: Takes what is wrong with its records.

    Raises:
        InvalidOptionError: The file cannot be read.
    """

    def __init__(self, path: Path, faults: Faults) -> None:
        self.path, self.name = path, str(path)
        self._source: RecordSource = ListFile(path, faults) if _is_list(path) else SourceFile(path, faults)
        self._dropped: Counter[str] = Counter()

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return self._source.done

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._source.size

    @property
    def remarks(self) -> list[str]:
        """The fields that were dropped, with the number of records."""
        return [f"the field {field!r} of {count} records was dropped" for field, count in self._dropped.items()]

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the records as lines of a task file, with their places."""
        for place, record in self._source.objects():
            line = task_line(record)
            if "text" not in record:
                self._dropped.update(name for name in record if name not in GOLD_FIELDS)
            yield place, line

    def refuse(self, line: int, fault: FieldFault) -> None:
        """Adds a fault of a record."""
        self._source.refuse(line, fault)

    def sha256(self) -> str:
        """Returns the hex sha256 of the file, once it was read."""
        return self._source.sha256()


def _is_list(path: Path) -> bool:
    """Whether a file begins as a JSON list; one that cannot be read does not."""
    try:
        with path.open("rb") as file:
            return file.read(1 << 12).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    except OSError:
        return False
