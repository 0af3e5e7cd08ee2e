"""What the APIs say of entities: records of a knowledge graph as plain JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE, entity_link
from scholar_env.graph.kg_tables import TIER_SOURCES


def listed(data: Sequence[Any], total: int | None = None) -> dict[str, Any]:
    """A result that lists something, in the released form."""
    found = list(data)
    return {"success": True, "msg": "", "data": found, "total": len(found) if total is None else total}


def paper_ids(
    graph: KnowledgeGraph, rows: Sequence[int], total: int, titles: Sequence[str] | None = None
) -> dict[str, Any]:
    """The result of a paper search: ids and titles, in parallel."""
    shown = [graph.papers.text("title", row) for row in rows] if titles is None else list(titles)
    ids = [graph.id_of(PAPER, row) for row in rows]
    return {"success": True, "msg": "", "data": {"paper_ids": ids, "titles": shown}, "total": total}


def paper(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """All of a paper."""
    venue = int(graph.paper_venue[row])
    authors = zip(graph.authors_of(row), graph.orgs_of(row), strict=True)
    return {
        "paper_id": graph.id_of(PAPER, row),
        "title": graph.papers.text("title", row),
        "abstract": graph.papers.text("abstract", row),
        "year": int(graph.year[row]),
        "citation": int(graph.citations[row]),
        "keywords": graph.papers.texts("keywords", row),
        "authors": [_authorship(graph, author, org) for author, org in authors],
        "venue": graph.venues.text("name", venue) if venue >= 0 else "",
        "language": graph.papers.text("language", row),
        "url": entity_link(PAPER, graph.id_of(PAPER, row)),
    }


def _authorship(graph: KnowledgeGraph, author: int, org: int) -> dict[str, str]:
    return {
        "author": graph.authors.text("name", author) if author >= 0 else "",
        "author_id": graph.id_of(AUTHOR, author) if author >= 0 else "",
        "org": graph.orgs.text("name", org) if org >= 0 else "",
        "org_id": graph.id_of(ORG, org) if org >= 0 else "",
    }


def author_hit(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """An author as a search lists them."""
    org = int(graph.author_org[row])
    return {
        "id": graph.id_of(AUTHOR, row),
        "interests": graph.authors.texts("interests", row),
        "n_citation": int(graph.measure("n_citation")[row]),
        "n_pubs": int(graph.measure("n_pubs")[row]),
        "h_index": int(graph.measure("h_index")[row]),
        "name": graph.authors.text("name", row),
        "name_zh": graph.authors.text("native", row),
        "org": graph.orgs.text("name", org) if org >= 0 else "",
        "org_id": graph.id_of(ORG, org) if org >= 0 else "",
        "org_zh": graph.orgs.text("native", org) if org >= 0 else "",
        "nation": graph.orgs.text("country", org) if org >= 0 else "",
    }


def author(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """All of an author."""
    hit = author_hit(graph, row)
    org = hit.pop("org")
    measures = {name: int(graph.measure(name)[row]) for name in ("activity", "diversity", "sociability")}
    return {
        "id": hit["id"],
        "name": hit["name"],
        "name_zh": hit["name_zh"],
        "orgs": [org] if org else [],
        "org_id": hit["org_id"],
        "position": graph.authors.text("position", row),
        "nation": hit["nation"],
        "interests": hit["interests"],
        "h_index": hit["h_index"],
        "g_index": int(graph.measure("g_index")[row]),
        "citation_num": hit["n_citation"],
        "pub_num": hit["n_pubs"],
        **{name: value / 10_000 for name, value in measures.items()},
        "url": entity_link(AUTHOR, hit["id"]),
    }


def venue_hit(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """A venue as a search lists it."""
    return {"id": graph.id_of(VENUE, row), "name": graph.venues.text("name", row)}


def venue(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """All of a venue."""
    ranks = dict(zip(TIER_SOURCES, graph.venues.texts("quartiles", row), strict=True))
    categories = graph.venues.texts("categories", row)
    return {
        **venue_hit(graph, row),
        "name_en": graph.venues.text("name", row),
        "name_zh": graph.venues.text("native", row),
        "alias": [graph.venues.text("short", row)],
        "issn": graph.venues.text("issn", row),
        "quartile": ranks["SJR"],
        "source_quartiles": [
            {"source": source, "category": category, "quartile": rank}
            for source, rank in ranks.items()
            if rank
            for category in categories
        ],
        "type": graph.venues.text("type", row),
        "categories": categories,
        "paper_count": len(graph.papers_of_venue(row)),
        "url": entity_link(VENUE, graph.id_of(VENUE, row)),
    }


def org_hit(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """An organization as a search lists it."""
    return {"id": graph.id_of(ORG, row), "name": graph.orgs.text("name", row)}


def org(graph: KnowledgeGraph, row: int) -> dict[str, Any]:
    """All of an organization."""
    parent = int(graph.parent[row])
    founded = int(graph.established[row])
    native = graph.orgs.text("native", row)
    return {
        **org_hit(graph, row),
        "name_zh": native,
        "aliases": [*([native] if native else []), *graph.orgs.texts("aliases", row)],
        "acronyms": [graph.orgs.text("acronym", row)],
        "established": founded or None,
        "type": graph.orgs.text("type", row),
        "geo": {"country": graph.orgs.text("country", row)},
        "relationships": [{"type": "parent", "id": graph.id_of(ORG, parent)}] if parent >= 0 else [],
        "author_count": len(graph.authors_of_org(row)),
        "paper_count": len(graph.papers_of_org(row)),
        "url": entity_link(ORG, graph.id_of(ORG, row)),
    }
