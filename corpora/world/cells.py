"""What papers are about: cells of problem, method and object, and the lines of work within them.

The number of papers that share a cell decides how hard it is to find one of them, so the sizes are made to have the
paper-weighted mean that the world's spec asks for, at any number of papers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from .choice import Ints, apportion, pick, shuffled
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

LINE_SIZE = 12
"""A cell has one line of work, and one more for about each so many papers."""


@dataclass(frozen=True)
class Topics:
    """Columns of the facts table that say what a paper is about, one row a paper; see `Facts`."""

    subfield: NDArray[np.int16]
    line: NDArray[np.int32]
    problem: NDArray[np.int16]
    method: NDArray[np.int16]
    object: NDArray[np.int16]

    def of(self, rows: Ints) -> Topics:
        """The topics of other rows; lines are numbered anew without gaps."""
        line = np.unique(self.line[rows], return_inverse=True)[1].reshape(-1).astype(np.int32)
        return Topics(self.subfield[rows], line, self.problem[rows], self.method[rows], self.object[rows])


def triples(subfield: Subfield) -> Ints:
    """Problem, method and object of all cells that the tables allow, and the weight of each.

    Returns:
        int64 [cells, 4]: three places in `subfield.concepts`, and the product of the three weights.
    """
    places = {kind: [at for at, concept in enumerate(subfield.concepts) if concept.kind == kind] for kind in "PMO"}
    tables = {fit.rows + fit.columns: fit.cells for fit in subfield.fits}

    def weights(rows: str, columns: str) -> Ints:
        cells = tables.get(rows + columns, {})
        ids = [concept.id for concept in subfield.concepts]
        return np.array(
            [[cells.get((ids[row], ids[col]), 1) for col in places[columns]] for row in places[rows]], dtype=np.int64
        )

    product = weights("P", "M")[:, :, None] * weights("P", "O")[:, None, :] * weights("M", "O")[None, :, :]
    row, col, target = np.nonzero(product)
    columns = [np.array(places[kind], dtype=np.int64) for kind in "PMO"]
    return np.stack([columns[0][row], columns[1][col], columns[2][target], product[row, col, target]], axis=1)


def cell_sizes(papers: int, available: int, mean: int) -> Ints:
    """Sizes of a subfield's cells, from large to small.

    Args:
        papers: Papers of the subfield.
        available: Cells that the tables allow.
        mean: Wanted paper-weighted mean size; in a small subfield a fifth of its papers at most.

    Returns:
        int64, as many as there are cells in use, sum `papers`. The sizes fall like 1/(rank + shift), the shift being
        the largest that reaches the mean. Where the allowed cells are too few, the mean is larger than wanted.
    """
    mean = min(mean, max(2, papers // 5))
    cells = max(1, min(available, papers * 5 // (mean * 2)))
    low, high = 0, 1 << 20
    while low < high:
        shift = (low + high + 1) // 2
        if weighted_mean_at_least(shifted_sizes(papers, cells, shift), mean):
            low = shift
        else:
            high = shift - 1
    sizes = shifted_sizes(papers, cells, low)
    return sizes[sizes > 0]


def shifted_sizes(papers: int, cells: int, shift: int) -> Ints:
    """Sizes in proportion to 1/(rank + shift/16)."""
    return apportion(papers, (1 << 40) // (16 * (np.arange(cells, dtype=np.int64) + 1) + shift))


def weighted_mean_at_least(sizes: Ints, mean: int) -> bool:
    """Tell whether the mean size of a paper's cell reaches a number."""
    return int((sizes * sizes).sum()) >= mean * int(sizes.sum())


def active_cells(seed: int, subfield: Subfield, papers: int, mean: int) -> tuple[Ints, Ints]:
    """Cells in use, usual combinations more likely and larger, with their sizes.

    Returns:
        int64 [cells, 3] of concepts, and int64 [cells] of sizes.
    """
    allowed = triples(subfield)
    sizes = cell_sizes(papers, len(allowed), mean)
    draws = column(seed, f"cells/{subfield.id}", len(sizes))
    weights = allowed[:, 3].copy()
    chosen = np.empty(len(sizes), dtype=np.int64)
    for at in range(len(sizes)):
        chosen[at] = pick(draws[at : at + 1], weights)[0]
        weights[chosen[at]] = 0
    return allowed[chosen, :3], sizes


def lines_of(seed: int, subfield: Subfield, sizes: Ints) -> Ints:
    """The line of each of a subfield's papers, papers in the order of cells; numbered from 0 without gaps."""
    extra = below(column(seed, f"lines/{subfield.id}", len(sizes)), LINE_SIZE)
    counts = 1 + (sizes + extra) // LINE_SIZE - (sizes < LINE_SIZE // 2)
    counts = np.maximum(counts, 1)
    cell = np.repeat(np.arange(len(sizes)), sizes)
    draws = column(seed, f"line-of/{subfield.id}", len(cell))
    # The smaller of two draws: early lines of a cell are larger.
    second = column(seed, f"line-of-2/{subfield.id}", len(cell))
    place = below(np.minimum(draws, second), counts[cell])
    first = np.cumsum(counts) - counts
    return cast(Ints, np.unique(first[cell] + place, return_inverse=True)[1].reshape(-1).astype(np.int64))


def draw_topics(spec: WorldSpec, subfields: tuple[Subfield, ...]) -> Topics:
    """Draw what each paper is about; the row of a paper tells nothing of it.

    Args:
        spec: The world.
        subfields: Its subfields, in order.
    """
    weights = 100 + below(column(spec.seed, "shares", len(subfields)), 11)
    shares = apportion(spec.papers, weights)
    columns: list[Ints] = []
    lines = 0
    for at, (subfield, papers) in enumerate(zip(subfields, shares.tolist(), strict=True)):
        if papers == 0:
            continue
        concepts, sizes = active_cells(spec.seed, subfield, papers, spec.cell_size)
        line = lines_of(spec.seed, subfield, sizes)
        papers_concepts = np.repeat(concepts, sizes, axis=0)
        columns.append(np.column_stack([np.full(papers, at), line + lines, papers_concepts]))
        lines += int(line.max()) + 1
    table = np.concatenate(columns)
    rows = np.empty_like(table)
    rows[shuffled(spec.seed, "rows", spec.papers)] = table
    return Topics(
        rows[:, 0].astype(np.int16),
        rows[:, 1].astype(np.int32),
        rows[:, 2].astype(np.int16),
        rows[:, 3].astype(np.int16),
        rows[:, 4].astype(np.int16),
    )
