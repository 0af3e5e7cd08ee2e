"""What the renderer returns for a paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scholar_env.records import Section

TITLE, ABSTRACT, BODY = 0, 1, 2
"""Places; section n of the full text is place BODY + n."""


class Statement(NamedTuple):
    """One fact, as a text states it.

    Attributes:
        fact: Code of the fact (`Shared.fact_codes`).
        level: 1 name or explicit, 2 paraphrased, 3 functional description, or evidence whose halves stand apart.
        place: TITLE, ABSTRACT, or BODY + number of the section.
        start, end: Where the sentence lies in the text of that place.
    """

    fact: int
    level: int
    place: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rendered:
    """A paper's text and what it says."""

    title: str
    abstract: str
    sections: tuple[Section, ...]
    statements: tuple[Statement, ...]

    def text_of(self, place: int) -> str:
        """The text of a place."""
        if place >= BODY:
            return self.sections[place - BODY].text
        return self.abstract if place == ABSTRACT else self.title
