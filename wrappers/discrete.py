"""Numbered actions with a mask, for agents that choose from a fixed list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Dict, Discrete
from gymnasium.utils import RecordConstructorArgs

from scholar_env.environment.tool_space import ToolCallSpace
from scholar_env.episode.arguments import MAX_TEXT
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.tools import SELECT_ARGUMENTS
from scholar_env.errors import InvalidOptionError

from .families import require_tree

Call = dict[str, Any]
MASKED: Call = {"name": "masked_action", "arguments": {}}
"""What a step with a masked action calls: no tool, so it costs a call and changes nothing else."""
NEEDED = ("derive", "continue", "next_iteration", "answer")
"""Tools that the templates call, besides ``select`` where the agent selects."""
SEEN = {"question", "results", "tree", "selected", "budget"}
"""Keys of an observation that the templates are filled from."""
MOST_KEPT = next(argument.max_length or 0 for argument in SELECT_ARGUMENTS if argument.name == "papers")
"""Papers that one ``select`` can name."""


def _call(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


@dataclass
class _Table:
    """What lies on the table, read from observations alone.

    Attributes:
        question: The question.
        iterations: Iterations left.
        seen: Distinct results of the open iteration, those of the last search first, best first.
        kept: Papers kept of each subquery in the open iteration.
        selected: All selected papers.
        tree: Subqueries as observed.
        pages_before: Pages that had been fetched when the open iteration began.
        over: Whether the episode has ended.
    """

    question: str
    iterations: int
    seen: list[Mapping[str, Any]] = field(default_factory=list)
    kept: dict[int, list[str]] = field(default_factory=dict)
    selected: frozenset[str] = frozenset()
    tree: Sequence[Mapping[str, Any]] = ()
    pages_before: int = 0
    over: bool = False

    @property
    def pages(self) -> int:
        """Pages fetched in the open iteration."""
        return self._all_pages() - self.pages_before

    def _all_pages(self) -> int:
        return sum(int(node["pages"]) for node in self.tree)

    def look(self, observation: Mapping[str, Any], *, over: bool) -> None:
        """Takes in an observation."""
        self.tree, self.selected, self.over = observation["tree"], frozenset(observation["selected"]), over
        if (
            observation["budget"]["iterations"] != self.iterations
        ):  # an iteration was closed, by a call that fetches nothing or by the end
            self.iterations = observation["budget"]["iterations"]
            self.pages_before = self._all_pages()
            self.seen, self.kept = [], {}
        fresh = {} if over else {result["paper"]: result for result in observation["results"]}
        self.seen = [*fresh.values(), *(result for result in self.seen if result["paper"] not in fresh)]


class DiscreteTemplates(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Turns a number into a tool call by templates filled from what the agent has seen.

    With R = ``results`` and Q = ``subqueries``, the actions are, in order (:attr:`action_names` lists them):

    - ``question``: search the question itself.
    - ``derive i``, i = 0 … R-1: derive a subquery from result i of the shelf; its text is that result's title.
    - ``continue j``, j = 0 … Q-1: the next page of subquery j, counted from the newest.
    - ``keep i``, i = 0 … R-1: select result i of the shelf; only where the agent selects.
    - ``next_iteration``: close the open iteration.
    - ``answer``: end with the selected papers.

    The shelf (:attr:`shelf`) holds the distinct results of the open iteration: those of the last search in its order,
    then those of the searches before it. A step that fetches nothing, as ``keep``, leaves it as it
    is; closing the iteration clears it. :class:`~scholar_env.wrappers.NumericObs` above this wrapper shows the shelf.

    :meth:`action_masks` says which actions are possible; the engine takes every one of them. An impossible one is
    refused by the engine like every bad call. After the end ``answer`` alone stays possible, so that a distribution
    over the possible actions exists there too.

    Args:
        env: The environment, whose observations are its own (text comes before numbers).
        results: R, at least 1.
        subqueries: Q, at least 1.
        page_size: Results of each search; None and anything larger mean the environment's own.
        max_pages: Pages of one subquery; None and anything larger mean the environment's own.
        max_subqueries: Pages of one iteration; None and anything larger mean the environment's own.

    Attributes:
        templates: Kind and place of each action.
        action_names: The same as text, ``derive 0`` for ``("derive", 0)``.
        n_results: R.
        n_subqueries: Q.

    Raises:
        TypeError: The environment takes no tool calls, or its observations are not its own.
        InvalidOptionError: A number below 1, an environment without single searches (``compat="upstream"``), or one of
            a family without a subquery tree.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        results: int = 10,
        subqueries: int = 6,
        page_size: int | None = None,
        max_pages: int | None = None,
        max_subqueries: int | None = None,
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
        tools = _tools_of(env)
        config = getattr(env.unwrapped, "config", None)
        limits = config if isinstance(config, EpisodeConfig) else EpisodeConfig()
        self.n_results, self.n_subqueries = _limit("results", results), _limit("subqueries", subqueries)
        self._page_size = _limit("page_size", page_size, limits.page_size)
        self._max_pages = _limit("max_pages", max_pages, limits.max_pages)
        self._max_subqueries = _limit("max_subqueries", max_subqueries, limits.max_subqueries)
        kinds = [("question", 0)]
        kinds += [("derive", place) for place in range(results)]
        kinds += [("continue", place) for place in range(subqueries)]
        kinds += [("keep", place) for place in range(results)] if "select" in tools else []
        self.templates: tuple[tuple[str, int], ...] = (*kinds, ("next_iteration", 0), ("answer", 0))
        placed = ("derive", "continue", "keep")
        self.action_names = tuple(f"{kind} {place}" if kind in placed else kind for kind, place in self.templates)
        self.action_space = Discrete(len(self.templates))
        self._table: _Table | None = None

    @property
    def shelf(self) -> tuple[Mapping[str, Any], ...]:
        """The results that ``derive i`` and ``keep i`` refer to, at most R, as the observation showed them."""
        return () if self._table is None else tuple(self._table.seen[: self.n_results])

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
        self._seen().look(observation, over=bool(terminated or truncated))
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
        if table.over:
            return None
        if kind == "next_iteration":
            return _call("next_iteration") if table.pages else None
        if kind == "keep":
            return self._keep(table, place)
        if table.pages >= self._max_subqueries:
            return None
        if kind == "question":
            return self._search(0, table.question)
        if kind == "derive":
            shelf = self.shelf
            return self._search(shelf[place]["subquery"], shelf[place]["title"]) if place < len(shelf) else None
        return self._continue(table, place)

    def _search(self, source: int, text: str) -> Call | None:
        words = text.strip()[:MAX_TEXT]
        return _call("derive", source=source, text=words, k=self._page_size) if words else None

    def _continue(self, table: _Table, place: int) -> Call | None:
        if place >= len(table.tree):
            return None
        node = table.tree[-1 - place]
        if node["link"] == "search" or node["pages"] >= self._max_pages:
            return None
        return _call("continue", source=node["id"], k=self._page_size)

    def _keep(self, table: _Table, place: int) -> Call | None:
        shelf = self.shelf
        if place >= len(shelf) or shelf[place]["paper"] in table.selected:
            return None
        subquery = shelf[place]["subquery"]
        kept = table.kept.get(subquery, [])
        if len(kept) >= MOST_KEPT:
            return None
        # A selection replaces the earlier one of the same subquery, so what was kept before is named again.
        return _call("select", subquery=subquery, papers=[*kept, shelf[place]["paper"]])

    def _seen(self) -> _Table:
        if self._table is None:
            raise gymnasium.error.ResetNeeded("Cannot act before the first episode: call env.reset()")
        return self._table


def _tools_of(env: gymnasium.Env[Any, Any]) -> tuple[str, ...]:
    """The tools of an environment that the templates fit."""
    require_tree(env, "DiscreteTemplates")
    actions, observations = env.action_space, env.observation_space
    if not isinstance(actions, ToolCallSpace):
        raise TypeError(f"DiscreteTemplates wraps an environment of tool calls, not of {actions}")
    if not isinstance(observations, Dict) or not observations.spaces.keys() >= SEEN:
        raise TypeError("DiscreteTemplates reads the environment's own observations: put other views above it")
    missing = [name for name in NEEDED if name not in actions.tools]
    if missing:
        raise InvalidOptionError(
            f"The environment has no {', '.join(missing)}",
            "the templates search call by call",
            "make it without compat='upstream'",
        )
    return tuple(actions.tools)


def _limit(name: str, wanted: int | None, most: int | None = None) -> int:
    """A number of at least 1 and at most ``most``; None is ``most``."""
    if wanted is None and most is not None:
        return most
    if type(wanted) is not int or wanted < 1:
        raise InvalidOptionError(f"{name}={wanted!r}", f"{name} is an integer of at least 1", f"pass a larger {name}")
    return wanted if most is None else min(wanted, most)
