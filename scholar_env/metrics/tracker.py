"""What the measures of an episode look like from outside, whatever the family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Tracker(Protocol):
    """Metrics of one episode, updated after every call.

    A tracker can be copied with its episode (``copy.deepcopy``). The first :meth:`update` of a new one reads everything
    that has happened, so a restored episode gets a new tracker. Measures do not depend on an end by an infrastructure
    failure: the state is that before the call, and so are the metrics.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Keys that :meth:`update` returns: the family's metrics, then the further terms."""
        ...

    @property
    def rows(self) -> Sequence[dict[str, float]]:
        """One row an iteration, a call or a turn, with the family's columns; fresh copies."""
        ...

    def update(self, episode: Any) -> dict[str, float]:
        """Reads what is new and returns all metrics as floats, NaN where one is undefined."""
        ...
