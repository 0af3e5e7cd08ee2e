"""Measures of a world's tasks: what the index finds, what agents find, and what could be told without reading."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scholar_env.agents import make_agent
from scholar_env.agents.oracle import OracleAgent
from scholar_env.agents.words import content_words
from scholar_env.corpora.world.task_maker import TaskMaker
from scholar_env.corpora.world.world import World
from scholar_env.corpus import Corpus
from scholar_env.environment.observation import Viewer
from scholar_env.environment.registry import card
from scholar_env.episode.calls import parse_calls
from scholar_env.episode.family import Caps
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.index.base import Index
from scholar_env.records import Task
from scholar_env.text import tokenizer

UNRANKED = 1 << 30
PAGED = 150
FAR = 1_000
NEGATIVES = 40


@dataclass(frozen=True)
class Bench:
    """A world, opened."""

    corpus: Corpus
    world: World
    index: Index
    tasks: tuple[Task, ...]

    def rows(self, task: Task) -> list[int]:
        """Rows of a task's gold."""
        return [row for row in map(self.corpus.row_of, task.gold) if row is not None]

    def ranks(self, task: Task, text: str) -> list[int]:
        """0-based ranks of a task's gold for a text."""
        hits = self.index.search(text, 1, before=task.before or None, gold=self.rows(task))
        return [UNRANKED if rank is None else rank for rank in hits.gold_ranks]


def train_tasks(world: World, count: int) -> tuple[Task, ...]:
    """The first tasks of a world's endless set."""
    maker = TaskMaker(world, purpose="train")
    return tuple(maker.task(number, f"t{number}") for number in range(count))


def recall(ranks: Sequence[int], k: int) -> float:
    """Share of ranks below k."""
    return sum(rank < k for rank in ranks) / len(ranks)


def direct_measures(bench: Bench) -> dict[str, float]:
    """What the question as it stands finds."""
    ranks = [bench.ranks(task, task.question) for task in bench.tasks]
    single = [rank for own in ranks for rank in own]
    values = {f"R@{k}": statistics.mean(recall(own, k) for own in ranks) for k in (10, 100, PAGED)}
    return {
        **values,
        "none in top 10": statistics.mean(min(own) >= 10 for own in ranks),
        "far": statistics.mean(rank >= FAR for rank in single),
        "paged ratio": values[f"R@{PAGED}"] / max(values["R@10"], 1e-9),
        "gold": statistics.mean(len(task.gold) for task in bench.tasks),
        "queries": len(bench.tasks),
    }


def play(bench: Bench, task: Task, name: str) -> tuple[float, int]:
    """Plays a task with an agent; returns the recall of what was retrieved, and the number of results shown."""
    config = EpisodeConfig()
    episode = Episode(bench.corpus, bench.index, task, config)
    viewer = Viewer("scholargym", card("ScholarGym-All-v0").observation, bench.corpus, Caps(4_000, 20_000))
    agent = make_agent(name, "scholargym", episode.tools)
    if isinstance(agent, OracleAgent):
        agent.bind(task, bench.corpus)
    agent.reset(0)
    observation = viewer.observe(episode, ())
    while not (episode.terminated or episode.truncated):
        outcomes = []
        for call in parse_calls(agent.act(observation)):
            if episode.terminated or episode.truncated:
                break
            outcomes.append(episode.call(call))
        observation = viewer.observe(episode, outcomes)
    return len(set(task.gold) & set(episode.retrieved)) / len(task.gold), episode.n_results_shown


def planner_ratio(bench: Bench, name: str) -> float:
    """Recall of a planner, over that of the question without stop words read as far as the planner reads."""
    found, paged = [], []
    for task in bench.tasks:
        value, shown = play(bench, task, name)
        found.append(value)
        paged.append(recall(bench.ranks(task, " ".join(content_words(task.question))), shown))
    return statistics.mean(found) / statistics.mean(paged)


def oracle_recall(bench: Bench) -> float:
    """Recall of what the oracle retrieves."""
    return statistics.mean(play(bench, task, "oracle")[0] for task in bench.tasks)


def shortcut(bench: Bench) -> dict[str, float]:
    """How well gold can be told from other eligible papers without reading, and by the date alone.

    A logistic regression on features that are standardized within the eligible papers of each query, fitted on one half
    of the queries and tested on the other, both ways; the value is the mean over queries of the probability that a gold
    paper scores higher than another one.
    """
    features = paper_features(bench)
    months = np.where(bench.world.facts.day >= 0, bench.world.facts.month, UNRANKED).astype(np.int64)
    draws = np.random.Generator(np.random.PCG64(5))
    groups, dates = [], []
    for task in bench.tasks:
        bound = int(task.before[:4]) * 12 + int(task.before[5:7]) - 1
        eligible = np.flatnonzero(months <= bound)
        gold = np.array(bench.rows(task))
        others = eligible[~np.isin(eligible, gold)]
        if not len(others):
            continue
        others = others[draws.integers(0, len(others), NEGATIVES)]
        spread = features[eligible].std(axis=0)
        centred = (features - features[eligible].mean(axis=0)) / np.where(spread > 0, spread, 1)
        groups.append((centred[gold], centred[others]))
        dates.append(above(months[gold].astype(float), months[others].astype(float)))
    halves = (groups[::2], groups[1::2])
    values = [
        above(positive @ weights, negative @ weights)
        for fitted, tested in (halves, halves[::-1])
        for weights in (logistic(fitted),)
        for positive, negative in tested
    ]
    return {"shortcut AUC": statistics.mean(values), "date AUC": statistics.mean(dates)}


def paper_features(bench: Bench) -> npt.NDArray[np.float64]:
    """Number in the id, position, in-degree, lengths and token counts of each paper: [papers, 7]."""
    split = tokenizer("scholargym-v1")
    size = bench.corpus.n_papers
    graph = bench.world.facts.graph
    titles = [bench.corpus.title(row) for row in range(size)]
    abstracts = [bench.corpus.abstract(row) for row in range(size)]
    tokens = [split(text) for text in abstracts]
    columns = [
        [float(bench.corpus.id_of(row).partition(".")[2]) for row in range(size)],
        list(range(size)),
        np.log1p(np.bincount(graph.targets, minlength=size)).tolist(),
        [len(text) for text in abstracts],
        [len(split(text)) for text in titles],
        [len(words) for words in tokens],
        [len(set(words)) for words in tokens],
    ]
    return np.array(columns, dtype=np.float64).T


def above(positive: npt.NDArray[np.float64], negative: npt.NDArray[np.float64]) -> float:
    """Probability that a positive scores above a negative; ties count half."""
    higher = positive[:, None] > negative[None, :]
    return float((higher + 0.5 * (positive[:, None] == negative[None, :])).mean())


def logistic(
    groups: Sequence[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]],
) -> npt.NDArray[np.float64]:
    """Weights of a logistic regression by Newton steps; each query counts its gold as much as the others."""
    x = np.concatenate([part for group in groups for part in group])
    y = np.concatenate(
        [np.full(len(part), side) for group in groups for part, side in zip(group, (1.0, 0.0), strict=True)]
    )
    w = np.concatenate([np.full(len(part), 1.0 / len(part)) for group in groups for part in group])
    weights = np.zeros(x.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (w * (chance - y)) + weights
        bend = (x.T * (w * chance * (1 - chance))) @ x + np.eye(x.shape[1])
        weights = weights - np.linalg.solve(bend, slope)
    return weights
