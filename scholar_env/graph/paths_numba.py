"""The searches for paths as compiled loops; import it only when numba is wanted. They give what paths_python gives."""

from __future__ import annotations

import numpy as np

from scholar_env.compiled import compiled
from scholar_env.graph.gather import Ints, Rows

NOTHING = -1
"""Influence of a paper from which no path leads to the classical one."""


@compiled
def _keep(own: Ints, shorter: Ints, weight: int, rank: int, following: int) -> None:
    """Takes a path through another paper when it is better than the one in the record.

    Args:
        own: Record of a paper: influence, papers, order of the next id, next.
        shorter: Record of the paper that it cites.
        weight: Citation count of the paper.
        rank: Order of the cited paper's id.
        following: How the record names the cited paper.
    """
    influence, length = shorter[0] + weight, shorter[1] + 1
    better = influence > own[0]
    if influence == own[0]:
        better = rank < own[2] if length == own[1] else length < own[1]
    if better:
        own[0], own[1], own[2], own[3] = influence, length, rank, following


@compiled
def shortest(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """Of the paths with fewest papers the most influential."""
    n = len(starts) - 1
    slot = np.full(n, -1, dtype=np.int32)  # place in the queue
    queue = np.empty(n, dtype=np.int32)
    level = np.empty(n, dtype=np.int32)
    queue[0], level[0], slot[emerging] = emerging, 0, 0
    used, at, depth = 1, 0, -1
    while at < used and (depth < 0 or level[at] < depth):
        row = queue[at]
        for place in range(starts[row], starts[row + 1]):
            cited = targets[place]
            if slot[cited] < 0:
                slot[cited] = used
                queue[used] = cited
                level[used] = level[at] + 1
                if cited == classical:
                    depth = level[used]
                used += 1
        at += 1
    if depth < 0:
        return np.empty(0, dtype=np.int64)
    best = np.empty((used, 4), dtype=np.int64)
    for at in range(used - 1, -1, -1):
        row = queue[at]
        best[at, 0] = NOTHING
        if row == classical:
            best[at, 0], best[at, 1], best[at, 3] = weight[row], 1, -1
        elif level[at] < depth:
            for place in range(starts[row], starts[row + 1]):
                cited = targets[place]
                other = slot[cited]
                if other >= 0 and level[other] == level[at] + 1 and best[other, 0] != NOTHING:
                    _keep(best[at], best[other], weight[row], rank[cited], other)
    out = np.empty(depth + 1, dtype=np.int64)
    at = 0
    for step in range(depth + 1):
        out[step] = queue[at]
        at = best[at, 3]
    return out


@compiled
def longest(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """Of all paths without references within a cycle the most influential."""
    n = len(starts) - 1
    slot = np.full(n, -1, dtype=np.int32)
    best = np.empty((1024, 4), dtype=np.int64)
    stack = np.empty(n, dtype=np.int32)
    place = np.empty(n, dtype=np.int64)
    stack[0], place[0], slot[emerging] = emerging, starts[emerging], 0
    best[0, 0] = NOTHING
    used, depth = 1, 0
    while depth >= 0:
        row = stack[depth]
        own = slot[row]
        if row == classical:
            best[own, 0], best[own, 1], best[own, 3] = weight[row], 1, -1
            depth -= 1
            continue
        entered = False
        while place[depth] < starts[row + 1]:
            cited = targets[place[depth]]
            if component[row] >= 0 and component[row] == component[cited]:
                place[depth] += 1
                continue
            other = slot[cited]
            if other < 0:  # comes back to this reference when the cited paper is done
                slot[cited] = used
                if used == len(best):
                    best = np.concatenate((best, np.empty_like(best)))
                best[used, 0] = NOTHING
                used += 1
                depth += 1
                stack[depth], place[depth] = cited, starts[cited]
                entered = True
                break
            if best[other, 0] != NOTHING:
                _keep(best[own], best[other], weight[row], rank[cited], cited)
            place[depth] += 1
        if not entered:
            depth -= 1
    return _follow(best, slot, emerging)


@compiled
def _follow(best: Ints, slot: Rows, emerging: int) -> Ints:
    length = best[slot[emerging], 1] if best[slot[emerging], 0] != NOTHING else 0
    out = np.empty(length, dtype=np.int64)
    row = emerging
    for step in range(length):
        out[step] = row
        row = best[slot[row], 3]
    return out


@compiled
def bounded(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """The same among paths of at most ``size`` references."""
    n = len(starts) - 1
    slot = np.full(n, -1, dtype=np.int32)
    queue = np.empty(n, dtype=np.int32)
    ends = np.empty(size + 1, dtype=np.int64)  # where the papers of each distance end in the queue
    queue[0], slot[emerging], ends[0] = emerging, 0, 1
    used, at = 1, 0
    for depth in range(1, size):
        while at < ends[depth - 1]:
            row = queue[at]
            for place in range(starts[row], starts[row + 1]):
                cited = targets[place]
                in_cycle = component[row] >= 0 and component[row] == component[cited]
                if slot[cited] < 0 and cited != classical and not in_cycle:
                    slot[cited] = used
                    queue[used] = cited
                    used += 1
            at += 1
        ends[depth] = used
    best = np.empty((size + 1, used, 4), dtype=np.int64)
    best[:, :, 0] = NOTHING
    end = np.array([weight[classical], 1, 0, -1])
    for left in range(1, size + 1):
        for at in range(ends[size - left]):
            row = queue[at]
            for place in range(starts[row], starts[row + 1]):
                cited = targets[place]
                if component[row] >= 0 and component[row] == component[cited]:
                    continue
                if cited == classical:
                    _keep(best[left, at], end, weight[row], rank[cited], cited)
                elif slot[cited] >= 0 and best[left - 1, slot[cited], 0] != NOTHING:
                    _keep(best[left, at], best[left - 1, slot[cited]], weight[row], rank[cited], cited)
    length = best[size, 0, 1] if best[size, 0, 0] != NOTHING else 0
    out = np.empty(length, dtype=np.int64)
    row = emerging
    for step in range(length):
        out[step] = row
        if row != classical:
            row = best[size - step, slot[row], 3]
    return out
