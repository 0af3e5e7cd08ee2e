"""One retrieval: the index call, the page made of its hits, and the retries of whatever may be remote."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.trace import Page, PageEntry
from scholar_env.errors import InfrastructureError
from scholar_env.index.base import Hits, Index
from scholar_env.records import Task

INFRASTRUCTURE: Final = (InfrastructureError, ConnectionError, TimeoutError)
"""Errors that are nobody's fault in the episode; any other error is a fault of the code and is raised."""
RETRIES: Final = 3
Answer = TypeVar("Answer")


def with_retries(attempt: Callable[[], Answer], delay: float, sleep: Callable[[float], None] = time.sleep) -> Answer:
    """Calls a function; after an infrastructure failure up to three times more, ``delay`` seconds later, then twice it.

    Raises:
        InfrastructureError, ConnectionError, TimeoutError: The fourth attempt failed too.
    """
    for number in range(RETRIES):
        try:
            return attempt()
        except INFRASTRUCTURE:
            sleep(delay * 2**number)
    return attempt()


class Retriever:
    """Makes pages for one task. The gold is handed to the index for its ranks and used for nothing else."""

    __slots__ = ("_delay", "_documents", "_index", "_known", "_rows", "_slots")

    def __init__(self, documents: DocumentStore, index: Index, task: Task, delay: float) -> None:
        self._documents, self._index, self._delay = documents, index, delay
        rows = [documents.row_of(paper) for paper in task.gold]
        self._rows = [row for row in rows if row is not None]
        self._known = len(self._rows) == len(rows)
        self._slots = [row is not None for row in rows]

    def page(
        self,
        text: str,
        *,
        k: int,
        offset: int = 0,
        before: str | None = None,
        exclude: Sequence[int] = (),
        subquery: int = 0,
        number: int = 1,
        iteration: int = 1,
    ) -> Page:
        """Fetches one page of a ranked list; changes nothing.

        Args:
            text: What is searched for.
            k: Page size, at least 1.
            offset: Leading papers of the ranked list to skip.
            before: Date bound, None for none.
            exclude: Rows left out of the ranked list.
            subquery: Number that the page gets.
            number: 1-based number among the pages of that subquery.
            iteration: Iteration or turn, from 1.
        """

        def attempt() -> Hits:
            return self._index.search(text, k, offset=offset, before=before, exclude=exclude, gold=self._rows)

        hits = with_retries(attempt, self._delay)
        id_of = self._documents.id_of
        rows, scores = hits.rows.tolist(), hits.scores.tolist()
        ranks = range(offset, offset + len(rows))
        entries = tuple(map(PageEntry, map(id_of, rows), rows, ranks, scores))
        return Page(
            subquery, iteration, number, offset, k, entries, hits.total,
            self._aligned(hits.gold_ranks), self._aligned(hits.gold_ranks_unexcluded),
        )  # fmt: skip

    def _aligned(self, ranks: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Puts None in for gold papers that the corpus lacks."""
        if self._known:
            return ranks
        following = iter(ranks)
        return tuple(next(following) if known else None for known in self._slots)
