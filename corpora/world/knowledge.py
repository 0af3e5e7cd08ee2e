"""A world's knowledge graph: its papers, authors, venues and organizations as tables, with names in two languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scholar_env.corpus import Corpus
from scholar_env.graph.kg_tables import TIER_SOURCES, AuthorTable, GraphTables, OrgTable, PaperTable, VenueTable

from .choice import chance, pick
from .facts import Facts, People
from .streams import below, column
from .tables import load_world
from .terms import Subfield
from .translations import COUNTRIES, TOPICS
from .venues import TIER_SOURCES as WORLD_SOURCES
from .world import World

LISTED, SCHOLAR = 930, 850
"""Papers, in thousandths, that the first and the second paper search cover, each for itself."""
PRINTED = (6, 2, 1, 1)
"""Weights of how the second search prints a title: as it is, in small letters, without the subtitle, cut short."""
CUT = 60
"""Letters after which a title is cut short."""
INTERESTS = 4
POSITIONS = ("Professor", "Associate Professor", "Assistant Professor", "Research Scientist", "Postdoctoral Researcher")
TRANSLATED = 420
"""Papers in journals with a Chinese name, in thousandths, that appeared in Chinese."""
RANKS = {"SJR": "Q{}", "JCR": "Q{}", "CCF": " ABC", "CSCD": " CCEE"}
"""How each list writes tiers 1 to 4."""


def graph_tables(corpus: Corpus) -> GraphTables:
    """The tables of a world's knowledge graph, row by row as the world's facts have papers, authors, venues, orgs.

    Args:
        corpus: The world.

    Raises:
        InvalidOptionError: The corpus is no world.
    """
    world = load_world(corpus)
    titles = [corpus.title(row) for row in range(corpus.n_papers)]
    abstracts = [corpus.abstract(row) for row in range(corpus.n_papers)]
    return tables_of(world, titles, abstracts)


def tables_of(world: World, titles: Sequence[str], abstracts: Sequence[str]) -> GraphTables:
    """The tables of a world, given the text of its papers."""
    by_id = {subfield.id: subfield for subfield in world.ontology.subfields}
    subfields = [by_id[name] for name in world.facts.subfields]
    keywords = paper_keywords(world.facts, subfields)
    return GraphTables(
        namespace=f"world-{world.spec.seed}-{world.spec.papers}-{'train' if world.spec.train else 'test'}",
        papers=_papers(world, keywords, titles, abstracts),
        authors=_authors(world, keywords),
        venues=_venues(world.facts.people, subfields),
        orgs=_orgs(world),
        topics=tuple((chinese, english) for english, chinese in sorted({**COUNTRIES, **TOPICS}.items())),
    )


def bare(name: str) -> str:
    """The name of a concept without an article in front."""
    return name.removeprefix("the ")


def paper_keywords(facts: Facts, subfields: Sequence[Subfield]) -> list[tuple[str, ...]]:
    """Keywords of each paper: its problem, method, object, and field."""
    found = []
    places = zip(
        facts.subfield.tolist(), facts.problem.tolist(), facts.method.tolist(), facts.object.tolist(), strict=True
    )
    for field, *concepts in places:
        subfield = subfields[field]
        names = [bare(subfield.concepts[place].name.text) for place in concepts if place >= 0]
        found.append(tuple(dict.fromkeys([*names, subfield.title])))
    return found


def _papers(
    world: World, keywords: list[tuple[str, ...]], titles: Sequence[str], abstracts: Sequence[str]
) -> PaperTable:
    facts, seed, size = world.facts, world.spec.seed, world.spec.papers
    people = facts.people
    styles = pick(column(seed, "kg/printed", size), PRINTED).tolist()
    chinese = chance(seed, "kg/chinese", size, TRANSLATED)
    native = [any("\u4e00" <= sign <= "\u9fff" for sign in name) for name in people.venue_native]
    venues = people.paper_venue.astype(np.int32)
    return PaperTable(
        keys=facts.ids,
        titles=tuple(titles),
        abstracts=tuple(abstracts),
        languages=tuple(
            "zh" if venue >= 0 and native[venue] and flag else "en"
            for venue, flag in zip(venues.tolist(), chinese.tolist(), strict=True)
        ),
        keywords=tuple(keywords),
        year=(facts.month // 12).astype(np.int32),
        citations=np.bincount(facts.graph.targets, minlength=size).astype(np.int32),
        venue=venues,
        author_starts=people.paper_starts.astype(np.int64),
        authors=people.paper_authors.astype(np.int32),
        author_orgs=people.author_org[people.paper_authors].astype(np.int32),
        listed=chance(seed, "kg/listed", size, LISTED),
        scholar=chance(seed, "kg/scholar", size, SCHOLAR),
        scholar_titles=tuple(printed(title, style) for title, style in zip(titles, styles, strict=True)),
    )


def printed(title: str, style: int) -> str:
    """A title as the second search prints it, "" where that is as it is."""
    if style == 1:
        other = title[:1] + title[1:].lower()
    elif style == 2:
        other = title.partition(": ")[0]
    elif style == 3 and len(title) > CUT:
        other = title[:CUT].rstrip() + "…"
    else:
        other = title
    return other if other != title else ""


def _authors(world: World, keywords: list[tuple[str, ...]]) -> AuthorTable:
    facts, seed = world.facts, world.spec.seed
    people = facts.people
    count = len(people.author_names)
    papers: list[list[int]] = [[] for _ in range(count)]
    for row in range(world.spec.papers):
        for author in people.paper_authors[people.paper_starts[row] : people.paper_starts[row + 1]].tolist():
            papers[author].append(row)
    rank = below(column(seed, "kg/position", count), 4).tolist()
    return AuthorTable(
        keys=tuple(str(number) for number in range(count)),
        names=people.author_names,
        native=people.author_native,
        aliases=((),) * count,
        interests=tuple(interests_of(own, keywords) for own in papers),
        positions=tuple(
            POSITIONS[min(place if len(own) > 3 else place + 2, 4)] for place, own in zip(rank, papers, strict=True)
        ),
        org=people.author_org.astype(np.int32),
    )


def interests_of(papers: list[int], keywords: list[tuple[str, ...]]) -> tuple[str, ...]:
    """What an author works on: the problems and methods of most papers, then the field of most papers."""
    topics: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    for row in papers:
        topics.update(keywords[row][:2])
        fields[keywords[row][-1]] += 1
    by_count = sorted(topics, key=lambda topic: (-topics[topic], topic))[: INTERESTS - 1]
    main = sorted(fields, key=lambda field: (-fields[field], field))[:1]
    return tuple(dict.fromkeys([*by_count, *main]))


def _venues(people: People, subfields: Sequence[Subfield]) -> VenueTable:
    count = len(people.venue_names)
    fields = people.venue_field.tolist()
    tiers = people.venue_tiers.tolist()
    meetings = ("Meeting", "Symposium", "Congress", "School", "Conference")
    return VenueTable(
        keys=tuple(str(number) for number in range(count)),
        names=people.venue_names,
        native=tuple(
            native if native != name else ""
            for name, native in zip(people.venue_names, people.venue_native, strict=True)
        ),
        short=people.venue_short,
        aliases=tuple((short.lower(),) for short in people.venue_short),
        types=tuple(
            "conference" if any(word in name for word in meetings) else "journal" for name in people.venue_names
        ),
        categories=tuple((subfields[field].title,) if field >= 0 else ("multidisciplinary",) for field in fields),
        quartiles=tuple(quartiles(row) for row in tiers),
        issn=("",) * count,
    )


def quartiles(tiers: Sequence[int]) -> tuple[str, ...]:
    """A venue's rank under each of the graph's lists, as that list writes it."""
    found = dict.fromkeys(TIER_SOURCES, "")
    for source, tier in zip(WORLD_SOURCES, tiers, strict=True):
        if tier:
            rule = RANKS[source]
            found[source] = rule.format(tier) if "{}" in rule else rule[min(tier, len(rule) - 1)]
    return tuple(found[source] for source in TIER_SOURCES)


def _orgs(world: World) -> OrgTable:
    people, seed = world.facts.people, world.spec.seed
    count = len(people.org_names)
    founded = 1850 + below(column(seed, "kg/established", count), 170)
    unknown = np.full(count, -1, dtype=np.int32)
    teaching = ("University", "College", "School", "Polytechnic")
    return OrgTable(
        keys=tuple(str(number) for number in range(count)),
        names=people.org_names,
        native=people.org_native,
        acronyms=people.org_acronyms,
        aliases=((),) * count,
        countries=people.org_countries,
        types=tuple("education" if any(word in name for word in teaching) else "facility" for name in people.org_names),
        established=_rows(founded),
        parent=unknown,
    )


def _rows(values: NDArray[np.int64]) -> NDArray[np.int32]:
    return values.astype(np.int32)
