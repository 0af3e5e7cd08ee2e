"""The tools that show one paper: ``browse`` and ``read``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholar_env.episode.browse import summarize
from scholar_env.episode.calls import clip
from scholar_env.episode.documents import admissible
from scholar_env.episode.retrieval import with_retries
from scholar_env.episode.schema import ActionError

if TYPE_CHECKING:
    from scholar_env.episode.engine import Episode


def browse(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Reads a paper of the open iteration for a goal and returns a summary of three sentences at most."""
    paper, goal = arguments["paper"], arguments["goal"]
    iteration = episode.state.trace.open
    page = next((page for page in iteration.pages if paper in page.papers), None)
    if page is None:
        raise ActionError(
            "unknown_paper", f"browse: {paper[:40]!r} is on no page of the open iteration; browse a paper shown in it"
        )
    row = episode.state.rows[paper]
    documents, node = episode.corpus, episode.state.tree[page.subquery]
    summary = with_retries(
        lambda: summarize(episode.browser, documents, row, goal=goal or node.text, subquery=node.text),
        episode.config.retry_delay,
    )
    iteration.browsed[paper] = None
    iteration.summaries[paper] = summary
    episode.show({"paper": paper, "title": documents.title(row), "goal": goal, "summary": summary})


def read(episode: Episode, arguments: Mapping[str, Any]) -> None:
    """Returns a paper: its abstract and the titles of its sections, or the text of one section.

    Only papers that a search of this task could return can be read (in the corpus, not newer than the bound, dated when
    there is one). Under ``browser_mode="NONE"`` (Abstract-only) there is no full text. A long text comes in parts, from
    ``offset`` on.
    """
    paper, wanted, offset = arguments["paper"], arguments["section"], arguments["offset"]
    documents, limit = episode.corpus, episode.config.max_document_chars
    row = documents.row_of(paper)
    if row is None or not admissible(documents, row, episode.before):
        raise ActionError(
            "unknown_paper", f"read: this task's corpus has no paper {paper[:40]!r}; take an id from the results"
        )
    sections = () if episode.config.browser_mode == "NONE" else documents.sections(row)
    titles = [section.title for section in sections]
    title, text = "", documents.abstract(row)
    if wanted:
        number = _section_number(wanted, titles)
        if number is None:
            there = (
                "; ".join(f"{place}: {clip(name, 60)}" for place, name in enumerate(titles[:40], 1))
                or "none (abstract only)"
            )
            raise ActionError("unknown_section", f"read: no section {wanted[:40]!r}; sections: {there}")
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


def _section_number(wanted: str, titles: Sequence[str]) -> int | None:
    """A section by its title (case does not matter, the first of equals) or by its 1-based number."""
    lowered = wanted.lower()
    for place, title in enumerate(titles):
        if title.strip().lower() == lowered:
            return place
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(titles):
        return int(wanted[:9]) - 1
    return None
