from __future__ import annotations

import numpy as np
import pytest

from scholar_env.corpora.world.amounts import SIZES
from scholar_env.corpora.world.cells import cell_sizes, draw_topics, triples
from scholar_env.corpora.world.facts import CAST, CAST_TYPES, Facts
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.morphology import content_stems
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.terms import Noun, Subfield


def field_of(ontology: Ontology, facts: Facts, row: int) -> Subfield:
    name = facts.subfields[int(facts.subfield[row])]
    return next(subfield for subfield in ontology.subfields if subfield.id == name)


@pytest.mark.parametrize(("papers", "seed"), [(5000, 1), (5000, 2), (20_000, 1), (50_000, 1)])
def test_papers_share_their_cell_with_as_many_as_wanted(shipped_ontology: Ontology, papers: int, seed: int) -> None:
    topics = draw_topics(WorldSpec(seed, papers), shipped_ontology.subfields)
    cells = np.stack([topics.subfield, topics.problem, topics.method, topics.object], axis=1)
    sizes = np.unique(cells, axis=0, return_counts=True)[1]
    assert 20 <= (sizes * sizes).sum() / papers <= 25
    assert np.median(sizes) < 11
    assert sizes.max() >= 45


@pytest.mark.parametrize("wanted", [8, 60])
def test_the_spec_sets_the_size_of_cells(shipped_ontology: Ontology, wanted: int) -> None:
    topics = draw_topics(WorldSpec(1, 20_000, cell_size=wanted), shipped_ontology.subfields)
    cells = np.stack([topics.subfield, topics.problem, topics.method, topics.object], axis=1)
    sizes = np.unique(cells, axis=0, return_counts=True)[1]
    assert 0.85 * wanted <= (sizes * sizes).sum() / 20_000 <= 1.25 * wanted


def test_small_subfields_keep_several_cells_and_full_ones_use_all() -> None:
    assert len(cell_sizes(15, 300, 22)) >= 5
    assert cell_sizes(15, 300, 22).sum() == 15
    full = cell_sizes(5000, 80, 22)
    assert len(full) == 80
    assert full.max() - full.min() <= 1
    assert cell_sizes(3, 1, 22).tolist() == [3]


def test_cells_are_allowed_and_lines_lie_in_one_cell(shipped_ontology: Ontology, world: Facts) -> None:
    allowed = {
        subfield.id: {tuple(cell) for cell in triples(subfield)[:, :3].tolist()}
        for subfield in shipped_ontology.subfields
    }
    cell_of_line: dict[int, tuple[int, ...]] = {}
    for row in range(5000):
        cell = tuple(int(column[row]) for column in (world.problem, world.method, world.object))
        assert cell in allowed[world.subfields[int(world.subfield[row])]]
        assert cell_of_line.setdefault(int(world.line[row]), cell) == cell
    lines = np.bincount(world.line)
    assert lines.min() >= 1
    assert 4 < lines.mean() < 12


def test_casts_are_of_different_nouns_that_fit(shipped_ontology: Ontology, world: Facts) -> None:
    registry = shipped_ontology.registry
    leaves = {part: set(registry.leaves((kind,))) for part, kind in CAST_TYPES.items()}
    for row in range(0, 5000, 3):
        subfield = field_of(shipped_ontology, world, row)
        present = {subfield.concepts[int(column[row])].id for column in (world.problem, world.method, world.object)}
        target = subfield.concepts[int(world.object[row])].id
        table = next(fit.cells for fit in subfield.fits if fit.rows == "C")
        places = [place for place in world.cast[row].tolist() if place >= 0]
        assert len(set(places)) == len(places)
        assert len(places) >= len(CAST) - 1
        for part, place in zip(CAST, world.cast[row].tolist(), strict=True):
            if place < 0:
                continue
            noun = subfield.nouns[place]
            assert noun.type in leaves[part]
            assert not noun.only or present & set(noun.only)
            assert not present & set(noun.never)
            assert table.get((noun.id, target), 1) > 0


def alike(first: Noun, second: Noun) -> bool:
    stems = [set(content_stems(f"{noun.singular} {noun.plural}")) for noun in (first, second)]
    return bool(stems[0] & stems[1])


@pytest.mark.parametrize("pair", [("knob", "cond"), ("cause", "cond"), ("cause", "hazard"), ("effect", "merit")])
def test_parts_that_meet_in_a_sentence_do_not_sound_alike(
    shipped_ontology: Ontology, world: Facts, pair: tuple[str, str]
) -> None:
    faults = 0
    for row in range(5000):
        nouns = field_of(shipped_ontology, world, row).nouns
        first, second = (int(world.cast[row, CAST.index(part)]) for part in pair)
        faults += alike(nouns[first], nouns[second])
    assert faults <= 5


