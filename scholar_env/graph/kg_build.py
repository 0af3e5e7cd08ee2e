"""Builds the folder of a knowledge graph from its tables: columns, counts and ranks, and the indexes for look-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.arrays import save_array
from scholar_env.graph.kg_columns import write_text_table
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE, entity_id
from scholar_env.graph.kg_manifest import KINDS, SCHOLAR, GraphManifest, entries_of
from scholar_env.graph.kg_names import write_name_index
from scholar_env.graph.kg_tables import AuthorTable, GraphTables, PaperTable
from scholar_env.graph.kg_terms import write_term_index
from scholar_env.index.freeze import freeze_sparse
from scholar_env.sealed import MANIFEST
from scholar_env.storage import write_bytes_atomic
from scholar_env.string_table import write_string_table

SCHOLAR_TOKENIZER = "snowball-en-v1"

Tell = Callable[[str, int, int], None]
Ints = NDArray[np.int32]


def build_graph(folder: str | Path, tables: GraphTables, source: str = "", tell: Tell | None = None) -> Path:
    """Writes a knowledge graph into a folder (made when missing) and returns it.

    Args:
        folder: Where it is written.
        tables: What it holds.
        source: Stored in the manifest: what the tables were made from.
        tell: Told the stage, what is done and the total.

    Raises:
        CorpusFormatError: The tables do not fit together.
    """
    tables.check()
    folder, step = Path(folder), tell or (lambda stage, done, total: None)
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, write) in enumerate(_STAGES.items()):
        step(name, number, len(_STAGES))
        write(folder, tables)
    counts = {name: len(getattr(tables, name).keys) for name in KINDS}
    manifest = GraphManifest(source, tables.digest(), counts, entries_of(folder), entries_of(folder / SCHOLAR))
    write_bytes_atomic(folder / MANIFEST, manifest.as_bytes())
    return folder


def _papers(folder: Path, tables: GraphTables) -> None:
    papers = tables.papers
    texts = {"title": papers.titles, "abstract": papers.abstracts, "language": papers.languages}
    texts["scholar_title"] = papers.scholar_titles
    write_text_table(folder / "papers.arrow", texts, {"keywords": papers.keywords})
    sci = [bool(quartiles[8] or quartiles[9]) for quartiles in tables.venues.quartiles]
    is_sci = np.array([venue >= 0 and sci[venue] for venue in papers.venue.tolist()], dtype=bool)
    arrays: dict[str, NDArray[Any]] = {
        "paper_year": papers.year.astype(np.int32),
        "paper_citations": papers.citations.astype(np.int32),
        "paper_venue": papers.venue.astype(np.int32),
        "paper_author_starts": papers.author_starts.astype(np.int64),
        "paper_authors": papers.authors.astype(np.int32),
        "paper_author_orgs": papers.author_orgs.astype(np.int32),
        "paper_listed": papers.listed.astype(bool),
        "paper_scholar": papers.scholar.astype(bool),
        "paper_sci": is_sci,
        "paper_citation_rank": ranks(papers.citations, papers.year),
        "paper_year_rank": ranks(papers.year, papers.citations),
    }
    for name, array in arrays.items():
        save_array(folder / f"{name}.npy", array)


def ranks(first: Ints, second: Ints) -> Ints:
    """Place of each row when rows are sorted by a number, then another, both falling; ties by row."""
    order = np.lexsort((-second.astype(np.int64), -first.astype(np.int64)))
    places = np.empty(len(order), dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places


def _authors(folder: Path, tables: GraphTables) -> None:
    authors = tables.authors
    texts = {"name": authors.names, "native": authors.native, "position": authors.positions}
    write_text_table(folder / "authors.arrow", texts, {"aliases": authors.aliases, "interests": authors.interests})
    starts, rows = papers_by_author(tables.papers, len(authors.keys))
    measures = author_measures(tables.papers, starts, rows)
    arrays: dict[str, NDArray[Any]] = {
        "author_org": authors.org.astype(np.int32),
        "author_paper_starts": starts,
        "author_papers": rows,
    }
    arrays |= {f"author_{name}": values for name, values in measures.items()}
    for name, array in arrays.items():
        save_array(folder / f"{name}.npy", array)


def papers_by_author(papers: PaperTable, count: int) -> tuple[NDArray[np.int64], Ints]:
    """The papers of each author: rows ``[starts[i], starts[i + 1])``, ascending."""
    rows = np.repeat(np.arange(len(papers.keys), dtype=np.int32), np.diff(papers.author_starts))
    known = papers.authors >= 0
    owners, rows = papers.authors[known], rows[known]
    order = np.argsort(owners, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))]).astype(np.int64)
    return starts, rows[order].astype(np.int32)


def author_measures(papers: PaperTable, starts: NDArray[np.int64], rows: Ints) -> dict[str, Ints]:
    """Papers, citations, h-index and g-index of each author, and three measures of the graph in ten-thousandths.

    h: the largest number of papers with as many citations each (Hirsch 2005); g: the largest number of papers, at most
    all, with its square of citations together (Egghe 2006). ``activity`` weighs papers by age, ``diversity`` counts
    years, ``sociability`` co-authorships; they are integers so that they are the same everywhere.
    """
    newest = int(papers.year.max()) if len(papers.keys) else 0
    sizes = np.diff(papers.author_starts)
    names = ("n_pubs", "n_citation", "h_index", "g_index", "activity", "diversity", "sociability")
    columns: dict[str, list[int]] = {name: [] for name in names}
    for at in range(len(starts) - 1):
        own = rows[starts[at] : starts[at + 1]]
        cited = np.sort(papers.citations[own])[::-1].astype(np.int64)
        places = np.arange(1, len(own) + 1)
        years = papers.year[own]
        columns["n_pubs"].append(len(own))
        columns["n_citation"].append(int(cited.sum()))
        columns["h_index"].append(int((cited >= places).sum()))
        columns["g_index"].append(int((np.cumsum(cited) >= places * places).sum()))
        columns["activity"].append(int((120_000 // (1 + np.maximum(newest - years, 0))).sum()))
        columns["diversity"].append(10_000 * len(np.unique(years)) // max(len(own), 1))
        columns["sociability"].append(10_000 * int((sizes[own] - 1).sum()) // max(len(own), 1))
    return {name: np.array(values, dtype=np.int32) for name, values in columns.items()}


def _venues(folder: Path, tables: GraphTables) -> None:
    venues = tables.venues
    texts = {
        "name": venues.names, "native": venues.native, "short": venues.short, "type": venues.types, "issn": venues.issn
    }  # fmt: skip
    lists = {"aliases": venues.aliases, "categories": venues.categories, "quartiles": venues.quartiles}
    write_text_table(folder / "venues.arrow", texts, lists)
    _group(folder, "venue", tables.papers.venue, len(venues.keys))


def _orgs(folder: Path, tables: GraphTables) -> None:
    orgs = tables.orgs
    texts = {
        "name": orgs.names, "native": orgs.native, "acronym": orgs.acronyms, "country": orgs.countries,
        "type": orgs.types,
    }  # fmt: skip
    write_text_table(folder / "orgs.arrow", texts, {"aliases": orgs.aliases})
    save_array(folder / "org_established.npy", orgs.established.astype(np.int32))
    save_array(folder / "org_parent.npy", orgs.parent.astype(np.int32))
    papers = tables.papers
    rows = np.repeat(np.arange(len(papers.keys), dtype=np.int64), np.diff(papers.author_starts))
    pairs = np.unique(np.stack([papers.author_orgs.astype(np.int64), rows], axis=1), axis=0)
    pairs = pairs[pairs[:, 0] >= 0]
    starts = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=len(orgs.keys)))])
    save_array(folder / "org_paper_starts.npy", starts.astype(np.int64))
    save_array(folder / "org_papers.npy", pairs[:, 1].astype(np.int32))
    _group(folder, "org_author", tables.authors.org, len(orgs.keys), suffix="s")


def _group(folder: Path, name: str, owner: Ints, count: int, suffix: str = "_papers") -> None:
    """Writes the rows that belong to each owner, ascending."""
    order = np.argsort(owner, kind="stable")
    order = order[owner[order] >= 0]
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner[owner >= 0], minlength=count))])
    save_array(folder / f"{name}{suffix}_starts.npy", starts.astype(np.int64))
    save_array(folder / f"{name}{suffix}.npy", order.astype(np.int32))


def _ids(folder: Path, tables: GraphTables) -> None:
    kinds = {PAPER: tables.papers.keys, AUTHOR: tables.authors.keys}
    kinds |= {VENUE: tables.venues.keys, ORG: tables.orgs.keys}
    for kind, keys in kinds.items():
        write_string_table(folder, f"{kind}_ids", (entity_id(tables.namespace, kind, key) for key in keys))


def _names(folder: Path, tables: GraphTables) -> None:
    papers, venues, orgs = tables.papers, tables.venues, tables.orgs
    write_name_index(folder, "title_names", _pairs(papers.titles))
    write_name_index(folder, "author_names", author_names(tables.authors))
    write_name_index(folder, "venue_names", _pairs(venues.names, venues.native, venues.short, lists=venues.aliases))
    write_name_index(folder, "org_names", _pairs(orgs.names, orgs.native, orgs.acronyms, lists=orgs.aliases))
    topics = sorted({topic for interests in tables.authors.interests for topic in interests})
    number = {topic: at for at, topic in enumerate(topics)}
    write_text_table(folder / "topics.arrow", {"name": topics}, {})
    write_name_index(folder, "topic_names", _pairs(tuple(topics)))
    owners = [(number[topic], row) for row, interests in enumerate(tables.authors.interests) for topic in interests]
    pairs = np.array(sorted(set(owners)), dtype=np.int64).reshape(-1, 2)
    starts = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=len(topics)))])
    save_array(folder / "topic_author_starts.npy", starts.astype(np.int64))
    save_array(folder / "topic_authors.npy", pairs[:, 1].astype(np.int32))
    others, english = [other for other, _ in tables.topics], [name for _, name in tables.topics]
    write_text_table(folder / "wordings.arrow", {"other": others, "english": english}, {})
    write_name_index(folder, "wording_names", _pairs(tuple(others)))


def _pairs(*columns: tuple[str, ...], lists: tuple[tuple[str, ...], ...] = ()) -> Iterator[tuple[str, int]]:
    for column in columns:
        yield from ((text, row) for row, text in enumerate(column) if text)
    yield from ((text, row) for row, texts in enumerate(lists) for text in texts)


def author_names(authors: AuthorTable) -> Iterator[tuple[str, int]]:
    """All wordings under which an author is found: also family name first, and with initials."""
    yield from _pairs(authors.names, authors.native, lists=authors.aliases)
    for row, name in enumerate(authors.names):
        words = name.split()
        if len(words) > 1:
            yield " ".join([words[-1], *words[:-1]]), row
            yield " ".join([*(word[0] for word in words[:-1]), words[-1]]), row


def _terms(folder: Path, tables: GraphTables) -> None:
    papers, venues = tables.papers, tables.venues
    texts = (
        " ".join([title, *keywords]) if listed else ""
        for title, keywords, listed in zip(papers.titles, papers.keywords, papers.listed.tolist(), strict=True)
    )
    write_term_index(folder, "paper_terms", texts)
    rows = zip(venues.names, venues.short, venues.categories, venues.aliases, strict=True)
    write_term_index(
        folder, "venue_terms", (" ".join([name, short, *fields, *more]) for name, short, fields, more in rows)
    )
    orgs = zip(tables.orgs.names, tables.orgs.aliases, strict=True)
    write_term_index(folder, "org_terms", (" ".join([name, *more]) for name, more in orgs))
    topics = sorted({topic for interests in tables.authors.interests for topic in interests})
    write_term_index(folder, "topic_terms", topics)


def _scholar(folder: Path, tables: GraphTables) -> None:
    papers = tables.papers
    texts: list[str | None] = [
        f"{printed or title} {abstract}" if covered else None
        for title, printed, abstract, covered in zip(
            papers.titles, papers.scholar_titles, papers.abstracts, papers.scholar.tolist(), strict=True
        )
    ]
    freeze_sparse(folder / SCHOLAR, texts, [""] * len(texts), SCHOLAR_TOKENIZER)


_STAGES: dict[str, Callable[[Path, GraphTables], None]] = {
    "papers": _papers, "authors": _authors, "venues": _venues, "organizations": _orgs, "ids": _ids, "names": _names,
    "words": _terms, "second search": _scholar,
}  # fmt: skip
