"""Where an environment's tasks come from, and which corpus each is played on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from scholar_env.corpus import Corpus
from scholar_env.environment.endless import EndlessIds, EndlessOrder
from scholar_env.environment.tasks import TaskOrder
from scholar_env.records import Task
from scholar_env.task_set import TaskSet, task_set_of

Order = TaskOrder | EndlessOrder

IN_CORPUS: Mapping[str, str] = {"tasks": ""}
"""What ``info["corpus"]`` tells of tasks that lie in the corpus, or are made when they are played."""


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
    def facts(self) -> Mapping[str, str]:
        """What ``info["corpus"]`` tells of the tasks.

        ``tasks`` is the fingerprint of their task set, ``""`` where they lie in the corpus; ``subset_origin`` says who
        chose them where the corpus does not.
        """
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
    facts = IN_CORPUS

    def __init__(self, corpus: Corpus, ids: Sequence[str]) -> None:
        self.first = corpus
        self.ids = tuple(ids)

    def corpus_of(self, task_id: str) -> Corpus:
        """The one corpus."""
        return self.first

    def task(self, task_id: str) -> Task:
        """A task of the corpus."""
        return self.first.tasks().get(task_id)


class SetTasks:
    """Tasks of a task set, played on the corpus that the set was made for.

    Args:
        corpus: The corpus.
        task_set: The set.
        split: Which of its subsets; None takes none of them, for a list of ids of the user's own.

    Raises:
        InvalidOptionError: The set is of another corpus, or has no tasks in that split.
    """

    pool = ""

    def __init__(self, corpus: Corpus, task_set: TaskSet, split: str | None) -> None:
        task_set.require(corpus, task_set.family)
        self.first = corpus
        self.task_set = task_set
        self.ids: tuple[str, ...] = () if split is None else task_set.ids(split)
        self.facts: Mapping[str, str] = {
            "tasks": task_set.fingerprint,
            "subset_origin": "" if split is None else task_set.origin.get(split, ""),
        }

    def corpus_of(self, task_id: str) -> Corpus:
        """The one corpus."""
        return self.first

    def task(self, task_id: str) -> Task:
        """A task of the set."""
        return self.task_set.tasks.get(task_id)


def own_tasks(corpus: Corpus, family: str, split: str, options: Mapping[str, Any]) -> SetTasks:
    """The task set that a corpus makes of a family, in one split, or for the ids that the user lists.

    Args:
        corpus: The corpus.
        family: Name of the family.
        split: Which of the set's subsets.
        options: Arguments of the environment.

    Raises:
        InvalidOptionError: The corpus makes no tasks of this family, or has none in that split.
    """
    return SetTasks(corpus, task_set_of(corpus, family), None if options["subset"] is not None else split)


def training_tasks(corpus: Corpus, family: str, options: Mapping[str, Any], kind: str = "") -> TaskSource | None:
    """The endless tasks of the training worlds beside a generated world; None where there are none.

    Args:
        corpus: The corpus.
        family: Name of the family.
        options: Arguments of the environment, ``train_worlds`` among them.
        kind: Which of the family's tasks.
    """
    if "world" not in corpus.tables:
        return None
    training = import_module("scholar_env.corpora.world.training")  # the engine names a shelf only as a string
    return cast("TaskSource | None", training.training_tasks(corpus, options["train_worlds"], family, kind))


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
