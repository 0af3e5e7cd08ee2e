"""What a clause says of a paper's bibliographic record, and whether it holds: year, categories, authors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_CATEGORY: Final = re.compile(
    r"\b(?:[a-z]{1,8}(?:-[a-z]{2,4})?\.[A-Za-z-]{2,8}|(?:math|quant|nlin|hep|cond|gr)-[a-z]{2,4})\b"
)
_MAIN: Final = re.compile(r"\b(primary|main|first of all|principal)\b")
_YEAR: Final = re.compile(r"(?<!\()\b(?:19|20)\d\d\b")
_NOT_BEFORE: Final = re.compile(r"\b(not yet|no earlier|since)\b|\d{4} (or (later|after)|at the earliest|onwards?)")
_BEFORE: Final = re.compile(r"\b(before|older than|earlier than|predates?|prior to) \d{4}")
_AFTER: Final = re.compile(r"\b(after|later than|newer than|younger than) \d{4}")
_NUMBERS: Final = ("nobody", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PEOPLE: Final = re.compile(rf"\b({'|'.join(_NUMBERS)}|single) (?:people|person|authors?|names?)\b", re.IGNORECASE)
_CALLED: Final = re.compile(
    r"\b(?:a certain|the name of|some(?:body|one) called|written by|authored by) ([A-ZÀ-Þ][\w'’-]+)"
    r"|\blists ([A-ZÀ-Þ][\w'’-]+) as an author"
)


def check_record(text: str, date: str, categories: Sequence[str], authors: Sequence[str]) -> list[bool]:
    """Whether what a clause says of the record holds, as far as it says anything.

    Args:
        text: The clause, without quoted titles.
        date: Date of the paper.
        categories: Its categories, the primary one first.
        authors: Its authors; empty ones are unknown, as empty categories and dates are.
    """
    verdicts = []
    category = _CATEGORY.search(text)
    if category is not None and categories:
        verdicts.append(category[0] == categories[0] if _MAIN.search(text) else category[0] in categories)
    years = _YEAR.findall(text)
    if len(years) == 1 and date and category is None:
        verdicts.append(_fits(text, int(years[0]), int(date[:4])))
    people = _PEOPLE.search(text)
    if people is not None and authors:
        wanted = 1 if people[1].lower() == "single" else _NUMBERS.index(people[1].lower())
        verdicts.append(len(authors) == wanted)
    called = _CALLED.search(text)
    if called is not None and people is None and authors:
        verdicts.append(any((called[1] or called[2]) in author.split() for author in authors))
    return verdicts


def _fits(text: str, year: int, own: int) -> bool:
    if _NOT_BEFORE.search(text):
        return own >= year
    if _BEFORE.search(text):
        return own < year
    return own > year if _AFTER.search(text) else own == year
