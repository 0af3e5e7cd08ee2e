"""The order of tasks: one permutation an epoch, decided by ``task_seed``, the epoch and the number of tasks alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from scholar_env.errors import InvalidOptionError, TaskNotFoundError

_MASK = (1 << 64) - 1


def _mix(value: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): a bijection of 64-bit integers that scatters bits."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def _below(bound: int, state: int) -> tuple[int, int]:
    """Draws an integer of [0, bound) without bias; returns it and the next state of the generator."""
    limit = (1 << 64) - (1 << 64) % bound
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        draw = _mix(state)
        if draw < limit:
            return draw % bound, state


@lru_cache(maxsize=16)
def permutation(n: int, task_seed: int, epoch: int) -> tuple[int, ...]:
    """The order of ``n`` tasks in one epoch.

    Fisher-Yates with SplitMix64 in plain integers, so the order is the same on every machine, Python and numpy.

    Args:
        n: Number of tasks, at least 1.
        task_seed: Any integer; equal seeds give equal orders.
        epoch: Which epoch, from 0.

    Returns:
        ``n`` distinct positions of the task list, in the order in which they are played.
    """
    order = list(range(n))
    state = _mix((_mix(task_seed & _MASK) + epoch) & _MASK)
    for last in range(n - 1, 0, -1):
        pick, state = _below(last + 1, state)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def reset_options(given: Any) -> dict[str, Any]:
    """Returns a copy of the options of a reset, {} for None.

    Raises:
        InvalidOptionError: They are no mapping.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidOptionError(
            f"reset got options={given!r:.80} ({type(given).__name__})",
            "options are a dict of options by name, or None",
            'pass {"task_id": id} for the task of that id, or leave them out',
        )
    return dict(given)


class TaskOrder:
    """A task set with its order.

    Place ``s`` of the endless order is task ``permutation(s div n)[s mod n]``: what ``reset(seed=s)`` plays.

    Args:
        ids: Task ids, distinct, at least one.
        task_seed: Fixes the permutation of every epoch.

    Raises:
        InvalidOptionError: The task set is empty or names a task twice.
    """

    def __init__(self, ids: Sequence[str], task_seed: int = 0) -> None:
        self.ids = tuple(ids)
        self.task_seed = task_seed
        self._position = {task_id: position for position, task_id in enumerate(self.ids)}
        if not self.ids:
            raise InvalidOptionError("The task set is empty", "an environment needs at least one task", "name task ids")
        if len(self._position) != len(self.ids):
            twice = next(task_id for position, task_id in enumerate(self.ids) if self._position[task_id] != position)
            raise InvalidOptionError(f"Task {twice!r} is listed twice", "task ids are distinct", "name each id once")

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, task_id: object) -> bool:
        return task_id in self._position

    def at(self, place: int) -> str:
        """The task id at a place (0, 1, 2, …) of the endless order."""
        epoch, position = divmod(place, len(self.ids))
        return self.ids[permutation(len(self.ids), self.task_seed, epoch)[position]]

    def place_of(self, task_id: str, epoch: int = 0) -> int:
        """The place of a task in an epoch: the inverse of :meth:`at`.

        Raises:
            TaskNotFoundError: The task is not in this set.
            InvalidOptionError: The epoch is negative, where no seed leads.
        """
        self.require(task_id)
        if epoch < 0:
            raise InvalidOptionError(f"epoch={epoch}", "epochs are counted from 0", "ask for epoch 0 or a later one")
        order = permutation(len(self.ids), self.task_seed, epoch)
        return epoch * len(self.ids) + order.index(self._position[task_id])

    def require(self, task_id: str) -> str:
        """Returns the id when it is in the set.

        Raises:
            TaskNotFoundError: The task is not in this set.
        """
        if not isinstance(task_id, str) or task_id not in self._position:
            raise TaskNotFoundError(
                f"Task {task_id!r} is not in this environment's {len(self.ids)} tasks (the first is {self.ids[0]!r})",
                "a task id comes from the environment's own task set",
                "take one of env.unwrapped.tasks, or make the environment with a subset that holds it",
            )
        return task_id
