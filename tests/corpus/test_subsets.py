"""Subsets: labels, draws, and a user's own lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.index.freeze import freeze_sparse
from scholar_env.index.sparse import SparseIndex
from scholar_env.records import Task
from scholar_env.subsets import IdList, SubsetRule, choose_subsets, label_task, read_id_list


def task(number: int, **labels: str) -> Task:
    standard = {"n_gold": "2", "n_categories": "2", "best_rank": "60", "left_out": ""}
    source = labels.pop("source", "one")
    gold = tuple(labels.pop("gold", f"p{number}").split())
    return Task(f"q{number}", "question", "2020-01", gold, source, {**standard, **labels})


def test_hard_tasks_are_those_that_satisfy_the_rule() -> None:
    fitting = [task(0), task(1, best_rank=""), task(2, best_rank="50")]
    others = [task(3, best_rank="49"), task(4, n_gold="1"), task(5, n_categories="1"), task(6, left_out="why")]
    chosen = choose_subsets(fitting + others, SubsetRule(fast=2))
    assert chosen.ids["test_hard"] == ("q0", "q1", "q2")
    assert chosen.ids["all"] == ("q0", "q1", "q2", "q3", "q4", "q5")
    assert chosen.origin == {"test_fast": "reconstructed", "test_hard": "reconstructed"}
    assert chosen.notes == (
        "test_hard has 3 tasks instead of 100: no more have 2 gold papers in 2 primary categories and a best rank of "
        "50 or beyond",
    )


def test_the_draws_are_pinned() -> None:
    tasks = [task(number, source="one" if number % 3 else "two") for number in range(40)]
    chosen = choose_subsets(tasks, SubsetRule(fast=6, hard=4))
    assert chosen.ids["test_hard"] == ("q13", "q16", "q26", "q33")
    assert chosen.ids["test_fast"] == ("q4", "q15", "q17", "q19", "q29", "q30")
    assert choose_subsets(tasks, SubsetRule(fast=6, hard=4, seed=1)).ids != chosen.ids


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.builds(
            task,
            number=st.integers(0, 200),
            source=st.sampled_from(["a", "b", "c"]),
            gold=st.lists(st.sampled_from("vwxyz"), min_size=1, max_size=3).map(" ".join),
            best_rank=st.sampled_from(["", "0", "70"]),
            left_out=st.sampled_from(["", "", "", "why"]),
        ),
        unique_by=lambda item: item.id,
        max_size=60,
    ),
    st.integers(0, 30),
)
def test_subsets_are_disjoint_ordered_and_share_no_gold(tasks: list[Task], fast: int) -> None:
    chosen = choose_subsets(tasks, SubsetRule(fast=fast, hard=10))
    by_id = {item.id: item for item in tasks}
    everything = [item.id for item in tasks if not item.labels["left_out"]]
    sets = {name: set(ids) for name, ids in chosen.ids.items()}
    assert list(chosen.ids["all"]) == everything
    assert sets["test_fast"].isdisjoint(sets["test_hard"])
    for ids in chosen.ids.values():
        assert list(ids) == [task_id for task_id in everything if task_id in ids]
    tests = sets["test_fast"] | sets["test_hard"]
    test_gold = {paper for task_id in tests for paper in by_id[task_id].gold}
    assert sets["train"] == {i for i in everything if i not in tests and test_gold.isdisjoint(by_id[i].gold)}
    rest = [by_id[task_id] for task_id in everything if task_id not in sets["test_hard"]]
    size = min(fast, len(everything) // 2, len(rest))
    assert len(sets["test_fast"]) == size
    drawn = Counter(by_id[task_id].source for task_id in sets["test_fast"])
    for source, count in Counter(item.source for item in rest).items():
        assert abs(drawn[source] - size * count / len(rest)) < 1


def test_given_lists_come_first() -> None:
    tasks = [task(number) for number in range(10)] + [task(10, left_out="why")]
    given = {"test_fast": IdList(("q3", "q1", "q10"), "user:abc")}
    chosen = choose_subsets(tasks, SubsetRule(hard=9), given)
    assert chosen.ids["test_fast"] == ("q1", "q3")
    assert set(chosen.ids["test_hard"]) == {f"q{number}" for number in range(10)} - {"q1", "q3"}
    assert chosen.origin == {"test_fast": "user:abc", "test_hard": "reconstructed"}
    assert chosen.notes[0] == "test_fast: 1 of 3 given tasks are left out, see their reasons"
    given["test_hard"] = IdList(("q5",), "user:def")
    assert choose_subsets(tasks, SubsetRule(), given).ids["test_hard"] == ("q5",)


def test_given_lists_that_cannot_be_used_are_refused() -> None:
    tasks = [task(number) for number in range(3)]
    with pytest.raises(InvalidOptionError, match="names 1 unknown tasks, the first is 'q9'"):
        choose_subsets(tasks, SubsetRule(), {"test_fast": IdList(("q9",), "u")})
    both = {"test_fast": IdList(("q1", "q2"), "u"), "test_hard": IdList(("q2",), "v")}
    with pytest.raises(InvalidOptionError, match="the task 'q2' is in both given lists"):
        choose_subsets(tasks, SubsetRule(), both)


@pytest.mark.parametrize("content", ["q1\n\n q2 \n", '{"qid": "q1", "x": 1}\n{"qid": "q2"}\n', "q1\r\nq2"])
def test_id_lists_are_read_in_both_forms(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ids"
    path.write_bytes(content.encode())
    found = read_id_list(path)
    assert found.ids == ("q1", "q2")
    assert found.origin.startswith("user:")
    assert len(found.origin) == 5 + 12


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"query": "x"}', "cannot be read as a list of task ids"),
        ('{"qid": ', "cannot be read as a list of task ids"),
        ("q1\nq2\nq1", "lists 'q1' twice"),
    ],
)
def test_id_lists_that_cannot_be_read_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "ids"
    path.write_text(content)
    with pytest.raises(InvalidOptionError, match=message):
        read_id_list(path)
    with pytest.raises(InvalidOptionError, match="cannot be read as a list of task ids"):
        read_id_list(tmp_path / "none")


def test_labels_count_gold_categories_and_the_best_rank(tmp_path: Path) -> None:
    texts = ["deep graph walks", "graph", "networks of roads", "other things", "more things"]
    freeze_sparse(tmp_path, texts, ["2020-01", "2020-02", "2021-01", "", "2020-01"])
    index = SparseIndex.open(tmp_path, engine="numpy")
    rows = {f"p{row}": row for row in range(5)}

    def label(gold: str, require: str = "all", before: str = "2020-12", **labels: str) -> dict[str, str]:
        given = Task("q", "graph walks", before, tuple(gold.split()), "s", labels)
        return label_task(given, rows.get, lambda row: "ab"[row % 2], index, require).labels

    standard = {"n_gold": "1", "n_gold_in_corpus": "1", "n_categories": "1", "left_out": ""}
    assert label("p1") == {**standard, "best_rank": "1"}
    assert label("p2") == {**standard, "best_rank": ""}  # newer than the bound
    assert label("p0 p1 p2") == {
        **standard, "n_gold": "3", "n_gold_in_corpus": "3", "n_categories": "2", "best_rank": "0"
    }  # fmt: skip
    assert label("")["left_out"] == "the release names no gold paper"
    assert label("p1 x")["left_out"] == "1 of 2 gold papers are not in the corpus: x"
    assert label("p1 x", "any")["left_out"] == ""
    assert label("x y", "any")["left_out"] == "2 of 2 gold papers are not in the corpus: x, y"
    assert label("1 2 3 4 5 6")["left_out"].endswith("not in the corpus: 1, 2, 3, 4, 5, …")
    assert label("p1", left_out="invalid")["left_out"] == "invalid"
