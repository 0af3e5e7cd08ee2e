"""What the series of a figure show beyond the words beside it: claims that a reader has to work out from the points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .choice import Flags, Ints
from .complit_classes import SHAPES
from .facts import FIGURE_KINDS
from .world import World

MIDDLE = (2, 3)
"""Places where a series may turn."""


class Shapes:
    """The figures of a world, worked out.

    Args:
        world: The world.

    Attributes:
        falls: bool [papers, 2]: a trend goes down, or a turning curve dips.
    """

    def __init__(self, world: World) -> None:
        figures = world.facts.figures
        kind = figures.kind
        self._is = {name: kind == place for place, name in enumerate(FIGURE_KINDS) if name}
        self._series = figures.series.astype(np.int64)
        self._grid = figures.grid
        first, last = self._series[..., 0], self._series[..., -1]
        dips = self._series[..., 1:-1].min(axis=-1) < np.minimum(first, last)
        self.falls: Flags = np.where(self._is["peak"], dips, self._is["trend"] & (last < first))
        self._less_is_better = self._series[..., 0] < self._series[..., 1]
        self._flags = self._trends() | self._turns() | self._comparisons()

    def flags(self, shape: int) -> Flags:
        """Papers with a figure of a shape: bool [papers]."""
        return np.asarray(self._flags[SHAPES[shape]].any(axis=1))

    def figure(self, row: int, shape: int) -> int:
        """Place of a paper's first figure of a shape, -1 for none."""
        found = np.flatnonzero(self._flags[SHAPES[shape]][row])
        return int(found[0]) if len(found) else -1

    def ranked(self, better: int, worse: int) -> Flags:
        """Papers with a comparison in which the system of one paper does better than that of another: bool [papers].

        Args:
            better: Row of the one paper.
            worse: Row of the other.
        """
        left, right = self._value_of(better), self._value_of(worse)
        ahead = np.where(self._less_is_better, left < right, left > right)
        return np.asarray((self._is["ordering"] & (left >= 0) & (right >= 0) & ahead).any(axis=1))

    def ranking(self, row: int, place: int) -> list[int]:
        """Rows of the papers whose systems a figure compares, the best one first, without those of equal values."""
        pairs = [
            (value, paper)
            for value, paper in zip(self._series[row, place].tolist(), self._grid[row, place].tolist(), strict=True)
            if value >= 0
        ]
        values = [value for value, _ in pairs]
        order = sorted(pairs, reverse=not self._less_is_better[row, place])
        return [paper for value, paper in order if values.count(value) == 1]

    def _value_of(self, paper: int) -> Ints:
        """Value of a paper's system in each figure: int64 [papers, 2], -1 where it is not compared."""
        values: Ints = np.where(self._grid == paper, self._series, -1).max(axis=-1)
        return values

    def _trends(self) -> dict[str, Flags]:
        is_trend, series = self._is["trend"], self._series
        first, last = series[..., 0], series[..., -1]
        change = abs(last - first)
        return {
            "doubling": is_trend & (last >= 2 * first),
            "halving": is_trend & (2 * last <= first),
            "front-loaded": is_trend & (2 * abs(series[..., 2] - first) > change),
            "back-loaded": is_trend & (2 * abs(last - series[..., 3]) > change),
        }

    def _turns(self) -> dict[str, Flags]:
        is_peak, series = self._is["peak"], self._series
        first, last = series[..., 0], series[..., -1]
        top = np.where(self.falls, series.min(axis=-1), series.max(axis=-1))
        at = np.where(self.falls, series.argmin(axis=-1), series.argmax(axis=-1))
        high, low = np.maximum(first, last), np.minimum(first, last)
        return {
            "early-turn": is_peak & (at == MIDDLE[0]),
            "late-turn": is_peak & (at == MIDDLE[1]),
            "net-rise": is_peak & (last > first),
            "net-fall": is_peak & (last < first),
            "steep": is_peak & np.where(self.falls, 2 * top <= low, top >= 2 * high),
        }

    def _comparisons(self) -> dict[str, Flags]:
        is_ordering, series = self._is["ordering"], self._series
        shown = series >= 0
        own, rival = series[..., 0], series[..., 1]
        sign = np.where(self._less_is_better, -1, 1)[..., None]
        worst_first: NDArray[np.int64] = np.where(shown, series * sign, np.iinfo(np.int64).min)
        second = np.sort(worst_first, axis=-1)[..., -2] * sign[..., 0]
        last = np.where(shown, series * sign, np.iinfo(np.int64).max).min(axis=-1) * sign[..., 0]
        gap = abs(own - second)
        return {
            "neck-and-neck": is_ordering & (10 * gap <= own),
            "clear-lead": is_ordering & (4 * gap >= own),
            "crowded": is_ordering & (shown.sum(axis=-1) >= 4),
            "outsider-second": is_ordering & (second != rival),
            "wide-field": is_ordering & np.where(self._less_is_better, last >= 2 * own, 2 * last <= own),
        }
