"""What the moves of a discourse order say."""

from __future__ import annotations

from collections.abc import Sequence

PROP_OF_MOVE = {
    "background": "relevance",
    "gap": "gap",
    "aim": "aim",
    "method": "proposal",
    "data": "setup",
    "model": "modeling",
    "fit": "agreement",
    "conclusion": "implication",
    "result": "cause",
    "explanation": "mechanism",
    "limitation": "failure",
    "statement": "condition",
    "proof": "mechanism",
    "corollary": "trend",
}
"""What a move says where its order names no proposition."""


def steps_of(steps: Sequence[str]) -> list[tuple[str, str]]:
    """The (move, proposition) pairs of a list of steps."""
    pairs = []
    for step in steps:
        move, _, prop = step.partition(":")
        pairs.append((move, prop or PROP_OF_MOVE[move]))
    return pairs
