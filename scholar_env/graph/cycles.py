"""Cycles of a citation graph: the groups of papers that cite one another in a circle.

Real graphs hold some (joint issues, revised preprints). Papers that lie on none are peeled off in whole-array rounds;
what is left is small, and Tarjan's algorithm (1972) finds its strongly connected components.
"""

from __future__ import annotations

import numpy as np

from scholar_env.graph.gather import Flags, Ints, Rows, places, starts_of


def components(starts: Ints, targets: Rows) -> Rows:
    """Numbers the groups of papers that lie on common cycles.

    Args:
        starts: Where the references of each paper start, int64 [papers + 1].
        targets: The references, int32.

    Returns:
        int32 [papers]: number of the group, counted from 0 by their smallest rows; -1 for papers on no cycle.
    """
    size = len(starts) - 1
    source = np.repeat(np.arange(size), np.diff(starts))
    back = np.argsort(targets, kind="stable")
    left = np.ones(size, dtype=np.bool_)
    _peel(left, starts, targets, np.bincount(targets, minlength=size).astype(np.int64))
    if left.any():
        _peel(left, starts_of(targets, size), source[back].astype(np.int32), _inside(left, source, targets, size))
    out = np.full(size, -1, dtype=np.int32)
    core = np.flatnonzero(left)
    groups = _tarjan(
        [[int(row) for row in targets[starts[paper] : starts[paper + 1]] if left[row]] for paper in core], core
    )
    for number, group in enumerate(sorted(group for group in groups if len(group) > 1)):
        out[group] = number
    return out


def _peel(left: Flags, starts: Ints, targets: Rows, incoming: Ints) -> None:
    """Takes away, round by round, papers that nothing left points at."""
    front = np.flatnonzero(left & (incoming == 0))
    while len(front):
        left[front] = False
        reached = targets[places(starts, front)[1]]
        np.subtract.at(incoming, reached, 1)
        reached = np.unique(reached)
        front = reached[(incoming[reached] == 0) & left[reached]]


def _inside(left: Flags, source: Ints, targets: Rows, size: int) -> Ints:
    """How many references of each paper lie within what is left."""
    both = left[source] & left[targets]
    return np.bincount(source[both], minlength=size).astype(np.int64)


def _tarjan(references: list[list[int]], rows: Ints) -> list[list[int]]:
    """Strongly connected components, as ascending lists of rows.

    Args:
        references: For each of the rows, the rows that it cites.
        rows: The rows.
    """
    at = {row: place for place, row in enumerate(rows.tolist())}
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    found: list[list[int]] = []
    for root in at:
        if root in index:
            continue
        work = [(root, iter(references[at[root]]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            paper, rest = work[-1]
            for cited in rest:
                if cited not in index:
                    index[cited] = low[cited] = len(index)
                    stack.append(cited)
                    waiting.add(cited)
                    work.append((cited, iter(references[at[cited]])))
                    break
                if cited in waiting:
                    low[paper] = min(low[paper], index[cited])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[paper])
                if low[paper] == index[paper]:
                    group = [stack.pop()]
                    while group[-1] != paper:
                        group.append(stack.pop())
                    waiting.difference_update(group)
                    found.append(sorted(group))
    return found
