"""Question templates about single authors, and two authors compared."""

from __future__ import annotations

from collections.abc import Callable

from scholar_env.graph.kg_ids import AUTHOR, ORG

from .aise_parts import about, author_sketch
from .aise_sketch import Asking, Sketch, Speaker, Who, author_slots
from .aise_steps import find_author, read_authors, read_orgs

MEASURES = {"pub_num": "n_pubs", "citation_num": "n_citation", "h_index": "h_index"}
"""Field of an author's record -> measure."""
WORDS = {
    "pub_num": ("发表论文{}篇", "has published {} papers"),
    "citation_num": ("的论文总共被引用{}次", "has been cited {} times"),
    "h_index": ("的h指数为{}", "has an h-index of {}"),
}


def figure_text(speaker: Speaker, field: str, value: int) -> str:
    """A figure of an author in words, to stand behind the name."""
    return speaker.say(*WORDS[field]).format(value)


def one_author(ask: Asking, key: str, who: Who, say: Callable[[Speaker, str], str], facts: tuple[str, ...]) -> Sketch:
    """A question that one author's record answers."""
    steps, truth = (read_authors(2, "search_author_id"),), {"search_author_detail": [who.row]}
    return author_sketch(ask, key, who, steps, truth, lambda speaker: say(speaker, about(who, speaker)), facts)


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

    def say(speaker: Speaker, subject: str) -> str:
        return speaker.say(f"{subject}的职称是{position}。", f"{subject} is {position}.")

    return one_author(ask, key, who, say, (position,))


def author_interests(ask: Asking, key: str) -> Sketch | None:
    """The interests of one author, who is told apart by the organization."""
    who = ask.who()
    if who is None or who.slot != "who/org":
        return None
    topics = ask.census.tables.authors.interests[who.row]

    def say(speaker: Speaker, subject: str) -> str:
        listed = speaker.joined(topics)
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

    steps = (read_orgs(2, "search_author_id"),)
    facts = (tables.orgs.names[org], str(year))
    return author_sketch(ask, key, who, steps, {"search_org_detail": [org]}, answer, facts)


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

    steps = (read_authors(2, "search_author_id"), read_orgs(3, "search_author_detail"))
    truth = {"search_author_detail": [who.row], "search_org_detail": [org]}
    return author_sketch(ask, key, who, steps, truth, answer, (position, tables.orgs.names[org], country))


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

    searches = ("search_author_id(1)", "search_author_id(2)")
    plan = (find_author(who, searches[0]), find_author(other, searches[1]), read_authors(2, *searches))
    truth = {searches[0]: [who.row], searches[1]: [other.row], "search_author_detail": [who.row, other.row]}
    slots = {**author_slots(who), "name2": other.name, "hint2": other.hint, "who2": other.slot}
    return Sketch(key, slots, plan, truth, answer, tuple(map(str, pair.values())), ask.field_of(who.row))
