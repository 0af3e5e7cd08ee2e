"""Reading the rating out of a judge's reply: an object with a ``rating`` in [0, 1], somewhere in the text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_FENCE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)
_MARK = '"rating"'


def extract_rating_json(text: str) -> str | None:
    """The stretch of a reply that holds the rating.

    It is the first fenced object with a ``"rating"``, else the first stretch of balanced braces with one. Braces are
    counted as they stand, inside strings too, as released.

    Returns:
        The text of the object, or None when there is none.
    """
    for match in _FENCE.finditer(text):
        if _MARK in match[1]:
            return match[1]
    return next((part for part in _balanced(text) if _MARK in part), None)


def _balanced(text: str) -> Iterator[str]:
    """Stretches from an opening brace to its closing one, outermost first, left to right."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        if sign == "{":
            if depth == 0:
                start = place
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield text[start : place + 1]


def read_rating(text: str, low: float = 0.0, high: float = 1.0) -> tuple[float | None, str]:
    """The rating of a judge's reply.

    Args:
        text: The reply.
        low: Least rating.
        high: Largest rating.

    Returns:
        The rating clamped to the range, and the reason that the reply gives; None for the rating when the reply has no
        readable one.
    """
    content = _loaded(extract_rating_json(text))
    holder = _with(content, "rating")
    if holder is None:
        return None, ""
    rating = _number(holder["rating"])
    return (None if rating is None else min(max(rating, low), high)), str(holder.get("reason", ""))


def read_label(text: str, labels: Sequence[str]) -> tuple[str, str]:
    """The label of a judge's reply, and its reason.

    The label is the ``label`` of the first fenced or balanced object that has one; case does not matter.

    Returns:
        One of the labels, or ``""`` when the reply has none of them.
    """
    known = {label.casefold(): label for label in labels}
    for part in (*(match[1] for match in _FENCE.finditer(text)), *_balanced(text)):
        holder = _with(_loaded(part), "label")
        label = known.get(str(holder["label"]).strip().casefold()) if holder else None
        if holder and label:
            return label, str(holder.get("reason", ""))
    return "", ""


def _loaded(part: str | None) -> Any:
    try:
        return json.loads(part) if part is not None else None
    except (ValueError, RecursionError):
        return None


def _with(content: Any, key: str) -> Mapping[str, Any] | None:
    """The object that has a key: the content itself, or one of its values."""
    if not isinstance(content, Mapping):
        return None
    if key in content:
        return content
    return next((value for value in content.values() if isinstance(value, Mapping) and key in value), None)


def _number(value: Any) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
