from __future__ import annotations

from collections.abc import Callable

import pytest

from scholar_env.study.scholargym_report import dropped_by_release
from scholar_env.study.summary import (
    EpisodeSummary,
    IncomparableRunsError,
    IncompleteRunError,
    Run,
    usable_episodes,
)

Make = Callable[..., EpisodeSummary]


def test_episodes_come_in_the_order_of_the_tasks(episode: Make) -> None:
    run = Run("r", [episode("b"), episode("a")], expected=("a", "b"))
    episodes, remarks = usable_episodes(run)
    assert [one.task_id for one in episodes] == ["a", "b"]
    assert remarks == []
    assert [one.task_id for one in usable_episodes(Run("r", run.episodes))[0]] == ["b", "a"]


def test_missing_doubled_and_foreign_tasks_are_refused_by_name(episode: Make) -> None:
    run = Run("r", [episode("a"), episode("a"), episode("x")], expected=("a", "b", "c"))
    with pytest.raises(IncompleteRunError) as raised:
        usable_episodes(run)
    assert str(raised.value) == (
        "r: 2 tasks missing: b, c; r: 1 tasks doubled: a; r: 1 tasks not of this run: x. "
        "Rule: a report covers every task of a run exactly once. Mend: finish the run, or pass --partial."
    )


def test_partial_takes_what_is_there_and_says_so(episode: Make) -> None:
    first = episode("a", metrics={"recall": 1.0})
    run = Run("r", [first, episode("a"), episode("x")], expected=("a", "b"))
    episodes, remarks = usable_episodes(run, partial=True)
    assert episodes == [first]
    assert remarks == ["r: 1 tasks missing: b", "r: 1 tasks doubled: a", "r: 1 tasks not of this run: x"]


def test_an_infrastructure_failure_is_no_result(episode: Make) -> None:
    failed = episode("a", failure_kind="infrastructure", stop_reason="infrastructure")
    with pytest.raises(IncompleteRunError, match="r: 1 tasks ended by an infrastructure failure: a"):
        usable_episodes(Run("r", [failed, episode("b")]))
    again = episode("a", metrics={"recall": 0.5})
    assert usable_episodes(Run("r", [failed, episode("b"), again]))[0] == [episode("b"), again]


def test_many_ids_are_listed_in_short(episode: Make) -> None:
    run = Run("r", [episode("t0")], expected=[f"t{at}" for at in range(9)])
    with pytest.raises(IncompleteRunError, match="8 tasks missing: t1, t2, t3, t4, t5 and 3 more"):
        usable_episodes(run)


def test_a_run_without_episodes_is_refused_even_if_partial(episode: Make) -> None:
    with pytest.raises(IncompleteRunError, match="r: no episodes"):
        usable_episodes(Run("r", []), partial=True)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"corpus": {"fingerprint": "0" * 64}}, "corpus fingerprints"),
        ({"env_id": "ScholarGym-TestFast-v0"}, "environments"),
        ({"agent": "random"}, "agents"),
        ({"config_hash": "beef"}, "configurations"),
    ],
)
def test_a_run_of_several_kinds_is_refused(episode: Make, change: dict[str, object], what: str) -> None:
    run = Run("r", [episode("a"), episode("b", **change)])
    with pytest.raises(IncomparableRunsError, match=f"r mixes {what}"):
        usable_episodes(run, partial=True)


@pytest.mark.parametrize(
    ("stop_reason", "n_gold", "n_rows", "dropped"),
    [
        ("answered", 2, 1, False),
        ("max_iterations", 2, 5, False),
        ("converged", 2, 3, True),
        ("complete", 2, 1, False),
        ("complete", 2, 0, True),
        ("failed", 2, 2, True),
        ("upstream_crash", 2, 2, True),
        ("answered", 0, 1, True),
    ],
)
def test_what_the_released_evaluation_drops(
    episode: Make, stop_reason: str, n_gold: int, n_rows: int, dropped: bool
) -> None:
    one = episode("a", stop_reason=stop_reason, n_gold=n_gold, rows=[{}] * n_rows)
    assert dropped_by_release(one) is dropped
