"""The gold plan of every AISE-Bench question of the default world, played: marks, mix of questions, CPU seconds.

``python benchmarks/world_aise.py`` plays all questions and ends with status 1 where one does not earn full marks.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import gymnasium

from scholar_env.agents import make_agent
from scholar_env.agents.oracle import GoldAgent
from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv

FULL = {
    **dict.fromkeys(
        ("link_precision", "link_recall", "link_f1", "link_precision_release", "link_recall_release", "format",
         "format_release", "parameter_accuracy", "fuzzy_parameter_f1", "success", "partial_completion", "correctness",
         "completeness_coverage", "completeness_task", "faithfulness", "f1_lm"), 1.0),
    **dict.fromkeys(("plan_levenshtein", "plan_ged", "n_unknown_links", "n_unseen_links", "n_failed_steps"), 0.0),
}  # fmt: skip
"""What a gold plan and its answer earn."""

LABELS = ("intent", "level", "steps", "discipline", "language", "calls")


def played(env_id: str, corpus: str = "world") -> tuple[int, list[str], dict[str, Counter[str]]]:
    """Number of questions of a corpus, what fell short of full marks, and the mix of labels."""
    env = gymnasium.make(env_id, corpus=corpus).unwrapped
    assert isinstance(env, ScholarEnv)
    agent = make_agent("oracle", "aise", env.tools)
    assert isinstance(agent, GoldAgent)
    short: list[str] = []
    mix: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for task_id in env.tasks:
        observation, _ = env.reset(options={"task_id": task_id})
        agent.bind(env.episode.task, env.corpus)
        agent.reset(0)
        over = False
        while not over:
            observation, _, ended, cut, info = env.step(agent.act(observation))
            over = ended or cut
        short += [
            f"{task_id}: {name} is {info['metrics'][name]}" for name in FULL if info["metrics"][name] != FULL[name]
        ]
        for label, counts in mix.items():
            counts[env.episode.task.labels[label]] += 1
    return len(env.tasks), short, mix


def aise_measures(corpus: Corpus) -> dict[str, float]:
    """The row of the calibration table: the share of questions whose gold plan has full marks."""
    n_tasks, short, _ = played("AISEBench-All-v0", str(corpus.path))
    questions = {line.partition(":")[0] for line in short}
    return {"AISE-Bench, gold plan with full marks": 1 - len(questions) / n_tasks}


def main() -> None:
    """Plays the test questions and all questions."""
    failed = False
    for env_id in ("AISEBench-Test-v0", "AISEBench-All-v0"):
        began = time.process_time()
        n_tasks, short, mix = played(env_id)
        print(f"{env_id}: {n_tasks} questions, {len(short)} marks short, {time.process_time() - began:.1f} s CPU")
        print("\n".join(short[:20]), end="\n" if short else "")
        for label, counts in mix.items():
            print(f"  {label}: " + ", ".join(f"{value} {count}" for value, count in sorted(counts.items())))
        failed = failed or bool(short)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
