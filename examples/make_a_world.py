"""Makes a world of one's own: its topics, its size, its difficulty. Then plays a few of its tasks.

Usage: python examples/make_a_world.py [PAPERS [SEED]]

The same as a command: scholar-env corpus generate --papers 600 --seed 7 --subfields cs.IR,stat.ME --cell-size 40
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import gymnasium as gym

from scholar_env.corpora.world.build import build_world
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.tasks import train_task
from scholar_env.corpus import Corpus


def direct(env: gym.Env, seed: int) -> float:
    """Searches for the question as it stands and answers with the first results; returns the return."""
    observation, _ = env.reset(seed=seed)
    question = {"name": "derive", "arguments": {"source": 0, "text": observation["question"], "k": 10}}
    observation, *_ = env.step(question)
    answer = {"name": "answer", "arguments": {"papers": [result["paper"] for result in observation["results"][:3]]}}
    _, reward, _, _, info = env.step(answer)
    print(f"{observation['question']}\n    found {info['metrics']['ret_recall']:.0%} of the gold papers")
    return float(reward)


def main(papers: int = 600, seed: int = 7) -> float:
    # Topics are subfields of the ontology. The more papers share a topic (cell_size), and the more of them say what
    # they did by evidence only (evidence, in percent), the harder it is to tell the right ones.
    spec = WorldSpec(seed, papers, subfields=("cs.IR", "stat.ME"), cell_size=40, evidence=50)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.open(build_world(Path(folder) / "mine", spec, name="mine"))
        print(f"{corpus.n_papers} papers, {len(corpus.tasks())} tasks; the first paper:\n{corpus.title(0)}")
        print(f"{corpus.abstract(0)}\n")
        env = gym.make("scholar_env:ScholarGym-TestFast-v0", corpus=str(corpus.path))
        mean = sum(direct(env, place) for place in range(5)) / 5
        print(f"mean return of 5 tasks: {mean:.3f}\n")
        # Tasks without end, each exact: predicates over the facts decide which papers answer it.
        world = load_world(corpus)
        for number in range(3):
            task = train_task(world, number)
            print(f"task {number}: {task.question} {list(task.gold)}")
    return mean


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
