"""What happened in an episode: pages, assessments, iterations, and the outcome of one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class PageEntry(NamedTuple):
    """One paper of a page (a tuple, since ten are made in every retrieval).

    Attributes:
        paper: Paper id.
        row: Its row in the corpus.
        rank: 0-based position in the ranked list after date filter and exclusion.
        score: Score that the index gave.
    """

    paper: str
    row: int
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page of one node.

    Attributes:
        subquery: Number of the node.
        iteration: Iteration in which it was fetched.
        number: 1-based page of that node.
        offset: Leading papers of the ranked list that were skipped.
        k: Results asked for, after capping.
        entries: The papers, best first.
        total: Length of the ranked list.
        gold_ranks: 0-based rank of each gold paper of the task in the ranked list, in the task's order; None = not in
            it. For
            metrics only, never shown.
        gold_ranks_unexcluded: The same in the list before exclusion.
    """

    subquery: int
    iteration: int
    number: int
    offset: int
    k: int
    entries: tuple[PageEntry, ...]
    total: int
    gold_ranks: tuple[int | None, ...] = ()
    gold_ranks_unexcluded: tuple[int | None, ...] = ()

    @property
    def papers(self) -> tuple[str, ...]:
        """The ids on the page, best first."""
        return tuple(entry.paper for entry in self.entries)


@dataclass(frozen=True, slots=True)
class RecordedAssessment:
    """One answer of an assessor, with the place it belongs to.

    Attributes:
        iteration: Iteration of the page.
        subquery: Node of the page.
        page: 1-based page of that node.
        browsed: False for the first pass, True for the pass after browsing.
        selected: Ids that it kept, all of them on the page, in page order.
        to_browse: Goal by paper id that it wants read, all on the page, in page order.
        overview: Its remark for the planner.
    """

    iteration: int
    subquery: int
    page: int
    browsed: bool
    selected: tuple[str, ...]
    to_browse: dict[str, str]
    overview: str

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON."""
        return {
            "iteration": self.iteration,
            "subquery": self.subquery,
            "page": self.page,
            "browsed": self.browsed,
            "selected": list(self.selected),
            "to_browse": dict(self.to_browse),
            "overview": self.overview,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> RecordedAssessment:
        """Reads what :meth:`to_json` wrote."""
        return cls(
            iteration=int(value["iteration"]),
            subquery=int(value["subquery"]),
            page=int(value["page"]),
            browsed=bool(value["browsed"]),
            selected=tuple(str(paper) for paper in value["selected"]),
            to_browse={str(paper): str(goal) for paper, goal in dict(value["to_browse"]).items()},
            overview=str(value["overview"]),
        )


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call gave.

    Attributes:
        name: Tool that was called (``__malformed__`` for what was no call).
        error_code: Why it was refused, or ``""``.
        error: What was wrong and how a right call looks, or ``""``. A plan that ran in part names its bad entries here.
        notices: Remarks on a call that ran (a capped ``k``, ids passed over, …).
        pages: Pages that it fetched.
        document: What ``read`` or ``browse`` returned, else None.
        assessments: What a fixed assessor decided in this call; a replay uses these.
        failure_kind: ``none``, ``policy`` (failed, crashed or run away) or ``infrastructure``.
        ended: Whether the episode is over.
        invalid: Whether the call was refused as a whole and changed nothing but the counters.
    """

    name: str
    error_code: str = ""
    error: str = ""
    notices: tuple[str, ...] = ()
    pages: tuple[Page, ...] = ()
    document: dict[str, Any] | None = None
    assessments: tuple[RecordedAssessment, ...] = ()
    failure_kind: str = "none"
    ended: bool = False
    invalid: bool = False
