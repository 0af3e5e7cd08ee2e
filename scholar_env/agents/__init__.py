"""Agents: from observation to tool call.

An agent sees the observation and nothing else; only the oracle is given the gold, and says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from scholar_env.agents.base import Agent
from scholar_env.errors import InvalidOptionError

AGENTS: dict[str, str] = {
    "random": "scholar_env.agents.random_calls:RandomAgent",
    "direct": "scholar_env.agents.direct:DirectAgent",
    "direct-paged": "scholar_env.agents.direct:DirectPagedAgent",
    "feedback": "scholar_env.agents.feedback:FeedbackAgent",
    "oracle": "scholar_env.agents.oracle:OracleAgent",
    "scripted": "scholar_env.agents.scripted:ScriptedAgent",
}
"""Name to class; one line registers an agent."""


def agent_class(name: str) -> type[Agent]:
    """Returns the class of an agent.

    Args:
        name: A name of :data:`AGENTS`, or ``"package.module:Class"``, which imports that code.

    Raises:
        InvalidOptionError: There is no such agent.
    """
    target = AGENTS.get(name, name)
    module, colon, attribute = target.partition(":")
    if not colon:
        raise _no_agent(name, f"there is no agent {name!r}")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise _no_agent(name, f"agent {name!r} cannot be imported ({error})") from error
    if not inspect.isclass(found) or not all(hasattr(found, part) for part in ("reset", "act", "needs_gold")):
        raise _no_agent(name, f"{name!r} is not a class with reset, act and needs_gold")
    return cast("type[Agent]", found)


def make_agent(name: str, tools: Sequence[str], options: Mapping[str, Any] | None = None) -> Agent:
    """Makes an agent for an environment with the given tools.

    Args:
        name: As for :func:`agent_class`.
        tools: Names of the environment's tools.
        options: Keyword arguments of the class.

    Raises:
        InvalidOptionError: There is no such agent, or it has no such option.
    """
    cls = agent_class(name)
    known = [item for item in inspect.signature(cls).parameters if item != "tools"]
    for option in options or {}:
        if option not in known:
            raise InvalidOptionError(
                f"agent {name!r} has no option {option!r}",
                f"its options are {', '.join(known) or 'none'}",
                "take one of them, or leave it out",
            )
    make: Any = cls
    agent: Agent = make(tools, **dict(options or {}))
    return agent


def _no_agent(name: str, what: str) -> InvalidOptionError:
    return InvalidOptionError(
        what, f"the agents are {', '.join(AGENTS)}; your own is named package.module:Class", "check the name"
    )
