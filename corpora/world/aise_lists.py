"""Question templates about lists of papers: of a topic, an author, two authors, an organization, or a venue."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE

from .aise_authors import MANY, about
from .aise_census import Census
from .aise_experts import best_listed, field_of_topic
from .aise_sketch import Asking, Sketch, Speaker, Who, author_slots, find_author, step

READ = step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[])


def all_listed(census: Census, papers: set[int], least: int = 1, most: int = MANY) -> bool:
    """Whether some papers are neither too few nor too many, and all of them are found by the search."""
    return least <= len(papers) <= most and all(census.listed[paper] for paper in papers)


def paper_list(speaker: Speaker, census: Census, papers: Sequence[int]) -> str:
    """A list of papers with their years."""
    return speaker.listing(PAPER, papers, lambda paper: str(census.year[paper]))


def by_citations(census: Census, papers: set[int]) -> list[int]:
    """Papers, the most cited first, ties by year and row."""
    return sorted(papers, key=lambda paper: (-census.citations[paper], -census.year[paper], paper))


def titles_of(census: Census, papers: Sequence[int]) -> tuple[str, ...]:
    """The titles of papers."""
    return tuple(census.tables.papers.titles[paper] for paper in papers)


def topic_year(ask: Asking, key: str) -> Sketch | None:
    """The most cited papers of a topic from one year."""
    census, topic, count = ask.census, ask.choose(ask.census.topics), 2 + ask.draw.below(4)
    papers = sorted(census.topic_papers[topic])
    if not papers:
        return None
    year = census.year[ask.choose(papers)]
    found = {paper for paper in papers if census.year[paper] == year}
    best = census.top_papers(found, count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(PAPER, best, lambda paper: str(census.citations[paper]))
        return speaker.say(
            f"{year}年{topic}方向引用最高的{count}篇论文是：{listed}。",
            f"The {count} most cited {year} papers on {topic} are {listed}.",
        )

    plan = (
        step("search_paper_id", 1, keywords=[topic], years=[year], sort="citation", size=count),
        step("search_paper_detail", 2, ["search_paper_id"], paper_ids=[]),
    )
    slots = {"topic": ask.topic_text(topic), "year": str(year), "n": str(count)}
    truth = {"search_paper_id": best, "search_paper_detail": best}
    ordered = frozenset({"search_paper_id"})
    field = field_of_topic(census, topic)
    return Sketch(key, slots, plan, truth, answer, titles_of(census, best), field, ordered)


def topic_latest(ask: Asking, key: str) -> Sketch | None:
    """What the newest papers of a topic are about."""
    census, topic, count = ask.census, ask.choose(ask.census.topics), 3 + ask.draw.below(3)
    best = census.newest(census.topic_papers[topic], count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None
    words = census.tables.papers.keywords

    def answer(speaker: Speaker) -> str:
        join = speaker.say("、", ", ")
        parts = [
            speaker.say(
                f"{speaker.cite(PAPER, paper)}（{census.year[paper]}年）研究{join.join(words[paper][:3])}",
                f"{speaker.cite(PAPER, paper)} ({census.year[paper]}) deals with {join.join(words[paper][:3])}",
            )
            for paper in best
        ]
        return speaker.say(
            f"{topic}最新的{count}篇论文：" + "；".join(parts) + "。",
            f"The {count} newest papers on {topic}: " + "; ".join(parts) + ".",
        )

    plan = (
        step("search_paper_id", 1, keywords=[topic], sort="year", size=count),
        step("search_paper_detail", 2, ["search_paper_id"], paper_ids=[]),
    )
    slots = {"topic": ask.topic_text(topic), "n": str(count)}
    truth = {"search_paper_id": best, "search_paper_detail": best}
    field = field_of_topic(census, topic)
    return Sketch(key, slots, plan, truth, answer, titles_of(census, best), field, frozenset({"search_paper_id"}))


def topic_count(ask: Asking, key: str) -> Sketch | None:
    """The number of papers of a topic in two years."""
    census, topic = ask.census, ask.choose(ask.census.topics)
    years = sorted({census.year[paper] for paper in census.topic_papers[topic]})
    if len(years) < 2:
        return None
    first, second = ask.choose(years), ask.choose(years)
    found = {
        year: {paper for paper in census.topic_papers[topic] if census.year[paper] == year} for year in (first, second)
    }
    if first == second or not all(all_listed(census, papers, most=6) for papers in found.values()):
        return None
    counts = {year: len(papers) for year, papers in found.items()}
    if counts[first] == counts[second]:
        return None
    winner = max(counts, key=counts.__getitem__)

    def answer(speaker: Speaker) -> str:
        parts = [paper_list(speaker, census, by_citations(census, found[year])) for year in (first, second)]
        return speaker.say(
            f"{topic}方向{first}年有{counts[first]}篇论文：{parts[0]}；{second}年有{counts[second]}篇：{parts[1]}。{winner}年更多。",
            f"On {topic} there were {counts[first]} papers in {first} ({parts[0]}) and {counts[second]} in {second} "
            f"({parts[1]}), so {winner} had more.",
        )

    plan = (
        step("search_paper_id(1)", 1, keywords=[topic], years=[first], sort="citation"),
        step("search_paper_id(2)", 1, keywords=[topic], years=[second], sort="citation"),
        step("search_paper_detail", 2, ["search_paper_id(1)", "search_paper_id(2)"], paper_ids=[]),
    )
    slots = {"topic": ask.topic_text(topic), "year": str(first), "year2": str(second)}
    truth = {
        "search_paper_id(1)": by_citations(census, found[first]),
        "search_paper_id(2)": by_citations(census, found[second]),
    }
    facts = (str(counts[first]), str(counts[second]), str(winner))
    return Sketch(key, slots, plan, truth, answer, facts, field_of_topic(census, topic))


def _of_author(
    ask: Asking, key: str, who: Who, papers: set[int], steps: tuple[Step, ...], what: tuple[str, str], **slots: str
) -> Sketch:
    """A list of papers of an author; ``what`` says in both languages which ones."""
    order = by_citations(ask.census, papers)

    def answer(speaker: Speaker) -> str:
        subject, listed = about(who, speaker), paper_list(speaker, ask.census, order)
        return speaker.say(f"{subject}{what[0]}有：{listed}。", f"The papers of {subject} {what[1]} are {listed}.")

    truth = {"search_author_id": [who.row], "search_paper_id": order, "search_paper_detail": order}
    found = {**author_slots(who), **slots}
    facts = titles_of(ask.census, order)
    return Sketch(key, found, (find_author(who), *steps, READ), truth, answer, facts, ask.field_of(who.row))


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
    papers = own & census.venue_papers[venue]
    if not all_listed(census, papers):
        return None
    name, short = census.tables.venues.names[venue], census.tables.venues.short[venue]
    shown = name if ask.draw.percent(60) else short
    steps = (
        step("search_venue_id", 1, name=shown, name_search_type="exact"),
        step(
            "search_paper_id", 2, ["search_author_id", "search_venue_id"], author_id="", venue_ids=[], sort="citation"
        ),
    )
    what = (f"发表在{name}上的论文", f"in {name}")
    return _of_author(ask, key, who, papers, steps, what, venue=shown)


def author_years(ask: Asking, key: str) -> Sketch | None:
    """The papers of an author in some years."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    years = sorted({census.year[paper] for paper in own})
    first = ask.choose(years)
    last = first + 1 + ask.draw.below(4)
    papers = {paper for paper in own if first <= census.year[paper] <= last}
    if not all_listed(census, papers):
        return None
    wanted = list(range(first, last + 1))
    steps = (step("search_paper_id", 2, ["search_author_id"], author_id="", years=wanted, sort="citation"),)
    what = (f"{first}至{last}年间发表的论文", f"from {first} to {last}")
    return _of_author(ask, key, who, papers, steps, what, year=str(first), year2=str(last))


