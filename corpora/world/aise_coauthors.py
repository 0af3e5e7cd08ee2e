"""Question templates about the co-authors of one author."""

from __future__ import annotations

from dataclasses import dataclass

from scholar_env.graph.kg_ids import AUTHOR, ORG

from .aise_parts import FEW, MANY, about, all_listed, author_names, author_sketch
from .aise_sketch import Asking, Sketch, Speaker, Who
from .aise_steps import find_papers_of_author, read_authors, read_orgs, read_papers

READ_PAPERS = (find_papers_of_author(sort="citation"), read_papers(3))
"""The steps that read all papers of an author."""
READ_EVERYONE = (*READ_PAPERS, read_authors(4, "search_paper_detail"))
"""The same, and all who wrote them."""


@dataclass(frozen=True)
class Team:
    """An author, all of whose papers the search finds, and who wrote them together with the author.

    Attributes:
        who: The author.
        papers: Their papers, ascending.
        others: The co-authors, ascending.
    """

    who: Who
    papers: list[int]
    others: list[int]

    @property
    def everyone(self) -> list[int]:
        """The author and the co-authors, ascending."""
        return sorted({*self.others, self.who.row})


def team(ask: Asking) -> Team | None:
    """Draw an author whose papers are found and not too many."""
    who, census = ask.who(), ask.census
    if who is None or not all_listed(census, census.papers_of[who.row]):
        return None
    papers = sorted(census.papers_of[who.row])
    return Team(who, papers, sorted({other for paper in papers for other in census.authors_of[paper]} - {who.row}))


def author_coauthors(ask: Asking, key: str) -> Sketch | None:
    """All co-authors of one author."""
    found = team(ask)
    if found is None or not FEW <= len(found.others) <= MANY:
        return None

    def answer(speaker: Speaker) -> str:
        subject, listed = about(found.who, speaker), speaker.listing(AUTHOR, found.others)
        return speaker.say(f"{subject}的合作者有：{listed}。", f"{subject} has written papers with {listed}.")

    truth = {"search_paper_detail": found.papers}
    names = author_names(ask.census, found.others)
    return author_sketch(ask, key, found.who, READ_PAPERS, truth, answer, names)


def coauthors_topic(ask: Asking, key: str) -> Sketch | None:
    """The co-authors of one author who have an interest."""
    found = team(ask)
    if found is None:
        return None
    census, others = ask.census, set(found.others)
    topics = sorted({topic for other in others for topic in census.tables.authors.interests[other]})
    topics = [topic for topic in topics if 1 <= len(census.by_topic[topic] & others) < min(len(others), 8)]
    if not topics:
        return None
    topic = ask.choose(topics)
    matching = sorted(census.by_topic[topic] & others)

    def answer(speaker: Speaker) -> str:
        subject, listed = about(found.who, speaker), speaker.listing(AUTHOR, matching)
        return speaker.say(
            f"在{subject}的合作者中，研究{topic}的有：{listed}。",
            f"Of the co-authors of {subject}, {listed} work on {topic}.",
        )

    truth = {"search_paper_detail": found.papers, "search_author_detail": found.everyone}
    names, text = author_names(census, matching), ask.topic_text(topic)
    return author_sketch(ask, key, found.who, READ_EVERYONE, truth, answer, names, other=text)


def coauthors_compare(ask: Asking, key: str) -> Sketch | None:
    """The co-author with the highest h-index."""
    found = team(ask)
    best = ask.census.top_authors(set(found.others), "h_index", 1) if found else None
    if found is None or best is None or len(found.others) < FEW:
        return None
    value = ask.census.measures["h_index"][best[0]]

    def answer(speaker: Speaker) -> str:
        subject, winner = about(found.who, speaker), speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{subject}的合作者中，{winner}的h指数最高，为{value}。",
            f"Among the co-authors of {subject}, {winner} has the highest h-index, {value}.",
        )

    truth = {"search_paper_detail": found.papers, "search_author_detail": found.everyone}
    facts = (*author_names(ask.census, best), str(value))
    return author_sketch(ask, key, found.who, READ_EVERYONE, truth, answer, facts)


def coauthors_elsewhere(ask: Asking, key: str) -> Sketch | None:
    """The organizations of the co-authors, and the oldest of them."""
    found = team(ask)
    if found is None:
        return None
    tables = ask.census.tables
    places = sorted({int(tables.authors.org[other]) for other in found.others})
    founded = {org: int(tables.orgs.established[org]) for org in places}
    first = min(founded.values(), default=0)
    oldest = [org for org in places if founded[org] == first]
    if not FEW <= len(places) <= MANY or len(oldest) != 1:
        return None

    def answer(speaker: Speaker) -> str:
        subject = about(found.who, speaker)
        listed = speaker.listing(ORG, places, lambda org: str(founded[org]))
        winner = speaker.cite(ORG, oldest[0])
        return speaker.say(
            f"{subject}的合作者来自：{listed}。其中成立最早的是{winner}，成立于{first}年。",
            f"The co-authors of {subject} come from {listed}. The oldest is {winner}, founded in {first}.",
        )

    steps = (*READ_EVERYONE, read_orgs(5, "search_author_detail"))
    truth = {
        "search_paper_detail": found.papers,
        "search_author_detail": found.everyone,
        "search_org_detail": sorted({int(tables.authors.org[other]) for other in found.everyone}),
    }
    return author_sketch(ask, key, found.who, steps, truth, answer, (tables.orgs.names[oldest[0]], str(first)))
