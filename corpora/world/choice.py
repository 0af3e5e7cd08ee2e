"""Draws by integer weights, a whole column at a time: cumulative tables, no floating point."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .streams import below, column

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def pick(draws: NDArray[np.uint64], weights: Any) -> Ints:
    """Draw a place for each draw, by the same weights.

    Args:
        draws: 32-bit integers [n].
        weights: Non-negative integers [m] with a sum from 1 to 2**32.
    """
    table = np.cumsum(np.asarray(weights, dtype=np.int64))
    return cast("Ints", np.searchsorted(table, below(draws, int(table[-1])), side="right").astype(np.int64))


def pick_rows(draws: NDArray[np.uint64], weights: Ints) -> Ints:
    """Draw a place in each row of a table of weights; -1 where a row has none.

    Args:
        draws: 32-bit integers [n].
        weights: Non-negative integers [n, m], row sums below 2**32.
    """
    if weights.shape[1] == 0:
        return np.full(len(draws), -1, dtype=np.int64)
    table = np.cumsum(weights, axis=1)
    totals = table[:, -1]
    wanted = below(draws, np.maximum(totals, 1))
    places = (table <= wanted[:, None]).sum(axis=1)
    return cast("Ints", np.where(totals > 0, places, -1).astype(np.int64))


def shuffled(seed: int, purpose: str, size: int) -> Ints:
    """A random order of 0 … size - 1."""
    return cast("Ints", np.argsort(column(seed, purpose, size), kind="stable").astype(np.int64))


def chance(seed: int, purpose: str, size: int, permille: int) -> Flags:
    """Flags that are true with a probability in thousandths."""
    return below(column(seed, purpose, size), 1000) < permille


def skewed(seed: int, purpose: str, size: int, offset: int = 4) -> Ints:
    """Weights that fall like 1/rank over a random order; a smaller `offset` is steeper."""
    weights = np.empty(size, dtype=np.int64)
    weights[shuffled(seed, purpose, size)] = (1 << 16) // (np.arange(size, dtype=np.int64) + offset)
    return weights


def apportion(total: int, weights: Any) -> Ints:
    """Split a total into integers in proportion to weights (largest remainders; the earlier wins a tie)."""
    parts = np.asarray(weights, dtype=np.int64)
    whole = int(parts.sum())
    shares = total * parts // whole
    rest = total * parts - shares * whole
    missing = total - int(shares.sum())
    shares[np.argsort(-rest, kind="stable")[:missing]] += 1
    return shares
