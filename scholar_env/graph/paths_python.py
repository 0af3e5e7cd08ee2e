"""The searches for paths as plain loops; each looks from the emerging paper at what it cites.

Every function gives the rows from the emerging paper to the classical one, empty where there is no path. The arrays are
those of ``CitationGraph``: starts, targets, citation counts, order of ids, cycles.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scholar_env.graph.gather import Ints, Rows

Best = tuple[int, int, int, int]
"""A path from a paper on, the better the smaller: minus its influence, its papers, order of the next id, next row."""


def shortest(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """Of the paths with fewest papers the most influential."""
    level = {emerging: 0}
    layers = [[emerging]]
    while layers[-1] and classical not in level:
        following: list[int] = []
        for row in layers[-1]:
            for cited in targets[starts[row] : starts[row + 1]].tolist():
                if cited not in level:
                    level[cited] = len(layers)
                    following.append(cited)
        layers.append(following)
    best: dict[int, Best] = {classical: (-int(weight[classical]), 1, 0, -1)}
    for depth in range(len(layers) - 2, -1, -1):
        for row in layers[depth]:
            cited = targets[starts[row] : starts[row + 1]].tolist()
            nearer = [other for other in cited if level.get(other) == depth + 1]
            _choose(best, best, row, nearer, weight, rank)
    return _followed(best, emerging)


def longest(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """Of all paths without references within a cycle the most influential."""
    best: dict[int, Best] = {classical: (-int(weight[classical]), 1, 0, -1)}
    for row in descent(starts, targets, component, classical, emerging):
        if row != classical:
            _choose(best, best, row, acyclic_references(starts, targets, component, row), weight, rank)
    return _followed(best, emerging)


def bounded(
    starts: Ints, targets: Rows, weight: Ints, rank: Rows, component: Rows, classical: int, emerging: int, size: int
) -> Ints:
    """The same among paths of at most ``size`` references."""
    end: Best = (-int(weight[classical]), 1, 0, -1)
    layers = [[emerging]]
    seen = {emerging}
    for _ in range(size - 1):
        following: list[int] = []
        for row in layers[-1]:
            for cited in acyclic_references(starts, targets, component, row):
                if cited not in seen and cited != classical:
                    seen.add(cited)
                    following.append(cited)
        layers.append(following)
    tables: list[dict[int, Best]] = [{classical: end}]
    for left in range(1, size + 1):
        found = {classical: end}
        for layer in layers[: size - left + 1]:
            for row in layer:
                of_row = acyclic_references(starts, targets, component, row)
                _choose(found, tables[-1], row, of_row, weight, rank)
        tables.append(found)
    rows: list[int] = []
    row = emerging
    for table in reversed(tables):
        if row not in table:
            return np.empty(0, dtype=np.int64)
        rows.append(row)
        if row == classical:
            break
        row = table[row][3]
    return np.array(rows, dtype=np.int64)


def acyclic_references(starts: Ints, targets: Rows, component: Rows, row: int) -> list[int]:
    """What a paper cites, without references within a cycle."""
    cited: list[int] = targets[starts[row] : starts[row + 1]].tolist()
    own = int(component[row])
    return cited if own < 0 else [other for other in cited if component[other] != own]


def descent(starts: Ints, targets: Rows, component: Rows, classical: int, emerging: int) -> Iterator[int]:
    """The papers that an emerging one leads back to, each after those that it cites; nothing behind the classical."""
    seen = {emerging}
    work = [(emerging, iter(acyclic_references(starts, targets, component, emerging)))]
    while work:
        row, rest = work[-1]
        for cited in rest:
            if cited not in seen:
                seen.add(cited)
                below = [] if cited == classical else acyclic_references(starts, targets, component, cited)
                work.append((cited, iter(below)))
                break
        else:
            work.pop()
            yield row


def _choose(
    best: dict[int, Best], onward: dict[int, Best], row: int, cited: list[int], weight: Ints, rank: Rows
) -> None:
    """Enters the best path of a paper, if there is one, by the onward paths of what it cites."""
    options = [
        (onward[other][0] - int(weight[row]), onward[other][1] + 1, int(rank[other]), other)
        for other in cited
        if other in onward
    ]
    if options:
        best[row] = min(options)


def _followed(best: dict[int, Best], emerging: int) -> Ints:
    rows = []
    row = emerging if emerging in best else -1
    while row >= 0:
        rows.append(row)
        row = best[row][3]
    return np.array(rows, dtype=np.int64)
