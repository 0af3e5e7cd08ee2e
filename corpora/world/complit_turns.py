"""Splits Implicit queries into conversations: a broad goal, then one to three constraints a turn, the last word."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.construction.records import Turn

from .complit_classes import COMMIT, LEADS, OPEN
from .complit_evidence import stems_of
from .complit_maker import Made
from .complit_wording import Wording
from .draws import Draw

LENGTHS = (3, 4, 5)
"""Turns of a conversation."""

MOST = 3
"""Most constraints of a turn."""

SHARED = 1
"""Content words that the first turn may share with a constraint."""

OPENINGS = 24
"""First turns that are tried."""


def allowed(size: int, turns: int) -> bool:
    """Whether so many constraints go into so many turns, the first of which has none."""
    return turns - 1 <= size <= MOST * (turns - 1)


def lengths(sizes: Sequence[int], wanted: Sequence[int], draw: Draw) -> list[int]:
    """Numbers of turns for queries, so that each of `LENGTHS` occurs as often as wanted, as far as the sizes allow.

    Args:
        sizes: Numbers of constraints, 3 or more each.
        wanted: How many conversations of each length; the sum is the number of queries.
        draw: Integers.
    """
    middle = LENGTHS[1]
    out = [middle] * len(sizes)
    order = list(range(len(sizes)))
    for place in range(len(order) - 1, 0, -1):
        other = draw.below(place + 1)
        order[place], order[other] = order[other], order[place]
    free = set(order)
    for turns, count in ((LENGTHS[2], wanted[2]), (LENGTHS[0], wanted[0])):
        # those that fit no other length go first
        ready = sorted(
            (place for place in order if place in free and allowed(sizes[place], turns)),
            key=lambda place: allowed(sizes[place], middle),
        )
        for place in ready[:count]:
            out[place] = turns
            free.discard(place)
    return out


def parts(size: int, turns: int, draw: Draw) -> list[int]:
    """How many constraints each turn after the first reveals, one to three each."""
    counts = [1] * (turns - 1)
    for _ in range(size - len(counts)):
        open_ = [place for place, count in enumerate(counts) if count < MOST]
        counts[open_[draw.below(len(open_))]] += 1
    return counts


def arranged(sizes: Sequence[int], counts: Sequence[int], draw: Draw) -> list[list[int]] | None:
    """Places of constraints by turn, the most selective ones not before the middle turn; None where they do not fit.

    Args:
        sizes: Number of papers that satisfy each constraint.
        counts: How many constraints each turn after the first reveals.
        draw: Integers.
    """
    turns = len(counts) + 1
    first = (turns + 2) // 2  # the turn, from 1 on, that half of the turns or more lead up to
    least = min(sizes)
    late = [place for place, size in enumerate(sizes) if size == least]
    early = [place for place, size in enumerate(sizes) if size > least]
    slots = [turn for turn, count in enumerate(counts, 2) for _ in range(count)]
    fitting = [at for at, turn in enumerate(slots) if turn >= first]
    if len(late) > len(fitting):
        return None
    for place in range(len(fitting) - 1, 0, -1):
        other = draw.below(place + 1)
        fitting[place], fitting[other] = fitting[other], fitting[place]
    order: dict[int, int] = dict(zip(fitting, late, strict=False))
    rest = iter(early)
    out: list[list[int]] = [[] for _ in counts]
    for at, turn in enumerate(slots):
        out[turn - 2].append(order[at] if at in order else next(rest))
    return out


def conversation(made: Made, turns: int, wording: Wording, draw: Draw) -> tuple[Turn, ...] | None:
    """The turns of a query; None where no broad goal keeps away from its constraints.

    Args:
        made: An Implicit query with a hint.
        turns: How many.
        wording: Words sentences.
        draw: Integers.
    """
    texts = [entry.worded.text for entry in made.said]
    goal = opening(made, texts, wording, draw)
    selective = [entry.option.papers.bit_count() for entry in made.said]
    places = arranged(selective, parts(len(texts), turns, draw), draw)
    if goal is None or places is None:
        return None
    out = [Turn(goal, OPEN)]
    for number, own in enumerate(places, 2):
        last = number == turns
        purpose = LEADS[0] if number == 2 else LEADS[1 + draw.below(len(LEADS) - 1)]
        words = [
            wording.lead(purpose, draw),
            *wording.sentences([texts[place] for place in own], draw, begin=number == 2),
        ]
        if last:
            words.append(wording.commitment(draw))
        out.append(Turn(" ".join(words), COMMIT if last else purpose, tuple(f"c{place + 1}" for place in own)))
    return tuple(out)


def opening(made: Made, texts: Sequence[str], wording: Wording, draw: Draw) -> str | None:
    """A broad goal that shares one content word at most with each constraint; None where none is found."""
    if made.hint < 0:
        return None
    stems = [stems_of(text) for text in texts]
    for _ in range(OPENINGS):
        goal = wording.goal(made.row, made.hint, draw)
        own = stems_of(goal)
        if all(len(own & other) <= SHARED for other in stems):
            return goal
    return None
