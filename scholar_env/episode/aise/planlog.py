"""Runs of a plan that are written down: what was sent, what came, and what need not run again after an edit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scholar_env.episode.aise.attempts import ApiCall, CallPolicy
from scholar_env.episode.aise.executor import Execution, PlanExecutor
from scholar_env.episode.aise.filling import Filler
from scholar_env.episode.aise.own_api import MOST_VALUES
from scholar_env.episode.aise.plan import PlanProblem, Step, base_name
from scholar_env.episode.aise.upstream import run_upstream
from scholar_env.episode.plain_json import NotJsonError, plain
from scholar_env.errors import InvalidOptionError

Shown = Callable[[dict[str, Any]], None]


def read_log(path: Path) -> dict[str, Any]:
    """The log that an earlier run has left in a file; an empty one where there is no file yet.

    Raises:
        InvalidOptionError: What is there is no such log, or it cannot be read, or a log could not be written there.
    """
    if not path.exists() and path.absolute().parent.is_dir():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        problem = _problem_of_log(content)
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError as error:
        problem = f"it is no text in UTF-8: {error.reason} at byte {error.start}"
    except (ValueError, RecursionError) as error:
        problem = f"it is no JSON: {error}"
    if problem:
        raise InvalidOptionError(
            f"the log {path} cannot be read ({problem})",
            "a log is a file as run-plan writes it, one JSON object with steps",
            "remove or rename the log, or name another file with --log",
        )
    return dict(content)


def _problem_of_log(content: Any) -> str:
    """What is wrong with the content of a log, "" for nothing."""
    entries = content.get("steps") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        return "it is no object with a list of steps"
    for place, entry in enumerate(entries):
        names = ("step", "planned", "inputs", "status", "result")
        missing = names if not isinstance(entry, dict) else [name for name in names if name not in entry]
        if missing:
            return f"steps[{place}] has no {missing[0]}"
        if not isinstance(entry["step"], str) or not isinstance(entry["status"], str):
            return f"the step and the status of steps[{place}] are no texts"
        try:
            for part in ("inputs", "result"):
                plain(entry[part], max_values=MOST_VALUES)
        except NotJsonError as error:
            return f"steps[{place}] holds {error}"
    return ""


def replayed(plan: Sequence[Step], earlier: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The entries of an earlier log that still hold: the step is unchanged, and so is all that it relies on."""
    entries = {entry["step"]: entry for entry in earlier.get("steps", []) if entry["status"] == "completed"}
    by_name = {step.name: step for step in plan}
    same = {name for name, step in by_name.items() if name in entries and entries[name]["planned"] == step.as_json()}
    changed = True
    while changed:
        lost = {
            name
            for name in same
            for other in by_name[name].rely
            for source in ([other] if other in by_name else [n for n in by_name if base_name(n) == other])
            if source not in same
        }
        same -= lost
        changed = bool(lost)
    return {name: entries[name] for name in by_name if name in same}


def run_logged(
    plan: Sequence[Step],
    problems: Sequence[PlanProblem],
    call: ApiCall,
    fill: Filler,
    done: Mapping[str, Mapping[str, Any]],
    upstream: bool,
    workers: int,
    shown: Shown,
    policy: CallPolicy | None = None,
    kept: Shown = lambda log: None,
) -> dict[str, Any]:
    """Executes what is left of a plan.

    Args:
        plan: The plan.
        problems: What was wrong with it when it was read.
        call: The API.
        fill: Fills dependent parameters.
        done: Entries of an earlier log that hold (:func:`replayed`).
        upstream: Execute as the released code does; nothing is kept then.
        workers: Calls at a time.
        shown: Told each step as it ends, those kept from the earlier log first and those that never ran last; with one
            worker before the next one begins, else wave by wave.
        policy: Time-out and retries; the released executor has none.
        kept: Told the log, after an interrupt that of the steps that had ended.

    Returns:
        ``steps``: step, planned, inputs, status, result and whether it was kept from the earlier log; ``problems``.
    """
    done = {} if upstream else done
    steps = {step.name: step for step in plan}
    execution = Execution()
    told: dict[str, None] = {}

    def ended(name: str) -> None:
        told[name] = None
        shown(_entry(steps[name], execution, done))

    try:
        for name in done:
            ended(name)
        if upstream:
            run_upstream(call, fill, plan, execution, ended)
            execution.problems.extend(problems)
        else:
            left = [step for step in plan if step.name not in done]
            results = {name: entry["result"] for name, entry in done.items()}
            executor = PlanExecutor(call, fill, workers=workers, policy=policy, ended=ended)
            executor.run(left, results, problems, execution=execution)
    except KeyboardInterrupt:
        kept(_log([step for name, step in steps.items() if name in told], execution, done))
        raise
    for name in steps:
        if name not in told:
            ended(name)
    log = _log(list(steps.values()), execution, done)
    kept(log)
    return log


def _log(steps: Sequence[Step], execution: Execution, done: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    entries = [_entry(step, execution, done) for step in steps]
    return {"steps": entries, "problems": [f"{problem.message}; {problem.mend}" for problem in execution.problems]}


def _entry(step: Step, execution: Execution, done: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    if step.name in done:
        return {**done[step.name], "kept": True}
    return {
        "step": step.name,
        "planned": step.as_json(),
        "inputs": execution.inputs.get(step.name),
        "status": execution.status.get(step.name, "dropped"),
        "result": execution.results.get(step.name),
        "kept": False,
    }
