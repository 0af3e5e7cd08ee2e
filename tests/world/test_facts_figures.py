from __future__ import annotations

from dataclasses import replace

import numpy as np

from scholar_env.corpora.world.dates import FIRST_MONTH, LAST_MONTH, ages, days_before
from scholar_env.corpora.world.facts import CAST, FIGURE_KINDS, Facts
from scholar_env.corpora.world.ontology import Ontology
from scholar_env.corpora.world.signs import sign, signs

TREND, ORDERING, PEAK = (FIGURE_KINDS.index(kind) for kind in ("trend", "ordering", "peak"))


def test_most_papers_show_a_figure_of_each_kind(world: Facts) -> None:
    kind = world.figures.kind
    assert (kind > 0).any(axis=1).mean() >= 0.8
    assert (kind[:, 0] > 0).sum() >= (kind[:, 1] > 0).sum() > 500
    for wanted in (TREND, ORDERING, PEAK):
        assert 600 < (kind == wanted).sum() < 3500
    assert not ((kind[:, 0] == kind[:, 1]) & (kind[:, 0] > 0)).any()


def test_figures_agree_with_terms_and_numbers(shipped_ontology: Ontology, world: Facts) -> None:
    fields = {subfield.id: subfield for subfield in shipped_ontology.subfields}
    part = {name: world.cast[:, CAST.index(name)] for name in CAST}
    for row, slot in zip(*np.nonzero(world.figures.kind), strict=True):
        subfield = fields[world.subfields[int(world.subfield[row])]]
        kind, y, x = (int(column[row, slot]) for column in (world.figures.kind, world.figures.y, world.figures.x))
        series, grid = world.figures.series[row, slot], world.figures.grid[row, slot]
        span = subfield.nouns[y].span
        assert span is not None
        shown = series[series >= 0]
        assert span[0] <= shown.min() <= shown.max() <= span[1]
        if kind == ORDERING:
            assert (y, x) == (part["merit"][row], -1)
            assert world.copy_of[row] >= 0 or (grid[0], grid[1]) == (row, world.baseline[row])
            assert ((series >= 0) == (grid >= 0)).all()
            best = shown.min() if subfield.nouns[y].good == "low" else shown.max()
            assert shown[0] == best
            assert shown[0] != shown[1]
            assert abs(1000 * abs(int(shown[0]) - int(shown[1])) / int(shown[1]) - int(world.gain[row])) <= 0.5
            continue
        knob = subfield.nouns[x].span
        assert knob is not None
        assert x == part["knob"][row]
        assert (np.diff(grid) > 0).all()
        assert knob[0] <= grid[0] < grid[-1] <= knob[1]
        steps = np.diff(series)
        if kind == TREND:
            assert y == part["second"][row]
            down = sign(subfield, subfield.nouns[x].id, subfield.nouns[y].id)
            assert (steps < 0).all() if down else (steps > 0).all()
            assert world.level[row] == series[-1]
        else:
            assert y == part["symptom"][row]
            turn = int(np.argmax(np.sign(steps) != np.sign(steps[0])))
            assert 0 < turn < 5
            assert len(set(np.sign(steps[:turn]).tolist())) == len(set(np.sign(steps[turn:]).tolist())) == 1


def test_gains_are_more_than_nothing_and_levels_lie_in_their_range(shipped_ontology: Ontology, world: Facts) -> None:
    fields = {subfield.id: subfield for subfield in shipped_ontology.subfields}
    assert world.gain.min() >= 1
    assert 8 <= world.share.min() <= world.share.max() < 95
    for row in range(5000):
        span = fields[world.subfields[int(world.subfield[row])]].nouns[int(world.cast[row, CAST.index("second")])].span
        low, high = span or (0, 0)
        assert low <= world.level[row] <= high


def test_signs_belong_to_the_terms(shipped_ontology: Ontology) -> None:
    bare = replace(shipped_ontology.subfields[0], id="cs.IR", signs={})
    assert [sign(bare, "cs.IR/n/a", f"cs.IR/n/{name}") for name in "bcdefgh"] == [1, 0, 0, 0, 0, 0, 0]
    subfield = replace(shipped_ontology.subfields[0], signs={})
    subjects = np.array([0, 1, -1, 5, 0], dtype=np.int16)
    targets = np.array([2, 2, 2, -1, 2], dtype=np.int16)
    ids = [noun.id for noun in subfield.nouns]
    wanted = [sign(subfield, ids[0], ids[2]), sign(subfield, ids[1], ids[2]), 0, 0]
    assert signs(subfield, subjects, targets).tolist() == [*wanted, wanted[0]]
    known = replace(subfield, signs={(ids[0], ids[2]): 1 - wanted[0]})
    assert signs(known, subjects, targets).tolist() == [1 - wanted[0], wanted[1], 0, 0, 1 - wanted[0]]
    count = sum(sign(subfield, first, second) for first in ids[:40] for second in ids[40:80])
    assert 700 < count < 900


def test_dates_grow_in_number_and_some_are_missing(world: Facts) -> None:
    assert world.month.min() >= FIRST_MONTH == 1998 * 12
    assert world.month.max() <= LAST_MONTH == 2026 * 12 + 8
    years = np.bincount(world.month // 12 - 1998, minlength=29)
    assert years.min() > 40
    assert years[-4:-1].sum() > 2 * years[:3].sum()
    assert 0.02 < (world.day < 0).mean() < 0.045
    first = np.array([f"{month // 12}-{month % 12 + 1:02d}" for month in world.month.tolist()], dtype="datetime64[M]")
    dated = world.day >= 0
    months = world.day.astype("datetime64[D]").astype("datetime64[M]")
    assert (months[dated] == first[dated]).all()


def test_days_are_those_of_the_calendar() -> None:
    months = np.arange(1600 * 12, 2400 * 12)
    wanted = np.array([f"{month // 12}-{month % 12 + 1:02d}-01" for month in months.tolist()], dtype="datetime64[D]")
    assert (days_before(months) == wanted.astype(np.int64)).all()


def test_ids_are_unique_random_and_of_the_month(world: Facts) -> None:
    assert len(set(world.ids)) == 5000
    for name, month in zip(world.ids, world.month.tolist(), strict=True):
        assert name[:5] == f"{month // 12 % 100:02d}{month % 12 + 1:02d}."
        assert len(name) == 10
        assert name[5:].isdigit()
    number = np.array([int(name[5:]) for name in world.ids])
    dated = world.day >= 0
    for column in (world.line, world.subfield, world.day):
        assert abs(np.corrcoef(number[dated], column[dated])[0, 1]) < 0.05


def test_ages_count_months_then_rows() -> None:
    assert ages(np.array([5, 3, 5, 3], dtype=np.int32)).tolist() == [2, 0, 3, 1]
