"""Agents that play CompLit as a routine: code that calls a tool and goes on with what it shows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Generator
from typing import Any

from scholar_env.agents.base import Call, Observation, call

Routine = Generator[Call | list[Call], Observation, None]
"""Yields calls and is sent what they showed."""


class RoutineAgent(ABC):
    """An agent whose episode is one function, :meth:`play`.

    Args:
        tools: Tools of the environment.
    """

    needs_gold = False

    def __init__(self, tools: Collection[str]) -> None:
        self.options: dict[str, Any] = {}
        self._talks = "next_turn" in tools
        self._routine: Routine | None = None

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._routine = None

    def act(self, observation: Observation) -> Call | list[Call]:
        """Goes on with the routine."""
        if self._routine is None:
            self._routine = self.play(observation)
            return next(self._routine)
        return self._routine.send(observation)

    @abstractmethod
    def play(self, observation: Observation) -> Routine:
        """Plays an episode."""

    def close(self, paper: str, reason: str = "") -> list[Call]:
        """The calls that give an answer ("" abstains) and, in a conversation, go on; a last turn ends before that."""
        given = call("answer", paper=paper, rationale=reason) if paper else call("abstain", reason=reason)
        return [given, call("next_turn")] if self._talks else [given]


def calls_left(observation: Observation) -> int:
    """What is left of the budget."""
    return int(observation["budget"]["calls"])
