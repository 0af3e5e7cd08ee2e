"""What an agent sees of an episode of AISE-Bench beyond the common keys: API results, and the steps so far."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scholar_env.environment.observation import COMMON_KEYS, LONGEST_NOTE, MOST_ITEMS, Viewer
from scholar_env.environment.spaces import Json, array_of, object_of, string
from scholar_env.environment.text_view import COMMON_SECTIONS, listed, shortened
from scholar_env.episode.aise.engine import AiseEpisode
from scholar_env.episode.family import Detail, ObservationKey, Section
from scholar_env.episode.trace import Outcome

LONGEST_NAME = 256
LONGEST_RESULT = 262_144

_RESULT = object_of(
    step=string(LONGEST_NAME),
    api=string(LONGEST_NAME),
    status=string(16),
    params=string(LONGEST_NOTE),
    result=string(LONGEST_RESULT),
)
_STEP = object_of(step=string(LONGEST_NAME), api=string(LONGEST_NAME), status=string(16), rely=string(LONGEST_NOTE))


def _api_results(viewer: Viewer, episode: AiseEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    longest = episode.config.max_result_chars
    return [
        {
            "step": shown["step"][:LONGEST_NAME],
            "api": shown["api"][:LONGEST_NAME],
            "status": shown["status"],
            "params": _json(shown["params"])[:LONGEST_NOTE],
            "result": fitted(shown["result"], longest),
        }
        for outcome in outcomes
        for shown in outcome.payload.get("api_results", ())
    ]


def fitted(result: Any, longest: int) -> str:
    """A result as JSON text of at most so many characters.

    Lists lose their tails until the text fits, ``shown`` then tells how many entries are left; a text that is still
    too long is cut and no JSON any more.
    """
    text = _json(result)
    wrapped = isinstance(result, Mapping) and isinstance(result.get("data"), list)
    entries = result["data"] if wrapped else result if isinstance(result, list) else []
    kept = len(entries)
    while len(text) > longest and kept:
        kept = min(kept - 1, kept * longest // len(text))
        data = entries[:kept]
        rest = dict(result) if wrapped else {"total": len(entries)}
        text = _json({**rest, "data": data, "shown": kept})
    return text[:longest]


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _steps(viewer: Viewer, episode: AiseEpisode, outcomes: Sequence[Outcome]) -> list[dict[str, str]]:
    return [
        {
            "step": ran.name[:LONGEST_NAME],
            "api": ran.api[:LONGEST_NAME],
            "status": ran.status,
            "rely": ", ".join(ran.rely)[:LONGEST_NOTE],
        }
        for ran in episode.state.ran.values()
    ]


KEYS: Final[Mapping[str, ObservationKey]] = {
    **COMMON_KEYS,
    "api_results": ObservationKey(lambda caps: Json(array_of(_RESULT, MOST_ITEMS)), _api_results),
    "steps": ObservationKey(lambda caps: Json(array_of(_STEP, MOST_ITEMS)), _steps),
}

_LENGTHS = {None: None, 20: 2_000, 10: 1_000, 3: 300, 0: 80}
"""Characters of a result, by how many entries of a list are shown."""


def _results_text(observation: Mapping[str, Any], detail: Detail) -> str:
    longest = _LENGTHS.get(detail.results, 80) if detail.abstract is None or detail.results is not None else 8_000
    lines = [
        f"- {shown['step'] or shown['api']} ({shown['status']}) {shortened(shown['params'], 2_000)}\n  "
        f"{shortened(shown['result'], longest)}"
        for shown in observation["api_results"]
    ]
    return listed("API results", lines, None) if lines else ""


def _steps_text(observation: Mapping[str, Any], detail: Detail) -> str:
    lines = [
        f"- {step['step']}: {step['status']}" + (f", relies on {step['rely']}" if step["rely"] else "")
        for step in observation["steps"]
    ]
    return listed("Steps so far", lines, detail.nodes, newest=True) if lines else ""


SECTIONS: Final[Mapping[str, Section]] = {
    "question": COMMON_SECTIONS["question"],
    "budget": COMMON_SECTIONS["budget"],
    "steps": _steps_text,
    "api_results": _results_text,
    "feedback": COMMON_SECTIONS["feedback"],
    "error": COMMON_SECTIONS["error"],
}
