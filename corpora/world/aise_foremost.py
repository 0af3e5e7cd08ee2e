"""Question templates about the most cited or newest paper of an author, or of the author who leads a topic."""

from __future__ import annotations

from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE

from .aise_parts import (
    FEW,
    Pick,
    about,
    author_names,
    author_sketch,
    best_listed,
    newest_listed,
    org_names,
    orgs_of,
    titles_of,
    topic_sketch,
    venue_rank,
)
from .aise_sketch import Asking, Sketch, Speaker, Who
from .aise_steps import find_leaders, read_authors, read_first_paper, read_orgs, read_venue_of_paper
from .aise_works import gist


def foremost(ask: Asking, pick: Pick) -> tuple[Who, int] | None:
    """An author and their foremost paper."""
    who = ask.who()
    paper = pick(ask.census, ask.census.papers_of[who.row]) if who else None
    return None if who is None or paper is None else (who, paper)


def author_best(ask: Asking, key: str) -> Sketch | None:
    """The most cited paper of an author: where, when, how often, with whom, about what."""
    found, tables, aspect = foremost(ask, best_listed), ask.census.tables, key.rpartition("/")[2]
    if found is None:
        return None
    who, paper = found
    venue, year, cited = int(tables.papers.venue[paper]), ask.census.year[paper], ask.census.citations[paper]
    authors, words = ask.census.authors_of[paper], tables.papers.keywords[paper][:2]
    if (aspect == "venue" and venue < 0) or (aspect == "authors" and not FEW <= len(authors) <= 8):
        return None

    def answer(speaker: Speaker) -> str:
        subject, work = about(who, speaker), speaker.cite(PAPER, paper)
        start = speaker.say(f"{subject}引用最高的论文是{work}", f"The most cited paper of {subject} is {work}")
        if aspect == "venue":
            place = speaker.name(VENUE, venue)
            return start + speaker.say(f"，发表在{place}。", f", which appeared in {place}.")
        if aspect == "year":
            return start + speaker.say(f"，发表于{year}年。", f", published in {year}.")
        if aspect == "citation":
            return start + speaker.say(f"，被引用{cited}次。", f" with {cited} citations.")
        if aspect == "authors":
            listed = speaker.listing(AUTHOR, authors)
            return start + speaker.say(f"，作者为{listed}。", f", written by {listed}.")
        text, topics = gist(tables.papers.abstracts[paper]), speaker.joined(words)
        return start + speaker.say(f"，主题是{topics}。其主要内容为：{text}", f", on {topics}. {text}")

    facts = {
        "venue": (tables.venues.names[venue],),
        "year": (str(year),),
        "citation": (str(cited),),
        "authors": author_names(ask.census, authors),
        "abstract": words,
    }[aspect]
    truth = {"search_paper_id": [paper], "search_paper_detail": [paper]}
    return author_sketch(ask, key, who, read_first_paper("citation"), truth, answer, facts)


def author_latest(ask: Asking, key: str) -> Sketch | None:
    """The newest paper of an author."""
    found = foremost(ask, newest_listed)
    if found is None:
        return None
    who, paper = found
    year = ask.census.year[paper]

    def answer(speaker: Speaker) -> str:
        subject, work = about(who, speaker), speaker.cite(PAPER, paper)
        return speaker.say(
            f"{subject}的最新论文是{work}，发表于{year}年。", f"The latest paper of {subject} is {work}, from {year}."
        )

    truth = {"search_paper_id": [paper], "search_paper_detail": [paper]}
    facts = (*titles_of(ask.census, [paper]), str(year))
    return author_sketch(ask, key, who, read_first_paper("year"), truth, answer, facts)


def org_coauthors(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind the newest paper of an author."""
    found = foremost(ask, newest_listed)
    if found is None:
        return None
    who, paper = found
    places, countries = orgs_of(ask.census, ask.census.authors_of[paper]), ask.census.tables.orgs.countries

    def answer(speaker: Speaker) -> str:
        subject, work = about(who, speaker), speaker.cite(PAPER, paper)
        listed = speaker.listing(ORG, places, lambda org: countries[org])
        return speaker.say(
            f"{subject}的最新论文{work}由以下机构完成：{listed}。",
            f"Behind the latest paper of {subject}, {work}, stand {listed}.",
        )

    steps = (*read_first_paper("year"), read_orgs(4, "search_paper_detail"))
    truth = {"search_paper_detail": [paper], "search_org_detail": places}
    return author_sketch(ask, key, who, steps, truth, answer, org_names(ask.census, places))


def venue_author(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of an author's most cited paper."""
    found = foremost(ask, best_listed)
    ranked = venue_rank(ask.census, found[1]) if found else None
    if found is None or ranked is None:
        return None
    (who, paper), (venue, rank) = found, ranked

    def answer(speaker: Speaker) -> str:
        subject, work, place = about(who, speaker), speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{subject}引用最高的论文{work}发表在{place}，SJR分区为{rank}。",
            f"The most cited paper of {subject}, {work}, appeared in {place}, which is {rank} in SJR.",
        )

    steps = (*read_first_paper("citation"), *read_venue_of_paper(4))
    truth = {"search_paper_detail": [paper], "search_venue_detail": [venue]}
    return author_sketch(ask, key, who, steps, truth, answer, (ask.census.tables.venues.names[venue], rank))


