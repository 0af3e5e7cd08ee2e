"""Observations: fixed spaces, and fresh JSON-able values built from an episode at every step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gymnasium import spaces

from scholar_env.corpus import Corpus
from scholar_env.environment.spaces import INTEGER, NUMBER, Json, Unicode, array_of, object_of, string
from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.family import Caps, ObservationKey, family
from scholar_env.episode.trace import Outcome, Page

BUDGET_KEYS = ("iterations", "calls", "results", "characters", "answer_only")
LONGEST_QUESTION = 8_192
LONGEST_TITLE = 1_024
LONGEST_MESSAGE = 16_384
LONGEST_NOTE = 32_768
LONGEST_PLAN = 262_144
LONGEST_ID = 1_024
MOST_ITEMS = 100_000
_LARGEST = 2**31 - 1


def observation_space(family_name: str, names: Sequence[str], caps: Caps) -> spaces.Dict:
    """The space of a benchmark's observations.

    Args:
        family_name: Name of the family.
        names: Observation keys of the card, in order.
        caps: Where texts are cut.
    """
    keys = family(family_name).keys
    return spaces.Dict([(name, keys[name].space(caps)) for name in names])


def result_shape(max_abstract_chars: int) -> dict[str, Any]:
    """The shape of one entry of ``results``."""
    return object_of(
        paper=string(LONGEST_ID),
        title=string(LONGEST_TITLE),
        abstract=string(max_abstract_chars),
        date=string(10),
        score=NUMBER,
        rank=INTEGER,
        subquery=INTEGER,
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
        family: Name of the family.
        names: Observation keys of the card, in order.
        corpus: Where titles and abstracts come from.
        caps: Where texts are cut.
    """

    family: str
    names: tuple[str, ...]
    corpus: Corpus
    caps: Caps

    def observe(self, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """The observation of an episode as it stands.

        Args:
            episode: The episode.
            outcomes: What the calls of the last step gave; none after a reset.
        """
        keys = family(self.family).keys
        return {name: keys[name].build(self, episode, outcomes) for name in self.names}


def results(viewer: Viewer, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """The entries of all pages of the last step."""
    return [entry for outcome in outcomes for page in outcome.pages for entry in _page(viewer, page)]


def _page(viewer: Viewer, page: Page) -> list[dict[str, Any]]:
    corpus, longest = viewer.corpus, viewer.caps.max_abstract_chars
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


def _error(viewer: Viewer, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> str:
    return _said([outcome.error for outcome in outcomes])


def _feedback(viewer: Viewer, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> str:
    shown = [number for number, outcome in enumerate(outcomes, 1) if outcome.document is not None]
    said = ["\n".join(outcome.notices) for outcome in outcomes]
    for number in shown[:-1]:
        hidden = f"not shown: one step shows one document, that of call {shown[-1]}"
        said[number - 1] = "\n".join(filter(None, [said[number - 1], hidden]))
    return _said(said)


def _said(messages: Sequence[str]) -> str:
    """What the calls of a step brought, each under its number when there were several."""
    if len(messages) == 1:
        return messages[0][:LONGEST_MESSAGE]
    numbered = [f"call {number}: {text}" for number, text in enumerate(messages, 1) if text]
    return "\n".join(numbered)[:LONGEST_MESSAGE]


def _budget(viewer: Viewer, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> dict[str, int]:
    left = episode.budget()
    return {name: left[name] for name in BUDGET_KEYS}


def _document(viewer: Viewer, episode: EpisodeBase[Any, Any], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    shown = [outcome.document for outcome in outcomes if outcome.document is not None]
    if not shown:
        return {}
    document, longest = shown[-1], viewer.caps.max_document_chars
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


COMMON_KEYS: Mapping[str, ObservationKey] = {
    "question": ObservationKey(
        lambda caps: Unicode(LONGEST_QUESTION), lambda viewer, episode, outcomes: episode.question[:LONGEST_QUESTION]
    ),
    "before": ObservationKey(lambda caps: Unicode(10), lambda viewer, episode, outcomes: episode.task.before[:10]),
    "results": ObservationKey(lambda caps: Json(array_of(result_shape(caps.max_abstract_chars), MOST_ITEMS)), results),
    "error": ObservationKey(lambda caps: Unicode(LONGEST_MESSAGE), _error),
    "budget": ObservationKey(
        lambda caps: spaces.Dict({name: spaces.Discrete(_LARGEST, start=-1) for name in BUDGET_KEYS}), _budget
    ),
    "turn": ObservationKey(lambda caps: spaces.Discrete(_LARGEST), lambda viewer, episode, outcomes: episode.turn),
    "feedback": ObservationKey(lambda caps: Unicode(LONGEST_MESSAGE), _feedback),
    "document": ObservationKey(lambda caps: Json(_document_shape(caps.max_document_chars)), _document),
}
"""Keys that families take over; all but ``before`` and ``document`` are on every card."""
