"""The citation graph as arrays: references and citers of each paper, and where the text mentions them.

Rows are the corpus's rows. Both directions are lists one after another (CSR): ``targets[starts[i] : starts[i + 1]]``
are the papers that paper i cites, ``sources[citer_starts[i] : citer_starts[i + 1]]`` those that cite it, each in
ascending order and without repetition. A paper's reference to itself, a second reference to the same paper and one to a
paper outside the corpus are left out and counted. Cycles stay; ``component`` marks them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.cycles import components
from scholar_env.graph.gather import Ints, Rows, starts_of
from scholar_env.index.dates import UNDATED

SENTIMENTS = ("neutral", "positive", "negative")
"""What a citation context says of the cited paper, by code."""

NEUTRAL, POSITIVE, NEGATIVE = range(3)


@dataclass(frozen=True)
class Mentions:
    """Where the text mentions the references: those of reference e are ``[starts[e], starts[e + 1])``.

    Attributes:
        starts: int64 [references + 1].
        paragraph: int32 [mentions]: number of the citation paragraph of the citing paper, ascending within a reference;
            papers with the same number are mentioned together.
        sentiment: int8 [mentions]: place in :data:`SENTIMENTS`.
    """

    starts: Ints
    paragraph: Rows
    sentiment: NDArray[np.int8]


@dataclass(frozen=True)
class Dropped:
    """References that were left out when the graph was made."""

    self_references: int = 0
    duplicates: int = 0
    dangling: int = 0


@dataclass(frozen=True, eq=False)
class CitationGraph:
    """A citation graph; all arrays may be read-only maps, shared by threads and processes.

    Attributes:
        starts, targets: References of each paper: int64 [papers + 1], int32 [references].
        citer_starts, sources: Citers of each paper, likewise.
        month: int32 [papers]: yyyymm, ``UNDATED`` where it is unknown (``scholar_env.index.dates``).
        id_rank: int32 [papers]: place of the paper's id among all ids in order; decides ties.
        component: int32 [papers]: papers with the same number >= 0 lie on common cycles; -1 for all others.
        mentions: Citation contexts, None where the corpus has none.
        dropped: What was left out.
    """

    starts: Ints
    targets: Rows
    citer_starts: Ints
    sources: Rows
    month: Rows
    id_rank: Rows
    component: Rows
    mentions: Mentions | None = None
    dropped: Dropped = Dropped()

    @property
    def n_papers(self) -> int:
        """Number of papers."""
        return len(self.starts) - 1

    @property
    def n_references(self) -> int:
        """Number of references within the corpus."""
        return len(self.targets)

    def references(self, row: int) -> Rows:
        """Rows that a paper cites, ascending."""
        return self.targets[self.starts[row] : self.starts[row + 1]]

    def citers(self, row: int) -> Rows:
        """Rows that cite a paper, ascending."""
        return self.sources[self.citer_starts[row] : self.citer_starts[row + 1]]

    @cached_property
    def n_references_of(self) -> Ints:
        """Number of references of each paper: int64 [papers]."""
        return np.diff(self.starts)

    @cached_property
    def n_citers_of(self) -> Ints:
        """Number of citers of each paper, its citation count: int64 [papers]."""
        return np.diff(self.citer_starts)

    @cached_property
    def keys(self) -> Ints:
        """The numbers ``source * papers + target`` of all references, ascending."""
        source = np.repeat(np.arange(self.n_papers), self.n_references_of)
        return source * self.n_papers + self.targets

    @cached_property
    def years(self) -> Rows:
        """Year of each paper, -1 where it is unknown: int32 [papers]."""
        return np.where(self.month == UNDATED, -1, self.month // 100).astype(np.int32)


@dataclass(frozen=True)
class Edges:
    """References as they come, one a mention; repeated ones are the mentions of one reference.

    Attributes:
        source, target: Rows; a target of -1 is a paper outside the corpus.
        paragraph, sentiment: As in :class:`Mentions`, both or neither.
    """

    source: NDArray[np.integer[Any]]
    target: NDArray[np.integer[Any]]
    paragraph: NDArray[np.integer[Any]] | None = None
    sentiment: NDArray[np.integer[Any]] | None = None


def make_graph(
    n_papers: int,
    edges: Edges,
    month: NDArray[np.integer[Any]] | None = None,
    id_rank: NDArray[np.integer[Any]] | None = None,
) -> CitationGraph:
    """Makes a graph from references in any order.

    Args:
        n_papers: Number of rows.
        edges: The references.
        month: yyyymm by row; all unknown by default.
        id_rank: Order of the ids by row; the order of the rows by default.

    Raises:
        InvalidOptionError: A row is outside the graph, or columns differ in length.
    """
    _check(n_papers, edges)
    inside = edges.target >= 0
    other = edges.source != edges.target
    kept = np.flatnonzero(inside & other)
    key = edges.source[kept].astype(np.int64) * n_papers + edges.target[kept]
    paragraph = np.zeros(len(kept), dtype=np.int64) if edges.paragraph is None else edges.paragraph[kept]
    order = np.argsort(key, kind="stable") if edges.paragraph is None else np.lexsort((paragraph, key))
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1) > 0)
    source, target = np.divmod(key[first], max(n_papers, 1))
    mentions = None
    if edges.paragraph is not None and edges.sentiment is not None:
        mentions = Mentions(
            np.append(first, len(key)).astype(np.int64),
            paragraph[order].astype(np.int32),
            edges.sentiment[kept][order].astype(np.int8),
        )
    back = np.argsort(target, kind="stable")
    starts, targets = starts_of(source, n_papers), target.astype(np.int32)
    return CitationGraph(
        starts,
        targets,
        starts_of(target, n_papers),
        source[back].astype(np.int32),
        _column(month, UNDATED, n_papers),
        np.arange(n_papers, dtype=np.int32) if id_rank is None else _column(id_rank, 0, n_papers),
        components(starts, targets),
        mentions,
        Dropped(int((inside & ~other).sum()), len(key) - len(first), int((~inside).sum())),
    )


def _column(values: NDArray[np.integer[Any]] | None, default: int, size: int) -> Rows:
    return np.full(size, default, dtype=np.int32) if values is None else values.astype(np.int32)


def _check(n_papers: int, edges: Edges) -> None:
    columns = [edges.source, edges.target]
    columns += [column for column in (edges.paragraph, edges.sentiment) if column is not None]
    if len({len(column) for column in columns}) > 1 or len(columns) == 3:
        raise InvalidOptionError(
            f"columns of {[len(column) for column in columns]} references",
            "all columns are of one length, and paragraph and sentiment come together",
            "give each reference all of its columns",
        )
    for name, column, low in (("source", edges.source, 0), ("target", edges.target, -1)):
        if len(column) and not (low <= int(column.min()) and int(column.max()) < n_papers):
            raise InvalidOptionError(
                f"a {name} from {int(column.min())} to {int(column.max())} in a graph of {n_papers} papers",
                f"a {name} is a row from {low} to {n_papers - 1}",
                "count rows from 0",
            )
