"""A family for tests: one task a paper, with details."""

from __future__ import annotations

from collections.abc import Callable

from scholar_env.corpora.world import task_families
from scholar_env.corpora.world.world import World, WorldTasks
from scholar_env.corpus import Corpus
from scholar_env.records import Task

NAME = "sample"
VERSION = 3
N_TASKS = 12


def build(world: World, corpus: Corpus, progress: Callable[[str, int, int], None]) -> WorldTasks:
    """One task for each of the first papers."""
    tasks = []
    for row in range(N_TASKS):
        tasks.append(_task(world, corpus, row, f"sample-{row}"))
        progress("asking", row + 1, N_TASKS)
    ids = tuple(task.id for task in tasks)
    return WorldTasks(tuple(tasks), {"all": ids, "even": ids[::2]}, ("a note",))


def train_task(world: World, corpus: Corpus, number: int, kind: str) -> Task:
    """Task of a row; the kind is told by its labels."""
    task = _task(world, corpus, number % corpus.n_papers, "")
    return Task(task.id, task.question, task.before, task.gold, kind, task.labels, task.details)


def _task(world: World, corpus: Corpus, row: int, task_id: str) -> Task:
    details = {"row": row, "seed": world.spec.seed, "nested": [{"share": 0.25}, None, "é\u2028"]}
    return Task(task_id, f"Which paper is {corpus.title(row)}?", "", (corpus.id_of(row),), "", {}, details)


def install() -> None:
    """Makes the family known for the rest of this process."""
    task_families.BUILDERS[NAME] = __name__
