"""Who is called what, works where on what, and wrote which papers: a world counted through.

Everything here comes from the world's facts and the tables made of them, nothing from the indexes that the APIs search,
so that an answer of the APIs can be compared with the truth.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from scholar_env.corpus import Corpus
from scholar_env.graph.kg_build import author_measures, author_names, papers_by_author
from scholar_env.graph.kg_names import folded
from scholar_env.graph.kg_tables import GraphTables

from .choice import Ints
from .knowledge import graph_tables
from .recent import Recent
from .tables import load_world
from .translations import TOPICS
from .world import World


@dataclass(frozen=True)
class Census:
    """A world's people, papers, venues and organizations, by row.

    Attributes:
        world: The world.
        tables: The tables of its knowledge graph.
    """

    world: World
    tables: GraphTables

    @cached_property
    def by_name(self) -> dict[str, set[int]]:
        """Folded wording of a name -> authors who are found under it."""
        found: dict[str, set[int]] = defaultdict(set)
        for name, row in author_names(self.tables.authors):
            found[folded(name)].add(row)
        return found

    @cached_property
    def by_topic(self) -> dict[str, set[int]]:
        """Interest -> authors."""
        found: dict[str, set[int]] = defaultdict(set)
        for row, topics in enumerate(self.tables.authors.interests):
            for topic in topics:
                found[topic].add(row)
        return found

    @cached_property
    def by_org(self) -> dict[int, set[int]]:
        """Organization -> authors."""
        found: dict[int, set[int]] = defaultdict(set)
        for row, org in enumerate(self.tables.authors.org.tolist()):
            found[org].add(row)
        return found

    @cached_property
    def topic_papers(self) -> dict[str, set[int]]:
        """Keyword -> papers that are about it."""
        found: dict[str, set[int]] = defaultdict(set)
        for row, words in enumerate(self.tables.papers.keywords):
            for word in words:
                found[word].add(row)
        return found

    @cached_property
    def papers_of(self) -> list[set[int]]:
        """The papers of each author."""
        starts, rows = papers_by_author(self.tables.papers, len(self.tables.authors.keys))
        return [set(rows[starts[at] : starts[at + 1]].tolist()) for at in range(len(starts) - 1)]

    @cached_property
    def authors_of(self) -> list[list[int]]:
        """The authors of each paper in order."""
        papers = self.tables.papers
        starts, authors = papers.author_starts.tolist(), papers.authors.tolist()
        return [authors[starts[at] : starts[at + 1]] for at in range(len(starts) - 1)]

    @cached_property
    def org_papers(self) -> dict[int, set[int]]:
        """Organization -> papers with an author of it."""
        found: dict[int, set[int]] = defaultdict(set)
        orgs = self.tables.authors.org.tolist()
        for row, authors in enumerate(self.authors_of):
            for author in authors:
                found[orgs[author]].add(row)
        return found

    @cached_property
    def venue_papers(self) -> dict[int, set[int]]:
        """Venue -> papers."""
        found: dict[int, set[int]] = defaultdict(set)
        for row, venue in enumerate(self.tables.papers.venue.tolist()):
            if venue >= 0:
                found[venue].add(row)
        return found

    @cached_property
    def measures(self) -> dict[str, list[int]]:
        """Measures of each author: n_pubs, n_citation, h_index."""
        starts, rows = papers_by_author(self.tables.papers, len(self.tables.authors.keys))
        return {name: values.tolist() for name, values in author_measures(self.tables.papers, starts, rows).items()}

    @cached_property
    def titles(self) -> dict[str, set[int]]:
        """Folded title -> papers."""
        found: dict[str, set[int]] = defaultdict(set)
        for row, title in enumerate(self.tables.papers.titles):
            found[folded(title)].add(row)
        return found

    @cached_property
    def namesakes(self) -> Ints:
        """Authors who share their name with another."""
        return np.array(
            [row for row, name in enumerate(self.tables.authors.names) if len(self.by_name[folded(name)]) > 1],
            dtype=np.int64,
        )

    @cached_property
    def topics(self) -> list[str]:
        """Interests that at least three authors have, fields left out, sorted."""
        fields = {subfield.title for subfield in self.world.ontology.subfields}
        return sorted(topic for topic, rows in self.by_topic.items() if len(rows) > 2 and topic not in fields)

    @cached_property
    def year(self) -> list[int]:
        """Year of each paper."""
        years: list[int] = self.tables.papers.year.tolist()
        return years

    @cached_property
    def citations(self) -> list[int]:
        """Citations of each paper."""
        counts: list[int] = self.tables.papers.citations.tolist()
        return counts

    @cached_property
    def listed(self) -> list[bool]:
        """Whether the paper search finds each paper."""
        flags: list[bool] = self.tables.papers.listed.tolist()
        return flags

    def top_papers(self, rows: set[int], count: int) -> list[int] | None:
        """The most cited of some papers, the most cited first; None where a tie leaves that open."""
        return _top({row: self.citations[row] for row in rows}, count)

    def newest(self, rows: set[int], count: int) -> list[int] | None:
        """The newest of some papers, by year and then citations; None where a tie leaves that open."""
        return _top({row: self.year[row] * 1_000_000 + self.citations[row] for row in rows}, count)

    def top_authors(self, rows: set[int], measure: str, count: int) -> list[int] | None:
        """The authors with the highest measure, the highest first; None where a tie leaves that open."""
        values = self.measures[measure]
        return _top({row: values[row] for row in rows}, count)

    def chinese(self, topic: str) -> str:
        """The Chinese name of a topic, "" where it has none."""
        return TOPICS.get(topic, "")


def _top(values: dict[int, int], count: int) -> list[int] | None:
    order = sorted(values, key=lambda row: (-values[row], row))
    if len(order) < count:
        return None
    bounds = [values[row] for row in order[: count + 1]]
    return order[:count] if all(a > b for a, b in pairwise(bounds)) else None


_recent: Recent[Census] = Recent(8)


def census_of(corpus: Corpus) -> Census:
    """The census of a world, the same object for the last few worlds.

    Raises:
        InvalidOptionError: The corpus is no world.
    """
    return _recent.get(corpus.fingerprint, lambda: Census(load_world(corpus), graph_tables(corpus)))
