"""Proposing and verifying, in turns: what is not verified goes back to whoever proposed it, a few times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from scholar_env.errors import InvalidOptionError

THRESHOLD: Final = 0.9
"""Least score of what counts as verified."""

ROUNDS: Final = 10
"""Most rounds of proposing and verifying."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says.

    Attributes:
        score: From 0, unsupported, to 1, certain.
        reason: What is wrong, for the next proposal; ``""`` for nothing.
    """

    score: float
    reason: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise InvalidOptionError(f"score={self.score!r} of a verdict", "it is from 0 to 1", "scale it")


@dataclass(frozen=True, slots=True)
class Rules:
    """When something counts as verified.

    Attributes:
        threshold: Least score.
        rounds: Most rounds.
    """

    threshold: float = THRESHOLD
    rounds: int = ROUNDS

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1 or self.rounds < 1:
            raise InvalidOptionError(
                f"threshold={self.threshold!r}, rounds={self.rounds!r} of a verification",
                "the threshold is from 0 to 1, and there is at least one round",
                "correct them",
            )


@dataclass(slots=True)
class Tally:
    """What happened to proposals.

    Attributes:
        proposed: Proposals, revised ones included.
        rejected: Those that scored too little.
        verified: Items that were verified in the end.
        given_up: Items that were not.
        by_round: Number of items verified in the first round, the second, …
    """

    proposed: int = 0
    rejected: int = 0
    verified: int = 0
    given_up: int = 0
    by_round: Counter[int] = field(default_factory=Counter)

    def count(self, verified_in: int) -> None:
        """Counts an item; 0 = it was given up."""
        if verified_in:
            self.verified += 1
            self.by_round[verified_in] += 1
        else:
            self.given_up += 1


def settled(
    first: Item | None,
    revise: Callable[[Item, Verdict], Item | None],
    verify: Callable[[Item], Verdict],
    rules: Rules,
    tally: Tally | None = None,
) -> Item | None:
    """Verifies an item, and has it revised until it is verified.

    Args:
        first: The first proposal, None where there is none.
        revise: Makes another proposal from a rejected one; None gives up.
        verify: Judges a proposal.
        rules: Threshold and number of rounds.
        tally: Counts what happens.

    Returns:
        The verified item, None where it was given up.
    """
    item = first
    for turn in range(1, rules.rounds + 1):
        if item is None:
            break
        verdict = verify(item)
        if tally is not None:
            tally.proposed += 1
            tally.rejected += verdict.score < rules.threshold
        if verdict.score >= rules.threshold:
            if tally is not None:
                tally.count(turn)
            return item
        item = revise(item, verdict) if turn < rules.rounds else None
    if tally is not None:
        tally.count(0)
    return None
