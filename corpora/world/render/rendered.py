"""What the renderer returns for a paper."""

from __future__ import annotations

from collections.abc import Sequence
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


class Span(NamedTuple):
    """A sentence that states facts.

    Attributes:
        place, start, end: See `Statement`.
        facts: (fact, level) pairs.
    """

    place: int
    start: int
    end: int
    facts: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A paper's text, and the sentences that state its facts."""

    title: str
    abstract: str
    sections: tuple[Section, ...]
    spans: tuple[Span, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the text says, fact by fact."""
        return tuple(
            Statement(fact, level, place, start, end)
            for place, start, end, facts in self.spans
            for fact, level in facts
        )

    def text_of(self, place: int) -> str:
        """The text of a place."""
        if place >= BODY:
            return self.sections[place - BODY].text
        return self.abstract if place == ABSTRACT else self.title
