"""Task sets in which no question comes twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scholar_env.records import Task


def distinct_tasks(size: int, make: Callable[[int, int], Task]) -> Iterator[Task]:
    """So many tasks; one whose question came before is drawn anew.

    Args:
        size: How many.
        make: ``make(place, number)``: the task of a place in the set, from 0 on, by the number that decides its draws.
    """
    asked: set[str] = set()
    number = 0
    for place in range(size):
        task = make(place, number)
        while task.question in asked:
            number += 1
            task = make(place, number)
        asked.add(task.question)
        number += 1
        yield task
