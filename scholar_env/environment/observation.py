"""Observations: fixed spaces, and fresh JSON-able values built from an episode at every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gymnasium import spaces

from scholar_env.corpus import Corpus
from scholar_env.environment.spaces import INTEGER, NUMBER, Json, Unicode, array_of, object_of, string
from scholar_env.episode.engine import Episode
from scholar_env.episode.trace import Outcome, Page

COMMON_KEYS = ("question", "results", "error", "budget", "turn", "feedback")
"""Keys of every benchmark; the card adds the family's own."""

BUDGET_KEYS = ("iterations", "calls", "results", "characters", "answer_only")
LONGEST_QUESTION = 8_192
LONGEST_TITLE = 1_024
LONGEST_MESSAGE = 16_384
LONGEST_NOTE = 32_768
LONGEST_PLAN = 262_144
LONGEST_ID = 1_024
MOST_ITEMS = 100_000
_LARGEST = 2**31 - 1


def observation_space(keys: Sequence[str], max_abstract_chars: int, max_document_chars: int) -> spaces.Dict:
    """The space of a benchmark's observations.

    Args:
        keys: Observation keys of the card, in order.
        max_abstract_chars: Where abstracts in ``results`` are cut.
        max_document_chars: Where texts in ``document`` are cut.
    """
    known: dict[str, spaces.Space[Any]] = {
        "question": Unicode(LONGEST_QUESTION),
        "results": Json(array_of(_result_shape(max_abstract_chars), MOST_ITEMS)),
        "error": Unicode(LONGEST_MESSAGE),
        "budget": spaces.Dict({name: spaces.Discrete(_LARGEST, start=-1) for name in BUDGET_KEYS}),
        "turn": spaces.Discrete(_LARGEST),
        "feedback": Unicode(LONGEST_MESSAGE),
        "before": Unicode(10),
        "tree": Json(array_of(_NODE, MOST_ITEMS)),
        "selected": Json(array_of(string(LONGEST_ID), MOST_ITEMS)),
        "memory": spaces.Dict(
            {
                "checklist": Unicode(LONGEST_NOTE),
                "experience": Unicode(LONGEST_NOTE),
                "history": Json(array_of(string(LONGEST_PLAN), MOST_ITEMS)),
            }
        ),
        "document": Json(_document_shape(max_document_chars)),
    }
    return spaces.Dict([(key, known[key]) for key in keys])


def _result_shape(max_abstract_chars: int) -> dict[str, Any]:
    return object_of(
        paper=string(LONGEST_ID),
        title=string(LONGEST_TITLE),
        abstract=string(max_abstract_chars),
        date=string(10),
        score=NUMBER,
        rank=INTEGER,
        subquery=INTEGER,
    )


_NODE = object_of(
    id=INTEGER,
    parent=INTEGER,
    link=string(16),
    text=string(LONGEST_NOTE),
    iteration=INTEGER,
    requested=INTEGER,
    retrieved=INTEGER,
    selected=INTEGER,
    pages=INTEGER,
    overview=string(LONGEST_NOTE),
)


def _document_shape(max_document_chars: int) -> dict[str, Any]:
    return object_of(
        nullable=True,
        paper=string(LONGEST_ID),
        title=string(LONGEST_TITLE),
        date=string(10),
        authors=array_of(string(LONGEST_TITLE), MOST_ITEMS),
        sections=array_of(string(LONGEST_TITLE), MOST_ITEMS),
        section=string(LONGEST_TITLE),
        offset=INTEGER,
        text=string(max_document_chars),
        goal=string(LONGEST_MESSAGE),
        summary=string(max_document_chars),
    )


@dataclass(frozen=True)
class Viewer:
    """Builds observations: what an agent sees of an episode, every object of it fresh.

    Attributes:
        keys: Observation keys of the card, in order.
        corpus: Where titles and abstracts come from.
        max_abstract_chars: Where abstracts in ``results`` are cut.
        max_document_chars: Where texts in ``document`` are cut.
    """

    keys: tuple[str, ...]
    corpus: Corpus
    max_abstract_chars: int
    max_document_chars: int

    def observe(self, episode: Episode, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """The observation of an episode as it stands.

        Args:
            episode: The episode.
            outcomes: What the calls of the last step gave; none after a reset.
        """
        return {key: _BUILDERS[key](self, episode, outcomes) for key in self.keys}


def _results(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [entry for outcome in outcomes for page in outcome.pages for entry in _page(viewer, page)]


def _page(viewer: Viewer, page: Page) -> list[dict[str, Any]]:
    corpus, longest = viewer.corpus, viewer.max_abstract_chars
    return [
        {
            "paper": paper,
            "title": corpus.title(row)[:LONGEST_TITLE],
            "abstract": corpus.abstract(row)[:longest],
            "date": corpus.date(row),
            "score": float(f"{score:.6g}"),  # the digits that digests carry; further ones differ between machines
            "rank": rank,
            "subquery": page.subquery,
        }
        for paper, row, rank, score in page.entries
    ]


def _error(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> str:
    return _said([outcome.error for outcome in outcomes])


def _feedback(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> str:
    return _said(["\n".join(outcome.notices) for outcome in outcomes])


def _said(messages: Sequence[str]) -> str:
    """What the calls of a step brought, each under its number when there were several."""
    if len(messages) == 1:
        return messages[0][:LONGEST_MESSAGE]
    numbered = [f"call {number}: {text}" for number, text in enumerate(messages, 1) if text]
    return "\n".join(numbered)[:LONGEST_MESSAGE]


def _budget(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> dict[str, int]:
    left = episode.budget()
    return {name: left[name] for name in BUDGET_KEYS}


def _tree(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    overviews: dict[int, str] = {}
    for iteration in episode.trace.iterations:
        overviews.update(iteration.overviews)
    return [
        {**node, "text": node["text"][:LONGEST_NOTE], "overview": overviews.get(node["id"], "")[:LONGEST_NOTE]}
        for node in episode.tree.to_json()
    ]


def _memory(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    memory = episode.memory
    return {
        "checklist": memory.checklist[:LONGEST_NOTE],
        "experience": memory.experience[:LONGEST_NOTE],
        "history": [plan[:LONGEST_PLAN] for plan in memory.history],
    }


def _document(viewer: Viewer, episode: Episode, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    shown = [outcome.document for outcome in outcomes if outcome.document is not None]
    if not shown:
        return {}
    document, longest = shown[-1], viewer.max_document_chars
    return {
        "paper": document["paper"],
        "title": document["title"][:LONGEST_TITLE],
        "date": document.get("date", ""),
        "authors": [author[:LONGEST_TITLE] for author in document.get("authors", ())],
        "sections": [title[:LONGEST_TITLE] for title in document.get("sections", ())],
        "section": document.get("section", "")[:LONGEST_TITLE],
        "offset": document.get("offset", 0),
        "text": document.get("text", "")[:longest],
        "goal": document.get("goal", ""),
        "summary": document.get("summary", "")[:longest],
    }


_BUILDERS: dict[str, Callable[[Viewer, Episode, Sequence[Outcome]], Any]] = {
    "question": lambda viewer, episode, outcomes: episode.task.question[:LONGEST_QUESTION],
    "before": lambda viewer, episode, outcomes: episode.task.before[:10],
    "results": _results,
    "error": _error,
    "budget": _budget,
    "turn": lambda viewer, episode, outcomes: 0,  # for conversations; a search task has one turn
    "feedback": _feedback,
    "tree": _tree,
    "selected": lambda viewer, episode, outcomes: list(episode.selected),
    "memory": _memory,
    "document": _document,
}
