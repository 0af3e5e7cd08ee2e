"""Fits what CompLit's checker takes candidates to be worth: the doubt of `complit_verdict`, for many needs at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scholar_env.agents import complit_verdict as verdict
from scholar_env.agents.complit_judge import Judgement

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

UNMET, STANDARD, IMPLICIT = "Unmet", "Standard", "Implicit"


class Worths(NamedTuple):
    """What is fitted of `complit_verdict`; a figure's check that holds adds as much as one that fails takes away."""

    words: float
    name: float
    rank: float
    figure: float
    misread: float
    silent: float
    false_misread: float
    false_silent: float
    false_figure: float
    nothing_false: float


IN_USE = Worths(
    words=verdict.WORDS_WORTH,
    name=verdict.NAME_WORTH,
    rank=verdict.RANK_WORTH,
    figure=verdict.WORTH["figure"][0],
    misread=verdict.MISREAD,
    silent=verdict.SILENT,
    false_misread=verdict.FALSE_MISREAD,
    false_silent=verdict.FALSE_SILENT,
    false_figure=verdict.FALSE_FIGURE,
    nothing_false=verdict.NOTHING_FALSE,
)

START = Worths(1.0, 5.0, 5.0, 3.0, 0.02, -3.0, 0.2, 1.0, 0.0, 0.0)
"""Where the fit starts: round values."""

RATES = frozenset({"misread", "false_misread"})
SCALED = RATES | {"words", "name", "rank"}
FACTORS, SHIFTS = (1.25, 0.8, 1.6, 0.6, 1.1, 0.9), (0.3, -0.3, 0.8, -0.8, 0.1, -0.1)
"""Steps of the fit: by what positive values are multiplied, and what is added to the others."""

LEAST_GAIN = 1e-5
"""What a step has to gain."""

SLOPES, MIDDLES = (0.4, 0.6, 0.8, 1.0, 1.3), np.arange(-2.0, 2.1, 0.25)
"""Logistic curves from the doubt to the probability that no paper meets a need; the best of them counts."""

IMPLICIT_WORTH = 0.4
"""What an Implicit need that is doubted counts beside a Standard one."""

NAMED_WORTH, LEAST_NAMED = 0.15, -8.0
"""What the logarithm of the right paper's probability counts, and the least that is taken for it."""


class Candidate(NamedTuple):
    """A paper that was read for a need: what it says, its inverted ranks, and whether it is right."""

    said: Judgement
    ranks: float
    right: bool


class Need(NamedTuple):
    """A need that was played: its setting, and at least one candidate."""

    setting: str
    candidates: Sequence[Candidate]


class Weighed(NamedTuple):
    """What worths make of needs, one row each.

    Attributes:
        doubt: As `complit_verdict.doubt` gives it.
        named: Logarithm of how probable the right papers are among the candidates, -inf where none is right.
        right: Whether a candidate that is worth most is right.
    """

    doubt: Floats
    named: Floats
    right: Flags


class Table:
    """Judged candidates of needs, as arrays with one row for each candidate or for each clause that may be false.

    Such a clause asks for a trait or names a figure; a candidate without any has one row that stands for none.

    Args:
        needs: The needs.
    """

    def __init__(self, needs: Sequence[Need]) -> None:
        every = [one for need in needs for one in need.candidates]
        self.settings = np.array([need.setting for need in needs])
        self._needs = _starts([len(need.candidates) for need in needs])
        self._is_right = np.array([one.right for one in every])
        plain = [(one.said.words, one.said.names, one.ranks, *_checks(one.said)) for one in every]
        self._words, self._names, self._ranks, self._checks, self._figures = np.array(plain, float).T
        clauses = [_clauses(one.said) for one in every]
        sizes = [len(one) for one in clauses]
        self._sizes, self._candidates = np.array(sizes, float), _starts(sizes)
        self._owners = np.repeat(np.arange(len(every)), sizes)
        rows = np.array([row for one in clauses for row in one], float).T
        self._sure, self._share, self._values, self._silent, self._figure, self._none = rows

    def weigh(self, by: Worths) -> Weighed:
        """What worths make of the needs."""
        share, told = np.maximum(self._share, 0.0), self._share >= 0.0
        log = np.log((by.misread + (1.0 - by.misread) * share) * self._values)
        true = self._unsure(np.where(told, log, np.where(self._silent, by.silent, verdict.UNTOLD)))
        log = np.log(by.false_misread + (1.0 - by.false_misread) * (1.0 - share))
        false = self._unsure(np.where(told, log, np.where(self._silent, by.false_silent, verdict.FALSE_UNTOLD)))

        worth = by.words * self._words + by.name * self._names + by.rank * self._ranks
        worth += self._checks + by.figure * self._figures + np.bincount(self._owners, true)
        changes = false - true + self._figure * (by.figure + by.false_figure) + self._none * by.nothing_false
        turned = worth + np.logaddexp.reduceat(changes, self._candidates) - np.log(self._sizes)

        total = np.logaddexp.reduceat(worth, self._needs)
        right = np.logaddexp.reduceat(np.where(self._is_right, worth, -np.inf), self._needs)
        most = np.maximum.reduceat(worth, self._needs)
        best = np.maximum.reduceat(np.where(self._is_right, worth, -np.inf), self._needs)
        return Weighed(np.logaddexp.reduceat(turned, self._needs) - total, right - total, best == most)

    def _unsure(self, log: Floats) -> Floats:
        return np.log(self._sure * np.exp(log) + 1.0 - self._sure)


