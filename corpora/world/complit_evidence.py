"""Finds what supports a worded claim in a paper, and rejects a wording that says more than its level allows.

Paraphrased and inferred claims share no content word with the sentences that support them, names and titles left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from scholar_env.construction.records import Evidence, Passage

from .complit_classes import BY_NAME
from .complit_options import EXPLICIT, LEVEL_OF_BIT, PARAPHRASED, Option, Options
from .complit_reading import Readings
from .complit_wording import Worded
from .facts import Facts
from .morphology import content_stems
from .predicates import CONCEPTS
from .render.words import FUNCTION

BIT_OF_LEVEL = {level: bit for bit, level in LEVEL_OF_BIT.items()}
FIELDS = {
    "filed": "categories", "listed": "categories", "author": "authors", "authors": "authors", "coauthor": "authors",
}  # fmt: skip
"""Fields of the record behind claims; the others rest on the date."""


class Support:
    """Finds the evidence of claims.

    Args:
        facts: The facts.
        readings: The texts.
        options: Which figure shows what.
    """

    def __init__(self, facts: Facts, readings: Readings, options: Options) -> None:
        self._facts, self._readings, self._options = facts, readings, options
        self._codes = readings.shared.fact_codes

    def of(self, row: int, option: Option, worded: Worded) -> Evidence | None:
        """What supports an option of a paper as it is worded; None where the wording does not suit its level.

        Args:
            row: The paper.
            option: One of its options.
            worded: Its words.
        """
        kind, _ = option.claim
        if option.source == "metadata" or option.family in ("dated", "coauthor"):
            field = FIELDS.get(kind, "date")
            return Evidence(
                "record" if option.source == "metadata" else "comparison", (), 0, field, self._other(option)
            )
        if option.family in CONCEPTS:
            return self._concept(row, option, worded)
        passages, figure = self._passages(row, option)
        if not passages or (option.level != EXPLICIT and shares_words(worded.bare, passages)):
            return None
        if option.family == "relation":
            return Evidence("comparison", passages, figure, "", self._other(option))
        return Evidence("figure" if figure else "text", passages, figure)

    def denial(self, row: int, attribute: str) -> tuple[Passage, ...]:
        """What a paper says of an attribute; empty where it is silent."""
        return tuple(self._readings.of(row).passages(self._codes[attribute]))

    def in_lead(self, row: int, attribute: str) -> bool:
        """Whether title or abstract tell an attribute."""
        return self._readings.of(row).in_lead(self._codes[attribute])

    def level(self, row: int, attribute: str) -> str:
        """The plainest level at which a paper states an attribute, "" where it is silent."""
        said = self._readings.of(row).levels(self._codes[attribute])
        return next((level for bit, level in LEVEL_OF_BIT.items() if bit in said), "")

    def shown(self, row: int, figure: int) -> tuple[Passage, ...]:
        """The sentence on a figure, and its caption with the values."""
        reading = self._readings.of(row)
        return (*reading.passages(self._codes[f"figure{figure - 1}"])[:1], *reading.exhibit(figure))

    def _concept(self, row: int, option: Option, worded: Worded) -> Evidence | None:
        reading = self._readings.of(row)
        passages = reading.passages(CONCEPTS.index(option.family))
        assert option.surface is not None
        if option.level == EXPLICIT:
            wanted = option.surface.text.lower()
            found = [passage for passage in passages if wanted in passage.text.lower()]
        else:
            shared = self._readings.shared
            words = shared.words[shared.subfield[row]]
            surfaces = words.concepts[shared.concepts[row][CONCEPTS.index(option.family)]].surfaces
            names = [surface.text.lower() for level, own in surfaces.items() if level != FUNCTION for surface in own]
            naming = (entry for entry in passages if any(name in entry.text.lower() for name in names))
            found = list(islice((entry for entry in naming if not shares_words(worded.bare, [entry])), 1))
        return Evidence("text", tuple(found[:1])) if found else None

    def _passages(self, row: int, option: Option) -> tuple[tuple[Passage, ...], int]:
        """The sentences behind an option, and the number of the figure, 0 for none."""
        reading, kind = self._readings.of(row), option.claim.kind
        if option.family == "noun":
            return tuple(self._readings.noun_passages(row, option.claim.values[0]))[:1], 0
        if option.family == "attribute":
            return distinct(reading.passages(self._codes[kind], BIT_OF_LEVEL[option.level])), 0
        by = BY_NAME[kind].by if option.family == "relation" else kind
        figure = option.figure or self._options.figure_of(row, by)
        if figure:
            return self.shown(row, figure), figure
        if by in ("dataset", "baseline"):
            shared = self._readings.shared
            name = shared.dataset_name(row) if by == "dataset" else shared.rival_name(row)
            return tuple(entry for entry in reading.passages(self._codes[by]) if name in entry.text)[:1], 0
        for bit in LEVEL_OF_BIT:
            found = reading.passages(self._codes[by], bit)
            if found:
                return distinct(found), 0
        return (), 0

    def _other(self, option: Option) -> str:
        return self._facts.ids[option.claim.values[0]] if option.claim.kind in BY_NAME else ""


def supported_level(option: Option, worded: Worded, evidence: Evidence) -> str:
    """The level at which evidence supports an option as it is worded; "" for metadata.

    What a text states plainly, but in no content word of the claim, is paraphrased.
    """
    if option.level == EXPLICIT and not shares_words(worded.text, evidence.passages):
        return PARAPHRASED
    return option.level


def distinct(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages, each once, in order."""
    return tuple(dict.fromkeys(passages))


def shares_words(claim: str, passages: Iterable[Passage]) -> bool:
    """Whether a claim has a content word, or a number, in common with one of some passages."""
    stems = stems_of(claim)
    return any(not stems.isdisjoint(stems_of(passage.text)) for passage in passages)


@lru_cache(maxsize=1 << 14)
def stems_of(text: str) -> frozenset[str]:
    """Stems of the content words of a text."""
    return frozenset(content_stems(text))
