"""Who cites whom: a graph that grows by fitness, recency and copying of references, with planted papers in it.

Half of a paper's references are drawn by a static fitness: from its line, from papers that share a concept, from its
subfield or, few, from another one. The other half are references of these, so that what is cited is cited more (the
model of copied citations of Simkin and Roychowdhury). Planted papers: planted.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Ints, chance, pick
from .edges import Edges
from .facts import Graph
from .planted import plant, planted_chains
from .spec import WorldSpec
from .streams import below, column

KINDS = {"line": 300, "cell": 140, "problem": 210, "method": 80, "object": 60, "field": 168, "any": 42}
"""Where the drawn references go, in thousandths."""
SURVEYED = {"line": 0, "cell": 60, "problem": 300, "method": 120, "object": 120, "field": 400, "any": 0}
"""The same for surveys, which keep to their field."""
RECENT, WINDOW = 500, 40
"""Share, in thousandths, that is drawn among the papers of so many months before."""
FAMOUS = 7
"""Fitness squared, shifted by so many bits, is what counts in other fields."""
KEPT_ASTRAY = 40
"""Share of the copied references to other fields, in percent, that a paper keeps."""
DRAWN = 22
"""Columns of drawn references; as many again are copied, and the paper takes of both what it needs."""
POPULAR = 4
"""The smaller, the more the fittest papers are cited."""


@dataclass(frozen=True)
class Pools:
    """Papers in the order of a group and, within it, of age, with the running sum of their fitness."""

    rows: Ints
    keys: Ints
    fitness: Ints

    def draw(self, group: Ints, low: Ints, high: Ints, draws: NDArray[np.uint64]) -> Ints:
        """Draw, by fitness, a paper of a group whose age is from low to below high; -1 where there is none."""
        first = np.searchsorted(self.keys, group << 32 | low)
        end = np.searchsorted(self.keys, group << 32 | high)
        total = self.fitness[end] - self.fitness[first]
        wanted = self.fitness[first] + below(draws, np.maximum(total, 1))
        place = np.searchsorted(self.fitness, wanted, side="right") - 1
        return np.where(total > 0, self.rows[np.minimum(place, len(self.rows) - 1)], -1)


def pools(groups: Ints, age: Ints, fitness: Ints) -> Pools:
    """Sort papers by group and age, once for each column of groups.

    Args:
        groups: int64 [papers, n], no number in two columns.
        age: int64 [papers].
        fitness: int64 [papers, n].
    """
    keys = (groups << 32 | age[:, None]).reshape(-1)
    order = np.argsort(keys, kind="stable")
    return Pools(order // groups.shape[1], keys[order], np.concatenate([[0], np.cumsum(fitness.reshape(-1)[order])]))


@dataclass(frozen=True)
class Apart:
    """Papers whose references are drawn otherwise.

    Attributes:
        survey: They cite up to 40 papers of their subfield, seldom less than 15.
        silent: They cite nothing.
        copy_of: Row of the paper whose references they repeat, -1 for none.
    """

    survey: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    copy_of: NDArray[np.int32]


def draw_graph(
    spec: WorldSpec, topics: Topics, month: NDArray[np.int32], age: Ints, forced: NDArray[np.int32], apart: Apart
) -> Graph:
    """Draw the references of all papers.

    Args:
        spec: The world.
        topics: What papers are about.
        month: When they appeared.
        age: Their places in the order of time, as `dates.ages` gives them.
        forced: int32 [papers, n]: rows that a paper cites whatever else; -1 for none.
        apart: Papers that are treated otherwise.
    """
    size = spec.papers
    chains = planted_chains(spec, topics, month, age, apart.copy_of >= 0)
    fitness = (1 << 12) // (POPULAR + below(column(spec.seed, "fitness", size), 1024))
    fitness[chains.milestone] = (1 << 12) // POPULAR
    wanted = np.concatenate([chains.former[:, None], forced.astype(np.int64)], axis=1)
    direct = drawn(spec, topics, month, age, fitness, apart.survey)
    references, counts = grow(spec, topics.subfield, age, month, wanted, direct, lengths(spec, apart), apart.survey)
    source = np.repeat(np.arange(size), counts)
    edges = Edges(size, source, references[references >= 0].astype(np.int64))
    protected = Edges(size, np.repeat(np.arange(size), wanted.shape[1]), wanted.reshape(-1)).only(
        wanted.reshape(-1) >= 0
    )
    edges, role = plant(spec, edges, protected, age, chains, apart.copy_of)
    return worded(spec, topics, edges, role, apart.copy_of)


def lengths(spec: WorldSpec, apart: Apart) -> Ints:
    """Draw how many references each paper wants."""
    parts = [below(column(spec.seed, f"length-{at}", spec.papers), 11) for at in range(3)]
    survey = 18 + below(column(spec.seed, "length-survey", spec.papers), 23)
    return np.where(apart.silent, 0, np.where(apart.survey, survey, 6 + sum(parts, np.zeros_like(survey))))


def drawn(
    spec: WorldSpec, topics: Topics, month: NDArray[np.int32], age: Ints, fitness: Ints, survey: NDArray[np.bool_]
) -> Ints:
    """Draw references by fitness: int64 [papers, DRAWN], -1 where there is nothing earlier."""
    size, field = spec.papers, topics.subfield.astype(np.int64)
    groups = grouped(topics)
    weights = np.repeat(fitness[:, None], len(KINDS), axis=1)
    # Other fields know the famous works only.
    weights[:, list(KINDS).index("any")] = fitness * fitness >> FAMOUS
    pool = pools(groups, age, weights)
    since = np.searchsorted(np.sort(month), month - WINDOW)
    out = np.empty((size, DRAWN), dtype=np.int64)
    for at in range(DRAWN):
        kinds = column(spec.seed, f"cite-kind/{at}", size)
        kind = np.where(survey, pick(kinds, list(SURVEYED.values())), pick(kinds, list(KINDS.values())))
        low = np.where(chance(spec.seed, f"cite-recent/{at}", size, RECENT), since, 0)
        draws = column(spec.seed, f"cite/{at}", size)
        choice = pool.draw(groups[np.arange(size), kind], low, age, draws)
        lost = np.flatnonzero(choice < 0)
        choice[lost] = pool.draw(field[lost], np.zeros_like(lost), age[lost], draws[lost])
        out[:, at] = choice
    return out


def grouped(topics: Topics) -> Ints:
    """Numbers of the groups that each paper belongs to, no number twice: int64 [papers, kinds].

    The subfields have the lowest numbers.
    """
    field = topics.subfield.astype(np.int64)
    concepts = [part.astype(np.int64) for part in (topics.problem, topics.method, topics.object)]
    cell = ((field << 12 | concepts[0]) << 12 | concepts[1]) << 12 | concepts[2]
    groups = {"line": topics.line.astype(np.int64), "cell": np.unique(cell, return_inverse=True)[1].reshape(-1)}
    groups |= dict(zip(("problem", "method", "object"), (field << 12 | part for part in concepts), strict=True))
    groups["any"] = np.zeros_like(field)
    offset = int(field.max()) + 1
    columns = []
    for kind in KINDS:
        columns.append(field if kind == "field" else groups[kind] + offset)
        offset += int(columns[-1].max()) + 1
    return np.stack(columns, axis=1)


def grow(
    spec: WorldSpec,
    field: NDArray[np.int16],
    age: Ints,
    month: NDArray[np.int32],
    forced: Ints,
    direct: Ints,
    wanted: Ints,
    survey: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], Ints]:
    """Give each paper its references, month by month: the forced ones, then drawn and copied ones in turn.

    Returns:
        int32 [papers, most]: references, -1 beyond; int64 [papers]: how many.
    """
    size = spec.papers
    most = int(wanted.max()) + forced.shape[1]
    references = np.full((size, most), -1, dtype=np.int32)
    counts = np.zeros(size, dtype=np.int64)
    which = np.stack([column(spec.seed, f"copy-which/{at}", size) for at in range(DRAWN)], axis=1)
    order = np.argsort(age)
    bounds = np.flatnonzero(np.diff(month[order], prepend=-1))
    for first, end in zip(bounds.tolist(), [*bounds[1:].tolist(), size], strict=True):
        rows = order[first:end]
        rows = rows[wanted[rows] > 0]
        own = direct[rows]
        copied = copies(own, references, counts, which[rows])
        # Most references that a paper of another field hands on lead astray.
        kept = np.where(survey[rows], 0, KEPT_ASTRAY)[:, None]
        copied[(field[copied] != field[rows][:, None]) & (which[rows].astype(np.int64) % 100 >= kept)] = -1
        table = np.empty((len(rows), forced.shape[1] + 2 * DRAWN), dtype=np.int64)
        table[:, : forced.shape[1]] = forced[rows]
        table[:, forced.shape[1] :: 2] = own
        table[:, forced.shape[1] + 1 :: 2] = copied
        need = np.maximum(wanted[rows], (table[:, : forced.shape[1]] >= 0).sum(axis=1))
        taken = first_different(table, need)
        counts[rows] = taken.sum(axis=1)
        place = np.cumsum(taken, axis=1)[taken] - 1
        references[np.repeat(rows, counts[rows]), place] = table[taken]
    return references, counts


def copies(own: Ints, references: NDArray[np.int32], counts: Ints, draws: NDArray[np.uint64]) -> Ints:
    """A reference of each drawn reference; -1 where that has none."""
    place = below(draws, np.maximum(counts[own], 1))
    return np.where((own >= 0) & (counts[own] > 0), references[own, place], -1)


def first_different(table: Ints, need: Ints) -> NDArray[np.bool_]:
    """Mark the first so many different entries of each row, -1 left out."""
    count, width = table.shape
    order = np.argsort(table, axis=1, kind="stable")
    ranked = np.take_along_axis(table, order, axis=1)
    fresh = ranked >= 0
    fresh[:, 1:] &= ranked[:, 1:] != ranked[:, :-1]
    marks = np.zeros((count, width), dtype=np.bool_)
    np.put_along_axis(marks, order, fresh, axis=1)
    return marks & (np.cumsum(marks, axis=1) <= need[:, None])


def worded(spec: WorldSpec, topics: Topics, edges: Edges, role: NDArray[np.int8], copy_of: NDArray[np.int32]) -> Graph:
    """Order the references as the text mentions them, and draw what it says of them.

    Those of a line stand together, two or three in a citation paragraph; there are four paragraphs or more.
    """
    original = np.where(copy_of >= 0, copy_of, np.arange(edges.size))
    line = topics.line[edges.target].astype(np.int64)
    order = np.lexsort((edges.target, (line * 7919 + original[edges.source] * 104729) % 1000003, edges.source))
    source, target = edges.source[order], edges.target[order]
    starts = np.searchsorted(source, np.arange(edges.size + 1)).astype(np.int64)
    length = np.diff(starts)
    paragraphs = np.maximum(np.minimum(length, 4), (length + 2) // 3)
    within = np.arange(len(source)) - starts[source]
    paragraph = within * paragraphs[source] // np.maximum(length[source], 1)
    tone = below(column(spec.seed, "tone", len(source)), 10)[starts[original[source]] + within]
    return Graph(
        starts,
        target.astype(np.int32),
        np.where(tone < 7, 0, np.where(tone < 9, 1, 2)).astype(np.int8),
        paragraph.astype(np.int16),
        role,
    )
