"""Saved states, forks and copies (rule 23)."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.trace import Outcome
from scholar_env.errors import StateError
from scholar_env.records import Paper, Task

if TYPE_CHECKING:
    from tests.episode.conftest import DeclaredIndex

Begin = Callable[..., Episode]


def call(episode: Episode, name: str, **arguments: Any) -> Outcome:
    return episode.call({"name": name, "arguments": arguments})


def midway(start: Begin, **options: Any) -> Episode:
    episode = start(**options)
    call(episode, "derive", text="alpha", k=3)
    if episode.assessor is None:
        call(episode, "select", subquery=1, papers=["p01", "zz"])
    call(episode, "bogus")
    call(episode, "next_iteration")
    call(episode, "read", paper="p00")
    call(episode, "plan", subqueries=[{"link": "continue", "source": 1}, {"link": "derive", "text": "beta", "k": 2}, 3])
    return episode


def through_json(state: dict[str, Any]) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(state, ensure_ascii=False))
    return copied


@pytest.mark.parametrize("options", [{}, {"assessor": "oracle"}, {"assessor": "lexical", "memory": False}])
def test_a_state_sets_a_fresh_episode_and_both_go_on_alike(start: Begin, options: dict[str, Any]) -> None:
    episode = midway(start, **options)
    twin = start(index=episode.index, **options)
    twin.set_state(through_json(episode.get_state()))
    assert twin.get_state() == episode.get_state()
    assert twin.trace == episode.trace  # gold ranks and scores included
    assert twin.last == episode.last
    further: list[tuple[str, dict[str, Any]]] = [
        ("continue", {"source": 2}),
        ("next_iteration", {}),
        ("search", {"text": "alpha"}),
        ("answer", {"papers": ["p00", "p20", "p49"]}),
    ]
    for name, arguments in further:
        assert call(twin, name, **arguments) == call(episode, name, **arguments)
    assert twin.get_state() == episode.get_state()
    assert twin.state == episode.state


def test_saved_state_is_its_own(start: Begin) -> None:
    episode = midway(start)
    state = episode.get_state()
    kept = through_json(state)
    state["log"][0]["arguments"]["text"] = "changed"
    state["tree"].clear()
    assert episode.get_state() == kept


@pytest.mark.parametrize(
    ("last", "reason", "options"),
    [
        ("answer", "answered", {}),
        ("abstain", "abstained", {}),
        ("plan", "complete", {}),
        ("bogus", "max_calls", {"max_calls": 7}),
        ("bogus", "max_calls", {"max_calls": 6, "assessor": "oracle"}),
        ("derive", "infrastructure", {}),
    ],
)
def test_ended_episodes_come_back_ended(
    start: Begin, declared: DeclaredIndex, last: str, reason: str, options: dict[str, Any]
) -> None:
    episode = midway(start, index=declared, **options)
    if reason == "infrastructure":
        declared.failures[:] = [TimeoutError("slow")] * 4
    arguments: dict[str, dict[str, Any]] = {"plan": {"complete": True}, "derive": {"text": "alpha"}}
    call(episode, last, **arguments.get(last, {}))
    assert episode.stop_reason == reason
    twin = start(index=declared, **options)
    twin.set_state(through_json(episode.get_state()))
    assert (twin.stop_reason, twin.terminated, twin.truncated) == (reason, episode.terminated, episode.truncated)
    assert (twin.failure_kind, twin.last) == (episode.failure_kind, episode.last)
    assert (twin.get_state(), twin.state) == (episode.get_state(), episode.state)


def with_last(**changed: Any) -> dict[str, Any]:
    """Counters of the episode midway, with a latest outcome that is right but for these fields."""
    right: dict[str, Any] = {
        "name": "read", "error_code": "", "error": "", "notices": [], "pages": [], "document": None, "assessments": [],
        "failure_kind": "none", "ended": False, "invalid": False,
    }  # fmt: skip
    return {"n": 6, "invalid": 1, "last": right | changed}


CHANGES: list[tuple[str, Any, str]] = [
    ("format", 2, "format is 2, here it is 1"),
    ("task", "other", "task is other, here it is task"),
    ("corpus", "x", "corpus is x, here it is "),
    ("index", "x", "index is x, here it is "),
    ("config", {}, "config is {}, here it is "),
    ("log", None, "its log or assessments are missing or of another type"),
    ("log", [], "iteration is 2 but its calls give 1"),
    ("log", [7], "call 0 of its log is refused: not one tool call in JSON: a value of type int instead of a call."),
    ("assessments", [{}], "an assessment cannot be read (KeyError: 'iteration')"),
    ("calls", {}, "its call counters are missing or of another type"),
    ("calls", {"n": 1, "invalid": 0, "last": None}, "its counters 1 and 0 do not fit 4 calls"),
    ("calls", {"n": 500, "invalid": 0, "last": None}, "its counters 500 and 0 do not fit 4 calls"),
    ("calls", {"n": 6, "invalid": 0, "last": {}}, "its latest outcome cannot be read (KeyError: 'document')"),
    ("calls", with_last(ended=1), "its latest outcome cannot be read (ValueError: a part of it is of another type)"),
    ("calls", with_last(error=None), "its latest outcome cannot be read (ValueError: a part of it is of another type)"),
    (
        "calls",
        with_last(notices=[1]),
        "its latest outcome cannot be read (ValueError: a part of it is of another type)",
    ),
    (
        "calls",
        with_last(document={}),
        "its latest outcome cannot be read (ValueError: a part of it is of another type)",
    ),
    (
        "calls",
        with_last(ended=True),
        "its latest outcome cannot be read (ValueError: it ends otherwise than the episode)",
    ),
    ("calls", with_last(pages=[[0, 0]]), "its latest outcome cannot be read (IndexError: there is no page 0 of "),
    ("stop_reason", "bored", "stop_reason is bored"),
    ("stop_reason", "answered", "stop_reason is answered but its calls give "),
    ("selected", ["p02"], "selected is ['p02'] but its calls give ['p01']"),
    ("retrieved", [], "retrieved is [] but its calls give "),
    ("tree", [], "tree is [] but its calls give "),
    ("memory", {}, "memory is {} but its calls give "),
    ("more", 1, "it has the key more, which no state has"),
    ("calls", {**with_last(), "more": 1}, "calls has the key more, which no state has"),
    ("calls", with_last(more=1), "its latest outcome cannot be read (ValueError: it has other keys than an outcome)"),
]


@pytest.mark.parametrize(("key", "value", "message"), CHANGES)
def test_a_changed_state_is_refused_and_changes_nothing(start: Begin, key: str, value: Any, message: str) -> None:
    episode = midway(start)
    state = through_json(episode.get_state())
    state[key] = value
    twin = start(index=episode.index)
    call(twin, "derive", text="beta")
    before = twin.get_state()
    with pytest.raises(StateError) as caught:
        twin.set_state(state)
    assert str(caught.value).startswith(f"the saved state does not fit: {message}")
    assert twin.get_state() == before


def test_a_right_latest_outcome_is_taken(start: Begin) -> None:
    state = through_json(midway(start).get_state()) | {"calls": with_last()}
    twin = start()
    twin.set_state(state)
    assert twin.get_state() == state


def test_a_long_episode_comes_back(start: Begin) -> None:
    episode = start(max_iterations=1000, max_calls=2000, max_subqueries=6)
    entries = [{"link": "derive", "text": text} for text in ("alpha", "beta", "alpha", "beta", "alpha", "beta")]
    for _ in range(150):
        call(episode, "plan", subqueries=entries)
    state = through_json(episode.get_state())
    twin = start(max_iterations=1000, max_calls=2000, max_subqueries=6)
    twin.set_state(state)
    assert twin.get_state() == state


@pytest.mark.parametrize("state", [{1: 2}, {"x": float("nan")}, {"x": b""}])
def test_states_that_are_no_json_are_refused(start: Begin, state: Any) -> None:
    with pytest.raises(StateError, match="it is no plain JSON object"):
        start().set_state(state)


def test_fork_is_independent(start: Begin) -> None:
    episode = midway(start)
    before = episode.get_state()
    twin = episode.fork()
    assert (twin.get_state(), twin.last) == (before, episode.last)
    call(twin, "select", subquery=1, papers=["p04"])
    call(twin, "next_iteration")
    call(twin, "plan", subqueries=[{"link": "continue", "source": 2}], checklist="c", experience="e")
    call(twin, "answer")
    assert episode.get_state() == before
    assert episode.trace.iterations[1].selected == {}
    assert twin.stop_reason == "answered"


def test_fork_of_the_other_side_is_independent_too(start: Begin) -> None:
    episode = midway(start)
    twin = episode.fork()
    before = twin.get_state()
    call(episode, "continue", source=2)
    call(episode, "select", subquery=2, papers=["p20"])
    call(episode, "answer", papers=["p20"])
    assert twin.get_state() == before


def test_deepcopy_shares_corpus_and_index_and_goes_on_alike(start: Begin) -> None:
    episode = midway(start)
    twin = copy.deepcopy(episode)
    assert twin.index is episode.index
    assert twin.corpus is episode.corpus
    assert call(twin, "continue", source=2) == call(episode, "continue", source=2)


def test_pickle_in_mid_episode_goes_on_alike(tmp_path: Path) -> None:
    with CorpusWriter(tmp_path / "corpus", name="small", source="a test", licence="CC0-1.0") as writer:
        for n in range(30):
            writer.add_paper(Paper(f"p{n:02d}", "Graph" if n % 3 == 0 else "Speech", "on networks " * (1 + n % 7)))
        writer.finish({}, {})
    corpus = Corpus.open(tmp_path / "corpus")
    task = Task("task", "Graphs?", "", ("p03", "p06"))
    episode = Episode(corpus, corpus.sparse_index(engine="numpy"), task, EpisodeConfig(assessor="oracle"))
    call(episode, "derive", text="graph", k=2)
    call(episode, "next_iteration")
    twin = pickle.loads(pickle.dumps(episode))
    assert (twin.get_state(), twin.state) == (episode.get_state(), episode.state)
    for name, arguments in [("continue", {"source": 1}), ("next_iteration", {}), ("answer", {})]:
        assert call(twin, name, **arguments) == call(episode, name, **arguments)
    assert list(twin.selected) == ["p03", "p06"]
