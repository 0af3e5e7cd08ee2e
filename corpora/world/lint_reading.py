"""Faults that a reader sees in a text, whatever it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from .morphology import wants_an

MAX_CLAUSE = 45
PREPOSITIONS = set(
    re.findall(
        r"\S+",
        """
    in on at under over during with without for from by of to between among across within through against
    """,
    )
)
ALLOWED_PAIRS = {
    ("from", "within"),
    ("from", "under"),
    ("in", "between"),
    ("from", "among"),
    ("from", "between"),
    ("to", "within"),
    ("but", "in"),
    ("by", "with"),
    ("for", "with"),
    ("of", "at"),  # of at most
    ("in", "for"),  # stand in for
}
ARTICLE = re.compile(r"\b(an?) (\S+)", re.IGNORECASE)


def text_faults(text: str) -> Iterator[tuple[str, str]]:
    """Faults that a reader would see in a filled clause."""
    for article, following in ARTICLE.findall(text):
        if wants_an(following) != (article.lower() == "an"):
            yield "article", f"'{article} {following}'"
    tokens = re.findall(r"[^\s,;:]+|[,;:]", text)
    lowered = [token.lower() for token in tokens]
    for first, second in pairwise(lowered):
        if first == second and first.isalpha() and first not in ("that", "had"):
            yield "doubled-word", f"'{first} {second}'"
        if first in ("the", "a", "an") and second in ("the", "a", "an", "this", "these"):
            yield "article", f"'{first} {second}'"
        if first in PREPOSITIONS and second in PREPOSITIONS and (first, second) not in ALLOWED_PAIRS:
            yield "preposition", f"'{first} {second}'"
    if re.search(r"\s[,;.]|[{}\[\]<>|]|//|,,", text):
        yield "punctuation", "a stray sign"
    if len(text.split()) > MAX_CLAUSE:
        yield "too-long", f"{len(text.split())} words, at most {MAX_CLAUSE} allowed,"
