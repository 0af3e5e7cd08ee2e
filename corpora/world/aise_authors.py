"""Question templates about single authors, their co-authors, and two authors compared."""

from __future__ import annotations

from collections.abc import Callable

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG

from .aise_census import Census
from .aise_sketch import Asking, Sketch, Speaker, Who, author_slots, find_author, step

FEW, MANY = 2, 10
"""Least and largest number of entities in a list that is asked for."""
MEASURES = {"pub_num": "n_pubs", "citation_num": "n_citation", "h_index": "h_index"}
"""Field of an author's record -> measure."""
WORDS = {
    "pub_num": ("发表论文{}篇", "has published {} papers"),
    "citation_num": ("的论文总共被引用{}次", "has been cited {} times"),
    "h_index": ("的h指数为{}", "has an h-index of {}"),
}


def about(who: Who, speaker: Speaker) -> str:
    """An author with marker and with what tells them apart."""
    return speaker.say(f"{who.hint}的{speaker.cite(AUTHOR, who.row)}", f"{speaker.cite(AUTHOR, who.row)} ({who.hint})")


def figure_text(speaker: Speaker, field: str, value: int) -> str:
    """A figure of an author in words, to stand behind the name."""
    return speaker.say(*WORDS[field]).format(value)


def one_author(ask: Asking, key: str, who: Who, say: Callable[[Speaker, str], str], facts: tuple[str, ...]) -> Sketch:
    """A question that one author's record answers."""
    plan = (find_author(who), step("search_author_detail", 2, ["search_author_id"], ids=[]))
    truth = {"search_author_id": [who.row], "search_author_detail": [who.row]}
    return Sketch(
        key,
        author_slots(who),
        plan,
        truth,
        lambda speaker: say(speaker, about(who, speaker)),
        facts,
        ask.field_of(who.row),
    )


def author_figure(ask: Asking, key: str) -> Sketch | None:
    """A figure of one author: ``author/pub_num``, ``author/citation_num``, ``author/h_index``."""
    who, field = ask.who(), key.rpartition("/")[2]
    if who is None:
        return None
    value = ask.census.measures[MEASURES[field]][who.row]

    def say(speaker: Speaker, subject: str) -> str:
        text = figure_text(speaker, field, value)
        return speaker.say(f"{subject}{text}。", f"{subject} {text}.")

    return one_author(ask, key, who, say, (str(value),))


def author_position(ask: Asking, key: str) -> Sketch | None:
    """The academic rank of one author."""
    who = ask.who()
    if who is None:
        return None
    position = ask.census.tables.authors.positions[who.row]
    return one_author(
        ask,
        key,
        who,
        lambda speaker, subject: speaker.say(f"{subject}的职称是{position}。", f"{subject} is {position}."),
        (position,),
    )


def author_interests(ask: Asking, key: str) -> Sketch | None:
    """The interests of one author, who is told apart by the organization."""
    who = ask.who()
    if who is None or who.slot != "who/org":
        return None
    topics = ask.census.tables.authors.interests[who.row]

    def say(speaker: Speaker, subject: str) -> str:
        listed = speaker.say("、", ", ").join(topics)
        return speaker.say(f"{subject}的主要研究方向包括：{listed}。", f"{subject} works on {listed}.")

    return one_author(ask, key, who, say, topics)


