"""AISE-Bench's questions of a generated world: mix, uniqueness, and that the gold plan earns full marks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import gymnasium
import pytest

from scholar_env.agents import make_agent
from scholar_env.agents.oracle import GoldAgent
from scholar_env.corpora.world import aise_tasks
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.graph.kg_ids import entity_of
from scholar_env.graph.kg_store import knowledge_graph
from scholar_env.task_set import TaskSet, task_set_of


@pytest.fixture
def corpus(small_home: Path) -> Corpus:
    return resolve_corpus("world")


@pytest.fixture
def tasks(corpus: Corpus) -> TaskSet:
    return task_set_of(corpus, "aise")


def test_questions_differ_and_mix_intents_levels_steps_and_languages(tasks: TaskSet) -> None:
    made = [tasks.tasks.get(name) for name in tasks.subsets["all"]]
    assert len({task.question for task in made}) == len(made)
    assert set(tasks.subsets["test"]) | set(tasks.subsets["train"]) == set(tasks.subsets["all"])
    assert not set(tasks.subsets["test"]) & set(tasks.subsets["train"])
    seen = {name: Counter(task.labels[name] for task in made) for name in ("intent", "level", "steps", "language")}
    assert set(seen["intent"]) == {"search_paper", "search_author", "search_org", "search_venue"}
    assert set(seen["steps"]) == {"2", "3", "4", "5+"}
    assert set(seen["language"]) == {"en", "zh"}
    assert len(seen["level"]) == 5
    assert seen["steps"]["2"] > seen["steps"]["3"] > seen["steps"]["5+"]


def test_gold_links_are_entities_of_the_graph(tasks: TaskSet, corpus: Corpus) -> None:
    graph = knowledge_graph(corpus)
    for name in tasks.subsets["all"][:40]:
        task = tasks.tasks.get(name)
        for link in task.details["reference"].values():
            found = entity_of(link)
            assert found is not None, link
            assert graph.row_of(*found) is not None, link


def test_the_same_world_asks_the_same_questions(tasks: TaskSet, corpus: Corpus) -> None:
    world = load_world(corpus)
    again = aise_tasks.build(world, corpus)
    assert [task.question for task in again.tasks] == [tasks.tasks.get(name).question for name in tasks.subsets["all"]]
    assert aise_tasks.train_task(world, corpus, 7) == aise_tasks.train_task(world, corpus, 7)
    assert aise_tasks.train_task(world, corpus, 7).question != aise_tasks.train_task(world, corpus, 8).question


@pytest.mark.parametrize(("agent", "low", "high"), [
    ("oracle", 1.0, 1.0), ("inventor", 0.0, 0.0), ("library", 0.2, 1.0), ("template-planner", 0.4, 1.0),
    ("stepwise", 0.4, 1.0),
])  # fmt: skip
def test_agents_earn_what_their_links_are_worth(small_home: Path, agent: str, low: float, high: float) -> None:
    env = gymnasium.make("AISEBench-All-v0", corpus="world").unwrapped
    assert isinstance(env, ScholarEnv)
    player = make_agent(agent, "aise", env.tools)
    totals: Counter[str] = Counter()
    ids = list(env.tasks)[:60]
    for number, task_id in enumerate(ids):
        observation, _ = env.reset(options={"task_id": task_id})
        if isinstance(player, GoldAgent):
            player.bind(env.episode.task, env.corpus)
        player.reset(number)
        over = False
        while not over:
            observation, _, ended, cut, info = env.step(player.act(observation))
            over = ended or cut
        totals.update(info["metrics"])
    means = {name: total / len(ids) for name, total in totals.items()}
    assert low <= means["link_f1"] <= high
    if agent == "oracle":
        for name in ("format", "parameter_accuracy", "success", "link_precision", "link_recall", "f1_lm"):
            assert means[name] == 1.0, name
        assert means["plan_levenshtein"] == means["plan_ged"] == 0.0
    if agent == "inventor":
        assert means["format"] == 1.0
