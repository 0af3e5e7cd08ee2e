from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics import scinet, scinet_path, scinet_release, scinet_release_path
from scholar_env.metrics.judges import Rating, TruthJudge
from scholar_env.metrics.released import ReleaseCrashError
from scholar_env.metrics.scinet_crawl import crawl_measures, crawl_tree
from scholar_env.metrics.scinet_judged import Work, llm_top5, rationality, released_score
from scholar_env.metrics.scinet_release_pair import cite_acc_release, comention_acc_release

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=9)
GOLD = [f"g{number}" for number in range(50)]


def test_recall_of_the_first_fifty() -> None:
    assert scinet.recall_paper([*GOLD[:10], *["x"] * 40, *GOLD[10:]], GOLD) == 0.2
    assert scinet.recall_paper(["g0"] * 50, GOLD) == 1 / 50
    assert scinet.recall_paper(GOLD[:5], GOLD[:5]) == 0.1
    assert scinet.recall_paper(GOLD[:5], GOLD[:5], of_gold=True) == 1.0
    assert scinet.recall_paper(["x"], [], of_gold=True) == 0.0
    assert scinet.recall_paper(GOLD, GOLD, k=5) == 1.0


def test_percentiles_of_a_small_population() -> None:
    reference = [0.1, 0.2, 0.2, 0.3]
    assert scinet.pct_midrank(0.2, reference) == 50.0  # 1 below, 2 equal of 4
    assert scinet_release.pct_release(0.2, reference) == 62.5  # 100 (1 + 3 + 1) / 8
    assert scinet.pct_midrank(0.25, reference) == scinet_release.pct_release(0.25, reference) == 75.0
    assert scinet.pct_midrank(None, reference) is None
    for broken in ([], [0.1, math.nan]):
        assert math.isnan(scinet.pct_midrank(0.1, broken) or 0.0)
    assert math.isnan(scinet.pct_midrank(math.nan, reference) or 0.0)


@given(score=st.integers(-5, 5), reference=st.lists(st.integers(-5, 5), min_size=1))
def test_percentiles_differ_by_half_a_paper_where_the_score_occurs(score: float, reference: list[float]) -> None:
    released, middle = scinet_release.pct_release(score, reference), scinet.pct_midrank(score, reference)
    assert released is not None
    assert released - (middle or 0.0) == pytest.approx(50 / len(reference) if score in reference else 0.0)


def test_score_of_scores() -> None:
    scores, population = {"a": -4.0, "b": 2.0}, [-4.0, -1.0, 2.0, 5.0]
    # a is the most novel: 100; b 100 (1 + 2 + 1) / 8 = 50; c has no score
    assert scinet.sos_mean_of_pct(["a", "b", "c"], scores, population, novelty=True) == 75.0
    assert scinet.sos_mean_of_pct(["b", "a"], scores, population, k=1) == 75.0
    assert scinet.sos_mean_of_pct(["c"], scores, population) is None
    assert scinet.sos_mean_of_pct(["a"], scores, population, percentile="pct_midrank") == 12.5
    assert scinet.raw_mean(["a", "c", "b"], scores) == -1.0
    assert scinet.raw_mean(["c", "c", "c", "c", "c", "a"], scores) is None


CITES = {"a": ["s"], "b": ["s", "a"], "c": [], "s": []}
CITED_BY = {"s": ["a", "b"], "a": ["b"], "b": [], "c": []}


