"""Agents: from observation to tool call.

An agent sees the observation and nothing else; only the oracle is given the gold, and says so. The informed planner
knows the wordings that the synthetic world is made of, and says so too.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any, cast

from scholar_env.agents.base import Agent, PlainAgent
from scholar_env.errors import InvalidOptionError

AGENTS: dict[str, str] = {
    "random": "scholar_env.agents.random_calls:RandomAgent",
    "direct": "scholar_env.agents.direct:DirectAgent",
    "direct-paged": "scholar_env.agents.direct:DirectPagedAgent",
    "feedback": "scholar_env.agents.feedback:FeedbackAgent",
    "informed": "scholar_env.agents.informed:InformedAgent",
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
    if not inspect.isclass(found) or not all(callable(getattr(found, part, None)) for part in ("reset", "act")):
        raise _no_agent(name, f"{name!r} is not a class with the methods reset(seed) and act(observation)")
    return cast("type[Agent]", found)


def needs_gold(name: str) -> bool:
    """Whether an agent is given the gold before each episode; a class that does not say so is not.

    Raises:
        InvalidOptionError: There is no such agent.
    """
    return bool(getattr(agent_class(name), "needs_gold", False))


def is_assisted(name: str) -> bool:
    """Whether runs of an agent are marked as assisted: it is given the gold, or knows how the corpus was made.

    Raises:
        InvalidOptionError: There is no such agent.
    """
    return needs_gold(name) or bool(getattr(agent_class(name), "assisted", False))


def make_agent(name: str, tools: Collection[str], options: Mapping[str, Any] | None = None) -> Agent:
    """Makes an agent for an environment with the given tools.

    Args:
        name: As for :func:`agent_class`.
        tools: Names of the environment's tools; handed to a constructor that has a parameter of that name.
        options: Keyword arguments of the class.

    Raises:
        InvalidOptionError: There is no such agent, it has no such option, or its constructor fails.
    """
    cls: Any = agent_class(name)
    given = dict(options or {})
    parameters = inspect.signature(cls).parameters
    known = [item for item in parameters if item != "tools"]
    for option in given:
        if option not in known:
            raise InvalidOptionError(
                f"agent {name!r} has no option {option!r}",
                f"its options are {', '.join(known) or 'none'}",
                "take one of them, or leave it out",
            )
    try:
        made = cls(tools=tools, **given) if "tools" in parameters else cls(**given)
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(
            f"agent {name!r} cannot be made ({error})",
            "an agent's class takes tools, if it has such a parameter, and the options given to it",
            "give its other parameters defaults, or pass them as options",
        ) from error
    if isinstance(getattr(made, "options", None), dict):
        return cast("Agent", made)
    return PlainAgent(made, given)


def _no_agent(name: str, what: str) -> InvalidOptionError:
    return InvalidOptionError(
        what, f"the agents are {', '.join(AGENTS)}; your own is named package.module:Class", "check the name"
    )