def _starts(sizes: Sequence[int]) -> npt.NDArray[np.intp]:
    return np.cumsum([0, *sizes[:-1]])


def _checks(said: Judgement) -> tuple[float, int]:
    """What checks are worth whose worths are not fitted, and how many more figures hold than fail."""
    worth = 0.0
    for kind, (held, failed) in said.checks.items():
        if kind != "figure":
            worth += verdict.WORTH[kind][0] * held - verdict.WORTH[kind][1] * failed
    held, failed = said.checks.get("figure", (0, 0))
    return worth, held - failed


def _clauses(said: Judgement) -> list[tuple[float, ...]]:
    """Of each clause that may be false how sure it is, its share (-1 where nothing is told), values, and flags."""
    traits = [
        (one.sure, -1.0 if one.share is None else one.share, one.values, one.silent, 0.0, 0.0) for one in said.traits
    ]
    held, failed = said.checks.get("figure", (0, 0))
    figures = [(0.0, -1.0, 1.0, 0.0, sign, 0.0) for sign in [1.0] * failed + [-1.0] * held]
    return [*traits, *figures] or [(0.0, -1.0, 1.0, 0.0, 0.0, 1.0)]


def farthest_off(needs: Sequence[Need], table: Table) -> float:
    """How far the doubts of a table are from those of `complit_verdict`, at most, by the worths in use."""
    doubts = table.weigh(IN_USE).doubt
    own = [
        verdict.doubt([(one.said, verdict.worth_of(one.said, one.ranks, trust=True)) for one in need.candidates])
        for need in needs
    ]
    return float(np.max(np.abs(doubts - own)))


def objective(table: Table, by: Worths) -> float:
    """What a fit makes small: how badly doubts tell unmet needs from others, and how improbable right papers are."""
    found, unmet = table.weigh(by), table.settings == UNMET
    signs, counts = np.where(unmet, -1.0, 1.0), np.where(table.settings == IMPLICIT, IMPLICIT_WORTH, 1.0)
    told_apart = min(
        float(np.sum(counts * np.logaddexp(0.0, signs * slope * (found.doubt - middle))))
        for slope in SLOPES
        for middle in MIDDLES
    )
    named = found.named[~unmet & np.isfinite(found.named)]
    return told_apart / len(unmet) - NAMED_WORTH * float(np.mean(np.maximum(named, LEAST_NAMED)))


def descend(table: Table, start: Worths = START) -> Worths:
    """Fits the worths one after the other, in steps, until none of these gains enough."""
    best, least, gained = start, objective(table, start), True
    while gained:
        gained = False
        for name in Worths._fields:
            for step in FACTORS if name in SCALED else SHIFTS:
                tried = best._replace(**{name: _moved(name, getattr(best, name), step)})
                reached = objective(table, tried)
                if reached < least - LEAST_GAIN:
                    best, least, gained = tried, reached, True
    return best


def _moved(name: str, value: float, step: float) -> float:
    moved = round(value * step if name in SCALED else value + step, 4)
    return min(moved, 1.0) if name in RATES else moved


class Point(NamedTuple):
    """What comes of abstaining from some doubt on: shares of the needs of a setting."""

    least_doubt: float
    standard_abstained: float
    unmet_abstained: float
    standard_right: float
    implicit_right: float
    implicit_abstained: float


def curve(table: Table, by: Worths, shares: Sequence[float]) -> list[Point]:
    """What comes of abstaining on given shares of Standard needs."""
    found = table.weigh(by)
    doubts = {setting: found.doubt[table.settings == setting] for setting in (UNMET, STANDARD, IMPLICIT)}
    right = {setting: found.right[table.settings == setting] for setting in (STANDARD, IMPLICIT)}
    points = []
    for share in shares:
        least = float(np.sort(doubts[STANDARD])[::-1][int(share * len(doubts[STANDARD]))])
        abstained = {setting: doubts[setting] > least for setting in doubts}
        points.append(
            Point(
                least,
                *(float(np.mean(abstained[setting])) for setting in (STANDARD, UNMET)),
                *(float(np.mean(right[setting] & ~abstained[setting])) for setting in (STANDARD, IMPLICIT)),
                float(np.mean(abstained[IMPLICIT])),
            )
        )
    return points
