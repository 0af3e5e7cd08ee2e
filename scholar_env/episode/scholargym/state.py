"""Everything of an episode of ScholarGym that changes, in one record that copies in microseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from scholar_env.episode import base
from scholar_env.episode.base import COMMON_ENDINGS, Ending
from scholar_env.episode.scholargym.trace import Trace
from scholar_env.episode.scholargym.tree import SubqueryTree
from scholar_env.episode.trace import RecordedAssessment

ENDINGS: Final[Mapping[str, Ending]] = {
    **COMMON_ENDINGS,
    "converged": Ending(),
    "complete": Ending(),
    "max_iterations": Ending(),
    "failed": Ending(failure_kind="policy"),
    "upstream_crash": Ending(failure_kind="policy"),
}


@dataclass(slots=True)
class Memory:
    """What the planner keeps from one iteration to the next.

    Attributes:
        checklist: Last checklist that was not empty.
        experience: Last experience text that was not empty; always ``""`` in the memory ablation.
        history: In the memory ablation the JSON of every plan so far, else empty.
    """

    checklist: str = ""
    experience: str = ""
    history: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON."""
        return {"checklist": self.checklist, "experience": self.experience, "history": list(self.history)}


@dataclass(frozen=True, slots=True)
class UpstreamCrash:
    """The exception by which the released workflow would have died.

    Attributes:
        kind: Name of the exception class.
        message: Its text.
    """

    kind: str
    message: str


@dataclass(slots=True)
class EpisodeState(base.EpisodeState):
    """The changing part of an episode.

    Attributes:
        tree: The subqueries.
        trace: The iterations.
        memory: The planner's memory.
        rows: R, the retrieved papers in the order first shown, with their rows.
        kept: Papers selected in closed iterations, with their rows.
        exclude: Rows of ``kept`` when the open iteration opened; what its searches leave out.
        selected: S, ``kept`` and what is selected in the open iteration; a new dict whenever it changes.
        n_closed: Iterations closed.
        n_unseen: Distinct ids in ``answer`` that were never retrieved.
        n_results_shown: Entries on all pages.
        crash: Under ``compat="upstream"`` the exception that ended it.
        assessments: All answers of a fixed assessor, in order.
    """

    ENDINGS: ClassVar[Mapping[str, Ending]] = ENDINGS

    tree: SubqueryTree = field(default_factory=SubqueryTree)
    trace: Trace = field(default_factory=Trace)
    memory: Memory = field(default_factory=Memory)
    rows: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    exclude: tuple[int, ...] = ()
    selected: dict[str, int] = field(default_factory=dict)
    n_closed: int = 0
    n_unseen: int = 0
    n_results_shown: int = 0
    crash: UpstreamCrash | None = None
    assessments: list[RecordedAssessment] = field(default_factory=list)

    def copy(self) -> Self:
        """Returns an independent copy; frozen parts are shared."""
        twin = base.EpisodeState.copy(self)
        twin.tree = self.tree.copy()
        twin.trace = self.trace.copy()
        twin.memory = Memory(self.memory.checklist, self.memory.experience, list(self.memory.history))
        return twin
