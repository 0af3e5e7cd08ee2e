"""Reading one paper: its abstract and the titles of its sections, or the text of one section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.documents import admissible
from scholar_env.episode.plain_json import clip
from scholar_env.episode.schema import ActionError

if TYPE_CHECKING:
    from scholar_env.episode.base import EpisodeBase

READ_DOCUMENT: Final[Mapping[str, type]] = {
    "paper": str, "title": str, "date": str, "authors": list, "sections": list, "section": str, "offset": int,
    "text": str,
}  # fmt: skip
"""The form of what :func:`read_paper` shows."""


def read_paper(episode: EpisodeBase[Any, Any], arguments: Mapping[str, Any], *, full_text: bool = True) -> None:
    """Shows a paper: its abstract and the titles of its sections, or the text of one section.

    Only papers that a search of this task could return can be read (in the corpus, not newer than the bound, dated when
    there is one). A long text comes in parts, from ``offset`` on.

    Args:
        episode: The episode.
        arguments: ``paper``, ``section`` and ``offset`` (:data:`scholar_env.episode.arguments.READ_ARGUMENTS`).
        full_text: Whether sections can be read.

    Raises:
        ActionError: There is no such paper or section.
    """
    paper, wanted, offset = arguments["paper"], arguments["section"], arguments["offset"]
    documents, limit = episode.corpus, episode.config.max_document_chars
    row = documents.row_of(paper)
    if row is None or not admissible(documents, row, episode.before):
        raise ActionError(
            "unknown_paper", f"read: this task's corpus has no paper {paper[:40]!r}; take an id from the results"
        )
    sections = documents.sections(row) if full_text else ()
    titles = [section.title for section in sections]
    title, text = "", documents.abstract(row)
    if wanted:
        number = section_number(wanted, titles)
        if number is None:
            raise no_section(wanted, titles)
        title, text = titles[number], sections[number].text
    if offset + limit < len(text):
        episode.note(f"read: {len(text) - offset - limit} characters more; read on with offset {offset + limit}")
    episode.show(
        {
            "paper": paper,
            "title": documents.title(row),
            "date": documents.date(row),
            "authors": list(documents.authors(row)),
            "sections": titles,
            "section": title,
            "offset": offset,
            "text": text[offset : offset + limit],
        }
    )


def no_section(wanted: str, titles: Sequence[str]) -> ActionError:
    """Returns the refusal of a section that is not there, with those that are."""
    listed = "; ".join(f"{place}: {clip(name, 60)}" for place, name in enumerate(titles[:40], 1))
    there = listed or "none (abstract only)"
    return ActionError("unknown_section", f"read: no section {wanted[:40]!r}; sections: {there}")


def section_number(wanted: str, titles: Sequence[str]) -> int | None:
    """Returns a section by its title (case does not matter, the first of equals) or by its 1-based number, or None."""
    lowered = wanted.lower()
    for place, title in enumerate(titles):
        if title.strip().lower() == lowered:
            return place
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(titles):
        return int(wanted[:9]) - 1
    return None
