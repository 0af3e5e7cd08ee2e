"""An open knowledge graph: entities by row, and look-ups by name, by words and by filters. Read-only and shared.

Rows are numbers from 0; look-ups take and give rows and know nothing of an API's parameters or errors.
"""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scholar_env.arrays import load_array
from scholar_env.graph.kg_columns import TextTable
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE
from scholar_env.graph.kg_manifest import SCHOLAR, GraphManifest, damaged, read_graph_manifest
from scholar_env.graph.kg_names import NameIndex, folded
from scholar_env.graph.kg_terms import TermIndex
from scholar_env.index.base import Index
from scholar_env.string_table import StringTable
from scholar_env.verified import verified

Rows = NDArray[np.int32]
KINDS = (PAPER, AUTHOR, VENUE, ORG)


class KnowledgeGraph:
    """A knowledge graph folder, opened. Threads may read at once.

    Use :meth:`open`.

    Attributes:
        path: The folder.
        fingerprint: Hex sha256 over the content of its tables.
        counts: Number of papers, authors, venues, orgs.
        papers, authors, venues, orgs: Texts of the entities.
    """

    def __init__(self, path: Path, manifest: GraphManifest) -> None:
        self.path = path
        self.fingerprint = manifest.fingerprint
        self.counts = dict(manifest.counts)
        self.papers = TextTable(path / "papers.arrow")
        self.authors = TextTable(path / "authors.arrow")
        self.venues = TextTable(path / "venues.arrow")
        self.orgs = TextTable(path / "orgs.arrow")
        self._ids = {kind: StringTable(path, f"{kind}_ids") for kind in KINDS}
        self.year = self._array("paper_year", np.int32)
        self.citations = self._array("paper_citations", np.int32)
        self.paper_venue = self._array("paper_venue", np.int32)
        self.author_starts = self._array("paper_author_starts", np.int64)
        self.paper_authors = self._array("paper_authors", np.int32)
        self.paper_author_orgs = self._array("paper_author_orgs", np.int32)
        self.listed = self._array("paper_listed", np.bool_)
        self.is_sci = self._array("paper_sci", np.bool_)
        self.citation_rank = self._array("paper_citation_rank", np.int32)
        self.year_rank = self._array("paper_year_rank", np.int32)
        self.author_org = self._array("author_org", np.int32)

    @classmethod
    def open(cls, path: str | Path, *, verify: bool | None = None) -> KnowledgeGraph:
        """Opens a knowledge graph.

        Args:
            path: The folder.
            verify: None verifies the hashes of all files once a machine; True always does.

        Raises:
            CorpusNotFoundError: There is none.
            CorpusFormatError: It was written by another version.
            CorpusIntegrityError: A file is not as it was frozen.
        """
        folder = Path(path).resolve()
        manifest = read_graph_manifest(folder)
        with verified(folder, manifest.paths(), damaged, force=bool(verify)):
            pass  # hashes are all there is to check
        key = (folder, manifest.fingerprint)
        with _lock:
            if key not in _opened:
                _opened[key] = cls(folder, manifest)
            return _opened[key]

    def id_of(self, kind: str, row: int) -> str:
        """The id of an entity."""
        return self._ids[kind].text(row)

    def row_of(self, kind: str, identifier: str) -> int | None:
        """The row of an id, None when the graph does not have it."""
        return self._ids[kind].get(identifier)

    def authors_of(self, paper: int) -> list[int]:
        """Rows of a paper's authors in order."""
        found: list[int] = self.paper_authors[self.author_starts[paper] : self.author_starts[paper + 1]].tolist()
        return found

    def orgs_of(self, paper: int) -> list[int]:
        """Rows of the organizations printed with a paper's authors, in parallel to them; -1 for none."""
        found: list[int] = self.paper_author_orgs[self.author_starts[paper] : self.author_starts[paper + 1]].tolist()
        return found

    def papers_of_author(self, author: int) -> Rows:
        """Rows of an author's papers, ascending."""
        starts, rows = self._lists["author_paper", "author_papers"]
        return rows[starts[author] : starts[author + 1]]

    def papers_of_venue(self, venue: int) -> Rows:
        """Rows of a venue's papers, ascending."""
        starts, rows = self._lists["venue_papers", "venue_papers"]
        return rows[starts[venue] : starts[venue + 1]]

    def papers_of_org(self, org: int) -> Rows:
        """Rows of the papers with an author of an organization, ascending."""
        starts, rows = self._lists["org_paper", "org_papers"]
        return rows[starts[org] : starts[org + 1]]

    def authors_of_org(self, org: int) -> Rows:
        """Rows of the authors of an organization, ascending."""
        starts, rows = self._lists["org_authors", "org_authors"]
        return rows[starts[org] : starts[org + 1]]

    def authors_of_topic(self, topic: int) -> Rows:
        """Rows of the authors with an interest, ascending."""
        starts, rows = self._lists["topic_author", "topic_authors"]
        return rows[starts[topic] : starts[topic + 1]]

    def measure(self, name: str) -> Rows:
        """A measure of all authors: n_pubs, n_citation, h_index, g_index, activity, diversity, sociability."""
        return self._measures[name]

    def english(self, wording: str) -> str:
        """The English wording of a topic, field or country; the wording itself where no other is known."""
        rows = self.wording_names.exact(wording)
        return self._wordings.text("english", int(rows[0])) if len(rows) else wording

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Folded wording -> folded canonical wording of topics, fields, countries, and of unambiguous names."""
        found = {
            folded(self._wordings.text("other", row)): folded(self._wordings.text("english", row))
            for row in range(self._wordings.n_rows)
        }
        for table, index in ((self.venues, self.venue_names), (self.orgs, self.org_names)):
            for row in range(table.n_rows):
                name = table.text("name", row)
                for other in (table.text("native", row), *table.texts("aliases", row)):
                    if other and len(index.exact(other)) == 1:
                        found.setdefault(folded(other), folded(name))
        for row in range(self.authors.n_rows):
            native = self.authors.text("native", row)
            if native:
                found.setdefault(folded(native), folded(self.authors.text("name", row)))
        return found

    @cached_property
    def title_names(self) -> NameIndex:
        """Papers by title."""
        return NameIndex(self.path, "title_names")

    @cached_property
    def author_names(self) -> NameIndex:
        """Authors by name."""
        return NameIndex(self.path, "author_names")

    @cached_property
    def venue_names(self) -> NameIndex:
        """Venues by name and abbreviation."""
        return NameIndex(self.path, "venue_names")

    @cached_property
    def org_names(self) -> NameIndex:
        """Organizations by name and initials."""
        return NameIndex(self.path, "org_names")

    @cached_property
    def topic_names(self) -> NameIndex:
        """Interests by name."""
        return NameIndex(self.path, "topic_names")

    @cached_property
    def wording_names(self) -> NameIndex:
        """Other wordings of topics, fields and countries."""
        return NameIndex(self.path, "wording_names")

    @cached_property
    def paper_terms(self) -> TermIndex:
        """Papers that the paper search finds, by words of title and keywords."""
        return TermIndex(self.path, "paper_terms")

    @cached_property
    def venue_terms(self) -> TermIndex:
        """Venues by words of name and fields."""
        return TermIndex(self.path, "venue_terms")

    @cached_property
    def org_terms(self) -> TermIndex:
        """Organizations by words of their names."""
        return TermIndex(self.path, "org_terms")

    @cached_property
    def topic_terms(self) -> TermIndex:
        """Interests by their words."""
        return TermIndex(self.path, "topic_terms")

    @cached_property
    def scholar_index(self) -> Index:
        """Index of the second paper search."""
        from scholar_env.index.sparse import SparseIndex

        return SparseIndex.open(self.path / SCHOLAR)

    @cached_property
    def established(self) -> Rows:
        """Year in which each organization was founded, 0 where unknown."""
        return self._array("org_established", np.int32)

    @cached_property
    def parent(self) -> Rows:
        """The organization that each belongs to, -1 for none."""
        return self._array("org_parent", np.int32)

    @cached_property
    def _wordings(self) -> TextTable:
        return TextTable(self.path / "wordings.arrow")

    @cached_property
    def _lists(self) -> dict[tuple[str, str], tuple[NDArray[np.int64], Rows]]:
        names = (
            *(("author_paper", "author_papers"), ("venue_papers", "venue_papers"), ("org_paper", "org_papers")),
            *(("org_authors", "org_authors"), ("topic_author", "topic_authors")),
        )
        return {
            (starts, rows): (self._array(f"{starts}_starts", np.int64), self._array(rows, np.int32))
            for starts, rows in names
        }

    @cached_property
    def _measures(self) -> dict[str, Rows]:
        names = ("n_pubs", "n_citation", "h_index", "g_index", "activity", "diversity", "sociability")
        return {name: self._array(f"author_{name}", np.int32) for name in names}

    def _array(self, name: str, dtype: Any) -> NDArray[Any]:
        return load_array(self.path / f"{name}.npy", dtype)

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return _reopen, (str(self.path), self.fingerprint)

    def __copy__(self) -> KnowledgeGraph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> KnowledgeGraph:
        return self

    def __repr__(self) -> str:
        return f"KnowledgeGraph({self.counts}, {self.fingerprint[:12]})"


_lock = threading.Lock()
_opened: dict[tuple[Path, str], KnowledgeGraph] = {}


def _reopen(path: str, fingerprint: str) -> KnowledgeGraph:
    graph = KnowledgeGraph.open(path)
    if graph.fingerprint != fingerprint:
        raise damaged(graph.path, f"its fingerprint is {graph.fingerprint}, and {fingerprint} is wanted")
    return graph
