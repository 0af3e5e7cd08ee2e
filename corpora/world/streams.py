"""Random bits of a world by key; a whole column at a time (`scholar_env.streams`), or a block an item."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from scholar_env.streams import below, column, key_of

__all__ = ["Blocks", "below", "column", "key_of"]


class Blocks:
    """Draws of one purpose, a block an item, at a cost of microseconds a block.

    Args:
        seed: The world's seed.
        purpose: What the draws are for.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._bits = np.random.Philox(key=np.array(key_of(seed, purpose), dtype=np.uint64))
        self._state: Any = self._bits.state

    def raw(self, item: int, size: int) -> list[int]:
        """Return the first `size` 32-bit integers of an item's block (at most 2**33 of them)."""
        state = self._state
        state["state"]["counter"][:] = (0, 0, item, 0)
        state["buffer_pos"] = 4
        state["has_uint32"] = 0
        self._bits.state = state
        return cast("list[int]", (self._bits.random_raw(size) >> np.uint64(32)).tolist())
