"""The nine APIs over a knowledge graph, each declared once: name, one line, typed parameters, what it gives.

Results have the released form. Personal data (mail, telephone, homepage, gender, biography) is in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scholar_env.episode.aise import records
from scholar_env.episode.aise.attempts import failure
from scholar_env.episode.plain_json import clip
from scholar_env.episode.schema import Argument
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE
from scholar_env.graph.kg_search import (
    AuthorQuery,
    PaperQuery,
    VenueQuery,
    search_authors,
    search_orgs,
    search_papers,
    search_scholar,
    search_venues,
)
from scholar_env.graph.kg_tables import TIER_SOURCES

MOST_IDS: Final = 100
MOST_NAMES: Final = 20
MOST_PAPERS: Final = 100
MOST_AUTHORS: Final = 1000
MOST_LETTERS: Final = 500


@dataclass(frozen=True, slots=True)
class Api:
    """One API.

    Attributes:
        name: Its name.
        description: One line for the agent.
        arguments: Its parameters, by their canonical names.
        example: Parameters of a right call.
        run: Its result for parameters that were checked.
        needs: Parameters of which at least one must say something.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    example: dict[str, Any]
    run: Callable[[KnowledgeGraph, Mapping[str, Any]], Any]
    needs: tuple[str, ...] = ()


def _text(name: str, description: str, choices: tuple[str, ...] = (), default: str = "") -> Argument:
    return Argument(
        name, "string", description, required=False, default=default, max_length=MOST_LETTERS, choices=choices
    )


def _texts(name: str, description: str, most: int = MOST_NAMES) -> Argument:
    return Argument(name, "strings", description, required=False, default=[], max_length=most)


def _size(most: int) -> Argument:
    description = f"results wanted, at most {most}"
    return Argument("size", "integer", description, required=False, default=10, minimum=1, maximum=most)


def _ids(name: str, kind: str) -> Argument:
    return Argument(name, "strings", f"ids of {kind}s, 24 hex digits each", min_length=1, max_length=MOST_IDS)


