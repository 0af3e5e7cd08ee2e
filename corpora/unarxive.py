"""Imports unarXive: full texts of arXiv with their citation contexts, in both forms of the release.

The older form has a list of paragraphs (``body_text``), the newer one an object of sections (``sections``), each taken
as paragraphs at its line breaks. Paper ids are arXiv ids without version. A cited paper is named by its arXiv id where
the release has one (also by way of an arXiv DOI), else by its short OpenAlex id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from scholar_env.corpus_import import ImportReport
from scholar_env.corpus_rows import RowError, day_of, shown, text_field
from scholar_env.records import Paper, Section
from scholar_env.storage import LOCK_TIMEOUT_S
from scholar_env.works import Mention, Work, WorksFormat
from scholar_env.works_import import Progress, import_works

_MARK = re.compile(r"\{\{(\w+):([^{}]*)\}\}")
_ARXIV_DOI = re.compile(r"(?:https?://doi\.org/)?10\.48550/arxiv\.(.+)", re.IGNORECASE)
_OPENALEX = re.compile(r"https?://openalex\.org/(W\d+)")
_VERSION = re.compile(r"v\d+\Z")
_BREAK = re.compile(r"\n\s*\n")


def work_from_record(record: dict[str, Any]) -> Work:
    """Reads a paper.

    Citation marks become ``[n]`` (place in the bibliography), formulas their LaTeX, marks of figures and tables their
    kind. The date is that of the first version.

    Raises:
        RowError: It has no id, or a field of another type.
    """
    about = record.get("metadata")
    about = about if isinstance(about, dict) else {}
    paper_id = _VERSION.sub("", (text_field(record, "paper_id") or text_field(about, "id")).strip())
    if not paper_id:
        raise RowError("it has no paper_id")
    cited = _cited(record)
    marks = _Marks(record, tuple(cited))
    sections: dict[str, list[str]] = {}
    mentions: list[Mention] = []
    for paragraph, (title, text) in enumerate(_paragraphs(record)):
        sections.setdefault(title, []).append(marks.plain(text))
        here = dict.fromkeys(cited[key] for key in marks.citations(text) if cited.get(key))
        mentions += [Mention(name, paragraph) for name in here if name != paper_id]
    given = record.get("abstract")
    abstract = text_field(about, "abstract") or (text_field(given, "text") if isinstance(given, dict) else "")
    names = [name for name in cited.values() if name]
    paper = Paper(
        id=paper_id,
        title=" ".join(text_field(about, "title").split()),
        abstract=" ".join(abstract.split()),
        date=_date(about),
        authors=_authors(about),
        categories=tuple(text_field(about, "categories").split()),
        sections=tuple(Section(title, "\n\n".join(texts)) for title, texts in sections.items()),
        references=tuple(dict.fromkeys(name for name in names if name != paper_id)),
    )
    return Work(
        paper,
        journal=text_field(about, "journal-ref"),
        topic=paper.categories[0] if paper.categories else "",
        mentions=tuple(mentions),
        n_self=names.count(paper_id),
        n_unidentified=len(cited) - len(names),
    )


def _cited(record: dict[str, Any]) -> dict[str, str]:
    """The bibliography: key of each entry to the id of the cited paper, "" where it has none."""
    entries = record.get("bib_entries") or {}
    if not isinstance(entries, dict):
        raise RowError(f"bib_entries is {shown(entries)} instead of an object")
    return {key: _paper_id(entry) if isinstance(entry, dict) else "" for key, entry in entries.items()}


def _paper_id(entry: dict[str, Any]) -> str:
    ids = entry.get("ids")
    ids = ids if isinstance(ids, dict) else {}
    arxiv = str(ids.get("arxiv_id") or "")
    if not arxiv and (match := _ARXIV_DOI.fullmatch(str(ids.get("doi") or ""))):
        arxiv = match[1]
    if not arxiv and isinstance(contained := entry.get("contained_arXiv_ids"), list) and contained:
        first = contained[0]
        arxiv = str(first.get("id") or "") if isinstance(first, dict) else str(first)
    if arxiv:
        return _VERSION.sub("", arxiv.strip())
    match = _OPENALEX.fullmatch(str(ids.get("open_alex_id") or ""))
    return match[1] if match else ""


def _paragraphs(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields (section title, text) of each paragraph."""
    body, sections = record.get("body_text"), record.get("sections")
    if isinstance(body, list):
        for paragraph in body:
            if isinstance(paragraph, dict):
                yield text_field(paragraph, "section"), text_field(paragraph, "text")
    elif isinstance(sections, dict):
        for title, section in sections.items():
            text = text_field(section, "text") if isinstance(section, dict) else ""
            for part in _BREAK.split(text):
                if part.strip():
                    yield title.strip(), part.strip()
    elif body is not None or sections is not None:
        raise RowError("it has neither a list body_text nor an object sections")


class _Marks:
    """What stands in double braces in the texts of a paper.

    Args:
        record: The paper.
        keys: Keys of the bibliography, in order.
    """

    def __init__(self, record: dict[str, Any], keys: Sequence[str]) -> None:
        entries = record.get("ref_entries")
        self._entries: dict[str, Any] = entries if isinstance(entries, dict) else {}
        self._places = {key: place for place, key in enumerate(keys, start=1)}

    def citations(self, text: str) -> list[str]:
        """Keys of the bibliography that a text mentions, in order."""
        return [match[2] for match in _MARK.finditer(text) if match[1] == "cite"]

    def plain(self, text: str) -> str:
        """A text without marks, its white space single."""
        return " ".join(_MARK.sub(self._word, text).split())

    def _word(self, match: re.Match[str]) -> str:
        kind, key = match[1], match[2]
        if kind == "cite":
            return f"[{self._places.get(key, '?')}]"
        entry = self._entries.get(key)
        latex = entry.get("latex") if isinstance(entry, dict) else None
        return latex.strip() if kind == "formula" and isinstance(latex, str) else f"[{kind}]"


def _date(about: dict[str, Any]) -> str:
    versions = about.get("versions")
    first = versions[0] if isinstance(versions, list) and versions else None
    created = first.get("created") if isinstance(first, dict) else None
    if isinstance(created, str) and created:
        try:
            return parsedate_to_datetime(created).date().isoformat()
        except ValueError as error:
            raise RowError(f"the date {shown(created)} of its first version is none") from error
    return day_of(about.get("update_date"))


def _authors(about: dict[str, Any]) -> tuple[str, ...]:
    parsed = about.get("authors_parsed")
    if isinstance(parsed, list):
        names = [entry for entry in parsed if isinstance(entry, list) and all(isinstance(part, str) for part in entry)]
        return tuple(" ".join(part for part in (*name[1:2], *name[:1], *name[2:3]) if part) for name in names)
    return tuple(name.strip() for name in re.split(r",|\band\b", text_field(about, "authors")) if name.strip())


FORMAT = WorksFormat(
    "unarxive", 1, "https://github.com/IllDepence/unarXive", "CC BY-SA 4.0 (texts under their own)", work_from_record
)


def import_release(
    source: str | Path,
    *,
    name: str = "unarxive",
    folder: str | Path | None = None,
    strict: bool = False,
    keep: Sequence[str] = (),
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> ImportReport:
    """Imports unarXive; arguments and errors as :func:`scholar_env.works_import.import_works`."""
    return import_works(
        FORMAT, source, name=name, folder=folder, strict=strict, keep=keep, progress=progress, timeout=timeout
    )
