"""Who wrote each paper: stable groups of authors for each line of work, their names, organizations and venues."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .cells import Topics
from .choice import Ints, chance, pick, shuffled, skewed
from .facts import People
from .names import permuted
from .organizations import Organizations, draw_organizations
from .personal_names import FAMILIES, naming
from .places import COUNTRIES
from .spec import WorldSpec
from .streams import below, column, key_of
from .terms import Subfield
from .venues import TIER_SOURCES, draw_paper_venues, draw_venues

__all__ = ["TIER_SOURCES", "draw_people"]

GROUP_PERCENT = 96
"""Size of a line's group of authors, in percent of its papers; not all of them get to write one."""
AUTHORS = (9, 17, 21, 19, 14, 10, 6, 4)
"""Weights of one to eight authors."""
AT_HOME = 620
"""Authors, in thousandths, with a name as is usual in the country of their organization."""
NAMESAKES = 40
"""Names, in thousandths, that two authors of different organizations and fields share."""
NATIVE = 860
"""Authors, in thousandths, who use the form of their name in its own script too, if it has one."""
LED, GUESTS = 600, 250
"""Papers, in thousandths, with the head of the group as last author; with a guest from another line."""


@dataclass(frozen=True)
class Groups:
    """Authors by line: those of line l are `starts[l]` … `starts[l + 1] - 1`, the head first."""

    starts: Ints
    line: Ints
    org: Ints
    field: Ints


