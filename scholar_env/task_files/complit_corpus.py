"""CompLit tasks on a corpus: papers under the ids that it holds them by, and titles that differ from its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scholar_env.metrics.complit import held_id, same_title
from scholar_env.records import Task
from scholar_env.task_files.faults import FieldFault, shown

if TYPE_CHECKING:
    from scholar_env.corpus_folder import Corpus

_NAMED = ("target", "near_miss")


def under_held_ids(task: Task, corpus: Corpus) -> Task:
    """Returns a task whose papers have the corpus's ids: arXiv ids may come with prefix and version.

    These are the target, the near-miss, and the papers that comparisons are with. See
    :func:`~scholar_env.metrics.complit.held_id`; what the corpus does not hold keeps its id.
    """

    def held(paper: str) -> str:
        return held_id(paper, corpus.row_of)

    details: dict[str, Any] = dict(task.details)
    for name in _NAMED:
        if details[name] is not None:
            details[name] = {**details[name], "id": held(details[name]["id"])}
    constraints = []
    for entry in details["constraints"]:
        evidence = {**entry["evidence"], "other_paper": held(entry["evidence"]["other_paper"])}
        constraints.append({**entry, "evidence": evidence})
    details["constraints"] = constraints
    return replace(task, gold=tuple(map(held, task.gold)), details=details)


def title_remarks(task: Task, corpus: Corpus) -> Iterator[FieldFault]:
    """Says where a title is not that of the corpus's paper, which hints at a wrong id; both are taken in answers."""
    for name in _NAMED:
        paper = task.details[name]
        row = None if paper is None else corpus.row_of(paper["id"])
        if paper is None or row is None or not paper["title"].strip() or same_title(paper["title"], corpus.title(row)):
            continue
        rule = f"the corpus {corpus.name} has the title {shown(corpus.title(row))} for the id {paper['id']}"
        mend = "mend the title or the id; a title that is another version of it may stay"
        yield FieldFault(f"{name}.title", shown(paper["title"]), rule, mend)
