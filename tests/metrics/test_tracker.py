from __future__ import annotations

import copy
import math
import random
from dataclasses import dataclass, field
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.corpus import Corpus
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import scholargym as measures
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.reward import RewardModel
from scholar_env.metrics.scholargym_tracker import ITERATION_NAMES, ScholarGymTracker
from scholar_env.metrics.views import EpisodeView
from tests.metrics.written_pages import Entry, Page

GOLD = ("g1", "g2")


@dataclass
class Iteration:
    closed: bool = False
    pages: list[Page] = field(default_factory=list)
    selected: dict[int, list[str]] = field(default_factory=dict)


@dataclass
class Trace:
    iterations: list[Iteration] = field(default_factory=lambda: [Iteration()])


@dataclass
class Script:
    """An episode of which only the record exists: what the tracker may read, written by hand."""

    trace: Trace = field(default_factory=Trace)
    retrieved: set[str] = field(default_factory=set)
    selected: dict[str, None] = field(default_factory=dict)
    n_calls: int = 0
    n_invalid: int = 0
    n_unseen: int = 0
    n_results_shown: int = 0

    def page(
        self, subquery: int, papers: str, ranks: list[int | None], unexcluded: list[int | None] | None = None
    ) -> None:
        entries = [Entry(paper) for paper in papers.split()]
        page = Page(subquery, entries, ranks, ranks if unexcluded is None else unexcluded)
        self.trace.iterations[-1].pages.append(page)
        self.retrieved |= {entry.paper for entry in entries}
        self.n_results_shown += len(entries)
        self.n_calls += 1

    def select(self, subquery: int, papers: str) -> None:
        for paper in self.trace.iterations[-1].selected.get(subquery, []):
            del self.selected[paper]
        self.trace.iterations[-1].selected[subquery] = papers.split()
        self.selected |= dict.fromkeys(papers.split())
        self.n_calls += 1

    def close(self, reopen: bool = True) -> None:
        self.trace.iterations[-1].closed = True
        if reopen:
            self.trace.iterations.append(Iteration())
        self.n_calls += 1


def test_a_script_is_an_episode_to_the_tracker() -> None:
    view: EpisodeView = Script()
    assert ScholarGymTracker(GOLD).update(view)["n_calls"] == 0.0


def test_before_the_first_call_everything_is_zero() -> None:
    metrics = ScholarGymTracker(GOLD).update(Script())
    assert tuple(metrics) == SCHOLARGYM_METRICS
    assert set(metrics.values()) == {0.0}
    assert {type(value) for value in metrics.values()} == {float}


