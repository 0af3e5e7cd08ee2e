"""References as sorted pairs of rows, with the look-ups that planting papers needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .choice import Flags, Ints


@dataclass(frozen=True)
class Edges:
    """References as pairs of rows, sorted by (source, target) as soon as one asks for the keys."""

    size: int
    source: Ints
    target: Ints

    @cached_property
    def keys(self) -> Ints:
        """The numbers source * size + target, sorted."""
        return np.sort(self.source * self.size + self.target)

    @cached_property
    def starts(self) -> Ints:
        """Where the references of each row start in `targets`."""
        return np.searchsorted(self.keys, np.arange(self.size + 1) * self.size)

    @cached_property
    def targets(self) -> Ints:
        """Targets in the order of the keys."""
        return self.keys % self.size

    @cached_property
    def reversed(self) -> Edges:
        """The same pairs from cited to citing."""
        return Edges(self.size, self.target, self.source)

    def has(self, source: Ints, target: Ints) -> Flags:
        """Tell which pairs are there."""
        wanted = source * self.size + target
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return self.keys[place] == wanted if len(self.keys) else np.zeros(len(wanted), dtype=np.bool_)

    def only(self, flags: Flags) -> Edges:
        """Some of the pairs."""
        return Edges(self.size, self.source[flags], self.target[flags])

    def with_keys(self, keys: Ints) -> Edges:
        """Pairs of other keys, each once."""
        keys = np.sort(keys)
        keys = keys[np.diff(keys, prepend=-1) > 0]
        return Edges(self.size, keys // self.size, keys % self.size)

    def without(self, source: Ints, target: Ints) -> Edges:
        """The pairs that are left when some are dropped."""
        kept = np.ones(len(self.keys), dtype=np.bool_)
        kept[np.searchsorted(self.keys, source * self.size + target)] = False
        return self.with_keys(self.keys[kept])

    def joined(self, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
        """For each pair (left, right): its number, left, and each reference of right."""
        counts = self.starts[right + 1] - self.starts[right]
        number = np.repeat(np.arange(len(right)), counts)
        offset = np.arange(len(number)) - np.repeat(np.cumsum(counts) - counts, counts)
        return number, left[number], self.targets[self.starts[right][number] + offset]
