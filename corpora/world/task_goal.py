"""What is fixed of a task before papers are tried: source, shapes, size of the gold set."""

from __future__ import annotations

from dataclasses import dataclass

from .draws import Draw
from .task_mix import Shape, TaskMix


@dataclass(frozen=True)
class Goal:
    """What is fixed of a task before papers are tried, so that trying does not shift the quotas.

    Attributes:
        source: Key of `query_classes.SOURCES`.
        shapes: What it may combine.
        functional: Whether it holds three functional descriptions and nothing else.
        low, high: Least and largest gold set.
        co_cited: Whether the citing paper cites all of the gold.
    """

    source: str
    shapes: tuple[Shape, ...]
    functional: bool
    low: int
    high: int
    co_cited: bool

    @classmethod
    def draw(cls, source: str, mix: TaskMix, draw: Draw) -> Goal:
        """Draw a goal."""
        if source == "attribute":
            return cls(source, mix.attribute_shapes, False, *mix.attribute_gold, False)
        if source == "specific":
            return cls(source, mix.specific_shapes, False, 1, 1, False)
        functional = draw.percent(mix.functional)
        size = 1 + draw.weighted(mix.gold_sizes)
        slack = size // 4
        shapes = (Shape("PMO", 0),) if functional else mix.citation_shapes
        return cls(source, shapes, functional, size - slack, size + slack, draw.percent(mix.co_cited))

    def relaxed(self) -> Goal:
        """The goal for a world in which it is hard to reach: other sizes, no co-citation."""
        low = max(1, self.low - 1 if self.source != "attribute" else self.low * 2 // 3)
        high = self.high if self.source == "specific" else self.high + 1
        return Goal(self.source, self.shapes, self.functional, low, high, False)
