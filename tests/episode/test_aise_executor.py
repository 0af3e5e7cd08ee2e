"""The plan executor: concurrency, dropped and circular steps, fillers, time-outs and retries."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from scholar_env.episode.aise.attempts import RELEASED_POLICY, CallPolicy, RateLimitedError, failure
from scholar_env.episode.aise.executor import Execution, PlanExecutor
from scholar_env.episode.aise.filling import FillRequest, fill_by_rule, filler, leave_to_agent, read_parameters
from scholar_env.episode.aise.plan import Step, base_name, read_plan
from scholar_env.episode.aise.planlog import run_logged
from scholar_env.errors import InvalidOptionError

FOUND = {"success": True, "data": [{"id": "a" * 24, "name": "A"}], "total": 1}


def answer(api: str, params: dict[str, Any]) -> Any:
    return FOUND


def test_independent_calls_run_at_the_same_time_and_keep_their_order() -> None:
    meeting = threading.Barrier(3)

    def call(api: str, params: dict[str, Any]) -> Any:
        meeting.wait(30)  # passes only when all three are under way
        return params["name"]

    steps = [Step(f"search_author_id({n})", (), 1, {"name": str(n)}) for n in (1, 2, 3)]
    done = PlanExecutor(call, fill_by_rule, workers=3).run(steps)
    assert list(done.results.values()) == ["1", "2", "3"]
    assert done.waves == [tuple(step.name for step in steps)]


def test_circles_and_unknown_names_are_reported_and_the_rest_runs() -> None:
    steps = [
        Step("search_author_id", ("search_venue_id",), 1),
        Step("search_venue_id", ("search_author_id",), 2),
        Step("search_org_id", ("nobody",), 1),
        Step("search_paper_id", (), 1, {"keywords": ["k"]}),
        Step("search_paper_id", (), 1, {"keywords": ["last"]}),
    ]
    done = PlanExecutor(answer, fill_by_rule).run(steps)
    assert done.status == {
        "search_paper_id": "completed", "search_author_id": "dropped", "search_venue_id": "dropped",
        "search_org_id": "dropped",
    }  # fmt: skip
    assert done.inputs == {"search_paper_id": {"keywords": ["last"]}}
    assert done.results["search_org_id"]["error"] == "unreachable_step"
    messages = " ".join(problem.message for problem in done.problems)
    assert "step 4 has the name 'search_paper_id' of an earlier one" in messages
    assert "search_org_id never ran: nothing that ran is named 'nobody'" in messages


def test_a_failed_step_counts_as_done_and_what_relies_on_it_runs() -> None:
    def call(api: str, params: dict[str, Any]) -> Any:
        if api == "search_author_id":
            raise RuntimeError("down")
        return FOUND

    steps = [Step("search_author_id", (), 1), Step("search_author_detail", ("search_author_id",), 2, {"ids": []})]
    done = PlanExecutor(call, fill_by_rule).run(steps)
    assert done.results["search_author_id"] == failure("api_failed", "search_author_id: RuntimeError: down")
    assert done.calls == [("search_author_id", {}), ("search_author_detail", {"ids": []})]


def test_the_rule_fills_empty_parameters_with_ids_of_the_right_kind() -> None:
    papers = {"data": {"paper_ids": ["p1", "p2", "p1"], "titles": ["x", "y", "x"]}}
    detail = {
        "data": [{"paper_id": "p1", "venue": "V", "authors": [{"author": "N", "author_id": "a1", "org_id": "o1"}]}]
    }

    def fill(name: str, draft: dict[str, Any], **results: Any) -> dict[str, Any]:
        return fill_by_rule(FillRequest(Step(name, tuple(results), 2, draft), dict(draft), results))

    assert fill("search_paper_detail", {"paper_ids": []}, search_paper_id=papers) == {"paper_ids": ["p1", "p2"]}
    assert fill("search_author_detail", {"ids": [""]}, search_paper_detail=detail) == {"ids": ["a1"]}
    assert fill("search_venue_id", {"name": "", "name_search_type": "exact"}, search_paper_detail=detail)["name"] == "V"
    assert fill("search_org_detail", {}, search_paper_detail=detail) == {"ids": ["o1"]}
    assert fill("search_paper_id", {"author_id": "", "size": 3}, search_author_id=FOUND) == {
        "author_id": "a" * 24, "size": 3,
    }  # fmt: skip
    assert fill("search_paper_id", {"org_id": "kept"}, search_author_id=FOUND) == {"org_id": "kept"}


def test_a_step_left_to_the_agent_waits_and_runs_when_its_results_are_given() -> None:
    steps = [Step("search_author_id", (), 1), Step("search_author_detail", ("search_author_id",), 2)]
    done = PlanExecutor(answer, leave_to_agent).run(steps)
    assert done.status == {"search_author_id": "completed", "search_author_detail": "pending"}
    again = PlanExecutor(answer, fill_by_rule).run([steps[1]], done=done.results)
    assert again.calls == [("search_author_detail", {"ids": ["a" * 24]})]


def test_filled_parameters_are_json_and_nothing_is_evaluated() -> None:
    assert read_parameters('```json\n{"ids": ["x"]}\n```') == {"ids": ["x"]}
    assert "no JSON" in str(read_parameters("{'ids': __import__('os')}"))
    assert read_parameters("[1]") == "the filled parameters are of type list, they must be an object"
    done = PlanExecutor(answer, lambda request: "{'a': True}").run([Step("a"), Step("b", ("a",))])
    assert done.results["b"]["error"] == "bad_parameters"
    with pytest.raises(InvalidOptionError, match="filler='os:nothing'"):
        filler("os:nothing")


def test_calls_that_hang_or_fail_are_tried_again_and_refused_ones_are_not() -> None:
    pauses: list[float] = []
    tries: list[str] = []
    hang = threading.Event()

    def call(api: str, params: dict[str, Any]) -> Any:
        tries.append(api)
        if api == "slow":
            hang.wait(30)
        if api == "busy":
            raise RateLimitedError("too many calls", "fewer are taken", "wait")
        if api == "flaky" and tries.count("flaky") < 3:
            raise ConnectionError("reset")
        return FOUND

    policy = CallPolicy(timeout_s=0.05, attempts=3)
    executor = PlanExecutor(call, fill_by_rule, workers=1, policy=policy, sleep=pauses.append)
    done = executor.run([Step("slow"), Step("busy"), Step("flaky")])
    hang.set()
    assert [result.get("error") for result in done.results.values()] == ["timeout", "rate_limited", None]
    assert done.results["slow"]["msg"] == "slow took more than 0.05 seconds"
    assert (tries.count("slow"), tries.count("busy"), tries.count("flaky")) == (3, 1, 3)
    assert pauses == [1.0, 2.0, 1.0, 2.0]
    assert (RELEASED_POLICY.timeout_s, RELEASED_POLICY.attempts) == (10.0, 3)


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no message")


@pytest.mark.parametrize("policy", [CallPolicy(), CallPolicy(timeout_s=30)])
@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (SystemExit(3), "api_failed", "a: SystemExit: 3"),
        (MuteError(), "api_failed", "a: MuteError: its message cannot be told"),
        (AssertionError("odd"), "api_failed", "a: AssertionError: odd"),
        (TimeoutError("read"), "timeout", "a: TimeoutError: read"),
        (ValueError("\ud800" + "x" * 2000), "api_failed", "a: ValueError: \\ud800xxx"),
    ],
)
def test_whatever_an_api_raises_becomes_an_error_result(
    policy: CallPolicy, raised: BaseException, code: str, message: str
) -> None:
    def call(api: str, params: dict[str, Any]) -> Any:
        if api == "a":
            raise raised
        return FOUND

    done = PlanExecutor(call, fill_by_rule, workers=1, policy=policy).run([Step("a"), Step("b")])
    assert done.status == {"a": "failed", "b": "completed"}
    assert done.results["a"]["error"] == code
    assert done.results["a"]["msg"].startswith(message)
    assert len(done.results["a"]["msg"]) < 1100


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("policy", [CallPolicy(), CallPolicy(timeout_s=30)])
def test_an_interrupt_ends_a_plan_and_leaves_what_had_ended(workers: int, policy: CallPolicy) -> None:
    def call(api: str, params: dict[str, Any]) -> Any:
        if api == "c":
            raise KeyboardInterrupt
        return FOUND

    done = Execution()
    steps = [Step("a"), Step("b", ("a",)), Step("c", ("a",)), Step("d", ("c",))]
    with pytest.raises(KeyboardInterrupt):
        PlanExecutor(call, fill_by_rule, workers=workers, policy=policy).run(steps, execution=done)
    assert done.status == {"a": "completed", "b": "completed"}
    assert done.results == {"a": FOUND, "b": FOUND}


def test_a_filler_of_ones_own_that_gives_no_json_fails_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_filler.py").write_text(
        "def fill(request):\n"
        "    return {'x': {'ids': {1}}, 'y': {'size': float('nan')}, 'z': '{\"size\": NaN}'}[request.step.name]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    done = PlanExecutor(answer, filler("own_filler:fill")).run([Step("a"), *(Step(n, ("a",)) for n in "xyz")])
    assert [done.results[name]["msg"] for name in "xyz"] == [
        "the parameters of x could not be filled: NotJsonError: a value of type set",
        "the parameters of y could not be filled: NotJsonError: a number that is NaN or infinite",
        "the filled parameters are no JSON (a number that is NaN or infinite)",
    ]
    assert {done.results[name]["error"] for name in "xyz"} == {"bad_parameters"}
    assert done.calls == [("a", {})]


def test_a_limit_of_calls_holds_in_the_order_of_the_waves() -> None:
    steps = [Step("a", (), 1), Step("b", ("a",), 2), Step("c", (), 1)]
    done = PlanExecutor(answer, fill_by_rule).run(steps, limit=2)
    assert [name for name, _ in done.calls] == ["a", "c"]
    assert done.results["b"]["error"] == "budget_spent"


def test_plans_are_read_with_all_that_is_wrong() -> None:
    steps, problems = read_plan('[{"name": "a(2)", "order": "2"}, 5, {"rely": "a"}]')
    assert [(step.name, step.api, step.rely, step.order) for step in steps] == [
        ("a(2)", "a", (), 2),
        ("", "", ("a",), 0),
    ]
    assert [(problem.place, problem.field) for problem in problems] == [(0, "order"), (1, ""), (2, "name")]
    assert read_plan("[")[1][0].message.startswith("the plan is no JSON")
    assert (base_name("x (3)"), base_name("(1)")) == ("x", "(1)")


@pytest.mark.parametrize("upstream", [False, True])
def test_step_by_step_each_is_shown_before_the_next_begins(upstream: bool) -> None:
    events: list[str] = []

    def answer(api: str, params: Any) -> Any:
        events.append(f"call {api}")
        return [params]

    def shown(entry: dict[str, Any]) -> None:
        events.append(f"show {entry['step']} {entry['status']}")

    plan = [Step("a"), Step("b"), Step("c", ("nowhere",))]
    done = {} if upstream else {"a": {"step": "a", "planned": plan[0].as_json(), "status": "completed", "result": [1]}}
    run_logged(plan, (), answer, fill_by_rule, done, upstream, 1, shown)
    first = ["call a", "show a completed"] if upstream else ["show a completed"]
    assert events == [*first, "call b", "show b completed", "show c dropped"]
