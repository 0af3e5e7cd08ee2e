"""Arguments that tools of several families share."""

from __future__ import annotations

from datetime import date
from typing import Final

from scholar_env.episode.schema import Argument

MAX_TEXT: Final = 2000
"""Characters of a text to search for."""


def optional_text(name: str, description: str, max_length: int, *, aliases: tuple[str, ...] = ()) -> Argument:
    """An optional text."""
    return Argument(name, "string", description, required=False, default="", max_length=max_length, aliases=aliases)


def is_in_calendar(text: str) -> bool:
    """Whether a month ``YYYY-MM`` or a day ``YYYY-MM-DD`` exists, from the year 1 on."""
    try:
        date.fromisoformat(text if len(text) > len("YYYY-MM") else f"{text}-01")
    except ValueError:
        return False
    return True


K: Final = Argument(
    "k", "integer", "results wanted, at most one page", required=False, minimum=1, aliases=("target_k",)
)
TEXT: Final = Argument("text", "string", "words to search for", min_length=1, max_length=MAX_TEXT)
PAPER: Final = Argument("paper", "string", "paper id as shown in the results", min_length=1, max_length=200)
BEFORE: Final = Argument(
    "before", "string", "newest month YYYY-MM, a day YYYY-MM-DD counts as its month; can only tighten the task's bound",
    required=False, default="", pattern="[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?", holds=is_in_calendar,
    pattern_hint="a month as YYYY-MM or a day as YYYY-MM-DD that exists, such as 2020-02",
)  # fmt: skip
OFFSET: Final = Argument("offset", "integer", "results to skip", required=False, default=0, minimum=0)
READ_ARGUMENTS: Final = (
    PAPER,
    optional_text("section", "title or number of a section", 500),
    Argument("offset", "integer", "characters to skip", required=False, default=0, minimum=0),
)
REASON: Final = optional_text("reason", "why", 2000)
