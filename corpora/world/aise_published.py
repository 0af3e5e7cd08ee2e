"""Question templates about the papers of an organization or a venue."""

from __future__ import annotations

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE

from .aise_parts import MANY, all_listed, author_names, by_citations, paper_list, titles_of, topic_sketch
from .aise_places import field_of_venue
from .aise_sketch import Asking, Sketch, Speaker
from .aise_steps import find_org, find_venue, read_authors, read_papers, step


def org_topic(ask: Asking, key: str) -> Sketch | None:
    """The papers of an organization on a topic, or their authors compared (``papers/org/topic/authors``)."""
    census, tables = ask.census, ask.census.tables
    org = int(tables.authors.org[ask.author()])
    papers = sorted(census.org_papers[org])
    if not papers:
        return None
    topic = ask.choose(tables.papers.keywords[ask.choose(papers)][:2])
    found = census.org_papers[org] & census.topic_papers[topic]
    if not all_listed(census, found):
        return None
    order = by_citations(census, found)
    plan = (
        find_org(tables.orgs.names[org]),
        step("search_paper_id", 2, ["search_org_id"], org_id="", keywords=[topic], sort="citation"),
        read_papers(3),
    )
    truth = {"search_org_id": [org], "search_paper_id": order, "search_paper_detail": order}
    if key.endswith("/authors"):
        return _authors_of(ask, key, org, topic, order, plan, truth)

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), paper_list(speaker, census, order)
        return speaker.say(f"{place}关于{topic}的论文有：{listed}。", f"The papers of {place} on {topic} are {listed}.")

    return topic_sketch(ask, key, topic, plan, truth, answer, titles_of(census, order), org=ask.org_text(org))


def _authors_of(
    ask: Asking, key: str, org: int, topic: str, order: list[int], plan: tuple[Step, ...], truth: dict[str, list[int]]
) -> Sketch | None:
    census = ask.census
    authors = sorted({author for paper in order for author in census.authors_of[paper]})
    best = census.top_authors(set(authors), "h_index", 1)
    if best is None or len(authors) > 2 * MANY:
        return None
    value = census.measures["h_index"][best[0]]

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), paper_list(speaker, census, order)
        winner = speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{place}关于{topic}的论文有：{listed}。作者中{winner}的h指数最高，为{value}。",
            f"The papers of {place} on {topic} are {listed}. Of the authors, {winner} has the top h-index, {value}.",
        )

    longer, wanted = (*plan, read_authors(4, "search_paper_detail")), {**truth, "search_author_detail": authors}
    facts = (*author_names(census, best), str(value))
    return topic_sketch(ask, key, topic, longer, wanted, answer, facts, org=ask.org_text(org))


def venue_papers(ask: Asking, key: str) -> Sketch | None:
    """What the most cited papers of a venue are about."""
    census, count = ask.census, 3 + ask.draw.below(3)
    venue = ask.draw.below(len(census.tables.venues.names))
    best = census.top_papers(census.venue_papers[venue], count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None
    name, words = census.tables.venues.names[venue], census.tables.papers.keywords

    def answer(speaker: Speaker) -> str:
        place = speaker.cite(VENUE, venue)
        listed = speaker.listing(PAPER, best, lambda paper: speaker.joined(words[paper][:2]))
        return speaker.say(
            f"{place}引用最高的{count}篇论文及其主题为：{listed}。",
            f"The {count} most cited papers of {place} and their themes are {listed}.",
        )

    search = step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], sort="citation", size=count)
    plan = (find_venue(name), search, read_papers(3))
    truth = {"search_venue_id": [venue], "search_paper_id": best, "search_paper_detail": best}
    slots, facts, ordered = {"venue": name, "n": str(count)}, titles_of(census, best), frozenset({"search_paper_id"})
    return Sketch(key, slots, plan, truth, answer, facts, field_of_venue(ask, venue), ordered)


def venue_year(ask: Asking, key: str) -> Sketch | None:
    """The papers of a venue on a topic in a year."""
    census = ask.census
    paper = ask.draw.below(len(census.listed))
    venue, year = int(census.tables.papers.venue[paper]), census.year[paper]
    topic = ask.choose(census.tables.papers.keywords[paper][:2])
    if venue < 0:
        return None
    found = {other for other in census.venue_papers[venue] & census.topic_papers[topic] if census.year[other] == year}
    if not all_listed(census, found):
        return None
    name, order = census.tables.venues.names[venue], by_citations(census, found)

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(VENUE, venue), paper_list(speaker, census, order)
        return speaker.say(
            f"{year}年发表在{place}的{topic}论文有：{listed}。",
            f"The {year} papers of {place} on {topic} are {listed}.",
        )

    plan = (
        find_venue(name),
        step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], keywords=[topic], years=[year], sort="citation"),
        read_papers(3),
    )
    truth = {"search_venue_id": [venue], "search_paper_id": order, "search_paper_detail": order}
    return topic_sketch(ask, key, topic, plan, truth, answer, titles_of(census, order), venue=name, year=str(year))
