"""Integers of one attempt at a task, drawn one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np


@dataclass
class Draw:
    """Integers of one attempt."""

    raw: list[int]
    at: int = 0

    @property
    def left(self) -> int:
        """How many integers are left."""
        return len(self.raw) - self.at

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to bound - 1."""
        value = self.raw[self.at] * bound >> 32
        self.at += 1
        return value

    def weighted(self, weights: Iterable[int]) -> int:
        """Draw a place by integer weights."""
        table = np.cumsum(np.fromiter(weights, dtype=np.int64))
        return int(np.searchsorted(table, self.below(int(table[-1])), side="right"))

    def percent(self, share: int) -> bool:
        """Draw a yes with a probability in percent."""
        return self.below(100) < share


Draws = Callable[[int], Draw]
"""Gives so many fresh integers."""
