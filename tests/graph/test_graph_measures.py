from __future__ import annotations

import math
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph, Contexts, Edges, make_graph
from scholar_env.graph.cocitation import incidence, pair_counts, pair_table
from scholar_env.graph.disruption import Impact, disruption_cd, disruption_seed, impact
from scholar_env.graph.novelty import novelty, percentile_of_groups
from scholar_env.graph.null_model import NullModel, rewired, rewired_z
from scholar_env.index.dates import UNDATED
from tests.small_graphs import SmallGraph, small_graphs

ENGINES = ("numpy", "numba")


def counts_by_definition(small: SmallGraph) -> list[tuple[int, int, int]]:
    cited = small.simple()
    out = []
    for focal in range(small.size):
        citers = {paper for paper in range(small.size) if focal in cited[paper]}
        n_j = sum(1 for paper in citers if cited[paper] & cited[focal])
        own = small.months[focal]
        n_k = sum(
            1
            for paper in range(small.size)
            if paper not in citers and cited[paper] & cited[focal] and own < small.months[paper] < UNDATED
        )
        out.append((len(citers) - n_j, n_j, n_k))
    return out


@pytest.mark.parametrize("engine", ENGINES)
@given(small=small_graphs())
@settings(max_examples=200, deadline=None)
def test_disruption_counts_are_those_of_the_definition(small: SmallGraph, engine: str) -> None:
    pytest.importorskip(engine)
    found = impact(small.graph(), beside=True, engine=engine)
    assert found.n_k is not None
    assert list(zip(found.n_i.tolist(), found.n_j.tolist(), found.n_k.tolist(), strict=True)) == counts_by_definition(
        small
    )


def test_disruption_of_small_cases() -> None:
    counts = Impact(np.array([3, 1, 0, 2]), np.array([1, 4, 0, 2]), np.array([4, 5, 0, 0]))
    np.testing.assert_array_equal(disruption_seed(counts), [0.5, -0.6, math.nan, 0.0])
    np.testing.assert_array_equal(disruption_cd(counts), [0.25, -0.3, math.nan, 0.0])
    released = disruption_seed(counts, n_references=np.array([0, 1, 1, 2]))
    np.testing.assert_array_equal(released, [math.nan, -0.6, math.nan, 0.0])
    without = disruption_cd(Impact(counts.n_i, counts.n_j))
    assert np.isnan(without).all()


