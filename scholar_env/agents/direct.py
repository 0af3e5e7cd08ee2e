"""Direct query: the question as it stands, for one page or for as many as an iterative agent sees."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from scholar_env.agents.base import Call, Observation, call, iterations_left, may_select, paper_ids, select_all


class DirectAgent:
    """Searches for the question once, selects the whole page and answers with it: the paper's Direct Query.

    Its ``ret_recall`` is the recall of the index's first ``k`` papers. Under a fixed assessor the answer is what that
    assessor keeps of the page.

    Args:
        tools: Tools of the environment.
        k: Results of the page.
    """

    needs_gold = False

    def __init__(self, tools: Collection[str], *, k: int = 10) -> None:
        self.options: dict[str, Any] = {"k": k}
        self._selects = may_select(tools)
        self._asked = False

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._asked = False

    def act(self, observation: Observation) -> Call | list[Call]:
        """Asks, then selects what came and answers."""
        if not self._asked:
            self._asked = True
            return call("derive", source=0, text=observation["question"], k=self.options["k"])
        if not self._selects:
            return call("answer")
        return [*select_all(observation), call("answer", papers=paper_ids(observation))]


class DirectPagedAgent:
    """Reads the question's own ranked list on, page by page, up to ``results`` papers.

    A node has at most ``pages`` pages, so the list goes on in the next iteration under a new node with the same text:
    the agent selects all that it has seen, selected papers are excluded from later searches, and the new node's first
    page is the next part of the same list. At the end the answer is cut back to the first ``answer_size`` papers of
    the list. Under a fixed assessor there is nothing to select, so a new node repeats what the assessor did not keep;
    the list then hardly gets past ``pages`` pages.

    Args:
        tools: Tools of the environment.
        results: How many results to read, at most ``pages`` x ``k`` in each iteration.
        k: Results of a page.
        pages: Pages of a node.
        answer_size: Papers of the answer.
    """

    needs_gold = False

    def __init__(
        self, tools: Collection[str], *, results: int = 150, k: int = 10, pages: int = 3, answer_size: int = 10
    ) -> None:
        self.options: dict[str, Any] = {"results": results, "k": k, "pages": pages, "answer_size": answer_size}
        self._selects = may_select(tools)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._seen: list[str] = []
        self._fresh: list[str] = []  # what the open iteration has shown
        self._node = 0
        self._pages = 0
        self._shown = 0
        self._asked = 0

    def act(self, observation: Observation) -> Call | list[Call]:
        """Asks for the next page of the list, in the same iteration or in a new one, or answers."""
        options = self.options
        exhausted = False
        if self._pages:
            page = paper_ids(observation)
            exhausted = len(page) < self._asked
            self._shown += len(page)
            self._fresh.extend(page)
            self._seen.extend(paper for paper in page if paper not in self._seen)
        self._asked = min(options["k"], options["results"] - self._shown)
        if self._asked <= 0 or exhausted:
            return self._answer()
        if 0 < self._pages < options["pages"]:
            self._pages += 1
            return call("continue", source=self._node, k=self._asked)
        if self._pages and iterations_left(observation) <= 1:
            return self._answer()
        return [*self._keep(), *([call("next_iteration")] if self._pages else []), self._ask(observation)]

    def _keep(self) -> list[Call]:
        """Selects what the open iteration has shown, so that it counts there."""
        kept = [call("select", subquery=self._node, papers=self._fresh)] if self._selects and self._fresh else []
        self._fresh = []
        return kept

    def _ask(self, observation: Observation) -> Call:
        self._node += 1
        self._pages = 1
        return call("derive", source=0, text=observation["question"], k=self._asked)

    def _answer(self) -> Call | list[Call]:
        if not self._selects:
            return call("answer")
        return [*self._keep(), call("answer", papers=self._seen[: self.options["answer_size"]])]
