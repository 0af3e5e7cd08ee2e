from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scholar_env.corpora.world.facts import Facts
from scholar_env.corpora.world.facts_build import build_facts, digest
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.errors import InvalidOptionError

PINNED = {
    300: "23f69e2538682760ac8a967537641b95871878cc4f6a85bae4dbaddb8e7727e4",
    1500: "1c64b3af3d5abf27da086b6a7e877b9f88f2235bcab339bf1a659163648b729e",
}
"""Digests of the worlds of seed 1 over the ontology of the tests, by number of papers."""
SCRIPT = """
import sys
from pathlib import Path
from scholar_env.corpora.world.facts_build import build_facts, digest
from scholar_env.corpora.world.ontology import load
from scholar_env.corpora.world.spec import WorldSpec
print(digest(build_facts(load(sorted(Path(sys.argv[1]).glob("*.txt"))), WorldSpec(1, 300))))
"""


@pytest.mark.parametrize("papers", sorted(PINNED))
def test_the_pinned_worlds_are_the_same_here(small_ontology: Ontology, papers: int) -> None:
    assert digest(build_facts(small_ontology, WorldSpec(1, papers))) == PINNED[papers]


def test_equal_specs_give_equal_worlds_whatever_the_hash_seed(small_files: list[Path]) -> None:
    found = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(small_files[0].parent)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert found == {PINNED[300]}


def test_seed_size_and_kind_of_world_change_it(small_ontology: Ontology) -> None:
    specs = [WorldSpec(1, 300), WorldSpec(2, 300), WorldSpec(1, 301), WorldSpec(1, 300, cell_size=9)]
    assert len({digest(build_facts(small_ontology, spec)) for spec in specs}) == len(specs)


def test_digest_sees_every_column(small_ontology: Ontology) -> None:
    facts = build_facts(small_ontology, WorldSpec(1, 300))
    cast = facts.cast.copy()
    cast[7, 3] += 1
    names = ("Another Name", *facts.people.author_names[1:])
    changed = [replace(facts, cast=cast), replace(facts, people=replace(facts.people, author_names=names))]
    assert len({digest(entry) for entry in (facts, *changed)}) == 3


def test_only_the_named_subfields_are_drawn_from(small_ontology: Ontology) -> None:
    facts = build_facts(small_ontology, WorldSpec(1, 200, subfields=("q-bio.BB",)))
    assert facts.subfields == ("q-bio.BB",)
    assert set(facts.subfield.tolist()) == {0}
    with pytest.raises(InvalidOptionError, match=re.escape("subfield 'cs.ZZ'") + r".*choose from cs\.AA, q-bio\.BB"):
        build_facts(small_ontology, WorldSpec(1, 200, subfields=("cs.ZZ",)))
    with pytest.raises(InvalidOptionError, match="an ontology without subfields"):
        build_facts(replace(small_ontology, subfields=()), WorldSpec(1, 200))


def test_subfields_have_nearly_equal_shares(world: Facts) -> None:
    counts = np.bincount(world.subfield, minlength=len(world.subfields))
    assert counts.min() * 1.2 > counts.max()
    assert counts.sum() == 5000


def test_the_row_tells_nothing_of_topic_or_date(world: Facts) -> None:
    row = np.arange(5000)
    for column in (world.subfield, world.line, world.month, np.diff(world.graph.starts)):
        assert abs(np.corrcoef(row, column)[0, 1]) < 0.05


def test_copies_repeat_all_but_id_date_and_categories(world: Facts) -> None:
    copies = np.flatnonzero(world.copy_of >= 0)
    source = world.copy_of[copies]
    assert 15 <= len(copies) <= 20
    assert len(set(source.tolist())) == len(source)
    assert (world.copy_of[source] < 0).all()
    assert (world.month[copies] > world.month[source]).all()
    assert (world.month[copies] - world.month[source]).max() <= 24
    for column in (world.cast, world.attributes, world.name, world.dataset, world.figures.series, world.level):
        assert (column[copies] == column[source]).all()
    for rows in zip(copies.tolist(), source.tolist(), strict=True):
        first, second = (world.graph.starts[row] for row in rows)
        count = int(world.graph.starts[rows[0] + 1] - first)
        assert (world.graph.targets[first : first + count] == world.graph.targets[second : second + count]).all()
        assert (world.graph.paragraph[first : first + count] == world.graph.paragraph[second : second + count]).all()
        starts, authors = world.people.paper_starts, world.people.paper_authors
        written = [authors[starts[row] : starts[row + 1]].tolist() for row in rows]
        assert written[0] == written[1]


def test_names_are_unique_but_for_copies(world: Facts) -> None:
    own = world.name[world.copy_of < 0]
    assert len(set(own.tolist())) == len(own)
    assert not set(world.rival[world.rival >= 0].tolist()) & set(world.name.tolist())
    assert ((world.rival >= 0) == (world.baseline < 0)).all()
    # A system has one paper, also where a later one repeats it.
    assert (world.copy_of[world.baseline[world.baseline >= 0]] < 0).all()
    assert (world.copy_of[world.figures.grid[:, :, 1:][world.figures.kind == 2].max(axis=1)] < 0).all()


def test_data_sets_are_shared_within_lines(world: Facts) -> None:
    users: dict[int, set[int]] = {}
    for line, dataset in zip(world.line.tolist(), world.dataset.tolist(), strict=True):
        users.setdefault(dataset, set()).add(line)
    shared = Counter(world.dataset.tolist())
    one_line = sum(count > 1 and len(users[dataset]) == 1 for dataset, count in shared.items())
    assert one_line > 300
    assert sum(len(lines) > 5 for lines in users.values()) >= len(world.subfields)


def test_orders_and_categories_are_those_of_the_field(shipped_ontology: Ontology, world: Facts) -> None:
    fields = {subfield.id: subfield for subfield in shipped_ontology.subfields}
    cross = 0
    for row, field in enumerate(world.subfield.tolist()):
        subfield = fields[world.subfields[field]]
        assert shipped_ontology.orders[world.order[row]].group == subfield.group
        assert world.categories[row][0] == subfield.categories[0]
        assert set(world.categories[row]) <= set(subfield.categories)
        cross += len(world.categories[row]) > 1
    assert 2000 < cross < 3500


def test_few_papers_are_surveys_or_have_a_number_for_a_title(world: Facts) -> None:
    assert 0.02 < world.survey.mean() < 0.04
    assert 5 <= world.digits.sum() <= 30
    length = np.diff(world.graph.starts)[world.survey]
    assert 12 < length.mean() < 33
    assert length.max() <= 45
