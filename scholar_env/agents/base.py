"""What an agent is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol, runtime_checkable

from scholar_env.errors import ScholarEnvError

Observation = Mapping[str, Any]
"""What the environment shows; nothing else reaches an agent."""

Call = dict[str, Any]
"""``{"name": str, "arguments": {…}}``."""


class AgentError(ScholarEnvError):
    """An agent, or the worker that it runs in, failed with an error of its own."""


@runtime_checkable
class Agent(Protocol):
    """A policy over tool calls.

    A class of one's own needs the two methods only. Its constructor may take ``tools``, the tools that the environment
    offers by name (:class:`scholar_env.episode.tool.Tool`), and options as keyword arguments with defaults.

    A class that knows more than the observation tells has a true attribute ``assisted``; its runs are marked so.

    Attributes:
        needs_gold: Whether a runner must call ``bind(task, corpus)`` before each episode, which marks the run as
            assisted; False when a class lacks it.
        options: The options with their values, JSON-able, as a rollout records them; those that were given, when a
            class lacks it.
    """

    needs_gold: bool
    options: dict[str, Any]

    def reset(self, seed: int) -> None:
        """Forgets the last episode; ``seed`` fixes every draw of the next one."""
        ...

    def act(self, observation: Observation) -> Call | list[Call]:
        """Returns the next call, or several that run in order until the episode ends."""
        ...


class PlainAgent:
    """A class with ``reset`` and ``act`` only, completed to an :class:`Agent`.

    Args:
        inner: The object that acts.
        options: The options that it was made with.
    """

    def __init__(self, inner: Any, options: dict[str, Any]) -> None:
        self.inner, self.options = inner, options
        self.needs_gold = bool(getattr(inner, "needs_gold", False))
        self.assisted = bool(getattr(inner, "assisted", False))

    def reset(self, seed: int) -> None:
        """Passes the seed on."""
        self.inner.reset(seed)

    def act(self, observation: Observation) -> Call | list[Call]:
        """Passes the observation on, and the calls back."""
        calls: Call | list[Call] = self.inner.act(observation)
        return calls

    def bind(self, task: Any, corpus: Any) -> None:
        """Passes the gold on, for a class that says that it needs it."""
        self.inner.bind(task, corpus)


def call(name: str, /, **arguments: Any) -> Call:
    """Returns a tool call."""
    return {"name": name, "arguments": arguments}


def paper_ids(observation: Observation) -> list[str]:
    """Returns the ids in the results of the last call, in order, each once."""
    return list(dict.fromkeys(str(entry["paper"]) for entry in observation["results"]))


def results_by_subquery(observation: Observation) -> dict[int, list[str]]:
    """Returns the ids in the results of the last call by the subquery that found them."""
    found: dict[int, list[str]] = {}
    for entry in observation["results"]:
        found.setdefault(int(entry["subquery"]), []).append(str(entry["paper"]))
    return found


def iterations_left(observation: Observation) -> int:
    """Returns how many iterations may still be closed, the open one included."""
    return int(observation["budget"]["iterations"])


def select_all(observation: Observation) -> list[Call]:
    """Returns the calls that select every result of the last call under its subquery."""
    found = results_by_subquery(observation)
    return [call("select", subquery=subquery, papers=papers) for subquery, papers in found.items()]


def may_select(tools: Collection[str]) -> bool:
    """Whether selection is left to the agent (under a fixed assessor there is no ``select``)."""
    return "select" in tools
