"""Question templates about who leads a topic and who works where on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scholar_env.graph.kg_ids import AUTHOR, ORG

from .aise_parts import FEW, MANY, Answer, author_names, org_names, orgs_of, topic_sketch
from .aise_sketch import Asking, Sketch, Speaker
from .aise_steps import find_leaders, read_authors, read_orgs, step
from .translations import COUNTRIES

READ_AUTHORS = read_authors(2, "search_author_id")


def author_top(ask: Asking, key: str) -> Sketch | None:
    """The authors of a topic with the highest h-index."""
    topic, count = ask.choose(ask.census.topics), 2 + ask.draw.below(4)
    best = ask.census.top_authors(ask.census.by_topic[topic], "h_index", count)
    if best is None:
        return None
    values = ask.census.measures["h_index"]

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(AUTHOR, best, lambda row: f"{values[row]}")
        return speaker.say(
            f"{topic}领域h指数最高的{count}位学者依次是：{listed}。",
            f"The {count} researchers on {topic} with the highest h-index are {listed}.",
        )

    plan = (find_leaders(topic, "h_index", count), READ_AUTHORS)
    truth = {"search_author_id": best, "search_author_detail": best}
    return topic_sketch(ask, key, topic, plan, truth, answer, author_names(ask.census, best), truth, n=str(count))


def author_prolific(ask: Asking, key: str) -> Sketch | None:
    """The author of a topic with the most papers."""
    topic = ask.choose(ask.census.topics)
    best = ask.census.top_authors(ask.census.by_topic[topic], "n_pubs", 1)
    if best is None:
        return None
    count = ask.census.measures["n_pubs"][best[0]]

    def answer(speaker: Speaker) -> str:
        winner = speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{topic}领域发表论文最多的学者是{winner}，共{count}篇。",
            f"The most prolific researcher on {topic} is {winner} with {count} papers.",
        )

    plan = (find_leaders(topic, "n_pubs"), READ_AUTHORS)
    truth = {"search_author_id": best, "search_author_detail": best}
    return topic_sketch(ask, key, topic, plan, truth, answer, (*author_names(ask.census, best), str(count)))


def author_at(ask: Asking, key: str) -> Sketch | None:
    """The authors of an organization who work on a topic."""
    census, tables = ask.census, ask.census.tables
    row = ask.author()
    org, topic = int(tables.authors.org[row]), ask.choose(tables.authors.interests[row])
    found = sorted(census.by_org[org] & census.by_topic[topic])

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), speaker.listing(AUTHOR, found)
        return speaker.say(f"{place}研究{topic}的学者有：{listed}。", f"At {place}, {listed} work on {topic}.")

    params = {"org": tables.orgs.names[org], "interest": [topic]}
    return _somewhere(ask, key, topic, found, answer, params, org=ask.org_text(org))


def author_nation(ask: Asking, key: str) -> Sketch | None:
    """The authors of a country who work on a topic."""
    census, tables = ask.census, ask.census.tables
    row = ask.author()
    topic = ask.choose(tables.authors.interests[row])
    nation = tables.orgs.countries[int(tables.authors.org[row])]
    place = ask.nation_text(nation, COUNTRIES)
    found = sorted(
        other for other in census.by_topic[topic] if tables.orgs.countries[int(tables.authors.org[other])] == nation
    )

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(AUTHOR, found)
        return speaker.say(f"{place}研究{topic}的学者有：{listed}。", f"In {nation}, {listed} work on {topic}.")

    params = {"interest": [topic], "nation": [nation]}
    return _somewhere(ask, key, topic, found, answer, params, nation=place)


def _somewhere(
    ask: Asking,
    key: str,
    topic: str,
    found: list[int],
    answer: Answer,
    params: Mapping[str, Any],
    **slots: str,
) -> Sketch | None:
    """A list of authors of a topic, who are found by ``params``."""
    if not FEW <= len(found) <= MANY:
        return None
    plan = (step("search_author_id", 1, **params), READ_AUTHORS)
    truth = {"search_author_id": found, "search_author_detail": found}
    return topic_sketch(ask, key, topic, plan, truth, answer, author_names(ask.census, found), **slots)


def org_field(ask: Asking, key: str) -> Sketch | None:
    """The organizations of the authors who lead a topic by h-index."""
    topic, count = ask.choose(ask.census.topics), 3 + ask.draw.below(3)
    best = ask.census.top_authors(ask.census.by_topic[topic], "h_index", count)
    if best is None:
        return None
    places, countries = orgs_of(ask.census, best), ask.census.tables.orgs.countries

    def answer(speaker: Speaker) -> str:
        people, listed = speaker.listing(AUTHOR, best), speaker.listing(ORG, places, lambda org: countries[org])
        return speaker.say(
            f"{topic}领域h指数最高的{count}位学者（{people}）所在的机构是：{listed}。",
            f"The {count} leading researchers on {topic} ({people}) work at {listed}.",
        )

    plan = (find_leaders(topic, "h_index", count), READ_AUTHORS, read_orgs(3, "search_author_detail"))
    truth = {"search_author_id": best, "search_author_detail": best, "search_org_detail": places}
    return topic_sketch(ask, key, topic, plan, truth, answer, org_names(ask.census, places), n=str(count))
