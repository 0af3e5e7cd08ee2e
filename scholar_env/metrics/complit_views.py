"""What the measures read of an episode of CompLit: how things stood after each call, and protocols of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scholar_env.metrics.complit import Answer
from scholar_env.records import NamedPaper


@dataclass(frozen=True, slots=True)
class CallMark:
    """How things stood after one call.

    Attributes:
        spent: Budget spent.
        turn: 0-based turn in which it was made.
        answer: The current answer.
        final: Whether it is the verdict.
        forced: Whether that came only after the budget was spent.
        n_listed: Entries of all lists so far.
        n_characters: Characters shown so far.
    """

    spent: int
    turn: int
    answer: Answer | None
    final: bool
    forced: bool
    n_listed: int
    n_characters: int


class CorpusView(Protocol):
    """What the measures read of a corpus."""

    def row_of(self, paper_id: str) -> int | None:
        """Row of a paper."""
        ...

    def title(self, row: int) -> str:
        """Its title."""
        ...


class NeedView(Protocol):
    """How an answer is scored."""

    @property
    def target(self) -> NamedPaper | None:
        """The paper that meets the need."""
        ...

    @property
    def near_miss(self) -> NamedPaper | None:
        """The paper that nearly does."""
        ...

    @property
    def clause(self) -> str:
        """Status of the clause that the near-miss does not meet."""
        ...


class PageView(Protocol):
    """A page of a search."""

    @property
    def gold_ranks(self) -> Sequence[int | None]:
        """0-based ranks of the gold papers."""
        ...


class StateView(Protocol):
    """What the measures read of an episode's state."""

    marks: list[CallMark]
    turn_answers: list[Answer | None]
    answer: Answer | None
    listed: dict[str, int]
    opened: dict[str, int]
    turn: int
    final: bool
    forced: bool
    n_calls: int
    n_invalid: int
    n_listed: int
    n_characters: int
    n_searches: int
    n_greps: int
    n_reads: int


class ComplitView(Protocol):
    """What the measures read of an episode."""

    @property
    def state(self) -> StateView:
        """What changes."""
        ...

    @property
    def need(self) -> NeedView:
        """How it is scored."""
        ...

    @property
    def corpus(self) -> CorpusView:
        """The papers."""
        ...

    @property
    def pages(self) -> Sequence[PageView]:
        """All pages."""
        ...

    @property
    def spent(self) -> int:
        """Budget spent."""
        ...

    @property
    def stop_reason(self) -> str:
        """Why it ended."""
        ...