def author_topic(ask: Asking, key: str) -> Sketch | None:
    """The papers of an author on a topic."""
    who = ask.who()
    if who is None:
        return None
    census = ask.census
    own = census.papers_of[who.row]
    topics = sorted({word for paper in own for word in census.tables.papers.keywords[paper][:2]})
    topic = ask.choose(topics)
    papers = own & census.topic_papers[topic]
    if not all_listed(census, papers):
        return None
    steps = (step("search_paper_id", 2, ["search_author_id"], author_id="", keywords=[topic], sort="citation"),)
    what = (f"关于{topic}的论文", f"on {topic}")
    return _of_author(ask, key, who, papers, steps, what, other=ask.topic_text(topic))


def together(ask: Asking) -> tuple[Who, int, set[int]] | None:
    """An author, a co-author whose name no other has, and their joint papers."""
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
    steps = (step("search_paper_id", 2, ["search_author_id"], author_id="", coauthors=[name], sort="citation"),)
    what = (f"与{name}合作的论文", f"with {name}")
    return _of_author(ask, key, who, papers, steps, what, name2=name)


def together_venue(ask: Asking, key: str) -> Sketch | None:
    """The rank of the venue of the most cited joint paper of two authors."""
    found = together(ask)
    paper = best_listed(ask.census, found[2]) if found else None
    venue = int(ask.census.tables.papers.venue[paper]) if paper is not None else -1
    rank = ask.census.tables.venues.quartiles[venue][0] if venue >= 0 else ""
    if found is None or paper is None or not rank:
        return None
    who, other, _ = found
    name = ask.name_text(other)

    def answer(speaker: Speaker) -> str:
        subject, mate = about(who, speaker), speaker.cite(AUTHOR, other)
        work, place = speaker.cite(PAPER, paper), speaker.cite(VENUE, venue)
        return speaker.say(
            f"{subject}和{mate}合作的引用最高的论文是{work}，发表在{place}，SJR分区为{rank}。",
            f"The most cited joint paper of {subject} and {mate} is {work}; it is in {place}, which is {rank} in SJR.",
        )

    plan = (
        find_author(who),
        step("search_paper_id", 2, ["search_author_id"], author_id="", coauthors=[name], sort="citation", size=1),
        READ,
        step("search_venue_id", 4, ["search_paper_detail"], name="", name_search_type="exact"),
        step("search_venue_detail", 5, ["search_venue_id"], ids=[]),
    )
    truth = {"search_author_id": [who.row], "search_paper_detail": [paper], "search_venue_detail": [venue]}
    facts = (ask.census.tables.venues.names[venue], rank)
    return Sketch(key, {**author_slots(who), "name2": name}, plan, truth, answer, facts, ask.field_of(who.row))


