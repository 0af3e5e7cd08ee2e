"""Question templates that start from one paper: its content, its people, its venue; and an author's foremost paper."""

from __future__ import annotations

import re
from collections.abc import Callable

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE
from scholar_env.graph.kg_names import folded

from .aise_authors import FEW, about
from .aise_experts import best_listed, newest_listed, paper_steps
from .aise_sketch import Asking, Sketch, Speaker, author_slots, find_author, step
from .names import Names

_ends = re.compile(r"(?<=[.!?]) +")


def drawn_paper(ask: Asking, *, listed: bool = True) -> int | None:
    """A paper whose title no other has, and that the paper search finds, or does not."""
    row = ask.draw.below(len(ask.census.listed))
    title = folded(ask.census.tables.papers.titles[row])
    return row if ask.census.listed[row] == listed and ask.census.titles[title] == {row} else None


def reading_plan(title: str) -> tuple[Step, ...]:
    """The steps that read a paper by its title."""
    return (
        step("search_paper_id", 1, titles=[title], sort="citation", size=1),
        step("search_paper_detail", 2, ["search_paper_id"], paper_ids=[]),
    )


def one_paper(
    ask: Asking,
    key: str,
    row: int,
    more: tuple[Step, ...],
    truth: dict[str, list[int]],
    answer: Callable[[Speaker], str],
    facts: tuple[str, ...],
    **slots: str,
) -> Sketch:
    """A question about a paper that is named by its title."""
    title = ask.census.tables.papers.titles[row]
    found = {"search_paper_id": [row], "search_paper_detail": [row], **truth}
    field = int(ask.census.world.facts.subfield[row])
    return Sketch(key, {"title": title, **slots}, (*reading_plan(title), *more), found, answer, facts, field)


def paper_summary(ask: Asking, key: str) -> Sketch | None:
    """What a paper says: the first and the last sentences of its abstract."""
    row = drawn_paper(ask)
    sentences = _ends.split(ask.census.tables.papers.abstracts[row]) if row is not None else []
    if row is None or len(sentences) < 4:
        return None
    kept = [*sentences[:2], *sentences[-2:]]
    topics = ask.census.tables.papers.keywords[row]

    def answer(speaker: Speaker) -> str:
        work, text = speaker.cite(PAPER, row), " ".join(kept)
        about_what = speaker.say("、", ", ").join(topics)
        return speaker.say(f"{work}的主题是{about_what}。其主要内容为：{text}", f"{work} is about {about_what}. {text}")

    return one_paper(ask, key, row, (), {}, answer, topics[:2])


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

    return one_paper(ask, key, row, (), {}, answer, (str(year), str(cited)))


def paper_scholar(ask: Asking, key: str) -> Sketch | None:
    """A paper that only the second search finds."""
    row = drawn_paper(ask, listed=False)
    papers = ask.census.tables.papers
    if row is None or not papers.scholar[row]:
        return None
    title, year = papers.titles[row], ask.census.year[row]

    def answer(speaker: Speaker) -> str:
        work, words = speaker.cite(PAPER, row), speaker.say("、", ", ").join(papers.keywords[row])
        return speaker.say(
            f"{work}发表于{year}年，关键词为{words}。", f"{work} appeared in {year}; its keywords are {words}."
        )

    plan = (
        step("search_paper_id_gs", 1, query=title),
        step("search_paper_detail", 2, ["search_paper_id_gs"], paper_ids=[]),
    )
    among = {"search_paper_id_gs": [row], "search_paper_detail": [row]}
    field = int(ask.census.world.facts.subfield[row])
    return Sketch(key, {"title": title}, plan, {}, answer, (str(year),), field, among=among)


def paper_explain(ask: Asking, key: str) -> Sketch | None:
    """What the system of a paper is, in the words of its abstract."""
    row = drawn_paper(ask)
    if row is None:
        return None
    world = ask.census.world
    group = world.ontology.subfields[0].group
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

    return one_paper(ask, key, row, (), {}, answer, (term, words[0]), term=term)


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

    more = (step("search_author_detail", 3, ["search_paper_detail"], ids=[]),)
    facts = (tables.authors.names[first], str(value))
    return one_paper(ask, key, row, more, {"search_author_detail": authors}, answer, facts)


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

    more = (step("search_author_detail", 3, ["search_paper_detail"], ids=[]),)
    facts = (ask.census.tables.authors.names[best[0]], str(values[best[0]]))
    return one_paper(ask, key, row, more, {"search_author_detail": authors}, answer, facts)


