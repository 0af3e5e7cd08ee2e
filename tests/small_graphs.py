"""Small random citation graphs for property tests: cycles, self-references, repetitions, dangling references, gaps."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from scholar_env.graph.citation_graph import CitationGraph, Contexts, Edges, make_graph
from scholar_env.index.dates import UNDATED


@dataclass(frozen=True)
class SmallGraph:
    """A graph as plain lists.

    Attributes:
        size: Number of papers.
        edges: (source, target, paragraph, sentiment) as they come; target -1 is dangling.
        months: yyyymm or UNDATED.
        ranks: Order of the ids.
        units: Journal of each paper, -1 for none.
    """

    size: int
    edges: tuple[tuple[int, int, int, int], ...]
    months: tuple[int, ...]
    ranks: tuple[int, ...]
    units: tuple[int, ...]

    def graph(self, contexts: bool = True) -> CitationGraph:
        """The graph of the package."""
        columns = np.array(self.edges, dtype=np.int64).reshape(-1, 4).T
        mentions = Contexts(*columns) if contexts else None
        return make_graph(self.size, Edges(*columns[:2]), mentions, np.array(self.months), np.array(self.ranks))

    def simple(self) -> list[set[int]]:
        """References of each paper as sets, by definition."""
        cited: list[set[int]] = [set() for _ in range(self.size)]
        for source, target, _, _ in self.edges:
            if target >= 0 and target != source:
                cited[source].add(target)
        return cited

    def networkx(self) -> nx.DiGraph:
        """The graph of networkx."""
        out: nx.DiGraph = nx.DiGraph()
        out.add_nodes_from(range(self.size))
        out.add_edges_from((source, target) for source, cited in enumerate(self.simple()) for target in cited)
        return out


@st.composite
def small_graphs(draw: st.DrawFn, most: int = 14, acyclic: bool = False) -> SmallGraph:
    """Draws a graph; an acyclic one cites earlier rows only."""
    size = draw(st.integers(1, most))
    row = st.integers(0, size - 1)
    target = st.integers(-1, size - 1)
    edge = st.tuples(row, target, st.integers(0, 3), st.integers(0, 2))
    edges = draw(st.lists(edge, max_size=4 * size))
    if acyclic:
        edges = [(max(a, b), min(a, b), c, d) for a, b, c, d in edges]
    months = draw(st.lists(st.sampled_from([200001, 200002, 200101, 200200, UNDATED]), min_size=size, max_size=size))
    units = draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    return SmallGraph(size, tuple(edges), tuple(months), tuple(draw(st.permutations(range(size)))), tuple(units))
