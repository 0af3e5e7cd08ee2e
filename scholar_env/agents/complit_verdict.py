"""What a candidate is worth that was judged, and how probable it is that no paper meets a need.

A worth is a logarithm: how much likelier what a candidate says is of the paper in mind than of any other one. A need
that no paper meets is about a paper that meets all but one clause, on a trait or a named figure. So each candidate has
two worths, one as the answer and one as the paper in mind of a need that nothing meets; the sums of their exponentials
are weighed against each other.

``python benchmarks/complit_worths.py`` shows the fit: it plays needs of a training world with a third of the wordings
of clauses and passages held out of what was learned, and sets the worths below beside those that fit these needs best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from scholar_env.agents.complit_judge import Judgement, Says
from scholar_env.agents.complit_scale import log_sum

WORTH: Final[dict[str, tuple[float, float]]] = {
    "record": (2.7, 2.4),
    "figure": (4.0, 4.0),
    "picture": (2.9, 2.9),
    "comparison": (1.8, 1.0),
}
"""What a check that holds adds to a candidate, and what one that fails takes away, by kind."""

WORDS_WORTH: Final = 0.83
NAME_WORTH: Final = 3.3
RANK_WORTH: Final = 8.0
"""What words, names and ranks are worth. These, what a figure is worth and all below were fitted, but for both that are
of untold traits."""

MISREAD: Final = 0.0037
UNTOLD: Final = -0.5
SILENT: Final = -5.5
"""Of the paper in mind: how often what it tells of a trait is misread, and what it takes away when nothing is told or
it is surely silent."""

FALSE_MISREAD: Final = 0.32
FALSE_UNTOLD: Final = 0.0
FALSE_SILENT: Final = 1.7
FALSE_FIGURE: Final = 1.5
NOTHING_FALSE: Final = -1.2
"""Of the paper of which one clause is false: the same of that clause, what a named figure that contradicts it adds, and
what is added for a candidate of which no clause can be false."""


def worth_of(said: Judgement, ranks: float, *, trust: bool) -> float:
    """What a candidate is worth as the answer; ``trust`` counts checks, too."""
    worth = WORDS_WORTH * said.words + NAME_WORTH * said.names + RANK_WORTH * ranks
    if trust:
        worth += sum(WORTH[kind][0] * held - WORTH[kind][1] * failed for kind, (held, failed) in said.checks.items())
        worth += math.fsum(when_true(one) for one in said.traits)
    return worth


def when_true(said: Says) -> float:
    """What a trait is worth when the paper in mind has the value."""
    if said.share is not None:
        log = math.log((MISREAD + (1.0 - MISREAD) * said.share) * said.values)
    else:
        log = SILENT if said.silent else UNTOLD
    return _unsure(said, log)


def when_false(said: Says) -> float:
    """What a trait is worth when the need gives it a value that the paper in mind has not."""
    if said.share is not None:
        log = math.log(FALSE_MISREAD + (1.0 - FALSE_MISREAD) * (1.0 - said.share))
    else:
        log = FALSE_SILENT if said.silent else FALSE_UNTOLD
    return _unsure(said, log)


def _unsure(said: Says, log: float) -> float:
    return math.log(said.sure * math.exp(log) + 1.0 - said.sure)


def turned_worth(said: Judgement, worth: float) -> float:
    """What a candidate is worth as the paper in mind of a need that nothing meets; each clause may be the false one."""
    changes = [when_false(one) - when_true(one) for one in said.traits]
    held, failed = said.checks.get("figure", (0, 0))
    changes += [WORTH["figure"][1] + FALSE_FIGURE] * failed + [-WORTH["figure"][0] - FALSE_FIGURE] * held
    return worth + (log_sum(changes) - math.log(len(changes)) if changes else NOTHING_FALSE)


def doubt(judged: Sequence[tuple[Judgement, float]]) -> float:
    """Logarithm of the odds, but for a constant, that no paper meets a need, by judged candidates with their worths."""
    return log_sum(turned_worth(said, worth) for said, worth in judged) - log_sum(worth for _, worth in judged)
