"""Fills plans with options so that one paper is left, and so that many of the constraints are needed for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scholar_env.construction.uniqueness import common, needed, smallest_unique, unique_subsets

from .complit_classes import BY_NAME
from .complit_mix import KIN, CompLitMix, Family, Slot
from .complit_offers import Offer
from .complit_options import Option
from .draws import Draw

STALE = 40
"""Exchanges without a gain after which no more are tried."""

POOL = 13
"""Options of an Implicit query that are combined in every way."""

SEEN = 400
"""Unique combinations that are looked at."""


def draw_plan(mix: CompLitMix, size: int, draw: Draw) -> tuple[Slot, ...]:
    """Draw what the constraints of a Standard query are, whatever its paper; an attribute is always among them.

    Args:
        mix: The knobs.
        size: Number of constraints.
        draw: Integers.
    """
    slots: list[Slot] = []
    for letter, percent in zip("PMO", mix.concepts, strict=True):
        level = ("explicit", "paraphrased", "inferred")[draw.weighted(mix.concept_levels)]
        if draw.percent(percent):
            slots.append((letter, level))
    for name, percent in (("dataset", mix.dataset), ("baseline", mix.baseline)):
        if draw.percent(percent):
            slots.append((name, "explicit"))
    slots = slots[: size - 1]
    limits = dict(mix.most)
    attributes = [family for family in mix.families if family.kin == "attribute"]
    while len(slots) < size:
        families: Sequence[Family] = mix.families
        if not any(name == "attribute" for name, _ in slots):
            families = attributes
        open_ = [family for family in families if limits[family.kin] > 0]
        family = open_[draw.weighted([entry.weight for entry in open_])]
        limits[family.kin] -= 1
        slots.append(family.slot)
    return tuple(slots)


def fill(offer: Offer, plan: Sequence[Slot], draw: Draw) -> list[Option] | None:
    """Draw an option for each slot of a plan, no two that `clash`; None where the paper has none left."""
    chosen: list[Option] = []
    for slot in plan:
        open_ = [option for option in offer.slots.get(slot, ()) if not any(clash(option, own) for own in chosen)]
        if not open_:
            return None
        chosen.append(open_[draw.below(len(open_))])
    return chosen


def clash(one: Option, other: Option) -> bool:
    """Whether two options are on the same topic, or compare with the same paper, whose title would stand twice."""
    if one.topic == other.topic:
        return True
    both = one.claim.kind in BY_NAME and other.claim.kind in BY_NAME
    return both and one.claim.values[0] == other.claim.values[0]


def refined(options: list[Option], offer: Offer, everything: int, draw: Draw, wanted: int) -> list[Option] | None:
    """Exchange options for others of their kin until one paper is left and enough constraints are needed.

    Args:
        options: Satisfied by the offer's paper.
        offer: The other options.
        everything: All papers.
        draw: Integers.
        wanted: How many constraints are to be needed.

    Returns:
        The options, None where it does not succeed.
    """
    options, sets = list(options), sets_of(options)
    best, stale = value(sets, everything), 0
    while best < (0, wanted) and stale < STALE and draw.left > 1:
        stale += 1
        place = draw.below(len(options))
        old = options[place]
        kin = offer.kin[KIN.get(old.family, old.family)]
        new = kin[draw.below(len(kin))]
        if new is old or any(clash(option, new) for option in options if option is not old):
            continue
        sets[place] = new.papers
        found = value(sets, everything)
        if found >= best:
            options[place] = new
            if found > best:
                best, stale = found, 0
        else:
            sets[place] = old.papers
    return options if best >= (0, wanted) else None


def value(sets: Sequence[int], everything: int) -> tuple[int, int]:
    """How good a choice is: (0, number of needed constraints) when it leaves one paper, else (minus the surplus, 0)."""
    left = common(sets, everything).bit_count()
    return (1 - left, sum(needed(sets, everything)) if left == 1 else 0)


def combined(
    options: Sequence[Option], size: int, everything: int, wanted: int, fits: Callable[[Sequence[Option]], bool]
) -> list[Option] | None:
    """The first combination of options that leaves one paper, needs enough of its constraints, and fits.

    Args:
        options: Candidates, no two on the same topic.
        size: How many to take.
        everything: All papers.
        wanted: How many constraints are to be needed.
        fits: Further demands.
    """
    pool = options[:POOL]
    sets = sets_of(pool)
    for number, places in enumerate(unique_subsets(sets, size, everything)):
        if number >= SEEN:
            break
        if sum(needed([sets[place] for place in places], everything)) >= wanted:
            choice = [pool[place] for place in places]
            if fits(choice):
                return choice
    return None


def counts(options: Sequence[Option], everything: int) -> tuple[int, int]:
    """Size of the smallest unique subset of options, and how many of them are needed."""
    sets = sets_of(options)
    return smallest_unique(sets, everything), sum(needed(sets, everything))


def sets_of(options: Sequence[Option]) -> list[int]:
    """The papers that satisfy each option."""
    return [option.papers for option in options]