def leader(ask: Asking, measure: str, pick: Pick) -> tuple[str, int, int] | None:
    """A topic, the one author who leads it by a measure, and their foremost paper."""
    topic = ask.choose(ask.census.topics)
    best = ask.census.top_authors(ask.census.by_topic[topic], measure, 1)
    paper = pick(ask.census, ask.census.papers_of[best[0]]) if best else None
    return None if best is None or paper is None else (topic, best[0], paper)


def expert_best(ask: Asking, key: str) -> Sketch | None:
    """The most cited author of a topic and their most cited paper."""
    found = leader(ask, "n_citation", best_listed)
    if found is None:
        return None
    topic, row, paper = found
    cited = ask.census.citations[paper]

    def answer(speaker: Speaker) -> str:
        winner, work = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper)
        return speaker.say(
            f"{topic}领域被引最多的学者是{winner}，其引用最高的论文是{work}，被引{cited}次。",
            f"The most cited researcher on {topic} is {winner}; the most cited paper is {work} with {cited} citations.",
        )

    plan = (find_leaders(topic, "n_citation"), *read_first_paper("citation"))
    truth = {"search_author_id": [row], "search_paper_id": [paper], "search_paper_detail": [paper]}
    facts = (*author_names(ask.census, [row]), *titles_of(ask.census, [paper]))
    return topic_sketch(ask, key, topic, plan, truth, answer, facts)


def expert_collaborators(ask: Asking, key: str) -> Sketch | None:
    """The authors of the newest paper of a topic's most cited author, with their positions."""
    found = leader(ask, "n_citation", newest_listed)
    if found is None:
        return None
    topic, row, paper = found
    authors, positions = ask.census.authors_of[paper], ask.census.tables.authors.positions
    if len(authors) < FEW:
        return None

    def answer(speaker: Speaker) -> str:
        winner, work = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper)
        listed = speaker.listing(AUTHOR, authors, lambda other: positions[other])
        return speaker.say(
            f"{topic}领域被引最多的学者是{winner}，其最新论文是{work}，作者为：{listed}。",
            f"The most cited researcher on {topic} is {winner}. The authors of the newest paper, {work}, are {listed}.",
        )

    plan = (find_leaders(topic, "n_citation"), *read_first_paper("year"), read_authors(4, "search_paper_detail"))
    truth = {
        "search_author_id": [row],
        "search_paper_id": [paper],
        "search_paper_detail": [paper],
        "search_author_detail": authors,
    }
    return topic_sketch(ask, key, topic, plan, truth, answer, author_names(ask.census, authors))


def venue_expert(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of the most cited paper of a topic's most cited author."""
    found = leader(ask, "n_citation", best_listed)
    ranked = venue_rank(ask.census, found[2]) if found else None
    if found is None or ranked is None:
        return None
    (topic, row, paper), (venue, rank) = found, ranked

    def answer(speaker: Speaker) -> str:
        winner, work, place = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{topic}领域被引最多的学者是{winner}，其引用最高的论文{work}发表在{place}，SJR分区为{rank}。",
            f"The most cited researcher on {topic} is {winner}, whose most cited paper {work} appeared in {place}, "
            f"which is {rank} in SJR.",
        )

    plan = (find_leaders(topic, "n_citation"), *read_first_paper("citation"), *read_venue_of_paper(4))
    truth = {"search_author_id": [row], "search_paper_detail": [paper], "search_venue_detail": [venue]}
    return topic_sketch(ask, key, topic, plan, truth, answer, (ask.census.tables.venues.names[venue], rank))


def org_expert(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind the most cited paper of a topic's most prolific author."""
    found = leader(ask, "n_pubs", best_listed)
    if found is None:
        return None
    topic, row, paper = found
    authors = ask.census.authors_of[paper]
    places, countries = orgs_of(ask.census, authors), ask.census.tables.orgs.countries
    if len(places) < FEW:
        return None

    def answer(speaker: Speaker) -> str:
        winner, work = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper)
        listed = speaker.listing(ORG, places, lambda org: countries[org])
        return speaker.say(
            f"{topic}领域论文最多的学者是{winner}，其引用最高的论文{work}由以下机构完成：{listed}。",
            f"The most prolific researcher on {topic} is {winner}. Behind the top paper, {work}, stand {listed}.",
        )

    plan = (
        find_leaders(topic, "n_pubs"),
        *read_first_paper("citation"),
        read_authors(4, "search_paper_detail"),
        read_orgs(5, "search_author_detail"),
    )
    truth = {
        "search_author_id": [row],
        "search_paper_detail": [paper],
        "search_author_detail": authors,
        "search_org_detail": places,
    }
    return topic_sketch(ask, key, topic, plan, truth, answer, org_names(ask.census, places))
