"""Which units a paper cites together, and how many papers cite each two of them.

A unit is what a reference counts as: the cited work itself, or its journal, or its topic. A paper cites a unit or does
not; how many of its references fall into the unit is its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from scholar_env.engines import compiled_module
from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.gather import Ints, Rows, chunks, sealed, starts_of

KERNELS = "scholar_env.graph.novelty_numba"


@dataclass(frozen=True, eq=False)
class Incidence:
    """The distinct units that each paper cites: those of paper i are ``units[starts[i] : starts[i + 1]]``, ascending.

    Attributes:
        starts: int64 [papers + 1].
        units: int32.
        weights: int32: references of the paper that fall into the unit; None where each has one.
        unit_starts: Where the papers that cite each unit start: int64 [units + 1].
        papers: Papers by the unit that they cite, ascending: int32.
        n_citing: Papers with one or more references, M.
    """

    starts: Ints
    units: Rows
    weights: Rows | None
    unit_starts: Ints
    papers: Rows
    n_citing: int

    def __post_init__(self) -> None:
        for array in (self.starts, self.unit_starts):
            sealed(array)
        for rows in (self.units, self.papers):
            sealed(rows)

    @property
    def n_units(self) -> int:
        """Number of units, cited or not."""
        return len(self.unit_starts) - 1

    @cached_property
    def n_papers_of(self) -> Ints:
        """How many papers cite each unit, n_a: int64 [units]."""
        return sealed(np.diff(self.unit_starts))

    @cached_property
    def pair_starts(self) -> Ints:
        """Where the pairs of each paper start when all are counted in order: int64 [papers + 1]."""
        length = np.diff(self.starts)
        return sealed(np.concatenate([[0], np.cumsum(length * (length - 1) // 2)]).astype(np.int64))


class Pairs(NamedTuple):
    """Pairs of units of some papers, in order: the paper, and the places of the two in ``Incidence.units``."""

    paper: Ints
    first: Ints
    second: Ints


class PairTable(NamedTuple):
    """Distinct pairs of units that papers cite together, in order: first < second, and how many papers do."""

    first: Ints
    second: Ints
    papers: Ints


def incidence(graph: CitationGraph, units: Rows | None = None) -> Incidence:
    """Tells which units each paper cites.

    Args:
        graph: The graph.
        units: Unit of each paper, int32 [papers], -1 for none (such references are left out); None makes each paper
            a unit of its own.

    Raises:
        InvalidOptionError: The column has another length.
    """
    n_citing = int((graph.n_references_of > 0).sum())
    if units is None:
        return Incidence(graph.starts, graph.targets, None, graph.citer_starts, graph.sources, n_citing)
    if len(units) != graph.n_papers:
        raise InvalidOptionError(
            f"units of {len(units)} papers", f"the graph has {graph.n_papers}", "give one unit a paper, -1 for none"
        )
    n_units = int(units.max()) + 1 if len(units) else 0
    source = np.repeat(np.arange(graph.n_papers), graph.n_references_of)
    unit = units[graph.targets].astype(np.int64)
    keys, weights = np.unique(source[unit >= 0] * max(n_units, 1) + unit[unit >= 0], return_counts=True)
    paper, distinct = np.divmod(keys, max(n_units, 1))
    return Incidence(
        starts_of(paper, graph.n_papers),
        distinct.astype(np.int32),
        weights.astype(np.int32),
        starts_of(distinct, n_units),
        paper[np.argsort(distinct, kind="stable")].astype(np.int32),
        n_citing,
    )


def pairs_of(cited: Incidence, low: int, high: int) -> Pairs:
    """Lists the pairs of the papers ``[low, high)``, paper by paper."""
    length = np.diff(cited.starts[low : high + 1])
    entry = np.arange(cited.starts[low], cited.starts[high])
    owner = np.repeat(np.arange(low, high), length)
    followers = cited.starts[owner + 1] - entry - 1
    first = np.repeat(entry, followers)
    within = np.arange(len(first)) - np.repeat(np.cumsum(followers) - followers, followers)
    return Pairs(np.repeat(owner, followers), first, first + 1 + within)


def pair_counts(cited: Incidence, engine: str = "auto") -> Rows:
    """For each pair of each paper, in order, how many papers cite both units: int32 [pairs].

    Args:
        cited: The units.
        engine: One of ``scholar_env.engines.ENGINES``; both give the same numbers.
    """
    kernels = compiled_module(engine, KERNELS)
    if kernels is not None:
        arrays = (cited.starts, cited.units, cited.unit_starts, cited.papers, cited.pair_starts)
        return cast(Rows, kernels.pair_counts(*arrays))
    out = np.empty(int(cited.pair_starts[-1]), dtype=np.int32)
    entry = np.argsort(cited.units, kind="stable")  # by unit, then by paper
    paper = cited.papers
    followers = cited.starts[paper + 1] - entry - 1
    # all pairs whose first unit is the same have to be counted at once
    sizes = np.add.reduceat(np.append(followers, 0), cited.unit_starts[:-1]) * (cited.n_papers_of > 0)
    for low, high in chunks(sizes.astype(np.int64)):
        of = slice(int(cited.unit_starts[low]), int(cited.unit_starts[high]))
        number = np.repeat(np.arange(of.start, of.stop), followers[of])
        within = np.arange(len(number)) - np.repeat(np.cumsum(followers[of]) - followers[of], followers[of])
        first, owner = entry[number], paper[number]
        key = cited.units[first].astype(np.int64) * cited.n_units + cited.units[first + 1 + within]
        _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
        at, length = first - cited.starts[owner], np.diff(cited.starts)[owner]
        out[cited.pair_starts[owner] + at * (2 * length - at - 1) // 2 + within] = count[inverse]
    return out


def pair_table(cited: Incidence, counts: Rows) -> PairTable:
    """Lists the distinct pairs.

    Args:
        cited: The units.
        counts: From :func:`pair_counts`.
    """
    pairs = pairs_of(cited, 0, len(cited.starts) - 1)
    keys, at = np.unique(
        cited.units[pairs.first].astype(np.int64) * max(cited.n_units, 1) + cited.units[pairs.second],
        return_index=True,
    )
    first, second = np.divmod(keys, max(cited.n_units, 1))
    return PairTable(first, second, counts[at].astype(np.int64))
