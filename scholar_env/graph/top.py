"""The papers with the best scores, in an order that does not depend on chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.gather import Ints, Rows


def top_rows(
    scores: NDArray[np.float64],
    id_rank: Rows,
    k: int,
    *,
    largest: bool,
    among: NDArray[np.bool_] | None = None,
) -> Ints:
    """The k best rows, best first; of equal scores the smaller id first.

    Args:
        scores: float64 [papers]; NaN is unscored.
        id_rank: Order of the ids by row.
        k: How many at most.
        largest: Whether large scores are good (disruption), or small ones (novelty).
        among: Rows that may be taken; all by default.
    """
    scored = ~np.isnan(scores) if among is None else among & ~np.isnan(scores)
    rows = np.flatnonzero(scored)
    order = np.lexsort((id_rank[rows], -scores[rows] if largest else scores[rows]))
    return rows[order[:k]]
