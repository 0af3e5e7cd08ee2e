"""What the measures read of an episode: structural types, so that measures and engine do not import each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol


class EntryView(Protocol):
    """One paper on a page."""

    @property
    def paper(self) -> str:
        """Id of the paper."""
        ...


class PageView(Protocol):
    """One retrieved page. Ranks are 0-based, aligned with the task's gold; None = not in the list."""

    @property
    def subquery(self) -> int:
        """Node that fetched it."""
        ...

    @property
    def entries(self) -> Sequence[EntryView]:
        """Papers, best first."""
        ...

    @property
    def gold_ranks(self) -> Sequence[int | None]:
        """Ranks in the list after exclusion."""
        ...

    @property
    def gold_ranks_unexcluded(self) -> Sequence[int | None]:
        """Ranks in the list before exclusion."""
        ...


class IterationView(Protocol):
    """One iteration; when closed it no longer changes."""

    @property
    def closed(self) -> bool:
        """Whether it is over."""
        ...

    @property
    def pages(self) -> Sequence[PageView]:
        """Pages in order of retrieval; only grows."""
        ...

    @property
    def selected(self) -> Mapping[int, Sequence[str]]:
        """Subquery to the papers kept of its pages."""
        ...


class TraceView(Protocol):
    """What happened so far."""

    @property
    def iterations(self) -> Sequence[IterationView]:
        """Iterations in order; only grows."""
        ...


class PagedView(Protocol):
    """An episode of any family as measures of its pages see it."""

    @property
    def pages(self) -> Sequence[PageView]:
        """All pages in the order fetched; only grows."""
        ...


class EpisodeView(Protocol):
    """An episode of ScholarGym as the measures see it."""

    @property
    def trace(self) -> TraceView:
        """What happened so far."""
        ...

    @property
    def retrieved(self) -> Collection[str]:
        """R; only grows."""
        ...

    @property
    def selected(self) -> Collection[str]:
        """S, a subset of R; may shrink within an open iteration and by an answer."""
        ...

    @property
    def n_calls(self) -> int:
        """Calls so far, malformed ones included."""
        ...

    @property
    def n_invalid(self) -> int:
        """Malformed or impossible calls so far."""
        ...

    @property
    def n_unseen(self) -> int:
        """Answered ids that had not been retrieved."""
        ...

    @property
    def n_results_shown(self) -> int:
        """Page entries shown so far, repetitions counted."""
        ...
