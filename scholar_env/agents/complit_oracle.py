"""Oracle of CompLit: knows the target, and whether there is one. The upper end of every comparison."""

from __future__ import annotations

from collections.abc import Collection

from scholar_env.agents.base import Observation, call
from scholar_env.agents.complit_base import Routine, RoutineAgent
from scholar_env.agents.oracle import PaperTexts
from scholar_env.records import Task


class ComplitOracleAgent(RoutineAgent):
    """Searches for the target by its title, reads it and answers with it; abstains where there is none.

    Args:
        tools: Tools of the environment.
    """

    needs_gold = True

    def __init__(self, tools: Collection[str]) -> None:
        super().__init__(tools)
        self._gold, self._title = "", ""

    def bind(self, task: Task, corpus: PaperTexts) -> None:
        """Takes the next episode's target."""
        self._gold = task.gold[0] if task.gold else ""
        row = corpus.row_of(self._gold) if self._gold else None
        self._title = "" if row is None else corpus.title(row)

    def play(self, observation: Observation) -> Routine:
        """Looks the target up and answers with it in every turn."""
        if self._title:
            yield call("search", text=self._title)
            yield call("read", paper=self._gold)
        while True:
            yield self.close(self._gold, "it is the one")
