"""What one clause is about, and the draws that decide between its wordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .words import Words

TEXT_ROLES = frozenset(
    (
        *("P", "M", "O", "system", "baseline", "dataset", "unit", "units", "cited", "cited2", "field"),
        *("who", "left", "right", "user"),
    )
)
"""Roles that are filled by a text: concepts, and names. All others are filled by nouns."""

STRIDE = 20
"""Draws that one sentence may take before it would run into those of the next."""

SENTENCES = 100
"""Sentences that a paper has draws for."""

NAME_ROLES = frozenset(("system", "baseline", "who", "left", "right", "user"))


class UnfilledError(Exception):
    """A slot for which there is no word."""


@dataclass(slots=True)
class Clause:
    """What one clause is said about, and the draws that decide between wordings.

    Attributes:
        words: The subfield's words.
        triple: Problem, method and object: free nouns go with these.
        nouns: Role -> noun.
        texts: Role -> text, for concepts and names.
        plural: Role -> agreement of that text.
        facts: Numbers that may be quoted.
        numbers: Numbers that the clause has drawn, by name.
        down: 0 where the proposition's direction is up, else 1.
        draws: 32-bit integers; `at` is the next one.
        silent: Roles that adjuncts pass over.
        said: Roles that the text has mentioned where a choice or an adjunct could have left them out.
        described: The role that gets an adjective at its first mention, "" for none.
        adjective: That adjective.
    """

    words: Words
    draws: Sequence[int]
    at: int = 0
    nouns: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    plural: dict[str, bool] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    down: int = 0
    silent: frozenset[str] = frozenset()
    said: set[str] = field(default_factory=set)
    triple: tuple[int, int, int] = (0, 0, 0)
    described: str = ""
    adjective: str = ""

    def pick(self, count: int) -> int:
        """Draw an integer from 0 to count - 1."""
        value = self.draws[self.at] * count >> 32
        self.at += 1
        return value


Slot = Callable[[Clause], str]
"""The text of one slot of a template."""

Parts = tuple[str, tuple[Slot, ...]]
"""A compiled template: a format string and what fills its places, from left to right."""


def join(parts: Parts, clause: Clause) -> str:
    """Fill a compiled template."""
    form, slots = parts
    match len(slots):  # a list is made for long ones only: most have one or two
        case 0:
            return form % ()
        case 1:
            return form % slots[0](clause)
        case 2:
            one, two = slots
            return form % (one(clause), two(clause))
        case 3:
            one, two, three = slots
            return form % (one(clause), two(clause), three(clause))
        case _:
            return form % tuple([slot(clause) for slot in slots])
