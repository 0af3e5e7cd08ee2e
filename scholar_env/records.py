"""Frozen records that flow from a corpus to an episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Section:
    """One titled part of a paper's full text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper of a corpus.

    Attributes:
        id: Identifier, unique within the corpus (an arXiv id without version where there is one).
        title: Title as published; may be empty.
        abstract: Abstract as published; may be empty.
        date: ``YYYY-MM-DD``, ``YYYY-MM`` or ``""`` when unknown.
        authors: Author names in order.
        categories: Subject categories, the primary one first.
        sections: Full text, empty when the corpus holds none for this paper.
        references: Ids of the papers that it cites, within the corpus or not.
    """

    id: str
    title: str
    abstract: str
    date: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A paper by id and title: what an answer to a query for one paper is held against."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Task:
    """One search task.

    Equal tasks have equal hashes; labels and details count for equality alone. Neither is changed once a task is made.

    Attributes:
        id: Identifier, unique within its corpus (the released query id for imported benchmarks).
        question: What the agent is asked.
        before: Newest admissible month ``YYYY-MM``, or ``""`` for no bound.
        gold: Ids of the relevant papers, distinct, in release order. Never shown to an agent.
        source: Where the query comes from, as named by the release.
        labels: Fixed features of the task (for subsets and break-downs), all strings.
        details: What the task's family needs to evaluate it, as plain JSON; a family reads it once into a record of
            its own. Never shown to an agent.
    """

    id: str
    question: str
    before: str
    gold: tuple[str, ...]
    source: str = ""
    labels: dict[str, str] = field(default_factory=dict, hash=False)
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
