"""The index protocol: what a retrieval engine takes and gives.

Documents are addressed by row (their position in the corpus, which also breaks ties); the mapping from rows to ids is
the corpus's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One retrieval request.

    Attributes:
        query: Free text, tokenized by the index.
        k: Page size, at least 1.
        offset: Number of leading documents of the ranked list to skip, at least 0.
        before: Newest admissible month ``YYYY-MM`` (longer dates are cut to seven characters); ``None`` for no date
            filter, in which case undated documents stay. With a filter undated documents are dropped; ``""`` drops
            everything.
        exclude: Rows that are removed from the ranked list before ranks and offset are counted.
        gold: Rows whose ranks are wanted.
    """

    query: str
    k: int
    offset: int = 0
    before: str | None = None
    exclude: Sequence[int] = ()
    gold: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Hits:
    """One page of a ranked list, with what is known about the whole list.

    The ranked list holds the documents with a score above zero that pass the date filter and are not excluded, by score
    descending; ties keep document order.

    Attributes:
        rows: ``int32[n]``, rows of the page, best first, n <= k.
        scores: ``float64[n]``, their scores.
        total: Length of the whole ranked list.
        gold_ranks: For each requested gold row its 0-based rank in the ranked list, or None when it is not in it.
        gold_ranks_unexcluded: The same in the list before exclusion (date filter only).
    """

    rows: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float64]
    total: int
    gold_ranks: tuple[int | None, ...] = field(default=())
    gold_ranks_unexcluded: tuple[int | None, ...] = field(default=())


class Index(Protocol):
    """A frozen retrieval index. Implementations are safe to share between threads and processes."""

    @property
    def engine(self) -> str:
        """Which code computes the scores: ``numpy``, ``numba``, ``rank-bm25``, …."""
        ...

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides a ranking: documents, tokenizer, scoring variant."""
        ...

    @property
    def n_documents(self) -> int:
        """Number of documents, including those that match nothing."""
        ...

    def search(
        self,
        query: str,
        k: int,
        *,
        offset: int = 0,
        before: str | None = None,
        exclude: Sequence[int] = (),
        gold: Sequence[int] = (),
    ) -> Hits:
        """Answers one request; see :class:`SearchRequest` for the arguments."""
        ...

    def search_batch(self, requests: Sequence[SearchRequest]) -> list[Hits]:
        """Answers several requests, each exactly as :meth:`search` would."""
        ...