def test_pair_accuracies() -> None:
    answer = ["a", "b", "c", "c"]
    assert scinet.cite_acc(answer, "s", CITES.__getitem__) == 0.5
    assert scinet.cite_acc(["s"], "b", CITED_BY.__getitem__) == 1.0  # the seed cites it
    assert scinet.cite_acc([], "s", CITES.__getitem__) is None
    assert scinet.comention_acc(["s", "a", "b"], "s", CITED_BY.__getitem__) == 2 / 3
    assert scinet.comention_acc(["s", "a"], "b", CITED_BY.__getitem__) == 0.0
    assert scinet.cite_sentiment(["a", "b"], ["b"]) == 0.5
    assert scinet.cite_sentiment_given(["a", "b", "c"], ["b"], ["b", "c"]) == 0.5
    assert scinet.cite_sentiment_given(["a"], ["b"], ["b"]) is None
    assert scinet.comention_paragraph(["a", "a", "c"], ["a"]) == 2 / 3
    assert scinet.mean_over([1.0, None, 0.5]) == 0.5
    assert scinet.mean_over([1.0, None, 0.5], empty="release") == 0.75
    assert scinet.cut(["a", "b", "c"], 2) == (["a", "b"], 1)


def test_strict_accuracy_counts_distinct_items_without_the_seed() -> None:
    def is_right(paper: str) -> bool:
        return paper in ("a", "s")

    assert scinet.strict(["a"], "s", is_right) == 0.2  # over five
    assert scinet.strict(["a", "a", "s", "c"], "s", is_right, at_least=1) == 1 / 3
    assert scinet.strict([], "s", is_right) == 0.0


def test_pair_f1() -> None:
    assert scinet.pair_f1(["a", "x"], "s", ["a", "b"]) == 0.5
    assert scinet.pair_f1(["a", "a", "b"], "s", ["a", "b"]) == 1.0
    assert scinet.pair_f1(["s"], "s", ["s", "a"]) == 0.0
    assert scinet.pair_f1([], "s", ["a"]) == scinet.pair_f1(["a"], "s", []) == 0.0
    assert scinet.pair_f1(GOLD, "s", [f"g{number}" for number in range(80)]) == 1.0
    assert scinet.pair_f1([*["x"] * 60, "a"], "s", ["a"]) == pytest.approx(2 / 3)  # two distinct items


CHAIN = ["a", "b", "c", "d", "e", "f"]


def next_of(paper: str) -> list[str]:
    return CHAIN[CHAIN.index(paper) + 1 :][:1] if paper in CHAIN else []


def test_path_measures_of_a_small_case() -> None:
    answer = ["a", "c", "x", "f"]
    gold = ["a", "b", "c", "f"]
    assert scinet_path.path_precision(answer, gold) == 0.75
    assert scinet_path.path_recall(answer, gold) == 0.75
    assert scinet_path.path_inner(answer, gold) == 0.5
    assert scinet_path.path_jaccard(answer, gold) == 0.6
    assert scinet_path.path_lcs(answer, gold) == scinet_path.path_lcs(answer[::-1], gold) == 0.75
    assert scinet_path.path_f1_inner(answer, gold) == 0.5  # c of {c, x}, c of {b, c}
    assert scinet_path.path_precision([], gold) is None
    assert scinet_path.path_inner(answer, ["a", "f"]) is None
    assert scinet_path.path_f1_inner(answer, ["a", "f"]) == scinet_path.path_f1_inner([], gold) == 0.0


def test_connectivity_of_a_chain() -> None:
    assert scinet_path.connectivity_order(["a", "b", "c"], next_of)
    assert scinet_path.connectivity_order(["c", "b", "a"], next_of)
    assert not scinet_path.connectivity_order(["a", "c", "b"], next_of)
    assert scinet_path.connectivity_any(["a", "c", "b"], next_of)
    assert not scinet_path.connectivity_any(["a", "c"], next_of)
    assert not scinet_path.connectivity_order(["a"], next_of)
    assert scinet_path.connectivity_order(["a", "b", "c", "d", "e", "x"], next_of)  # five count
    assert scinet_path.connectivity_chain(["a", "b", "c"], ("a", "c"), next_of)
    assert scinet_path.connectivity_chain(["c", "b", "a"], ("a", "c"), next_of)
    assert not scinet_path.connectivity_chain(["b"], ("a", "c"), next_of)
    assert not scinet_path.connectivity_chain(["a", "c"], ("a", "c"), next_of)
    assert scinet_path.connectivity_induced(["b", "x"], ("a", "c"), next_of)
    assert not scinet_path.connectivity_induced(["x"], ("a", "c"), next_of)