def test_an_episode_by_hand() -> None:
    episode, tracker = Script(), ScholarGymTracker(GOLD)
    episode.page(1, "g1 a b", [0, 49])
    metrics = tracker.update(episode)
    assert metrics["ret_recall"] == 1 / 2
    assert metrics["ret_precision"] == 1 / 3
    assert metrics["ret_f1"] == pytest.approx(0.4, abs=1e-15)
    assert metrics["recall"] == metrics["precision"] == metrics["f1"] == 0.0
    assert metrics["avg_distance_best"] == pytest.approx((1.0 + 0.51) / 2, abs=1e-12)
    assert metrics["avg_distance_iter"] == metrics["gt_discard_iter"] == metrics["missed_gt_ratio"] == 0.0
    assert metrics["gt_discard_of_discarded"] == 1 / 3  # nobody has judged them yet
    assert metrics["gt_discard_of_retrieved_gt"] == 1.0

    episode.select(1, "g1 a")
    assert tracker.update(episode)["f1"] == 0.5
    episode.select(1, "g1")  # replaces: the selection of an open iteration may shrink
    assert tracker.update(episode)["f1"] == pytest.approx(2 / 3, abs=1e-15)

    episode.close()
    metrics = tracker.update(episode)
    assert metrics["avg_distance_iter"] == pytest.approx((1.0 + 0.51) / 2, abs=1e-12)
    assert metrics["gt_discard_iter"] == 0.0
    assert metrics["n_iterations"] == 1.0

    episode.page(2, "g2 a", [None, 0], [3, 0])  # g1 is excluded, so it has no rank in the list after exclusion
    episode.close()
    metrics = tracker.update(episode)
    assert metrics["ret_recall"] == 1.0
    assert metrics["recall"] == 0.5
    assert metrics["avg_distance_iter"] == 1.0  # g1 lives on through its remembered rank 0
    assert metrics["avg_distance_best"] == 1.0
    assert metrics["avg_distance_mean_iters"] == pytest.approx((0.755 + 1.0) / 2, abs=1e-12)
    assert metrics["gt_discard_iter"] == 1 / 2  # g2 of g2 and a
    assert metrics["missed_gt_ratio"] == 1 / 2
    assert metrics["missed_gt_ratio_macro"] == 1 / 4
    assert metrics["gt_discard_of_discarded"] == 1 / 3  # g2 of a, b, g2
    assert metrics["gt_discard_of_retrieved_gt"] == 1 / 2
    assert metrics["n_results_shown"] == 5.0
    assert metrics["n_retrieved"] == 4.0
    assert metrics["n_subqueries"] == 2.0
    assert metrics["n_calls"] == 6.0

    rows = tracker.rows
    assert [tuple(row) for row in rows] == [ITERATION_NAMES, ITERATION_NAMES]
    assert [row["iteration"] for row in rows] == [1.0, 2.0]
    assert [row["ret_recall"] for row in rows] == [0.5, 1.0]
    assert [row["recall"] for row in rows] == [0.5, 0.5]
    assert [row["precision"] for row in rows] == [1.0, 1.0]
    assert [row["n_discarded"] for row in rows] == [2.0, 2.0]
    assert [row["n_discarded_gt"] for row in rows] == [0.0, 1.0]
    assert [row["n_results_shown"] for row in rows] == [3.0, 5.0]
    assert [row["avg_distance_best"] for row in rows] == pytest.approx([0.755, 1.0], abs=1e-12)


def test_rows_hold_what_was_known_when_the_iteration_closed() -> None:
    episode, tracker = Script(), ScholarGymTracker(GOLD)
    episode.page(1, "a b", [None, None])
    episode.close()
    episode.page(2, "g1 g2", [0, 1])  # a plan that closes one iteration and retrieves in the next, in a single call
    metrics = tracker.update(episode)
    assert metrics["ret_recall"] == 1.0
    assert tracker.rows[0]["ret_recall"] == 0.0
    assert tracker.rows[0]["avg_distance_best"] == 0.0


def test_an_iteration_without_a_page_is_none() -> None:
    episode, tracker = Script(), ScholarGymTracker(GOLD)
    episode.page(1, "g1", [0, None])
    episode.close()
    before = tracker.update(episode)
    episode.close(reopen=False)
    after = tracker.update(episode)
    assert after["n_iterations"] == 1.0
    assert {name: after[name] for name in SCHOLARGYM_METRICS if name != "n_calls"} == {
        name: before[name] for name in SCHOLARGYM_METRICS if name != "n_calls"
    }


def test_without_gold_the_distances_are_undefined_and_the_shares_zero() -> None:
    episode, tracker = Script(), ScholarGymTracker(())
    episode.page(1, "a", [])
    episode.close()
    metrics = tracker.update(episode)
    undefined = {name for name, value in metrics.items() if math.isnan(value)}
    assert undefined == {"avg_distance_iter", "avg_distance_best", "avg_distance_mean_iters"}
    assert metrics["ret_recall"] == metrics["f1"] == 0.0


def test_an_answer_counts_for_the_selection_but_not_for_the_rows() -> None:
    episode, tracker = Script(), ScholarGymTracker(GOLD)
    episode.page(1, "g1 g2 a", [0, 1])
    episode.select(1, "g1 g2 a")
    episode.close(reopen=False)
    episode.selected = {"g1": None}
    metrics = tracker.update(episode)
    assert (metrics["recall"], metrics["precision"], metrics["n_selected"]) == (0.5, 1.0, 1.0)
    assert tracker.rows[0]["recall"] == 1.0


