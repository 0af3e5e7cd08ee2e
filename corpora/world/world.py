"""A world as values: what tasks are made from, whether it was built just now or read back from a corpus folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scholar_env.records import Task

from .facts import Facts
from .ontology import Ontology
from .spec import WorldSpec


@dataclass(frozen=True)
class Statements:
    """What the papers say of their facts, without the text.

    Bit ``1 << level`` of a cell is set where the paper states the fact at that level (`render.rendered.Statement`:
    1 name or explicit, 2 paraphrased, 3 functional description, or evidence whose halves stand apart).

    Attributes:
        codes: Name of the fact of each column: P, M, O, the cast, system, dataset, baseline, figures, then the ids of
            the attributes (`render.shared.Shared.fact_codes`).
        lead: uint8 [papers, facts]: what title and abstract say.
        body: uint8 [papers, facts]: what the full text says.
        forms: uint16 [papers, 3]: which wordings of the paper's problem, method and object occur word for word in title
            or abstract: bit n for `Concept.forms[n]`.
    """

    codes: tuple[str, ...]
    lead: NDArray[np.uint8]
    body: NDArray[np.uint8]
    forms: NDArray[np.uint16]

    def column(self, name: str) -> int:
        """Column of a fact by its name.

        Raises:
            ValueError: There is no such fact.
        """
        return self.codes.index(name)


@dataclass(frozen=True, eq=False)
class World:
    """Everything that predicates and queries need; paper row r is row r of every table and of the corpus's index.

    A world equals itself alone, so that what was made of it can be kept.
    """

    ontology: Ontology
    spec: WorldSpec
    facts: Facts
    statements: Statements


@dataclass(frozen=True)
class WorldTasks:
    """The tasks of a world: what `tasks.make_tasks(world, index)` returns.

    Attributes:
        tasks: In release order, with distinct ids and labelled; gold is ids of the corpus.
        subsets: Task ids by subset: all, test_fast, test_hard, train.
        notes: Sentences for ``corpus info`` where a set falls short of its rule.
    """

    tasks: tuple[Task, ...]
    subsets: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()
