"""Makes ScholarGym tasks of a world: a paper, constraints that it stands for, their gold, and a question."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task

from .draws import Draw
from .predicates import CONCEPTS, NAMES, Constraint, Predicates, Rows
from .query_classes import NOUN_FACETS, SOURCES
from .questions import LEVELS, Questions, Wanted
from .render.words import FUNCTION
from .streams import Blocks
from .task_constraints import ConstraintDraw
from .task_goal import Goal
from .task_gold import Found, GoldFinder
from .task_mix import TaskMix
from .world import World

ATTEMPTS = 1 << 10
"""Draws of a question before it is given up."""

STRIDE = 160
"""32-bit draws of an attempt."""


class TaskMaker:
    """Makes the tasks of a world, one by one.

    Args:
        world: The world.
        mix: Quotas and knobs.
        purpose: Key of the draws; another one gives other tasks.
    """

    def __init__(self, world: World, mix: TaskMix | None = None, purpose: str = "tasks") -> None:
        self.world, self.mix = world, mix or TaskMix()
        self.predicates = Predicates(world)
        self.questions = Questions(world.ontology, world.spec, world.facts)
        self._constraints = ConstraintDraw(world, self.predicates)
        self._gold = GoldFinder(world, self.mix, self.predicates)
        self._blocks = Blocks(world.spec.seed, f"{purpose}/{self.mix.date_rule}")
        facts = world.facts
        self._month = facts.month.astype(np.int64)
        self._plain = np.flatnonzero((facts.day >= 0) & ~facts.survey & (facts.copy_of < 0))
        targets = facts.graph.targets.astype(np.int64)
        self._cited = targets[np.isin(targets, self._plain)]
        by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
        self._subfields = [by_id[name] for name in facts.subfields]
        if not len(self._plain) or not len(self._cited):
            raise InvalidOptionError(
                "a world without citations has no tasks", "its papers cite each other", "make it larger"
            )

    def task(self, number: int, task_id: str, source: str = "") -> Task:
        """Make a task.

        Args:
            number: From 0 on; decides the task.
            task_id: Its id.
            source: Key of `query_classes.SOURCES`; drawn by the mix's weights when empty.

        Raises:
            InvalidOptionError: No valid question was found; the world is too small for the mix.
        """
        return self.explained(number, task_id, source)[0]

    def explained(self, number: int, task_id: str, source: str = "") -> tuple[Task, Found]:
        """Make a task and tell the predicate behind it; arguments and errors as `task`."""
        plan = Draw(self._blocks.raw(number * ATTEMPTS, STRIDE))
        drawn = list(SOURCES)[plan.weighted((self.mix.citation, self.mix.attribute, self.mix.specific))]
        source = source or drawn
        goal = Goal.draw(source, self.mix, plan)
        for attempt in range(1, ATTEMPTS):
            if attempt % 128 == 0:
                goal = goal.relaxed()
            draw = Draw(self._blocks.raw(number * ATTEMPTS + attempt, STRIDE))
            made = self._attempt(goal, draw, task_id)
            if made is not None:
                return made
        raise InvalidOptionError(
            f"no question {number} of source {source} in a world of {self.world.spec.papers} papers",
            f"{ATTEMPTS} draws find one",
            "take a larger world or other weights of the task mix",
        )

    def _attempt(self, goal: Goal, draw: Draw, task_id: str) -> tuple[Task, Found] | None:
        pool = self._cited if draw.percent(self.mix.famous) else self._plain
        some = [int(pool[draw.below(len(pool))]) for _ in range(self.mix.recent)]
        target = max(some, key=self._month.__getitem__)
        shape = goal.shapes[draw.weighted(shape.weight for shape in goal.shapes)]
        constraints = self._constraints.of(target, shape, draw)
        if constraints is None:
            return None
        found = self._gold.find(target, constraints, goal, draw)
        if found is None or not self._is_supported(found):
            return None
        wanted = self._wanted(found, goal, draw)
        question = self.questions.word(wanted, draw.raw, draw.at)
        if question is None:
            return None
        return self._task(task_id, question, found, goal, wanted), found

    def _wanted(self, found: Found, goal: Goal, draw: Draw) -> Wanted:
        """Decide how concepts are worded: by the mix's levels, and mostly otherwise than the gold words them."""
        subfield = int(self.world.facts.subfield[found.gold[0]])
        levels: dict[str, int] = {}
        avoid: dict[str, frozenset[str]] = {}
        for place, letter in enumerate(CONCEPTS):
            concept = next((entry for entry in found.constraints if entry.kind == letter), None)
            if concept is None:
                continue
            weights: tuple[int, ...] = (0, 0, 1) if goal.functional else self.mix.levels
            if draw.percent(self.mix.unlike):
                avoid[letter] = self._worded(found.gold, place, concept)
                fresh = self.questions.fresh_levels(subfield, concept, avoid[letter])
                kept = tuple(weight * free for weight, free in zip(weights, fresh, strict=True))
                weights = kept if any(kept) else weights
            if FUNCTION in levels.values() and not goal.functional and any(weights[:-1]):
                weights = (*weights[:-1], 0)  # two riddles in a question are hard to read
            levels[letter] = 1 + draw.weighted(weights)
        return Wanted(subfield, found.constraints, levels, avoid, goal.source)

    def _worded(self, gold: Rows, place: int, concept: Constraint) -> frozenset[str]:
        """The wordings of a concept that occur in the title or abstract of at least half of some papers."""
        forms = self._subfields[int(self.world.facts.subfield[gold[0]])].concepts[concept.value].forms
        bits = self.world.statements.forms[gold, place].astype(np.int64)
        used = [2 * int((bits >> at & 1).sum()) >= len(gold) for at in range(len(forms))]
        return frozenset(form.text for form, is_used in zip(forms, used, strict=True) if is_used)

    def _is_supported(self, found: Found) -> bool:
        """Whether at least half of the gold papers state every constraint in title or abstract."""
        said = sum(
            all(self.predicates.stated(row, constraint) for constraint in found.constraints)
            for row in found.gold.tolist()
        )
        return 2 * said >= len(found.gold)

    def _task(self, task_id: str, question: str, found: Found, goal: Goal, wanted: Wanted) -> Task:
        facts = self.world.facts
        facets = [constraint.kind for constraint in found.constraints if constraint.kind not in CONCEPTS]
        names = [facet for facet in facets if facet in NAMES]
        labels = {
            "type": "functional" if goal.functional else "name" if names else "ask" if has_ask(facets) else "topic",
            "wording": " ".join(f"{letter}:{LEVELS[level]}" for letter, level in wanted.levels.items()),
            "facets": ",".join(facets),
            "subfield": facts.subfields[wanted.subfield],
        }
        if found.citing >= 0:
            labels["co_cited"] = "yes" if self._gold.cites(found.citing, found.gold) else "no"
        gold = tuple(facts.ids[row] for row in found.gold.tolist())
        bound = f"{found.bound // 12:04}-{found.bound % 12 + 1:02}"
        return Task(task_id, question, bound, gold, SOURCES[goal.source], labels)


def has_ask(facets: Iterable[str]) -> bool:
    """Whether a facet is an attribute."""
    return any(facet not in NAMES and facet not in NOUN_FACETS for facet in facets)