@pytest.mark.parametrize(("n", "share"), [(2, 1.0), (3, 0.598), (4, 0.192), (5, 0.041)])
def test_expected_connectivity_with_one_valid_order(n: int, share: float) -> None:
    papers = CHAIN[:n]
    shuffled = next(
        list(order)
        for order in permutations(papers)
        if n == 2 or not scinet_path.connectivity_order(list(order), next_of)
    )
    assert scinet_path.valid_orders(shuffled, next_of) == 1
    assert scinet_path.connectivity_expected(shuffled, next_of) == pytest.approx(share, abs=5e-4)
    cites = {newer: [older] for older, newer in pairwise(CHAIN)}
    items = [{"id": paper} for paper in shuffled]
    found = [
        scinet_release_path.connectivity_release(items, cites, scinet_release_path.drawn_orders(7, str(trial)))[0]
        for trial in range(3000 if n > 2 else 1)
    ]
    assert np.mean(found) == pytest.approx(share, abs=0.03)


def test_repeated_draws_of_orders_are_the_same() -> None:
    items = list("abcde")
    first, again = scinet_release_path.drawn_orders(1, "q"), scinet_release_path.drawn_orders(1, "q")
    drawn = [first(items) for _ in range(4)]
    assert drawn == [again(items) for _ in range(4)]
    assert len({tuple(order) for order in drawn}) > 1
    assert all(sorted(order) == items for order in drawn)


@given(answer=IDS, gold=st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8))
@settings(max_examples=150)
def test_rewards_gain_nothing_from_repetition_order_or_the_seed(answer: list[str], gold: list[str]) -> None:
    for value in (
        scinet.pair_f1(answer, "s", gold),
        scinet_path.path_f1_inner(answer, gold),
        scinet.recall_paper(answer, gold),
    ):
        assert 0.0 <= value <= 1.0
    assert scinet.pair_f1([*answer, *answer], "s", gold) == scinet.pair_f1(answer, "s", gold)
    assert scinet.pair_f1(["s", *answer], "s", gold) <= scinet.pair_f1(answer, "s", gold)
    assert scinet.recall_paper(answer * 9, gold) == scinet.recall_paper(answer, gold)
    assert scinet_path.path_f1_inner([*answer, *gold[:1], *gold[-1:]], gold) == scinet_path.path_f1_inner(answer, gold)
    distinct = [paper for paper in dict.fromkeys(answer) if paper != "s"]
    if distinct and gold:
        assert scinet.pair_f1(answer, "s", gold) == pytest.approx(
            2 * len(set(distinct) & set(gold)) / (len(distinct) + len(gold))
        )


def test_tricks_that_the_released_measures_reward_earn_nothing() -> None:
    gold = ["a", "m", "n", "z"]
    assert scinet_path.path_precision(["a", "z"], gold) == 1.0  # the ends that the query names
    assert scinet_path.path_f1_inner(["a", "z"], gold) == 0.0
    query = {"s": "q"}
    answers = {"q": [{"id": "s"}]}
    assert comention_acc_release(answers, query, {"s": ["x"]})["macro"] == 1.0  # the seed itself
    assert scinet.pair_f1(["s"], "s", ["x"]) == 0.0
    assert cite_acc_release({"q": [{"id": "x"}]}, query, {"x": ["s"]})["macro"] == 1.0  # one sure paper
    assert scinet.pair_f1(["x"], "s", ["x", *GOLD]) < 0.04
    items = [{"id": GOLD[0]}] * 60
    gold_items = {"field": [{"id": paper} for paper in GOLD]}
    released = scinet_release.recall_release({"q": items}, {"field": "q"}, gold_items, 50)
    assert released["macro"] == 1.2  # one gold paper, often
    assert scinet.recall_paper([GOLD[0]] * 60, GOLD) == 0.02
    cites = {"y": ["x"], "x": []}
    shuffle = scinet_release_path.drawn_orders(0, "")
    assert scinet_release_path.connectivity_release([{"id": "x"}, {"id": "y"}], cites, shuffle)[0]  # any citing pair
    assert not scinet_path.connectivity_chain(["x", "y"], ("a", "z"), {"x": ["y"]}.__getitem__)


