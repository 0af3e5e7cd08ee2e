"""Columns of the facts as the renderer reads them: Python integers, made when they are asked for.

Whole columns as lists are quicker, but at 50,000 papers they take 150 MiB; `Shared` holds only the short ones so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def column(values: NDArray[Any]) -> Sequence[int]:
    """A column of one number a paper, or a reference."""
    return np.ascontiguousarray(values).data


class Rows:
    """A column with a list of numbers for each paper, or a list of lists.

    Args:
        table: The column [papers, …].
    """

    def __init__(self, table: NDArray[Any]) -> None:
        self._table = table

    def __getitem__(self, row: int) -> Any:
        return cast("list[Any]", self._table[row].tolist())
