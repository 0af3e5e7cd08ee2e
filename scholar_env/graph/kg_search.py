"""Searches over a knowledge graph: filters, sorting, sizes. Pure functions of the graph and a query.

Conditions of different kinds must all hold; the entries of one list are alternatives, but for co-authors, who must all
be there. Ties are decided by the other sort key, then by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import AUTHOR, ORG, VENUE
from scholar_env.graph.kg_names import NameIndex, folded
from scholar_env.graph.kg_tables import TIER_SOURCES
from scholar_env.graph.kg_terms import TermIndex, is_in
from scholar_env.text import snowball_en_tokens

Rows = NDArray[np.int32]

NO_ROWS: Rows = np.zeros(0, dtype=np.int32)


class Found(NamedTuple):
    """Rows of a result, best first, and how many there are in all."""

    rows: list[int]
    total: int


@dataclass(frozen=True, slots=True)
class PaperQuery:
    """What papers are wanted; the fields are the parameters of ``search_paper_id``, empty ones ask for nothing."""

    titles: Sequence[str] = ()
    keywords: Sequence[str] = ()
    years: Sequence[int] = ()
    is_sci: bool | None = None
    language: str = ""
    sort: str = "citation"
    author: str = ""
    author_id: str = ""
    coauthors: Sequence[str] = ()
    org: str = ""
    org_id: str = ""
    venues: Sequence[str] = ()
    venue_ids: Sequence[str] = ()
    size: int = 10


@dataclass(frozen=True, slots=True)
class AuthorQuery:
    """What authors are wanted; the fields are the parameters of ``search_author_id``."""

    name: str = ""
    org: str = ""
    interest: Sequence[str] = ()
    nation: Sequence[str] = ()
    order: str = "n_citation"
    ascending: bool = False
    size: int = 10


@dataclass(frozen=True, slots=True)
class VenueQuery:
    """What venues are wanted; the fields are the parameters of ``search_venue_id``.

    ``category_source`` is a name of :data:`~scholar_env.graph.kg_tables.TIER_SOURCES`.
    """

    name: str = ""
    exact: bool = False
    category: str = ""
    category_source: str = ""
    quartile: str = ""
    keywords: Sequence[str] = ()
    size: int = 10


def search_papers(graph: KnowledgeGraph, query: PaperQuery) -> Found:
    """Papers that the graph's own search finds, sorted by citations or year, most or newest first."""
    conditions = _paper_conditions(graph, query)
    conditions.sort(key=len)
    rows = conditions[0] if conditions else np.flatnonzero(graph.listed).astype(np.int32)
    for other in conditions[1:]:
        rows = rows[is_in(rows, other)]
    rows = rows[graph.listed[rows]]
    if query.years:
        rows = rows[np.isin(graph.year[rows], np.array(query.years, dtype=np.int64))]
    if query.is_sci is not None:
        rows = rows[graph.is_sci[rows] == query.is_sci]
    if query.language:
        wanted = query.language.strip().lower()
        rows = np.array([row for row in rows.tolist() if graph.papers.text("language", row) == wanted], dtype=np.int32)
    rank = graph.year_rank if query.sort == "year" else graph.citation_rank
    return Found(_first(rows, rank[rows], query.size), len(rows))


def _paper_conditions(graph: KnowledgeGraph, query: PaperQuery) -> list[Rows]:
    found: list[Rows] = []
    if query.titles:
        found.append(union(named(graph.title_names, title) for title in query.titles))
    if query.keywords:
        found.append(union(graph.paper_terms.rows(graph.english(word)) for word in query.keywords))
    if query.author:
        found.append(_papers_of(graph.papers_of_author, named(graph.author_names, query.author)))
    if query.author_id:
        found.append(_papers_of_id(graph, AUTHOR, query.author_id, graph.papers_of_author))
    found += [_papers_of(graph.papers_of_author, named(graph.author_names, name)) for name in query.coauthors]
    if query.org:
        found.append(_papers_of(graph.papers_of_org, orgs_named(graph, query.org)))
    if query.org_id:
        found.append(_papers_of_id(graph, ORG, query.org_id, graph.papers_of_org))
    if query.venues:
        venues = union(named(graph.venue_names, name) for name in query.venues)
        found.append(_papers_of(graph.papers_of_venue, venues))
    if query.venue_ids:
        lists = (_papers_of_id(graph, VENUE, name, graph.papers_of_venue) for name in query.venue_ids)
        found.append(union(lists))
    return found


def _papers_of(papers_of: Callable[[int], Rows], rows: Rows) -> Rows:
    return union(papers_of(row) for row in rows.tolist())


def _papers_of_id(graph: KnowledgeGraph, kind: str, identifier: str, papers_of: Callable[[int], Rows]) -> Rows:
    row = graph.row_of(kind, identifier)
    return NO_ROWS if row is None else papers_of(row)


def named(index: NameIndex, name: str) -> Rows:
    """Rows of a name: as it is written, else those of the most similar name."""
    rows = index.exact(name)
    if len(rows):
        return rows
    similar = index.fuzzy(name, most=1)
    return similar[0].rows if similar else NO_ROWS


def orgs_named(graph: KnowledgeGraph, name: str) -> Rows:
    """Organizations of a name: as written, else those with all its words, else the most similar one."""
    return _by_words(graph.org_names, graph.org_terms, name)


def topics_named(graph: KnowledgeGraph, name: str) -> Rows:
    """Interests of a wording in any language: as written, else those with all its words, else the most similar one."""
    return _by_words(graph.topic_names, graph.topic_terms, graph.english(name))


