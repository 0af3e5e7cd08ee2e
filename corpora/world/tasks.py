"""The ScholarGym tasks of a world: questions whose gold sets are exact, because predicates over the facts decide them.

Citation questions start from a citing paper and one of its references, attribute questions ask for larger sets,
specific ones for a single paper. Task n of a world depends on the world's seed and n alone.
"""

from __future__ import annotations

from functools import lru_cache

from scholar_env.index.base import Index
from scholar_env.records import Task
from scholar_env.subsets import label_task

from .choice import apportion, shuffled
from .distinct import distinct_tasks
from .query_classes import SOURCES
from .task_maker import TaskMaker
from .task_mix import TaskMix
from .task_subsets import HARD_RULE, world_subsets
from .world import World, WorldTasks

ALL = 2458
"""Questions of the fixed task set, as many as the release has with gold; a world has no more than papers."""


def make_tasks(world: World, index: Index, mix: TaskMix | None = None) -> WorldTasks:
    """Make the fixed task set of a world: All, Test-Fast, Test-Hard, and what is left for training.

    Args:
        world: The world.
        index: Sparse index over its papers, row by row; measures the ranks that the labels hold.
        mix: Quotas and knobs; the released proportions by default.
    """
    mix = mix or TaskMix()
    maker = TaskMaker(world, mix)
    size = min(ALL, world.spec.papers)
    shares = apportion(size, (mix.citation, mix.attribute, mix.specific)).tolist()
    names = [name for name, share in zip(SOURCES, shares, strict=True) for _ in range(share)]
    order = shuffled(world.spec.seed, "task-sources", size).tolist()
    rows = {paper: row for row, paper in enumerate(world.facts.ids)}
    categories = world.facts.categories
    drawn = distinct_tasks(
        size, lambda place, number: maker.task(number, f"world-q{place + 1:04}", names[order[place]])
    )
    tasks = [label_task(task, rows.get, lambda row: categories[row][0], index, "all") for task in drawn]
    return world_subsets(tasks, HARD_RULE)


def train_task(world: World, number: int) -> Task:
    """Task `number` of a world's endless training set.

    Args:
        world: The world.
        number: From 0 on.
    """
    return train_maker(world).task(number, f"w{world.spec.seed}-{number}")


@lru_cache(maxsize=64)
def train_maker(world: World) -> TaskMaker:
    """The maker of a world's training tasks; the same object for the same world."""
    return TaskMaker(world, purpose="train")