def test_judged_measures() -> None:
    works = {"W1": Work("One", "text"), "W2": Work("Two")}
    judge = TruthJudge(
        {
            "novelty": lambda request: Rating(float(len(request.items[0].text)) + request.low),
            "rationality": lambda request: Rating(float(len(request.items))),
        }
    )
    answers = {"q": [{"id": "W1"}, {"id": "W9"}, {"id": "W2"}], "r": []}
    assert llm_top5(answers, works, judge, "novelty") == {
        "per_query": {"q": {"average": 2.0, "scores": [4.0, None, 0.0]}, "r": {"average": None, "scores": []}},
        "overall": 2.0,
    }
    assert llm_top5(answers, works, judge, "novelty", scale="paper")["overall"] == 3.0
    assert rationality(answers, works, judge)["per_query"] == {"q": 3.0, "r": 0.0}
    with pytest.raises(ReleaseCrashError, match=r"the released judge scores raises KeyError: 'id'"):
        llm_top5({"q": [{}]}, works, judge, "novelty")
    with pytest.raises(InvalidOptionError, match=r"scale='x'.*one of release, paper"):
        rationality(answers, works, judge, scale="x")


def test_released_score_asks_three_times_at_most() -> None:
    replies = iter(["nothing", "{", '{"score": 4}', '{"score": 9}'])
    assert released_score(lambda: next(replies)) == (4, 3)
    assert released_score(lambda: "no") == (None, 3)


@given(scores=st.lists(st.one_of(st.none(), st.integers(-4, 4)), min_size=1, max_size=20))
def test_percentiles_of_all_papers_are_those_of_each(scores: list[int | None]) -> None:
    column = np.array([math.nan if score is None else score for score in scores], dtype=np.float64)
    population = [float(score) for score in scores if score is not None]
    for name, one in scinet.PERCENTILES.items():
        found = scinet.percentiles(column, name).tolist()
        for score, value in zip(scores, found, strict=True):
            wanted = one(None if score is None else float(score), population)
            assert math.isnan(value) if wanted is None else value == pytest.approx(wanted)


def test_an_answer_of_too_few_papers_earns_nothing() -> None:
    gold = [f"g{number}" for number in range(9)]
    assert scinet.pair_f1(gold[:4], "s", gold, at_least=5) == scinet.pair_f1(gold[:1] * 50, "s", gold, at_least=5) == 0
    assert scinet.pair_f1(gold[:5], "s", gold, at_least=5) == scinet.pair_f1(gold[:5], "s", gold) > 0
    assert scinet.pair_f1(gold[:3], "s", gold[:3], at_least=5) == 1.0


def test_an_episode_as_pasas_tree() -> None:
    listings = [(1, "", ("a", "b")), (2, "a", ("c",)), (4, "lost", ("d", "c"))]
    tree = crawl_tree(listings, ["c", "a", "c"], ["c", "e"], lambda paper: f"title {paper}")
    assert tree["extra"]["answer"] == ["title c", "title e"]
    first, lost = tree["child"]["call 1"], tree["child"]["call 4"]
    assert [node["select_score"] for node in first] == [0.75, 0.0]
    assert [node["title"] for node in first[0]["child"]["call 2"]] == ["title c"]
    assert [node["select_score"] for node in lost] == [0.0, 1.0]
    found = crawl_measures(listings, ["c", "a", "c"], ["c", "e"], lambda paper: f"title {paper}")
    assert (found["pasa_crawler_recall"], found["pasa_precision"], found["pasa_recall"]) == (0.5, 0.5, 0.5)
    assert (found["pasa_actions"], found["pasa_recall@20"]) == (3.0, 0.5)
    assert (found["litsearch_recall"], found["litsearch_ndcg"]) == (0.5, (1 + 1 / 3) / 1.5)
