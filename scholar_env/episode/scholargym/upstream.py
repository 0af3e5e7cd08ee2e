"""The released workflow, faults included: ``compat="upstream"``.

Facts reproduced, from the released code (its planner and its research loop):

- new subqueries get the smallest unused positive number; gaps are filled; an unknown source is kept as it is, and one
  that is no integer becomes 0;
- an entry with an unknown link, or a derive or expand without text, is passed over, but only after its ``target_k`` was
  read;
- a continue of an unknown number or of a full node (three pages) is passed over, two continues of one node collapse
  into the last one at the place of the first, and a continue of a number made in the same plan is a ``KeyError``;
- the page starts after *all* papers that the node has shown, although the selected ones among them are no longer in the
  list (offset drift); ``target_k`` above the page size is capped, below 0 the page size is used, 0 is a ``ValueError``
  that loses the iteration;
- an empty plan that is not complete, and a complete plan in the first iteration, drop the query (``failed``); a later
  complete plan ends it without running its subqueries;
- a task without gold is a ``ZeroDivisionError`` at the end of its first iteration (the one place where the gold changes
  what an agent sees; such tasks are in no registered set).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.scholargym.state import UpstreamCrash
from scholar_env.episode.scholargym.tree import ROOT, Node
from scholar_env.errors import ScholarEnvError

if TYPE_CHECKING:
    from scholar_env.episode.scholargym.engine import Episode

DEFAULT_K: Final = 10
CRASHES: Final = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


class UpstreamCrashError(ScholarEnvError):
    """The released code would have raised here.

    Attributes:
        crash: What it would have raised.
        kind: Name of the exception class.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(
            f"the released workflow raises {kind}: {message}",
            "a plan names subqueries that exist and asks for at least one result of each, and a task has gold papers",
            "correct the plan, or leave compat out, where each bad entry is reported and the others run",
        )
        self.args = (kind, message)
        self.kind = kind
        self.crash = UpstreamCrash(kind, message)


@dataclass(frozen=True, slots=True)
class KnownSubquery:
    """What the released planner knows of an earlier subquery: its text, its source and how many pages it has."""

    text: str
    source: Any
    pages: int


@dataclass(frozen=True, slots=True)
class PlannedSubquery:
    """One subquery that a plan asks for.

    Attributes:
        id: Its number.
        text: Its text.
        before: Date bound of the query.
        target_k: Results asked for, as planned: not capped, not checked.
        link: ``derive``, ``expand`` or ``continue``.
        source: Number of its source; not checked.
        iteration: Iteration of the plan.
    """

    id: int
    text: str
    before: str | None
    target_k: int
    link: str
    source: Any
    iteration: int


@dataclass(frozen=True, slots=True)
class PlannerResult:
    """What the released planner hands on: subqueries in execution order, texts as given, and whether it is done."""

    subqueries: tuple[PlannedSubquery, ...]
    experience: Any
    checklist: Any
    is_complete: bool

    def to_json(self) -> dict[str, Any]:
        """Returns the entry that the released history keeps."""
        return {
            "sub_queries": [
                {"id": s.id, "text": s.text, "target_k": s.target_k, "link_type": s.link, "source_id": s.source}
                for s in self.subqueries
            ],
            "experience_replay": self.experience,
            "checklist": self.checklist,
        }


def plan_iteration(
    known: Mapping[int, KnownSubquery],
    plan: Mapping[str, Any],
    iteration: int,
    before: str | None,
    *,
    max_pages: int = 3,
) -> PlannerResult:
    """Turns a planner's reply into subqueries exactly as the released planner does.

    Args:
        known: Earlier subqueries by number (without the root).
        plan: The reply: ``subqueries``, ``checklist``, ``experience_replay``, ``is_complete`` (or ``complete``), all
            optional.
        iteration: 1-based iteration.
        before: Date bound of the query, handed through.
        max_pages: Pages after which a node is full.

    Raises:
        UpstreamCrashError: The released code would have raised.
    """
    try:
        return _plan_iteration(known, plan, iteration, before, max_pages)
    except CRASHES as problem:
        raise UpstreamCrashError(type(problem).__name__, str(problem)) from problem


