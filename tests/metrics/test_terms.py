from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import term_reading
from scholar_env.metrics.names import SCHOLARGYM_METRICS
from scholar_env.metrics.reward import RewardModel
from scholar_env.metrics.scholargym_tracker import ScholarGymTracker
from scholar_env.metrics.terms import TERMS, load_term, load_terms
from scholar_env.metrics.views import EpisodeView, IterationView, PageView
from tests.metrics.written_pages import Entry, Page


@dataclass
class Iteration:
    closed: bool
    pages: list[PageView]
    selected: dict[int, list[str]]


@dataclass
class Episode:
    trace: Trace
    retrieved: set[str]
    selected: set[str]
    n_calls: int = 2
    n_invalid: int = 0
    n_unseen: int = 0
    n_results_shown: int = 4

    @property
    def pages(self) -> list[PageView]:
        return [page for iteration in self.trace.iterations for page in iteration.pages]


@dataclass
class Trace:
    iterations: list[IterationView]


def two_pages() -> Episode:
    pages: list[PageView] = [
        Page(1, [Entry("a"), Entry("b")], [None], [None]),
        Page(2, [Entry("a"), Entry("g")], [1], [1]),
    ]
    return Episode(Trace([Iteration(False, pages, {})]), {"a", "b", "g"}, set())


def calls_left(episode: EpisodeView, gold: tuple[str, ...], metrics: Mapping[str, float]) -> float:
    """A user's own term: uses the episode, the gold and the metrics computed so far."""
    return 10.0 - episode.n_calls + len(gold) + metrics["ret_recall"]


NOT_A_TERM = 3


def test_every_registered_term_is_there_and_none_hides_a_metric() -> None:
    assert load_terms(["shown_reciprocal_rank", "shown_ndcg"]) == {
        "shown_reciprocal_rank": term_reading.shown_reciprocal_rank,
        "shown_ndcg": term_reading.shown_ndcg,
    }
    assert all(callable(term) for term in load_terms(TERMS).values())
    assert not TERMS.keys() & set(SCHOLARGYM_METRICS)


def test_reading_terms_count_distinct_papers_in_order_of_appearance() -> None:
    episode = two_pages()
    assert term_reading.shown_reciprocal_rank(episode, ("g",), {}) == 1 / 3  # a, b, g
    assert term_reading.shown_ndcg(episode, ("g",), {}) == pytest.approx(0.5, abs=1e-15)  # 1 / log2(4)


def test_a_registered_and_a_named_term_reach_tracker_and_reward() -> None:
    own = f"{__name__}:calls_left"
    model = RewardModel({"shown_reciprocal_rank": 3.0, own: 0.5, "ret_recall": 1.0}, SCHOLARGYM_METRICS)
    assert model.extra_terms == ("shown_reciprocal_rank", own)
    tracker = ScholarGymTracker(("g",), terms=model.extra_terms)
    metrics = tracker.update(two_pages())
    assert tuple(metrics) == tracker.names == (*SCHOLARGYM_METRICS, "shown_reciprocal_rank", own)
    assert metrics[own] == 10.0
    reward, terms = model.step(metrics, ended=False, invalid=False)
    assert terms[own] == 5.0
    assert reward == 7.0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", r"metric 'nothing'\. Rule: a metric is one of the environment's own"),
        (":f", "metric ':f'"),
        ("no.such.module:f", "metric 'no.such.module:f': No module named 'no'"),
        ("scholar_env.metrics.terms:nothing", "has no attribute 'nothing'"),
        (f"{__name__}:NOT_A_TERM", "is a int. Rule: a metric term is a function"),
    ],
)
def test_a_term_that_is_not_there_is_refused(name: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        load_term(name)


def test_a_metric_is_not_a_term() -> None:
    with pytest.raises(InvalidOptionError, match=r"metric 'f1'"):
        ScholarGymTracker(("g",), terms=["f1"])
