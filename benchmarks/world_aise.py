"""What the gold plan of AISE-Bench reaches on a world: the AISE-Bench row of the calibration table."""

from __future__ import annotations

from typing import Any, cast

import gymnasium

from scholar_env.agents import make_agent
from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv

FULL = {
    "format": 1.0, "plan_levenshtein": 0.0, "plan_ged": 0.0, "parameter_accuracy": 1.0, "success": 1.0,
    "link_precision": 1.0, "link_recall": 1.0,
}  # fmt: skip
"""Full marks, by metric."""


def gold_plan_share(corpus: Corpus, env_id: str = "AISEBench-All-v0") -> float:
    """Share of the questions for which the gold plan, run through the environment, has full marks."""
    env = cast("ScholarEnv", gymnasium.make(env_id, corpus=str(corpus.path)).unwrapped)
    agent = cast("Any", make_agent("oracle", env.card.family, env.tools))
    full = 0
    for number, task_id in enumerate(env.tasks):
        observation, info = env.reset(options={"task_id": task_id})
        agent.bind(env.episode.task, env.corpus)
        agent.reset(number)
        ended = False
        while not ended:
            observation, _, terminated, truncated, info = env.step(agent.act(observation))
            ended = terminated or truncated
        full += all(info["metrics"][name] == value for name, value in FULL.items())
    return full / len(env.tasks)


def aise_measures(corpus: Corpus) -> dict[str, float]:
    """The rows of a world."""
    return {"AISE-Bench, gold plan with full marks": gold_plan_share(corpus)}
