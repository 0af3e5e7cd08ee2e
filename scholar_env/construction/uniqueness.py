"""Whether constraints single out one paper, decided on sets of papers that are held as integers: bit r for paper r.

A *unique* set of constraints is satisfied by one paper only. A constraint of it is *needed* when the others alone are
satisfied by more. Sets that are unique because of one rare fact, with the rest as decoration, have few needed
constraints and a small smallest unique subset, so both are counted.

With facts at hand the search is exhaustive. Without them a judge reads the candidates that a lexical and a dense
retriever rank first (50 of each in the paper), and an equally valid paper outside goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

TOP: Final = 50
"""Candidates that each retriever contributes."""


def common(sets: Sequence[int], everything: int) -> int:
    """The papers in all of some sets; `everything` for none."""
    for papers in sets:
        everything &= papers
    return everything


def is_unique(sets: Sequence[int], everything: int) -> bool:
    """Whether exactly one paper is in all sets."""
    return common(sets, everything).bit_count() == 1


def needed(sets: Sequence[int], everything: int) -> tuple[bool, ...]:
    """For each set, whether the other sets alone share two papers or more."""
    behind = [everything]
    for papers in reversed(sets):
        behind.append(behind[-1] & papers)
    behind.reverse()
    before, out = everything, []
    for place, papers in enumerate(sets):
        out.append((before & behind[place + 1]).bit_count() >= 2)
        before &= papers
    return tuple(out)


def unique_subsets(sets: Sequence[int], size: int, everything: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of `size` sets that share exactly one paper, as places in order, in lexicographic order."""

    def extended(chosen: tuple[int, ...], shared: int) -> Iterator[tuple[int, ...]]:
        first = chosen[-1] + 1 if chosen else 0
        missing = size - len(chosen)
        for place in range(first, len(sets) - missing + 1):
            papers = shared & sets[place]
            if missing > 1:
                yield from extended((*chosen, place), papers)
            elif papers.bit_count() == 1:
                yield (*chosen, place)

    if 0 < size <= len(sets):
        yield from extended((), everything)


def smallest_unique(sets: Sequence[int], everything: int) -> int:
    """Size of the smallest choice of sets that share exactly one paper; 0 where not even all of them do.

    Searches every choice, the small ones first.
    """
    whole = common(sets, everything)
    if whole.bit_count() != 1:
        return 0
    # What is left to exclude shrinks with the others of each set, so equal ones need no second look.
    distinct = sorted(set(sets), key=lambda papers: papers.bit_count())
    for size in range(1, len(distinct) + 1):
        if any(common(choice, everything) == whole for choice in combinations(distinct, size)):
            return size
    return len(distinct)


def top_candidates(rankings: Sequence[Sequence[int]], top: int = TOP) -> tuple[int, ...]:
    """The first `top` rows of each ranking, each row once, in order of appearance."""
    return tuple(dict.fromkeys(row for ranking in rankings for row in ranking[:top]))


def only_match(target: int, candidates: Sequence[int], satisfies: Callable[[int], bool]) -> bool:
    """Whether none of the candidates but the target satisfies the constraints, as a judge sees it."""
    return not any(satisfies(row) for row in candidates if row != target)
