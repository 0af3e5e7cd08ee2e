"""The ScholarGym tasks of a world: questions whose gold sets are exact, because predicates over the facts decide them.

Citation questions start from a citing paper and one of its references, attribute questions ask for larger sets,
specific ones for a single paper. Task n of a world depends on the world's seed and n alone.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from scholar_env.errors import InvalidOptionError
from scholar_env.index.base import Index
from scholar_env.records import Task
from scholar_env.subsets import label_task

from .choice import apportion, shuffled
from .draws import Draw
from .facts import CAST
from .predicates import CONCEPTS, NAMES, Constraint, Predicates, Rows
from .query_classes import ASK, NOUN_FACETS, SOURCES
from .questions import LEVELS, Questions, Wanted
from .render.words import FUNCTION
from .streams import Blocks
from .task_mix import Shape, TaskMix
from .task_subsets import HARD_RULE, world_subsets
from .world import World, WorldTasks

ALL = 2458
"""Questions of the fixed task set, as many as the release has with gold; a world has no more than papers."""

ATTEMPTS = 1 << 10
"""Draws of a question before it is given up."""

STRIDE = 160
"""32-bit draws of an attempt."""

NOUNS_DRAWN = 3
"""Of so many nouns of a paper the one that most papers share is asked for."""

FACET_OF_PART = {part: facet for facet, parts in NOUN_FACETS.items() for part in parts}


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
        self._blocks = Blocks(world.spec.seed, f"{purpose}/{self.mix.date_rule}")
        facts = world.facts
        self._month = facts.month.astype(np.int64)
        self._dated = facts.day >= 0
        self._plain = np.flatnonzero(self._dated & ~facts.survey & (facts.copy_of < 0))
        self._citers = citers_of(world)
        targets = facts.graph.targets.astype(np.int64)
        self._cited = targets[np.isin(targets, self._plain)]
        self._attributes = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
        self._subfields = [by_id[name] for name in facts.subfields]
        self._shared = shared_concepts(world)
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
        constraints = self._constraints(target, shape, draw)
        if constraints is None:
            return None
        found = self._gold(target, constraints, goal, draw)
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

    def _constraints(self, target: int, shape: Shape, draw: Draw) -> tuple[Constraint, ...] | None:
        """Constraints of a shape that a paper satisfies and states; None where it states too little."""
        facts = self.world.facts
        places = {"P": facts.problem, "M": facts.method, "O": facts.object}
        concepts = [Constraint(letter, int(places[letter][target])) for letter in CONCEPTS if letter in shape.concepts]
        if len(concepts) == 1 and (int(facts.subfield[target]), concepts[0].value) in self._shared:
            return None
        options = [
            Constraint(facet, int(facts.cast[target, place]))
            for place, part in enumerate(CAST)
            if (facet := FACET_OF_PART.get(part)) and facts.cast[target, place] >= 0
        ]
        chosen: list[Constraint] = []
        kinds: set[str] = set()
        for _ in range(shape.nouns):
            open_ = [option for option in options if option.kind not in kinds]
            open_ = [option for option in open_ if self.predicates.stated(target, option)]
            if not open_:
                return None
            chosen.append(self._common(int(facts.subfield[target]), open_, draw))
            kinds.add(chosen[-1].kind)
        for other in shape.others:
            extra = self._other(target, other, draw)
            if extra is None or not self.predicates.stated(target, extra):
                return None
            chosen.append(extra)
        return (*concepts, *chosen)

    def _common(self, subfield: int, options: list[Constraint], draw: Draw) -> Constraint:
        """The most common one of a few nouns drawn."""
        some = [options[draw.below(len(options))] for _ in range(NOUNS_DRAWN)]
        return max(some, key=lambda option: self.predicates.holders(subfield, option.value))

    def _other(self, target: int, facet: str, draw: Draw) -> Constraint | None:
        facts = self.world.facts
        if facet == ASK:
            ids = [name for name, place in self._attributes.items() if facts.attributes[target, place] >= 0]
            said = [
                constraint
                for name in ids
                if self.predicates.stated(
                    target, constraint := Constraint(name, int(facts.attributes[target, self._attributes[name]]))
                )
            ]
            return said[draw.below(len(said))] if said else None
        if facet == "dataset":
            return Constraint(facet, int(facts.dataset[target]))
        if facet == "system":
            return Constraint(facet, int(facts.name[target]))
        baseline = int(facts.baseline[target])
        return Constraint(facet, baseline if baseline >= 0 else -2 - int(facts.rival[target]))

    def _gold(self, target: int, constraints: tuple[Constraint, ...], goal: Goal, draw: Draw) -> Found | None:
        """The gold of a predicate under a date bound that fits the goal."""
        rows = self.predicates.rows(int(self.world.facts.subfield[target]), constraints)
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
                    bool(fit) and self._cites(paper, rows[:count])
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
        bound = before if citing >= 0 and self.mix.date_rule == "citing" else newest
        if draw.below(1000) < self.mix.later:
            later = newest + 1 + draw.below(12)
            if int((months <= later).sum()) == len(gold):
                bound = max(bound, later)
        return Found(constraints, gold, bound, citing)

    def _cites(self, paper: int, gold: Rows) -> bool:
        graph = self.world.facts.graph
        references = graph.targets[graph.starts[paper] : graph.starts[paper + 1]]
        return bool(np.isin(gold, references).all())

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
            labels["co_cited"] = "yes" if self._cites(found.citing, found.gold) else "no"
        gold = tuple(facts.ids[row] for row in found.gold.tolist())
        bound = f"{found.bound // 12:04}-{found.bound % 12 + 1:02}"
        return Task(task_id, question, bound, gold, SOURCES[goal.source], labels)


def has_ask(facets: Iterable[str]) -> bool:
    """Whether a facet is an attribute."""
    return any(facet not in NAMES and facet not in NOUN_FACETS for facet in facets)


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


def citers_of(world: World) -> tuple[Rows, Rows]:
    """Who cites each paper: papers `sources[starts[i]:starts[i + 1]]` cite paper i, in order."""
    graph = world.facts.graph
    size = len(graph.starts) - 1
    source = np.repeat(np.arange(size), np.diff(graph.starts))
    order = np.argsort(graph.targets, kind="stable")
    counts = np.bincount(graph.targets, minlength=size)
    return np.concatenate([[0], np.cumsum(counts)]), source[order]


def shared_concepts(world: World) -> frozenset[tuple[int, int]]:
    """Concepts, as (subfield, place), one of whose wordings another subfield has too: alone they are no topic."""
    by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
    holders: dict[str, set[tuple[int, int]]] = {}
    for at, name in enumerate(world.facts.subfields):
        for place, concept in enumerate(by_id[name].concepts):
            for text in (*(form.text for form in concept.forms), concept.short):
                if text:
                    holders.setdefault(text.lower(), set()).add((at, place))
    return frozenset(place for places in holders.values() if len(places) > 1 for place in places)


def make_tasks(world: World, index: Index, mix: TaskMix | None = None) -> WorldTasks:
    """Make the fixed task set of a world: All, Test-Fast, Test-Hard, and what is left for training.

    Args:
        world: The world.
        index: Sparse index over its papers, row by row; measures the ranks that the labels hold.
        mix: Quotas and knobs; the released proportions by default.
    """
    mix = mix or TaskMix()
    maker = TaskMaker(world, mix)
    size = min(ALL, world.spec.papers)
    shares = apportion(size, (mix.citation, mix.attribute, mix.specific)).tolist()
    names = [name for name, share in zip(SOURCES, shares, strict=True) for _ in range(share)]
    order = shuffled(world.spec.seed, "task-sources", size).tolist()
    rows = {paper: row for row, paper in enumerate(world.facts.ids)}
    categories = world.facts.categories
    tasks = [
        label_task(task, rows.get, lambda row: categories[row][0], index, "all")
        for task in fresh_tasks(maker, [names[place] for place in order])
    ]
    return world_subsets(tasks, HARD_RULE)


def fresh_tasks(maker: TaskMaker, sources: list[str]) -> Iterator[Task]:
    """One task for each source, no question twice."""
    asked: set[str] = set()
    number = 0
    for place, source in enumerate(sources):
        task = maker.task(number, f"world-q{place + 1:04}", source)
        while task.question in asked:
            number += 1
            task = maker.task(number, task.id, source)
        asked.add(task.question)
        number += 1
        yield task


_makers: OrderedDict[int, tuple[weakref.ref[World], TaskMaker]] = OrderedDict()


def train_task(world: World, number: int) -> Task:
    """Task `number` of a world's endless training set.

    Args:
        world: The world.
        number: From 0 on.
    """
    return train_maker(world).task(number, f"w{world.spec.seed}-{number}")


def train_maker(world: World) -> TaskMaker:
    """The maker of a world's training tasks, kept for the last few worlds."""
    held = _makers.get(id(world))
    if held is not None and held[0]() is world:
        return held[1]
    maker = TaskMaker(world, purpose="train")
    _makers[id(world)] = (weakref.ref(world), maker)
    while len(_makers) > 64:
        _makers.popitem(last=False)
    return maker
