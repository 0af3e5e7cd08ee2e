"""The endless training tasks of worlds, each made when it is asked for, from its world and its number alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.environment.endless import EndlessIds, EndlessOrder, parse_id
from scholar_env.environment.task_source import IN_CORPUS
from scholar_env.records import Task

from .pool import TRAINING
from .tables import is_world, load_world, number_of, spec_of
from .task_families import SCHOLARGYM, train_task_of


class TrainingTasks:
    """Tasks ``w<world>-<n>`` of one or several training worlds.

    Args:
        corpora: Open training worlds with distinct numbers.
        family: Family of the tasks.
        kind: Which of the family's tasks.
    """

    facts = IN_CORPUS

    def __init__(self, corpora: Sequence[Corpus], family: str = SCHOLARGYM, kind: str = "") -> None:
        self._family, self._kind = family, kind
        self._corpora = {number_of(corpus): corpus for corpus in corpora}
        self.ids = EndlessIds(tuple(self._corpora))
        self.first = corpora[0]
        prints = "\n".join(f"w{number} {corpus.fingerprint}" for number, corpus in self._corpora.items())
        self.pool = hashlib.sha256(prints.encode()).hexdigest() if len(corpora) > 1 else ""

    def corpus_of(self, task_id: str) -> Corpus:
        """The world of a task."""
        parts = parse_id(EndlessOrder(self.ids).require(task_id))
        assert parts is not None
        return self._corpora[parts[0]]

    def task(self, task_id: str) -> Task:
        """A task, the same whenever it is asked for.

        Raises:
            TaskNotFoundError: It is not one of these worlds.
            CorpusFormatError: The world was made from another version of the ontology.
        """
        corpus, parts = self.corpus_of(task_id), parse_id(task_id)
        assert parts is not None
        make = train_task_of(self._family)
        return replace(make(load_world(corpus), corpus, parts[1], self._kind), id=task_id)


def training_tasks(corpus: Corpus, worlds: int, family: str = SCHOLARGYM, kind: str = "") -> TrainingTasks | None:
    """The training tasks that go with a corpus, None where it has tasks of its own for that.

    Args:
        corpus: A training world plays its own; a test world those of the pool, which is built where it is missing;
            another corpus has its own.
        worlds: How many worlds of the pool; 0 leaves a test world to its own.
        family: Family of the tasks (`task_families`).
        kind: Which of the family's tasks, "" where it has one kind only.

    Raises:
        InvalidOptionError: Worlds make no tasks of that family.
    """
    if not is_world(corpus):
        return None
    train_task_of(family)  # an unknown family is refused before worlds are built
    if spec_of(corpus).train:
        return TrainingTasks([corpus], family, kind)
    if not worlds:
        return None
    return TrainingTasks([resolve_corpus(f"{TRAINING}{number}") for number in range(worlds)], family, kind)
