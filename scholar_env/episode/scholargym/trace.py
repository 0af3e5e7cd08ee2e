"""The iterations of an episode: their pages, selections and remarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scholar_env.episode.trace import Page


@dataclass(slots=True)
class IterationTrace:
    """One iteration.

    Attributes:
        index: 1-based number.
        closed: Whether it is over; the last one of a running episode is open.
        pages: Pages in the order fetched.
        selected: Ids by node, as they stand now; final once closed.
        overviews: Remark by node.
        browsed: Papers sent to the browser, each once, in that order.
        summaries: What the browser said by paper id (agent assessor).
        checklist: Checklist that the assessor of this iteration sees.
        plan: Under ``compat="upstream"`` the plan as the released planner would have handed it on, else None.
    """

    index: int
    closed: bool = False
    pages: list[Page] = field(default_factory=list)
    selected: dict[int, tuple[str, ...]] = field(default_factory=dict)
    overviews: dict[int, str] = field(default_factory=dict)
    browsed: dict[str, None] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    checklist: str = ""
    plan: dict[str, Any] | None = None

    def copy(self) -> IterationTrace:
        """Returns an independent copy (pages are frozen and shared)."""
        return IterationTrace(
            self.index, self.closed, list(self.pages), dict(self.selected), dict(self.overviews), dict(self.browsed),
            dict(self.summaries), self.checklist, self.plan,
        )  # fmt: skip

    def pages_of(self, subquery: int) -> list[Page]:
        """Returns this iteration's pages of one node."""
        return [page for page in self.pages if page.subquery == subquery]


@dataclass(slots=True)
class Trace:
    """The iterations in order; the last one of a running episode is open; one without a page never closes."""

    iterations: list[IterationTrace] = field(default_factory=lambda: [IterationTrace(1)])

    @property
    def open(self) -> IterationTrace:
        """The latest iteration."""
        return self.iterations[-1]

    def copy(self) -> Trace:
        """Returns a copy that shares the closed iterations, which never change again."""
        return Trace([*self.iterations[:-1], self.iterations[-1].copy()])
