"""The tools that show one paper: ``browse`` and ``read``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scholar_env.episode.reading import read_paper
from scholar_env.episode.retrieval import with_retries
from scholar_env.episode.schema import ActionError
from scholar_env.episode.scholargym.browse import summarize

if TYPE_CHECKING:
    from scholar_env.episode.scholargym.engine import Episode


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
    """Shows a paper or a section of it; under ``browser_mode="NONE"`` (Abstract-only) there is no full text."""
    read_paper(episode, arguments, full_text=episode.config.browser_mode != "NONE")
