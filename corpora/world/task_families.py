"""The families that worlds make tasks of, one line each: family -> module of this package (or a full module name).

A module has

- ``VERSION``, an integer: another one makes the sets of all worlds anew;
- ``build(world, corpus) -> WorldTasks``, the fixed set of a test world, with ids, labels and subsets; where it has a
  parameter ``progress``, it may tell ``progress(stage, done, total)``;
- ``train_task(world, corpus, number, kind) -> Task``, task ``number`` of the endless training set; ``kind`` says which
  of the family's tasks ("" where it has one kind only). The task's id is replaced by ``w<world>-<number>``.

All three follow from their arguments alone. ScholarGym's tasks lie in the corpus itself, so it only trains here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task

from . import tasks
from .tables import load_world
from .world import World

SCHOLARGYM = "scholargym"

BUILDERS: dict[str, str] = {"aise": "aise_tasks", "complit": "complit_tasks", "scinet": "scinet_tasks"}
"""Families whose task sets are artefacts apart from the corpus."""

TrainTask = Callable[[World, Corpus, int, str], Task]


def builder(family: str) -> ModuleType:
    """The module that makes a family's tasks.

    Raises:
        InvalidOptionError: Worlds make no tasks of that family.
    """
    if family not in BUILDERS:
        raise InvalidOptionError(
            f"worlds make no tasks of the family {family!r}",
            f"they make those of {', '.join(sorted({SCHOLARGYM, *BUILDERS}))}",
            "name one of these, or import a task file",
        )
    name = BUILDERS[family]
    return import_module(name if "." in name else f"{__package__}.{name}")


def world_of(corpus: Corpus) -> World:
    """The world that a corpus was generated as; errors as `tables.load_world`."""
    return load_world(corpus)


def train_task_of(family: str) -> TrainTask:
    """What makes the training tasks of a family; errors as `builder`."""
    if family == SCHOLARGYM:
        return _scholargym_train_task
    train_task: TrainTask = builder(family).train_task
    return train_task


def _scholargym_train_task(world: World, corpus: Corpus, number: int, kind: str) -> Task:
    del corpus, kind
    return tasks.train_task(world, number)
