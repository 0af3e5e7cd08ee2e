"""What SciNet's agents share: reading the question, plans that are written as one function, and common steps."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from scholar_env.agents.base import Call, Observation, call, paper_ids

Steps = Generator[Call, Observation, Any]
"""Yields calls and is sent what they show."""

EGO_LIMIT, PATH_LIMIT = 50, 10
"""Papers of an answer that count."""

PAGE = 50
"""Papers that a list is asked for."""

_TITLED = re.compile(r'titled "(.*)"', re.DOTALL)
_ENDS = re.compile(r'path from "(.*)" to "(.*)" in the field of (.+)\?', re.DOTALL)
_FIELD = re.compile(r"most (novel|disruptive) papers in the field of (.+)\?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as its words tell it.

    Attributes:
        kind: ``novelty``, ``disruption``, ``sentiment``, ``comention``, ``path``, or "" for another question.
        titles: Titles that it names.
        topic: What to search for: the field, or the titles.
    """

    kind: str
    titles: tuple[str, ...]
    topic: str

    @property
    def limit(self) -> int:
        """Papers of an answer that count."""
        return PATH_LIMIT if self.kind == "path" else EGO_LIMIT


def read_question(question: str) -> Asked:
    """Reads a question."""
    if found := _FIELD.search(question):
        return Asked({"novel": "novelty", "disruptive": "disruption"}[found[1]], (), found[2])
    if found := _ENDS.search(question):
        return Asked("path", (found[1], found[2]), f"{found[1]} {found[2]}")
    if found := _TITLED.search(question):
        return Asked("sentiment" if "positively" in question else "comention", (found[1],), found[1])
    return Asked("", (), question)


class PlannedAgent:
    """An agent whose policy is one function, :meth:`plan`; it answers when the plan returns papers.

    When only an answer is taken, the plan is left and the agent answers with :attr:`found`.

    Attributes:
        found: Papers that stand as the answer so far; plans keep it up to date.
    """

    needs_gold = False

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew with the draws that ``seed`` fixes."""
        self.random = np.random.default_rng(seed)
        self.found: list[str] = []
        self._steps: Steps | None = None

    def plan(self, asked: Asked) -> Steps:
        """Yields calls, is sent what they show, and returns the papers of the answer."""
        raise NotImplementedError

    def act(self, observation: Observation) -> Call:
        """Returns the next call of the plan, or the answer."""
        asked = read_question(str(observation["question"]))
        if not int(observation["budget"]["answer_only"]):
            try:
                if self._steps is not None:
                    return self._steps.send(observation)
                self._steps = self.plan(asked)
                following: Call = next(self._steps)
            except StopIteration as end:
                self.found = list(end.value or self.found)
            else:
                return following
        return call("answer", papers=self.found[: asked.limit])


def listed(observation: Observation) -> list[str]:
    """Ids in the list of the last call, in order."""
    return [str(entry["paper"]) for entry in observation["citations"]]


def search(text: str, k: int = PAGE) -> Steps:
    """Searches for words; returns the results."""
    observation = yield call("search", text=text[:2000].strip() or "x", k=k)
    return list(observation["results"])


def find(title: str) -> Steps:
    """Searches for a title; returns the id of the paper that has it, else of the best result, "" without any."""
    observation = yield call("search", text=title[:2000].strip() or "x", k=5)
    same = [entry["paper"] for entry in observation["results"] if entry["title"].casefold() == title.casefold()]
    return str([*same, *paper_ids(observation), ""][0])


def neighbours(tool: str, paper: str, pages: int = 1, **arguments: str) -> Steps:
    """Lists what is around a paper; returns the entries of the first pages."""
    entries: list[dict[str, Any]] = []
    for page in range(pages):
        observation = yield call(tool, paper=paper, k=PAGE, offset=PAGE * page, **arguments)
        entries += observation["citations"]
        if len(observation["citations"]) < PAGE:
            break
    return entries


def without(papers: Iterable[str], *left_out: str) -> list[str]:
    """Papers in order, each once, some left out."""
    return [paper for paper in dict.fromkeys(papers) if paper and paper not in left_out]
