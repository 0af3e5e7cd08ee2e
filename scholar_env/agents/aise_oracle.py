"""Oracle of AISE-Bench: runs the gold plan and gives the gold answer. The upper end of every comparison."""

from __future__ import annotations

from typing import Any

from scholar_env.agents.base import Call, Observation, call
from scholar_env.records import Task


class AiseOracleAgent:
    """Runs the gold plan, then answers as the gold does; a task without gold is answered with nothing."""

    needs_gold = True

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self._details: dict[str, Any] = {}
        self.reset(0)

    def bind(self, task: Task, corpus: object) -> None:
        """Takes the next episode's gold."""
        del corpus
        self._details = dict(task.details)

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._planned = False

    def act(self, observation: Observation) -> Call:
        """Runs the plan, then answers."""
        del observation
        plan = self._details.get("plan", [])
        if plan and not self._planned:
            self._planned = True
            return call("call_plan", steps=plan)
        if "answer" not in self._details:
            return call("abstain", reason="no gold")
        return call("answer", answer=self._details["answer"], reference=self._details["reference"])
