"""What an agent sees of an episode of CompLit beyond the common keys: hits, figures, categories, its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gymnasium import spaces

from scholar_env.environment.observation import (
    COMMON_KEYS,
    LONGEST_ID,
    LONGEST_MESSAGE,
    LONGEST_TITLE,
    MOST_ITEMS,
    Viewer,
)
from scholar_env.environment.spaces import INTEGER, Json, Unicode, array_of, object_of, string
from scholar_env.environment.text_view import COMMON_SECTIONS, listed
from scholar_env.episode.family import Detail, ObservationKey, Section
from scholar_env.episode.trace import Outcome

if TYPE_CHECKING:
    from scholar_env.episode.complit.engine import ComplitEpisode

_IMAGE: Final = 16_384
_HIT: Final = object_of(
    paper=string(LONGEST_ID),
    title=string(LONGEST_TITLE),
    section=string(LONGEST_TITLE),
    matches=INTEGER,
    snippet=string(LONGEST_TITLE),
)
_FIGURE: Final = object_of(
    number=INTEGER,
    y=string(LONGEST_TITLE),
    x=string(LONGEST_TITLE),
    points=array_of(object_of(x=string(LONGEST_TITLE), y=string(LONGEST_TITLE)), MOST_ITEMS),
    image=string(_IMAGE),
)


def _hits(viewer: Viewer, episode: ComplitEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {**hit, "title": hit["title"][:LONGEST_TITLE], "section": hit["section"][:LONGEST_TITLE]}
        for outcome in outcomes
        for hit in outcome.payload.get("hits", ())
    ]


def _last(outcomes: Sequence[Outcome], name: str) -> list[Any]:
    """What the last reading of a step gave."""
    given = [outcome.payload[name] for outcome in outcomes if name in outcome.payload]
    return given[-1] if given else []


def _figures(viewer: Viewer, episode: ComplitEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [{**figure, "points": [dict(point) for point in figure["points"]]} for figure in _last(outcomes, "figures")]


def _categories(viewer: Viewer, episode: ComplitEpisode, outcomes: Sequence[Outcome]) -> list[str]:
    return [str(category)[:LONGEST_TITLE] for category in _last(outcomes, "categories")]


def _answer(viewer: Viewer, episode: ComplitEpisode, outcomes: Sequence[Outcome]) -> dict[str, str]:
    answer = episode.state.answer
    given = ("", "") if answer is None else (answer.paper, answer.title)
    rationale = "" if answer is None else episode.state.rationale[:LONGEST_MESSAGE]
    return {"paper": given[0], "title": given[1], "rationale": rationale}


KEYS: Final[Mapping[str, ObservationKey]] = {
    **COMMON_KEYS,
    "hits": ObservationKey(lambda caps: Json(array_of(_HIT, MOST_ITEMS)), _hits),
    "figures": ObservationKey(lambda caps: Json(array_of(_FIGURE, MOST_ITEMS)), _figures),
    "categories": ObservationKey(lambda caps: Json(array_of(string(LONGEST_TITLE), MOST_ITEMS)), _categories),
    "answer": ObservationKey(
        lambda caps: spaces.Dict(
            {"paper": Unicode(LONGEST_ID), "title": Unicode(LONGEST_TITLE), "rationale": Unicode(LONGEST_MESSAGE)}
        ),
        _answer,
    ),
}


def _hits_text(observation: Mapping[str, Any], detail: Detail) -> str:
    lines = [
        f"- {hit['paper']} | {hit['title']} | {hit['section']} ({hit['matches']}): {hit['snippet']}"
        for hit in observation.get("hits", ())
    ]
    return listed("Hits", lines, detail.results) if lines else ""


def _figures_text(observation: Mapping[str, Any], detail: Detail) -> str:
    lines = [
        f"- Figure {figure['number']}: {figure['y']} by {figure['x']}: "
        + ", ".join(f"{point['x']}: {point['y']}" for point in figure["points"])
        for figure in observation.get("figures", ())
    ]
    return listed("Figures", lines, detail.results) if lines else ""


def _categories_text(observation: Mapping[str, Any], detail: Detail) -> str:
    categories = observation.get("categories", ())
    return f"Categories: {', '.join(categories)}" if categories else ""


def _answer_text(observation: Mapping[str, Any], detail: Detail) -> str:
    answer = observation.get("answer", {})
    named = " ".join(filter(None, (answer.get("paper"), answer.get("title"))))
    return f"Current answer: {named}" if named else ""


SECTIONS: Final[Mapping[str, Section]] = {
    "question": COMMON_SECTIONS["question"],
    "before": COMMON_SECTIONS["before"],
    "budget": COMMON_SECTIONS["budget"],
    "results": COMMON_SECTIONS["results"],
    "hits": _hits_text,
    "document": COMMON_SECTIONS["document"],
    "categories": _categories_text,
    "figures": _figures_text,
    "answer": _answer_text,
    "feedback": COMMON_SECTIONS["feedback"],
    "error": COMMON_SECTIONS["error"],
}
