from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from scholar_env.corpora.world.facts import Facts
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.organizations import acronym, draw_organizations
from scholar_env.corpora.world.people import full_name
from scholar_env.corpora.world.personal_names import FAMILIES, GIVEN, naming
from scholar_env.corpora.world.places import COUNTRIES, KINDS, NATIVE_KINDS
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.venues import TIER_SOURCES


def test_papers_have_one_to_eight_different_authors(world: Facts) -> None:
    people = world.people
    counts = np.diff(people.paper_starts)
    assert (counts.min(), counts.max()) == (1, 8)
    assert 3 < counts.mean() < 4.5
    for low, high in zip(people.paper_starts[:-1].tolist(), people.paper_starts[1:].tolist(), strict=True):
        assert len(set(people.paper_authors[low:high].tolist())) == high - low
    assert set(people.paper_authors.tolist()) == set(range(len(people.author_names)))
    assert 1.0 < len(people.author_names) / 5000 < 1.2


def test_lines_have_stable_groups(world: Facts) -> None:
    people = world.people
    line_of = np.repeat(world.line, np.diff(people.paper_starts))
    lines = Counter(zip(people.paper_authors.tolist(), line_of.tolist(), strict=True))
    per_author = Counter(author for author, _ in lines)
    assert sum(count == 1 for count in per_author.values()) > 0.6 * len(per_author)
    assert sum(count > 1 for count in per_author.values()) > 200
    home = people.author_field[people.paper_authors] == np.repeat(world.subfield, np.diff(people.paper_starts))
    assert home.mean() > 0.99


def test_namesakes_differ_in_organization_and_field(world: Facts) -> None:
    people = world.people
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(people.author_names):
        rows.setdefault(name, []).append(row)
    shared = [group for group in rows.values() if len(group) > 1]
    assert 0.03 < len(shared) / len(rows) < 0.05
    for group in shared:
        assert len(group) == 2
        assert people.author_org[group[0]] != people.author_org[group[1]]
        assert people.author_field[group[0]] != people.author_field[group[1]]


def test_some_names_have_a_native_form(world: Facts) -> None:
    native = [name for name in world.people.author_native if name]
    assert 0.18 < len(native) / len(world.people.author_native) < 0.32
    assert all(any(ord(letter) > 0x36F for letter in name) for name in native)
    scripts = (("一", "鿿"), ("가", "힣"), ("Ѐ", "ӿ"), ("Ͱ", "Ͽ"), ("؀", "ۿ"))
    found = [any(low <= letter <= high for name in native for letter in name) for low, high in scripts]
    assert all(found)


def test_organizations_and_venues(world: Facts) -> None:
    people = world.people
    assert len(set(people.org_names)) == len(people.org_names) == 200
    assert set(people.org_countries) <= {country.name for country in COUNTRIES}
    assert len(set(people.org_countries)) > 15
    assert sum(bool(name) for name in people.org_native) > 80
    assert 60 <= len(people.venue_names) <= 150
    assert len(set(people.venue_names)) == len(people.venue_names) == len(set(people.venue_short))
    assert people.venue_tiers.shape == (len(people.venue_names), len(TIER_SOURCES))
    assert set(people.venue_tiers.ravel().tolist()) == {0, 1, 2, 3, 4}
    assert sum(bool(name) for name in people.venue_native) >= 4
    assert 0.15 < (people.paper_venue < 0).mean() < 0.3
    printed = people.paper_venue >= 0
    field = people.venue_field[people.paper_venue[printed]]
    assert ((field < 0) | (field == world.subfield[printed])).all()


def test_every_name_of_a_language_is_different() -> None:
    for language in sorted(FAMILIES):
        names = [full_name(WorldSpec(1), language, number)[0] for number in range(2500)]
        assert len(set(names)) >= 2400 if language not in ("ja",) else len(set(names)) >= 1000, language


def test_names_are_many_and_some_wait_for_test_worlds() -> None:
    family = {entry[0][0] for language in FAMILIES for entry in naming(language, train=False).family}
    given = {
        entry[0]
        for language in FAMILIES
        for entry in (*naming(language, train=False).men, *naming(language, train=False).women)
    }
    assert len(family) >= 250
    assert len(given) >= 200
    for language in FAMILIES:
        train, test = (naming(language, train=train) for train in (True, False))
        assert set(train.family) < set(test.family)
        assert set(train.men) < set(test.men)


def test_given_and_family_name_go_together() -> None:
    assert set(FAMILIES) == set(GIVEN)
    russian = [full_name(WorldSpec(4), "ru", number) for number in range(200)]
    women = [name for name in russian if name[0].startswith(("Anna ", "Elena ", "Olga ", "Maria "))]
    assert women
    assert not [name for name in women if name[0].endswith("ov") or name[1].endswith("ов")]
    assert full_name(WorldSpec(4), "zh", 3)[1][0] in {entry[0][1] for entry in naming("zh", train=False).family}


def test_kinds_of_institutions_are_named_in_each_language() -> None:
    assert {len(names) for names in NATIVE_KINDS.values()} == {len(KINDS)}
    assert {country.kinds for country in COUNTRIES} - {""} == set(NATIVE_KINDS)
    assert {country.language for country in COUNTRIES} <= set(FAMILIES)
    many = draw_organizations(WorldSpec(9), 3000)
    assert len(set(many.names)) == 3000


@pytest.mark.parametrize(
    ("name", "short"),
    [("Northern University of Graz", "NUG"), ("Graz Letters", "GRA"), ("Torhel University, St. Gallen", "TUSG")],
)
def test_acronyms(name: str, short: str) -> None:
    assert acronym(name) == short


def test_training_worlds_leave_held_out_people_out(small_ontology: Ontology) -> None:
    facts = build_facts(small_ontology, WorldSpec(1, 600, train=True))
    families = {
        entry[0][0]: True for language in FAMILIES for entry in naming(language, train=True).family
    }  # fmt: skip
    women = {entry[1][0] for language in FAMILIES for entry in naming(language, train=True).family}
    held = {
        entry[side][0] for language in FAMILIES for entry in naming(language, train=False).family for side in (0, 1)
    } - set(families) - women  # fmt: skip
    assert not [name for name in facts.people.author_names if name.split()[-1] in held]
