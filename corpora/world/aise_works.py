"""Question templates that start from one paper: its content, its people, its venue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE
from scholar_env.graph.kg_names import folded

from .aise_parts import FEW, Answer, author_names, org_names, orgs_of, venue_rank
from .aise_sketch import Asking, Sketch, Speaker
from .aise_steps import read_authors, read_orgs, read_papers, read_venue_of_paper, step
from .names import Names

_ends = re.compile(r"(?<=[.!?]) +")


def gist(abstract: str) -> str:
    """The first two and the last two sentences of an abstract."""
    sentences = _ends.split(abstract)
    return " ".join([*sentences[:2], *sentences[-2:]])


def drawn_paper(ask: Asking, *, listed: bool = True) -> int | None:
    """A paper whose title no other has, and that the paper search finds, or does not."""
    row = ask.draw.below(len(ask.census.listed))
    title = folded(ask.census.tables.papers.titles[row])
    return row if ask.census.listed[row] == listed and ask.census.titles[title] == {row} else None


def paper_sketch(
    ask: Asking,
    key: str,
    row: int,
    more: Sequence[Step],
    truth: Mapping[str, Sequence[int]],
    answer: Answer,
    facts: tuple[str, ...],
    **slots: str,
) -> Sketch:
    """A question about a paper that is named by its title; ``more`` are the steps after it was read."""
    title = ask.census.tables.papers.titles[row]
    plan = (step("search_paper_id", 1, titles=[title], sort="citation", size=1), read_papers(2), *more)
    found = {"search_paper_id": [row], "search_paper_detail": [row], **truth}
    return Sketch(key, {"title": title, **slots}, plan, found, answer, facts, int(ask.census.world.facts.subfield[row]))


def paper_summary(ask: Asking, key: str) -> Sketch | None:
    """What a paper says: the first and the last sentences of its abstract."""
    row = drawn_paper(ask)
    abstract = ask.census.tables.papers.abstracts[row] if row is not None else ""
    if row is None or len(_ends.split(abstract)) < 4:
        return None
    topics = ask.census.tables.papers.keywords[row]

    def answer(speaker: Speaker) -> str:
        work, text, about_what = speaker.cite(PAPER, row), gist(abstract), speaker.joined(topics)
        return speaker.say(f"{work}的主题是{about_what}。其主要内容为：{text}", f"{work} is about {about_what}. {text}")

    return paper_sketch(ask, key, row, (), {}, answer, topics[:2])


def paper_field(ask: Asking, key: str) -> Sketch | None:
    """Year and citations of a paper."""
    row = drawn_paper(ask)
    if row is None:
        return None
    year, cited = ask.census.year[row], ask.census.citations[row]

    def answer(speaker: Speaker) -> str:
        work = speaker.cite(PAPER, row)
        return speaker.say(
            f"{work}发表于{year}年，被引用{cited}次。", f"{work} appeared in {year} and has been cited {cited} times."
        )

    return paper_sketch(ask, key, row, (), {}, answer, (str(year), str(cited)))


def paper_scholar(ask: Asking, key: str) -> Sketch | None:
    """A paper that only the second search finds."""
    row = drawn_paper(ask, listed=False)
    papers = ask.census.tables.papers
    if row is None or not papers.scholar[row]:
        return None
    title, year = papers.titles[row], ask.census.year[row]

    def answer(speaker: Speaker) -> str:
        work, words = speaker.cite(PAPER, row), speaker.joined(papers.keywords[row])
        return speaker.say(
            f"{work}发表于{year}年，关键词为{words}。", f"{work} appeared in {year}; its keywords are {words}."
        )

    plan = (step("search_paper_id_gs", 1, query=title), read_papers(2, "search_paper_id_gs"))
    among = {"search_paper_id_gs": [row], "search_paper_detail": [row]}
    field = int(ask.census.world.facts.subfield[row])
    return Sketch(key, {"title": title}, plan, {}, answer, (str(year),), field, among=among)


def paper_explain(ask: Asking, key: str) -> Sketch | None:
    """What the system of a paper is, in the words of its abstract."""
    row = drawn_paper(ask)
    if row is None:
        return None
    world = ask.census.world
    by_id = {subfield.id: subfield.group for subfield in world.ontology.subfields}
    group = by_id[world.facts.subfields[int(world.facts.subfield[row])]]
    term = Names(world.spec.seed, train=world.spec.train).system(int(world.facts.name[row]), group)
    sentences = [part for part in _ends.split(ask.census.tables.papers.abstracts[row]) if term in part]
    if len(sentences) < 2:
        return None
    words = ask.census.tables.papers.keywords[row]

    def answer(speaker: Speaker) -> str:
        work, text = speaker.cite(PAPER, row), " ".join(sentences[:3])
        return speaker.say(
            f"{term}是{work}提出的方法，用于{words[0]}，基于{words[1]}。原文说：{text}",
            f"{term} is what {work} proposes for {words[0]}, based on {words[1]}. In its own words: {text}",
        )

    return paper_sketch(ask, key, row, (), {}, answer, (term, words[0]), term=term)


def paper_first_author(ask: Asking, key: str) -> Sketch | None:
    """The first author of a paper."""
    row = drawn_paper(ask)
    if row is None:
        return None
    tables, authors = ask.census.tables, ask.census.authors_of[row]
    first = authors[0]
    org, position = int(tables.authors.org[first]), tables.authors.positions[first]
    value = ask.census.measures["h_index"][first]

    def answer(speaker: Speaker) -> str:
        work, person, place = speaker.cite(PAPER, row), speaker.cite(AUTHOR, first), speaker.name(ORG, org)
        return speaker.say(
            f"{work}的第一作者是{person}，职称为{position}，任职于{place}，h指数为{value}。",
            f"The first author of {work} is {person}, {position} at {place}, with an h-index of {value}.",
        )

    more, truth = (read_authors(3, "search_paper_detail"),), {"search_author_detail": authors}
    return paper_sketch(ask, key, row, more, truth, answer, (*author_names(ask.census, [first]), str(value)))


def paper_authors_compare(ask: Asking, key: str) -> Sketch | None:
    """The author of a paper with the highest h-index."""
    row = drawn_paper(ask)
    authors = ask.census.authors_of[row] if row is not None else []
    best = ask.census.top_authors(set(authors), "h_index", 1)
    if row is None or best is None or len(authors) < FEW:
        return None
    values = ask.census.measures["h_index"]

    def answer(speaker: Speaker) -> str:
        work, listed = speaker.cite(PAPER, row), speaker.listing(AUTHOR, authors, lambda other: str(values[other]))
        winner = speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{work}的作者及其h指数为：{listed}。最高的是{winner}。",
            f"The authors of {work} and their h-indices are {listed}. {winner} comes first.",
        )

    more, truth = (read_authors(3, "search_paper_detail"),), {"search_author_detail": authors}
    facts = (*author_names(ask.census, best), str(values[best[0]]))
    return paper_sketch(ask, key, row, more, truth, answer, facts)


def paper_orgs(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind a paper."""
    row = drawn_paper(ask)
    if row is None:
        return None
    places, countries = orgs_of(ask.census, ask.census.authors_of[row]), ask.census.tables.orgs.countries

    def answer(speaker: Speaker) -> str:
        work, listed = speaker.cite(PAPER, row), speaker.listing(ORG, places, lambda org: countries[org])
        return speaker.say(f"{work}由以下机构的作者完成：{listed}。", f"{work} was written at {listed}.")

    more, truth = (read_orgs(3, "search_paper_detail"),), {"search_org_detail": places}
    return paper_sketch(ask, key, row, more, truth, answer, org_names(ask.census, places))


def paper_level(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of a paper."""
    row = drawn_paper(ask)
    ranked = venue_rank(ask.census, row) if row is not None else None
    if row is None or ranked is None:
        return None
    venue, rank = ranked

    def answer(speaker: Speaker) -> str:
        work, place = speaker.cite(PAPER, row), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{work}发表在{place}，SJR分区为{rank}。", f"{work} appeared in {place}, which is {rank} in SJR."
        )

    facts = (ask.census.tables.venues.names[venue], rank)
    return paper_sketch(ask, key, row, read_venue_of_paper(3), {"search_venue_detail": [venue]}, answer, facts)
