"""What an agent sees of an episode of SciNet beyond the common keys: lists of papers, citation contexts, its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholar_env.environment.observation import COMMON_KEYS, LONGEST_ID, LONGEST_TITLE, MOST_ITEMS, Viewer
from scholar_env.environment.spaces import INTEGER, Json, array_of, object_of, string
from scholar_env.environment.text_view import COMMON_SECTIONS, listed, shortened
from scholar_env.episode.family import Detail, ObservationKey, Section
from scholar_env.episode.trace import Outcome

if TYPE_CHECKING:
    from scholar_env.episode.scinet.engine import ScinetEpisode

LONGEST_CONTEXT: Final = 8_192

_CITATION: Final = object_of(
    paper=string(LONGEST_ID),
    title=string(LONGEST_TITLE),
    date=string(10),
    n_citers=INTEGER,
    n_references=INTEGER,
    together=INTEGER,
    relation=string(16),
    of=string(LONGEST_ID),
)
_CONTEXT: Final = object_of(
    citing=string(LONGEST_ID),
    title=string(LONGEST_TITLE),
    date=string(10),
    cited=string(LONGEST_ID),
    text=string(LONGEST_CONTEXT),
)


def _citations(viewer: Viewer, episode: ScinetEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {**entry, "title": entry["title"][:LONGEST_TITLE]}
        for outcome in outcomes
        for entry in outcome.payload.get("citations", ())
    ]


def _contexts(viewer: Viewer, episode: ScinetEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {**entry, "title": entry["title"][:LONGEST_TITLE], "text": entry["text"][:LONGEST_CONTEXT]}
        for outcome in outcomes
        for entry in outcome.payload.get("contexts", ())
    ]


def _answer(viewer: Viewer, episode: ScinetEpisode, outcomes: Sequence[Outcome]) -> list[str]:
    return [paper[:LONGEST_ID] for paper in episode.answer_ids()]


KEYS: Final[Mapping[str, ObservationKey]] = {
    **COMMON_KEYS,
    "citations": ObservationKey(lambda caps: Json(array_of(_CITATION, MOST_ITEMS)), _citations),
    "contexts": ObservationKey(lambda caps: Json(array_of(_CONTEXT, MOST_ITEMS)), _contexts),
    "answer": ObservationKey(lambda caps: Json(array_of(string(LONGEST_ID), MOST_ITEMS)), _answer),
}


def _citations_text(observation: Mapping[str, Any], detail: Detail) -> str:
    entries = observation["citations"]
    lines = [
        f"- {entry['paper']} | {entry['title']} | {entry['date'] or 'undated'} | {entry['n_citers']} citers | "
        f"{entry['n_references']} references" + (f" | together {entry['together']}" if entry["together"] else "")
        for entry in entries
    ]
    titles = ", ".join(dict.fromkeys(f"{entry['relation']} of {entry['of']}" for entry in entries))
    return listed(f"Papers, {titles}", lines, detail.results) if lines else ""


def _contexts_text(observation: Mapping[str, Any], detail: Detail) -> str:
    lines = [
        f"- {entry['citing']} | {entry['title']} | {entry['date'] or 'undated'}\n  "
        f"{shortened(entry['text'], detail.abstract) or '[the paragraph is not shown]'}"
        for entry in observation["contexts"]
    ]
    cited = ", ".join(dict.fromkeys(entry["cited"] for entry in observation["contexts"]))
    return listed(f"What citing papers say of {cited}", lines, detail.results) if lines else ""


def _answer_text(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Answer: {', '.join(observation['answer'])}" if observation["answer"] else ""


SECTIONS: Final[Mapping[str, Section]] = {
    "question": COMMON_SECTIONS["question"],
    "budget": COMMON_SECTIONS["budget"],
    "results": COMMON_SECTIONS["results"],
    "document": COMMON_SECTIONS["document"],
    "citations": _citations_text,
    "contexts": _contexts_text,
    "answer": _answer_text,
    "feedback": COMMON_SECTIONS["feedback"],
    "error": COMMON_SECTIONS["error"],
}
