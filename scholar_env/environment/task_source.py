"""Where an environment's tasks come from, and which corpus each is played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scholar_env.corpus import Corpus
from scholar_env.environment.endless import EndlessIds, EndlessOrder
from scholar_env.environment.tasks import TaskOrder
from scholar_env.records import Task

Order = TaskOrder | EndlessOrder


class TaskSource(Protocol):
    """A task set; copies and pickles refer to the same corpora."""

    @property
    def ids(self) -> Sequence[str]:
        """The ids in the order of the release, or :class:`~scholar_env.environment.endless.EndlessIds`."""
        ...

    @property
    def pool(self) -> str:
        """What identifies all its corpora when they are several, else ``""``."""
        ...

    @property
    def first(self) -> Corpus:
        """The corpus of the first task."""
        ...

    def corpus_of(self, task_id: str) -> Corpus:
        """The corpus that a task of the set is played on."""
        ...

    def task(self, task_id: str) -> Task:
        """A task of the set.

        Raises:
            TaskNotFoundError: There is no such task.
        """
        ...


class CorpusTasks:
    """Tasks that are stored with one corpus.

    Args:
        corpus: The corpus.
        ids: Which of its tasks, in order.
    """

    pool = ""

    def __init__(self, corpus: Corpus, ids: Sequence[str]) -> None:
        self.first = corpus
        self.ids = tuple(ids)

    def corpus_of(self, task_id: str) -> Corpus:
        """The one corpus."""
        return self.first

    def task(self, task_id: str) -> Task:
        """A task of the corpus."""
        return self.first.tasks().get(task_id)


def order_of(source: TaskSource, subset: Sequence[str] | None, task_seed: int) -> Order:
    """The order in which a source's tasks are played.

    Args:
        source: The task set.
        subset: A list of its ids in place of all.
        task_seed: Fixes the order.

    Raises:
        TaskNotFoundError: The subset names an unknown task.
        InvalidOptionError: The task set is empty or names a task twice.
    """
    if subset is not None:
        return TaskOrder([source.task(str(task_id)).id for task_id in subset], task_seed)
    if isinstance(source.ids, EndlessIds):
        return EndlessOrder(source.ids, task_seed)
    return TaskOrder(source.ids, task_seed)
