"""Imports works of OpenAlex: the snapshot's gzipped JSON lines, pages of API answers, or single works.

Paper ids are OpenAlex's short ones (``W2741809807``). Abstracts are rebuilt from the inverted index. References to
works outside the corpus stay in the papers and out of the citation graph. The snapshot is large: ``keep`` chooses, for
example ``type=article``, ``language=en``, ``primary_topic.subfield.display_name=Artificial Intelligence`` or
``publication_year>=2015``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scholar_env.corpus_import import ImportReport
from scholar_env.corpus_rows import RowError, day_of, shown, text_field
from scholar_env.inverted_abstract import abstract_of
from scholar_env.records import Paper
from scholar_env.storage import LOCK_TIMEOUT_S
from scholar_env.works import Work, WorksFormat
from scholar_env.works_import import Progress, import_works

_ID = re.compile(r"(?:https?://openalex\.org/)?([A-Z]\d+)")


def work_from_record(record: dict[str, Any]) -> Work:
    """Reads a work.

    The journal is the source of the primary location, the topic the primary one; categories are the names of its
    subfield, field and domain, then the subfields of the further topics (older works: their concepts by score). A work
    without a day of publication stands in January of its year.

    Raises:
        RowError: It has no id of a work, or a field of another type.
    """
    work_id = short_id(record.get("id"))
    if not work_id.startswith("W"):
        raise RowError(f"its id {shown(record.get('id'))} is none of a work")
    cited = _list(record, "referenced_works")
    references = [reference for item in cited if (reference := short_id(item)).startswith("W")]
    others = dict.fromkeys(reference for reference in references if reference != work_id)
    topic = _object(record, "primary_topic")
    paper = Paper(
        id=work_id,
        title=text_field(record, "title") or text_field(record, "display_name"),
        abstract=abstract_of(record.get("abstract_inverted_index")),
        date=_date(record),
        authors=_authors(record),
        categories=_categories(record, topic),
        references=tuple(others),
    )
    place = _object(record, "primary_location") or {"source": record.get("host_venue")}
    return Work(
        paper,
        journal=short_id(_object(place, "source").get("id")),
        topic=short_id(topic.get("id")),
        n_self=references.count(work_id),
        n_unidentified=len(cited) - len(references),
    )


def short_id(value: Any) -> str:
    """The short form of an OpenAlex id, "" for anything else."""
    match = _ID.fullmatch(value) if isinstance(value, str) else None
    return match[1] if match else ""


def _object(record: dict[str, Any], field: str) -> dict[str, Any]:
    value = record.get(field)
    return value if isinstance(value, dict) else {}


def _list(record: dict[str, Any], field: str) -> list[Any]:
    value = record.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RowError(f"{field} is {shown(value)} instead of a list")
    return value


def _date(record: dict[str, Any]) -> str:
    day, year = day_of(record.get("publication_date")), record.get("publication_year")
    if not day and isinstance(year, int) and not isinstance(year, bool) and 1000 <= year <= 9999:
        return f"{year}-01"
    return day


def _authors(record: dict[str, Any]) -> tuple[str, ...]:
    names = []
    for entry in _list(record, "authorships"):
        if isinstance(entry, dict):
            name = _object(entry, "author").get("display_name") or entry.get("raw_author_name")
            names += [name.strip()] if isinstance(name, str) and name.strip() else []
    return tuple(names)


def _categories(record: dict[str, Any], topic: dict[str, Any]) -> tuple[str, ...]:
    names = [_object(topic, level).get("display_name") for level in ("subfield", "field", "domain")]
    further = _list(record, "topics")
    names += [_object(entry, "subfield").get("display_name") for entry in further if isinstance(entry, dict)]
    if not any(names):
        names = [entry.get("display_name") for entry in _list(record, "concepts") if isinstance(entry, dict)]
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))


FORMAT = WorksFormat(
    "openalex", 1, "https://openalex.org (snapshot or API)", "CC0 1.0", work_from_record, folders=("works",)
)


def import_release(
    source: str | Path,
    *,
    name: str = "openalex",
    folder: str | Path | None = None,
    strict: bool = False,
    keep: Sequence[str] = (),
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> ImportReport:
    """Imports works of OpenAlex; arguments and errors as :func:`scholar_env.works_import.import_works`."""
    return import_works(
        FORMAT, source, name=name, folder=folder, strict=strict, keep=keep, progress=progress, timeout=timeout
    )
