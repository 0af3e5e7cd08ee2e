"""The gold of a question: the papers that satisfy its constraints under a date bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .draws import Draw
from .predicates import Constraint, Predicates, Rows
from .task_goal import Goal
from .task_mix import TaskMix
from .world import World


@dataclass(frozen=True)
class Found:
    """A predicate with its gold.

    Attributes:
        gold: Rows, the oldest first.
        bound: Newest admissible month.
        citing: Row of the paper whose citation is asked about, -1 for none.
    """

    constraints: tuple[Constraint, ...]
    gold: Rows
    bound: int
    citing: int = -1


class GoldFinder:
    """Finds the gold of predicates.

    Args:
        world: The world.
        mix: Quotas and knobs.
        predicates: What its papers satisfy.
    """

    def __init__(self, world: World, mix: TaskMix, predicates: Predicates) -> None:
        self._facts, self._mix, self._predicates = world.facts, mix, predicates
        self._month = world.facts.month.astype(np.int64)
        self._dated = world.facts.day >= 0
        self._citers = citers_of(world)

    def find(self, target: int, constraints: tuple[Constraint, ...], goal: Goal, draw: Draw) -> Found | None:
        """The gold of a predicate under a date bound that fits the goal."""
        rows = self._predicates.rows(int(self._facts.subfield[target]), constraints)
        rows = rows[self._dated[rows]]
        rows = rows[np.argsort(self._month[rows], kind="stable")]
        months = self._month[rows]
        citing = -1
        if goal.source == "citation":
            starts, sources = self._citers
            citers = sources[starts[target] : starts[target + 1]]
            if not len(citers):
                return None
            counts = np.searchsorted(months, self._month[citers], side="left")
            fits = (counts >= goal.low) & (counts <= goal.high) & (self._month[citers] > self._month[target])
            if goal.co_cited:
                fits &= [
                    bool(fit) and self.cites(paper, rows[:count])
                    for paper, count, fit in zip(citers.tolist(), counts.tolist(), fits.tolist(), strict=True)
                ]
            fitting = citers[fits]
            if not len(fitting):
                return None
            citing = int(fitting[draw.below(len(fitting))])
            before = int(self._month[citing]) - 1
        elif goal.source == "attribute":
            if len(rows) < goal.low:
                return None
            size = goal.low + draw.below(min(goal.high, len(rows)) - goal.low + 1)
            before = int(months[size - 1])
        else:
            before = int(self._month[target])
        gold = rows[months <= before]
        if not goal.low <= len(gold) <= goal.high:
            return None
        newest = int(self._month[gold[-1]])
        bound = before if citing >= 0 and self._mix.date_rule == "citing" else newest
        if draw.below(1000) < self._mix.later:
            later = newest + 1 + draw.below(12)
            if int((months <= later).sum()) == len(gold):
                bound = max(bound, later)
        return Found(constraints, gold, bound, citing)

    def cites(self, paper: int, gold: Rows) -> bool:
        """Whether a paper cites all of some papers."""
        graph = self._facts.graph
        references = graph.targets[graph.starts[paper] : graph.starts[paper + 1]]
        return bool(np.isin(gold, references).all())


def citers_of(world: World) -> tuple[Rows, Rows]:
    """Who cites each paper: papers `sources[starts[i]:starts[i + 1]]` cite paper i, in order."""
    graph = world.facts.graph
    size = len(graph.starts) - 1
    source = np.repeat(np.arange(size), np.diff(graph.starts))
    order = np.argsort(graph.targets, kind="stable")
    counts = np.bincount(graph.targets, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]), source[order]
