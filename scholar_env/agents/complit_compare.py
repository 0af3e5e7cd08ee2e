"""What a clause says of a paper in comparison with another one, and whether it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from scholar_env.agents.complit_plots import bars_of, lead_of
from scholar_env.agents.study_traits import place_of

QUOTED: Final = re.compile(r"\"([^\"]{6,300})\"")

_MORE: Final = (
    ("sample", r"(more|bigger|larger).{0,12}(data|cases|sample)"),
    ("duration", r"for longer than|longer (period|stretch)|spans? more time"),
    ("latency", r"more slowly|slower|longer for a result|longer response"),
    ("maturity", r"closer to practic|nearer to application|more mature|later stage"),
    ("rivals", r"more (alternatives|rivals|competitors|approaches)|broader comparison"),
    ("lead", r"wider margin|improves more|bigger improvement|clearer lead|gains more"),
    ("year", r"later year|a year after|more recent|younger than"),
)
_LESS: Final = (
    ("sample", r"(less|fewer|smaller).{0,12}(data|cases|sample)"),
    ("duration", r"shorter (time|period|stretch)|spans? less time"),
    ("latency", r"faster|quicker|less time for a result|shorter response"),
    ("maturity", r"more remote from|further from practic|less mature|earlier stage"),
    ("rivals", r"fewer (alternatives|rivals|competitors|approaches)|narrower comparison"),
    ("lead", r"narrower margin|improves less|smaller improvement|slimmer lead|gains less"),
    ("year", r"older than|earlier year|a year before"),
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
