"""What the episode needs of a corpus: papers by row, rows by id."""

from __future__ import annotations

from typing import Protocol

from scholar_env.records import Section


class DocumentStore(Protocol):
    """The part of :class:`scholar_env.corpus.Corpus` that an episode reads."""

    @property
    def fingerprint(self) -> str:
        """Hash of the corpus content."""
        ...

    def row_of(self, paper_id: str) -> int | None:
        """Returns the row of a paper id, or None."""
        ...

    def id_of(self, row: int) -> str:
        """Returns the paper id of a row."""
        ...

    def title(self, row: int) -> str:
        """Returns the title."""
        ...

    def abstract(self, row: int) -> str:
        """Returns the abstract."""
        ...

    def date(self, row: int) -> str:
        """Returns ``YYYY-MM-DD``, ``YYYY-MM`` or ``""``."""
        ...

    def authors(self, row: int) -> tuple[str, ...]:
        """Returns the author names in order."""
        ...

    def sections(self, row: int) -> tuple[Section, ...]:
        """Returns the full text, empty where there is none."""
        ...


def admissible(documents: DocumentStore, row: int, before: str | None) -> bool:
    """Whether a search with this date bound could return the paper.

    Without a bound every paper is; with one a paper must have a date whose month is not later (string comparison of the
    first seven characters), so undated papers are not.
    """
    if before is None:
        return True
    date = documents.date(row)
    return bool(date) and date[:7] <= before[:7]
