"""Curves over the calls and turns of CompLit episodes, as pure functions of traces.

- Search curves (needs with a target): share of episodes in which, by tool call n, the target had appeared in a result
  list, had been opened, had been given as the final answer. A paper may be opened without having been listed (by its
  id); *read* counts as *retrieved*, so that the first curve never lies below the second.
- Turn curves (conversations): what the current answer was after turn t. A conversation that was shorter, or that ended
  early, carries its last answer forward.
- Unmet curves (needs without a target): share of episodes in which, by tool call n, the near-miss had been opened, a
  final verdict was given, and whether that named a paper or abstained.

A verdict that came only after the budget was spent is *forced*: it is in no curve over calls and is counted apart.
Curves hold one share for each n from 0 on. Over no episode every share is NaN. Source: as
:mod:`scholar_env.metrics.complit`, section 4 and the appendix on search dynamics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.complit import ABSTAINED, GOLD, NEAR_MISS, OTHER, STANDINGS, share

Curve = tuple[float, ...]
"""Shares in [0, 1]."""


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """What happened when in one episode; calls are tool calls spent by then, None = never.

    Attributes:
        retrieved: When a paper (the target, for an Unmet need the near-miss) first appeared in a result list.
        read: When it was first opened.
        verdict: When the final answer or abstention was given.
        standing: What that was worth, one of :data:`scholar_env.metrics.complit.STANDINGS`.
        forced: Whether it came only after the limit.
    """

    retrieved: int | None
    read: int | None
    verdict: int | None
    standing: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class SearchCurves:
    """Shares by tool call; ``forced`` is the share of episodes with a forced answer that is the target."""

    retrieved: Curve
    read: Curve
    answered: Curve
    forced: float


@dataclass(frozen=True, slots=True)
class UnmetCurves:
    """Shares by tool call; the ``forced_*`` are shares of episodes with a forced verdict of that kind."""

    near_miss_opened: Curve
    verdict: Curve
    hallucinated: Curve
    abstained: Curve
    forced_hallucinated: float
    forced_abstained: float


@dataclass(frozen=True, slots=True)
class TurnCurves:
    """Shares after each turn, the first at place 0.

    Attributes:
        committed: The current answer is the target.
        another: It is another paper.
        ever_another: It was another paper after this turn or an earlier one.
        escaped: It was another paper and is no longer: ever_another - another.
        recovered: It was another paper and is the target now, a part of ``escaped``; at the last turn, the share that
            ended right after all.
    """

    committed: Curve
    another: Curve
    ever_another: Curve
    escaped: Curve
    recovered: Curve


def by_call(moments: Iterable[int | None], calls: int) -> Curve:
    """Share of moments that are at most n, for n = 0 … calls; None is never.

    Raises:
        InvalidOptionError: calls < 0.
    """
    if calls < 0:
        raise InvalidOptionError(f"calls={calls}", "a curve runs from call 0 on", "give at least 0")
    given = list(moments)
    return tuple([share(moment is not None and moment <= n for moment in given) for n in range(calls + 1)])


def search_curves(traces: Sequence[SearchTrace], calls: int) -> SearchCurves:
    """The search curves of needs with a target, for n = 0 … calls."""
    return SearchCurves(
        retrieved=by_call([_first(trace.retrieved, trace.read) for trace in traces], calls),
        read=by_call([trace.read for trace in traces], calls),
        answered=by_call([_unforced(trace, (GOLD,)) for trace in traces], calls),
        forced=share(trace.forced and trace.standing == GOLD for trace in traces),
    )


def unmet_curves(traces: Sequence[SearchTrace], calls: int) -> UnmetCurves:
    """The curves of Unmet needs, for n = 0 … calls; the traces are about the near-miss."""
    papers = (GOLD, NEAR_MISS, OTHER)
    return UnmetCurves(
        near_miss_opened=by_call([trace.read for trace in traces], calls),
        verdict=by_call([_unforced(trace, (*papers, ABSTAINED)) for trace in traces], calls),
        hallucinated=by_call([_unforced(trace, papers) for trace in traces], calls),
        abstained=by_call([_unforced(trace, (ABSTAINED,)) for trace in traces], calls),
        forced_hallucinated=share(trace.forced and trace.standing in papers for trace in traces),
        forced_abstained=share(trace.forced and trace.standing == ABSTAINED for trace in traces),
    )


def turn_curves(conversations: Sequence[Sequence[str]], turns: int | None = None) -> TurnCurves:
    """The turn curves of conversations.

    Args:
        conversations: For each conversation what the current answer was worth after each turn, at least one turn; the
            last entry is the verdict.
        turns: Length of the curves; None = the longest conversation. Longer conversations are cut.

    Raises:
        InvalidOptionError: A conversation without a turn, an unknown standing, or turns < 1.
    """
    _require_turns(conversations, turns)
    length = turns or max((len(one) for one in conversations), default=0)
    steps = range(length)
    now = [[one[min(t, len(one) - 1)] for t in steps] for one in conversations]
    wrong = [[worth in (NEAR_MISS, OTHER) for worth in one] for one in now]
    ever = [[any(one[: t + 1]) for t in steps] for one in wrong]
    each = range(len(conversations))
    return TurnCurves(
        committed=tuple([share(now[i][t] == GOLD for i in each) for t in steps]),
        another=tuple([share(wrong[i][t] for i in each) for t in steps]),
        ever_another=tuple([share(ever[i][t] for i in each) for t in steps]),
        escaped=tuple([share(ever[i][t] and not wrong[i][t] for i in each) for t in steps]),
        recovered=tuple([share(ever[i][t] and now[i][t] == GOLD for i in each) for t in steps]),
    )


FIRST: Final = "first"
KEPT: Final = "kept"
CHANGED: Final = "changed"
WITHDRAWN: Final = "withdrawn"
UNANSWERED: Final = "none"
CHANGES: Final = (UNANSWERED, FIRST, KEPT, CHANGED, WITHDRAWN)
"""What a turn did to the answer: there was none before or after, it was given where there was none, it stayed, another
paper took its place, it was taken back."""


def answer_changes(answers: Sequence[int]) -> tuple[str, ...]:
    """What each turn of a conversation did to its answer, one of :data:`CHANGES` a turn.

    Args:
        answers: After each turn a number that stands for the paper of the current answer, 0 = none.
    """
    changes = []
    for before, after in zip((0, *answers), answers, strict=False):
        if not after:
            changes.append(WITHDRAWN if before else UNANSWERED)
        elif not before:
            changes.append(FIRST)
        else:
            changes.append(KEPT if after == before else CHANGED)
    return tuple(changes)


def change_timeline(conversations: Sequence[Sequence[int]], turns: int | None = None) -> dict[str, Curve]:
    """Share of each of :data:`CHANGES` at each turn, over the conversations that have the turn.

    Args:
        conversations: As for :func:`answer_changes`.
        turns: Length of the curves; None = the longest conversation.
    """
    _require_length(turns)
    length = turns or max((len(one) for one in conversations), default=0)
    changes = [answer_changes(one) for one in conversations]
    return {
        kind: tuple([share(one[t] == kind for one in changes if t < len(one)) for t in range(length)])
        for kind in CHANGES
    }


def _first(one: int | None, other: int | None) -> int | None:
    moments = [moment for moment in (one, other) if moment is not None]
    return min(moments, default=None)


def _unforced(trace: SearchTrace, standings: tuple[str, ...]) -> int | None:
    """When a verdict of one of these standings was given within the budget."""
    return trace.verdict if trace.standing in standings and not trace.forced else None


def _require_length(turns: int | None) -> None:
    if turns is not None and turns < 1:
        raise InvalidOptionError(f"turns={turns}", "a conversation has at least one turn", "leave it out")


def _require_turns(conversations: Sequence[Sequence[str]], turns: int | None) -> None:
    _require_length(turns)
    for one in conversations:
        unknown = [worth for worth in one if worth not in STANDINGS]
        if not one or unknown:
            raise InvalidOptionError(
                f"a conversation of {len(one)} turns, with {unknown[:1] or 'no'} standing",
                f"each turn has one of {', '.join(STANDINGS)}",
                "give at least one turn",
            )