def org_topic(ask: Asking, key: str) -> Sketch | None:
    """The papers of an organization on a topic, or their authors compared (``papers/org/topic/authors``)."""
    census, tables = ask.census, ask.census.tables
    org = int(tables.authors.org[ask.author()])
    papers = sorted(census.org_papers[org])
    if not papers:
        return None
    topic = ask.choose(tables.papers.keywords[ask.choose(papers)][:2])
    found = census.org_papers[org] & census.topic_papers[topic]
    if not all_listed(census, found):
        return None
    order = by_citations(census, found)
    plan = (
        step("search_org_id", 1, orgs=[tables.orgs.names[org]]),
        step("search_paper_id", 2, ["search_org_id"], org_id="", keywords=[topic], sort="citation"),
        READ,
    )
    truth = {"search_org_id": [org], "search_paper_id": order, "search_paper_detail": order}
    slots = {"org": ask.org_text(org), "topic": ask.topic_text(topic)}
    if key.endswith("/authors"):
        return _authors_of(ask, key, org, topic, order, plan, truth, slots)

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), paper_list(speaker, census, order)
        return speaker.say(f"{place}关于{topic}的论文有：{listed}。", f"The papers of {place} on {topic} are {listed}.")

    return Sketch(key, slots, plan, truth, answer, titles_of(census, order), field_of_topic(census, topic))


def _authors_of(
    ask: Asking,
    key: str,
    org: int,
    topic: str,
    order: list[int],
    plan: tuple[Step, ...],
    truth: dict[str, list[int]],
    slots: dict[str, str],
) -> Sketch | None:
    census = ask.census
    authors = sorted({author for paper in order for author in census.authors_of[paper]})
    best = census.top_authors(set(authors), "h_index", 1)
    if best is None or len(authors) > 2 * MANY:
        return None
    value = census.measures["h_index"][best[0]]

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(ORG, org), paper_list(speaker, census, order)
        winner = speaker.cite(AUTHOR, best[0])
        return speaker.say(
            f"{place}关于{topic}的论文有：{listed}。作者中{winner}的h指数最高，为{value}。",
            f"The papers of {place} on {topic} are {listed}. Of the authors, {winner} has the top h-index, {value}.",
        )

    longer = (*plan, step("search_author_detail", 4, ["search_paper_detail"], ids=[]))
    facts = (census.tables.authors.names[best[0]], str(value))
    wanted = {**truth, "search_author_detail": authors}
    return Sketch(key, slots, longer, wanted, answer, facts, field_of_topic(census, topic))


