"""Random bits by key: Philox in counter mode, raw output only, the same everywhere and in any order."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def key_of(seed: int, purpose: str) -> tuple[int, int]:
    """The Philox key of a purpose in a world: two 64-bit words."""
    digest = hashlib.blake2b(f"{seed}:{purpose}".encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def column(seed: int, purpose: str, size: int) -> NDArray[np.uint64]:
    """Draw `size` integers of 32 bits, one for each row of a table.

    Args:
        seed: The world's seed.
        purpose: What the draws are for; another purpose gives independent draws.
        size: How many.
    """
    bits = np.random.Philox(key=np.array(key_of(seed, purpose), dtype=np.uint64))
    return cast("NDArray[np.uint64]", bits.random_raw(size) >> np.uint64(32))


def below(draws: NDArray[np.uint64], bounds: Any) -> NDArray[np.int64]:
    """Scale 32-bit draws to 0 … bounds - 1 (a number, or one for each draw, each from 1 to 2**32)."""
    return cast("NDArray[np.int64]", (draws * np.asarray(bounds, dtype=np.uint64) >> np.uint64(32)).astype(np.int64))


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
