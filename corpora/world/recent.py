"""What is dear to make and soon wanted again: the last few are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """The last few values, each under a key.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, V] = {}

    def get(self, key: str, make: Callable[[], V]) -> V:
        """The value of a key, made where it is not kept."""
        if key in self._kept:
            return self._kept[key]
        value = self._kept[key] = make()
        for old in list(self._kept)[: -self._most]:
            self._kept.pop(old, None)
        return value
