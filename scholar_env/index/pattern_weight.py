r"""How much work a regular expression of RE2 may make, told from its text.

RE2 takes time linear in the text, but with two speeds: where the sets of places at which a match can stand are few, it
looks each of them up; where nearly every character gives a new set, it follows all places by hand, a hundred times
slower. Sets are many when a match can begin nearly everywhere and goes on over many characters that may be nearly
anything, as in ``[a-m].{20}z``. The weight of a pattern counts such characters:

- a class that takes letters, or ``.``, weighs :data:`WIDE`, one of digits, blanks and marks :data:`NARROW`, one by a
  property of Unicode :data:`BROAD`, since it has hundreds of ranges;
- a choice (``?``, ``*``, ``+`` or a count on a literal or a group, ``|``) weighs as much as a class of its kind;
- what is repeated a number of times weighs so many times as much, except that
- a class that is repeated where a match begins weighs at most :data:`RUN` more for each :data:`GAP_CHARACTERS`, for
  then the length of the run tells the set; and
- a class that is repeated after :data:`RARE` or more literal characters weighs :data:`GAP` for each
  :data:`GAP_CHARACTERS` of them, as matches seldom get there; after several alternatives of that kind, for each one.

Over 5,000 papers (58 MB) the slowest known patterns of weight :data:`MOST` or less take three seconds, ordinary ones a
tenth of one (``python benchmarks/grep_patterns.py``).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

WIDE: Final = 4
BROAD: Final = 8
NARROW: Final = 1
RUN: Final = 8
GAP: Final = 20
GAP_CHARACTERS: Final = 50
RARE: Final = 4
MOST: Final = 48
"""Weight that a pattern may have: twelve characters that may be anything."""

_CLASS: Final = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\Q.*?\\E|\\.|[^\]\\])*\]", re.DOTALL)
_NARROW_CLASS: Final = re.compile(r"\[(?:0-9|\\[ds.]|[0-9.,%:;+ ])+-?\]")
_ESCAPE: Final = re.compile(r"\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)", re.DOTALL)
_GROUP: Final = re.compile(r"\((?:\?(?:P?<\w+>|[imsU-]*(?P<end>[:)])))?")
_COUNT: Final = re.compile(r"(?:[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\})\??")
_PROPERTY: Final = re.compile(r"\\[pP]")
_NOTHING: Final = frozenset((r"\b", r"\B", r"\A", r"\z"))
_NARROW: Final = frozenset((r"\d", r"\s", r"\pN", r"\p{N}", r"\p{Nd}"))
_WIDE: Final = frozenset((r"\D", r"\S", r"\w", r"\W", r"\C"))


class _Part(NamedTuple):
    """A part of a pattern.

    Attributes:
        weight: What it weighs once.
        rare: Of how many alternatives it is one that each end with :data:`RARE` literal characters; 0 = it is not.
        kind: ``literal``, ``class``, ``group`` or ``nothing``.
    """

    weight: int
    rare: int
    kind: str


def pattern_weight(pattern: str) -> int:
    """Returns the weight of a pattern that RE2 compiles."""
    return _Reader(pattern).alternatives(leading=True).weight


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0

    def alternatives(self, *, leading: bool) -> _Part:
        """Everything up to the end of the group or pattern; ``leading`` says whether a match begins there."""
        branches = [self.sequence(leading=leading)]  # runs of several branches together would make many sets
        while self.pattern.startswith("|", self.at):
            self.at += 1
            branches.append(self.sequence(leading=False))
        weight = sum(branch.weight for branch in branches) + (WIDE if len(branches) > 1 else 0)
        return _Part(weight, sum(branch.rare for branch in branches) if all(b.rare for b in branches) else 0, "group")

    def sequence(self, *, leading: bool) -> _Part:
        """Parts that follow each other."""
        weight = run = rare = 0
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            part = self.part(leading=leading)
            if part.kind == "nothing":
                continue
            count = self.count()
            weight += _weight(part, count, leading=leading, rare=rare)
            if part.kind == "literal":
                run += count is None
                rare = rare or int(run >= RARE)
            else:
                run, rare = 0, part.rare if count is None else 0
            leading = False
        return _Part(weight, rare, "group")

    def part(self, *, leading: bool) -> _Part:
        """One character, class, group or border, without its count."""
        text, at = self.pattern, self.at
        if text.startswith(r"\Q", at):
            end = text.find(r"\E", at)
            self.at = len(text) if end < 0 else end + 2
            return _Part(0, int(self.at - at > RARE + 3), "group")
        if (group := _GROUP.match(text, at)) is not None:
            self.at = group.end()
            if group["end"] == ")":  # it sets flags
                return _Part(0, 0, "nothing")
            inner_at = self.at
            inner = self.alternatives(leading=leading)
            self.at += 1
            if leading and _COUNT.match(text, self.at):  # only the first round begins a match
                self.at = inner_at
                inner = self.alternatives(leading=False)
                self.at += 1
            return inner
        form = _CLASS if text[at] == "[" else _ESCAPE
        match = form.match(text, at)
        taken = text[at] if match is None else match[0]
        self.at += len(taken)
        if taken in _NOTHING or taken in ("^", "$"):
            return _Part(0, 0, "nothing")
        if taken in _NARROW or _NARROW_CLASS.fullmatch(taken):
            return _Part(NARROW, 0, "class")
        if len(taken) > 2 and (taken[:2] in (r"\p", r"\P") or (taken[0] == "[" and _PROPERTY.search(taken))):
            return _Part(BROAD, 0, "class")
        if taken in _WIDE or taken == "." or (len(taken) > 1 and taken[0] == "["):
            return _Part(WIDE, 0, "class")
        return _Part(0, 0, "literal")

    def count(self) -> int | None:
        """The most rounds that are counted, 1 for as many as one likes, None where nothing is said."""
        match = _COUNT.match(self.pattern, self.at)
        if match is None:
            return None
        self.at = match.end()
        return max(int(match[3] or match[1] or 1), 1)


def _weight(part: _Part, count: int | None, *, leading: bool, rare: int) -> int:
    """What a part weighs with its count, at the beginning of a match or after so many rare alternatives."""
    if part.kind == "literal":
        return 0 if count is None else NARROW
    whole, pieces = part.weight * (count or 1), -(-(count or 1) // GAP_CHARACTERS)
    if part.kind == "group":
        return whole + (0 if count is None else WIDE)
    if leading:
        return min(whole, part.weight + RUN * pieces) if count else whole
    return min(whole, GAP * rare * pieces) if rare else whole
