"""The tables that a knowledge graph is built from: papers, authors, venues, organizations, and names in two languages.

They are values: a world makes them of its facts, an importer of a dump, a benchmark of random numbers. Rows count from
0; -1 stands for none. Nothing here identifies a person's private life: no mail address, telephone number, homepage,
photograph, gender, biography, education or career.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import CorpusFormatError

Texts = tuple[str, ...]
Lists = tuple[tuple[str, ...], ...]

TIER_SOURCES = ("SJR", "WOS", "GB09", "CCF", "CSCD", "CCJ", "ARXIV", "CJCR", "JCR", "SCI")
"""Lists that rank venues; the place of a list is its code in the API (``category_source``)."""


@dataclass(frozen=True)
class PaperTable:
    """Papers.

    Attributes:
        keys: What the id of each is made of; distinct.
        titles, abstracts: As the graph has them.
        languages: ISO 639-1 codes.
        keywords: In English.
        year, citations: int32 [papers].
        venue: int32 [papers].
        author_starts, authors: Authors of paper i, in order, are ``authors[author_starts[i]:author_starts[i + 1]]``.
        author_orgs: int32, in parallel to ``authors``: the organization printed on the paper.
        listed: bool [papers]: the graph's own paper search finds it.
        scholar: bool [papers]: the second paper search finds it.
        scholar_titles: As the second search prints them; "" = as in ``titles``.
    """

    keys: Texts
    titles: Texts
    abstracts: Texts
    languages: Texts
    keywords: Lists
    year: NDArray[np.int32]
    citations: NDArray[np.int32]
    venue: NDArray[np.int32]
    author_starts: NDArray[np.int64]
    authors: NDArray[np.int32]
    author_orgs: NDArray[np.int32]
    listed: NDArray[np.bool_]
    scholar: NDArray[np.bool_]
    scholar_titles: Texts


@dataclass(frozen=True)
class AuthorTable:
    """Authors; what their papers decide (counts, h-index) is computed when the graph is built.

    Attributes:
        keys: What the id of each is made of; distinct.
        names, native: Name in Latin letters, and in its own script or "".
        aliases: Further wordings.
        interests: Topics, the foremost first.
        positions: Academic rank, or "".
        org: int32 [authors].
    """

    keys: Texts
    names: Texts
    native: Texts
    aliases: Lists
    interests: Lists
    positions: Texts
    org: NDArray[np.int32]


@dataclass(frozen=True)
class VenueTable:
    """Journals and conferences.

    Attributes:
        keys: What the id of each is made of; distinct.
        names, native, short: English name, name in another language or "", abbreviation.
        aliases: Further wordings.
        types: ``journal`` or ``conference``.
        categories: Fields, in English; the same under each source.
        quartiles: By venue and source of :data:`TIER_SOURCES`: the rank as that source writes it, "" where not listed.
        issn: Or "".
    """

    keys: Texts
    names: Texts
    native: Texts
    short: Texts
    aliases: Lists
    types: Texts
    categories: Lists
    quartiles: Lists
    issn: Texts


@dataclass(frozen=True)
class OrgTable:
    """Organizations.

    Attributes:
        keys: What the id of each is made of; distinct.
        names, native, acronyms: English name, name in another language or "", initials.
        aliases: Further wordings.
        countries: In English.
        types: ``education``, ``facility``, …
        established: int32 [orgs]: year, 0 where unknown.
        parent: int32 [orgs].
    """

    keys: Texts
    names: Texts
    native: Texts
    acronyms: Texts
    aliases: Lists
    countries: Texts
    types: Texts
    established: NDArray[np.int32]
    parent: NDArray[np.int32]


@dataclass(frozen=True)
class GraphTables:
    """A whole knowledge graph before it is indexed.

    Attributes:
        namespace: Goes into every id; another graph has other ids.
        topics: Pairs (other wording, English wording) of topics, fields and countries, in any language.
    """

    namespace: str
    papers: PaperTable
    authors: AuthorTable
    venues: VenueTable
    orgs: OrgTable
    topics: tuple[tuple[str, str], ...]

    def check(self) -> None:
        """Checks that all columns of a table have one length and all numbers lead somewhere.

        Raises:
            CorpusFormatError: One does not.
        """
        tables = {"papers": self.papers, "authors": self.authors, "venues": self.venues, "orgs": self.orgs}
        sizes = {name: self._checked_size(name, table) for name, table in tables.items()}
        papers = self.papers
        rows = {
            "papers.venue": (papers.venue, sizes["venues"]),
            "papers.authors": (papers.authors, sizes["authors"]),
            "papers.author_orgs": (papers.author_orgs, sizes["orgs"]),
            "authors.org": (self.authors.org, sizes["orgs"]),
            "orgs.parent": (self.orgs.parent, sizes["orgs"]),
        }
        for name, (values, size) in rows.items():
            if len(values) and (int(values.min()) < -1 or int(values.max()) >= size):
                raise _wrong(
                    name, f"it has values from {values.min()} to {values.max()}", f"rows lie from -1 to {size}"
                )
        starts = papers.author_starts
        if len(starts) != sizes["papers"] + 1 or starts[-1] != len(papers.authors) or np.any(np.diff(starts) < 0):
            raise _wrong("papers.author_starts", "it does not rise to the number of authorships", "it is a CSR index")

    def digest(self) -> str:
        """Hex sha256 over all columns: equal for equal tables on every machine."""
        total = hashlib.sha256(b"scholar-env knowledge graph 1\n")
        parts: dict[str, Any] = {"namespace": self.namespace, "topics": self.topics}
        for name in ("papers", "authors", "venues", "orgs"):
            parts |= {f"{name}.{column}": values for column, values in vars(getattr(self, name)).items()}
        for name, values in parts.items():
            total.update(f"{name}\n".encode())
            if isinstance(values, np.ndarray):
                total.update(f"{values.dtype.str}{values.shape}".encode() + np.ascontiguousarray(values).tobytes())
            else:
                total.update(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        return total.hexdigest()

    @staticmethod
    def _checked_size(name: str, table: object) -> int:
        keys: Texts = vars(table)["keys"]
        if len(set(keys)) != len(keys):
            raise _wrong(f"{name}.keys", "a key occurs twice", "keys are distinct")
        for column, values in vars(table).items():
            if column not in ("author_starts", "authors", "author_orgs") and len(values) != len(keys):
                raise _wrong(f"{name}.{column}", f"it has {len(values)} rows", f"the table has {len(keys)}")
        return len(keys)


def _wrong(column: str, found: str, rule: str) -> CorpusFormatError:
    return CorpusFormatError(f"column {column} of a knowledge graph: {found}", rule, "mend the tables")
