"""What the calls of an episode gave: pages, assessments, and the outcome of one call."""

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
        payload: What else the family's tool returned, plain JSON by name (API results, references, …).
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
    payload: dict[str, Any] = field(default_factory=dict)