def _plan_iteration(
    known: Mapping[int, KnownSubquery], plan: Mapping[str, Any], iteration: int, before: str | None, max_pages: int
) -> PlannerResult:
    numbers = set(known)
    planned: dict[Any, PlannedSubquery] = {}
    complete = bool(plan.get("is_complete", plan.get("complete", False)))
    entries = plan.get("subqueries", [])
    for entry in entries if entries or not complete else ():
        text, source = entry.get("text", ""), entry.get("source_id")
        target_k = int(entry.get("target_k", DEFAULT_K))
        link = entry.get("link_type")
        if link == "continue":
            if source not in numbers:
                continue
            node = known[
                source
            ]  # a number made in this same plan is not known yet: the KeyError is the released behaviour
            if node.pages >= max_pages:
                continue
            number, source, text = source, node.source, node.text
        elif link in ("derive", "expand") and text:
            number = 1
            while number in numbers:
                number += 1
            numbers.add(number)
            source = source if isinstance(source, int) else ROOT
        else:
            continue
        planned[number] = PlannedSubquery(number, text, before, target_k, link, source, iteration)
    experience, checklist = plan.get("experience_replay", ""), plan.get("checklist", "")
    return PlannerResult(tuple(planned.values()), experience, checklist, complete)


NAMES: Final = {"link": "link_type", "source": "source_id", "k": "target_k"}
"""This package's names of an entry's fields, and the released ones, which go first."""


def released_reply(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the arguments of a ``plan`` call as a reply of the released planner; what has its names already stays."""
    reply = dict(arguments)
    if "experience" in reply:
        reply.setdefault("experience_replay", reply.pop("experience"))
    entries = reply.get("subqueries")
    if isinstance(entries, list):
        reply["subqueries"] = [_released_entry(entry) if isinstance(entry, dict) else entry for entry in entries]
    return reply


def _released_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    ours = {NAMES[name]: value for name, value in entry.items() if name in NAMES and value is not None}
    return {**ours, **{name: value for name, value in entry.items() if name not in NAMES}}


def run_plan(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Runs one planner reply as the released loop does; with a fixed assessor it also selects and closes.

    The reply is taken as it is, unchecked, since the released planner takes anything, and dies of some of it.
    """
    state = episode.state
    if state.trace.open.pages:
        episode.close_iteration()
        if state.stop_reason:
            episode.note("the last iteration is over: the plan was not run")
            return
    known = {node.id: KnownSubquery(node.text, node.parent, node.pages) for node in state.tree}
    reply = released_reply(arguments)
    try:
        result = plan_iteration(
            known, reply, state.trace.open.index, episode.before, max_pages=episode.config.max_pages
        )
        state.trace.open.plan = result.to_json()
        if result.is_complete:
            episode.finish("complete" if state.n_closed else "failed")
            return
        if not result.subqueries:
            episode.finish("failed")
            return
        _check_searches(result)
    except UpstreamCrashError as problem:
        episode.crash(problem.crash)
        return
    checklist, experience = _words(result.checklist), _words(result.experience)
    episode.remember_plan(reply, checklist, experience)
    state.trace.open.checklist = checklist
    for planned in result.subqueries:
        _fetch(episode, planned)
    if not episode.config.agent_selects:
        episode.close_iteration()


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""


def _check_searches(result: PlannerResult) -> None:
    """The crashes of the released retrieval stage, which lose the whole iteration."""
    for planned in result.subqueries:
        if planned.target_k == 0:
            raise UpstreamCrashError("ValueError", "not enough values to unpack (expected 3, got 2)")
        if not isinstance(planned.text, str):
            kind = type(planned.text).__name__
            raise UpstreamCrashError("AttributeError", f"'{kind}' object has no attribute 'lower'")


def _fetch(episode: Episode, planned: PlannedSubquery) -> None:
    number = int(planned.id)
    size = episode.config.page_size
    k = min(planned.target_k, size) if planned.target_k > 0 else size
    if number in episode.state.tree:
        node = episode.state.tree[number]
    else:
        node = Node(number, int(planned.source), planned.link, planned.text, planned.iteration, before=planned.before)
    episode.fetch(node, k=k, offset=node.retrieved)
