"""REINFORCE on numbered actions, in NumPy alone: learns when to search, what to keep and when to stop.

A linear softmax over the possible actions; each is described by its kind, by how well the title of its result matches
the question, and by how the search stands. It learns on the training split, with the batch average as the baseline, and
is tried on the test split.

Usage: python examples/reinforce.py [N_EPISODES [N_HELD_OUT]]
"""

from __future__ import annotations

import re
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from scholar_env.wrappers import DiscreteTemplates

Array = npt.NDArray[np.float64]
KINDS = ("question", "derive", "continue", "keep", "next_iteration", "answer")
FEATURES = ("always", "own match", "best match left", "papers kept", "subqueries asked")
N_FEATURES = len(FEATURES)
BATCH, RATE = 10, 2.0  # episodes of one gradient step, and its size


def make(env_id: str) -> Any:
    return DiscreteTemplates(gym.make(f"scholar_env:{env_id}", corpus="toy"), results=6, subqueries=1)


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


def features(env: Any, observation: dict[str, Any]) -> Array:
    """float64[actions, kinds × features]: what each action acts on and the state of the search, by kind."""
    asked = words(observation["question"])
    match = [len(asked & words(result["title"])) / 3 for result in env.shelf]
    selected = set(observation["selected"])
    left = [m for m, result in zip(match, env.shelf, strict=True) if result["paper"] not in selected]
    best = max(left, default=0.0)  # the best match that is not kept yet
    table = np.zeros((len(env.templates), len(KINDS), N_FEATURES))
    for action, (kind, place) in enumerate(env.templates):
        own = match[place] if kind in ("derive", "keep") and place < len(match) else 0.0
        table[action, KINDS.index(kind)] = (1.0, own, best, len(selected) / 5, len(observation["tree"]) / 5)
    return table.reshape(len(table), -1)


def play(env: Any, weights: Array, rng: np.random.Generator, seed: int) -> tuple[list[float], list[Array]]:
    """Plays an episode with the softmax policy; returns the rewards and the gradients of the log-probabilities."""
    observation, _ = env.reset(seed=seed)
    rewards, gradients, ended = [], [], False
    while not ended:
        x = features(env, observation)
        logits = np.where(env.action_masks(), x @ weights, -np.inf)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        action = int(rng.choice(len(chances), p=chances))
        gradients.append(x[action] - chances @ x)
        observation, reward, terminated, truncated, _ = env.step(action)
        rewards.append(reward)
        ended = terminated or truncated
    return rewards, gradients


def train(n_episodes: int, seed: int = 0) -> Array:
    """Follows the gradient of the return; returns the weights."""
    env, rng = make("ScholarGym-Train-v0"), np.random.default_rng(seed)
    weights = np.zeros(len(KINDS) * N_FEATURES)
    for start in range(0, n_episodes, BATCH):
        games = [play(env, weights, rng, start + place) for place in range(BATCH)]
        to_go = [np.cumsum(rewards[::-1])[::-1] for rewards, _ in games]  # what is earned from each step on
        for step in range(max(map(len, to_go))):
            baseline = sum(rest[step] for rest in to_go if step < len(rest)) / BATCH  # ended games earn 0
            for rest, (_, gradients) in zip(to_go, games, strict=True):
                if step < len(rest):
                    weights += RATE / BATCH * (rest[step] - baseline) * gradients[step]
    return weights


def evaluate(weights: Array, n_episodes: int, seed: int = 0) -> float:
    """Mean return on the test split, which shares no gold paper with the training split."""
    env, rng = make("ScholarGym-TestFast-v0"), np.random.default_rng(seed)
    return float(np.mean([sum(play(env, weights, rng, place)[0]) for place in range(n_episodes)]))


def main(n_episodes: int = 1000, n_held_out: int = 100) -> tuple[float, float]:
    weights = train(n_episodes)
    random, trained = evaluate(np.zeros_like(weights), n_held_out), evaluate(weights, n_held_out)
    print(f"mean return (macro F1) over {n_held_out} episodes of the test split")
    print(f"random: {random:.3f}")
    print(f"trained on {n_episodes} episodes: {trained:.3f}")
    for kind, row in zip(KINDS, weights.reshape(len(KINDS), N_FEATURES), strict=True):
        print(f"{kind:>15} " + "  ".join(f"{name} {value:+.1f}" for name, value in zip(FEATURES, row, strict=True)))
    return random, trained


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
