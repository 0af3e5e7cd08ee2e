"""Question templates about the papers of a topic: the most cited, the newest, how many."""

from __future__ import annotations

from scholar_env.graph.kg_ids import PAPER

from .aise_parts import (
    MANY,
    all_listed,
    by_citations,
    cited_list,
    field_of_topic,
    paper_list,
    titles_of,
    topic_sketch,
)
from .aise_sketch import Asking, Sketch, Speaker
from .aise_steps import read_papers, step


def topic_year(ask: Asking, key: str) -> Sketch | None:
    """The most cited papers of a topic from one year."""
    census, topic, count = ask.census, ask.choose(ask.census.topics), 2 + ask.draw.below(4)
    papers = sorted(census.topic_papers[topic])
    if not papers:
        return None
    year = census.year[ask.choose(papers)]
    best = census.top_papers({paper for paper in papers if census.year[paper] == year}, count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None

    def answer(speaker: Speaker) -> str:
        listed = cited_list(speaker, census, best)
        return speaker.say(
            f"{year}年{topic}方向引用最高的{count}篇论文是：{listed}。",
            f"The {count} most cited {year} papers on {topic} are {listed}.",
        )

    plan = (
        step("search_paper_id", 1, keywords=[topic], years=[year], sort="citation", size=count),
        read_papers(2),
    )
    truth = {"search_paper_id": best, "search_paper_detail": best}
    return topic_sketch(
        ask, key, topic, plan, truth, answer, titles_of(census, best), ["search_paper_id"], year=str(year), n=str(count)
    )


def topic_latest(ask: Asking, key: str) -> Sketch | None:
    """What the newest papers of a topic are about."""
    census, topic, count = ask.census, ask.choose(ask.census.topics), 3 + ask.draw.below(3)
    best = census.newest(census.topic_papers[topic], count)
    if best is None or not all(census.listed[paper] for paper in best):
        return None
    words = census.tables.papers.keywords

    def answer(speaker: Speaker) -> str:
        parts = [
            speaker.say(
                f"{speaker.cite(PAPER, paper)}（{census.year[paper]}年）研究{speaker.joined(words[paper][:3])}",
                f"{speaker.cite(PAPER, paper)} ({census.year[paper]}) deals with {speaker.joined(words[paper][:3])}",
            )
            for paper in best
        ]
        return speaker.say(
            f"{topic}最新的{count}篇论文：" + "；".join(parts) + "。",
            f"The {count} newest papers on {topic}: " + "; ".join(parts) + ".",
        )

    plan = (step("search_paper_id", 1, keywords=[topic], sort="year", size=count), read_papers(2))
    truth = {"search_paper_id": best, "search_paper_detail": best}
    return topic_sketch(
        ask, key, topic, plan, truth, answer, titles_of(census, best), ["search_paper_id"], n=str(count)
    )


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
    orders = {year: by_citations(census, papers) for year, papers in found.items()}

    def answer(speaker: Speaker) -> str:
        parts = [paper_list(speaker, census, orders[year]) for year in (first, second)]
        return speaker.say(
            f"{topic}方向{first}年有{counts[first]}篇论文：{parts[0]}；{second}年有{counts[second]}篇：{parts[1]}。{winner}年更多。",
            f"On {topic} there were {counts[first]} papers in {first} ({parts[0]}) and {counts[second]} in {second} "
            f"({parts[1]}), so {winner} had more.",
        )

    searches = {"search_paper_id(1)": first, "search_paper_id(2)": second}
    plan = (
        *(step(name, 1, keywords=[topic], years=[year], sort="citation") for name, year in searches.items()),
        read_papers(2, *searches),
    )
    truth = {name: orders[year] for name, year in searches.items()}
    facts = (str(counts[first]), str(counts[second]), str(winner))
    return topic_sketch(ask, key, topic, plan, truth, answer, facts, year=str(first), year2=str(second))


def papers_class(ask: Asking, key: str) -> Sketch | None:
    """The most cited papers of a topic in the Q1 venues of its field."""
    census, venues, count = ask.census, ask.census.tables.venues, 2 + ask.draw.below(3)
    topic = ask.choose(census.topics)
    field = field_of_topic(census, topic)
    names = {subfield.id: subfield.title for subfield in census.world.ontology.subfields}
    title = names[census.world.facts.subfields[field]]
    first = [row for row, ranks in enumerate(venues.quartiles) if ranks[0] == "Q1" and title in venues.categories[row]]
    papers = {paper for venue in first for paper in census.venue_papers[venue]} & census.topic_papers[topic]
    best = census.top_papers(papers, count)
    if best is None or len(first) > MANY or not all(census.listed[paper] for paper in best):
        return None

    def answer(speaker: Speaker) -> str:
        listed = cited_list(speaker, census, best)
        return speaker.say(
            f"{title}领域SJR一区期刊或会议上{topic}方向引用最高的{count}篇论文是：{listed}。",
            f"The {count} most cited papers on {topic} in the Q1 venues of {title} are {listed}.",
        )

    plan = (
        step("search_venue_id", 1, category=title, category_source="0", quartile="Q1"),
        step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], keywords=[topic], sort="citation", size=count),
        read_papers(3),
    )
    truth = {"search_venue_id": first, "search_paper_id": best, "search_paper_detail": best}
    slots = {"topic": ask.topic_text(topic), "field": ask.topic_text(title), "n": str(count)}
    ordered = frozenset({"search_paper_id"})
    return Sketch(key, slots, plan, truth, answer, titles_of(census, best), field, ordered)
