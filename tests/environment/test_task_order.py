"""The order of tasks."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.environment.tasks import TaskOrder, permutation
from scholar_env.errors import InvalidOptionError, TaskNotFoundError

IDS = [f"task-{number}" for number in range(10)]


def test_the_order_is_the_same_on_every_machine() -> None:
    assert permutation(10, 0, 0) == (6, 3, 2, 9, 8, 1, 4, 7, 0, 5)
    assert permutation(10, 0, 1) == (2, 1, 8, 4, 9, 6, 5, 7, 3, 0)
    assert permutation(10, 1, 0) == (7, 4, 3, 8, 5, 9, 2, 0, 6, 1)


@given(st.integers(1, 80), st.integers(-(2**70), 2**70), st.integers(0, 2**40))
def test_every_epoch_holds_each_task_once(n: int, task_seed: int, epoch: int) -> None:
    order = permutation(n, task_seed, epoch)
    assert sorted(order) == list(range(n))


def test_no_position_is_favoured() -> None:
    counts = [0] * 5
    for epoch in range(2_000):
        counts[permutation(5, 0, epoch)[0]] += 1
    assert all(340 <= count <= 460 for count in counts)


@given(st.integers(0, 500))
def test_the_place_of_a_task_is_the_inverse_of_the_task_at_a_place(place: int) -> None:
    order = TaskOrder(IDS, task_seed=3)
    assert order.place_of(order.at(place), place // len(IDS)) == place


def test_epochs_and_seeds_differ() -> None:
    order = TaskOrder(IDS)
    assert [order.at(place) for place in range(10)] != [order.at(place) for place in range(10, 20)]
    assert [order.at(place) for place in range(10)] != [TaskOrder(IDS, 1).at(place) for place in range(10)]
    assert len(order) == 10
    assert "task-3" in order


def test_unknown_tasks_and_bad_sets_are_named() -> None:
    with pytest.raises(TaskNotFoundError, match="Task 'other' is not in this environment's 10 tasks"):
        TaskOrder(IDS).place_of("other")
    with pytest.raises(TaskNotFoundError, match=r"Task \['task-1'\] is not in"):
        TaskOrder(IDS).require(cast("Any", ["task-1"]))
    with pytest.raises(InvalidOptionError, match="epochs are counted from 0"):
        TaskOrder(IDS).place_of("task-1", -1)
    with pytest.raises(InvalidOptionError, match="The task set is empty"):
        TaskOrder([])
    with pytest.raises(InvalidOptionError, match="Task 'a' is listed twice"):
        TaskOrder(["a", "b", "a"])
