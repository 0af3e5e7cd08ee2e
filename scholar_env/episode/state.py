"""Everything of an episode that changes, in one record that copies in microseconds."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

from scholar_env.episode.trace import RecordedAssessment, Trace
from scholar_env.episode.tree import SubqueryTree

TRUNCATING: Final = frozenset({"max_calls", "infrastructure"})
POLICY_FAILURES: Final = frozenset({"max_calls", "failed", "upstream_crash"})
STOP_REASONS: Final = (
    "",
    "converged",
    "complete",
    "answered",
    "abstained",
    "max_iterations",
    "max_calls",
    "infrastructure",
    "upstream_crash",
    "failed",
)


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
class EpisodeState:
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
        n_calls: Calls charged.
        n_invalid: Of these, calls that were refused as a whole.
        n_unseen: Distinct ids in ``answer`` that were never retrieved.
        n_results_shown: Entries on all pages.
        terminated: Whether the task is over.
        truncated: Whether a limit outside the task ended it.
        stop_reason: Why it ended, ``""`` while it runs.
        failure_kind: ``none``, ``policy`` or ``infrastructure``.
        crash: Under ``compat="upstream"`` the exception that ended it.
        log: The calls that changed anything, canonical.
        assessments: All answers of a fixed assessor, in order.
    """

    tree: SubqueryTree = field(default_factory=SubqueryTree)
    trace: Trace = field(default_factory=Trace)
    memory: Memory = field(default_factory=Memory)
    rows: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    exclude: tuple[int, ...] = ()
    selected: dict[str, int] = field(default_factory=dict)
    n_closed: int = 0
    n_calls: int = 0
    n_invalid: int = 0
    n_unseen: int = 0
    n_results_shown: int = 0
    terminated: bool = False
    truncated: bool = False
    stop_reason: str = ""
    failure_kind: str = "none"
    crash: UpstreamCrash | None = None
    log: list[dict[str, Any]] = field(default_factory=list)
    assessments: list[RecordedAssessment] = field(default_factory=list)

    def copy(self) -> EpisodeState:
        """Returns an independent copy; frozen parts are shared."""
        twin = EpisodeState(**{name: getattr(self, name) for name in _NAMES})
        twin.tree = self.tree.copy()
        twin.trace = self.trace.copy()
        twin.memory = Memory(self.memory.checklist, self.memory.experience, list(self.memory.history))
        twin.rows = dict(self.rows)
        twin.kept = dict(self.kept)
        twin.selected = dict(self.selected)
        twin.log = list(self.log)
        twin.assessments = list(self.assessments)
        return twin

    def stop(self, reason: str) -> None:
        """Marks the episode as over."""
        self.stop_reason = reason
        self.truncated = reason in TRUNCATING
        self.terminated = not self.truncated
        if reason == "infrastructure":
            self.failure_kind = "infrastructure"
        elif reason in POLICY_FAILURES:
            self.failure_kind = "policy"


_NAMES: Final = tuple(entry.name for entry in fields(EpisodeState))
