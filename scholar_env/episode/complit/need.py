"""What a task of CompLit asks for and how it is scored: read once from the task's details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scholar_env.episode.documents import DocumentStore
from scholar_env.records import NamedPaper, Task


@dataclass(frozen=True, slots=True)
class Need:
    """A need.

    Attributes:
        target: The paper that meets it, None where no paper of the corpus does.
        near_miss: The paper that meets all constraints but one, None where the task names none.
        clause: What the near-miss says of that one: ``refuted``, ``silent``, or "".
        utterances: What the user says turn by turn; the whole question where there is one turn.
    """

    target: NamedPaper | None
    near_miss: NamedPaper | None
    clause: str
    utterances: tuple[str, ...]


def need_of(task: Task, corpus: DocumentStore) -> Need:
    """Reads a task; one without details has its first gold paper as target.

    Args:
        task: The task.
        corpus: Gives titles that the task does not name.
    """
    details = task.details
    target = details.get("target")
    if target is None and task.gold:
        target = {"id": task.gold[0]}
    utterances = tuple([str(turn["utterance"]) for turn in details.get("turns") or ()])
    return Need(
        _named(target, corpus),
        _named(details.get("near_miss"), corpus),
        task.labels.get("clause", ""),
        utterances or (task.question,),
    )


def _named(paper: Mapping[str, Any] | None, corpus: DocumentStore) -> NamedPaper | None:
    if paper is None:
        return None
    title, row = str(paper.get("title") or ""), corpus.row_of(str(paper["id"]))
    return NamedPaper(str(paper["id"]), title or ("" if row is None else corpus.title(row)))
