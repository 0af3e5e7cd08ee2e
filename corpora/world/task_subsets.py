"""Test-Fast, Test-Hard and the rest of a world's task set."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from scholar_env.records import Task
from scholar_env.subsets import TEST_HARD, IdList, SubsetRule, choose_subsets

from .world import WorldTasks


@dataclass(frozen=True)
class HardRule:
    """Which tasks are hard, by features that are stored with them.

    Attributes:
        sizes: How many tasks with 2, 3, 4, ... gold papers; so the mean is the published one.
        min_rank: Least best 0-based rank of a gold paper for the question as it stands; unranked ones count.
    """

    sizes: tuple[int, ...] = (60, 26, 10, 4)
    min_rank: int = 50


HARD_RULE = HardRule()


def world_subsets(tasks: Sequence[Task], rule: HardRule) -> WorldTasks:
    """Choose Test-Hard by the rule, Test-Fast from the rest by source, and Train from what shares no gold with either.

    Tasks whose gold spreads over more primary categories come first; papers of one subfield share theirs, so most have
    one only.
    """
    hard: set[str] = set()
    notes: list[str] = []
    for place, wanted in enumerate(rule.sizes):
        fitting = [task for task in tasks if is_hard(task, rule) and int(task.labels["n_gold"]) == place + 2]
        fitting.sort(key=lambda task: (-int(task.labels["n_categories"]), key_of(task)))
        hard.update(task.id for task in fitting[:wanted])
        if len(fitting) < wanted:
            notes.append(f"test_hard has {len(fitting)} tasks with {place + 2} gold papers instead of {wanted}")
    ids = tuple(task.id for task in tasks if task.id in hard)
    subsets = choose_subsets(tasks, SubsetRule(origin="rule"), {TEST_HARD: IdList(ids, "rule")})
    notes.extend(subsets.notes)
    notes.append(
        f"test_hard asks for {', '.join(str(size) for size in rule.sizes)} tasks with 2, 3, ... gold papers and a best "
        f"rank of {rule.min_rank} or beyond; their gold is of one primary category mostly, as subfields are"
    )
    return WorldTasks(tuple(tasks), subsets.ids, tuple(notes))


def is_hard(task: Task, rule: HardRule) -> bool:
    """Whether no gold paper is near the top of the question's own list."""
    rank = task.labels["best_rank"]
    return rank == "" or int(rank) >= rule.min_rank


def key_of(task: Task) -> bytes:
    """Order in which tasks are drawn."""
    return hashlib.sha256(f"hard:{task.id}".encode()).digest()
