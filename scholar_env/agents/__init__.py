"""Agents: from observation to tool call.

An agent sees the observation and nothing else; only the oracle is given the gold, and says so. The informed planner
knows the wordings that the synthetic world is made of, and says so too.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from scholar_env.agents.base import Agent, PlainAgent
from scholar_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from scholar_env.episode.tool import Tool

ANY = "*"
"""Stands for every family that has no class of its own."""

AGENTS: dict[str, dict[str, str]] = {
    "random": {
        ANY: "scholar_env.agents.random_calls:RandomAgent",
        "scholargym": "scholar_env.agents.scholargym_random:ScholarGymRandomAgent",
        "aise": "scholar_env.agents.aise_random:AiseRandomAgent",
        "scinet": "scholar_env.agents.scinet_simple:RandomWalkAgent",
    },
    "direct": {
        "complit": "scholar_env.agents.complit_simple:DirectAgent",
        "scholargym": "scholar_env.agents.direct:DirectAgent",
    },
    "direct-paged": {"scholargym": "scholar_env.agents.direct:DirectPagedAgent"},
    "feedback": {"scholargym": "scholar_env.agents.feedback:FeedbackAgent"},
    "informed": {"scholargym": "scholar_env.agents.informed:InformedAgent"},
    "rerank": {"complit": "scholar_env.agents.complit_checker:RerankAgent"},
    "checker": {"complit": "scholar_env.agents.complit_checker:CheckerAgent"},
    "shell": {"complit": "scholar_env.agents.complit_simple:ShellAgent"},
    "always-abstain": {"complit": "scholar_env.agents.complit_simple:AbstainAgent"},
    "never-abstain": {"complit": "scholar_env.agents.complit_checker:NeverAbstainAgent"},
    "template-planner": {"aise": "scholar_env.agents.aise_planner:AisePlannerAgent"},
    "stepwise": {"aise": "scholar_env.agents.aise_stepwise:AiseStepwiseAgent"},
    "library": {"aise": "scholar_env.agents.aise_library:AiseLibraryAgent"},
    "workflow": {"aise": "scholar_env.agents.aise_workflow:AiseWorkflowAgent"},
    "inventor": {"aise": "scholar_env.agents.aise_inventor:AiseInventorAgent"},
    "lexical": {"scinet": "scholar_env.agents.scinet_simple:LexicalAgent"},
    "one-hop": {"scinet": "scholar_env.agents.scinet_simple:OneHopAgent"},
    "crawler": {"scinet": "scholar_env.agents.scinet_crawler:CrawlerAgent"},
    "citation-walk": {"scinet": "scholar_env.agents.scinet_walks:CitationWalkAgent"},
    "scientometric": {"scinet": "scholar_env.agents.scinet_walks:ScientometricAgent"},
    "oracle": {
        "complit": "scholar_env.agents.complit_oracle:ComplitOracleAgent",
        "scholargym": "scholar_env.agents.oracle:OracleAgent",
        "aise": "scholar_env.agents.aise_oracle:AiseOracleAgent",
        "scinet": "scholar_env.agents.scinet_oracle:ScinetOracleAgent",
    },
    "scripted": {ANY: "scholar_env.agents.scripted:ScriptedAgent"},
}
"""Name, then family, to class; one line registers an agent."""


def agents_of(family: str) -> list[str]:
    """Returns the names of the agents that play a family."""
    return [name for name, classes in AGENTS.items() if family in classes or ANY in classes]


def agent_class(name: str, family: str) -> type[Agent]:
    """Returns the class of an agent.

    Args:
        name: A name of :data:`AGENTS`, or ``"package.module:Class"``, which imports that code.
        family: Name of the family that it is to play.

    Raises:
        InvalidOptionError: There is no such agent, or it does not play that family.
    """
    target = name
    if name in AGENTS:
        classes = AGENTS[name]
        if family not in classes and ANY not in classes:
            raise InvalidOptionError(
                f"agent {name!r} does not play {family!r}",
                f"it plays {', '.join(classes)}; {family} is played by {', '.join(agents_of(family))}",
                "take one of these, or your own as package.module:Class",
            )
        target = classes.get(family) or classes[ANY]
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


def needs_gold(name: str, family: str) -> bool:
    """Whether an agent is given the gold before each episode; a class that does not say so is not.

    Raises:
        InvalidOptionError: There is no such agent.
    """
    return bool(getattr(agent_class(name, family), "needs_gold", False))


def is_assisted(name: str, family: str) -> bool:
    """Whether runs of an agent are marked as assisted: it is given the gold, or knows how the corpus was made.

    Raises:
        InvalidOptionError: There is no such agent.
    """
    return needs_gold(name, family) or bool(getattr(agent_class(name, family), "assisted", False))


def make_agent(name: str, family: str, tools: Mapping[str, Tool], options: Mapping[str, Any] | None = None) -> Agent:
    """Makes an agent for an environment with the given tools.

    Args:
        name: As for :func:`agent_class`.
        family: As there.
        tools: The environment's tools by name; handed to a constructor that has a parameter of that name.
        options: Keyword arguments of the class.

    Raises:
        InvalidOptionError: There is no such agent, it does not play that family, it has no such option, or its
            constructor fails.
    """
    cls: Any = agent_class(name, family)
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
