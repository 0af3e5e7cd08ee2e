"""CompLit tasks on a corpus: papers under the ids that it holds them by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scholar_env.metrics.complit import held_id
from scholar_env.records import Task

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
