"""What a run is of: environment, arguments, corpus, agent, seed; and how it is made from stored text without trust."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Setting:
    """The configuration of a run; picklable, so that every worker makes the same.

    Attributes:
        env_id: Registered id of this package.
        kwargs: Arguments of the environment, without the corpus.
        corpus: A corpus specification that names the fingerprint.
        agent: Name of the agent, or ``package.module:Class``.
        agent_options: Its options.
        seed: Seed of the run.
    """

    env_id: str
    kwargs: dict[str, Any] = field(default_factory=dict)
    corpus: str | None = None
    agent: str = "direct"
    agent_options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    def make_env(self) -> ScholarEnv:
        """Makes the environment."""
        return make_env(self.env_id, self.corpus, self.kwargs)

    def make_agent(self, env: ScholarEnv) -> Agent:
        """Makes the agent for the tools that the environment takes."""
        return make_agent(self.agent, env.card.family, env.tools, self.agent_options)


def own_id(env_id: str) -> str:
    """Returns an id of this package without the prefix that imports it.

    Raises:
        InvalidOptionError: It is not an id of this package.
    """
    return card(env_id.removeprefix(_PACKAGE_PREFIX)).id


def make_env(env_id: str, corpus: str | None, kwargs: Mapping[str, Any]) -> ScholarEnv:
    """Makes an environment of this package, without Gymnasium's wrappers.

    Args:
        env_id: Registered id.
        corpus: Corpus specification, None for the default.
        kwargs: Further arguments.

    Raises:
        InvalidOptionError: The id or an argument is not one of this package.
    """
    import gymnasium

    made = gymnasium.make(own_id(env_id), corpus=corpus, disable_env_checker=True, **dict(kwargs))
    return cast("ScholarEnv", made.unwrapped)


def check_trusted(env_id: Any, kwargs: Mapping[str, Any], *, allow_code: bool) -> None:
    """Refuses what a stored rollout may not ask for: foreign ids, and code named by import strings.

    Raises:
        UntrustedReferenceError: The id has a colon or is not of this package, an argument is not on its card, or code
            is named without ``allow_code``.
    """
    rule = "a stored rollout may name only ids, arguments and code of this package"
    if not isinstance(env_id, str) or ":" in env_id:
        raise UntrustedReferenceError(f"the environment id {env_id!r}", rule, "look where the file comes from")
    try:
        entry = card(env_id)
        options = {name: entry.option(name) for name in kwargs}
    except InvalidOptionError as error:
        raise UntrustedReferenceError(error.what, rule, "use the version of the package that recorded it") from error
    for name, value in kwargs.items():
        named = [value] if options[name].imports and isinstance(value, str) else []
        if isinstance(value, dict):
            named.extend(key for key in value if isinstance(key, str))
        code = [text for text in named if ":" in text]
        if code and not allow_code:
            raise UntrustedReferenceError(
                f"the rollout imports {code[0]!r} for {name}", rule, "add --allow-code when you trust that code"
            )