def papers_class(ask: Asking, key: str) -> Sketch | None:
    """The most cited papers of a topic in the Q1 venues of its field."""
    census, tables, count = ask.census, ask.census.tables, 2 + ask.draw.below(3)
    topic = ask.choose(census.topics)
    field = field_of_topic(census, topic)
    names = {subfield.id: subfield.title for subfield in census.world.ontology.subfields}
    title = names[census.world.facts.subfields[field]]
    venues = [
        row
        for row, ranks in enumerate(tables.venues.quartiles)
        if ranks[0] == "Q1" and title in tables.venues.categories[row]
    ]
    papers = {paper for venue in venues for paper in census.venue_papers[venue]} & census.topic_papers[topic]
    best = census.top_papers(papers, count)
    if best is None or len(venues) > MANY or not all(census.listed[paper] for paper in best):
        return None

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(PAPER, best, lambda paper: str(census.citations[paper]))
        return speaker.say(
            f"{title}领域SJR一区期刊或会议上{topic}方向引用最高的{count}篇论文是：{listed}。",
            f"The {count} most cited papers on {topic} in the Q1 venues of {title} are {listed}.",
        )

    plan = (
        step("search_venue_id", 1, category=title, category_source="0", quartile="Q1"),
        step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], keywords=[topic], sort="citation", size=count),
        READ,
    )
    truth = {"search_venue_id": venues, "search_paper_id": best, "search_paper_detail": best}
    slots = {"topic": ask.topic_text(topic), "field": ask.topic_text(title), "n": str(count)}
    ordered = frozenset({"search_paper_id"})
    return Sketch(key, slots, plan, truth, answer, titles_of(census, best), field, ordered)


def venue_papers(ask: Asking, key: str) -> Sketch | None:
    """What the most cited papers of a venue are about."""
    census, count = ask.census, 3 + ask.draw.below(3)
    venue = ask.draw.below(len(census.tables.venues.names))
    best = census.top_papers(census.venue_papers[venue], count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None
    name, words = census.tables.venues.names[venue], census.tables.papers.keywords

    def answer(speaker: Speaker) -> str:
        place = speaker.cite(VENUE, venue)
        listed = speaker.listing(PAPER, best, lambda paper: speaker.say("、", ", ").join(words[paper][:2]))
        return speaker.say(
            f"{place}引用最高的{count}篇论文及其主题为：{listed}。",
            f"The {count} most cited papers of {place} and their themes are {listed}.",
        )

    plan = (
        step("search_venue_id", 1, name=name, name_search_type="exact"),
        step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], sort="citation", size=count),
        READ,
    )
    truth = {"search_venue_id": [venue], "search_paper_id": best, "search_paper_detail": best}
    slots = {"venue": name, "n": str(count)}
    field = max(int(census.world.facts.people.venue_field[venue]), 0)
    ordered = frozenset({"search_paper_id"})
    return Sketch(key, slots, plan, truth, answer, titles_of(census, best), field, ordered)


def venue_year(ask: Asking, key: str) -> Sketch | None:
    """The papers of a venue on a topic in a year."""
    census = ask.census
    paper = ask.draw.below(len(census.listed))
    venue, year = int(census.tables.papers.venue[paper]), census.year[paper]
    topic = ask.choose(census.tables.papers.keywords[paper][:2])
    if venue < 0:
        return None
    found = {other for other in census.venue_papers[venue] & census.topic_papers[topic] if census.year[other] == year}
    if not all_listed(census, found):
        return None
    name = census.tables.venues.names[venue]
    order = by_citations(census, found)

    def answer(speaker: Speaker) -> str:
        place, listed = speaker.cite(VENUE, venue), paper_list(speaker, census, order)
        return speaker.say(
            f"{year}年发表在{place}的{topic}论文有：{listed}。",
            f"The {year} papers of {place} on {topic} are {listed}.",
        )

    plan = (
        step("search_venue_id", 1, name=name, name_search_type="exact"),
        step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], keywords=[topic], years=[year], sort="citation"),
        READ,
    )
    truth = {"search_venue_id": [venue], "search_paper_id": order, "search_paper_detail": order}
    slots = {"venue": name, "topic": ask.topic_text(topic), "year": str(year)}
    return Sketch(key, slots, plan, truth, answer, titles_of(census, order), field_of_topic(census, topic))
