"""Task sets without end: tasks that are made when they are played, over one or several corpora.

The tasks of an endless set are numbered: task ``i`` is number ``i div W`` of corpus ``i mod W`` when there are ``W``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, overload

from scholar_env.environment.tasks import permutation
from scholar_env.errors import InvalidOptionError, TaskNotFoundError

BLOCK = 1024
"""Tasks that are put in order together."""

LAST = 10**15
"""Numbers of tasks within a corpus stay below this."""


class EndlessIds(Sequence[str]):
    """The ids ``w<corpus>-<number>`` of an endless task set, in the order of numbers.

    Args:
        numbers: Numbers of the corpora, distinct, at least one.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = tuple(numbers)
        self._place = {number: place for place, number in enumerate(self.numbers)}

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """An id by its number in the whole set; a slice needs an end and no number counts from the end."""
        if isinstance(index, slice):
            ends = (index.start or 0, index.stop, index.step or 1)
            if ends[1] is None or min(ends) < 0:
                raise self._endless()
            return tuple([self[at] for at in range(*ends)])
        if index < 0:
            raise self._endless()
        number, place = divmod(index, len(self.numbers))
        if number >= LAST:
            raise IndexError(f"task {number} of a corpus is beyond {LAST - 1}")
        return f"w{self.numbers[place]}-{number}"

    def index_of(self, task_id: object) -> int | None:
        """Number of an id in the whole set, None when it is none of its ids."""
        parts = parse_id(task_id)
        if parts is None or parts[0] not in self._place:
            return None
        return parts[1] * len(self.numbers) + self._place[parts[0]]

    def __contains__(self, task_id: object) -> bool:
        return self.index_of(task_id) is not None

    def __iter__(self) -> Iterator[str]:
        """Iterates without end."""
        return (self[index] for index in count())

    def __len__(self) -> int:
        """Raises InvalidOptionError, so that nobody waits for the end of a list."""
        raise self._endless()

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, EndlessIds) and other.numbers == self.numbers

    def __hash__(self) -> int:
        return hash(self.numbers)

    def _endless(self) -> InvalidOptionError:
        return InvalidOptionError(
            f"the task set ({self[0]}, {self[1]}, …) has no length and no last task",
            "it is endless",
            "ask for a number of tasks: a slice, itertools.islice, --tasks N",
        )


def parse_id(task_id: object) -> tuple[int, int] | None:
    """Reads ``w<corpus>-<number>`` into two numbers; None when it is something else."""
    if not isinstance(task_id, str) or not task_id.startswith("w"):
        return None
    parts = task_id[1:].split("-")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() and len(part) < 16 for part in parts):
        return None
    corpus, number = int(parts[0]), int(parts[1])
    return (corpus, number) if task_id == f"w{corpus}-{number}" else None


class EndlessOrder:
    """An endless task set with its order: every task comes exactly once.

    Place ``s`` is task ``1024 b + permutation(b)[s mod 1024]`` with ``b = s div 1024``: what ``reset(seed=s)`` plays.

    Args:
        ids: The ids.
        task_seed: Fixes the permutation of every block.
    """

    def __init__(self, ids: EndlessIds, task_seed: int = 0) -> None:
        self.ids = ids
        self.task_seed = task_seed

    def __contains__(self, task_id: object) -> bool:
        return task_id in self.ids

    def at(self, place: int) -> str:
        """The task id at a place (0, 1, 2, …)."""
        block, position = divmod(place, BLOCK)
        return self.ids[block * BLOCK + permutation(BLOCK, self.task_seed, block)[position]]

    def place_of(self, task_id: str, epoch: int = 0) -> int:
        """The place of a task: the inverse of :meth:`at`.

        Raises:
            TaskNotFoundError: The task is not in this set.
            InvalidOptionError: Another epoch than 0; an endless set is never played to its end.
        """
        self.require(task_id)
        if epoch != 0:
            raise InvalidOptionError(f"epoch={epoch}", "an endless task set has epoch 0 alone", "leave it out")
        block, position = divmod(self.ids.index_of(task_id) or 0, BLOCK)
        return block * BLOCK + permutation(BLOCK, self.task_seed, block).index(position)

    def require(self, task_id: str) -> str:
        """Returns the id when it is in the set.

        Raises:
            TaskNotFoundError: It is not.
        """
        if task_id not in self.ids:
            names = ", ".join(f"w{number}" for number in self.ids.numbers[:5])
            raise TaskNotFoundError(
                f"Task {task_id!r} is not in this environment's endless task set (the first is {self.ids[0]!r})",
                f"an id is w<world>-<number>, with the worlds {names}{', …' if len(self.ids.numbers) > 5 else ''}",
                "take such an id, or make the environment with more train_worlds",
            )
        return task_id
