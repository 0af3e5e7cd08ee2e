"""Which family an environment is of, and which wrappers fit it."""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.spaces import Dict

from scholar_env.environment import registry
from scholar_env.environment.env import ScholarEnv
from scholar_env.errors import InvalidOptionError


def family_name(env: gymnasium.Env[Any, Any]) -> str:
    """The family of an environment: that of its card, else that of the first card with the keys of its observations.

    Raises:
        InvalidOptionError: It is not one of this package and no card has these keys.
    """
    if isinstance(env.unwrapped, ScholarEnv):
        return env.unwrapped.card.family
    space = env.observation_space
    return registry.family_of(tuple(space.spaces) if isinstance(space, Dict) else ())


def require_tree(env: gymnasium.Env[Any, Any], wrapper: str) -> None:
    """Refuses an environment of this package whose family has no subquery tree.

    Raises:
        InvalidOptionError: It is one.
    """
    if isinstance(env.unwrapped, ScholarEnv) and "tree" not in env.unwrapped.card.observation:
        card = env.unwrapped.card
        raise InvalidOptionError(
            f"{wrapper} over {card.id}, of the family {card.family}",
            f"{wrapper} is about the subquery tree, which ScholarGym has",
            "take TextAction or Messages, which fit every family",
        )