def test_cutoff_scales_the_distances() -> None:
    episode = Script()
    episode.page(1, "a", [5, 20])
    assert ScholarGymTracker(GOLD, cutoff=10).update(episode)["avg_distance_best"] == pytest.approx(0.25, abs=1e-12)
    with pytest.raises(InvalidOptionError, match="cutoff=0"):
        ScholarGymTracker(GOLD, cutoff=0)


def test_a_tracker_given_a_shorter_episode_starts_over() -> None:
    episode, tracker = Script(), ScholarGymTracker(GOLD)
    for subquery in (1, 2, 3):
        episode.page(subquery, "g1", [0, None])
        episode.close()
    tracker.update(episode)
    fresh = Script()
    assert tracker.update(fresh) == ScholarGymTracker(GOLD).update(fresh)


RANK = st.one_of(st.none(), st.integers(0, 130))
RANKS = st.tuples(RANK, RANK, RANK).map(list)
PAGE = st.tuples(st.integers(1, 4), st.lists(st.sampled_from("pqrstu"), max_size=4, unique=True), RANKS, RANKS)
STEP = st.one_of(
    st.tuples(st.just("page"), PAGE), st.tuples(st.just("select"), PAGE), st.tuples(st.just("close"), PAGE)
)


@settings(deadline=None)
@given(st.lists(STEP, max_size=25), st.integers(0, 25))
def test_following_equals_recomputing_with_the_pure_functions(
    steps: list[tuple[str, tuple[int, list[str], list[int | None], list[int | None]]]], fork_at: int
) -> None:
    gold = ("p", "q", "z")
    episode, tracker = Script(), ScholarGymTracker(gold)
    for at, (kind, (subquery, papers, ranks, unexcluded)) in enumerate(steps):
        if kind == "page":
            episode.page(subquery, " ".join(papers), ranks, unexcluded)
        elif kind == "close":
            episode.close()
        else:
            shown = {entry.paper for page in episode.trace.iterations[-1].pages for entry in page.entries}
            new = [paper for paper in papers if paper in shown and paper not in episode.selected]
            episode.select(subquery, " ".join(new))
        if at == fork_at:
            episode, tracker = copy.deepcopy((episode, tracker))
        tracker.update(episode)
    metrics = tracker.update(episode)
    assert metrics == ScholarGymTracker(gold).update(episode)  # rebuilt from the trace alone
    expected = recomputed(episode, gold)
    assert {name: metrics[name] for name in expected} == pytest.approx(expected, abs=1e-12)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpora") / "toy"
    return Corpus.open(import_module("scholar_env.corpora.toy").build(folder))


def wander(episode: Episode, draw: random.Random) -> dict[str, object]:
    """Some call, mostly a sensible one, now and then a bad one."""
    words = " ".join(draw.choices(episode.task.question.split(), k=4))
    nodes = [node.id for node in episode.tree]
    last = episode.trace.iterations[-1]
    papers = [paper for page in last.pages for paper in page.papers]
    calls: list[tuple[str, dict[str, object]]] = [
        ("derive", {"source": 0, "text": words, "k": draw.randint(1, 10)}),
        ("continue", {"source": draw.choice([*nodes, 99]), "k": 5}),
        (
            "plan",
            {"subqueries": [{"link": "expand", "source": 0, "text": words}, {"link": "derive", "text": "survey"}]},
        ),
        ("select", {"subquery": draw.choice([*nodes, 1]), "papers": draw.sample(papers, min(3, len(papers)))}),
        ("next_iteration" if last.pages else "read", {}),
        ("no_such_tool", {}),
    ]
    name, arguments = draw.choices(calls, weights=[4, 3, 2, 5, 2, 1])[0]
    return {"name": name, "arguments": arguments}