def test_both_engines_agree_to_the_bit_on_lists_of_any_length() -> None:
    rng = np.random.default_rng(11)
    n_references = np.concatenate([np.arange(40), rng.integers(0, 40, 160)])
    source = np.repeat(np.arange(200), n_references)
    graph = make_graph(200, Edges(source, rng.integers(0, 200, len(source))), month=200001 + np.arange(200) // 20)
    assert set(range(1, 30)) <= set(graph.n_references_of.tolist())
    slow, fast = (impact(graph, beside=True, engine=engine) for engine in ("numpy", "auto"))
    for name in ("n_i", "n_j", "n_k"):
        assert getattr(slow, name).tolist() == getattr(fast, name).tolist()
    assert 0 < slow.n_j.sum() < graph.n_references
    for units in (None, rng.integers(-1, 12, 200).astype(np.int32), np.zeros(200, dtype=np.int32)):
        scores = [novelty(graph, units, engine=engine) for engine in ("numpy", "auto")]
        assert scores[0].tobytes() == scores[1].tobytes()
    everywhere = make_graph(6, Edges(np.array([3, 3, 3, 4, 4, 5, 5]), np.array([0, 1, 2, 0, 1, 0, 2])))
    scores = [novelty(everywhere, engine=engine) for engine in ("numpy", "auto")]
    assert scores[0].tobytes() == scores[1].tobytes()
    assert np.flatnonzero(~np.isnan(scores[0])).tolist() == [3]  # every paper cites 0, so that its pairs say nothing


def novelty_by_definition(small: SmallGraph, units: list[int]) -> list[float]:
    cited = small.simple()
    m = sum(1 for references in cited if references)
    distinct = [{units[row] for row in references if units[row] >= 0} for references in cited]
    n = {unit: sum(unit in found for found in distinct) for unit in set(units)}
    scores = []
    for references in cited:
        values = []
        for a, b in combinations(sorted(references), 2):
            first, second = units[a], units[b]
            if first == second or min(first, second) < 0 or m < 2:
                continue
            expected = n[first] * n[second] / m
            variance = n[first] * n[second] * (m - n[first]) * (m - n[second]) / (m * m * (m - 1))
            together = sum(1 for found in distinct if {first, second} <= found)
            if variance:
                values.append((together - expected) / math.sqrt(variance))
        scores.append(float(np.percentile(values, 10)) if values else math.nan)
    return scores


@given(small=small_graphs())
@settings(max_examples=200, deadline=None)
def test_novelty_is_that_of_the_definition_and_equal_to_the_bit_with_numba(small: SmallGraph) -> None:
    graph = small.graph()
    for units, column in (
        (list(range(small.size)), None),
        (list(small.units), np.array(small.units, dtype=np.int32)),
    ):
        slow = novelty(graph, column, engine="numpy")
        np.testing.assert_allclose(slow, novelty_by_definition(small, units), rtol=1e-9, atol=1e-12)
        fast = novelty(graph, column, engine="auto")
        assert fast.tobytes() == slow.tobytes()


@given(small=small_graphs())
@settings(max_examples=60, deadline=None)
def test_pairs_are_counted_alike_by_both_engines(small: SmallGraph) -> None:
    cited = incidence(small.graph(), np.array(small.units, dtype=np.int32))
    counts = pair_counts(cited, "numpy")
    assert counts.tolist() == pair_counts(cited, "auto").tolist()
    table = pair_table(cited, counts)
    sets = [set(cited.units[cited.starts[row] : cited.starts[row + 1]].tolist()) for row in range(small.size)]
    for first, second, papers in zip(*(column.tolist() for column in table), strict=True):
        assert papers == sum({first, second} <= found for found in sets) > 0


def test_percentile_is_that_of_numpy_to_the_bit() -> None:
    rng = np.random.default_rng(5)
    group = np.sort(rng.integers(0, 40, 600))
    values = rng.normal(size=600)
    found = percentile_of_groups(values, group, 41)
    assert math.isnan(found[40])
    assert found[:40].tolist() == [np.percentile(values[group == at], 10) for at in range(40)]


def grown(papers: int = 120, seed: int = 3) -> CitationGraph:
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(10, papers), 6)
    target = (rng.random(len(source)) * source).astype(np.int64)
    return make_graph(papers, Edges(source, target), month=200001 + 100 * (np.arange(papers) // 20))


def test_rewiring_keeps_degrees_and_years_and_moves_most_references() -> None:
    graph = grown()
    other = rewired(graph, seed=1, purpose="0", rounds=20)
    assert other.n_references_of.tolist() == graph.n_references_of.tolist()
    assert other.n_citers_of.tolist() == graph.n_citers_of.tolist()

    def years(of: CitationGraph) -> list[tuple[int, int]]:
        source = np.repeat(np.arange(of.n_papers), of.n_references_of)
        return sorted(zip(of.years[source].tolist(), of.years[of.targets].tolist(), strict=True))

    assert years(other) == years(graph)
    assert len(set(other.keys.tolist()) & set(graph.keys.tolist())) < 0.4 * graph.n_references
    assert rewired(graph, 1, "0", 20).keys.tolist() == other.keys.tolist()
    assert rewired(graph, 1, "1", 20).keys.tolist() != other.keys.tolist()


def test_rewiring_draws_all_graphs_of_given_degrees_evenly() -> None:
    # three papers of one year that cite one of three others each, all different: the six matchings
    graph = make_graph(6, Edges(np.array([3, 4, 5]), np.array([0, 1, 2])), month=np.array([200001] * 3 + [200101] * 3))
    seen: dict[tuple[int, ...], int] = {}
    for seed in range(600):
        drawn = tuple(rewired(graph, seed, "even", rounds=16).targets.tolist())
        seen[drawn] = seen.get(drawn, 0) + 1
    assert len(seen) == 6
    assert all(60 < count < 145 for count in seen.values()), seen  # 100 each, four standard deviations


def test_rewired_z_is_mean_and_deviation_over_the_samples() -> None:
    graph, null = grown(60), NullModel(samples=4, rounds=5, seed=9)
    cited = incidence(graph)
    counts = pair_counts(cited)
    z = rewired_z(graph, None, cited, counts, null)
    samples = [rewired(graph, 9, str(number), 5) for number in range(4)]
    at = 0
    for row in range(graph.n_papers):
        for a, b in combinations(graph.references(row).tolist(), 2):
            drawn = [len(set(one.citers(a)) & set(one.citers(b))) for one in samples]
            spread = np.std(drawn)
            expected = (counts[at] - np.mean(drawn)) / spread if spread else math.nan
            assert z[at] == pytest.approx(expected, nan_ok=True)
            at += 1
    assert at == len(z)
    assert np.isfinite(z).mean() > 0.3
    scores = novelty(graph, null=null)
    assert scores.tobytes() == novelty(graph, null=null, engine="numpy").tobytes()


def test_wrong_arguments_are_named() -> None:
    graph = grown(30)
    with pytest.raises(InvalidOptionError, match=r"units of 3 papers.*the graph has 30"):
        novelty(graph, np.zeros(3, dtype=np.int32))
    with pytest.raises(InvalidOptionError, match="engine 'c' is unknown"):
        impact(graph, engine="c")
    with pytest.raises(InvalidOptionError, match=r"samples=1 of a null model.*at least 2"):
        NullModel(samples=1)


@given(small=small_graphs())
@settings(max_examples=200, deadline=None)
def test_graph_holds_each_reference_once_in_both_directions(small: SmallGraph) -> None:
    graph, cited = small.graph(), small.simple()
    assert [graph.references(row).tolist() for row in range(small.size)] == [sorted(found) for found in cited]
    assert [graph.citers(row).tolist() for row in range(small.size)] == [
        [paper for paper in range(small.size) if row in cited[paper]] for row in range(small.size)
    ]
    dangling = sum(target < 0 for _, target, _, _ in small.edges)
    own = sum(source == target for source, target, _, _ in small.edges)
    assert (graph.dropped.dangling, graph.dropped.self_references) == (dangling, own)
    assert graph.dropped.duplicates == len(small.edges) - dangling - own - graph.n_references
    groups = [group for group in nx.strongly_connected_components(small.networkx()) if len(group) > 1]
    found: dict[int, set[int]] = {}
    for row, number in enumerate(graph.component.tolist()):
        if number >= 0:
            found.setdefault(number, set()).add(row)
    assert [found[number] for number in range(len(found))] == sorted(groups, key=min)


def test_rows_outside_the_graph_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match=r"a target from 1 to 7 in a graph of 3 papers.*from -1 to 2"):
        make_graph(3, Edges(np.array([0, 1]), np.array([1, 7])))
    with pytest.raises(InvalidOptionError, match=r"a source from -1 to 0"):
        make_graph(3, Edges(np.array([-1, 0]), np.array([1, 2])))
    with pytest.raises(InvalidOptionError, match=r"columns of \[2, 1\] references.*of one length"):
        make_graph(3, Edges(np.array([0, 1]), np.array([1])))
    two = np.array([1, 2])
    with pytest.raises(InvalidOptionError, match=r"a sentiment from 0 to 3.*from 0 to 2"):
        make_graph(3, Edges(two, two), Contexts(two, two - 1, two, np.array([0, 3])))
    with pytest.raises(InvalidOptionError, match=r"a paragraph from -1 to 0"):
        make_graph(3, Edges(two, two), Contexts(two, two - 1, two - 2, two))


def test_references_and_mentions_come_together() -> None:
    edges = Edges(np.array([2, 2, 3]), np.array([0, 1, 0]))
    contexts = Contexts(
        np.array([3, 2, 3, 3, 1]), np.array([0, 0, 0, 2, 1]), np.array([4, 0, 1, 1, 0]), np.array([1, 2, 0, 0, 0])
    )
    graph = make_graph(4, edges, contexts)
    assert [graph.references(row).tolist() for row in range(4)] == [[], [], [0, 1], [0, 2]]
    assert graph.mentions is not None
    assert graph.mentions.starts.tolist() == [0, 1, 1, 3, 4]  # 2 -> 1 is a reference without a mention
    assert graph.mentions.paragraph.tolist() == [0, 1, 4, 1]
    assert graph.mentions.sentiment.tolist() == [2, 0, 1, 0]


def test_planted_disruption_and_novelty_rank_at_the_ends() -> None:
    # 0-9 are old works; 10 is disruptive (its citers leave its references alone), 11 consolidating, 12 joins 1 and 5,
    # known works that nobody else cites together, while everything else cites neighbours
    rows = [(10, cited) for cited in (0, 1)] + [(11, cited) for cited in (2, 3)] + [(12, 1), (12, 5)]
    for paper in range(13, 33):
        first = paper % 8
        rows += [(paper, first), (paper, first + 1)]
        if first in (4, 5):
            rows.append((paper, 10))
        if first == 2:
            rows.append((paper, 11))
    source, target = np.array(rows).T
    graph = make_graph(33, Edges(source, target))
    score = disruption_seed(impact(graph), graph.n_references_of)
    assert (score[10], score[11]) == (1.0, -1.0)
    assert np.nanargmin(novelty(graph)) == 12


@pytest.mark.parametrize("engine", ENGINES)
def test_every_shape_of_an_empty_graph(engine: str) -> None:
    pytest.importorskip(engine)
    for size in (0, 1, 3):
        graph = make_graph(size, Edges(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)))
        assert np.isnan(disruption_seed(impact(graph, engine=engine))).tolist() == [True] * size
        assert np.isnan(novelty(graph, engine=engine)).tolist() == [True] * size
        units = np.full(size, -1, dtype=np.int32)
        assert np.isnan(novelty(graph, units, engine=engine)).tolist() == [True] * size
