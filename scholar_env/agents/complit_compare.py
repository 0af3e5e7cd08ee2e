"""What a clause says of a paper in comparison with another one, and whether it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from scholar_env.agents.complit_plots import bars_of, lead_of
from scholar_env.agents.study_traits import place_of

QUOTED: Final = re.compile(r"\"([^\"]{6,300})\"")

_MORE: Final = (
    ("sample", r"(more|bigger|larger).{0,12}(data|cases|sample)|larger in its data|outdoes.*amount of data"),
    ("duration", r"wider temporal|for longer than|longer stretch|goes beyond.*in the time|spans more time"),
    ("latency", r"slower to respond|is outpaced|waiting longer|longer response|more time for an answer"),
    ("maturity", r"further towards|nearer to practice|closer to everyday|is more mature|ahead of.*on the way"),
    ("rivals", r"more (alternatives|rivals|contenders)|fuller field|larger contest"),
    ("lead", r"bigger step|wider margin|improves more|in the lead over"),
    ("year", r"later year|more recent|younger than"),
)
_LESS: Final = (
    ("sample", r"(less|fewer|smaller).{0,12}(data|cases|sample)|falls short.*amount of data|more modest in its data"),
    ("duration", r"narrower temporal|shorter while than|shorter stretch|does not reach.*in the time|spans less time"),
    ("latency", r"quicker to respond|outpaces|shorter response|less time for an answer|waiting for a shorter"),
    ("maturity", r"more remote from|less far|further from everyday|less mature|is behind.*on the way"),
    ("rivals", r"fewer (alternatives|rivals|contenders)|thinner field|smaller contest"),
    ("lead", r"smaller step|narrower margin|improves less|slimmer lead"),
    ("year", r"older than|earlier year"),
)


class Compared(Protocol):
    """What is compared of a paper."""

    @property
    def date(self) -> str:
        """Its date."""
        ...

    @property
    def told(self) -> Mapping[str, Mapping[str, float]]:
        """How likely each value of each trait is, a logarithm."""
        ...

    @property
    def figures(self) -> Sequence[Mapping[str, Any]]:
        """Its figures."""
        ...


def check_comparison(text: str, paper: Compared, other: Compared) -> list[bool]:
    """Whether a paper stands to another as a clause says, as far as both can be measured.

    Args:
        text: The clause.
        paper: The paper.
        other: The one whose title the clause quotes.
    """
    lowered = QUOTED.sub("", text.lower())
    for kinds, sign in ((_MORE, 1), (_LESS, -1)):
        for kind, cues in kinds:
            if re.search(cues, lowered):
                own, its = _MEASURES[kind](paper), _MEASURES[kind](other)
                return [] if own is None or its is None else [sign * own > sign * its]
    return []


def _trait(name: str) -> Callable[[Compared], float | None]:
    return lambda paper: place_of(name, paper.told)


def _year(paper: Compared) -> float | None:
    return float(paper.date[:4]) if paper.date else None


def _rivals(paper: Compared) -> float | None:
    bars = bars_of(paper.figures)
    return float(len(bars)) if bars else None


def _lead(paper: Compared) -> float | None:
    bars = bars_of(paper.figures)
    return lead_of(bars[:2]) if len(bars) > 1 else None


_MEASURES: Final[Mapping[str, Callable[[Compared], float | None]]] = {
    "sample": _trait("sample"),
    "duration": _trait("duration"),
    "latency": _trait("latency"),
    "maturity": _trait("maturity"),
    "rivals": _rivals,
    "lead": _lead,
    "year": _year,
}
