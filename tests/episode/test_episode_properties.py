"""What holds for any sequence of calls, over a brute-force BM25."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.trace import Outcome, Page
from scholar_env.index.base import SearchRequest

if TYPE_CHECKING:
    from tests.episode.conftest import ListIndex

Begin = Callable[..., Episode]
Brute = Callable[[int], "ListIndex"]
SEEDS = st.integers(0, 3)
TEXTS = st.lists(
    st.sampled_from(["graph", "neural", "sparse", "retrieval", "speech", "vision", "policy", "unknown"]),
    min_size=1,
    max_size=3,
).map(" ".join)
K = st.integers(1, 6)
ENTRIES = st.one_of(
    st.builds(lambda s, t, k: {"link": "derive", "source": s, "text": t, "k": k}, st.integers(0, 6), TEXTS, K),
    st.builds(lambda s, t, k: {"link": "expand", "source": s, "text": t, "k": k}, st.integers(0, 6), TEXTS, K),
    st.builds(lambda s, k: {"link": "continue", "source": s, "k": k}, st.integers(0, 6), K),
    st.builds(lambda s, k: {"link": "continue", "source": s, "k": k}, st.integers(0, 6), K),
)
PLANS = st.lists(st.lists(ENTRIES, min_size=1, max_size=7), min_size=1, max_size=5)


def call(episode: Episode, name: str, **arguments: Any) -> Outcome:
    return episode.call({"name": name, "arguments": arguments})


def all_pages(episode: Episode) -> list[Page]:
    return [page for iteration in episode.trace.iterations for page in iteration.pages]


def pick(page: Page, choice: int) -> list[str]:
    """Every paper of a page whose rank shares a bit with the choice."""
    return [entry.paper for entry in page.entries if (1 << entry.rank % 4) & choice]


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, plans=PLANS, choices=st.lists(st.integers(0, 15), min_size=5, max_size=5), bounded=st.booleans())
@pytest.mark.parametrize("assessor", ["agent", "oracle", "lexical"])
def test_single_calls_and_whole_plans_retrieve_the_same(
    *,
    start: Begin,
    brute_index: Brute,
    assessor: str,
    seed: int,
    plans: list[list[dict[str, Any]]],
    choices: list[int],
    bounded: bool,
) -> None:
    options = {
        "index": brute_index(seed),
        "gold": ("r01", "r07", "r30"),
        "before": "2018-12" if bounded else "",
        "assessor": assessor,
    }
    whole, singly = start(**options), start(**options)
    for plan, choice in zip(plans, choices, strict=False):
        together = call(whole, "plan", subqueries=plan)
        for entry in plan:
            call(singly, entry["link"], **{name: value for name, value in entry.items() if name != "link"})
        if together.invalid:  # no entry was right, so no single call was either
            assert not singly.trace.open.pages
            continue
        if assessor == "agent":
            for page in together.pages:
                for episode in (whole, singly):
                    call(episode, "select", subquery=page.subquery, papers=pick(page, choice))
            call(whole, "next_iteration")
        call(singly, "next_iteration")
        if whole.stop_reason:
            break
    assert all_pages(whole) == all_pages(singly)
    assert list(whole.retrieved) == list(singly.retrieved)
    assert whole.selected == singly.selected
    assert (whole.stop_reason, whole.iterations_closed) == (singly.stop_reason, singly.iterations_closed)
    assert whole.tree == singly.tree


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, plans=PLANS, choices=st.lists(st.integers(0, 15), min_size=5, max_size=5), bounded=st.booleans())
def test_pages_never_repeat_and_ranks_are_those_of_the_whole_list(
    *,
    start: Begin,
    brute_index: Brute,
    seed: int,
    plans: list[list[dict[str, Any]]],
    choices: list[int],
    bounded: bool,
) -> None:
    index = brute_index(seed)
    episode = start(index=index, gold=("r01", "r07", "r30"), before="2018-12" if bounded else "", max_pages=9)
    closed: list[int] = []
    for plan, choice in zip(plans, choices, strict=False):
        pages = call(episode, "plan", subqueries=plan).pages
        exclude = tuple(closed)
        for page in pages:
            node = episode.tree[page.subquery]
            ranked = index.ranked(node.text, node.before, exclude)
            rows = [row for row, _ in ranked]
            assert page.total == len(ranked)
            assert [(e.row, e.score) for e in page.entries] == ranked[page.offset : page.offset + page.k]
            assert all(rows[e.rank] == e.row for e in page.entries)
            gold = [index.corpus.row_of(paper) for paper in episode.task.gold]
            assert page.gold_ranks == tuple(rows.index(row) if row in rows else None for row in gold if row is not None)
            call(episode, "select", subquery=page.subquery, papers=pick(page, choice))
        if not pages:
            break
        for node in episode.tree:
            assert len(node.papers) == len(set(node.papers))
        closed += [row for row in episode.selected.values() if row not in closed]


GOOD = st.one_of(
    st.builds(lambda e: {"name": e["link"], "arguments": {k: v for k, v in e.items() if k != "link"}}, ENTRIES),
    st.builds(
        lambda e: {"name": "plan", "arguments": {"subqueries": e, "experience": "e"}}, st.lists(ENTRIES, max_size=4)
    ),
    st.builds(
        lambda n, p: {"name": "select", "arguments": {"subquery": n, "papers": p}},
        st.integers(1, 5),
        st.lists(st.integers(0, 59).map("r{:02d}".format), max_size=8),
    ),
    st.just({"name": "next_iteration", "arguments": {}}),
    st.builds(lambda t, o: {"name": "search", "arguments": {"text": t, "offset": o}}, TEXTS, st.integers(0, 25)),
    st.builds(lambda n: {"name": "read", "arguments": {"paper": f"r{n:02d}"}}, st.integers(0, 70)),
)
BAD: list[Any] = [
    None,
    b"x",
    {"name": "derive", "arguments": {"text": "", "k": 3}},
    {"name": "derive", "arguments": {"text": "graph", "k": 0}},
    {"name": "derive", "arguments": {"text": "graph", "source": 999}},
    {"name": "continue", "arguments": {"source": 999}},
    {"name": "continue", "arguments": {"source": 0}},
    {"name": "plan", "arguments": {"subqueries": [{"link": "continue", "source": 999}], "checklist": "c"}},
    {"name": "plan", "arguments": {}},
    {"name": "plan", "arguments": {"subqueries": [7, None, {"link": "x"}]}},
    {"name": "select", "arguments": {"subquery": 999, "papers": []}},
    {"name": "select", "arguments": {"subquery": 1, "papers": [1]}},
    {"name": "browse", "arguments": {"paper": "r01"}},
    {"name": "search", "arguments": {"text": "graph", "offset": 500}},
    {"name": "read", "arguments": {"paper": "nowhere"}},
    {"name": "answer", "arguments": {"papers": "r01"}},
    {"name": "no_tool", "arguments": {}},
    {"name": "abstain", "arguments": {"why": 1}},
    {1: 2},
    "prose",
    [{"name": "answer"}, {"name": "answer"}],
    {"name": "derive", "arguments": {"text": "x\ud800"}},
    {"name": "derive", "arguments": {"text": "x", "k": float("nan")}},
]


def without_counters(episode: Episode) -> dict[str, Any]:
    state = episode.get_state()
    del state["calls"]
    return state


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, good=st.lists(GOOD, max_size=8), storm=st.lists(st.sampled_from(range(len(BAD))), max_size=30))
def test_a_storm_of_bad_calls_changes_only_the_counters(
    start: Begin, brute_index: Brute, seed: int, good: list[Any], storm: list[int]
) -> None:
    episode = start(index=brute_index(seed), gold=("r01",))
    for action in good:
        episode.call(action)
    if episode.stop_reason:
        return
    before, calls, invalid, state = without_counters(episode), episode.n_calls, episode.n_invalid, episode.fork().state
    for number in storm:
        outcome = episode.call(BAD[number])
        assert outcome.invalid
        assert outcome.error
        assert outcome.error_code
    assert without_counters(episode) == before
    assert (episode.n_calls, episode.n_invalid) == (calls + len(storm), invalid + len(storm))
    episode.state.n_calls, episode.state.n_invalid = calls, invalid
    assert episode.state == state


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, first=st.lists(GOOD, max_size=8), then=st.lists(GOOD, max_size=6))
@pytest.mark.parametrize("assessor", ["agent", "oracle"])
def test_saved_and_set_again_goes_on_identically(
    *, start: Begin, brute_index: Brute, assessor: str, seed: int, first: list[Any], then: list[Any]
) -> None:
    options = {"index": brute_index(seed), "gold": ("r01", "r20"), "assessor": assessor}
    episode, twin = start(**options), start(**options)
    for action in first:
        episode.call(action)
    state = json.loads(json.dumps(episode.get_state(), ensure_ascii=False))
    twin.set_state(state)
    assert twin.get_state() == state
    fork = episode.fork()
    for action in then:
        assert twin.call(action) == episode.call(action)
    assert (twin.state, twin.get_state()) == (episode.state, episode.get_state())
    assert fork.get_state() == state


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, actions=st.lists(GOOD, max_size=12))
def test_counts_add_up(start: Begin, brute_index: Brute, seed: int, actions: list[Any]) -> None:
    episode = start(index=brute_index(seed), gold=("r01",))
    for action in actions:
        episode.call(action)
    shown = [entry.paper for page in all_pages(episode) for entry in page.entries]
    assert episode.n_results_shown == len(shown)
    assert list(episode.retrieved) == list(dict.fromkeys(shown))
    assert set(episode.selected) <= set(episode.retrieved)
    assert sum(node.retrieved for node in episode.tree) == len(shown)
    assert sum(node.pages for node in episode.tree) == len(all_pages(episode))
    closed = [iteration for iteration in episode.trace.iterations if iteration.closed]
    assert episode.iterations_closed == len(closed) <= 5
    assert all(iteration.pages for iteration in closed)
    assert all(len(iteration.pages) <= 6 for iteration in episode.trace.iterations)
    assert all(node.pages <= 3 for node in episode.tree)


def test_searches_are_asked_as_they_should_be(start: Begin, brute_index: Brute) -> None:
    index = brute_index(0)
    index.requests.clear()
    episode = start(index=index, gold=("r01", "r07"), before="2018-12")
    call(episode, "derive", text="graph", k=2)
    first = episode.trace.open.pages[0].papers[0]
    call(episode, "select", subquery=1, papers=[first])
    call(episode, "continue", source=1, k=99)
    call(episode, "next_iteration")
    call(episode, "continue", source=1, k=3)
    row = index.corpus.row_of(first)
    assert row is not None
    shown = len(episode.tree[1].papers) - 3
    assert index.requests == [
        SearchRequest("graph", 2, 0, "2018-12", (), (1, 7)),
        SearchRequest("graph", 10, 2, "2018-12", (), (1, 7)),
        SearchRequest("graph", 3, shown - 1, "2018-12", (row,), (1, 7)),
    ]