def paper_orgs(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind a paper."""
    row = drawn_paper(ask)
    if row is None:
        return None
    tables = ask.census.tables
    places = list(dict.fromkeys(int(tables.authors.org[other]) for other in ask.census.authors_of[row]))

    def answer(speaker: Speaker) -> str:
        work, listed = speaker.cite(PAPER, row), speaker.listing(ORG, places, lambda org: tables.orgs.countries[org])
        return speaker.say(f"{work}由以下机构的作者完成：{listed}。", f"{work} was written at {listed}.")

    more = (step("search_org_detail", 3, ["search_paper_detail"], ids=[]),)
    names = tuple(tables.orgs.names[org] for org in places)
    return one_paper(ask, key, row, more, {"search_org_detail": places}, answer, names)


VENUE_STEPS = (
    step("search_venue_id", 3, ["search_paper_detail"], name="", name_search_type="exact"),
    step("search_venue_detail", 4, ["search_venue_id"], ids=[]),
)


def paper_level(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of a paper."""
    row = drawn_paper(ask)
    venue = int(ask.census.tables.papers.venue[row]) if row is not None else -1
    rank = ask.census.tables.venues.quartiles[venue][0] if venue >= 0 else ""
    if row is None or not rank:
        return None

    def answer(speaker: Speaker) -> str:
        work, place = speaker.cite(PAPER, row), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{work}发表在{place}，SJR分区为{rank}。", f"{work} appeared in {place}, which is {rank} in SJR."
        )

    facts = (ask.census.tables.venues.names[venue], rank)
    return one_paper(ask, key, row, VENUE_STEPS, {"search_venue_detail": [venue]}, answer, facts)


def author_best(ask: Asking, key: str) -> Sketch | None:
    """The most cited paper of an author: where, when, how often, with whom, about what."""
    who = ask.who()
    paper = best_listed(ask.census, ask.census.papers_of[who.row]) if who else None
    if who is None or paper is None:
        return None
    tables, aspect = ask.census.tables, key.rpartition("/")[2]
    venue, year, cited = int(tables.papers.venue[paper]), ask.census.year[paper], ask.census.citations[paper]
    authors = ask.census.authors_of[paper]
    sentences, words = _ends.split(tables.papers.abstracts[paper]), tables.papers.keywords[paper][:2]
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
        text, topics = " ".join([*sentences[:2], *sentences[-2:]]), speaker.say("、", ", ").join(words)
        return start + speaker.say(f"，主题是{topics}。其主要内容为：{text}", f", on {topics}. {text}")

    facts = {
        "venue": (tables.venues.names[venue],),
        "year": (str(year),),
        "citation": (str(cited),),
        "authors": tuple(tables.authors.names[other] for other in authors),
        "abstract": words,
    }[aspect]
    truth = {"search_author_id": [who.row], "search_paper_id": [paper], "search_paper_detail": [paper]}
    plan = (find_author(who), *paper_steps("citation"))
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def author_latest(ask: Asking, key: str) -> Sketch | None:
    """The newest paper of an author."""
    who = ask.who()
    paper = newest_listed(ask.census, ask.census.papers_of[who.row]) if who else None
    if who is None or paper is None:
        return None
    year = ask.census.year[paper]

    def answer(speaker: Speaker) -> str:
        subject, work = about(who, speaker), speaker.cite(PAPER, paper)
        return speaker.say(
            f"{subject}的最新论文是{work}，发表于{year}年。", f"The latest paper of {subject} is {work}, from {year}."
        )

    facts = (ask.census.tables.papers.titles[paper], str(year))
    truth = {"search_author_id": [who.row], "search_paper_id": [paper], "search_paper_detail": [paper]}
    plan = (find_author(who), *paper_steps("year"))
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))


def org_coauthors(ask: Asking, key: str) -> Sketch | None:
    """The organizations behind the newest paper of an author."""
    who = ask.who()
    paper = newest_listed(ask.census, ask.census.papers_of[who.row]) if who else None
    if who is None or paper is None:
        return None
    tables = ask.census.tables
    places = list(dict.fromkeys(int(tables.authors.org[other]) for other in ask.census.authors_of[paper]))

    def answer(speaker: Speaker) -> str:
        subject, work = about(who, speaker), speaker.cite(PAPER, paper)
        listed = speaker.listing(ORG, places, lambda org: tables.orgs.countries[org])
        return speaker.say(
            f"{subject}的最新论文{work}由以下机构完成：{listed}。",
            f"Behind the latest paper of {subject}, {work}, stand {listed}.",
        )

    plan = (
        find_author(who),
        *paper_steps("year"),
        step("search_org_detail", 4, ["search_paper_detail"], ids=[]),
    )
    truth = {"search_author_id": [who.row], "search_paper_detail": [paper], "search_org_detail": places}
    names = tuple(tables.orgs.names[org] for org in places)
    return Sketch(key, author_slots(who), plan, truth, answer, names, ask.field_of(who.row))


def venue_author(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of an author's most cited paper."""
    who = ask.who()
    paper = best_listed(ask.census, ask.census.papers_of[who.row]) if who else None
    venue = int(ask.census.tables.papers.venue[paper]) if paper is not None else -1
    rank = ask.census.tables.venues.quartiles[venue][0] if venue >= 0 else ""
    if who is None or paper is None or not rank:
        return None

    def answer(speaker: Speaker) -> str:
        subject, work, place = about(who, speaker), speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{subject}引用最高的论文{work}发表在{place}，SJR分区为{rank}。",
            f"The most cited paper of {subject}, {work}, appeared in {place}, which is {rank} in SJR.",
        )

    plan = (
        find_author(who),
        *paper_steps("citation"),
        step("search_venue_id", 4, ["search_paper_detail"], name="", name_search_type="exact"),
        step("search_venue_detail", 5, ["search_venue_id"], ids=[]),
    )
    truth = {"search_author_id": [who.row], "search_paper_detail": [paper], "search_venue_detail": [venue]}
    facts = (ask.census.tables.venues.names[venue], rank)
    return Sketch(key, author_slots(who), plan, truth, answer, facts, ask.field_of(who.row))