@pytest.mark.parametrize("assessor", ["agent", "oracle", "lexical"])
def test_following_real_episodes(toy: Corpus, assessor: str) -> None:
    config = EpisodeConfig(assessor=assessor, max_calls=40)
    draw = random.Random(assessor)
    weights = {"f1": 0.7, "ret_recall": 0.2, "avg_distance_mean_iters": 0.1}
    retrieved = 0.0
    for task in list(toy.tasks())[:12]:
        episode = Episode(toy, toy.sparse_index(), task, config)
        tracker, model = ScholarGymTracker(task.gold), RewardModel(weights, SCHOLARGYM_METRICS)
        rewards = []
        while not (episode.terminated or episode.truncated):
            outcome = episode.call(wander(episode, draw))
            metrics = tracker.update(episode)
            ended = episode.terminated or episode.truncated
            rewards.append(model.step(metrics, ended, outcome.invalid)[0])
        assert math.fsum(rewards) == pytest.approx(model.value(metrics), abs=1e-12)
        assert ScholarGymTracker(task.gold).update(episode) == metrics
        expected = recomputed(episode, task.gold)
        assert {name: metrics[name] for name in expected} == pytest.approx(expected, abs=1e-12)
        assert tracker.rows[-1]["n_results_shown"] == metrics["n_results_shown"]
        assert tracker.rows[-1]["f1"] == metrics["f1"]
        retrieved += metrics["ret_recall"]
        if assessor == "oracle":
            assert metrics["recall"] == metrics["ret_recall"]
            assert metrics["gt_discard_of_retrieved_gt"] == 0.0
    assert retrieved > 3.0


def recomputed(episode: EpisodeView, gold: tuple[str, ...]) -> dict[str, float]:
    """The metrics by the pure functions over the whole record."""
    pages = [page for iteration in episode.trace.iterations for page in iteration.pages]
    retrieved, selected = episode.retrieved, set(episode.selected)
    closed = [iteration for iteration in episode.trace.iterations if iteration.closed and iteration.pages]
    shown = [{entry.paper for page in iteration.pages for entry in page.entries} for iteration in closed]
    chosen = [{paper for papers in iteration.selected.values() for paper in papers} for iteration in closed]
    ranked = [[dict(zip(gold, page.gold_ranks, strict=True)) for page in iteration.pages] for iteration in closed]
    distances = measures.avg_distance_iter(list(zip(ranked, chosen, strict=True)), gold)
    missed = [measures.missed_gt_ratio(found, kept, gold) for found, kept in zip(shown, chosen, strict=True)]
    unexcluded = [dict(zip(gold, page.gold_ranks_unexcluded, strict=True)) for page in pages]
    return {
        "ret_recall": measures.ret_recall(retrieved, gold),
        "ret_precision": measures.ret_precision(retrieved, gold),
        "ret_f1": measures.ret_f1(retrieved, gold),
        "recall": measures.recall(selected, gold),
        "precision": measures.precision(selected, gold),
        "f1": measures.f1(selected, gold),
        "avg_distance_iter": distances[-1] if distances else 0.0,
        "avg_distance_best": measures.avg_distance_best(unexcluded, gold),
        "avg_distance_mean_iters": measures.avg_distance_mean_iters(distances),
        "gt_discard_of_discarded": measures.gt_discard_of_discarded(retrieved, selected, gold),
        "gt_discard_of_retrieved_gt": measures.gt_discard_of_retrieved_gt(retrieved, selected, gold),
        "gt_discard_iter": measures.gt_discard_iter(shown[-1], chosen[-1], gold) if closed else 0.0,
        "missed_gt_ratio": missed[-1] if missed else 0.0,
        "missed_gt_ratio_macro": measures.missed_gt_ratio_macro(missed),
        "n_results_shown": float(sum(len(page.entries) for page in pages)),
        "n_retrieved": float(len(retrieved)),
        "n_selected": float(len(selected)),
        "n_iterations": float(len(closed)),
        "n_subqueries": float(len({page.subquery for page in pages})),
    }
