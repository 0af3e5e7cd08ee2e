"""Assembles the fixed sets of queries: which papers they share, and which plans they have in common.

Each Unmet query has the kinds of constraints and the frame of a Standard one, so that a text tells nothing of whether a
paper satisfies it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scholar_env.construction.records import Turn
from scholar_env.errors import InvalidOptionError

from .complit_classes import IMPLICIT, STANDARD, UNMET
from .complit_fill import draw_plan
from .complit_maker import WORDS, Made, Maker
from .complit_mix import CompLitMix, Slot
from .complit_numbers import Way, quotas, sizes_of, ways_of
from .complit_turns import conversation, lengths
from .complit_unmet import FIGURE_FACT, INJECTABLE, REFUTED, SILENT, TABLE_VALUE, places_for
from .draws import Draw
from .streams import Blocks

PLAN_DRAWS = 256
"""32-bit draws of a plan."""

PLANS, TRIES, TALKS = 600, 16, 6
"""Plans that are compared with what one paper offers; attempts at a query for it; at one with a conversation."""

BENCH = 32
"""Papers among which a plan finds one that suits it."""

AGAIN = 4
"""Times that the papers of Standard are gone through for further Unmet queries."""

Found = Callable[[str, int], bool]
"""Whether a simple reference finds a paper by a text."""

Item = TypeVar("Item")


class Attempts:
    """Fresh integers for one attempt after the other.

    Args:
        seed: The world's seed.
        purpose: What they are for.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._blocks, self._next = Blocks(seed, f"complit/{purpose}"), 0

    def __call__(self, size: int) -> Draw:
        """So many integers for the next attempt."""
        self._next += 1
        return Draw(self._blocks.raw(self._next, size))

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """Items in a random order."""
        out, draw = list(items), self(max(1, len(items)))
        for place in range(len(out) - 1, 0, -1):
            other = draw.below(place + 1)
            out[place], out[other] = out[other], out[place]
        return out


@dataclass(frozen=True)
class Sets:
    """The queries of all settings; conversation n is made of Implicit query n."""

    standard: tuple[Made, ...]
    implicit: tuple[Made, ...]
    turns: tuple[tuple[Turn, ...], ...]
    unmet: tuple[Made, ...]


