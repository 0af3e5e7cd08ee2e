"""The smallest agent of your own: a class with reset and act.

Usage: python examples/my_agent.py

Recorded and replayable, with the folder of this file on the path:
PYTHONPATH=examples scholar-env run ScholarGym-TestFast-v0 --corpus toy --agent my_agent:MyAgent
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium as gym


class MyAgent:
    """Searches the question and answers with the first results, one to three of them."""

    def reset(self, seed: int) -> None:
        """Begins an episode; whatever is drawn, draw it from this seed."""
        self.random = random.Random(seed)

    def act(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Returns the next tool call; the observation is all that an agent sees."""
        if not observation["tree"]:
            return {"name": "derive", "arguments": {"source": 0, "text": observation["question"], "k": 10}}
        n_kept = self.random.choice([1, 2, 3])
        return {"name": "answer", "arguments": {"papers": [r["paper"] for r in observation["results"][:n_kept]]}}


def main(n_tasks: int = 20) -> float:
    env, agent, total = gym.make("scholar_env:ScholarGym-TestFast-v0", corpus="toy"), MyAgent(), 0.0
    for seed in range(n_tasks):
        observation, _ = env.reset(seed=seed)
        agent.reset(seed)
        ended = False
        while not ended:
            observation, reward, terminated, truncated, _ = env.step(agent.act(observation))
            total += float(reward)
            ended = terminated or truncated
    print(f"mean return over {n_tasks} tasks: {total / n_tasks:.3f}")
    return total / n_tasks


if __name__ == "__main__":
    main()
