"""The citation graph as arrays: references and citers of each paper, and where the text mentions them.

Rows are the corpus's rows. Both directions are lists one after another (CSR): ``targets[starts[i] : starts[i + 1]]``
are the papers that paper i cites, ``sources[citer_starts[i] : citer_starts[i + 1]]`` those that cite it, each in
ascending order and without repetition. A paper's reference to itself, a second reference to the same paper and one to a
paper outside the corpus are left out and counted. Cycles stay; ``component`` marks them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.cycles import components
from scholar_env.graph.gather import Ints, Rows, sealed, starts_of
from scholar_env.index.dates import UNDATED

Column = NDArray[np.integer[Any]]

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
    """How many references were left out when the graph was made."""

    self_references: int = 0
    duplicates: int = 0
    dangling: int = 0


@dataclass(frozen=True, eq=False)
class CitationGraph:
    """A citation graph; all arrays are read-only, most often maps that threads and processes share.

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

    def __post_init__(self) -> None:
        for array in (self.starts, self.citer_starts):
            sealed(array)
        for rows in (self.targets, self.sources, self.month, self.id_rank, self.component):
            sealed(rows)

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
        return sealed(np.diff(self.starts))

    @cached_property
    def n_citers_of(self) -> Ints:
        """Number of citers of each paper, its citation count: int64 [papers]."""
        return sealed(np.diff(self.citer_starts))

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
    """References as they come, in any order.

    Attributes:
        source: Rows of citing papers.
        target: Rows of cited papers; -1 is a paper outside the corpus.
    """

    source: Column
    target: Column


@dataclass(frozen=True)
class Contexts:
    """Mentions of references as they come, in any order; what is mentioned is a reference.

    Attributes:
        source: Rows of citing papers.
        target: Rows of cited papers; mentions of -1 and of the citing paper itself are left out.
        paragraph: Number of the paragraph, >= 0, as in :class:`Mentions`.
        sentiment: Place in :data:`SENTIMENTS`.
    """

    source: Column
    target: Column
    paragraph: Column
    sentiment: Column


def make_graph(
    n_papers: int,
    edges: Edges,
    contexts: Contexts | None = None,
    month: Column | None = None,
    id_rank: Column | None = None,
) -> CitationGraph:
    """Makes a graph.

    Args:
        n_papers: Number of rows.
        edges: The references.
        contexts: Where they are mentioned, None where this is not known.
        month: yyyymm by row; all unknown by default.
        id_rank: Order of the ids by row; the order of the rows by default.

    Raises:
        InvalidOptionError: A row is outside the graph, or columns differ in length.
    """
    _check(n_papers, edges)
    keys, dropped = _keys(n_papers, edges)
    ordered: Contexts | None = None
    if contexts is not None:
        _check(n_papers, contexts)
        ordered = _ordered(contexts)
        mentioned = ordered.source.astype(np.int64) * n_papers + ordered.target
        keys = np.union1d(keys, mentioned)
    source, target = np.divmod(keys, max(n_papers, 1))
    mentions = None
    if ordered is not None:
        starts = np.append(np.searchsorted(mentioned, keys), len(mentioned)).astype(np.int64)
        mentions = Mentions(starts, ordered.paragraph.astype(np.int32), ordered.sentiment.astype(np.int8))
    back = np.argsort(target, kind="stable")
    starts, targets = starts_of(source, n_papers), target.astype(np.int32)
    return CitationGraph(
        starts,
        targets,
        starts_of(target, n_papers),
        source[back].astype(np.int32),
        np.full(n_papers, UNDATED, dtype=np.int32) if month is None else month.astype(np.int32),
        np.arange(n_papers, dtype=np.int32) if id_rank is None else id_rank.astype(np.int32),
        components(starts, targets),
        mentions,
        dropped,
    )


def _keys(n_papers: int, edges: Edges) -> tuple[Ints, Dropped]:
    """The distinct references as ascending numbers ``source * papers + target``, and what falls away."""
    inside = edges.target >= 0
    kept = np.flatnonzero(inside & (edges.source != edges.target))
    keys = np.sort(edges.source[kept].astype(np.int64) * n_papers + edges.target[kept])
    distinct = keys[np.diff(keys, prepend=-1) > 0]
    n_inside = int(inside.sum())
    return distinct, Dropped(n_inside - len(kept), len(kept) - len(distinct), len(inside) - n_inside)


def _ordered(contexts: Contexts) -> Contexts:
    """Mentions of other papers of the corpus, by citing paper, cited paper and paragraph."""
    kept = np.flatnonzero((contexts.target >= 0) & (contexts.source != contexts.target))
    order = kept[np.lexsort((contexts.paragraph[kept], contexts.target[kept], contexts.source[kept]))]
    columns = (contexts.source, contexts.target, contexts.paragraph, contexts.sentiment)
    return Contexts(*(column[order] for column in columns))


def _check(n_papers: int, columns: Edges | Contexts) -> None:
    lengths = [len(getattr(columns, entry.name)) for entry in fields(columns)]
    if len(set(lengths)) > 1:
        raise InvalidOptionError(
            f"columns of {lengths} references",
            "all columns are of one length",
            "give each reference all of its columns",
        )
    bounds = {"source": (0, n_papers), "target": (-1, n_papers), "paragraph": (0, 1 << 31)}
    bounds["sentiment"] = (0, len(SENTIMENTS))
    for entry in fields(columns):
        column, (low, end) = getattr(columns, entry.name), bounds[entry.name]
        if len(column) and not (low <= int(column.min()) and int(column.max()) < end):
            raise InvalidOptionError(
                f"a {entry.name} from {int(column.min())} to {int(column.max())} in a graph of {n_papers} papers",
                f"a {entry.name} is a number from {low} to {end - 1}",
                "count from 0",
            )
