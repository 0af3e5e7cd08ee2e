"""Oracle: knows the gold papers and searches for them by their own words. The upper end of every comparison.

The only agent that may see gold; runs with it are marked as assisted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Protocol, runtime_checkable

from scholar_env.agents.base import Agent, Call, Observation, call, iterations_left, may_select, results_by_subquery
from scholar_env.records import Task

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 1_900  # characters of a subquery, within what every tool takes
_LETTER = re.compile(r"[a-zA-Z]")


class PaperTexts(Protocol):
    """What the oracle reads of a corpus."""

    def row_of(self, paper_id: str) -> int | None:
        """Row of a paper, None when it is not in the corpus."""
        ...

    def title(self, row: int) -> str:
        """Its title."""
        ...

    def abstract(self, row: int) -> str:
        """Its abstract."""
        ...


@runtime_checkable
class GoldAgent(Agent, Protocol):
    """An agent that is given the gold; a run with it is marked as assisted."""

    def bind(self, task: Task, corpus: PaperTexts) -> None:
        """Takes the next episode's task, before ``reset``."""
        ...


class OracleAgent:
    """Finds each gold paper by its title; where that fails, by more and more of its abstract.

    Titles that hold nothing an index can use (digits only, say) are why there is more than one text. When more papers
    are missing than pages are left, one subquery holds the words of several papers.

    Args:
        tools: Tools of the environment.
        subqueries: Pages of an iteration, at most.
        k: Results of a page.
    """

    needs_gold = True

    def __init__(self, tools: Collection[str], *, subqueries: int = 6, k: int = 10) -> None:
        self.options: dict[str, Any] = {"subqueries": subqueries, "k": k}
        self._selects = may_select(tools)
        self._texts: dict[str, list[str]] = {}
        self.reset(0)

    def bind(self, task: Task, corpus: PaperTexts) -> None:
        """Takes the next episode's gold papers and the texts to find them by."""
        self._texts = {paper: _texts(paper, corpus) for paper in task.gold}

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._missing = [paper for paper, texts in self._texts.items() if texts]
        self._tries: dict[str, int] = dict.fromkeys(self._missing, 0)
        self._asked = False

    def act(self, observation: Observation) -> list[Call]:
        """Selects the gold among the results and plans the next iteration, or answers."""
        kept = self._keep(observation) if self._asked else []
        self._missing = [paper for paper in self._missing if self._tries[paper] < len(self._texts[paper])]
        if not self._missing or (self._asked and iterations_left(observation) <= self._closing):
            return [*kept, call("answer")]
        self._asked = True
        return [*kept, call("plan", subqueries=self._subqueries(observation), checklist="", experience="")]

    @property
    def _closing(self) -> int:
        # With a fixed assessor a plan closes its own iteration; otherwise the next plan does, and needs one to be left.
        return 1 if self._selects else 0

    def _keep(self, observation: Observation) -> list[Call]:
        found = set()
        calls = []
        for subquery, papers in results_by_subquery(observation).items():
            gold = [paper for paper in papers if paper in self._texts]
            found.update(gold)
            if gold and self._selects:
                calls.append(call("select", subquery=subquery, papers=gold))
        self._missing = [paper for paper in self._missing if paper not in found]
        return calls

    def _subqueries(self, observation: Observation) -> list[dict[str, Any]]:
        """One subquery a missing paper, those first that were tried least; several papers in one when they are many."""
        pages = self.options["subqueries"]
        left = max(1, iterations_left(observation) - (self._closing if self._asked else 0)) * pages
        group = -(-len(self._missing) // left)
        turn = sorted(self._missing, key=lambda paper: self._tries[paper])[: group * pages]
        entries = []
        for start in range(0, len(turn), group):
            papers = turn[start : start + group]
            text = " ".join(self._texts[paper][self._tries[paper]][: _LONGEST // group] for paper in papers)
            entries.append({"link": "derive", "source": 0, "text": text, "k": self.options["k"]})
        for paper in turn:
            self._tries[paper] += 1
        return entries


def _texts(paper: str, corpus: PaperTexts) -> list[str]:
    """The texts by which a paper is searched for, in the order in which they are tried."""
    row = corpus.row_of(paper)
    if row is None:
        return []
    title, abstract = corpus.title(row), corpus.abstract(row)
    sentences = _SENTENCE.split(abstract)
    texts = [title, f"{title} {' '.join(sentences[:2])}", f"{title} {abstract}", " ".join(sentences[-2:])]
    return list(dict.fromkeys(text.strip() for text in texts if _LETTER.search(text)))
