"""A hand-written policy in one plain Gymnasium loop: ask, keep what repeats the question's words, answer.

Usage: python examples/gym_loop.py [N_TASKS]
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium as gym


def shared_words(question: str, title: str) -> int:
    return len({word for word in question.lower().split() if len(word) > 3} & set(title.lower().split()))


def policy(observation: dict[str, Any]) -> dict[str, Any]:
    if not observation["tree"]:
        return {"name": "derive", "arguments": {"source": 0, "text": observation["question"], "k": 10}}
    ranked = sorted(observation["results"], key=lambda r: -shared_words(observation["question"], r["title"]))
    return {"name": "answer", "arguments": {"papers": [result["paper"] for result in ranked[:2]]}}


def main(n_tasks: int = 20) -> float:
    env = gym.make("scholar_env:ScholarGym-TestFast-v0", corpus="toy")  # the prefix imports the package
    returns = []
    for seed in range(n_tasks):  # seeds 0 … n-1 visit n different tasks
        observation, info = env.reset(seed=seed)
        total, ended = 0.0, False
        while not ended:
            observation, reward, terminated, truncated, info = env.step(policy(observation))
            total += float(reward)
            ended = terminated or truncated
        returns.append(total)
    env.close()
    mean = sum(returns) / n_tasks
    print(f"mean return (macro F1) over {n_tasks} tasks on the {info['corpus']['name']} corpus: {mean:.3f}")
    return mean


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
