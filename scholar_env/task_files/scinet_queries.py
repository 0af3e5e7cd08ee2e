"""The wording of SciNetBench's queries: five questions, read from their text and written from their parts.

The release's own scripts take the title up to the first quotation mark behind it; here a title ends at the last one, so
that titles with quotation marks of their own come out whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scholar_env.errors import InvalidOptionError

NOVELTY, DISRUPTION, SENTIMENT, COMENTION, PATH = "novelty", "disruption", "sentiment", "comention", "path"
KINDS = (NOVELTY, DISRUPTION, SENTIMENT, COMENTION, PATH)
"""The five questions."""

ADJECTIVES = {"novel": NOVELTY, "disruptive": DISRUPTION}

_EGO = re.compile(r"What are the top (\d+) most (disruptive|novel) papers in the field of (.+)\?", re.DOTALL)
_COMENTION = re.compile(
    r'Which papers co-occur with the paper titled "(.*)" in citation contexts and are similar\?', re.DOTALL
)
_SENTIMENT = re.compile(r'Which papers positively cite the paper titled "(.*)"\?', re.DOTALL)
_PATH = re.compile(
    r'What is the most influential citation path from "(.*)" to "(.*)" in the field of (.+)\?', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Query:
    """The parts of a query.

    Attributes:
        kind: One of :data:`KINDS`.
        titles: Titles that it names: the seed's, or those of both ends of a path; none for novelty and disruption.
        field: Field that it names, "" for pairs.
        asked_k: Papers that it asks for, 0 where it does not say.
    """

    kind: str
    titles: tuple[str, ...] = ()
    field: str = ""
    asked_k: int = 0

    @property
    def text(self) -> str:
        """The query as the release words it."""
        if self.kind in (NOVELTY, DISRUPTION):
            adjective = next(word for word, kind in ADJECTIVES.items() if kind == self.kind)
            return f"What are the top {self.asked_k} most {adjective} papers in the field of {self.field}?"
        if self.kind == SENTIMENT:
            return f'Which papers positively cite the paper titled "{self.titles[0]}"?'
        if self.kind == COMENTION:
            return (
                f'Which papers co-occur with the paper titled "{self.titles[0]}" in citation contexts and are similar?'
            )
        start, end = self.titles
        return f'What is the most influential citation path from "{start}" to "{end}" in the field of {self.field}?'


def parse_query(text: str) -> Query:
    """Reads a query.

    Raises:
        InvalidOptionError: It is worded in no known way.
    """
    if match := _EGO.fullmatch(text):
        return Query(ADJECTIVES[match[2]], (), match[3], int(match[1]))
    if match := _COMENTION.fullmatch(text):
        return Query(COMENTION, (match[1],))
    if match := _SENTIMENT.fullmatch(text):
        return Query(SENTIMENT, (match[1],))
    if match := _PATH.fullmatch(text):
        return Query(PATH, (match[1], match[2]), match[3])
    raise InvalidOptionError(
        f"the query {text!r:.200}",
        "it asks for the top novel or disruptive papers of a field, for papers that positively cite or co-occur with a "
        "titled paper, or for the most influential citation path between two titled papers",
        "word it as the release does, or leave it out",
    )
