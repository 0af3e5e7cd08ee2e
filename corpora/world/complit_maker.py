"""Makes the queries of a world: Standard, Implicit and Unmet ones, each from a paper and integers alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from scholar_env.construction.intents import INTENT_IDS
from scholar_env.construction.records import Evidence
from scholar_env.construction.uniqueness import common, only_match, top_candidates
from scholar_env.construction.verification import Rules, Tally, Verdict, settled
from scholar_env.errors import InvalidOptionError

from .complit_columns import Columns
from .complit_evidence import Support
from .complit_fill import clash, combined, counts, fill, refined, sets_of
from .complit_mix import TOP50, CompLitMix, Slot
from .complit_offers import Offer, Offers
from .complit_options import INFERRED, Option, Options
from .complit_reading import Readings
from .complit_unmet import Clause, Injector
from .complit_wording import Worded, Wording, is_smooth
from .draws import Draw, Draws
from .predicates import CONCEPTS
from .world import World

WORDINGS = 6
"""Wordings that are tried for a false claim."""

Rankings = Callable[[str], Sequence[Sequence[int]]]

CHOICES, WORDS = 640, 4096
"""32-bit draws for what a query says, and for how it says it."""

IMPLICIT = (*((letter, INFERRED) for letter in CONCEPTS), ("attribute", INFERRED), ("shape", INFERRED),
            ("relation", INFERRED))  # fmt: skip
"""Slots of an Implicit query."""


@dataclass(frozen=True)
class Trial:
    """A wording of an option, None where a slot finds no word, and what supports it, None where nothing does."""

    worded: Worded | None
    evidence: Evidence | None


def verdict(trial: Trial) -> Verdict:
    """Certain where the text supports a wording at its level, else the opposite: the facts are known."""
    return Verdict(1.0) if trial.evidence is not None else Verdict(0.0, "its words suit no sentence of that level")


@dataclass(frozen=True)
class Said:
    """A constraint of a query.

    Attributes:
        option: What is claimed.
        worded: How.
        evidence: What supports it or, for an injected one, denies it.
    """

    option: Option
    worded: Worded
    evidence: Evidence


@dataclass(frozen=True)
class Made:
    """A query.

    Attributes:
        row: The paper in mind.
        said: Its constraints in order.
        intent: Its purpose.
        text: The words.
        hint: Number of the noun that tells the surroundings first, -1 for none.
        smallest, needed: See `scholar_env.construction.records.Query`.
        injected: Place of the injected constraint, -1 for none.
        clause: The injected constraint.
        opening, closing: Its first and last words.
    """

    row: int
    said: tuple[Said, ...]
    intent: str
    text: str
    hint: int
    smallest: int
    needed: int
    injected: int = -1
    clause: Clause | None = None
    opening: str = ""
    closing: str = ""

    @property
    def plan(self) -> tuple[Slot, ...]:
        """What its constraints are."""
        return tuple((entry.option.family, entry.option.level) for entry in self.said)


class Maker:
    """Makes queries.

    Args:
        world: The world.
        mix: The knobs.
        rankings: Rows that retrievers rank first for a text; for `CompLitMix.uniqueness` "top50".

    Attributes:
        tally: What happened to the wordings of claims.

    Raises:
        InvalidOptionError: There are no rankings, and the mix asks for them.
    """

    def __init__(self, world: World, mix: CompLitMix | None = None, rankings: Rankings | None = None) -> None:
        self.world, self.mix = world, mix or CompLitMix()
        self.rules, self.tally = Rules(), Tally()
        self._rankings = rankings if self.mix.uniqueness == TOP50 else None
        if self.mix.uniqueness == TOP50 and rankings is None:
            raise InvalidOptionError(
                f"uniqueness={TOP50!r} without rankings",
                "the candidates are what retrievers rank first",
                "give rankings",
            )
        self.columns = Columns(world)
        self.readings = Readings(world, self.columns.terms)
        self.options = Options(world, self.columns, self.readings)
        self.offers = Offers(world, self.columns, self.readings, self.options, self.mix.hint_holders)
        self.wording = Wording(world, self.columns, self.readings.shared)
        self.support = Support(world.facts, self.readings, self.options)
        places = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        self.injector = Injector(world.facts, self.columns, self.support, places)

    def standard(self, row: int, plan: Sequence[Slot], draws: Draws) -> Made | None:
        """Make a Standard query for a paper by a plan; None where this attempt fails."""
        offer = self.offers.of(row)
        chosen = self._chosen(offer, plan, draws(CHOICES))
        return self._made(row, chosen, draws(WORDS)) if chosen else None

    def implicit(self, row: int, size: int, draws: Draws) -> Made | None:
        """Make an Implicit query of so many constraints for a paper; None where this attempt fails."""
        offer, draw = self.offers.of(row), draws(WORDS)
        options = [option for slot in IMPLICIT for option in offer.slots.get(slot, ())]
        pool: dict[str, tuple[Option, Said]] = {}
        for option in shuffled(options, draw):
            if option.topic not in pool:
                said = self._said(row, option, draw)
                if said is not None:
                    pool[option.topic] = option, said
        spoken = {id(option): said for option, said in pool.values()}
        candidates = [option for option, _ in pool.values()]
        chosen = self._combined(candidates, size)
        if chosen is None:
            return None
        chosen = ordered(chosen, draw)
        hints: list[int] = []
        if draw.percent(self.mix.hint):
            if not offer.hints:
                return None
            hints.append(offer.hints[draw.below(len(offer.hints))])
            others = [noun for noun in offer.hints if noun not in hints]
            if others and self.world.spec.papers >= self.mix.second_hint:
                hints.append(others[draw.below(len(others))])
        return self._single(self._query(row, [spoken[id(option)] for option in chosen], draw, hints))

    def unmet(self, row: int, model: Made, place: int, status: str, draws: Draws) -> Made | None:
        """Make a query that no paper satisfies, with a paper as its near-miss; None where this attempt fails.

        Args:
            row: The near-miss.
            model: A Standard query; what kinds of constraints there are, and the frame around them, is as in that one.
            place: Which of the constraints is false.
            status: Whether the near-miss refutes it or is silent, see `complit_unmet`.
            draws: Gives integers.
        """
        offer, draw, plan = self.offers.of(row), draws(CHOICES), model.plan
        rest = [*plan[:place], *plan[place + 1 :]]
        options = fill(offer, rest, draw)
        if options is not None:
            wanted = max(0, self.mix.wanted(len(plan)) - 1)
            options = refined(options, offer, self.columns.everything, draw, wanted)
        if options is None:
            return None
        clause = self.injector.clause(offer, plan[place], {option.topic for option in options}, status, draw)
        if clause is None:
            return None
        left = common(sets_of(options), self.columns.everything)
        if left != 1 << row or left & clause.option.papers:
            return None
        if counts(options, self.columns.everything)[0] < self.mix.least_smallest:
            return None
        said: list[Said] = []
        draw = draws(WORDS)
        for option in ordered([*options, clause.option], draw):
            spoken = self._false(row, clause, draw) if option is clause.option else self._said(row, option, draw)
            if spoken is None:
                return None
            said.append(spoken)
        return self._query(row, said, draw, (), clause, model)

    def _false(self, row: int, clause: Clause, draw: Draw) -> Said | None:
        """Word a false clause."""
        for _ in range(WORDINGS):
            worded = self.wording.claim(row, clause.option, draw)
            if worded is not None and is_smooth(worded.text):
                return Said(clause.option, worded, clause.evidence)
        return None

    def _combined(self, candidates: list[Option], size: int) -> list[Option] | None:
        if self._rankings is None:
            return combined(candidates, size, self.columns.everything, self.mix.wanted(size), self._fits)
        return candidates[:size] if len(candidates) >= size and self._balanced(candidates[:size]) else None

    def _chosen(self, offer: Offer, plan: Sequence[Slot], draw: Draw) -> list[Option] | None:
        options = fill(offer, plan, draw)
        if options is None or self._rankings is not None:
            return ordered(options, draw) if options else None
        wanted = self.mix.wanted(len(plan))
        options = refined(options, offer, self.columns.everything, draw, wanted)
        return ordered(options, draw) if options else None

    def _fits(self, options: Sequence[Option]) -> bool:
        """Whether options may make an Implicit query together."""
        return self._balanced(options) and counts(options, self.columns.everything)[0] >= self.mix.least_smallest

    def _balanced(self, options: Sequence[Option]) -> bool:
        """Whether options are of enough sources, and no two clash."""
        sources = [option.source for option in options]
        figural, comparative = self.mix.implicit_most
        few = sources.count("figural") <= figural and sources.count("comparative") <= comparative
        return few and "content" in sources and not any(clash(*pair) for pair in combinations(options, 2))

    def _made(self, row: int, options: Sequence[Option], draw: Draw) -> Made | None:
        if self._rankings is None and counts(options, self.columns.everything)[0] < self.mix.least_smallest:
            return None
        said = []
        for option in options:
            spoken = self._said(row, option, draw)
            if spoken is None:
                return None
            said.append(spoken)
        return self._single(self._query(row, said, draw))

    def _single(self, made: Made) -> Made | None:
        """A query, None where one of the candidates that retrievers find for it satisfies it, too."""
        if self._rankings is None:
            return made
        sets = sets_of([entry.option for entry in made.said])
        candidates = top_candidates(self._rankings(made.text))
        alone = only_match(made.row, candidates, lambda row: common(sets, self.columns.everything) >> row & 1 == 1)
        return made if alone else None

    def _said(self, row: int, option: Option, draw: Draw) -> Said | None:
        """Word an option as its level allows, in several rounds."""

        def trial(*_: object) -> Trial:
            worded = self.wording.claim(row, option, draw)
            if worded is None or not is_smooth(worded.text):
                return Trial(None, None)
            return Trial(worded, self.support.of(row, option, worded))

        found = settled(trial(), trial, verdict, self.rules, self.tally)
        if found is None or found.worded is None or found.evidence is None:
            return None
        return Said(option, found.worded, found.evidence)

    def _query(
        self,
        row: int,
        said: Sequence[Said],
        draw: Draw,
        hints: Sequence[int] = (),
        clause: Clause | None = None,
        model: Made | None = None,
    ) -> Made:
        intent = model.intent if model else INTENT_IDS[draw.below(len(INTENT_IDS))]
        opening = model.opening if model else self.wording.opening(intent, draw)
        closing = model.closing if model else self.wording.closing(draw)
        texts = [entry.worded.text for entry in said]
        parts = [opening]
        parts += [self.wording.hint(row, hint, draw) for hint in hints]
        parts += self.wording.sentences(texts, draw, begin=True)
        parts.append(closing)
        options = [entry.option for entry in said]
        injected = next((at for at, option in enumerate(options) if clause and option is clause.option), -1)
        true = [option for at, option in enumerate(options) if at != injected]
        smallest, needed = counts(true, self.columns.everything)
        frame = {"opening": opening, "closing": closing}
        hint = hints[0] if hints else -1
        return Made(row, tuple(said), intent, " ".join(parts), hint, smallest, needed, injected, clause, **frame)


def shuffled(options: Sequence[Option], draw: Draw) -> list[Option]:
    """Options in a random order."""
    out = list(options)
    for place in range(len(out) - 1, 0, -1):
        other = draw.below(place + 1)
        out[place], out[other] = out[other], out[place]
    return out


def ordered(options: Sequence[Option], draw: Draw) -> list[Option]:
    """Options in the order in which a query says them: what the paper is about comes first, as a rule."""
    mixed = shuffled(options, draw)
    if draw.percent(25):
        return mixed
    return sorted(mixed, key=lambda option: option.family not in CONCEPTS)
