"""The steps of an abstract, out of its paper's order of moves."""

from __future__ import annotations

from .moves import steps_of
from .narrator import Narrator

OPENINGS = ("background", "gap", "aim")
"""Moves that say what a paper is about; every abstract has one of them."""

OFTEN_SKIPPED = {"background": 56, "gap": 50, "aim": 85, "conclusion": 22}
"""How often, in percent, an abstract does without a move of its order."""

OF_THE_METHOD = ("comparison", "failure", "resource")
"""Propositions about a method that an abstract introduces before it says them."""

ADDED = (
    ("setup", "data", 92),
    ("comparison", "result", 50),
    ("failure", "limitation", 44),
    ("resource", "result", 16),
    ("trend", "result", 76),
)
"""Propositions that an abstract may add, the move that they stand in, and how often in percent."""

SKIPPED_FIRST = ("conclusion", "background", "gap", "explanation", "corollary", "limitation")
"""Moves that a short abstract does without, in this order."""


def abstract_steps(narrator: Narrator) -> tuple[list[tuple[str, str]], int]:
    """The steps of an abstract, some left out and some added, and how many findings it says twice."""
    steps = steps_of(narrator.shared.order(narrator.row).abstract)
    narrator.next_sentence()
    size = narrator.pick(100)
    left_out = [move for move, percent in OFTEN_SKIPPED.items() if narrator.chance(percent)]
    kept = [step for step in steps if step[0] not in left_out]
    if not any(move in OPENINGS for move, _ in kept):  # an abstract does not begin with a name that nobody knows
        left_out = [move for move in left_out if move != "aim"] or left_out
        kept = [step for step in steps if step[0] not in left_out]
        if not any(move in OPENINGS for move, _ in kept):
            kept.insert(0, ("aim", "aim"))
    first = next(place for place, (move, _) in enumerate(kept) if move in OPENINGS)
    steps = [kept[first], *kept[:first], *kept[first + 1 :]]
    said = {prop for _, prop in steps}
    for place, (_, prop) in enumerate(steps):
        if prop == "proposal" and narrator.chance(60) and "failure" not in said:
            steps.insert(place + 1, ("method", "remedy"))
            said.add("failure")  # what the method copes with does not break it
            break
    if not narrator.curve_numbers("trend"):
        said.add("trend")
    for prop, move, percent in ADDED:
        if prop not in said and (narrator.group != "math" or prop == "trend") and narrator.chance(percent):
            behind = [place for place, step in enumerate(steps) if step[0] in ("method", "data", "aim", "model")]
            steps.insert(1 + behind[-1] if behind else len(steps), (move, prop))
    steps = introduced_first(steps)
    for move in SKIPPED_FIRST:
        if len(steps) <= 2 + size // 5:
            break
        steps = [steps[0], *(step for step in steps[1:] if step[0] != move)]
    return steps, sum(size >= bound for bound in (52, 64, 72, 78, 83, 87, 90, 92, 94, 96, 97, 98))


def introduced_first(steps: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put what a paper says of its method's merits and failures behind the step that introduces the method."""
    at = next((place for place, (_, prop) in enumerate(steps) if prop == "proposal"), -1)
    early = [step for step in steps[1 : max(at, 1)] if step[1] in OF_THE_METHOD]
    if not early:
        return steps
    kept = [step for place, step in enumerate(steps) if not (0 < place < at and step[1] in OF_THE_METHOD)]
    behind = next(place for place, (_, prop) in enumerate(kept) if prop == "proposal") + 1
    while behind < len(kept) and kept[behind][1] in ("remedy", "setup", "modeling"):
        behind += 1
    return [*kept[:behind], *early, *kept[behind:]]
