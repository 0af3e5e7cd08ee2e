"""Reading the rating out of a judge's reply: an object with a ``rating`` in [0, 1], somewhere in the text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
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


def read_rating(text: str) -> tuple[float | None, str]:
    """The rating of a judge's reply.

    Returns:
        The rating clamped to [0, 1], and the reason that the reply gives; None for the rating when the reply has no
        readable one.
    """
    part = extract_rating_json(text)
    if part is None:
        return None, ""
    try:
        content = json.loads(part)
    except (ValueError, RecursionError):
        return None, ""
    holder = _with_rating(content)
    rating = _number(holder.get("rating")) if holder else None
    reason = str(holder.get("reason", "")) if holder else ""
    return (None if rating is None else min(max(rating, 0.0), 1.0)), reason


def _with_rating(content: Any) -> Mapping[str, Any] | None:
    """The object that has the rating: the content itself, or one of its values."""
    if not isinstance(content, Mapping):
        return None
    if "rating" in content:
        return content
    return next((value for value in content.values() if isinstance(value, Mapping) and "rating" in value), None)


def _number(value: Any) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