def _search_paper_id(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    found = search_papers(graph, PaperQuery(**given))
    return records.paper_ids(graph, found.rows, found.total)


def _search_paper_id_gs(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    hits = search_scholar(graph, given["query"])
    return records.paper_ids(graph, [row for row, _ in hits], len(hits), [title for _, title in hits])


def _search_paper_detail(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    rows = _rows(graph, PAPER, given["paper_ids"])
    return records.listed([records.paper(graph, row) for row in rows]) if rows else _none(PAPER, given["paper_ids"])


def _search_author_id(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    named = {key: value for key, value in given.items() if key != "asc"}
    found = search_authors(graph, AuthorQuery(**named, ascending=given["asc"]))
    return records.listed([records.author_hit(graph, row) for row in found.rows], found.total)


def _search_author_detail(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    rows = _rows(graph, AUTHOR, given["ids"])
    return [records.author(graph, row) for row in rows] if rows else _none(AUTHOR, given["ids"])


def _search_venue_id(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    source = given["category_source"]
    query = VenueQuery(
        name=given["name"],
        exact=given["name_search_type"] == "exact",
        category=given["category"],
        category_source=TIER_SOURCES[int(source)] if source.isdecimal() else source.upper(),
        quartile=_quartile(given["quartile"]),
        keywords=given["keywords"],
        size=given["size"],
    )
    found = search_venues(graph, query)
    return records.listed([records.venue_hit(graph, row) for row in found.rows], found.total)


def _quartile(text: str) -> str:
    """A rank as the lists write it: ``1``, ``q1``, ``一区`` for Q1; letters in capitals."""
    plain = text.strip().upper().removesuffix("区").removeprefix("Q")
    digit = {"一": "1", "二": "2", "三": "3", "四": "4"}.get(plain, plain)
    return f"Q{digit}" if digit in "1234" and digit else digit


def _search_venue_detail(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    rows = _rows(graph, VENUE, given["ids"])
    return records.listed([records.venue(graph, row) for row in rows]) if rows else _none(VENUE, given["ids"])


def _search_org_id(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    hits = search_orgs(graph, given["orgs"], given["size"])
    return records.listed([{**records.org_hit(graph, row), "query": name} for row, name in hits])


def _search_org_detail(graph: KnowledgeGraph, given: Mapping[str, Any]) -> Any:
    rows = _rows(graph, ORG, given["ids"])
    return records.listed([records.org(graph, row) for row in rows]) if rows else _none(ORG, given["ids"])


def _rows(graph: KnowledgeGraph, kind: str, ids: Sequence[str]) -> list[int]:
    found = (graph.row_of(kind, identifier.strip().lower()) for identifier in dict.fromkeys(ids))
    return [row for row in found if row is not None]


def _none(kind: str, ids: Sequence[str]) -> dict[str, Any]:
    message = f"no {kind} has the id {clip(ids[0])!r}" if len(ids) == 1 else f"no {kind} has one of the {len(ids)} ids"
    return failure("unknown_id", f"{message}; take ids from a search")


PAPER_NEEDS = (
    *("titles", "keywords", "years", "is_sci", "language", "author", "author_id", "coauthors", "org", "org_id"),
    *("venues", "venue_ids"),
)
AUTHOR_ORDERS = ("n_citation", "n_pubs", "h_index")
CATEGORY_SOURCES = (*(str(code) for code in range(len(TIER_SOURCES))), *TIER_SOURCES)
SOURCE_TEXT = ", ".join(f"{code} {name}" for code, name in enumerate(TIER_SOURCES))

DECLARED: Final = (
    Api(
        "search_paper_id",
        "Finds papers in the knowledge graph by title, keywords, years, people, organizations or venues; gives ids.",
        (
            _texts("titles", "titles, any of them"),
            _texts("keywords", "keywords in English, any of them; all words of one must occur"),
            Argument("years", "integers", "years, any of them", required=False, default=[], max_length=50),
            Argument("is_sci", "boolean", "in a venue of the SCI", required=False),
            Argument(
                "language", "string", "ISO 639-1 code", required=False, default="",
                pattern="[A-Za-z]{2}", pattern_hint="a code of two letters such as en",
            ),
            _text("sort", "year: newest first; citation: most cited first", ("year", "citation"), "citation"),
            _text("author", "name of an author"),
            _text("author_id", "id of an author"),
            _texts("coauthors", "names of authors, all of them"),
            _text("org", "name of an organization"),
            _text("org_id", "id of an organization"),
            _texts("venues", "abbreviations of venues in small letters, any of them"),
            _texts("venue_ids", "ids of venues, any of them"),
            _size(MOST_PAPERS),
        ),
        {"keywords": ["sequential recommendation"], "sort": "citation", "size": 10},
        _search_paper_id,
        PAPER_NEEDS,
    ),
    Api(
        "search_paper_id_gs",
        "Finds papers in another search engine by free text; its coverage and its ranking differ. Gives ids.",
        (Argument("query", "string", "free text, or a title", min_length=1, max_length=MOST_LETTERS),),
        {"query": "sequential recommendation with long histories"},
        _search_paper_id_gs,
    ),
    Api(
        "search_paper_detail",
        "Gives title, abstract, year, citations, keywords, authors with organizations, and venue of papers.",
        (_ids("paper_ids", PAPER),),
        {"paper_ids": ["53e9af26b7602d97039635be"]},
        _search_paper_detail,
    ),
    Api(
        "search_author_id",
        "Finds authors by name, organization, interests or country; gives ids with counts.",
        (
            _text("name", "name in any script"),
            _text("org", "name of the organization"),
            _texts("interest", "topics in English, any of them"),
            _texts("nation", "countries, any of them"),
            _text("order", "what to sort by", AUTHOR_ORDERS, "n_citation"),
            Argument("asc", "boolean", "smallest first", required=False, default=False),
            _size(MOST_AUTHORS),
        ),
        {"name": "Jia Wang", "interest": ["information retrieval"]},
        _search_author_id,
        ("name", "org", "interest", "nation"),
    ),
    Api(
        "search_author_detail",
        "Gives names, organizations, interests, position, h-index and counts of authors.",
        (_ids("ids", AUTHOR),),
        {"ids": ["53e9af26b7602d97039635be"]},
        _search_author_detail,
    ),
    Api(
        "search_venue_id",
        "Finds journals and conferences by name, field, rank or keywords; gives ids.",
        (
            _text("name", "name or abbreviation"),
            _text("name_search_type", "how the name is matched", ("fuzzy", "exact"), "fuzzy"),
            _text("category", "field"),
            _text("category_source", f"list that ranks venues: {SOURCE_TEXT}", CATEGORY_SOURCES),
            _text("quartile", "rank on that list: Q1 to Q4, or A, B, C"),
            _texts("keywords", "words of name or field, any of them"),
            _size(MOST_PAPERS),
        ),
        {"category": "information retrieval", "category_source": "0", "quartile": "Q1"},
        _search_venue_id,
        ("name", "category", "category_source", "quartile", "keywords"),
    ),
    Api(
        "search_venue_detail",
        "Gives names, type and ranks of venues.",
        (_ids("ids", VENUE),),
        {"ids": ["53e9af26b7602d97039635be"]},
        _search_venue_detail,
    ),
    Api(
        "search_org_id",
        "Finds organizations by name or initials; gives ids.",
        (
            Argument("orgs", "strings", "names or initials", min_length=1, max_length=MOST_NAMES),
            _size(MOST_PAPERS),
        ),
        {"orgs": ["Northern University of Hefei"]},
        _search_org_id,
    ),
    Api(
        "search_org_detail",
        "Gives names, country, type, year of foundation and counts of organizations.",
        (_ids("ids", ORG),),
        {"ids": ["53e9af26b7602d97039635be"]},
        _search_org_detail,
    ),
)  # fmt: skip

APIS: Final[dict[str, Api]] = {api.name: api for api in DECLARED}
