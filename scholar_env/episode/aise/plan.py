"""A plan: the steps that an agent wants to have called, and which step waits for which."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_SUFFIX = re.compile(r"(.*?)\s*\(\d+\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a plan.

    Attributes:
        name: Name of an API, with ``(1)``, ``(2)``, … behind it where a plan calls one more than once.
        rely: Names of the steps whose results it needs.
        order: When it is meant to run, counted from 1; 0 where the plan does not say.
        params: Its parameters; what comes from an earlier step is empty.
    """

    name: str
    rely: tuple[str, ...] = ()
    order: int = 0
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def api(self) -> str:
        """The name without its number."""
        return base_name(self.name)

    def as_json(self) -> dict[str, Any]:
        """Returns the step as a plan writes it."""
        return {"name": self.name, "rely": list(self.rely), "order": self.order, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """Something wrong with a plan.

    Attributes:
        place: Which step, counted from 0; -1 for the plan as a whole.
        field: Which field of it, ``""`` for the step as a whole.
        message: What was found and what is required.
        mend: What to do about it.
    """

    place: int
    field: str
    message: str
    mend: str


def base_name(name: str) -> str:
    """The name of a step without ``(1)``, ``(2)``, … at its end."""
    match = _SUFFIX.fullmatch(name)
    return match[1] if match and match[1] else name


def in_order(steps: Iterable[Step]) -> list[Step]:
    """The steps by their ``order``; steps of the same order stay as the plan has them."""
    return sorted(steps, key=lambda step: step.order)


def read_plan(value: object) -> tuple[tuple[Step, ...], tuple[PlanProblem, ...]]:
    """Reads whatever an agent or a file calls a plan.

    Args:
        value: A list of steps, an object with such a list under ``steps`` or ``plan``, or the JSON text of either.

    Returns:
        The steps that can be read, in the order of the plan, and everything wrong. A step without a usable name is
        kept under the name ``""``, so that a plan is never shorter than what was proposed; what is no object is
        dropped.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            return (), (PlanProblem(-1, "", f"the plan is no JSON ({error})", "write a JSON list of steps"),)
    if isinstance(value, Mapping):
        value = value.get("steps", value.get("plan"))
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        found = f"the plan is of type {type(value).__name__}, it must be a list of steps"
        return (), (PlanProblem(-1, "", found, "write [] or a list of objects with name, rely, order, params"),)
    steps: list[Step] = []
    problems: list[PlanProblem] = []
    for place, entry in enumerate(value):
        if isinstance(entry, Step):
            steps.append(entry)
        elif isinstance(entry, Mapping):
            steps.append(_read_step(place, entry, problems))
        else:
            found = f"step {place} is of type {type(entry).__name__}, it must be an object"
            problems.append(PlanProblem(place, "", found, "write an object with name, rely, order and params"))
    return tuple(steps), tuple(problems)


def _read_step(place: int, entry: Mapping[str, Any], problems: list[PlanProblem]) -> Step:
    def wrong(name: str, found: object, rule: str, mend: str) -> None:
        problems.append(PlanProblem(place, name, f"{name} of step {place} is {found!r:.80}, it must be {rule}", mend))

    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        wrong("name", name, "the name of an API", "name one of the APIs")
        name = ""
    rely = entry.get("rely")
    if isinstance(rely, str):
        rely = [rely]
    if rely is None:
        rely = []
    if not isinstance(rely, Sequence) or not all(isinstance(other, str) for other in rely):
        wrong("rely", rely, "a list of step names", "write [] or the names of earlier steps")
        rely = [other for other in rely if isinstance(other, str)] if isinstance(rely, Sequence) else []
    params = entry.get("params")
    if params is None:
        params = {}
    if not isinstance(params, Mapping) or not all(isinstance(key, str) for key in params):
        wrong("params", params, "an object", "write {} or the parameters by name")
        params = {}
    return Step(name.strip(), tuple(rely), _order(entry.get("order", 0), wrong), dict(params))


def _order(value: object, wrong: Any) -> int:
    """The order as an integer; numbers written as text are taken."""
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value):
        wrong("order", value, "an integer", "leave the quotation marks out")
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    if type(value) is int and abs(value) < 10**9:
        return value
    wrong("order", value, "an integer", "number the steps from 1 on")
    return 0
