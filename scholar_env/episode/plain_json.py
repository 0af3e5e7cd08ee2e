"""Plain JSON out of whatever arrives: copied and counted, with no code of the value's own run on the way."""

from __future__ import annotations

import json
import math
from typing import Any

MAX_DEPTH = 32
MAX_VALUES = 20_000
INTEGER_BOUND = 2**63


class NotJsonError(ValueError):
    """A value is not plain JSON; the message says why."""


def clip(text: str, limit: int = 80) -> str:
    """Shortens text for a message, and replaces what UTF-8 cannot carry."""
    if not text.isascii():  # escapes make a text longer, so they come first: what was clipped once stays as it is
        text = text[: limit + 1].encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def plain(value: object, *, max_values: int = MAX_VALUES) -> Any:
    """Copies a value that is plain JSON.

    Tuples count as lists. Refused are: other types (bytes, NumPy scalars, sets, …), keys that are not strings, NaN and
    infinities, integers beyond 64 bits, strings with lone surrogates, nesting deeper than 32 and more than
    ``max_values`` values in all.

    Raises:
        NotJsonError: The value is none of these; the message names the offending part.
    """
    return _plain(value, MAX_DEPTH, [max_values, max_values])


def _plain(value: object, depth: int, left: list[int]) -> Any:
    kind = type(value)
    if kind is str:
        return valid_text(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return _integer(value)
    if kind is float:
        return _number(value)
    if depth == 0:
        raise NotJsonError(f"values nested deeper than {MAX_DEPTH} levels")
    if issubclass(kind, dict):
        return {valid_key(key): _plain(item, depth - 1, left) for key, item in _counted_items(value, left)}
    if issubclass(kind, list):
        return [_plain(item, depth - 1, left) for item in _counted(list.__iter__, value, left)]
    if issubclass(kind, tuple):
        return [_plain(item, depth - 1, left) for item in _counted(tuple.__iter__, value, left)]
    raise NotJsonError(f"a value of type {type_name(value)}")


def type_name(value: object) -> str:
    """The name of a value's type, read past a metaclass that would answer for itself."""
    return clip(str(type.__dict__["__name__"].__get__(type(value))))


def _counted_items(value: Any, left: list[int]) -> Any:
    _count(dict.__len__(value), left)
    return dict.items(value)


def _counted(iterate: Any, value: Any, left: list[int]) -> Any:
    _count(tuple.__len__(value) if issubclass(type(value), tuple) else list.__len__(value), left)
    return iterate(value)


def _count(size: int, left: list[int]) -> None:
    left[0] -= size
    if left[0] < 0:
        raise NotJsonError(f"more than {left[1]} values")


def valid_text(value: Any) -> str:
    """A string as such, refused where no UTF-8 text can hold it."""
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise NotJsonError("a string with a lone surrogate, which no UTF-8 text can hold") from None
    return str(value)


def valid_key(key: object) -> str:
    """A key of an object: a string, and a valid one."""
    if type(key) is not str:
        raise NotJsonError(f"a key of type {type_name(key)}")
    return valid_text(key)


def _integer(value: Any) -> int:
    if -INTEGER_BOUND <= value < INTEGER_BOUND:
        return int(value)
    raise NotJsonError("an integer beyond 64 bits")


def _number(value: Any) -> float:
    if math.isfinite(value):
        return float(value)
    raise NotJsonError("a number that is NaN or infinite")


def loads(text: str) -> Any:
    """Reads strict JSON text into plain values.

    Raises:
        NotJsonError: The text is no JSON, or its value is not plain (see :func:`plain`).
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except NotJsonError:
        raise
    except RecursionError:
        raise NotJsonError(f"values nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as problem:
        raise NotJsonError(f"text that is not JSON ({clip(str(problem))})") from None
    return plain(value)


def _refuse_constant(name: str) -> float:
    """NaN, Infinity and -Infinity are no JSON, though Python's reader takes them."""
    return _number(float(name))
