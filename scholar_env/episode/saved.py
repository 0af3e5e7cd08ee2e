"""Saved episodes: the calls that changed anything, and what they came to.

A state is set by running its calls again, with what was recorded of callables of one's own, and by comparing what comes
out with what was saved. So a changed state, corpus or index cannot slip through, gold ranks need not be stored, and a
state is small. The block ``calls`` holds the counters and what the latest call gave. Where a family logs all calls
(``LOGS_ALL``), that block is compared too; elsewhere invalid calls change nothing but the counters, which are taken as
they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, TypeVar

from scholar_env.episode.plain_json import NotJsonError, clip, plain
from scholar_env.episode.trace import Outcome, Page, RecordedAssessment
from scholar_env.errors import StateError

if TYPE_CHECKING:
    from scholar_env.episode.base import EpisodeBase

    E = TypeVar("E", bound=EpisodeBase[Any, Any])

FORMAT: Final = 1
MAX_VALUES: Final = 10_000_000
"""Values in a state; a thousand full iterations need some hundred thousand."""


def save_state(episode: EpisodeBase[Any, Any]) -> dict[str, Any]:
    """Returns the state of an episode as plain JSON."""
    return {
        **_identity(episode),
        "log": deepcopy(episode.state.log),
        **episode.recorded(),
        "calls": _counters(episode),
        **episode.result_json(),
    }


def _identity(episode: EpisodeBase[Any, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "task": episode.task.id,
        "corpus": episode.corpus.fingerprint,
        "index": episode.index.fingerprint,
        "config": episode.config.to_json(),
    }


def _counters(episode: EpisodeBase[Any, Any]) -> dict[str, Any]:
    state, last = episode.state, episode.last
    counters = {"n": state.n_calls, "invalid": state.n_invalid, **({"free": state.n_free} if state.n_free else {})}
    return {**counters, "last": None if last is None else _outcome_to_json(episode, last)}


def load_state(episode: EpisodeBase[Any, Any], saved: Mapping[str, Any]) -> None:
    """Puts an episode into a saved state, or leaves it as it is and raises :class:`StateError`."""
    record = _read(episode, saved)
    twin = _run_again(episode, record)
    for name, value in twin.result_json().items():
        if record.get(name) != value:
            raise unfit(f"{name} is {clip(str(record.get(name)))} but its calls give {clip(str(value))}")
    calls, last = record["calls"], twin.last
    undone = twin.stop_reason == "infrastructure"  # the call that failed is in no log, what it was told is all there is
    if episode.LOGS_ALL:
        expected = _counters(twin) | ({"last": calls["last"]} if undone else {})
        if calls != expected:
            raise unfit(f"calls is {clip(str(calls))} but its calls give {clip(str(expected))}")
    else:
        twin.state.n_calls, twin.state.n_invalid, twin.state.n_free = calls["n"], calls["invalid"], calls.get("free", 0)
    if undone or not episode.LOGS_ALL:
        last = _last(twin, calls["last"])
    episode.state, episode.last = twin.state, last


def _last(episode: EpisodeBase[Any, Any], record: Any) -> Outcome | None:
    try:
        return None if record is None else _outcome_from_json(episode, record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise unfit(f"its latest outcome cannot be read ({type(problem).__name__}: {problem})") from problem


def _read(episode: EpisodeBase[Any, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    try:
        record: dict[str, Any] = plain(dict(saved), max_values=MAX_VALUES)
    except (NotJsonError, TypeError, ValueError) as problem:
        raise unfit(f"it is no plain JSON object ({problem})") from problem
    for name, value in _identity(episode).items():
        if record.get(name) != value:
            raise unfit(f"{name} is {clip(str(record.get(name)))}, here it is {clip(str(value))}")
    lists = ("log", *episode.recorded())
    if not all(isinstance(record.get(name), list) for name in lists):
        raise unfit(f"its {' or '.join(lists)} are missing or of another type")
    _refuse_others("it", record, (*_identity(episode), *lists, "calls", *episode.result_json()))
    calls = record.get("calls")
    if not isinstance(calls, dict) or "last" not in calls or not _are_counters(calls):
        raise unfit("its call counters are missing or of another type")
    _refuse_others("calls", calls, ("n", "invalid", "free", "last"))
    n_run = len(record["log"]) if episode.LOGS_ALL else calls["n"] - calls["invalid"]
    free = calls.get("free", 0)
    if not (0 <= len(record["log"]) <= n_run <= calls["n"] <= episode.config.max_calls and 0 <= free <= calls["n"]):
        raise unfit(f"its counters {calls['n']} and {calls['invalid']} do not fit {len(record['log'])} calls")
    if record.get("stop_reason") not in ("", *episode.state.ENDINGS):
        raise unfit(f"stop_reason is {clip(str(record.get('stop_reason')))}")
    return record


def _refuse_others(what: str, record: Mapping[str, Any], known: Iterable[str]) -> None:
    others = sorted(record.keys() - set(known))
    if others:
        raise unfit(f"{what} has the key {clip(others[0])}, which no state has")


def _are_counters(calls: Mapping[str, Any]) -> bool:
    return all(type(number) is int for number in (calls.get("n"), calls.get("invalid"), calls.get("free", 0)))


def _run_again(episode: E, record: dict[str, Any]) -> E:
    """Runs the logged calls in a fresh episode."""
    twin: E = episode.again(record)
    for number, call in enumerate(record["log"]):
        outcome = twin.call(call)
        if outcome.failure_kind == "infrastructure":
            raise unfit(f"call {number} met an infrastructure failure: {outcome.error}")
        if outcome.invalid and (outcome.error_code == "ended" or not episode.LOGS_ALL):
            raise unfit(f"call {number} of its log is refused: {outcome.error}")
    if not twin.stop_reason and record["stop_reason"] == "max_calls":
        twin.finish("max_calls")
    if not twin.stop_reason and record["stop_reason"] == "infrastructure":
        twin.state.stop("infrastructure")
    return twin


def _outcome_to_json(episode: EpisodeBase[Any, Any], outcome: Outcome) -> dict[str, Any]:
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
        **({"payload": deepcopy(outcome.payload)} if outcome.payload else {}),
    }


def _pages_of(episode: EpisodeBase[Any, Any], iteration: int) -> list[Page]:
    return [page for page in episode.pages if page.iteration == iteration]


def _place(episode: EpisodeBase[Any, Any], page: Page) -> list[int]:
    """A page as [iteration, position among the pages of it]."""
    pages = _pages_of(episode, page.iteration)
    return [page.iteration, next(place for place, other in enumerate(pages) if other is page)]


OUTCOME_TYPES: Final = {
    "name": str, "error_code": str, "error": str, "notices": list, "pages": list, "assessments": list,
    "failure_kind": str, "ended": bool, "invalid": bool,
}  # fmt: skip


def _outcome_from_json(episode: EpisodeBase[Any, Any], record: dict[str, Any]) -> Outcome:
    """Reads the latest outcome, of which only the pages can be checked against the calls."""
    document = record["document"]
    if not _has_types(record, OUTCOME_TYPES) or not (
        document is None
        or any(document.keys() == types.keys() and _has_types(document, types) for types in episode.DOCUMENTS)
    ):
        raise ValueError("a part of it is of another type")
    if record.keys() - {*OUTCOME_TYPES, "document", "payload"}:
        raise ValueError("it has other keys than an outcome")
    if (record["ended"], record["failure_kind"]) != (bool(episode.stop_reason), episode.failure_kind):
        raise ValueError("it ends otherwise than the episode")
    if "payload" in record:
        raise ValueError("what a tool returned cannot be checked")  # only families that log all calls give payloads
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


def _page_at(episode: EpisodeBase[Any, Any], iteration: int, place: int) -> Page:
    pages = _pages_of(episode, iteration)
    if not 0 <= place < len(pages):
        raise IndexError(f"there is no page {place} of iteration {iteration}")
    return pages[place]


def unfit(what: str) -> StateError:
    """Returns the error for a saved state that does not fit, and says what of it."""
    return StateError(
        f"the saved state does not fit: {what}",
        "a state belongs to one task, corpus, index and set of options, and its calls lead to what it says",
        "take the state from get_state() of an environment made with the same arguments",
    )
