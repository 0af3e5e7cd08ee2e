"""Rows of the ScholarGym release: from JSON as released (or as its README describes it) to papers and tasks."""

from __future__ import annotations

import re
from typing import Any

from scholar_env.corpus_rows import RowError, day_of, refuse_surrogates, shown, text_field, texts_of
from scholar_env.records import Paper, Section, Task
from scholar_env.task_table import LEFT_OUT

_NAME_BREAK = re.compile(r"\s*;\s*")
_COMMA_OR_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_CATEGORY_BREAK = re.compile(r"[\s,;]+")


def paper_from_record(key: str, record: Any) -> Paper:
    """Reads one paper.

    Args:
        key: Its key in the object of papers, ``""`` in a list.
        record: ``arxiv_id`` (the key where it is missing), ``title``, ``abstract``, ``date`` or ``published``,
            ``authors`` and ``category`` or ``categories`` (a list or one string); ``sections`` and ``references`` where
            there are some.

    Raises:
        RowError: Something else is there.
    """
    if not isinstance(record, dict):
        raise RowError(f"it is {shown(record)} instead of an object")
    paper_id = text_field(record, "arxiv_id") or key
    if not paper_id.strip():
        raise RowError("it has no arxiv_id")
    authors = record.get("authors")
    if isinstance(authors, str):
        authors = (_NAME_BREAK if ";" in authors else _COMMA_OR_AND).split(authors.strip())
    categories = _either(record, "category", "categories")
    if isinstance(categories, str):
        categories = _CATEGORY_BREAK.split(categories.strip())
    paper = Paper(
        id=paper_id.strip(),
        title=text_field(record, "title"),
        abstract=text_field(record, "abstract"),
        date=day_of(_either(record, "date", "published")),
        authors=texts_of("authors", authors),
        categories=texts_of("categories", categories),
        sections=_sections(record.get("sections")),
        references=texts_of("references", record.get("references")),
    )
    refuse_surrogates((paper.id, paper.title, paper.abstract, *paper.authors, *paper.categories, *paper.references))
    return paper


def task_from_record(record: Any) -> tuple[Task, int]:
    """Reads one query and counts the repeated gold ids that were dropped.

    Gold are the ``arxiv_id`` of ``cited_paper`` whose entry in ``gt_label`` is 1; both lists are walked in parallel and
    what the longer one has more is ignored. A query whose ``valid`` is false, or without gold, is kept and left out of
    every subset.

    Raises:
        RowError: The record has no ``qid``, ``query`` or ``gt_label``, or a field of another type.
    """
    if not isinstance(record, dict):
        raise RowError(f"it is {shown(record)} instead of an object")
    qid, question = text_field(record, "qid").strip(), text_field(record, "query")
    if not qid or not question.strip():
        raise RowError("it has no qid" if not qid else "it has no query")
    cited, labels = record.get("cited_paper"), record.get("gt_label")
    if not isinstance(cited, list) or not isinstance(labels, list):
        raise RowError("cited_paper and gt_label are not both lists")
    gold = []
    for paper, label in zip(cited, labels, strict=False):
        if not isinstance(paper, dict):
            raise RowError(f"cited_paper holds {shown(paper)} instead of an object")
        paper_id = text_field(paper, "arxiv_id").strip()
        if label == 1 and paper_id:
            gold.append(paper_id)
    distinct = tuple(dict.fromkeys(gold))
    reason = "" if record.get("valid", True) is not False else "the release marks it as invalid"
    source = text_field(record, "source")
    refuse_surrogates((qid, question, source, *distinct))
    task = Task(qid, question, day_of(record.get("date"))[:7], distinct, source, {LEFT_OUT: reason} if reason else {})
    return task, len(gold) - len(distinct)


def _either(record: dict[str, Any], first: str, second: str) -> Any:
    value = record.get(first)
    return record.get(second) if value is None else value


def _sections(value: Any) -> tuple[Section, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise RowError(f"sections is {shown(value)} instead of a list of objects")
    sections = tuple(Section(text_field(item, "title"), text_field(item, "text")) for item in value)
    refuse_surrogates(part for section in sections for part in (section.title, section.text))
    return sections