def author_org(ask: Asking, key: str) -> Sketch | None:
    """The organization of one author and the year of its foundation."""
    who = ask.who()
    if who is None or who.slot != "who/topic":
        return None
    tables = ask.census.tables
    org = int(tables.authors.org[who.row])
    year, country = int(tables.orgs.established[org]), tables.orgs.countries[org]

    def answer(speaker: Speaker) -> str:
        subject, place = about(who, speaker), speaker.cite(ORG, org)
        return speaker.say(
            f"{subject}所在的机构是{place}，成立于{year}年，位于{country}。",
            f"{subject} belongs to {place}, which was founded in {year} and lies in {country}.",
        )

    plan = (find_author(who), step("search_org_detail", 2, ["search_author_id"], ids=[]))
    truth = {"search_author_id": [who.row], "search_org_detail": [org]}
    facts = (tables.orgs.names[org], str(year))
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def org_author(ask: Asking, key: str) -> Sketch | None:
    """Position, organization and country of one author."""
    who = ask.who()
    if who is None or who.slot != "who/topic":
        return None
    tables = ask.census.tables
    org, position = int(tables.authors.org[who.row]), tables.authors.positions[who.row]
    country = tables.orgs.countries[org]

    def answer(speaker: Speaker) -> str:
        subject, place = about(who, speaker), speaker.cite(ORG, org)
        return speaker.say(
            f"{subject}的职称是{position}，任职于{place}，该机构位于{country}。",
            f"{subject} is {position} at {place}, in {country}.",
        )

    plan = (
        find_author(who),
        step("search_author_detail", 2, ["search_author_id"], ids=[]),
        step("search_org_detail", 3, ["search_author_detail"], ids=[]),
    )
    truth = {"search_author_id": [who.row], "search_author_detail": [who.row], "search_org_detail": [org]}
    facts = (position, tables.orgs.names[org], country)
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def coauthors_of(census: Census, row: int) -> list[int]:
    """All co-authors of an author, ascending."""
    return sorted({other for paper in census.papers_of[row] for other in census.authors_of[paper]} - {row})


def papers_plan(who: Who) -> tuple[Step, ...]:
    """The steps that read all papers of an author."""
    return (
        find_author(who),
        step("search_paper_id", 2, ["search_author_id"], author_id="", sort="citation"),
        step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[]),
    )


def found_papers(ask: Asking, who: Who) -> set[int] | None:
    """The papers of an author where the search finds all of them and they are not too many."""
    papers = ask.census.papers_of[who.row]
    return papers if 1 <= len(papers) <= MANY and all(ask.census.listed[paper] for paper in papers) else None


def author_coauthors(ask: Asking, key: str) -> Sketch | None:
    """All co-authors of one author."""
    who = ask.who()
    papers = found_papers(ask, who) if who else None
    if who is None or papers is None:
        return None
    others = coauthors_of(ask.census, who.row)
    if not FEW <= len(others) <= MANY:
        return None

    def answer(speaker: Speaker) -> str:
        subject, listed = about(who, speaker), speaker.listing(AUTHOR, others)
        return speaker.say(f"{subject}的合作者有：{listed}。", f"{subject} has written papers with {listed}.")

    truth = {"search_author_id": [who.row], "search_paper_detail": sorted(papers)}
    names = tuple(ask.census.tables.authors.names[other] for other in others)
    return Sketch(key, author_slots(who), papers_plan(who), truth, answer, names, ask.field_of(who.row))


def coauthors_topic(ask: Asking, key: str) -> Sketch | None:
    """The co-authors of one author who have an interest."""
    who = ask.who()
    papers = found_papers(ask, who) if who else None
    if who is None or papers is None:
        return None
    census = ask.census
    others = coauthors_of(census, who.row)
    topics = sorted({topic for other in others for topic in census.tables.authors.interests[other]})
    topics = [topic for topic in topics if 1 <= len(census.by_topic[topic] & set(others)) < min(len(others), 8)]
    if not topics:
        return None
    topic = ask.choose(topics)
    matching = sorted(census.by_topic[topic] & set(others))

    def answer(speaker: Speaker) -> str:
        subject, listed = about(who, speaker), speaker.listing(AUTHOR, matching)
        return speaker.say(
            f"在{subject}的合作者中，研究{topic}的有：{listed}。",
            f"Of the co-authors of {subject}, {listed} work on {topic}.",
        )

    plan = (*papers_plan(who), step("search_author_detail", 4, ["search_paper_detail"], ids=[]))
    truth = {
        "search_author_id": [who.row],
        "search_paper_detail": sorted(papers),
        "search_author_detail": sorted({*others, who.row}),
    }
    names = tuple(census.tables.authors.names[other] for other in matching)
    slots = {**author_slots(who), "other": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, names, ask.field_of(who.row))


