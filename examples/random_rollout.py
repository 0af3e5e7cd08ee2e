"""Plays one task with random but valid tool calls and prints what happens.

Usage: python examples/random_rollout.py [ENV_ID] [SEED]
"""

from __future__ import annotations

import sys

import gymnasium as gym

import scholar_env
from scholar_env.agents import make_agent


def main(env_id: str, seed: int) -> float:
    env = gym.make(f"scholar_env:{env_id}", corpus="toy")  # without corpus= it takes the imported one
    base = env.unwrapped
    assert isinstance(base, scholar_env.ScholarEnv)
    agent = make_agent("random", base.card.family, base.tools)
    observation, info = env.reset(seed=seed)
    agent.reset(seed)
    print("question:", observation["question"])
    total, ended = 0.0, False
    while not ended:
        call = agent.act(observation)
        observation, reward, terminated, truncated, info = env.step(call)
        total += float(reward)
        ended = terminated or truncated
        print(f"{call['name']:14} {len(observation['results']):2} results, reward {reward:+.3f} {observation['error']}")
    print(f"ended: {info['stop_reason']}, return {total:.3f}, retrieved recall {info['metrics']['ret_recall']:.3f}")
    env.close()
    return total


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else "ScholarGym-TestFast-v0"
    main(chosen, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
