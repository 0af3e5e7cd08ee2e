"""Registration: every benchmark of the shelf ``scholar_env.envs`` becomes Gymnasium ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium

from scholar_env.environment.card import Card, Tasks
from scholar_env.errors import InvalidOptionError

if TYPE_CHECKING:
    from scholar_env.corpus import Corpus
    from scholar_env.environment.task_source import TaskSource
    from scholar_env.task_set_folder import TaskSet

CARDS: dict[str, Card] = {}
"""Id to card, in the order of registration; filled by :func:`register_all`."""


def _benchmark(name: str) -> ModuleType:
    # The engine names a shelf only as a string, so that it type-checks and installs without it.
    return import_module(f"scholar_env.envs.{name}")


def register_all() -> None:
    """Registers every card of every benchmark with Gymnasium; a second call changes nothing."""
    for name in import_module("scholar_env.envs").BENCHMARKS:
        for entry in _benchmark(name).CARDS:
            register_card(entry)


def register_card(card: Card) -> None:
    """Registers one card under its id; an id that is there already stays as it is."""
    if card.id in CARDS:
        return
    CARDS[card.id] = card
    gymnasium.register(
        id=card.id,
        entry_point="scholar_env.environment.env:ScholarEnv",
        vector_entry_point="scholar_env.environment.vector:ThreadVectorEnv",
        max_episode_steps=None,
        kwargs={"card": card.id},
    )


def card(env_id: str) -> Card:
    """The card of a registered id.

    Raises:
        InvalidOptionError: No benchmark of this package has that id.
    """
    if env_id not in CARDS:
        register_all()
    if env_id not in CARDS:
        raise InvalidOptionError(
            f"there is no environment {env_id!r}",
            f"the ids are {', '.join(sorted(CARDS))}",
            "take one of them as it is written",
        )
    return CARDS[env_id]


def family_of(observation: Collection[str]) -> str:
    """The family of an observation: that of the first card with all its keys.

    Args:
        observation: The observation, or its keys.

    Raises:
        InvalidOptionError: No card has them.
    """
    if not CARDS:
        register_all()
    for entry in CARDS.values():
        if set(observation) <= set(entry.observation):
            return entry.family
    raise InvalidOptionError(
        f"an observation with the keys {', '.join(map(str, observation))}",
        "an observation is as an environment of this package returned it",
        "pass that, before any wrapper",
    )


def tasks_of(entry: Card) -> Tasks:
    """The function ``tasks(corpus, split)`` of the card's benchmark."""
    tasks: Tasks = _benchmark(entry.benchmark).tasks
    return tasks


def open_corpus(entry: Card, options: Mapping[str, Any]) -> Corpus:
    """The corpus that an environment's arguments name.

    Where none is named, and none is pinned for this machine, a task set that is named brings its own.

    Args:
        entry: The card.
        options: Arguments of the environment; ``corpus`` and ``tasks`` count.

    Raises:
        ScholarEnvError: There is no such corpus or task set, or it cannot be opened.
    """
    from scholar_env.corpus import is_pinned, resolve_corpus

    named = options.get("corpus")
    if named is None and isinstance(options.get("tasks"), str) and not is_pinned():
        named = _task_set(options).corpus_spec
    return resolve_corpus(named, preferred=entry.default_corpora)


def _task_set(options: Mapping[str, Any]) -> TaskSet:
    from scholar_env.task_set import resolve_task_set

    return resolve_task_set(options["tasks"])


def open_source(entry: Card, corpus: Corpus, options: Mapping[str, Any]) -> TaskSource:
    """The tasks of a card on a corpus; corpora and task sets that they need are built here, never at a reset.

    The argument ``tasks`` names a task set in place of the benchmark's own. A benchmark whose tasks do not all lie in
    the corpus has a function ``source(corpus, split, options)``, which returns None where they do.

    Args:
        entry: The card.
        corpus: The corpus that the environment's arguments name.
        options: All arguments of the environment.

    Raises:
        TaskSetNotFoundError: There is no such task set.
        InvalidOptionError: The task set is of another family or corpus, or there are no tasks in the split.
    """
    from scholar_env.environment.task_source import CorpusTasks, SetTasks

    own_ids = options.get("subset") is not None
    if options.get("tasks") is not None:
        task_set = _task_set(options)
        task_set.require(corpus, entry.family)
        return SetTasks(corpus, task_set, None if own_ids else entry.split)
    benchmark = _benchmark(entry.benchmark)
    found: TaskSource | None = None
    if hasattr(benchmark, "source"):
        found = benchmark.source(corpus, entry.split, options)
    if found is not None:
        return found
    return CorpusTasks(corpus, () if own_ids else tasks_of(entry)(corpus, entry.split))
