"""Question templates about lists of papers of an author, or of two authors."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, PAPER, VENUE

from .aise_parts import (
    about,
    all_listed,
    author_sketch,
    best_listed,
    by_citations,
    paper_list,
    titles_of,
    venue_rank,
)
from .aise_sketch import Asking, Sketch, Speaker, Who
from .aise_steps import find_papers_of_author, find_venue, read_papers, read_venue_of_paper, step


def _of_author(
    ask: Asking, key: str, who: Who, papers: set[int], steps: Sequence[Step], what: tuple[str, str], **slots: str
) -> Sketch | None:
    """A list of papers of an author, if the search finds all; ``what`` says in both languages which ones."""
    if not all_listed(ask.census, papers):
        return None
    order = by_citations(ask.census, papers)

    def answer(speaker: Speaker) -> str:
        subject, listed = about(who, speaker), paper_list(speaker, ask.census, order)
        return speaker.say(f"{subject}{what[0]}有：{listed}。", f"The papers of {subject} {what[1]} are {listed}.")

    truth = {"search_paper_id": order, "search_paper_detail": order}
    return author_sketch(ask, key, who, (*steps, read_papers(3)), truth, answer, titles_of(ask.census, order), **slots)


def author_venue(ask: Asking, key: str) -> Sketch | None:
    """The papers of an author in a venue."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    venues = sorted({int(census.tables.papers.venue[paper]) for paper in own} - {-1})
    if not venues:
        return None
    venue = ask.choose(venues)
    name, short = census.tables.venues.names[venue], census.tables.venues.short[venue]
    shown = name if ask.draw.percent(60) else short
    rely = ["search_author_id", "search_venue_id"]
    search = step("search_paper_id", 2, rely, author_id="", venue_ids=[], sort="citation")
    what = (f"发表在{name}上的论文", f"in {name}")
    papers = own & census.venue_papers[venue]
    return _of_author(ask, key, who, papers, (find_venue(shown), search), what, venue=shown)


def author_years(ask: Asking, key: str) -> Sketch | None:
    """The papers of an author in some years."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    first = ask.choose(sorted({census.year[paper] for paper in own}))
    last = first + 1 + ask.draw.below(4)
    papers = {paper for paper in own if first <= census.year[paper] <= last}
    steps = (find_papers_of_author(years=list(range(first, last + 1)), sort="citation"),)
    what = (f"{first}至{last}年间发表的论文", f"from {first} to {last}")
    return _of_author(ask, key, who, papers, steps, what, year=str(first), year2=str(last))


def author_topic(ask: Asking, key: str) -> Sketch | None:
    """The papers of an author on a topic."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    topic = ask.choose(sorted({word for paper in own for word in census.tables.papers.keywords[paper][:2]}))
    papers = own & census.topic_papers[topic]
    steps = (find_papers_of_author(keywords=[topic], sort="citation"),)
    what = (f"关于{topic}的论文", f"on {topic}")
    return _of_author(ask, key, who, papers, steps, what, other=ask.topic_text(topic))


def together(ask: Asking) -> tuple[Who, int, set[int]] | None:
    """An author, a co-author, and their joint papers, all of which the search finds."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    others = sorted({other for paper in own for other in census.authors_of[paper]} - {who.row})
    if not others:
        return None
    other = ask.choose(others)
    papers = own & census.papers_of[other]
    return (who, other, papers) if all_listed(census, papers) else None


def papers_together(ask: Asking, key: str) -> Sketch | None:
    """The joint papers of two authors."""
    found = together(ask)
    if found is None:
        return None
    who, other, papers = found
    name = ask.name_text(other)
    steps = (find_papers_of_author(coauthors=[name], sort="citation"),)
    what = (f"与{name}合作的论文", f"with {name}")
    return _of_author(ask, key, who, papers, steps, what, name2=name)


def together_venue(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of the most cited joint paper of two authors."""
    found = together(ask)
    paper = best_listed(ask.census, found[2]) if found else None
    ranked = venue_rank(ask.census, paper) if paper is not None else None
    if found is None or paper is None or ranked is None:
        return None
    (who, other, _), (venue, rank) = found, ranked
    name = ask.name_text(other)

    def answer(speaker: Speaker) -> str:
        subject, mate = about(who, speaker), speaker.cite(AUTHOR, other)
        work, place = speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{subject}和{mate}合作的引用最高的论文是{work}，发表在{place}，SJR分区为{rank}。",
            f"The most cited joint paper of {subject} and {mate} is {work}; it is in {place}, which is {rank} in SJR.",
        )

    search = find_papers_of_author(coauthors=[name], sort="citation", size=1)
    truth = {"search_paper_detail": [paper], "search_venue_detail": [venue]}
    facts = (ask.census.tables.venues.names[venue], rank)
    steps = (search, read_papers(3), *read_venue_of_paper(4))
    return author_sketch(ask, key, who, steps, truth, answer, facts, name2=name)