class Assembler:
    """Makes the sets of a world.

    Args:
        maker: Makes the queries.
        mix: How many; see `scaled`.
        found: The simple reference that has to find near-misses.
    """

    def __init__(self, maker: Maker, mix: CompLitMix, found: Found) -> None:
        self._maker, self._mix, self._found = maker, mix, found
        self._offered: dict[int, dict[Slot, int]] = {}

    def sets(self) -> Sets:
        """Make them all."""
        pool = iter(self._attempts("targets").shuffle(self._maker.offers.eligible))
        standard = self._standard(pool)
        implicit, turns = self._implicit(pool)
        return Sets(tuple(standard), tuple(implicit), tuple(turns), tuple(self._unmet(standard, implicit, pool)))

    # ------------------------------------------------------------------ Standard

    def _standard(self, pool: Iterator[int]) -> list[Made]:
        """Two queries each for the first papers, one each for the others."""
        attempts, out = self._attempts(STANDARD), list[Made]()
        wanted = attempts.shuffle(sizes_of(self._mix.standard, self._mix.standard_sizes, 4))
        bench: list[int] = []
        for quota in quotas(self._mix.standard, self._mix.standard_targets):
            own: list[Made] = []
            while len(own) < quota:
                while len(bench) < BENCH and (row := next(pool, None)) is not None:
                    bench.append(row)
                size = wanted[len(out) + len(own)]
                made = self.standard(own[0].row, size, attempts) if own else self._suited(bench, size, attempts)
                if made is not None:
                    own.append(made)
                elif own:
                    own.clear()  # a paper that gives one query but not two makes way
            out += own
        return out

    def _suited(self, bench: list[int], size: int, attempts: Attempts) -> Made:
        """A Standard query for one of the papers that wait: the plan comes first, and the paper is one that suits it.

        Raises:
            InvalidOptionError: None of them suits a plan.
        """
        for _ in range(PLANS):
            plan = draw_plan(self._maker.mix, size, attempts(PLAN_DRAWS))
            slots = Counter(plan)
            for row in [row for row in bench if self._fits(row, slots)][:TRIES]:
                made = self._maker.standard(row, plan, attempts)
                if made is not None:
                    bench.remove(row)
                    return made
        raise exhausted(STANDARD)

    def standard(self, row: int, size: int, attempts: Attempts) -> Made | None:
        """A Standard query of so many constraints for a paper, by the first plan that it can fill."""
        tries = 0
        for _ in range(PLANS):
            plan = draw_plan(self._maker.mix, size, attempts(PLAN_DRAWS))
            if tries == TRIES:
                break
            if self._fits(row, Counter(plan)):
                tries += 1
                made = self._maker.standard(row, plan, attempts)
                if made is not None:
                    return made
        return None

    # ------------------------------------------------------------------ Implicit and Cumulative

    def _implicit(self, pool: Iterator[int]) -> tuple[list[Made], list[tuple[Turn, ...]]]:
        mix, attempts = self._mix, self._attempts(IMPLICIT)
        sizes = sizes_of(mix.implicit, mix.implicit_sizes, 3)
        turns = lengths(sizes, mix.turns, attempts(len(sizes)))
        wanted = attempts.shuffle(list(zip(sizes, turns, strict=True)))
        made: list[Made] = []
        said: list[tuple[Turn, ...]] = []
        for quota in quotas(mix.implicit, mix.implicit_targets):
            own: list[tuple[Made, tuple[Turn, ...]]] = []
            while len(own) < quota:
                row = own[0][0].row if own else next_of(pool, IMPLICIT)
                size, length = wanted[len(made) + len(own)]
                talk = self.talk(row, size, length, attempts)
                if talk is not None:
                    own.append(talk)
                elif own:
                    own.clear()
            made += [entry for entry, _ in own]
            said += [entry for _, entry in own]
        return made, said

    def talk(self, row: int, size: int, length: int, attempts: Attempts) -> tuple[Made, tuple[Turn, ...]] | None:
        """An Implicit query for a paper, with its conversation."""
        maker = self._maker
        for _ in range(TALKS):
            made = maker.implicit(row, size, attempts)
            turns = conversation(made, length, maker.wording, attempts(WORDS)) if made is not None else None
            if made is not None and turns is not None:
                return made, turns
        return None

    # ------------------------------------------------------------------ Unmet

    def _unmet(self, standard: Sequence[Made], implicit: Sequence[Made], pool: Iterator[int]) -> list[Made]:
        """Near-misses that Standard has as targets, some of these twice, others that Implicit has, and some more."""
        mix, attempts = self._mix, self._attempts(UNMET)
        alone = mix.unmet_targets - mix.shared_standard - mix.shared_implicit
        every = attempts.shuffle(standard)
        models = list(every)
        ways = ways_of(mix)
        shared = distinct(made.row for made in standard)
        others = attempts.shuffle(distinct(made.row for made in implicit))
        out: list[Made] = []
        for rows, papers in ((iter(shared), mix.shared_standard), (iter(others), mix.shared_implicit), (pool, alone)):
            for _ in range(papers):
                planned = None
                while planned is None:
                    planned = self.unmet(next_of(rows, UNMET), models, ways, attempts)
                out.append(planned)
        # Further queries are for papers that Standard has, too: so a topic tells nothing.
        again = iter([made.row for made in out[: mix.shared_standard]] * AGAIN)
        while len(out) < mix.unmet:
            row = next_of(again, UNMET)
            # The last models may suit none of the papers; then others come twice.
            planned = self.unmet(row, models, ways, attempts) or self.unmet(row, list(every), ways, attempts)
            if planned is not None:
                out.append(planned)
        return out

    def unmet(self, row: int, models: list[Made], ways: list[Way], attempts: Attempts) -> Made | None:
        """An Unmet query with a paper as near-miss, like one of the models that are left; takes model and way."""
        maker, tries = self._maker, 0
        offer = maker.offers.of(row)
        figures = any(family in INJECTABLE[FIGURE_FACT] for family, _ in offer.slots)
        possible = {Way(TABLE_VALUE, REFUTED): True, Way(TABLE_VALUE, SILENT): bool(offer.unsaid)}
        way = next((entry for entry in ways if possible.get(entry, figures)), None)
        if way is None:
            return None
        for number, model in enumerate(models):
            plan = model.plan
            places = places_for(plan, way.kind)
            if not places or tries == TRIES:
                continue
            place = places[attempts(1).below(len(places))]
            if not self._fits(row, Counter([*plan[:place], *plan[place + 1 :]])):
                continue
            tries += 1
            made = maker.unmet(row, model, place, way.status, attempts)
            if made is not None and self._found(made.text, row):
                del models[number]
                ways.remove(way)
                return made
        return None

    def _fits(self, row: int, slots: Counter[Slot]) -> bool:
        """Whether a paper offers enough for the slots of a plan."""
        offered = self._offered.get(row)
        if offered is None:
            offered = self._offered[row] = {
                slot: len({option.topic for option in options})
                for slot, options in self._maker.offers.of(row).slots.items()
            }
        return all(offered.get(slot, 0) >= number for slot, number in slots.items())

    def _attempts(self, what: str) -> Attempts:
        return Attempts(self._maker.world.spec.seed, f"fixed/{what}")


def distinct(rows: Iterable[int]) -> list[int]:
    """Rows, each once, in order of appearance."""
    return list(dict.fromkeys(rows))


def next_of(rows: Iterator[int], setting: str) -> int:
    """The next paper.

    Raises:
        InvalidOptionError: There is none left.
    """
    row = next(rows, None)
    if row is None:
        raise exhausted(setting)
    return row


def exhausted(setting: str) -> InvalidOptionError:
    """The error of a world whose papers do not suffice."""
    return InvalidOptionError(
        f"the papers of the world do not yield enough queries of the setting {setting}",
        "half of its papers without a survey or a copy suffice, as a rule",
        "take a larger world or other knobs of the mix",
    )