def coauthors_compare(ask: Asking, key: str) -> Sketch | None:
    """The co-author with the highest h-index."""
    who = ask.who()
    papers = found_papers(ask, who) if who else None
    if who is None or papers is None:
        return None
    others = coauthors_of(ask.census, who.row)
    best = ask.census.top_authors(set(others), "h_index", 1)
    if len(others) < FEW or best is None:
        return None
    value = ask.census.measures["h_index"][best[0]]

    def answer(speaker: Speaker) -> str:
        subject, winner = about(who, speaker), speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{subject}的合作者中，{winner}的h指数最高，为{value}。",
            f"Among the co-authors of {subject}, {winner} has the highest h-index, {value}.",
        )

    plan = (*papers_plan(who), step("search_author_detail", 4, ["search_paper_detail"], ids=[]))
    truth = {
        "search_author_id": [who.row],
        "search_paper_detail": sorted(papers),
        "search_author_detail": sorted({*others, who.row}),
    }
    facts = (ask.census.tables.authors.names[best[0]], str(value))
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def coauthors_elsewhere(ask: Asking, key: str) -> Sketch | None:
    """The organizations of the co-authors, and the oldest of them."""
    who = ask.who()
    papers = found_papers(ask, who) if who else None
    if who is None or papers is None:
        return None
    census, tables = ask.census, ask.census.tables
    others = coauthors_of(census, who.row)
    places = sorted({int(tables.authors.org[other]) for other in others})
    founded = {org: int(tables.orgs.established[org]) for org in places}
    first = min(founded.values(), default=0)
    oldest = [org for org in places if founded[org] == first]
    if not FEW <= len(places) <= MANY or len(oldest) != 1:
        return None

    def answer(speaker: Speaker) -> str:
        subject = about(who, speaker)
        listed = speaker.listing(ORG, places, lambda org: str(founded[org]))
        winner = speaker.cite(ORG, oldest[0])
        return speaker.say(
            f"{subject}的合作者来自：{listed}。其中成立最早的是{winner}，成立于{first}年。",
            f"The co-authors of {subject} come from {listed}. The oldest is {winner}, founded in {first}.",
        )

    plan = (
        *papers_plan(who),
        step("search_author_detail", 4, ["search_paper_detail"], ids=[]),
        step("search_org_detail", 5, ["search_author_detail"], ids=[]),
    )
    everyone = {*others, who.row}
    truth = {
        "search_author_id": [who.row],
        "search_paper_detail": sorted(papers),
        "search_author_detail": sorted(everyone),
        "search_org_detail": sorted({int(tables.authors.org[other]) for other in everyone}),
    }
    facts = (tables.orgs.names[oldest[0]], str(first))
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def author_compare(ask: Asking, key: str) -> Sketch | None:
    """Two authors compared: ``author/compare/h_index``, ``author/compare/citation_num``."""
    census, field = ask.census, key.rpartition("/")[2]
    who = ask.who()
    if who is None:
        return None
    home = census.world.facts.people.author_field
    near = [int(row) for row in range(len(home)) if home[row] == home[who.row] and row != who.row]
    other = ask.who(ask.choose(near)) if near else None
    if other is None:
        return None
    pair = {row: census.measures[MEASURES[field]][row] for row in (who.row, other.row)}
    if pair[who.row] == pair[other.row]:
        return None
    winner = max(pair, key=pair.__getitem__)

    def answer(speaker: Speaker) -> str:
        parts = [about(person, speaker) + speaker.say("", " ") for person in (who, other)]
        texts = [figure_text(speaker, field, pair[person.row]) for person in (who, other)]
        best = speaker.cite(AUTHOR, winner)
        return speaker.say(
            f"{parts[0]}{texts[0]}，{parts[1]}{texts[1]}，因此{best}更高。",
            f"{parts[0]}{texts[0]}, {parts[1]}{texts[1]}, so {best} is ahead.",
        )

    plan = (
        find_author(who, "search_author_id(1)"),
        find_author(other, "search_author_id(2)"),
        step("search_author_detail", 2, ["search_author_id(1)", "search_author_id(2)"], ids=[]),
    )
    truth = {
        "search_author_id(1)": [who.row],
        "search_author_id(2)": [other.row],
        "search_author_detail": [who.row, other.row],
    }
    slots = {**author_slots(who), "name2": other.name, "hint2": other.hint, "who2": other.slot}
    return Sketch(key, slots, plan, truth, answer, tuple(map(str, pair.values())), ask.field_of(who.row))
