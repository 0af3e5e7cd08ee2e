"""Fields of rows that come from outside: read with their types checked, refused with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from scholar_env.corpus_build import DATE_PATTERN


class RowError(ValueError):
    """A row cannot be used; the message is the reason."""


def text_field(record: dict[str, Any], field: str) -> str:
    """The text of a field, "" where it is missing or null.

    Raises:
        RowError: It is no text.
    """
    value = record.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RowError(f"{field} is {shown(value)} instead of text")
    return value


def texts_of(field: str, value: Any) -> tuple[str, ...]:
    """The texts of a list without white space at their ends, empty ones left out; () for null.

    Raises:
        RowError: It is no list of texts.
    """
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RowError(f"{field} is {shown(value)} instead of a list of texts")
    return tuple(stripped for item in value if (stripped := item.strip()))


def day_of(value: Any) -> str:
    """A date cut to its day; times after ``T`` or a space are dropped, null is "".

    Raises:
        RowError: It has another form.
    """
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        day = re.split(r"[T ]", value.strip(), maxsplit=1)[0]
        if DATE_PATTERN.fullmatch(day):
            return day
    raise RowError(f"the date {shown(value)} is not YYYY-MM-DD, YYYY-MM or empty")


def refuse_surrogates(texts: Iterable[str]) -> None:
    """Refuses texts that are no valid Unicode.

    Raises:
        RowError: A text holds a lone surrogate.
    """
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise RowError(f"{shown(text)} holds a lone surrogate") from error


def shown(value: Any) -> str:
    """A short form of a value for messages."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
