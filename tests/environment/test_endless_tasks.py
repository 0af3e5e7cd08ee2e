"""Endless task sets: every task once, the same order everywhere, no waiting for an end."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.environment.endless import BLOCK, EndlessIds, EndlessOrder, parse_id
from scholar_env.errors import InvalidOptionError, TaskNotFoundError

IDS = EndlessIds((0, 1, 7))


def test_ids_go_round_the_worlds() -> None:
    assert list(islice(IDS, 5)) == ["w0-0", "w1-0", "w7-0", "w0-1", "w1-1"]
    assert IDS[3:8:2] == ("w0-1", "w7-1", "w1-2")
    assert EndlessIds((0, 1, 7)) == IDS
    assert EndlessIds((0, 7, 1)) != IDS
    assert bool(IDS)


@given(st.integers(0, 3 * 10**15 - 1))
def test_the_number_of_an_id_is_the_inverse(index: int) -> None:
    assert IDS.index_of(IDS[index]) == index


@pytest.mark.parametrize(
    "task_id",
    ["w2-0", "w0-01", "w00-1", "w0--1", "w0-1.0", "w0", "0-1", "", "w0-1 ", "w٣-1", "w0-1000000000000000", 7, None],
)
def test_other_ids_are_none_of_them(task_id: object) -> None:
    assert task_id not in IDS
    if task_id != "w2-0":
        assert parse_id(task_id) is None


def test_an_endless_list_refuses_its_end() -> None:
    for ask in (lambda: len(IDS), lambda: list(IDS), lambda: IDS[-1], lambda: IDS[4:], lambda: IDS[:-1]):
        with pytest.raises(InvalidOptionError, match=r"the task set \(w0-0, w1-0, …\) has no length and no last task"):
            ask()
    with pytest.raises(IndexError, match="is beyond"):
        IDS[3 * 10**15]


def test_a_block_of_places_holds_each_of_its_tasks_once() -> None:
    order = EndlessOrder(IDS, task_seed=3)
    for block in (0, 5):
        places = range(block * BLOCK, (block + 1) * BLOCK)
        assert {order.at(place) for place in places} == set(IDS[block * BLOCK : (block + 1) * BLOCK])
    assert [order.at(place) for place in range(5)] != list(IDS[:5])
    assert [order.at(place) for place in range(5)] == [EndlessOrder(IDS, task_seed=3).at(place) for place in range(5)]
    assert [order.at(place) for place in range(9)] != [EndlessOrder(IDS, task_seed=4).at(place) for place in range(9)]


@given(st.integers(0, 10**9))
def test_the_place_of_a_task_is_the_inverse(place: int) -> None:
    order = EndlessOrder(IDS, task_seed=11)
    assert order.place_of(order.at(place)) == place


def test_unknown_tasks_and_epochs_are_refused() -> None:
    order = EndlessOrder(IDS)
    with pytest.raises(TaskNotFoundError, match=r"'w2-5' is not .* Rule: an id is w<world>-<number>, .* w0, w1, w7"):
        order.require("w2-5")
    with pytest.raises(InvalidOptionError, match="epoch=1"):
        order.place_of("w1-0", epoch=1)
