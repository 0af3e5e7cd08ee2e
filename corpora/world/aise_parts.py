"""What question templates share: which entities can be asked for, and sketches that start from an author or a topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, PAPER

from .aise_census import Census
from .aise_sketch import Asking, Sketch, Speaker, Who, author_slots
from .aise_steps import find_author

FEW, MANY = 2, 10
"""Least and largest number of entities in a list that is asked for."""

Answer = Callable[[Speaker], str]
Pick = Callable[[Census, set[int]], int | None]
"""Picks the foremost of some papers: :func:`best_listed` or :func:`newest_listed`."""


def best_listed(census: Census, papers: set[int]) -> int | None:
    """The most cited of some papers, where there is one and the search finds it."""
    best = census.top_papers(papers, 1)
    return best[0] if best and census.listed[best[0]] else None


def newest_listed(census: Census, papers: set[int]) -> int | None:
    """The newest of some papers, where its year has no other and the search finds it."""
    best = census.newest(papers, 1)
    alone = best is not None and sum(census.year[paper] == census.year[best[0]] for paper in papers) == 1
    return best[0] if best and alone and census.listed[best[0]] else None


def all_listed(census: Census, papers: set[int], most: int = MANY) -> bool:
    """Whether there are papers, not too many, and all of them are found by the search."""
    return 1 <= len(papers) <= most and all(census.listed[paper] for paper in papers)


def by_citations(census: Census, papers: set[int]) -> list[int]:
    """Papers, the most cited first, ties by year and row."""
    return sorted(papers, key=lambda paper: (-census.citations[paper], -census.year[paper], paper))


def titles_of(census: Census, papers: Sequence[int]) -> tuple[str, ...]:
    """The titles of papers."""
    return tuple(census.tables.papers.titles[paper] for paper in papers)


def author_names(census: Census, authors: Sequence[int]) -> tuple[str, ...]:
    """The names of authors."""
    return tuple(census.tables.authors.names[author] for author in authors)


def org_names(census: Census, orgs: Sequence[int]) -> tuple[str, ...]:
    """The names of organizations."""
    return tuple(census.tables.orgs.names[org] for org in orgs)


def orgs_of(census: Census, authors: Iterable[int]) -> list[int]:
    """The organizations of authors, in the order in which they come up."""
    return list(dict.fromkeys(int(census.tables.authors.org[author]) for author in authors))


def venue_rank(census: Census, paper: int) -> tuple[int, str] | None:
    """The venue of a paper and its SJR quartile, where there are both."""
    venue = int(census.tables.papers.venue[paper])
    rank = census.tables.venues.quartiles[venue][0] if venue >= 0 else ""
    return (venue, rank) if rank else None


def field_of_topic(census: Census, topic: str) -> int:
    """The subfield of most papers of a topic."""
    papers = sorted(census.topic_papers[topic])
    return int(census.world.facts.subfield[papers[0]]) if papers else 0


def about(who: Who, speaker: Speaker) -> str:
    """An author with marker and with what tells them apart."""
    return speaker.say(f"{who.hint}的{speaker.cite(AUTHOR, who.row)}", f"{speaker.cite(AUTHOR, who.row)} ({who.hint})")


def paper_list(speaker: Speaker, census: Census, papers: Sequence[int]) -> str:
    """A list of papers with their years."""
    return speaker.listing(PAPER, papers, lambda paper: str(census.year[paper]))


def cited_list(speaker: Speaker, census: Census, papers: Sequence[int]) -> str:
    """A list of papers with their citations."""
    return speaker.listing(PAPER, papers, lambda paper: str(census.citations[paper]))


def author_sketch(
    ask: Asking,
    key: str,
    who: Who,
    steps: Sequence[Step],
    truth: Mapping[str, Sequence[int]],
    answer: Answer,
    facts: tuple[str, ...],
    **slots: str,
) -> Sketch:
    """A question about an author: its plan finds them, then come ``steps``, whose results ``truth`` tells."""
    plan, found = (find_author(who), *steps), {"search_author_id": [who.row], **truth}
    return Sketch(key, {**author_slots(who), **slots}, plan, found, answer, facts, ask.field_of(who.row))


def topic_sketch(
    ask: Asking,
    key: str,
    topic: str,
    plan: tuple[Step, ...],
    truth: Mapping[str, Sequence[int]],
    answer: Answer,
    facts: tuple[str, ...],
    ordered: Iterable[str] = (),
    **slots: str,
) -> Sketch:
    """A question about a topic; ``ordered`` as in :class:`~scholar_env.corpora.world.aise_sketch.Sketch`."""
    found = {"topic": ask.topic_text(topic), **slots}
    return Sketch(key, found, plan, truth, answer, facts, field_of_topic(ask.census, topic), frozenset(ordered))
