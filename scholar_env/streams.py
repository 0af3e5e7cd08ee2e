"""Random bits by key: Philox in counter mode, raw output only, the same everywhere and in any order."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def key_of(seed: int, purpose: str) -> tuple[int, int]:
    """The Philox key of a purpose under a seed: two 64-bit words."""
    digest = hashlib.blake2b(f"{seed}:{purpose}".encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def column(seed: int, purpose: str, size: int) -> NDArray[np.uint64]:
    """Draw `size` integers of 32 bits, one for each row of a table.

    Args:
        seed: The seed.
        purpose: What the draws are for; another purpose gives independent draws.
        size: How many.
    """
    bits = np.random.Philox(key=np.array(key_of(seed, purpose), dtype=np.uint64))
    return cast("NDArray[np.uint64]", bits.random_raw(size) >> np.uint64(32))


def below(draws: NDArray[np.uint64], bounds: Any) -> NDArray[np.int64]:
    """Scale 32-bit draws to 0 … bounds - 1 (a number, or one for each draw, each from 1 to 2**32)."""
    return cast("NDArray[np.int64]", (draws * np.asarray(bounds, dtype=np.uint64) >> np.uint64(32)).astype(np.int64))
