"""ScholarGym task files: plain queries with their gold papers.

A line is ``{"query_id": "q1", "text": "…", "before": "2024-06", "gold": ["2401.00001", …]}``; ``before``, ``source``
and ``labels`` may be left out. Queries and judgements in two files: :mod:`scholar_env.task_files.judgements`.
"""

from __future__ import annotations

from collections.abc import Iterable

from scholar_env.records import Task
from scholar_env.subsets import LABELS
from scholar_env.task_files.faults import FieldFault, shown
from scholar_env.task_files.form import Record, TaskFileForm


def read(record: Record) -> Task:
    """Makes the task of a line."""
    return Task(
        id=record["query_id"],
        question=record["text"],
        before=record.get("before", ""),
        gold=tuple(record["gold"]),
        source=record.get("source", ""),
        labels=dict(record.get("labels", {})),
    )


def check(record: Record) -> Iterable[FieldFault]:
    """Refuses labels that the import computes itself."""
    for name, value in record.get("labels", {}).items():
        if name in LABELS:
            rule = f"the labels {', '.join(LABELS)} are computed"
            yield FieldFault(f"labels.{name}", shown(value), rule, "give it another name, or remove it")


FORM = TaskFileForm("scholargym", "scholargym.schema.json", read, check)
