"""Chooses a frame for a proposition and fills it: one finite clause, cut where a sentence may join it with another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .clause import Clause, UnfilledError, join
from .shapes import Shape

COND = frozenset(("cond",))

TRIES = 4
"""Frames that are drawn for a clause; the first that fits is taken, unless something is still to be named."""


@dataclass(slots=True)
class Said:
    """A filled clause, cut where a sentence may join it with another one.

    Attributes:
        shape: The frame.
        subject: Its subject.
        predicate: Its predicate.
        front: The condition that stands before the subject, "" for none.
        nouns: Role -> noun of all that the clause could name.
        roles: All roles that it names.
    """

    shape: Shape
    subject: str
    predicate: str
    front: str
    nouns: dict[str, int]
    roles: frozenset[str]

    @property
    def finite(self) -> str:
        """The whole clause."""
        if self.front:
            return f"{self.front}, {self.subject} {self.predicate}"
        return f"{self.subject} {self.predicate}"


def fits(shape: Shape, clause: Clause) -> bool:
    """Tell whether a frame can be filled with what a clause is about."""
    nouns = clause.nouns
    for role in shape.needs:
        if role not in nouns:
            return False
    for role, types in shape.narrows:
        noun = nouns.get(role)
        if noun is None or clause.words.kinds[noun].isdisjoint(types):
            return False
    for fact in shape.facts:
        if fact not in clause.facts:
            return False
    return not shape.texts or all(role in clause.texts for role in shape.texts)


def choose(pool: Sequence[Shape], clause: Clause, used: set[Shape], missing: int = 0) -> Shape | None:
    """Draw a frame that fits and that the paper has not used; among a few, the one that names most of what is missing.

    Args:
        pool: Frames of the proposition.
        clause: What is said.
        used: Frames that the paper has used.
        missing: Bits of NAMED that are still to be said.
    """
    best: Shape | None = None
    best_count = -1
    count = len(pool)
    if not count:
        return None
    draws, at = clause.draws, clause.at
    for place in range(at, at + TRIES):
        clause.at = place + 1
        shape = pool[draws[place] * count >> 32]
        if shape in used or shape is best or not fits(shape, clause):
            continue
        if not missing:
            return shape
        gained = (shape.named & missing).bit_count()
        if gained > best_count:
            best, best_count = shape, gained
        if gained == missing.bit_count():
            break
    return best


def fill(shape: Shape, clause: Clause, *, front: bool = False) -> Said | None:
    """Fill a frame; None where a slot finds no word after all.

    Args:
        shape: The frame.
        clause: What is said.
        front: Put the condition first where the frame allows it.
    """
    said = clause.said
    said.clear()
    adjective = clause.adjective if clause.described else ""
    condition, roles = "", shape.always
    try:
        if front and shape.front is not None and "cond" in clause.nouns and "cond" not in clause.silent:
            condition = join(shape.front, clause)
            subject = join(shape.subject, clause)
            predicate = join(shape.body, clause)
            roles |= COND
        else:
            subject = join(shape.subject, clause)
            predicate = join(shape.predicate, clause)
    except UnfilledError:
        return None
    if adjective:
        twice, once = f"{adjective} {adjective} ", f"{adjective} "
        subject, predicate = subject.replace(twice, once), predicate.replace(twice, once)
    return Said(shape, subject, predicate, condition, clause.nouns, roles | said if said else roles)


def plain(text: str) -> str:
    """Close the gaps that dropped adjuncts leave."""
    if "  " in text:
        text = " ".join(text.split())
    text = text.strip()
    if " ," in text:
        text = text.replace(" ,", ",")
    return text.replace(" ;", ";") if " ;" in text else text
