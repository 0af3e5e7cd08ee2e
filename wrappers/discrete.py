"""Numbered actions with a mask, for agents that choose from a fixed list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.utils import RecordConstructorArgs

from scholar_env.environment.tool_space import ToolCallSpace

Call = dict[str, Any]
MASKED: Call = {"name": "masked_action", "arguments": {}}
"""What a step with a masked action calls: no tool, so it costs a call and changes nothing else."""


def _call(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


@dataclass
class _Table:
    """What lies on the table, read from observations alone.

    Attributes:
        question: The question.
        shelf: Distinct results of the open iteration, those of the last step first, best first.
        kept: Papers kept of each subquery in the open iteration.
        tree: Subqueries as observed.
        iterations: Iterations left.
        pages_before: Pages that had been fetched when the open iteration began.
    """

    question: str
    iterations: int
    shelf: list[Mapping[str, Any]] = field(default_factory=list)
    kept: dict[int, list[str]] = field(default_factory=dict)
    tree: Sequence[Mapping[str, Any]] = ()
    pages_before: int = 0

    @property
    def pages(self) -> int:
        """Pages fetched in the open iteration."""
        return self._all_pages() - self.pages_before

    def _all_pages(self) -> int:
        return sum(int(node["pages"]) for node in self.tree)

    def look(self, observation: Mapping[str, Any]) -> None:
        """Takes in an observation."""
        self.tree = observation["tree"]
        if (
            observation["budget"]["iterations"] != self.iterations
        ):  # an iteration was closed, by a call that fetches nothing
            self.iterations = observation["budget"]["iterations"]
            self.pages_before = self._all_pages()
            self.shelf, self.kept = [], {}
        fresh = {result["paper"]: result for result in observation["results"]}
        self.shelf = [*fresh.values(), *(result for result in self.shelf if result["paper"] not in fresh)]


class DiscreteTemplates(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Turns a number into a tool call by templates filled from what the agent has seen.

    With R = ``results`` and Q = ``subqueries``, the actions are: search the question; derive a subquery from the title
    of result 1 … R; continue subquery 1 … Q; keep result 1 … R (only where the agent selects); close the iteration;
    answer. Result 1 is the best of the last search, subquery 1 the newest. :meth:`action_masks` says which ones are
    possible; an impossible one is refused by the engine like every bad call.

    Args:
        env: The environment.
        results: How many of the latest results can be acted on.
        subqueries: How many of the latest subqueries can be continued.
        page_size: Results of each search.
        max_pages: Pages of a subquery, as the environment was made with.
        max_subqueries: Pages of an iteration, as the environment was made with.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        results: int = 10,
        subqueries: int = 6,
        page_size: int = 10,
        max_pages: int = 3,
        max_subqueries: int = 6,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            results=results,
            subqueries=subqueries,
            page_size=page_size,
            max_pages=max_pages,
            max_subqueries=max_subqueries,
        )
        super().__init__(env)
        if not isinstance(env.action_space, ToolCallSpace):
            raise TypeError(f"DiscreteTemplates wraps an environment of tool calls, not of {env.action_space}")
        self._results, self._subqueries, self._page_size = results, subqueries, page_size
        self._max_pages, self._max_subqueries = max_pages, max_subqueries
        kinds = [("question", 0)]
        kinds += [("derive", place) for place in range(results)]
        kinds += [("continue", place) for place in range(subqueries)]
        kinds += [("keep", place) for place in range(results)] if "select" in env.action_space.tools else []
        self.templates: tuple[tuple[str, int], ...] = (*kinds, ("next_iteration", 0), ("answer", 0))
        self.action_space = Discrete(len(self.templates))
        self._table: _Table | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._table = _Table(observation["question"], observation["budget"]["iterations"])
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Fills in the template of that number and runs the call."""
        call = self.call_of(int(action))
        observation, reward, terminated, truncated, info = self.env.step(MASKED if call is None else call)
        if call is not None and call["name"] == "select" and not observation["error"]:
            self._seen().kept[call["arguments"]["subquery"]] = call["arguments"]["papers"]
        self._seen().look(observation)
        return observation, float(reward), terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """``bool[n]``: which actions are possible now."""
        return np.array([self.call_of(action) is not None for action in range(len(self.templates))])

    def call_of(self, action: int) -> Call | None:
        """The call that an action stands for now, None when it is impossible."""
        kind, place = self.templates[action]
        table = self._seen()
        if kind == "answer":
            return _call("answer")
        if kind == "next_iteration":
            return _call("next_iteration") if table.pages else None
        if kind == "keep":
            return self._keep(table, place)
        if table.pages >= self._max_subqueries:
            return None
        if kind == "question":
            return _call("derive", source=0, text=table.question, k=self._page_size)
        if kind == "derive":
            return self._derive(table, place)
        return self._continue(table, place)

    def _derive(self, table: _Table, place: int) -> Call | None:
        if place >= min(len(table.shelf), self._results):
            return None
        result = table.shelf[place]
        title = result["title"].strip()
        source = result["subquery"]
        return _call("derive", source=source, text=title, k=self._page_size) if title else None

    def _continue(self, table: _Table, place: int) -> Call | None:
        if place >= min(len(table.tree), self._subqueries):
            return None
        node = table.tree[-1 - place]
        if node["link"] == "search" or node["pages"] >= self._max_pages:
            return None
        return _call("continue", source=node["id"], k=self._page_size)

    def _keep(self, table: _Table, place: int) -> Call | None:
        if place >= min(len(table.shelf), self._results):
            return None
        result = table.shelf[place]
        kept = table.kept.get(result["subquery"], [])
        if result["paper"] in kept:
            return None
        # A selection replaces the earlier one of the same subquery, so what was kept before is named again.
        return _call("select", subquery=result["subquery"], papers=[*kept, result["paper"]])

    def _seen(self) -> _Table:
        if self._table is None:
            raise gymnasium.error.ResetNeeded("Cannot act before the first episode: call env.reset()")
        return self._table
