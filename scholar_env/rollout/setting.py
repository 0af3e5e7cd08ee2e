"""What a run is of: environment, arguments, corpus, agent, seed; and how it is made from stored text without trust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from scholar_env.agents import make_agent
from scholar_env.agents.base import Agent
from scholar_env.environment.registry import card
from scholar_env.errors import InvalidOptionError, UntrustedReferenceError

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv

_PACKAGE_PREFIX = "scholar_env:"
_TASK_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}@[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Setting:
    """The configuration of a run; picklable, so that every worker makes the same.

    Attributes:
        env_id: Registered id of this package.
        kwargs: Arguments of the environment, without the corpus; a task set as ``name@fingerprint``.
        corpus: A corpus specification that names the fingerprint.
        agent: Name of the agent, or ``package.module:Class``.
        agent_options: Its options.
        seed: Seed of the run.
        task_set: Where the task set is on this machine; None when there is none.
    """

    env_id: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    corpus: str | None = None
    agent: str = "direct"
    agent_options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    task_set: str | None = None

    def make_env(self) -> ScholarEnv:
        """Makes the environment."""
        return make_env(self.env_id, self.corpus, self.kwargs, self.task_set)

    def make_agent(self, env: ScholarEnv) -> Agent:
        """Makes the agent for the tools that the environment takes."""
        return make_agent(self.agent, env.card.family, env.tools, self.agent_options)


def own_id(env_id: str) -> str:
    """Returns an id of this package without the prefix that imports it.

    Raises:
        InvalidOptionError: It is not an id of this package.
    """
    return card(env_id.removeprefix(_PACKAGE_PREFIX)).id


def make_env(env_id: str, corpus: str | None, kwargs: Mapping[str, Any], task_set: str | None = None) -> ScholarEnv:
    """Makes an environment of this package, without Gymnasium's wrappers.

    Args:
        env_id: Registered id.
        corpus: Corpus specification, None for the default.
        kwargs: Further arguments.
        task_set: Task set specification in place of the one in ``kwargs``, None for that one.

    Raises:
        InvalidOptionError: The id or an argument is not one of this package.
    """
    import gymnasium

    given = dict(kwargs) if task_set is None else {**kwargs, "tasks": task_set}
    made = gymnasium.make(own_id(env_id), corpus=corpus, disable_env_checker=True, **given)
    return cast("ScholarEnv", made.unwrapped)


def check_trusted(env_id: Any, kwargs: Mapping[str, Any], *, allow_code: bool) -> None:
    """Refuses what a stored rollout may not ask for: foreign ids, and code named by import strings.

    Raises:
        UntrustedReferenceError: The id has a colon or is not of this package, an argument is not on its card, a task
            set is named by something else than name and fingerprint, or code is named without ``allow_code``.
    """
    rule = "a stored rollout may name only ids, arguments and code of this package"
    if not isinstance(env_id, str) or ":" in env_id:
        raise UntrustedReferenceError(f"the environment id {env_id!r}", rule, "look where the file comes from")
    try:
        entry = card(env_id)
        options = {name: entry.option(name) for name in kwargs}
    except InvalidOptionError as error:
        raise UntrustedReferenceError(error.what, rule, "use the version of the package that recorded it") from error
    tasks = kwargs.get("tasks")
    if tasks is not None and not (isinstance(tasks, str) and _TASK_SET.fullmatch(tasks)):
        raise UntrustedReferenceError(
            f"the rollout names the task set {tasks!r:.160}",
            "a stored rollout names a task set as name@fingerprint",
            "look where the file comes from",
        )
    for name, value in kwargs.items():
        named = [value] if options[name].imports and isinstance(value, str) else []
        if isinstance(value, dict):
            named.extend(key for key in value if isinstance(key, str))
        code = [text for text in named if ":" in text]
        if code and not allow_code:
            raise UntrustedReferenceError(
                f"the rollout imports {code[0]!r} for {name}", rule, "add --allow-code when you trust that code"
            )
