"""Runs a plan: waves of calls, each wave what waits for nothing any more; see :mod:`.upstream` for the released way."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal

from scholar_env.episode.aise.attempts import CALL_ERRORS, ApiCall, Attempts, CallPolicy, failure, is_failure, told
from scholar_env.episode.aise.filling import Filler, FillRequest, read_parameters
from scholar_env.episode.aise.plan import PlanProblem, Step, base_name
from scholar_env.errors import InvalidOptionError

Status = Literal["completed", "failed", "dropped", "pending"]

SPENT = "budget_spent"
"""Code of the error result of a call for which there is no budget."""

MAX_WAVES = 100
"""A plan ends after so many waves."""


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
        ended: Told the name of each step that has ended: with one worker before the next one begins, else wave by wave.
    """

    def __init__(
        self,
        call: ApiCall,
        fill: Filler,
        *,
        workers: int = 8,
        policy: CallPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
        ended: Callable[[str], None] = lambda name: None,
    ) -> None:
        if workers < 1:
            raise InvalidOptionError(f"workers={workers} of a plan executor", "it is at least 1", "pass 1")
        self._call, self._fill, self._workers = Attempts(call, policy or CallPolicy(), sleep), fill, workers
        self._ended = ended

    def run(
        self,
        steps: Sequence[Step],
        done: Mapping[str, Any] | None = None,
        problems: Sequence[PlanProblem] = (),
        limit: int | None = None,
        execution: Execution | None = None,
    ) -> Execution:
        """Runs a plan.

        Args:
            steps: The plan.
            done: Results of steps that ran before, by name; they may be relied on and are not run again.
            problems: What was wrong with the plan when it was read.
            limit: Calls that may be made, None for any number; steps beyond it, in the order of the waves, get an error
                result.
            execution: Takes what the plan comes to, so that it is known how far it was when an interrupt ends it.
        """
        execution = execution or Execution()
        execution.problems.extend(problems)
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
                self._note(step, failure("bad_parameters", filled), execution)
            elif limit is not None and len(execution.calls) >= limit:
                self._note(step, failure(SPENT, f"{step.name}: no API calls are left"), execution)
            else:
                execution.calls.append((step.api, filled))
                execution.inputs[step.name] = filled
                jobs.append((step, filled))
        self._send(jobs, execution)
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
            return f"the parameters of {step.name} could not be filled: {told(error)}"
        return None if reply is None else read_parameters(reply)

    def _send(self, jobs: Sequence[tuple[Step, dict[str, Any]]], execution: Execution) -> None:
        """Makes calls and notes their results, in the order of the jobs whichever comes first."""
        if self._workers == 1 or len(jobs) < 2:
            for step, params in jobs:
                self._note(step, self._call(step.api, params), execution)
            return
        results: dict[str, Any] = {}

        def send(job: tuple[Step, dict[str, Any]]) -> None:
            step, params = job
            results[step.name] = self._call(step.api, params)

        try:
            with ThreadPoolExecutor(max_workers=min(self._workers, len(jobs))) as pool:
                for _ in pool.map(send, jobs):  # raises what a call has raised
                    pass
        finally:  # after an interrupt, too
            for step, _ in jobs:
                if step.name in results:
                    self._note(step, results[step.name], execution)

    def _note(self, step: Step, result: Any, execution: Execution) -> None:
        """Notes the result of a step, and that it has ended."""
        execution.results[step.name] = result
        execution.status[step.name] = "failed" if is_failure(result) else "completed"
        self._ended(step.name)

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
