"""Runs a plan: waves of calls, each wave what waits for nothing any more; see :mod:`.upstream` for the released way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal

from scholar_env.episode.aise.filling import Filler, FillRequest, read_parameters
from scholar_env.episode.aise.plan import PlanProblem, Step, base_name
from scholar_env.errors import InfrastructureError, InvalidOptionError, ScholarEnvError

ApiCall = Callable[[str, dict[str, Any]], Any]
"""Calls an API by name with parameters and returns its JSON result."""

Status = Literal["completed", "failed", "dropped", "pending"]

SPENT = "budget_spent"
"""Code of the error result of a call for which there is no budget."""

MAX_WAVES = 100
"""A plan ends after so many waves."""

CALL_ERRORS = (
    ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError, ScholarEnvError,
)  # fmt: skip
"""What a called API or filler may raise; it becomes an error result."""


class RateLimitedError(InfrastructureError):
    """A remote API refused a call because there were too many."""


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """What is done about calls that hang or fail in transport; an API's own error result is never tried again.

    Attributes:
        timeout_s: Seconds that a try may take; None waits for ever.
        attempts: Tries of a call, at least 1.
        backoff_s: Seconds to wait before the second, third, … try; the last one holds for all later ones.
        retry_rate_limited: Whether a refusal for too many calls is tried again, too (the release does not).
    """

    timeout_s: float | None = None
    attempts: int = 1
    backoff_s: tuple[float, ...] = (1.0, 2.0)
    retry_rate_limited: bool = False


RELEASED_POLICY = CallPolicy(timeout_s=10.0, attempts=3)
"""Time-out and back-off as released, where the tries are of a whole question; here they are of each call."""

POLICIES = {"once": CallPolicy(), "released": RELEASED_POLICY}
"""Policies by name. Episodes call frozen tables, where nothing hangs, so they call once and look at no clock."""


@dataclass
class Execution:
    """What a plan came to. All of it is JSON.

    Attributes:
        calls: (API, parameters) in the order in which they were sent.
        inputs: Parameters sent, by step.
        results: Results by step; of a step that could not run, what was wrong.
        status: By step: completed; failed (its result is an error); dropped (it could not run); pending (its
            parameters are left to the agent).
        waves: Steps that ran together.
        problems: What was wrong with the plan.
    """

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)
    status: dict[str, Status] = field(default_factory=dict)
    waves: list[tuple[str, ...]] = field(default_factory=list)
    problems: list[PlanProblem] = field(default_factory=list)

    @property
    def completed(self) -> tuple[str, ...]:
        """Names of the steps that ran without an error, in the order of their results."""
        return tuple(name for name, status in self.status.items() if status == "completed")


def is_failure(result: Any) -> bool:
    """Whether a result is an error: an object with a true ``error``, or with ``success`` false."""
    return isinstance(result, Mapping) and bool(result.get("error") or result.get("success") is False)


def failure(code: str, message: str, **details: Any) -> dict[str, Any]:
    """A result that is an error: ``success`` false, ``error`` a word for programs, ``msg`` for readers."""
    return {"success": False, "error": code, "msg": message, **details}


class PlanExecutor:
    """Executes plans against an API.

    A step is ready when each name that it relies on is a finished step, or the base name of one; a failed step counts
    as finished. Steps that are ready together are called concurrently. A step that relies on others gets its parameters
    from the filler, with its own as a draft. Of steps with the same name the last one holds. What can never run because
    it relies on something unknown, or on itself in a circle, is reported as dropped.

    Args:
        call: The API.
        fill: Gives dependent steps their parameters; None for a step leaves it to the agent.
        workers: Calls at a time.
        policy: Time-out and retries.
        sleep: Waits so many seconds (for tests).
    """

    def __init__(
        self,
        call: ApiCall,
        fill: Filler,
        *,
        workers: int = 8,
        policy: CallPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        policy = policy or CallPolicy()
        if workers < 1 or policy.attempts < 1:
            raise InvalidOptionError(
                f"workers={workers}, attempts={policy.attempts} of a plan executor", "both are at least 1", "pass 1"
            )
        self._call, self._fill, self._workers, self._policy, self._sleep = call, fill, workers, policy, sleep

    def run(
        self,
        steps: Sequence[Step],
        done: Mapping[str, Any] | None = None,
        problems: Sequence[PlanProblem] = (),
        limit: int | None = None,
    ) -> Execution:
        """Runs a plan.

        Args:
            steps: The plan.
            done: Results of steps that ran before, by name; they may be relied on and are not run again.
            problems: What was wrong with the plan when it was read.
            limit: Calls that may be made, None for any number; steps beyond it, in the order of the waves, get an error
                result.
        """
        execution = Execution(problems=[*problems])
        waiting = self._distinct(steps, execution)
        finished = dict(done or {})
        for _ in range(MAX_WAVES):
            ready = [step for step in waiting.values() if is_ready(step, finished)]
            if not ready:
                break
            for step in ready:
                del waiting[step.name]
            self._wave(ready, finished, execution, limit)
        for step in waiting.values():
            self._drop(step, finished, execution)
        return execution

    @staticmethod
    def _distinct(steps: Sequence[Step], execution: Execution) -> dict[str, Step]:
        waiting: dict[str, Step] = {}
        for place, step in enumerate(steps):
            if step.name in waiting:
                found = f"step {place} has the name {step.name!r} of an earlier one, which is dropped"
                execution.problems.append(PlanProblem(place, "name", found, "number them: name(1), name(2)"))
            waiting[step.name] = step
        return waiting

    def _wave(self, ready: Sequence[Step], finished: dict[str, Any], execution: Execution, limit: int | None) -> None:
        jobs: list[tuple[Step, dict[str, Any]]] = []
        for step in ready:
            filled = self._parameters(step, finished)
            if filled is None:
                execution.status[step.name] = "pending"
            elif isinstance(filled, str):
                execution.status[step.name] = "failed"
                execution.results[step.name] = failure("bad_parameters", filled)
            elif limit is not None and len(execution.calls) >= limit:
                execution.status[step.name] = "failed"
                execution.results[step.name] = failure(SPENT, f"{step.name}: no API calls are left")
            else:
                execution.calls.append((step.api, filled))
                execution.inputs[step.name] = filled
                jobs.append((step, filled))
        for (step, _), result in zip(jobs, self._send(jobs), strict=True):
            execution.results[step.name] = result
            execution.status[step.name] = "failed" if is_failure(result) else "completed"
        execution.waves.append(tuple(step.name for step in ready))
        finished.update({step.name: execution.results[step.name] for step in ready if step.name in execution.results})

    def _parameters(self, step: Step, finished: Mapping[str, Any]) -> dict[str, Any] | str | None:
        """The parameters of a step, what is wrong with them, or None where they are left to the agent."""
        if not step.rely:
            return dict(step.params)
        needed = {name: finished[name] for other in step.rely for name in matches(other, finished)}
        try:
            reply = self._fill(FillRequest(step, dict(step.params), needed))
        except CALL_ERRORS as error:
            return f"the parameters of {step.name} could not be filled: {type(error).__name__}: {error}"
        return None if reply is None else read_parameters(reply)

    def _send(self, jobs: Sequence[tuple[Step, dict[str, Any]]]) -> list[Any]:
        if self._workers == 1 or len(jobs) < 2:
            return [self._guarded(step.api, params) for step, params in jobs]
        with ThreadPoolExecutor(max_workers=min(self._workers, len(jobs))) as pool:
            return list(pool.map(lambda job: self._guarded(job[0].api, job[1]), jobs))

    def _guarded(self, api: str, params: dict[str, Any]) -> Any:
        """The result of a call, or an error result once all tries have failed."""
        policy = self._policy
        for attempt in range(1, policy.attempts + 1):
            try:
                return self._timed(api, params)
            except RateLimitedError as error:
                result = failure("rate_limited", error.what)
                if not policy.retry_rate_limited:
                    break
            except TimeoutError:
                result = failure("timeout", f"{api} took more than {policy.timeout_s:g} seconds")
            except CALL_ERRORS as error:
                result = failure("api_failed", f"{api}: {type(error).__name__}: {error}")
            if attempt < policy.attempts and policy.backoff_s:
                self._sleep(policy.backoff_s[min(attempt, len(policy.backoff_s)) - 1])
        return result

    def _timed(self, api: str, params: dict[str, Any]) -> Any:
        if self._policy.timeout_s is None:
            return self._call(api, dict(params))
        answer: Future[Any] = Future()

        def work() -> None:
            try:
                answer.set_result(self._call(api, dict(params)))
            except CALL_ERRORS as error:
                answer.set_exception(error)

        # A pool would wait for a call that hangs for ever when the process ends; a daemon does not.
        threading.Thread(target=work, daemon=True).start()
        return answer.result(self._policy.timeout_s)

    @staticmethod
    def _drop(step: Step, finished: Mapping[str, Any], execution: Execution) -> None:
        lacking = [other for other in step.rely if not matches(other, finished)]
        message = f"{step.name} never ran: nothing that ran is named {', '.join(map(repr, lacking))}"
        mend = "rely on steps of the plan that can run before it, without a circle"
        execution.problems.append(PlanProblem(-1, "rely", message, mend))
        execution.status[step.name] = "dropped"
        execution.results[step.name] = failure("unreachable_step", f"{message}; {mend}")


def matches(name: str, finished: Mapping[str, Any]) -> list[str]:
    """The finished steps that a relied-on name stands for: that step, else all of which it is the base name."""
    if name in finished:
        return [name]
    return [other for other in finished if base_name(other) == name]


def is_ready(step: Step, finished: Mapping[str, Any]) -> bool:
    """Whether all that a step relies on is finished."""
    return all(matches(other, finished) for other in step.rely)
