"""What a task file holds, counted task by task."""

from __future__ import annotations

from dataclasses import dataclass, field

from scholar_env.corpus_folder import Corpus
from scholar_env.records import Task
from scholar_env.task_files.faults import Fault
from scholar_env.task_files.form import TaskFileForm
from scholar_env.task_table import LEFT_OUT

LISTED = 50
"""Tasks left out, and missing papers, that a report names."""


@dataclass(slots=True)
class TaskFileReport:
    """What a task file holds.

    Attributes:
        n_tasks: Tasks, those left out included.
        n_left_out: Tasks that are kept but in no subset.
        left_out: The first of them with the reason.
        playable: Ids of the others, in order.
        n_missing_gold: Papers that tasks ask for and the corpus does not hold, each counted once a task.
        missing_gold: The first of them, each with the first task that asks for it.
        subsets: Task ids by subset.
        n_faults: Faults of the file.
        faults: The first of them.
        notes: Remarks on the file.
        remarks: What is odd about its lines without being wrong.
    """

    n_tasks: int = 0
    n_left_out: int = 0
    left_out: dict[str, str] = field(default_factory=dict)
    playable: list[str] = field(default_factory=list)
    n_missing_gold: int = 0
    missing_gold: dict[str, str] = field(default_factory=dict)
    subsets: dict[str, list[str]] = field(default_factory=dict)
    n_faults: int = 0
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def add(self, task: Task, form: TaskFileForm, corpus: Corpus | None) -> None:
        """Counts a task."""
        self.n_tasks += 1
        missing = [] if corpus is None else [paper for paper in form.papers(task) if corpus.row_of(paper) is None]
        self.n_missing_gold += len(missing)
        for paper in missing:
            if len(self.missing_gold) < LISTED:
                self.missing_gold.setdefault(paper, task.id)
        reason = task.labels.get(LEFT_OUT, "")
        if reason:
            self.n_left_out += 1
            if len(self.left_out) < LISTED:
                self.left_out[task.id] = reason
            return
        self.playable.append(task.id)
        for name in form.subsets(task):
            self.subsets.setdefault(name, []).append(task.id)