def draw_people(spec: WorldSpec, subfields: tuple[Subfield, ...], topics: Topics, copy_of: NDArray[np.int32]) -> People:
    """Draw authors, organizations and venues, and who wrote each paper and where it appeared.

    Args:
        spec: The world.
        subfields: Its subfields.
        topics: What papers are about.
        copy_of: Exact copies have the authors of the paper that they repeat.
    """
    orgs = draw_organizations(spec, max(12, spec.papers // 25))
    groups = draw_groups(spec, topics, len(orgs.names))
    starts, authors = draw_authors(spec, topics, groups)
    starts, authors = repeated(starts, authors, copy_of)
    # Only who wrote a paper is an author; their numbers tell nothing of the group.
    used = np.unique(authors)
    used = used[shuffled(spec.seed, "author-numbers", len(used))]
    number = np.full(len(groups.org), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    org, field = groups.org[used], groups.field[used]
    names, native = draw_names(spec, orgs, org, field)
    venues = draw_venues(spec, subfields)
    paper_venue = draw_paper_venues(spec, venues, topics.subfield, topics.line)
    return People(
        author_names=names,
        author_native=native,
        author_org=org.astype(np.int32),
        author_field=field.astype(np.int16),
        org_names=orgs.names,
        org_native=orgs.native,
        org_acronyms=orgs.acronyms,
        org_countries=tuple(COUNTRIES[at].name for at in orgs.country.tolist()),
        venue_names=venues.names,
        venue_native=venues.native,
        venue_short=venues.short,
        venue_field=venues.field,
        venue_tiers=venues.tiers,
        paper_starts=starts,
        paper_authors=number[authors].astype(np.int32),
        paper_venue=paper_venue,
    )


def draw_groups(spec: WorldSpec, topics: Topics, orgs: int) -> Groups:
    """Draw a group of authors for each line: most from its first organization, some from two others."""
    papers = np.bincount(topics.line)
    sizes = 1 + (papers * GROUP_PERCENT + below(column(spec.seed, "group-size", len(papers)), 100)) // 100
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    line = np.repeat(np.arange(len(papers)), sizes)
    popular = skewed(spec.seed, "org-popular", orgs, offset=24)
    homes = np.stack([pick(column(spec.seed, f"home-{at}", len(papers)), popular) for at in range(3)], axis=1)
    home = pick(column(spec.seed, "author-home", len(line)), (6, 3, 1))
    home[starts[:-1]] = 0
    field = np.zeros(len(papers), dtype=np.int64)
    field[topics.line] = topics.subfield
    return Groups(starts, line, homes[line, home], field[line])


def draw_authors(spec: WorldSpec, topics: Topics, groups: Groups) -> tuple[Ints, Ints]:
    """Draw the authors of each paper: neighbors in the list of the group, its head last, perhaps a guest.

    Returns:
        int64 [papers + 1] starts, and int64 authors.
    """
    size, line = spec.papers, topics.line.astype(np.int64)
    first, group = groups.starts[line], np.diff(groups.starts)[line]
    counts = np.minimum(1 + pick(column(spec.seed, "author-count", size), AUTHORS), np.maximum(group - 1, 1))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = np.repeat(np.arange(size), counts)
    place = np.arange(len(row)) - starts[row]
    # All but the head sit in a ring; the paper takes a stretch of it.
    ring = np.maximum(group - 1, 1)
    seat = below(column(spec.seed, "author-seat", size), ring)
    authors = first[row] + 1 + (seat[row] + place) % ring[row]
    alone = group[row] == 1
    authors[alone] = first[row][alone]
    last = place == counts[row] - 1
    led = last & (counts[row] > 1) & chance(spec.seed, "led", size, LED)[row]
    authors[led] = first[row][led]
    guests = np.flatnonzero(chance(spec.seed, "guests", size, GUESTS) & (counts > 2))
    guest = draw_guests(spec, groups, line[guests], guests)
    authors[starts[guests[guest >= 0]] + 1] = guest[guest >= 0]
    return starts, authors


def draw_guests(spec: WorldSpec, groups: Groups, line: Ints, rows: Ints) -> Ints:
    """Draw an author of another line of the same subfield for each row; -1 where the draw hits the own line."""
    by_field = np.argsort(groups.field, kind="stable")
    field = groups.field[groups.starts[line]]
    low = np.searchsorted(groups.field[by_field], field, side="left")
    high = np.searchsorted(groups.field[by_field], field, side="right")
    guest = by_field[low + below(column(spec.seed, "guest", spec.papers)[rows], high - low)]
    return np.where(groups.line[guest] == line, -1, guest)


def repeated(starts: Ints, authors: Ints, copy_of: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Give copies the authors of the papers that they repeat."""
    source = np.where(copy_of >= 0, copy_of, np.arange(len(copy_of)))
    counts = np.diff(starts)[source]
    new = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    place = np.arange(int(new[-1])) - np.repeat(new[:-1], counts) + np.repeat(starts[source], counts)
    return new, authors[place]


def draw_names(spec: WorldSpec, orgs: Organizations, org: Ints, field: Ints) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Draw a name for each author, different for all but the namesakes.

    Returns:
        Names in Latin letters, and in their own script, "" for most.
    """
    count = len(org)
    languages = sorted(FAMILIES)
    of_country = np.array([languages.index(entry.language) for entry in COUNTRIES], dtype=np.int64)
    weights = np.array([entry.weight for entry in COUNTRIES], dtype=np.int64)
    anywhere = of_country[pick(column(spec.seed, "author-origin", count), weights)]
    at_home = chance(spec.seed, "author-at-home", count, AT_HOME)
    language = np.where(at_home, of_country[orgs.country[org]], anywhere)
    native = chance(spec.seed, "author-native", count, NATIVE).tolist()
    drawn: list[tuple[str, str]] = []
    counters = [0] * len(languages)
    for author, at in enumerate(language.tolist()):
        latin, own = full_name(spec, languages[at], counters[at])
        counters[at] += 1
        drawn.append((latin, own if native[author] else ""))
    share_names(spec, drawn, org, field)
    return tuple(latin for latin, _ in drawn), tuple(own for _, own in drawn)


@lru_cache(maxsize=64)
def people_key(seed: int, kind: str) -> tuple[int, int]:
    """The key that scatters the names of a kind."""
    return key_of(seed, f"people/{kind}")


def full_name(spec: WorldSpec, language: str, number: int) -> tuple[str, str]:
    """The name of the person of a number among those of a language, in Latin letters and in the own script.

    Even numbers have no middle initial as long as there are names without.
    """
    names = naming(language, train=spec.train)
    if names.joined is not None:
        return joined_name(spec, language, number)
    given = names.men + names.women
    plain = len(given) * len(names.family)
    lot, odd = divmod(number, 2)
    bare = (not odd and lot < plain) if names.initials else True
    key = people_key(spec.seed, f"{language}/{bare}")
    sizes = (len(given), len(names.family), 1 if bare else len(names.initials))
    rank = lot if bare and names.initials else number
    total = sizes[0] * sizes[1] * sizes[2]
    index, turn = permuted(rank % total, total, key), rank // total
    index, first = divmod(index, sizes[0])
    latin, own = given[first]
    family = names.family[index % sizes[1]][first >= len(names.men)]
    middle = ("", "") if bare else names.initials[index // sizes[1]]
    # Beyond all names of a language people take a second given name.
    second = given[(first + turn) % len(given)] if turn else ("", "")
    return styled(
        (latin, second[0], middle[0], family[0]),
        (own, second[1], middle[1], family[1]),
        surname_first=names.surname_first,
    )


def joined_name(spec: WorldSpec, language: str, number: int) -> tuple[str, str]:
    """A name whose given name is made of two syllables, or of one."""
    names = naming(language, train=spec.train)
    syllables = names.men
    total = len(names.family) * len(syllables) * (len(syllables) + 1)
    index = permuted(number % total, total, people_key(spec.seed, language))
    index, first = divmod(index, len(syllables))
    second, family = divmod(index, len(names.family))
    given, own = syllables[first]
    if second < len(syllables):
        tail = syllables[second]
        given, own = f"{given}{names.joined}{tail[0] if names.joined else tail[0].lower()}", own + tail[1]
    turn = number // total
    middle = LETTERS[turn % len(LETTERS)] if turn else ""
    surname = names.family[family][0]
    return styled((given, "", middle, surname[0]), (own, "", "", surname[1]), surname_first=names.surname_first)


LETTERS = "ABCDEFGHJKLMNPRSTVW"


def styled(latin: tuple[str, ...], native: tuple[str, ...], *, surname_first: bool) -> tuple[str, str]:
    """Join given name, second name, initial and family name in both scripts."""
    given, second, middle, family = latin
    text = " ".join(part for part in (given, second, f"{middle}." if middle else "", family) if part)
    given, second, middle, family = native
    if not family:
        return text, ""
    if surname_first:
        return text, family + given + second
    return text, " ".join(part for part in (given, second, f"{middle}." if middle else "", family) if part)


def share_names(spec: WorldSpec, drawn: list[tuple[str, str]], org: Ints, field: Ints) -> None:
    """Give some authors the name of one of another organization and field; in place."""
    count = len(drawn)
    order = shuffled(spec.seed, "namesakes", count)
    wanted = count * NAMESAKES // 1000
    pairs = order[: count // 2 * 2].reshape(-1, 2)
    apart = (org[pairs[:, 0]] != org[pairs[:, 1]]) & (field[pairs[:, 0]] != field[pairs[:, 1]])
    for first, second in pairs[apart][:wanted].tolist():
        drawn[second] = drawn[first]