def test_papers_of_a_line_share_half_of_their_cast_and_values(world: Facts) -> None:
    order = np.argsort(world.line, kind="stable")
    same_line = world.line[order][1:] == world.line[order][:-1]
    cast = (world.cast[order][1:] == world.cast[order][:-1]).mean(axis=1)
    values = (world.attributes[order][1:] == world.attributes[order][:-1]).mean(axis=1)
    assert 0.2 < cast[same_line].mean() < 0.4
    assert values[same_line].mean() > values[~same_line].mean() + 0.1


def test_popular_nouns_are_used_more(world: Facts) -> None:
    for at in range(len(world.subfields)):
        counts = np.sort(np.bincount(world.cast[world.subfield == at, CAST.index("cond")]))[::-1]
        assert counts[0] > 2 * counts[counts > 0].mean()
        assert (counts > 0).sum() >= 8


def test_values_contradict_neither_each_other_nor_concepts_nor_nouns(shipped_ontology: Ontology, world: Facts) -> None:
    for row in range(5000):
        subfield = field_of(shipped_ontology, world, row)
        held = {}
        for attribute, place in zip(shipped_ontology.attributes, world.attributes[row].tolist(), strict=True):
            assert (place >= 0) == (subfield.group in attribute.groups)
            if place >= 0:
                held[attribute.values[place].id] = attribute.values[place]
        out = {name for value in held.values() for name in value.excludes}
        for column in (world.problem, world.method, world.object):
            out |= set(subfield.concepts[int(column[row])].excludes)
        for place in world.cast[row].tolist():
            out |= set(subfield.nouns[place].excludes)
        assert not {name.rstrip("?") for name in out} & set(held)
        for value in held.values():
            assert value.weights[subfield.group] > 0
            # There is a way left to state it by evidence.
            sets = [item for item in value.evidence if not item.groups or subfield.group in item.groups]
            assert any(not {name.rstrip("?") for name in item.excludes} & set(held) for item in sets)


def test_excludes_of_concepts_and_nouns_are_kept(small_ontology: Ontology) -> None:
    facts = build_facts(small_ontology, WorldSpec(5, 2000))
    scope, size = small_ontology.attributes
    assert (scope.id, size.id) == ("scope", "size")
    value = {entry.id: at for attribute in (scope, size) for at, entry in enumerate(attribute.values)}
    for row in range(2000):
        subfield = field_of(small_ontology, facts, row)
        nouns = {subfield.nouns[place].id for place in facts.cast[row].tolist() if place >= 0}
        where, count = facts.attributes[row].tolist()
        if subfield.concepts[int(facts.method[row])].id.endswith("M/m2"):
            assert count != value["size/large"]
        if any(name.endswith("n/event-b") for name in nouns):
            assert where != value["scope/field"]
        assert (where, count) != (value["scope/multi"], value["size/tiny"])
        assert (where, count) != (value["scope/single"], value["size/large"])


def test_no_value_is_held_by_almost_half_of_a_group(shipped_ontology: Ontology, world: Facts) -> None:
    groups = np.array([field_of(shipped_ontology, world, row).group for row in range(5000)])
    for group in sorted(set(groups.tolist())):
        for at, attribute in enumerate(shipped_ontology.attributes):
            if group in attribute.groups:
                counts = np.bincount(world.attributes[groups == group, at], minlength=len(attribute.values))
                assert counts.max() / counts.sum() <= 0.45
                for value, count in zip(attribute.values, counts.tolist(), strict=True):
                    assert (count > 0) == (value.weights.get(group, 0) > 0)


def test_counts_lie_in_the_class_of_the_sample_size(shipped_ontology: Ontology, world: Facts) -> None:
    at = next(place for place, attribute in enumerate(shipped_ontology.attributes) if attribute.id == "size")
    seen = set()
    for place, count in zip(world.attributes[:, at].tolist(), world.count.tolist(), strict=True):
        slug = shipped_ontology.attributes[at].values[place].id.partition("/")[2]
        low, high = SIZES[slug]
        assert low <= count <= high
        seen.add(slug)
    assert seen == set(SIZES)


def test_held_out_nouns_wait_for_test_worlds(small_ontology: Ontology) -> None:
    from dataclasses import replace

    field = small_ontology.subfields[0]
    nouns = tuple(replace(noun, heldout=at % 5 == 0) for at, noun in enumerate(field.nouns))
    ontology = replace(small_ontology, subfields=(replace(field, nouns=nouns),))
    held = {at for at, noun in enumerate(nouns) if noun.heldout}
    train, test = (build_facts(ontology, WorldSpec(1, 1000, train=train)) for train in (True, False))
    assert not held & set(train.cast.ravel().tolist())
    assert held & set(test.cast.ravel().tolist())
