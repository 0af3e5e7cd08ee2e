"""Question templates about venues and organizations themselves: ranks, lists, foundations, comparisons."""

from __future__ import annotations

from scholar_env.graph.kg_ids import ORG, VENUE
from scholar_env.graph.kg_tables import TIER_SOURCES

from .aise_parts import FEW, MANY
from .aise_sketch import Asking, Sketch, Speaker
from .aise_steps import find_org, find_venue, read_orgs, read_venues, step

RANKED = ("SJR", "CCF", "JCR")
"""Lists that questions ask about."""


def ranks_text(ask: Asking, venue: int) -> str:
    """All ranks of a venue, list by list."""
    ranks = zip(TIER_SOURCES, ask.census.tables.venues.quartiles[venue], strict=True)
    return ", ".join(f"{source} {rank}" for source, rank in ranks if rank)


def field_of_venue(ask: Asking, venue: int) -> int:
    """Home subfield of a venue, the first for general ones."""
    return max(int(ask.census.world.facts.people.venue_field[venue]), 0)


def venue_level(ask: Asking, key: str) -> Sketch | None:
    """How a venue is ranked."""
    venues = ask.census.tables.venues
    venue = ask.draw.below(len(venues.names))
    text = ranks_text(ask, venue)
    if not text:
        return None
    shown = venues.short[venue] if ask.draw.percent(35) else venues.names[venue]

    def answer(speaker: Speaker) -> str:
        place = speaker.cite(VENUE, venue)
        return speaker.say(f"{place}的分区为：{text}。", f"{place} is ranked as follows: {text}.")

    plan = (find_venue(shown), read_venues(2, "search_venue_id"))
    truth = {"search_venue_id": [venue], "search_venue_detail": [venue]}
    return Sketch(key, {"venue": shown}, plan, truth, answer, tuple(text.split(", ")), field_of_venue(ask, venue))


def venue_list(ask: Asking, key: str) -> Sketch | None:
    """The venues of a field with a rank."""
    venues = ask.census.tables.venues
    start = ask.draw.below(len(venues.names))
    source = ask.choose(RANKED)
    place = TIER_SOURCES.index(source)
    field, rank = ask.choose(venues.categories[start]), venues.quartiles[start][place]
    found = [
        row
        for row, ranks in enumerate(venues.quartiles)
        if rank and ranks[place] == rank and field in venues.categories[row]
    ]
    if not FEW <= len(found) <= MANY:
        return None

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(VENUE, found)
        return speaker.say(
            f"{field}领域{source}评为{rank}的期刊和会议有：{listed}。",
            f"The venues of {field} that {source} ranks {rank} are {listed}.",
        )

    plan = (
        step("search_venue_id", 1, category=field, category_source=str(place), quartile=rank),
        read_venues(2, "search_venue_id"),
    )
    truth = {"search_venue_id": found, "search_venue_detail": found}
    slots = {"field": ask.topic_text(field), "source": source, "rank": rank}
    names = tuple(venues.names[row] for row in found)
    return Sketch(key, slots, plan, truth, answer, names, field_of_venue(ask, start))


def venue_compare(ask: Asking, key: str) -> Sketch | None:
    """Two venues of a field compared by their SJR quartile."""
    venues = ask.census.tables.venues
    first = ask.draw.below(len(venues.names))
    near = [
        row
        for row, fields in enumerate(venues.categories)
        if row != first and set(fields) & set(venues.categories[first])
    ]
    if not near:
        return None
    second = ask.choose(near)
    ranks = {row: venues.quartiles[row][0] for row in (first, second)}
    if not all(ranks.values()) or ranks[first] == ranks[second]:
        return None
    winner = min(ranks, key=ranks.__getitem__)

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(VENUE, [first, second], lambda row: ranks[row])
        best = speaker.cite(VENUE, winner)
        return speaker.say(f"{listed}，因此{best}的SJR分区更高。", f"{listed}, so {best} has the better SJR quartile.")

    searches = {"search_venue_id(1)": first, "search_venue_id(2)": second}
    plan = (
        *(find_venue(venues.names[venue], name) for name, venue in searches.items()),
        read_venues(2, *searches),
    )
    truth = {**{name: [venue] for name, venue in searches.items()}, "search_venue_detail": [first, second]}
    slots = {"venue": venues.names[first], "venue2": venues.names[second]}
    facts = (venues.names[winner], *ranks.values())
    return Sketch(key, slots, plan, truth, answer, facts, field_of_venue(ask, first))


def org_detail(ask: Asking, key: str) -> Sketch | None:
    """Founding year, country and type of an organization."""
    orgs = ask.census.tables.orgs
    org = ask.draw.below(len(orgs.names))
    year, country, kind = int(orgs.established[org]), orgs.countries[org], orgs.types[org]

    def answer(speaker: Speaker) -> str:
        place = speaker.cite(ORG, org)
        return speaker.say(
            f"{place}成立于{year}年，位于{country}，类型为{kind}。",
            f"{place} was founded in {year}; it lies in {country} and is of the type {kind}.",
        )

    plan = (find_org(orgs.names[org]), read_orgs(2, "search_org_id"))
    truth = {"search_org_id": [org], "search_org_detail": [org]}
    return Sketch(key, {"org": ask.org_text(org)}, plan, truth, answer, (str(year), country), main_field(ask, org))


def org_compare(ask: Asking, key: str) -> Sketch | None:
    """Two organizations compared: by foundation, or by papers (``org/compare/papers``)."""
    orgs = ask.census.tables.orgs
    first, second = ask.draw.below(len(orgs.names)), ask.draw.below(len(orgs.names))
    by_papers = key.endswith("/papers")
    values = {
        org: len(ask.census.org_papers[org]) if by_papers else int(orgs.established[org]) for org in (first, second)
    }
    if first == second or values[first] == values[second]:
        return None
    winner = (max if by_papers else min)(values, key=values.__getitem__)

    def answer(speaker: Speaker) -> str:
        listed = speaker.listing(ORG, [first, second], lambda org: str(values[org]))
        best = speaker.cite(ORG, winner)
        if by_papers:
            return speaker.say(
                f"两者的论文数为：{listed}，{best}更多。", f"Numbers of papers: {listed}; {best} has more."
            )
        return speaker.say(f"两者的成立年份为：{listed}，{best}更早。", f"Founding years: {listed}; {best} is older.")

    plan = (find_org(orgs.names[first], orgs.names[second]), read_orgs(2, "search_org_id"))
    truth = {"search_org_id": [first, second], "search_org_detail": [first, second]}
    slots = {"org": ask.org_text(first), "org2": ask.org_text(second)}
    facts = (orgs.names[winner], *map(str, values.values()))
    return Sketch(key, slots, plan, truth, answer, facts, main_field(ask, first))


def main_field(ask: Asking, org: int) -> int:
    """The subfield of most authors of an organization."""
    fields = [ask.field_of(author) for author in sorted(ask.census.by_org[org])]
    return max(sorted(set(fields)), key=fields.count) if fields else 0
