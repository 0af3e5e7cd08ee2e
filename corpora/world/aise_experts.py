"""Question templates about who leads a topic, who works where on it, and what the leaders wrote."""

from __future__ import annotations

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE

from .aise_authors import FEW, MANY
from .aise_census import Census
from .aise_sketch import Asking, Sketch, Speaker, step
from .translations import COUNTRIES


def field_of_topic(census: Census, topic: str) -> int:
    """The subfield of most papers of a topic."""
    papers = sorted(census.topic_papers[topic])
    return int(census.world.facts.subfield[papers[0]]) if papers else 0


def find_expert(topic: str, order: str, size: int = 1) -> Step:
    """The step that finds the first authors of a topic by a measure."""
    return step("search_author_id", 1, interest=[topic], order=order, size=size)


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

    plan = (
        find_expert(topic, "h_index", count),
        step("search_author_detail", 2, ["search_author_id"], ids=[]),
    )
    truth = {"search_author_id": best, "search_author_detail": best}
    names = tuple(ask.census.tables.authors.names[row] for row in best)
    slots = {"topic": ask.topic_text(topic), "n": str(count)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(ask.census, topic), frozenset(truth))


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

    plan = (find_expert(topic, "n_pubs"), step("search_author_detail", 2, ["search_author_id"], ids=[]))
    truth = {"search_author_id": best, "search_author_detail": best}
    facts = (ask.census.tables.authors.names[best[0]], str(count))
    slots = {"topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, facts, field_of_topic(ask.census, topic))


def author_at(ask: Asking, key: str) -> Sketch | None:
    """The authors of an organization who work on a topic."""
    census, tables = ask.census, ask.census.tables
    row = ask.author()
    org, topic = int(tables.authors.org[row]), ask.choose(tables.authors.interests[row])
    found = sorted(census.by_org[org] & census.by_topic[topic])
    if not FEW <= len(found) <= MANY:
        return None

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), speaker.listing(AUTHOR, found)
        return speaker.say(f"{place}研究{topic}的学者有：{listed}。", f"At {place}, {listed} work on {topic}.")

    plan = (
        step("search_author_id", 1, org=tables.orgs.names[org], interest=[topic]),
        step("search_author_detail", 2, ["search_author_id"], ids=[]),
    )
    truth = {"search_author_id": found, "search_author_detail": found}
    names = tuple(tables.authors.names[other] for other in found)
    slots = {"org": ask.org_text(org), "topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(census, topic))


def author_nation(ask: Asking, key: str) -> Sketch | None:
    """The authors of a country who work on a topic."""
    census, tables = ask.census, ask.census.tables
    row = ask.author()
    topic = ask.choose(tables.authors.interests[row])
    nation = tables.orgs.countries[int(tables.authors.org[row])]
    found = sorted(
        other for other in census.by_topic[topic] if tables.orgs.countries[int(tables.authors.org[other])] == nation
    )
    if not FEW <= len(found) <= MANY:
        return None

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(AUTHOR, found)
        place = ask.nation_text(nation, COUNTRIES)
        return speaker.say(f"{place}研究{topic}的学者有：{listed}。", f"In {nation}, {listed} work on {topic}.")

    plan = (
        step("search_author_id", 1, interest=[topic], nation=[nation]),
        step("search_author_detail", 2, ["search_author_id"], ids=[]),
    )
    truth = {"search_author_id": found, "search_author_detail": found}
    names = tuple(tables.authors.names[other] for other in found)
    slots = {"nation": ask.nation_text(nation, COUNTRIES), "topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(census, topic))


def expert(ask: Asking, measure: str) -> tuple[str, int] | None:
    """A topic and the one author who leads it by a measure."""
    topic = ask.choose(ask.census.topics)
    best = ask.census.top_authors(ask.census.by_topic[topic], measure, 1)
    return (topic, best[0]) if best else None


def best_listed(census: Census, papers: set[int]) -> int | None:
    """The most cited of some papers, where there is one and the search finds it."""
    best = census.top_papers(papers, 1)
    return best[0] if best and census.listed[best[0]] else None


def newest_listed(census: Census, papers: set[int]) -> int | None:
    """The newest of some papers, where its year has no other and the search finds it."""
    best = census.newest(papers, 1)
    alone = best is not None and sum(census.year[paper] == census.year[best[0]] for paper in papers) == 1
    return best[0] if best and alone and census.listed[best[0]] else None


def paper_steps(sort: str) -> tuple[Step, ...]:
    """The steps that read the first paper of an author by a sort key."""
    return (
        step("search_paper_id", 2, ["search_author_id"], author_id="", sort=sort, size=1),
        step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[]),
    )


def expert_best(ask: Asking, key: str) -> Sketch | None:
    """The most cited author of a topic and their most cited paper."""
    found = expert(ask, "n_citation")
    paper = best_listed(ask.census, ask.census.papers_of[found[1]]) if found else None
    if found is None or paper is None:
        return None
    topic, row = found
    cited = ask.census.citations[paper]

    def answer(speaker: Speaker) -> str:
        winner, work = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper)
        return speaker.say(
            f"{topic}领域被引最多的学者是{winner}，其引用最高的论文是{work}，被引{cited}次。",
            f"The most cited researcher on {topic} is {winner}; the most cited paper is {work} with {cited} citations.",
        )

    plan = (find_expert(topic, "n_citation"), *paper_steps("citation"))
    truth = {"search_author_id": [row], "search_paper_id": [paper], "search_paper_detail": [paper]}
    facts = (ask.census.tables.authors.names[row], ask.census.tables.papers.titles[paper])
    slots = {"topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, facts, field_of_topic(ask.census, topic))


def expert_collaborators(ask: Asking, key: str) -> Sketch | None:
    """The authors of the newest paper of a topic's most cited author, with their positions."""
    found = expert(ask, "n_citation")
    paper = newest_listed(ask.census, ask.census.papers_of[found[1]]) if found else None
    if found is None or paper is None:
        return None
    topic, row = found
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

    plan = (
        find_expert(topic, "n_citation"),
        *paper_steps("year"),
        step("search_author_detail", 4, ["search_paper_detail"], ids=[]),
    )
    truth = {
        "search_author_id": [row],
        "search_paper_id": [paper],
        "search_paper_detail": [paper],
        "search_author_detail": authors,
    }
    names = tuple(ask.census.tables.authors.names[other] for other in authors)
    slots = {"topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(ask.census, topic))


def venue_expert(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of the most cited paper of a topic's most cited author."""
    found = expert(ask, "n_citation")
    paper = best_listed(ask.census, ask.census.papers_of[found[1]]) if found else None
    if found is None or paper is None:
        return None
    topic, row = found
    venue = int(ask.census.tables.papers.venue[paper])
    rank = ask.census.tables.venues.quartiles[venue][0] if venue >= 0 else ""
    if not rank:
        return None

    def answer(speaker: Speaker) -> str:
        winner, work, place = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{topic}领域被引最多的学者是{winner}，其引用最高的论文{work}发表在{place}，SJR分区为{rank}。",
            f"The most cited researcher on {topic} is {winner}, whose most cited paper {work} appeared in {place}, "
            f"which is {rank} in SJR.",
        )

    plan = (
        find_expert(topic, "n_citation"),
        *paper_steps("citation"),
        step("search_venue_id", 4, ["search_paper_detail"], name="", name_search_type="exact"),
        step("search_venue_detail", 5, ["search_venue_id"], ids=[]),
    )
    truth = {"search_author_id": [row], "search_paper_detail": [paper], "search_venue_detail": [venue]}
    facts = (ask.census.tables.venues.names[venue], rank)
    slots = {"topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, facts, field_of_topic(ask.census, topic))


def org_expert(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind the most cited paper of a topic's most prolific author."""
    found = expert(ask, "n_pubs")
    paper = best_listed(ask.census, ask.census.papers_of[found[1]]) if found else None
    if found is None or paper is None:
        return None
    topic, row = found
    authors = ask.census.authors_of[paper]
    places = list(dict.fromkeys(int(ask.census.tables.authors.org[other]) for other in authors))
    if len(places) < FEW:
        return None
    countries = ask.census.tables.orgs.countries

    def answer(speaker: Speaker) -> str:
        winner, work = speaker.cite(AUTHOR, row), speaker.cite(PAPER, paper)
        listed = speaker.listing(ORG, places, lambda org: countries[org])
        return speaker.say(
            f"{topic}领域论文最多的学者是{winner}，其引用最高的论文{work}由以下机构完成：{listed}。",
            f"The most prolific researcher on {topic} is {winner}. Behind the top paper, {work}, stand {listed}.",
        )

    plan = (
        find_expert(topic, "n_pubs"),
        *paper_steps("citation"),
        step("search_author_detail", 4, ["search_paper_detail"], ids=[]),
        step("search_org_detail", 5, ["search_author_detail"], ids=[]),
    )
    truth = {
        "search_author_id": [row],
        "search_paper_detail": [paper],
        "search_author_detail": authors,
        "search_org_detail": places,
    }
    names = tuple(ask.census.tables.orgs.names[org] for org in places)
    slots = {"topic": ask.topic_text(topic)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(ask.census, topic))


def org_field(ask: Asking, key: str) -> Sketch | None:
    """The organizations of the authors who lead a topic by h-index."""
    topic, count = ask.choose(ask.census.topics), 3 + ask.draw.below(3)
    best = ask.census.top_authors(ask.census.by_topic[topic], "h_index", count)
    if best is None:
        return None
    tables = ask.census.tables
    places = list(dict.fromkeys(int(tables.authors.org[row]) for row in best))

    def answer(speaker: Speaker) -> str:
        people = speaker.listing(AUTHOR, best)
        listed = speaker.listing(ORG, places, lambda org: tables.orgs.countries[org])
        return speaker.say(
            f"{topic}领域h指数最高的{count}位学者（{people}）所在的机构是：{listed}。",
            f"The {count} leading researchers on {topic} ({people}) work at {listed}.",
        )

    plan = (
        find_expert(topic, "h_index", count),
        step("search_author_detail", 2, ["search_author_id"], ids=[]),
        step("search_org_detail", 3, ["search_author_detail"], ids=[]),
    )
    truth = {"search_author_id": best, "search_author_detail": best, "search_org_detail": places}
    names = tuple(tables.orgs.names[org] for org in places)
    slots = {"topic": ask.topic_text(topic), "n": str(count)}
    return Sketch(key, slots, plan, truth, answer, names, field_of_topic(ask.census, topic))
