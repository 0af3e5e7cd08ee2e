"""The deterministic measures of AISE-Bench's released evaluation, behaviour for behaviour.

Source of the behaviour: AISE-Bench/AISE-Bench at commit 9e5b7524, ``framework/eval.py``, whose function names are kept
so that the two can be laid side by side. A set comes back sorted, and a crash of the release is a declared error
unless ``compat="upstream"`` asks for the crash itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from scholar_env.errors import UndefinedMeasureError
from scholar_env.metrics.edit_distance import levenshtein
from scholar_env.metrics.ranking import ratio

HOST = "https://www.aminer.cn"
"""What the released format check looks for in every reference."""

_LINK = re.compile(r"https?://[^\s\"'\]}]+")
_FENCE = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL | re.IGNORECASE)
_MARKER = re.compile(r"\[\d+\]")
_CRASHES = (AttributeError, KeyError, TypeError)

Value = TypeVar("Value")


def parse_link(answer: Any) -> list[str]:
    """The distinct links of an answer, sorted.

    A link runs from ``http://`` or ``https://`` (lower case) to white space, a quotation mark, ``]`` or ``}``; full
    stops, commas and round brackets stay attached to it, and nothing is normalized.

    Args:
        answer: Anything; what is no text is read as Python prints it.
    """
    return sorted(set(_LINK.findall(str(answer))))


def judge_precision(pred: Any, gold: Any) -> float:
    """Share of the predicted links that the gold has, in [0, 1]; 0.0 when either side has none."""
    return _share(parse_link(pred), parse_link(gold))


def judge_recall(pred: Any, gold: Any) -> float:
    """Share of the gold links that were predicted, in [0, 1]; 0.0 when either side has none."""
    return _share(parse_link(gold), parse_link(pred))


def _share(whole: list[str], other: list[str]) -> float:
    return ratio(len(set(whole) & set(other)), len(whole))


def judge_clarity(pred: dict[str, Any], *, compat: str | None = None) -> int:
    """The released format check.

    Args:
        pred: A prediction record; its ``summary`` is looked at.
        compat: ``"upstream"`` lets the release's crash through.

    Returns:
        1 when the text is an object, or holds a fenced one, with exactly ``answer`` and ``reference``, the keys of the
        non-empty reference are ``[1]`` … ``[n]``, each value contains :data:`HOST`, and the markers of the answer are
        these keys; else 0.

    Raises:
        UndefinedMeasureError: The answer is no text where everything else is right.
        TypeError: The same under ``compat="upstream"``.
    """
    content = _summary_object(pred.get("summary"))
    if not isinstance(content, dict) or set(content) != {"answer", "reference"}:
        return 0
    answer, reference = content["answer"], content["reference"]
    if not isinstance(reference, dict) or not reference or not all(_MARKER.fullmatch(key) for key in reference):
        return 0
    if sorted(int(key[1:-1]) for key in reference) != list(range(1, len(reference) + 1)):
        return 0
    if not all(isinstance(link, str) and HOST in link for link in reference.values()):
        return 0
    markers: list[str] = _or_declared(lambda: _MARKER.findall(answer), "the format of an answer", compat)
    return int(set(markers) == set(reference))


def _summary_object(summary: Any) -> Any:
    """The JSON value of a summary, or None."""
    if not isinstance(summary, str):
        return None
    text = summary.strip()
    if not (text.startswith("{") and text.endswith("}")):
        fenced = _FENCE.search(text)
        if fenced is None:
            return None
        text = fenced[1]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def planning_edit_distance(pred: Any, gold: Any, *, compat: str | None = None) -> int:
    """Levenshtein distance of the step names of two plans, each sorted by ``order`` (0 where it is missing).

    ``rely`` does not count, and ``(1)`` behind a name makes it another one. Lower is better.

    Args:
        pred: The predicted steps.
        gold: The gold steps.
        compat: ``"upstream"`` lets the release's crash through.

    Raises:
        UndefinedMeasureError: A plan is no list of objects with names and comparable orders.
        AttributeError, KeyError, TypeError: The same under ``compat="upstream"``.
    """
    return _or_declared(
        lambda: levenshtein(_names_in_order(pred), _names_in_order(gold)), "the edit distance of two plans", compat
    )


def _names_in_order(plan: Any) -> list[str]:
    return [step["name"] for step in sorted(plan, key=lambda step: step.get("order", 0))]


def check_api_success(execution_result: Any, *, compat: str | None = None) -> int:
    """1 when no result of the last element is an object with a true ``error`` or with ``success`` false, else 0.

    Args:
        execution_result: ``[inputs, results]`` of a prediction record, or the results.
        compat: ``"upstream"`` lets the release's crash through.

    Returns:
        0 when there is nothing at all; results that are no objects, and steps that never ran, pass.

    Raises:
        UndefinedMeasureError: The results are no object.
        AttributeError: The same under ``compat="upstream"``.
    """
    if not execution_result:
        return 0
    last = execution_result[-1] if isinstance(execution_result, list) else execution_result
    values: list[Any] = _or_declared(lambda: [value for _, value in last.items()], "the success of a plan", compat)
    failed = any(
        isinstance(value, dict) and (value.get("error") or _is_false(value.get("success"))) for value in values
    )
    return int(not failed)


def _is_false(value: Any) -> bool:
    """Whether a flag is false or 0; a missing one is neither."""
    return isinstance(value, bool | int | float) and not value


def _or_declared(measure: Callable[[], Value], what: str, compat: str | None) -> Value:
    """The value of a measure; where the release crashes, a declared error or, under ``"upstream"``, that crash."""
    try:
        return measure()
    except _CRASHES as error:
        if compat == "upstream":
            raise
        raise UndefinedMeasureError(
            f"{what} was asked for, but {type(error).__name__}: {error}",
            "a plan is a list of objects with name, rely, order and params, results are an object, an answer is a text",
            "read the plan with scholar_env.episode.aise.plan.read_plan, or mend the record",
        ) from error
