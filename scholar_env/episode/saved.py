"""Saved episodes: the calls that changed anything, and what they came to.

A state is set by running its calls again, with the recorded selections of a fixed assessor, and by comparing what comes
out with what was saved. So a changed state, corpus or index cannot slip through, gold ranks need not be stored, and a
state is small. The block ``calls`` holds the counters and what the latest call gave; invalid calls change nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.assess import RecordedAssessor
from scholar_env.episode.calls import NotJsonError, clip, plain
from scholar_env.episode.state import STOP_REASONS
from scholar_env.episode.trace import Outcome, Page, RecordedAssessment
from scholar_env.errors import StateError

if TYPE_CHECKING:
    from scholar_env.episode.engine import Episode

FORMAT: Final = 1
MAX_VALUES: Final = 10_000_000
"""Values in a state; a thousand full iterations need some hundred thousand."""


def save_state(episode: Episode) -> dict[str, Any]:
    """Returns the state of an episode as plain JSON."""
    state = episode.state
    saved = {
        "format": FORMAT,
        "task": episode.task.id,
        "corpus": episode.corpus.fingerprint,
        "index": episode.index.fingerprint,
        "config": episode.config.to_json(),
        "log": deepcopy(state.log),
        "assessments": [assessment.to_json() for assessment in state.assessments],
        "calls": {
            "n": state.n_calls,
            "invalid": state.n_invalid,
            "last": None if episode.last is None else _outcome_to_json(episode, episode.last),
        },
    }
    return saved | _result(episode)


def _result(episode: Episode) -> dict[str, Any]:
    """What the calls came to, as far as an agent could know it."""
    state = episode.state
    return {
        "iteration": episode.iteration,
        "closed": state.n_closed,
        "tree": state.tree.to_json(),
        "retrieved": list(state.rows),
        "selected": list(state.selected),
        "memory": state.memory.to_json(),
        "unseen": state.n_unseen,
        "shown": state.n_results_shown,
        "stop_reason": state.stop_reason,
        "crash": None if state.crash is None else [state.crash.kind, state.crash.message],
    }


def load_state(episode: Episode, saved: Mapping[str, Any]) -> None:
    """Puts an episode into a saved state, or leaves it as it is and raises :class:`StateError`."""
    record = _read(episode, saved)
    twin = _run_again(episode, record)
    for name, value in _result(twin).items():
        if record.get(name) != value:
            raise _unfit(f"{name} is {clip(str(record.get(name)))} but its calls give {clip(str(value))}")
    calls = record["calls"]
    twin.state.n_calls, twin.state.n_invalid = calls["n"], calls["invalid"]
    try:
        last = None if calls["last"] is None else _outcome_from_json(twin, calls["last"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise _unfit(f"its latest outcome cannot be read ({type(problem).__name__}: {problem})") from problem
    episode.state, episode.last = twin.state, last


def _read(episode: Episode, saved: Mapping[str, Any]) -> dict[str, Any]:
    try:
        record: dict[str, Any] = plain(dict(saved), max_values=MAX_VALUES)
    except (NotJsonError, TypeError, ValueError) as problem:
        raise _unfit(f"it is no plain JSON object ({problem})") from problem
    expected = {
        "format": FORMAT,
        "task": episode.task.id,
        "corpus": episode.corpus.fingerprint,
        "index": episode.index.fingerprint,
        "config": episode.config.to_json(),
    }
    for name, value in expected.items():
        if record.get(name) != value:
            raise _unfit(f"{name} is {clip(str(record.get(name)))}, here it is {clip(str(value))}")
    if not isinstance(record.get("log"), list) or not isinstance(record.get("assessments"), list):
        raise _unfit("its log or assessments are missing or of another type")
    calls = record.get("calls")
    if (
        not isinstance(calls, dict)
        or {type(calls.get("n")), type(calls.get("invalid"))} != {int}
        or "last" not in calls
    ):
        raise _unfit("its call counters are missing or of another type")
    if not 0 <= len(record["log"]) <= calls["n"] - calls["invalid"] <= calls["n"] <= episode.config.max_calls:
        raise _unfit(f"its counters {calls['n']} and {calls['invalid']} do not fit {len(record['log'])} calls")
    if record.get("stop_reason") not in STOP_REASONS:
        raise _unfit(f"stop_reason is {clip(str(record.get('stop_reason')))}")
    return record


def _run_again(episode: Episode, record: dict[str, Any]) -> Episode:
    """Runs the logged calls in a fresh episode with the recorded selections."""
    try:
        recorded = RecordedAssessor(RecordedAssessment.from_json(entry) for entry in record["assessments"])
    except (KeyError, TypeError, ValueError) as problem:
        raise _unfit(f"an assessment cannot be read ({type(problem).__name__}: {problem})") from problem
    twin = episode.fresh(None if episode.config.agent_selects else recorded)
    for number, call in enumerate(record["log"]):
        outcome = twin.call(call)
        if outcome.failure_kind == "infrastructure":
            raise _unfit(f"call {number} met an infrastructure failure: {outcome.error}")
        if outcome.invalid:
            raise _unfit(f"call {number} of its log is refused: {outcome.error}")
    if not twin.state.stop_reason and record["stop_reason"] == "max_calls":
        twin.finish("max_calls")
    if not twin.state.stop_reason and record["stop_reason"] == "infrastructure":
        twin.state.stop("infrastructure")
    twin.assessor = episode.assessor
    return twin


def _outcome_to_json(episode: Episode, outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "error_code": outcome.error_code,
        "error": outcome.error,
        "notices": list(outcome.notices),
        "pages": [_place(episode, page) for page in outcome.pages],
        "document": deepcopy(outcome.document),
        "assessments": [assessment.to_json() for assessment in outcome.assessments],
        "failure_kind": outcome.failure_kind,
        "ended": outcome.ended,
        "invalid": outcome.invalid,
    }


def _place(episode: Episode, page: Page) -> list[int]:
    """A page as [iteration, position in it]."""
    pages = episode.trace.iterations[page.iteration - 1].pages
    return [page.iteration, next(place for place, other in enumerate(pages) if other is page)]


OUTCOME_TYPES: Final = {
    "name": str, "error_code": str, "error": str, "notices": list, "pages": list, "assessments": list,
    "failure_kind": str, "ended": bool, "invalid": bool,
}  # fmt: skip
DOCUMENT_TYPES: Final = (
    {
        "paper": str, "title": str, "date": str, "authors": list, "sections": list, "section": str, "offset": int,
        "text": str,
    },
    {"paper": str, "title": str, "goal": str, "summary": str},
)  # fmt: skip
"""What ``read`` and ``browse`` show."""


def _outcome_from_json(episode: Episode, record: dict[str, Any]) -> Outcome:
    """Reads the latest outcome, of which only the pages can be checked against the calls."""
    document = record["document"]
    if not _has_types(record, OUTCOME_TYPES) or not (
        document is None
        or any(document.keys() == types.keys() and _has_types(document, types) for types in DOCUMENT_TYPES)
    ):
        raise ValueError("a part of it is of another type")
    if (record["ended"], record["failure_kind"]) != (bool(episode.stop_reason), episode.failure_kind):
        raise ValueError("it ends otherwise than the episode")
    return Outcome(
        name=record["name"],
        error_code=record["error_code"],
        error=record["error"],
        notices=tuple(record["notices"]),
        pages=tuple(_page_at(episode, *place) for place in record["pages"]),
        document=document,
        assessments=tuple(RecordedAssessment.from_json(entry) for entry in record["assessments"]),
        failure_kind=record["failure_kind"],
        ended=record["ended"],
        invalid=record["invalid"],
    )


def _has_types(record: Mapping[str, Any], types: Mapping[str, type]) -> bool:
    """Whether the fields are of these types, and all lists of texts hold texts."""
    texts = ("notices", "authors", "sections")
    return all(
        type(record[name]) is kind and (name not in texts or all(type(text) is str for text in record[name]))
        for name, kind in types.items()
    )


def _page_at(episode: Episode, iteration: int, place: int) -> Page:
    if iteration < 1 or place < 0:
        raise IndexError(f"there is no page {place} of iteration {iteration}")
    return episode.trace.iterations[iteration - 1].pages[place]


def _unfit(what: str) -> StateError:
    return StateError(
        f"the saved state does not fit: {what}",
        "a state belongs to one task, corpus, index and set of options, and its calls lead to what it says",
        "take the state from get_state() of an environment made with the same arguments",
    )
