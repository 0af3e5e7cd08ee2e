"""What each paper offers for queries: who may be a target, whom it may be compared with, its options by slot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from scholar_env.metrics.complit import title_norm

from .complit_columns import Columns
from .complit_mix import KIN, Slot
from .complit_options import Option, Options
from .complit_reading import Readings
from .draws import Draw
from .facts import CAST
from .streams import Blocks
from .world import World

OTHERS, NEAR = 4, 3
"""Papers that a target may be compared with, and how many of them are on the same problem."""


@dataclass(frozen=True)
class Offer:
    """What a paper offers.

    Attributes:
        row: The paper.
        slots: Its options by family and level.
        kin: Its options by kin, see `complit_mix.KIN`.
        unsaid: Attributes that its text leaves open.
        hints: Numbers of nouns that tell its surroundings.
    """

    row: int
    slots: dict[Slot, tuple[Option, ...]]
    kin: dict[str, tuple[Option, ...]]
    unsaid: tuple[str, ...]
    hints: tuple[int, ...]


class Offers:
    """The offers of a world's papers, each worked out once.

    Args:
        world: The world.
        columns: Its claims.
        readings: Its texts.
        options: What can be asked.
        hint_holders: Least and most papers of a subfield that hold a noun that may serve as a hint.

    Attributes:
        eligible: Rows that may be targets, in order: no surveys, no copies, dated, with a title of their own.
    """

    def __init__(
        self, world: World, columns: Columns, readings: Readings, options: Options, hint_holders: tuple[int, int]
    ) -> None:
        facts = world.facts
        self._facts, self._columns, self._options = facts, columns, options
        self._hint_holders = hint_holders
        self._lead = world.statements.lead
        self._codes = [world.statements.column(part) for part in CAST]
        titles = [title_norm(readings.shared.title_of(row)) for row in range(len(facts.line))]
        shared = Counter(titles)
        alone = np.array([shared[title] == 1 and bool(title) for title in titles])
        copied = np.zeros(len(titles), dtype=np.bool_)
        copied[facts.copy_of[facts.copy_of >= 0]] = True
        self._named = alone & ~facts.survey & (facts.copy_of < 0) & ~copied
        self.eligible: list[int] = np.flatnonzero(self._named & (facts.day >= 0) & ~facts.digits).tolist()
        self._draws = Blocks(world.spec.seed, "complit-others")
        self._peers = [np.flatnonzero(self._named & (facts.subfield == at)) for at in range(len(facts.subfields))]
        self._holders = [
            Counter(columns.terms.nouns[facts.subfield == at].ravel().tolist()) for at in range(len(facts.subfields))
        ]
        self._found: dict[int, Offer] = {}

    def of(self, row: int) -> Offer:
        """The offer of a paper."""
        found = self._found.get(row)
        if found is None:
            slots: dict[Slot, list[Option]] = {}
            kin: dict[str, list[Option]] = {}
            for option in self._options.of(row, self._others(row)):
                if option.papers.bit_count() == 1:
                    continue  # what a single fact decides is no search
                slots.setdefault((option.family, option.level), []).append(option)
                kin.setdefault(KIN.get(option.family, option.family), []).append(option)
            found = self._found[row] = Offer(
                row,
                {slot: tuple(own) for slot, own in slots.items()},
                {name: tuple(own) for name, own in kin.items()},
                tuple(name for name in self._options.unsaid(row) if name != "size"),
                self._hints(row),
            )
        return found

    def _others(self, row: int) -> tuple[int, ...]:
        """Papers of the same subfield, some of them on the same problem, where there are such papers."""
        draw = Draw(self._draws.raw(row, 64))
        facts = self._facts
        peers = self._peers[int(facts.subfield[row])]
        peers = peers[facts.line[peers] != facts.line[row]]
        near = peers[facts.problem[peers] == facts.problem[row]]
        drawn: list[int] = []
        for pool, wanted in ((near, NEAR), (peers, OTHERS)):
            if len(pool):
                drawn += [int(pool[draw.below(len(pool))]) for _ in range(wanted)]
        return tuple(dict.fromkeys(drawn))[:OTHERS]

    def _hints(self, row: int) -> tuple[int, ...]:
        """Nouns of the cast that title or abstract mention and that enough papers of the subfield share."""
        low, high = self._hint_holders
        holders = self._holders[int(self._facts.subfield[row])]
        nouns = self._columns.terms.nouns[row].tolist()
        said = [noun for noun, code in zip(nouns, self._codes, strict=True) if noun >= 0 and self._lead[row, code]]
        return tuple(dict.fromkeys(noun for noun in said if low <= holders[noun] <= high))
