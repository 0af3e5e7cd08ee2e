"""Edit distances with unit costs: of sequences (exact), and of small directed graphs with labelled nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

EXACT_NODES = 8
"""Graphs of at most so many nodes are compared exactly."""


def levenshtein(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Least number of insertions, deletions and substitutions that turn one sequence into the other."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(second, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """A directed graph without parallel edges.

    Attributes:
        labels: Label of each node.
        edges: Pairs of nodes (from, to); an edge from a node to itself counts, too.
    """

    labels: tuple[str, ...]
    edges: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class GraphDistance:
    """A graph edit distance.

    Attributes:
        value: The number of edits.
        exact: Whether there is no shorter way; otherwise it is an upper bound.
    """

    value: int
    exact: bool


def graph_edit_distance(first: LabelledGraph, second: LabelledGraph) -> GraphDistance:
    """Least number of unit edits that turn one graph into the other.

    Edits are: insert, delete or relabel a node; insert or delete an edge (Sanfeliu and Fu 1983). Exact for at most
    :data:`EXACT_NODES` nodes a side, by depth-first branch and bound over the ways to match nodes, with the multiset
    distance of the labels that are left as a lower bound; that takes milliseconds where the general search of a graph
    library takes seconds. Larger graphs get the best of a beam of matchings, an upper bound.
    """
    small = max(len(first.labels), len(second.labels)) <= EXACT_NODES
    search = _Matching(first, second)
    return GraphDistance(search.best() if small else search.beam(), small)


class _Matching:
    """Ways to match the nodes of two graphs, node by node of the first one."""

    def __init__(self, first: LabelledGraph, second: LabelledGraph) -> None:
        self._first, self._second = first, second
        self._n, self._m = len(first.labels), len(second.labels)

    def best(self) -> int:
        """The least cost over all matchings."""
        self._least = self.beam()
        self._descend([], 0)
        return self._least

    def _descend(self, chosen: list[int], cost: int) -> None:
        at = len(chosen)
        if at == self._n:
            self._least = min(self._least, cost + self._rest(chosen))
            return
        if cost + self._bound(chosen) >= self._least:
            return
        for target in self._targets(chosen):
            self._descend([*chosen, target], cost + self._step(chosen, target))

    def beam(self, width: int = 64) -> int:
        """The least cost among the matchings that stay among the cheapest partial ones."""
        states: list[tuple[int, list[int]]] = [(0, [])]
        for _ in range(self._n):
            grown = [
                (cost + self._step(chosen, target), [*chosen, target])
                for cost, chosen in states
                for target in self._targets(chosen)
            ]
            grown.sort(key=lambda state: (state[0] + self._bound(state[1]), state[1]))
            states = grown[:width]
        return min(cost + self._rest(chosen) for cost, chosen in states)

    def _targets(self, chosen: list[int]) -> list[int]:
        """Free nodes of the second graph, those of the same label first, then -1 for a deletion."""
        used = set(chosen)
        label = self._first.labels[len(chosen)]
        free = [node for node in range(self._m) if node not in used]
        return [*sorted(free, key=lambda node: (self._second.labels[node] != label, node)), -1]

    def _step(self, chosen: list[int], target: int) -> int:
        """Cost of matching the next node: the node itself, and its edges to nodes that are matched already."""
        at = len(chosen)
        here, there = self._first.edges, self._second.edges
        cost = 1 if target < 0 else int(self._first.labels[at] != self._second.labels[target])
        for node, other in enumerate([*chosen, target]):
            pairs = {((at, node), (target, other)), ((node, at), (other, target))}
            for pair, image in pairs:
                has_image = target >= 0 and other >= 0 and image in there
                cost += (pair in here) != has_image
        return cost

    def _rest(self, chosen: list[int]) -> int:
        """Cost of inserting what no node was matched with, and the edges that touch it."""
        used = {node for node in chosen if node >= 0}
        return (self._m - len(used)) + sum(not used.issuperset(edge) for edge in self._second.edges)

    def _bound(self, chosen: list[int]) -> int:
        """What the labels that are left cost at least."""
        used = set(chosen)
        left = Counter(self._first.labels[len(chosen) :])
        right = Counter(label for node, label in enumerate(self._second.labels) if node not in used)
        return max(left.total(), right.total()) - (left & right).total()
