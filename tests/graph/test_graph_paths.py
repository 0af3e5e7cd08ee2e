from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import NEGATIVE, POSITIVE, Edges, make_graph
from scholar_env.graph.contexts import citers_with, co_cited, co_mentioned, mentions_by, mentions_of
from scholar_env.graph.paths import BEAM_DEPTH, influential_path, n_paths, path_mode
from tests.small_graphs import SmallGraph, small_graphs

ENGINES = ("numpy", "numba")


def without_cycles(small: SmallGraph) -> nx.DiGraph:
    graph = small.networkx()
    for group in nx.strongly_connected_components(small.networkx()):
        graph.remove_edges_from([edge for edge in graph.edges if set(edge) <= group])
    return graph


def best_of(small: SmallGraph, paths: Iterator[list[int]] | list[list[int]]) -> list[int] | None:
    """The best of paths from the emerging paper on, in the order of the definition; from the classical paper on."""
    citations = [sum(row in cited for cited in small.simple()) for row in range(small.size)]

    def key(path: list[int]) -> tuple[int, int, list[int]]:
        return -sum(citations[row] for row in path), len(path), [small.ranks[row] for row in path]

    found = min(paths, key=key, default=None)
    return found[::-1] if found is not None else None


def walks(small: SmallGraph, emerging: int, classical: int, width: int) -> list[list[int]]:
    """Beam search by definition."""
    cited = small.simple()
    citations = [sum(row in found for found in cited) for row in range(small.size)]
    front, arrived = [[emerging]], []
    for _ in range(BEAM_DEPTH):
        grown = [[*path, row] for path in front for row in sorted(cited[path[-1]]) if row not in path]
        arrived += [path for path in grown if path[-1] == classical]
        front = sorted(
            (path for path in grown if path[-1] != classical),
            key=lambda path: (-sum(citations[row] for row in path), [small.ranks[row] for row in path]),
        )[:width]
    return arrived


@pytest.mark.parametrize("engine", ENGINES)
@given(small=small_graphs(most=9), data=st.data())
@settings(max_examples=200, deadline=None)
def test_paths_are_those_of_the_definition(small: SmallGraph, engine: str, data: st.DataObject) -> None:
    pytest.importorskip(engine)
    graph = small.graph()
    row = st.integers(0, small.size - 1)
    classical, emerging = data.draw(row), data.draw(row)
    whole, acyclic = small.networkx(), without_cycles(small)
    if classical == emerging:
        expected: dict[str, list[int] | None] = {
            mode: [classical] for mode in ("shortest", "all", "max_len:2", "beam:2")
        }
    else:
        simple = list(nx.all_simple_paths(acyclic, emerging, classical))
        shortest = (
            list(nx.all_shortest_paths(whole, emerging, classical)) if nx.has_path(whole, emerging, classical) else []
        )
        expected = {
            "shortest": best_of(small, shortest),
            "all": best_of(small, simple),
            "beam:2": best_of(small, walks(small, emerging, classical, 2)),
        }
        for most in (1, 2, 3, 5, 64):
            expected[f"max_len:{most}"] = best_of(small, [path for path in simple if len(path) <= most + 1])
        assert n_paths(graph, classical, emerging) == len(simple)
    assert {mode: influential_path(graph, classical, emerging, mode, engine) for mode in expected} == expected


def test_paths_of_a_larger_graph_agree_between_engines() -> None:
    pytest.importorskip("numba")
    rng = np.random.default_rng(4)
    source = np.repeat(np.arange(20, 2000), 8)
    target = np.maximum(source - 1 - (rng.pareto(0.7, len(source)) * 20).astype(np.int64), 0)
    graph = make_graph(2000, Edges(source, target), id_rank=rng.permutation(2000))
    found = 0
    for classical, emerging in rng.integers(0, 2000, (30, 2)).tolist():
        for mode in ("shortest", "all", "max_len:4"):
            path = influential_path(graph, classical, emerging, mode, "numba")
            assert path == influential_path(graph, classical, emerging, mode, "numpy")
            found += path is not None
    assert found >= 20


def test_a_path_leads_from_the_classical_paper_to_the_one_that_cites() -> None:
    graph = make_graph(3, Edges(np.array([1, 2]), np.array([0, 1])))
    assert influential_path(graph, 0, 2) == [0, 1, 2]
    assert influential_path(graph, 2, 0) is None
    assert influential_path(graph, 0, 2, "max_len:1") is None


def test_wrong_modes_and_rows_are_named() -> None:
    graph = make_graph(2, Edges(np.array([1]), np.array([0])))
    for text in ("longest", "max_len", "max_len:0", "max_len:65", "beam:1001", "beam:-1", "shortest:3"):
        with pytest.raises(InvalidOptionError, match=r"path_mode='.*'.*L from 1 to 64.*W from 1 to 1000"):
            influential_path(graph, 0, 1, text)
    assert (path_mode("max_len:64").size, path_mode("beam:1000").kind) == (64, "beam")
    with pytest.raises(InvalidOptionError, match=r"row 2 of a path.*from 0 to 1"):
        influential_path(graph, 0, 2)


@given(small=small_graphs())
@settings(max_examples=200, deadline=None)
def test_contexts_are_those_of_the_definition(small: SmallGraph) -> None:
    graph = small.graph()
    kept = sorted({(a, b, c) for a, b, c, _ in small.edges if b >= 0 and a != b})
    for seed in range(small.size):
        beside = {
            row: {(a, c) for a, b, c in kept if b == row} & {(a, c) for a, b, c in kept if b == seed}
            for row in range(small.size)
            if row != seed
        }
        beside = {row: found for row, found in beside.items() if found}
        found = co_mentioned(graph, seed)
        assert found.rows.tolist() == sorted(beside)
        assert found.paragraphs.tolist() == [len(beside[row]) for row in sorted(beside)]
        assert found.papers.tolist() == [len({paper for paper, _ in beside[row]}) for row in sorted(beside)]
        for tone in (POSITIVE, NEGATIVE):
            by = sorted({a for a, b, _, d in small.edges if b == seed and a != seed and d == tone})
            assert citers_with(graph, seed, tone).tolist() == by
        cited = small.simple()
        together = {row: sum({row, seed} <= one for one in cited) for row in range(small.size) if row != seed}
        rows, papers = co_cited(graph, seed)
        assert dict(zip(rows.tolist(), papers.tolist(), strict=True)) == {
            row: count for row, count in together.items() if count
        }
    everything = mentions_by(graph, np.arange(small.size))
    assert sorted(zip(*(column.tolist() for column in everything), strict=True)) == sorted(
        (a, b, c, d) for a, b, c, d in small.edges if b >= 0 and a != b
    )
    assert sum(len(mentions_of(graph, row).citing) for row in range(small.size)) == len(everything.citing)


def test_a_graph_without_contexts_says_so() -> None:
    graph = make_graph(2, Edges(np.array([1]), np.array([0])))
    with pytest.raises(InvalidOptionError, match=r"without contexts.*use a corpus with citation contexts"):
        co_mentioned(graph, 0)
