"""How one paper names its problem, its method and its object, and how it has named them so far."""

from __future__ import annotations

from collections.abc import Collection

from .casting import CONCEPT_ROLES
from .clause import STRIDE, Clause
from .shared import Shared
from .words import FUNCTION, NAME, PARAPHRASE, Surface, Words

GLOSSED = 32
"""One paper in GLOSSED glosses its problem by a functional description, one its method, one its object."""

RECENT = 3
"""So many sentences later a concept may still be called "the model"."""

AGAIN = 38
"""Percent of the mentions of a concept soon after another one that say "the model"."""

OBJECT = 2
OF_DATA, PLAIN_OBJECT = 12, 28
"""Percent of an abstract's later mentions of the object that say "the drops of Orvane", and with "the drops"."""

LONG_AGO = -9


class Concepts:
    """The wordings of a paper's concepts: 0 is the problem, 1 the method, 2 the object.

    Args:
        words: The words of its subfield.
        triple: The concepts.
        surfaces: The wording that the paper prefers for each.
        draw: A 32-bit draw that decides whether it glosses one.

    Attributes:
        strict: The abstract is being written.
        data: The name of the paper's data once it has been said, else "".
        with_data: The last clause has named the object by that of the data.
    """

    def __init__(self, words: Words, triple: tuple[int, int, int], surfaces: list[Surface], draw: int) -> None:
        self.surfaces = surfaces
        self.plain_texts = {role: surface.text for role, surface in zip(CONCEPT_ROLES, surfaces, strict=True)}
        self.plain_plurals = {role: surface.plural for role, surface in zip(CONCEPT_ROLES, surfaces, strict=True)}
        self.words = [words.concepts[concept] for concept in triple]
        self.strict = True
        self.data = ""
        self.with_data = False
        self._mentions = [0, 0, 0]
        self._levels = [0, 0, 0]
        self._glossed = draw * GLOSSED >> 32
        self._short_given = [False, False, False]
        self._said_at = [LONG_AGO, LONG_AGO, LONG_AGO]

    def new_section(self) -> None:
        """Forget what was just named: a section speaks of it in full again."""
        self._said_at = [LONG_AGO, LONG_AGO, LONG_AGO]

    def word(self, place: int, sentence: int, clause: Clause, roles: Collection[str] = ()) -> Surface:
        """Word a concept for a clause: first as the paper prefers, later in another way or by a class noun.

        Args:
            place: Which concept.
            sentence: Number of the sentence.
            clause: The clause.
            roles: Roles that it mentions.
        """
        surface = self._worded(place, sentence, clause, roles)
        self._levels[place] = surface.level
        return surface

    def _worded(self, place: int, sentence: int, clause: Clause, roles: Collection[str]) -> Surface:
        words = self.words[place]
        surface = self.surfaces[place]
        if self._mentions[place] == 0:
            if place == self._glossed:
                options = words.surfaces[FUNCTION]
                gloss = options[clause.pick(len(options))]
                return Surface(f"{surface.text} (that is, {gloss.text})", surface.plural, surface.level)
            if words.short and surface.level == NAME:
                return Surface(f"{surface.text} ({words.short})", surface.plural, NAME)
            return surface
        draw = clause.pick(100)
        again = AGAIN
        if place == OBJECT and self.strict:
            if draw < OF_DATA and self.data and "dataset" not in roles:
                self.with_data = True
                return Surface(f"{words.later.text} of {self.data}", words.later.plural, 0)
            again = PLAIN_OBJECT
        if draw < again and sentence - self._said_at[place] <= RECENT:
            return words.later
        if draw < 84 and words.short and self._short_given[place]:
            return words.brief
        if draw < 98:
            return surface
        options = words.surfaces[NAME if draw < 99 else PARAPHRASE]
        return options[draw % len(options)]

    def state(self, roles: Collection[str], sentence: int) -> list[tuple[int, int]]:
        """Note which concepts a clause has named, as they were last worded; return the facts that this states."""
        stated = []
        for place, role in enumerate(CONCEPT_ROLES):
            if role not in roles:
                continue
            level, count = self._levels[place], self._mentions[place]
            if level:
                stated.append((place, level))
                if count == 0:
                    if place == self._glossed:
                        stated.append((place, FUNCTION))
                    if level == NAME:
                        self._short_given[place] = True
                self._said_at[place] = sentence
            self._mentions[place] = count + 1
        return stated


def preferred(shared: Shared, row: int, words: Words, clause: Clause) -> list[Surface]:
    """The wording that a paper prefers for each concept: mostly that of its line of work."""
    chosen = []
    for place, concept in enumerate(shared.concepts[row]):
        clause.at = STRIDE - 8 + 2 * place
        key = shared.line_draw(row, place) if clause.pick(100) < 28 else clause.pick(1 << 16)
        options = words.concepts[concept].surfaces[NAME if key % 100 < 38 else PARAPHRASE]
        chosen.append(options[key // 100 % len(options)])
    return chosen
