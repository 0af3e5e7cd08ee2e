"""AISE-Bench measures by hand, and what a plan of any kind may do to them."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.episode.aise.attempts import failure
from scholar_env.episode.aise.executor import PlanExecutor
from scholar_env.episode.aise.filling import fill_by_rule
from scholar_env.episode.aise.plan import Step, read_plan
from scholar_env.episode.aise.upstream import run_upstream
from scholar_env.errors import UndefinedMeasureError
from scholar_env.metrics import aise, aise_plans, aise_release
from scholar_env.metrics.aise_overlap import GoldAnswer, correctness, coverage, faithfulness, stated_share
from scholar_env.metrics.aise_plans import Call
from scholar_env.metrics.edit_distance import LabelledGraph, graph_edit_distance, levenshtein
from scholar_env.metrics.judge_agreement import Preference, agreement, kendall, spearman
from scholar_env.metrics.rating import extract_rating_json, read_label, read_rating

PUB = "https://www.aminer.cn/pub/"
A, B, C = (f"{PUB}{letter * 24}" for letter in "abc")


def test_links_are_canonical_and_released_ones_are_not() -> None:
    answer = f"see ({A}), http://aminer.cn/pub/{'b' * 24}/?x=1 and {A}。"
    assert aise.links(answer) == [A, B]
    assert aise.link_precision(answer, f"{B} {C}") == 0.5
    assert aise.link_recall(answer, f"{B} {C} {A}") == pytest.approx(2 / 3)
    assert aise.link_f1("none", A) == 0.0
    assert aise_release.judge_precision(f"({A})", A) == 0.0  # the bracket stays attached


@pytest.mark.parametrize(
    ("summary", "message"),
    [
        ('{"answer": "A[1]", "reference": {"[1]": "https://www.aminer.cn/pub/x"}} tail', "the answer is no JSON"),
        ('{"answer": "A[1]"}', "it has ['answer'], it must be an object with answer and reference"),
        ('{"answer": "A[1][2]", "reference": {"[1]": "https://a.b"}}', "the marker [2] has no reference"),
        ('{"answer": "A", "reference": {"[1]": "https://a.b"}}', "[1] is not cited in the answer"),
        ('{"answer": "A[2]", "reference": {"[2]": "https://a.b"}}', "the numbers are [2], they must be 1 to 1"),
        ('{"answer": "A[1]", "reference": {"[1]": "nowhere"}}', "'nowhere' is no link"),
        ('{"answer": "[1]", "reference": {"[1]": "https://a.b", "[1]": "https://a.c"}}', "'[1]' stands twice"),
        ('{"answer": 5, "reference": {"[1]": "https://a.b"}}', "answer is of type int"),
    ],
)
def test_the_papers_format_check_says_what_is_wrong(summary: str, message: str) -> None:
    assert message in " ".join(problem.message for problem in aise.format_problems(summary))
    assert aise.format_check(summary) == 0


def test_the_two_format_checks_differ_where_the_paper_and_the_code_do() -> None:
    good = '{"answer": "A[1]", "reference": {"[1]": "https://scholar.example.org/x"}}'
    assert aise.format_check(good) == 1
    assert aise_release.judge_clarity({"summary": good}) == 0
    fenced = '```json\n{"answer": "A[1]", "reference": {"[1]": "https://www.aminer.cn/pub/1"}}\n```'
    assert aise.format_check(fenced) == 0
    assert aise_release.judge_clarity({"summary": fenced}) == 1


def test_graph_distance_agrees_with_all_ways_to_match_nodes() -> None:
    def brute(first: LabelledGraph, second: LabelledGraph) -> int:
        n, m = len(first.labels), len(second.labels)
        best = math.inf
        for image in permutations([*range(m), *([-1] * n)], n):
            nodes = sum(1 if j < 0 else first.labels[i] != second.labels[j] for i, j in enumerate(image))
            mapped = {(image[a], image[b]) for a, b in first.edges if image[a] >= 0 and image[b] >= 0}
            kept = len(mapped & second.edges)
            used = {j for j in image if j >= 0}
            best = min(best, nodes + m - len(used) + len(first.edges) + len(second.edges) - 2 * kept)
        return int(best)

    chain = LabelledGraph(("a", "b", "c"), frozenset({(0, 1), (1, 2)}))
    others = [
        chain,
        LabelledGraph(("a", "c"), frozenset({(0, 1)})),
        LabelledGraph(("b", "a", "c", "c"), frozenset({(1, 0), (0, 2), (0, 3)})),
        LabelledGraph((), frozenset()),
        LabelledGraph(("c", "b", "a"), frozenset({(0, 1), (1, 2), (2, 0)})),
    ]
    for first in others:
        for second in others:
            found = graph_edit_distance(first, second)
            assert (found.value, found.exact) == (brute(first, second), True)
    long = LabelledGraph(tuple("abcdefghi"), frozenset((i, i + 1) for i in range(8)))
    assert graph_edit_distance(long, long) == graph_edit_distance(long, long)
    assert graph_edit_distance(long, long).value == 0
    assert not graph_edit_distance(long, chain).exact


def test_plan_distances_tell_names_order_and_dependencies_apart() -> None:
    gold = [Step("search_author_id", (), 1), Step("search_author_detail", ("search_author_id",), 2)]
    loose = [Step("search_author_detail", (), 2), Step("search_author_id(1)", (), 1)]
    assert aise_plans.plan_levenshtein(loose, gold) == 1  # the number counts
    assert aise_plans.plan_ged(loose, gold).value == 1  # the dependency counts, the number does not
    assert aise_plans.plan_levenshtein([], gold) == 2
    assert levenshtein("kitten", "sitting") == 3


def test_parameter_accuracy_by_hand() -> None:
    gold = [
        Call("search_paper_id", {"keywords": ["a", "b"], "size": 10}),
        Call("search_paper_detail", {"paper_ids": ["x"]}),
    ]
    ours = [
        Call("search_paper_id", {"keywords": ["b", "c"], "size": 10, "sort": ""}),
        Call("search_org_id", {"orgs": ["y"]}),
    ]
    # first call: keywords 1/3, size 1 -> 2/3; the other two calls have no partner
    assert aise_plans.parameter_accuracy(ours, gold) == pytest.approx((2 / 3) / 3)
    assert aise_plans.parameter_accuracy([], []) == 1.0
    assert aise_plans.parameter_accuracy([Call("a", {})], [Call("a", {"x": None})]) == 1.0


def test_fuzzy_parameters_normalize_case_endings_order_and_aliases() -> None:
    aliases = {"清华大学": "tsinghua university"}
    gold = [
        Call("search_author_id", {"name": "Tang, Jie", "org": "Tsinghua University", "interest": ["Graph Networks"]})
    ]
    ours = [Call("search_author_id", {"name": "jie tang", "org": "清华大学", "interest": ["graph network", "x"]})]
    counts = aise_plans.fuzzy_parameters(ours, gold, aliases=aliases)
    assert counts == (3, 4, 3)
    assert aise_plans.summed([counts, aise_plans.Counts(1, 1, 2)]).f1() == pytest.approx(
        2 * (4 / 5) * (4 / 5) / (8 / 5)
    )


def test_completion_and_success() -> None:
    assert aise_plans.plan_success({}) == 0
    assert aise_plans.plan_success({"a": [], "b": {"success": True}}) == 1
    assert aise_plans.plan_success({"a": failure("timeout", "late")}) == 0
    assert aise_plans.completed_share(["a", "b"], 4) == 0.5
    assert aise_plans.completed_share([], 0) == 0.0


def test_f1_lm_of_means_is_not_the_mean_of_f1_lm() -> None:
    scores = [(1.0, 0.0), (0.0, 1.0)]
    assert aise.f1_lm_of_means(scores) == 0.5
    assert aise.f1_lm_macro(scores) == 0.0
    rows = [
        ({"steps": "2"}, {"correctness": 1.0, "completeness_coverage": 0.5}),
        ({"steps": "3"}, {"correctness": 0.0}),
    ]
    found = aise.broken_down(rows, "steps")
    assert found["2"] == {
        "n": 1.0,
        "correctness": 1.0,
        "completeness_coverage": 0.5,
        "f1_lm_of_means": pytest.approx(2 / 3),
    }


def test_overlap_scores_by_hand() -> None:
    gold = GoldAnswer((A, B), ("Jie Tang", "22"))
    assert stated_share("唐杰(JIE TANG)[1]发表论文22篇", gold.facts) == 1.0
    assert stated_share("in 2022", ("22",)) == 0.0
    assert correctness("Jie Tang[1]", [A], gold) == pytest.approx((1 + 0.5) / 2)
    assert correctness("Jie Tang 22", [C], gold) == 0.5  # disjoint: at most one half
    assert correctness("Jie Tang 22", ["https://www.aminer.cn/profile/" + "a" * 24], gold) == 0.5
    assert coverage("22", [A], gold) == 0.5
    assert faithfulness([A, C], {"a" * 24}) == 0.5


def test_ratings_are_read_clamped_and_missed() -> None:
    assert read_rating('```json\n{"reason": "r", "rating": "7"}\n```', 0, 5) == (5, "r")
    assert read_rating("no") == (None, "")
    assert read_rating('{"rating": "high"}') == (None, "")
    assert read_label('I say {"label": "Positive", "reason": "x"}', ("positive", "neutral")) == ("positive", "x")
    assert extract_rating_json('{"broken": {"rating": 0.5') is None


def test_agreement_refuses_what_has_no_value() -> None:
    with pytest.raises(UndefinedMeasureError, match="a comparison of models 0 and 2, with scores of 2 models"):
        agreement([Preference(0, 2, 0, "q")], [{"q": 1.0}, {"q": 0.5}])
    found = agreement(
        [Preference(0, 1, 0, "q"), Preference(0, 1, None, "p")], [{"q": 1.0, "p": 0.0}, {"q": 0.5, "p": 0.5}]
    )
    assert found.win_counts == (1.5, 0.5)
    assert (found.pw_accuracy, found.tau_like, found.pairs) == (1.0, 1.0, 1)
    assert math.isnan(found.pw_auc)
    import numpy as np

    assert kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])) == pytest.approx(1 / 3)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])) == pytest.approx(0.5)


NAMES = st.sampled_from(["search_author_id", "search_author_id(1)", "search_paper_id", "nobody", "", None, 7, "x(2)"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
STEPS = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {},
        optional={
            "name": NAMES,
            "rely": st.lists(NAMES, max_size=3) | JSON,
            "order": st.sampled_from([0, 1, 2, "3", None, 1.5, math.inf]) | JSON,
            "params": st.dictionaries(st.sampled_from(["ids", "name", "size"]), JSON, max_size=2) | JSON,
        },
    ),
)
PLANS = st.lists(STEPS, max_size=8) | JSON | st.text(max_size=20)


@settings(max_examples=150, deadline=None)
@given(plan=PLANS, gold=PLANS)
def test_no_plan_crashes_the_executors_or_a_measure(plan: Any, gold: Any) -> None:
    def call(api: str, params: dict[str, Any]) -> Any:
        if api == "search_paper_id":
            raise KeyError("down")
        return {"success": True, "data": [{"id": "a" * 24}], "total": 1}

    steps, problems = read_plan(plan)
    theirs, _ = read_plan(gold)
    done = PlanExecutor(call, fill_by_rule, workers=2).run(steps, problems=problems)
    assert set(done.status) == {step.name for step in steps}
    released = run_upstream(call, fill_by_rule, steps)
    assert set(released.results) <= set(done.status)
    assert (
        0
        <= aise_plans.parameter_accuracy(aise_plans.calls_of(steps, done.inputs), aise_plans.calls_of(theirs, {}))
        <= 1
    )
    distance = aise_plans.plan_levenshtein(steps, theirs)
    assert abs(len(steps) - len(theirs)) <= distance <= max(len(steps), len(theirs))
    assert aise_plans.plan_ged(steps, theirs).value >= 0
    assert aise_plans.fuzzy_parameters(aise_plans.calls_of(steps, {}), []).matched == 0
    assert aise_plans.plan_success(done.results) in (0, 1)
    assert 0 <= aise_plans.completed_share(done.completed, len(steps)) <= 1
    assert isinstance(aise.format_problems(plan), list)