def _by_words(names: NameIndex, terms: TermIndex, name: str) -> Rows:
    rows = names.exact(name)
    if len(rows):
        return rows
    rows = terms.rows(name)
    return rows if len(rows) else named(names, name)


def union(lists: Iterable[Rows]) -> Rows:
    """Rows that occur in any of several ascending lists, ascending."""
    parts = [rows for rows in lists if len(rows)]
    if len(parts) < 2:
        return parts[0] if parts else NO_ROWS
    return np.unique(np.concatenate(parts))


def _first(rows: Rows, places: NDArray[Any], size: int) -> list[int]:
    """The rows with the lowest places, in order."""
    if len(rows) > 4 * size:
        near = np.argpartition(places, size)[:size]
        rows, places = rows[near], places[near]
    found: list[int] = rows[np.argsort(places, kind="stable")][:size].tolist()
    return found


def search_authors(graph: KnowledgeGraph, query: AuthorQuery) -> Found:
    """Authors by name, organization, interests and country, sorted by a measure, the largest first."""
    conditions: list[Rows] = []
    if query.name:
        conditions.append(named(graph.author_names, query.name))
    if query.org:
        conditions.append(union(graph.authors_of_org(org) for org in orgs_named(graph, query.org).tolist()))
    if query.interest:
        topics = union(topics_named(graph, name) for name in query.interest)
        conditions.append(union(graph.authors_of_topic(topic) for topic in topics.tolist()))
    if query.nation:
        wanted = {folded(graph.english(name)) for name in query.nation}
        orgs = [org for org in range(graph.orgs.n_rows) if folded(graph.orgs.text("country", org)) in wanted]
        conditions.append(union(graph.authors_of_org(org) for org in orgs))
    conditions.sort(key=len)
    rows = conditions[0] if conditions else np.arange(graph.authors.n_rows, dtype=np.int32)
    for other in conditions[1:]:
        rows = rows[is_in(rows, other)]
    values = graph.measure(query.order)[rows].astype(np.int64)
    places = values if query.ascending else -values
    return Found(rows[np.argsort(places, kind="stable")][: query.size].tolist(), len(rows))


def search_venues(graph: KnowledgeGraph, query: VenueQuery) -> Found:
    """Venues by name, field, rank and keywords.

    With a name the closest come first, otherwise those with the most papers.
    """
    order: dict[int, tuple[float, int]] = {}
    if query.name:
        for row, similarity in _venues_named(graph, query.name, exact=query.exact):
            order.setdefault(row, (-similarity, row))
    else:
        order = {row: (-len(graph.papers_of_venue(row)), row) for row in range(graph.venues.n_rows)}
    rows = sorted(order, key=order.__getitem__)
    if query.keywords:
        matching = union(graph.venue_terms.rows(graph.english(word)) for word in query.keywords)
        rows = [row for row in rows if is_in(np.array([row]), matching)[0]]
    if query.category:
        words = set(snowball_en_tokens(graph.english(query.category)))
        rows = [row for row in rows if _has_category(graph, row, words)]
    if query.quartile or query.category_source:
        place = TIER_SOURCES.index(query.category_source or "SJR")
        ranks = {row: graph.venues.texts("quartiles", row)[place] for row in rows}
        rows = [row for row in rows if ranks[row] and query.quartile in ("", ranks[row])]
    return Found(rows[: query.size], len(rows))


def _venues_named(graph: KnowledgeGraph, name: str, *, exact: bool) -> Iterable[tuple[int, float]]:
    for row in graph.venue_names.exact(name).tolist():
        yield row, 2.0
    if exact:
        return
    for row in graph.venue_terms.rows(graph.english(name)).tolist():
        yield row, 1.0
    for similar in (*graph.venue_names.fuzzy(name), *graph.venue_names.prefix(name)):
        for row in similar.rows.tolist():
            yield row, min(similar.similarity, 0.99)


def _has_category(graph: KnowledgeGraph, row: int, words: set[str]) -> bool:
    return any(words <= set(snowball_en_tokens(category)) for category in graph.venues.texts("categories", row))


def search_orgs(graph: KnowledgeGraph, names: Sequence[str], size: int) -> list[tuple[int, str]]:
    """Organizations by name: (row, the name that it was found by), in the order of the names, none twice."""
    found: dict[int, str] = {}
    for name in names:
        for row in orgs_named(graph, name).tolist()[:size]:
            found.setdefault(row, name)
    return list(found.items())[:size]


SCHOLAR_CANDIDATES = 50
"""Papers that the second search ranks anew."""

SAME_TITLE = 0.8
"""How similar a printed title must be to the graph's own for the paper to be recognized."""


def search_scholar(graph: KnowledgeGraph, query: str, size: int = 10) -> list[tuple[int, str]]:
    """The second paper search: (row, title as printed there), best first.

    Its coverage is another one, it reads abstracts, too, and it weighs relevance (BM25) with citations: the score is
    multiplied by 16 + the number of binary digits of the citation count. Printed titles differ from the graph's; a
    paper whose titles are less than 80 % alike is not recognized, and missing.
    """
    from rapidfuzz.distance import Indel

    hits = graph.scholar_index.search(query, SCHOLAR_CANDIDATES)
    ranked = sorted(
        zip(hits.rows.tolist(), hits.scores.tolist(), strict=True),
        key=lambda hit: (-hit[1] * (16 + int(graph.citations[hit[0]]).bit_length()), hit[0]),
    )
    found = []
    for row, _ in ranked[:size]:
        title = graph.papers.text("title", row)
        printed = graph.papers.text("scholar_title", row) or title
        if Indel.normalized_similarity(folded(printed), folded(title)) >= SAME_TITLE:
            found.append((row, printed))
    return found
