"""What a SciNet task asks for and how its answer is scored, read once from the task."""

from __future__ import annotations

from dataclasses import dataclass

from scholar_env.metrics.scinet import EGO_LIMIT, PAIR_LIMIT, PATH_LIMIT
from scholar_env.records import Task
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT

EGO, PAIR = (NOVELTY, DISRUPTION), (SENTIMENT, COMENTION)
LIMITS = {**dict.fromkeys(EGO, EGO_LIMIT), **dict.fromkeys(PAIR, PAIR_LIMIT), PATH: PATH_LIMIT}
"""Papers of an answer that count, by kind."""


@dataclass(frozen=True, slots=True)
class ScinetNeed:
    """The evaluation data of a task; an agent is never told.

    Attributes:
        kind: ``novelty``, ``disruption``, ``sentiment``, ``comention`` or ``path``.
        gold: Ids. The top papers of the field, best first; the right papers of a pair task; the path from the
            classical to the emerging paper, both included.
        seed: The paper that a pair task asks about, "" for others.
        start: Classical end of a path, "" for others.
        end: Emerging end.
        unit: What a reference counts as for novelty: ``reference``, ``journal`` or ``topic``.
    """

    kind: str
    gold: tuple[str, ...]
    seed: str = ""
    start: str = ""
    end: str = ""
    unit: str = "reference"

    @property
    def limit(self) -> int:
        """Papers of an answer that count."""
        return LIMITS[self.kind]

    @classmethod
    def of(cls, task: Task) -> ScinetNeed:
        """Reads the details of a task."""
        details = task.details
        return cls(
            details["kind"],
            task.gold,
            details["seed"],
            details["start"],
            details["end"],
            details["unit"] or "reference",
        )
