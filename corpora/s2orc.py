"""Imports S2ORC as the Semantic Scholar Datasets API gives it out: full texts with annotated spans.

Both forms are read: ``s2orc`` (one text ``content`` with all annotations) and ``s2orc_v2`` (``body`` and
``bibliography`` apart). Annotations are lists of spans, as JSON or as JSON text. A paper with an arXiv id has it as its
id, any other ``S2:`` and its corpus id. The records hold no dates: an arXiv id gives the month, other papers are
undated. References are corpus ids; they are named like the papers, so those to papers that the corpus names by arXiv
ids are found through the ids of all papers of the import.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scholar_env.corpus_import import ImportReport
from scholar_env.corpus_rows import RowError, shown, text_field
from scholar_env.records import Paper, Section
from scholar_env.storage import LOCK_TIMEOUT_S
from scholar_env.works import Mention, Work, WorksFormat
from scholar_env.works_import import Progress, import_works

_ARXIV_MONTH = re.compile(r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?(\d{2})(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Span:
    """An annotated part of a text, with its attributes."""

    start: int
    end: int
    attributes: dict[str, Any]

    def of(self, text: str) -> str:
        """What it covers, white space single."""
        return " ".join(text[self.start : self.end].split())


def work_from_record(record: dict[str, Any]) -> Work:
    """Reads a paper.

    Raises:
        RowError: It has no id or no text, or an annotation is broken.
    """
    corpus_id = record.get("corpusid")
    if not isinstance(corpus_id, int) or isinstance(corpus_id, bool):
        raise RowError(f"its corpusid is {shown(corpus_id)} instead of an integer")
    body, notes, entries = _parts(record)
    sections, mentions = _body(body, notes, _matched(entries))
    own = f"S2:{corpus_id}"
    arxiv = _arxiv_id(record)
    cited = [_corpus_id(entry) for entry in entries]
    names = [name for name in cited if name]
    paper = Paper(
        id=arxiv or own,
        title=text_field(record, "title").strip() or _first(body, notes, "title"),
        abstract=_first(body, notes, "abstract"),
        date=_month(arxiv),
        authors=_authors(record, body, notes),
        sections=sections,
        references=tuple(dict.fromkeys(name for name in names if name != own)),
    )
    return Work(
        paper,
        journal=_first(body, notes, "venue"),
        mentions=tuple(mention for mention in mentions if mention.cited != own),
        n_self=names.count(own),
        n_unidentified=len(cited) - len(names),
        also=(own,) if arxiv else (),
    )


def _parts(record: dict[str, Any]) -> tuple[str, dict[str, list[Span]], list[Span]]:
    """The text, its annotations by kind, and the entries of the bibliography."""
    content = record.get("content") or record.get("body")
    if not isinstance(content, dict) or not isinstance(content.get("text"), str):
        raise RowError("it has no text")
    notes = _annotations(content)
    bibliography = record.get("bibliography")
    entries = _annotations(bibliography) if isinstance(bibliography, dict) else notes
    return content["text"], notes, entries.get("bibentry") or entries.get("bib_entry") or []


def _annotations(part: dict[str, Any]) -> dict[str, list[Span]]:
    given = part.get("annotations") or {}
    if not isinstance(given, dict):
        raise RowError(f"annotations is {shown(given)} instead of an object")
    return {kind.replace("_", ""): _spans(kind, value) for kind, value in given.items()}


def _spans(kind: str, value: Any) -> list[Span]:
    try:
        rows = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise RowError(f"the annotation {kind} is no JSON ({error})") from error
    spans = []
    for row in rows or []:
        try:
            start, end = int(row["start"]), int(row["end"])
            attributes = row.get("attributes") or {}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RowError(f"the annotation {kind} holds {shown(row)}, which is no span") from error
        spans.append(Span(start, end, attributes if isinstance(attributes, dict) else {}))
    return sorted(spans, key=lambda span: (span.start, span.end))


def _matched(entries: Sequence[Span]) -> dict[str, str]:
    """Id of each entry of the bibliography, to the paper that it was matched with."""
    return {str(entry.attributes["id"]): _corpus_id(entry) for entry in entries if "id" in entry.attributes}


def _corpus_id(entry: Span) -> str:
    matched = entry.attributes.get("matched_paper_id")
    return f"S2:{matched}" if matched not in (None, "") else ""


def _body(
    text: str, notes: dict[str, list[Span]], matched: dict[str, str]
) -> tuple[tuple[Section, ...], list[Mention]]:
    """Sections of paragraphs under the last heading before them, and where they cite."""
    heads, citations = notes.get("sectionheader", []), notes.get("bibref", [])
    sections: dict[str, list[str]] = {}
    mentions: list[Mention] = []
    title, next_head, next_citation = "", 0, 0
    for number, paragraph in enumerate(notes.get("paragraph", [])):
        while next_head < len(heads) and heads[next_head].start <= paragraph.start:
            title = heads[next_head].of(text)
            next_head += 1
        sections.setdefault(title, []).append(paragraph.of(text))
        names: dict[str, None] = {}
        while next_citation < len(citations) and citations[next_citation].start < paragraph.end:
            citation = citations[next_citation]
            next_citation += 1
            name = matched.get(str(citation.attributes.get("ref_id", "")), "")
            if citation.start >= paragraph.start and name:
                names[name] = None
        mentions += [Mention(name, number) for name in names]
    return tuple(Section(head, "\n\n".join(texts)) for head, texts in sections.items()), mentions


def _first(text: str, notes: dict[str, list[Span]], kind: str) -> str:
    spans = notes.get(kind) or []
    return spans[0].of(text) if spans else ""


def _authors(record: dict[str, Any], text: str, notes: dict[str, list[Span]]) -> tuple[str, ...]:
    """Names from the record, else the annotated first and last names, else the annotated authors."""
    listed = record.get("authors")
    if isinstance(listed, list) and listed:
        names = [entry.get("name") if isinstance(entry, dict) else entry for entry in listed]
        return tuple(name.strip() for name in names if isinstance(name, str) and name.strip())
    first, last = notes.get("authorfirstname") or [], notes.get("authorlastname") or []
    if first and len(first) == len(last):
        return tuple(f"{given.of(text)} {family.of(text)}" for given, family in zip(first, last, strict=True))
    return tuple(name for span in notes.get("author") or [] if (name := span.of(text)))


def _arxiv_id(record: dict[str, Any]) -> str:
    ids = record.get("externalids")
    if not isinstance(ids, dict):
        access = record.get("openaccessinfo")
        ids = access.get("externalids") if isinstance(access, dict) else None
    ids = {str(key).lower(): value for key, value in ids.items()} if isinstance(ids, dict) else {}
    return str(ids.get("arxiv") or "").strip()


def _month(arxiv: str) -> str:
    """The month of an arXiv id, ``YYYY-MM``; "" for none."""
    match = _ARXIV_MONTH.match(arxiv)
    if match is None:
        return ""
    year = int(match[1])
    return f"{(1900 if year > 90 else 2000) + year}-{match[2]}"


FORMAT = WorksFormat(
    "s2orc", 1, "https://api.semanticscholar.org/api-docs/datasets", "ODC-BY 1.0 (texts under their own)",
    work_from_record, folders=("s2orc", "s2orc_v2"), aliases=True,
)  # fmt: skip


def import_release(
    source: str | Path,
    *,
    name: str = "s2orc",
    folder: str | Path | None = None,
    strict: bool = False,
    keep: Sequence[str] = (),
    progress: Progress | None = None,
    timeout: float = LOCK_TIMEOUT_S,
) -> ImportReport:
    """Imports S2ORC; arguments and errors as :func:`scholar_env.works_import.import_works`."""
    return import_works(
        FORMAT, source, name=name, folder=folder, strict=strict, keep=keep, progress=progress, timeout=timeout
    )
