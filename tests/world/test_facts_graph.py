from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from scholar_env.corpora.world.facts import Facts
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.spec import WorldSpec

Lists = list[list[int]]


def references(facts: Facts) -> Lists:
    starts, targets = facts.graph.starts, facts.graph.targets.tolist()
    return [targets[low:high] for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


@pytest.fixture(scope="module")
def cited(world: Facts) -> Lists:
    return references(world)


@pytest.fixture(scope="module")
def citers(cited: Lists) -> Lists:
    out: Lists = [[] for _ in cited]
    for row, targets in enumerate(cited):
        for target in targets:
            out[target].append(row)
    return out


def test_references_are_older_and_named_once(world: Facts, cited: Lists) -> None:
    for row, targets in enumerate(cited):
        assert len(set(targets)) == len(targets)
        for target in targets:
            assert (world.month[target], target) < (world.month[row], row)


def test_lengths(world: Facts, cited: Lists) -> None:
    length = np.array([len(targets) for targets in cited])
    assert 15 < length.mean() < 20
    assert length.max() <= 45
    later = world.month > np.sort(world.month)[100]
    assert 0 < (length[later] == 0).mean() < 0.012
    assert (length[later] < 4).mean() < 0.03


def test_baselines_and_compared_papers_are_cited(world: Facts, cited: Lists) -> None:
    with_baseline = 0
    for row in np.flatnonzero(world.copy_of < 0).tolist():
        if world.baseline[row] >= 0:
            assert world.baseline[row] in cited[row]
            with_baseline += 1
        for slot in (0, 1):
            if world.figures.kind[row, slot] == 2:
                grid = world.figures.grid[row, slot]
                assert set(grid[1:][grid[1:] >= 0].tolist()) <= set(cited[row])
    assert with_baseline > 4000
    same_line = world.line[world.baseline] == world.line
    assert same_line[world.baseline >= 0].mean() > 0.6


def test_few_works_hold_many_citations(citers: Lists) -> None:
    counts = np.sort([len(rows) for rows in citers])[::-1]
    assert counts[:50].sum() / counts.sum() >= 0.10
    tail = counts[counts >= 40]
    exponent = 1 + len(tail) / np.log(tail / 39.5).sum()
    assert 2.0 < exponent < 3.5
    assert np.median(counts) < counts.mean()


def test_references_stay_mostly_in_the_field_and_are_recent(world: Facts, cited: Lists) -> None:
    source = np.repeat(np.arange(5000), [len(targets) for targets in cited])
    target = world.graph.targets
    cross = (world.subfield[source] != world.subfield[target]).mean()
    assert 0.05 < cross < 0.12
    same = [(column[source] == column[target]).mean() for column in (world.line, world.problem)]
    assert same[0] > 0.12
    assert same[1] > 0.35
    years = (world.month[source] - world.month[target]) / 12
    assert 4 < np.median(years) < 7 < years.mean() < 9
    assert 0.25 < (years < 3).mean() < 0.4


def test_tones_and_paragraphs(world: Facts) -> None:
    shares = np.bincount(world.graph.sentiment, minlength=3) / len(world.graph.sentiment)
    assert np.abs(shares - [0.7, 0.2, 0.1]).max() < 0.02
    starts = world.graph.starts.tolist()
    numbers = []
    for low, high in pairwise(starts):
        paragraph = world.graph.paragraph[low:high].tolist()
        assert paragraph == sorted(paragraph)
        assert set(paragraph) == set(range(len(set(paragraph))))
        assert not paragraph or max(paragraph.count(number) for number in paragraph) <= 3
        numbers.append(len(set(paragraph)))
    assert np.mean([4 <= number <= 7 for number in numbers]) > 0.7


def test_milestones_cite_the_one_before(world: Facts, cited: Lists) -> None:
    milestones = set(np.flatnonzero(world.graph.role == 1).tolist())
    assert 50 <= len(milestones) <= 100
    linked = sum(bool(milestones & set(cited[row])) for row in milestones)
    assert linked >= len(milestones) * 4 // 5
    rank = np.argsort(np.argsort(np.bincount(world.graph.targets, minlength=5000)))
    assert rank[sorted(milestones)].mean() > 3800


def test_disruptive_and_consolidating_papers(world: Facts, cited: Lists, citers: Lists) -> None:
    for role, wanted in ((2, -1), (3, 1)):
        rows = np.flatnonzero(world.graph.role == role).tolist()
        assert 50 <= len(rows) <= 120
        for row in rows:
            assert len(citers[row]) >= 5
            assert cited[row]
            shared = [bool(set(cited[row]) & set(cited[citer])) for citer in citers[row]]
            assert (not any(shared)) if wanted < 0 else all(shared)


def test_atypical_papers_cite_what_nobody_cites_together(world: Facts, cited: Lists, citers: Lists) -> None:
    rows = np.flatnonzero(world.graph.role == 4).tolist()
    assert 40 <= len(rows) <= 100
    for row in rows:
        alone = [
            pair
            for pair in combinations(cited[row], 2)
            if set(citers[pair[0]]) & set(citers[pair[1]]) == {row} and min(len(citers[one]) for one in pair) > 10
        ]
        assert len(alone) >= 10


@pytest.mark.parametrize("papers", [200, 700])
def test_small_worlds_have_a_graph_too(small_ontology: Ontology, papers: int) -> None:
    facts = build_facts(small_ontology, WorldSpec(3, papers))
    lists = references(facts)
    assert all(
        (facts.month[target], target) < (facts.month[row], row) for row in range(papers) for target in lists[row]
    )
    assert np.mean([len(targets) for targets in lists]) > 8
    one = build_facts(small_ontology, WorldSpec(3, papers, subfields=("cs.AA",)))
    assert (one.subfield == 0).all()
    assert np.mean([len(targets) for targets in references(one)]) > 8
