"""Purposes for which people search the literature, and the choice of those that one paper can serve.

Sixteen purposes are common. Of these, five ask for many papers, or for people: a query with one right answer would not
be asked for them, so eleven are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Intent:
    """A purpose.

    Attributes:
        id: Its name.
        purpose: What somebody wants, as the subject of a sentence.
        wants: How many papers serve it: ``one`` or ``many``.
    """

    id: str
    purpose: str
    wants: str


SEARCH_PURPOSES: Final = (
    Intent("relocate", "finding a paper again that is half remembered", "one"),
    Intent("reviewer", "answering a referee who points to earlier work", "one"),
    Intent("novelty", "checking whether an idea has been carried out", "one"),
    Intent("replicate", "repeating a published result", "one"),
    Intent("baseline", "comparing with a competitor", "one"),
    Intent("transfer", "borrowing an approach for another problem", "one"),
    Intent("claim", "checking what stands behind a statement", "one"),
    Intent("teach", "showing an example to students", "one"),
    Intent("design", "following a precedent for a study", "one"),
    Intent("dispute", "settling a disagreement", "one"),
    Intent("grant", "supporting a proposal with a predecessor", "one"),
    Intent("overview", "getting to know a field", "many"),
    Intent("review", "collecting all that fits criteria", "many"),
    Intent("alert", "keeping up with what is new", "many"),
    Intent("trend", "following how a field has moved", "many"),
    Intent("experts", "finding people to ask", "many"),
)
"""The purposes that are considered."""


def kept_intents() -> tuple[Intent, ...]:
    """The purposes that one paper can serve."""
    return tuple(intent for intent in SEARCH_PURPOSES if intent.wants == "one")


INTENT_IDS: Final = tuple(intent.id for intent in kept_intents())
