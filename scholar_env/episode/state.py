"""What changes in an episode of any family, and what its ends mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Self

from scholar_env.episode.trace import Page, RecordedAssessment


@dataclass(frozen=True, slots=True)
class Ending:
    """What an end of an episode means.

    Attributes:
        truncated: Whether a limit outside the task ended it; else it is terminated.
        failure_kind: ``none``, ``policy`` (failed or run away) or ``infrastructure``.
    """

    truncated: bool = False
    failure_kind: str = "none"


COMMON_ENDINGS: Final[Mapping[str, Ending]] = {
    "answered": Ending(),
    "abstained": Ending(),
    "max_calls": Ending(truncated=True, failure_kind="policy"),
    "infrastructure": Ending(truncated=True, failure_kind="infrastructure"),
}
"""Ends that every family has; a family adds its own."""


@dataclass(slots=True)
class EpisodeState:
    """What changes in an episode of any family; a family adds its own fields.

    A field that holds anything but frozen values in one list, dict or set needs a :meth:`copy` of the family's own
    (which calls ``EpisodeState.copy(self)``: ``super()`` does not work in a dataclass with slots).

    Attributes:
        n_calls: Calls so far, all of them.
        n_invalid: Of these, calls that were refused as a whole.
        n_free: Of these, calls that cost nothing of a family's own budget (:attr:`Tool.charged`).
        terminated: Whether the task is over.
        truncated: Whether a limit outside the task ended it.
        stop_reason: Why it ended, ``""`` while it runs.
        failure_kind: ``none``, ``policy`` or ``infrastructure``.
        pages: All pages in the order fetched.
        log: The calls that changed anything (all calls where the family's ``LOGS_ALL`` is set), canonical.
    """

    ENDINGS: ClassVar[Mapping[str, Ending]] = COMMON_ENDINGS

    n_calls: int = 0
    n_invalid: int = 0
    n_free: int = 0
    terminated: bool = False
    truncated: bool = False
    stop_reason: str = ""
    failure_kind: str = "none"
    pages: list[Page] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)

    @property
    def n_charged(self) -> int:
        """Calls that cost something: all but the free ones."""
        return self.n_calls - self.n_free

    def copy(self) -> Self:
        """Returns an independent copy: lists, dicts and sets one level deep, everything in them shared."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return type(self)(**{name: _copied(value) for name, value in values.items()})

    def stop(self, reason: str) -> None:
        """Marks the episode as over, for one of :attr:`ENDINGS`."""
        ending = self.ENDINGS[reason]
        self.stop_reason = reason
        self.truncated, self.terminated = ending.truncated, not ending.truncated
        self.failure_kind = ending.failure_kind


def _copied(value: Any) -> Any:
    return value.copy() if type(value) in (list, dict, set) else value


@dataclass(slots=True)
class Draft:
    """What the running call has given so far."""

    pages: list[Page] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    assessments: list[RecordedAssessment] = field(default_factory=list)
    document: dict[str, Any] | None = None
    payload: dict[str, Any] = field(default_factory=dict)
    error_code: str = ""
    error: str = ""
