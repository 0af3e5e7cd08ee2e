"""Potential-based shaping, which leaves the optimal policy as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs

from scholar_env.errors import InvalidOptionError


class PotentialShaping(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds γΦ(s') - Φ(s) to the reward, with Φ = Σ weight × metric (Ng, Harada and Russell, 1999).

    Φ of a terminal state is 0, as the theorem asks, so the discounted sum of what is added is -Φ(s_0), whatever the
    agent does. An episode that is truncated keeps its Φ. Put it over an environment with ``reward_timing="terminal"``:
    the incremental timing already pays differences.

    Args:
        env: An environment that tells its metrics at every step.
        weights: Weight of each metric in Φ.
        gamma: The agent's discount, in [0, 1].

    Raises:
        InvalidOptionError: A metric that the environment does not tell, or γ out of range.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], weights: Mapping[str, float], gamma: float = 1.0) -> None:
        RecordConstructorArgs.__init__(self, weights=dict(weights), gamma=gamma)
        super().__init__(env)
        if not 0.0 <= gamma <= 1.0:
            raise InvalidOptionError(f"gamma={gamma!r}", "a discount lies in [0, 1]", "pass the agent's own")
        self._weights, self._gamma = dict(weights), gamma
        self._potential = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._potential = self._value(info["metrics"])
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Steps the environment below and adds the shaping term."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        potential = 0.0 if terminated else self._value(info["metrics"])
        shaped = float(reward) + self._gamma * potential - self._potential
        self._potential = potential
        return observation, shaped, terminated, truncated, info

    def _value(self, metrics: Mapping[str, float]) -> float:
        for name in self._weights:
            if math.isnan(metrics.get(name, math.nan)):
                raise InvalidOptionError(
                    f"The metric {name!r} is {'not told' if name in metrics else 'unknown'}",
                    f"a potential is made of {', '.join(metrics)}, told at every step",
                    "name one of these, and make the environment with metrics_in_info='step'",
                )
        return math.fsum(weight * metrics[name] for name, weight in self._weights.items())
