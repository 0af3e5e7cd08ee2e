"""What the suite of all ids must know of a family: where it plays, how an episode opens, what its oracle reaches."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from typing import Any, cast

from scholar_env.agents import make_agent
from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.environment.registry import card
from scholar_env.records import Task

Action = Any

SUITES: dict[str, str] = {
    "complit": "tests.families.complit:SUITE",
    "scholargym": "tests.families.scholargym:SUITE",
    "aise": "tests.families.aise:SUITE",
    "scinet": "tests.families.scinet:SUITE",
}
"""Family to its suite; one line lets all ids of a family join."""


def random_opening(env: ScholarEnv) -> list[Action]:
    """Plays into an episode with the random agent; returns its further actions, the first of which runs."""
    agent = make_agent("random", env.card.family, env.tools)
    for seed in count(2):
        observation, _ = env.reset(seed=seed)
        agent.reset(seed)
        actions: list[Action] = []
        errors: list[str] = []
        ended = False
        while not ended and len(actions) < 60:
            actions.append(agent.act(observation))
            observation, _, terminated, truncated, info = env.step(actions[-1])
            errors.append(info["action_error"])
            ended = terminated or truncated
        if ended and len(actions) >= 6 and not errors[2]:
            env.reset(seed=seed)
            env.action_space.seed(11)
            for action in actions[:2]:
                env.step(action)
            return actions[2:]
    raise AssertionError("no seed opens an episode")


def another_gold(task: Task, corpus: Corpus) -> Task:
    """The task with a paper of the corpus as its only gold."""
    paper = corpus.id_of(len(task.question) % corpus.n_papers)
    return dataclasses.replace(task, gold=(paper,) if task.gold != (paper,) else ())


@dataclass(frozen=True)
class Suite:
    """What the suite of all ids must know of a family.

    Attributes:
        oracle: A metric, and the mean that the oracle brings it to at least.
        corpus: What the suite plays on: something small.
        small_worlds: Whether that is a small world (``tests/small_worlds.py``).
        others: Every argument of the family's cards beyond the common ones, at another value than its default.
        mixed: Weights of a reward of several metrics.
        variants: Arguments that change how an episode goes; the first is the default.
        assisted: The same, where a part of the environment knows the gold.
        roomy: Arguments under which ten thousand calls do not end an episode.
        counters: Metrics that count calls.
        opening: Plays an environment into the middle of an episode; returns actions that go on to its end, the first
            of which runs without an error.
        other_gold: The task with another gold, all else that an agent can see unchanged.
        agent_options: Options of the agents that do not play without any, by name.
        on_world: Arguments on the world.
        n_world_tasks: How many tasks an id surely has on the small world.
    """

    oracle: tuple[str, float]
    corpus: str = "toy"
    small_worlds: bool = False
    others: Mapping[str, Any] = field(default_factory=dict)
    mixed: Mapping[str, float] = field(default_factory=dict)
    variants: Sequence[Mapping[str, Any]] = ({},)
    assisted: Sequence[Mapping[str, Any]] = ()
    roomy: Mapping[str, Any] = field(default_factory=dict)
    counters: frozenset[str] = frozenset({"n_calls", "n_invalid"})
    opening: Callable[[ScholarEnv], list[Action]] = random_opening
    other_gold: Callable[[Task, Corpus], Task] = another_gold
    agent_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    on_world: Callable[[str], dict[str, Any]] = lambda env_id: {}
    n_world_tasks: Callable[[str], int] = lambda env_id: 4


def suite_of(env_id: str) -> Suite:
    """The suite of an id's family."""
    module, _, name = SUITES[card(env_id).family].partition(":")
    return cast("Suite", getattr(import_module(module), name))


def ending(env: ScholarEnv) -> list[Action]:
    """A message that ends an episode of any family: the turns of a conversation, if it is one, and no answer."""
    turns = [{"name": "next_turn", "arguments": {}}] * 16 if "next_turn" in env.tools else []
    return [*turns, {"name": "abstain", "arguments": {}}]
