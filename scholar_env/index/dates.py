"""Months as integers: what a frozen index compares instead of date strings.

A date counts as its first seven characters, compared as text. For the forms that a corpus stores (``YYYY``,
``YYYY-MM``, ``YYYY-MM-DD``) that order is the order of the integers ``yyyymm``, with ``mm`` = 00 where only the year
is known.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scholar_env.errors import CorpusFormatError

UNDATED = 999_999
"""Month of a document without a date: later than every bound of a filter."""

NO_BOUND = UNDATED
"""Bound that admits every document, undated ones too."""

_form = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-[0-9]{2}.*)?)?", re.DOTALL)


def month_of(date: str) -> int:
    """Returns the month ``yyyymm`` of a document's date, or :data:`UNDATED` for ``""``.

    Raises:
        CorpusFormatError: The date has another form, so that its text order is not the order of months.
    """
    if not date:
        return UNDATED
    match = _form.fullmatch(date)
    if match is None or (month := int(match[1]) * 100 + int(match[2] or 0)) == UNDATED:
        raise CorpusFormatError(
            f"the date {date!r} of a document cannot be ordered",
            "a date is YYYY-MM-DD, YYYY-MM, YYYY or empty",
            "correct the date or leave it empty",
        )
    return month


@lru_cache(maxsize=4096)
def month_bound(before: str | None) -> int:
    """Returns the newest admissible month of a filter: a document passes when its month is at most the bound.

    Any text is a valid bound, compared as text with the months: ``""`` (bound -1) admits nothing, and text behind every
    date admits all dated documents.

    Args:
        before: ``YYYY-MM`` (longer text is cut to seven characters), or None for no filter (:data:`NO_BOUND`).
    """
    if before is None:
        return NO_BOUND
    text = before[:7]
    match = _form.fullmatch(text)
    if match is not None:
        return min(int(match[1]) * 100 + int(match[2] or 0), UNDATED - 1)
    low, high = -1, UNDATED - 1  # the greatest month whose text is not behind the bound
    while low < high:
        middle = (low + high + 1) // 2
        if _text_of(middle) <= text:
            low = middle
        else:
            high = middle - 1
    return low


def _text_of(month: int) -> str:
    year, number = divmod(month, 100)
    return f"{year:04d}-{number:02d}" if number else f"{year:04d}"
