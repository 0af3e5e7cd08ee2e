"""What can be compared between papers: attributes with an order, and relations of one paper to another."""

from __future__ import annotations

import numpy as np

from .choice import Flags, Ints
from .complit_classes import BY_NAME
from .facts import FIGURE_KINDS
from .predicates import rivals_of
from .world import World

ORDERED = {
    "size": ("tiny", "small", "medium", "large", "massive"),
    "latency": ("micro", "milli", "seconds", "hours", "weeks"),
    "horizon": ("moment", "days", "months", "years", "decades"),
    "stage": ("concept", "prototype", "pilot", "routine", "product"),
}
"""Attributes whose values have an order, with the slugs of these from least to most."""


RECORD = ("year", "author")
"""What the bibliographic record tells, not the text."""


class Compared:
    """What papers have more or less of.

    Args:
        world: The world.

    Attributes:
        amounts: By what is compared: int64 [papers], -1 where a paper has none.
        relations: Names of the relations.
    """

    def __init__(self, world: World) -> None:
        facts = world.facts
        self.relations = frozenset(BY_NAME)
        self.amounts: dict[str, Ints] = {"year": facts.month.astype(np.int64) // 12}
        for at, attribute in enumerate(world.ontology.attributes):
            if attribute.id in ORDERED:
                ranks = [ORDERED[attribute.id].index(value.id.partition("/")[2]) for value in attribute.values]
                values = facts.attributes[:, at].astype(np.int64)
                self.amounts[attribute.id] = np.where(values >= 0, np.array(ranks)[values], -1)
        is_ordering = facts.figures.kind == FIGURE_KINDS.index("ordering")
        counts = np.where(is_ordering, (facts.figures.series >= 0).sum(axis=-1), -1)
        self.amounts["rivals"] = counts.max(axis=1).astype(np.int64)
        self.amounts["gain"] = np.where(self.amounts["rivals"] > 0, facts.gain.astype(np.int64), -1)
        self._dataset, self._baseline = facts.dataset, rivals_of(facts)
        people = facts.people
        self._starts, self._authors, self._names = people.paper_starts, people.paper_authors, people.author_names
        self._papers_of: dict[str, list[int]] = {}
        paper = np.repeat(np.arange(len(facts.line)), np.diff(people.paper_starts)).tolist()
        for row, author in zip(paper, people.paper_authors.tolist(), strict=True):
            self._papers_of.setdefault(people.author_names[author], []).append(row)

    def flags(self, name: str, other: int) -> Flags:
        """Papers that stand in a relation to another one, which itself does not: bool [papers]."""
        relation = BY_NAME[name]
        if relation.more:
            amounts = self.amounts[relation.by]
            base = amounts[other]
            return np.asarray((amounts >= 0) & (base >= 0) & ((amounts - base) * relation.more > 0))
        if relation.by == "baseline":
            return np.asarray(self._baseline == other)
        if relation.by == "dataset":
            found = np.asarray(self._dataset == self._dataset[other])
        else:
            found = np.zeros(len(self._dataset), dtype=np.bool_)
            for author in self._authors[self._starts[other] : self._starts[other + 1]].tolist():
                found[self._papers_of[self._names[author]]] = True
        found[other] = False
        return found
