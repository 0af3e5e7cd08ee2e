"""What a clause says of figures, held against their data: directions, turns, proportions, orders of bars.

A clause that names what is plotted is held against that figure; one that only describes a picture ("ends at half its
starting height") against all figures of the paper, and holds when it is true of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from scholar_env.agents.words import STOP_WORDS, stem, words

Series = Sequence[float]
Figure = Mapping[str, Any]

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_NAME: Final = re.compile(r"\b[A-Z][\w-]+\b")
_PICTURE: Final = re.compile(
    r"\b(curve|plots?|graph|figure|setting|comparison|compares (?:four|its approach)|three or more alternatives"
    r"|runner-up|next best|second best|main rival (?:beaten|that)|than the main rival|weakest|one competitor behind)\b"
)


def _rises(values: Series) -> bool:
    return all(after > before for before, after in pairwise(values))


def _falls(values: Series) -> bool:
    return all(after < before for before, after in pairwise(values))


def _peaks(values: Series) -> bool:
    return max(values[1:-1]) > max(values[0], values[-1])


def _dips(values: Series) -> bool:
    return min(values[1:-1]) < min(values[0], values[-1])


def _turns(values: Series) -> bool:
    return _peaks(values) or _dips(values)


def _turn_is_large(values: Series) -> bool:
    top, low, ends = max(values[1:-1]), min(values[1:-1]), (values[0], values[-1])
    return top >= 2 * max(ends) or low <= min(ends) / 2


def _moves_early(values: Series) -> bool:
    half = (len(values) - 1) // 2
    return abs(values[half] - values[0]) > abs(values[-1] - values[-1 - half])


def _turns_early(values: Series) -> bool:
    top = max(values) if _peaks(values) else min(values)
    return values.index(top) < (len(values) - 1) / 2


Check = Callable[[Series], bool]

_LINES: Final[tuple[tuple[str, Check], ...]] = (
    (
        r"factor of two .*both ends|both ends by a factor",
        lambda v: _turns(v) and _turn_is_large(v),
    ),
    (
        r"(?:turn|turning|direction|reverses).*(?:ends higher|right end is the higher|higher at the right|above its)",
        lambda v: _turns(v) and v[-1] > v[0],
    ),
    (
        r"(?:turn|turning|direction|reverses).*(?:ends lower|right end is the lower|lower at the right|below its)",
        lambda v: _turns(v) and v[-1] < v[0],
    ),
    (
        r"(?:peak or low|turns|direction|reverses).*(?:right (?:of|half)|after the|second half)",
        lambda v: _turns(v) and not _turns_early(v),
    ),
    (
        r"(?:peak or low|turns|direction|reverses).*(?:left (?:of|half)|before the|first half)",
        lambda v: _turns(v) and _turns_early(v),
    ),
    (
        r"first (?:goes |rises )?(?:up )?and then (?:down|falls)|rise and fall again|lower at both ends"
        r"|(?:highest|largest) at neither|peaking|with a peak|has a peak|its peak between|at first but down"
        r"|(?:highest|largest) (?:at a|at an|at some|some)\b|maximum inside",
        _peaks,
    ),
    (
        r"first (?:goes |falls )?(?:down )?and then (?:up|rises)|fall and rise again|higher at both ends"
        r"|(?:lowest|smallest) at neither|bottoming|with a dip|has a dip|its low between|at first but up"
        r"|(?:lowest|smallest) (?:at a|at an|at some|some)\b|minimum inside",
        _dips,
    ),
    (r"at least doubles|twice its|grows by a factor of two|at least double", lambda v: v[-1] >= 2 * v[0]),
    (r"halved|(?:to|loses|most) half (?:of )?|half its", lambda v: v[-1] <= v[0] / 2),
    (
        r"mostly at the start|early|steep at first|most in the left",
        lambda v: not _turns(v) and _moves_early(v),
    ),
    (
        r"mostly towards the end|\blate\b|flatter at first|most in the right",
        lambda v: not _turns(v) and not _moves_early(v),
    ),
    (
        r"rises throughout|goes up all|never turns down|higher than the one before"
        r"|increases from|only ever rises",
        _rises,
    ),
    (
        r"falls throughout|goes down all|never turns up|lower than the one before"
        r"|decreases from|only ever falls",
        _falls,
    ),
)
_PEAK: Final = 5
"""Place in ``_LINES`` of the peak; the dip follows."""

_UP: Final = re.compile(
    r"\b(ris(?:es?|ing)|grow\w*|climb\w*|increas\w*|ascend\w*|goes? up|leads? up|gets? larger"
    r"|higher [\w ,-]*means more)\b"
)
_DOWN: Final = re.compile(
    r"\b(fall\w*|drop\w*|decreas\w*|descend\w*|goes? down|leads? down|gets? smaller|shrink\w*|sink\w*"
    r"|declin\w*|means less)\b"
)

_CONDITION: Final = re.compile(r" (?:as|when|if|once) ")


def lead_of(values: Series) -> float:
    """Returns the distance from the first bar to the nearest other, relative to the first."""
    return min(abs(value - values[0]) for value in values[1:]) / (abs(values[0]) or 1.0)


def _runner_up_is_second(values: Series) -> bool:
    return abs(values[1] - values[0]) <= min(abs(value - values[0]) for value in values[1:])


def _ratio(values: Series) -> float:
    """Largest ratio of another bar to the first, or of the first to it."""
    own = abs(values[0]) or 1.0
    return max(max(abs(value) / own, own / (abs(value) or 1.0)) for value in values[1:])


_BARS: Final[tuple[tuple[str, Check], ...]] = (
    (r"a tenth", lambda v: lead_of(v) <= 0.1),
    (r"a quarter|not close", lambda v: lead_of(v) >= 0.25),
    (
        r"four approaches|three others|four or more competitors|three or more alternatives|three competing",
        lambda v: len(v) >= 4,
    ),
    (r"factor of two|half as good|twice as well", lambda v: _ratio(v) >= 2),
    (
        r"runner-up other than|does not come second|not the second best|than the main rival|another competitor",
        lambda v: len(v) > 2 and not _runner_up_is_second(v),
    ),
)
_BETTER: Final = re.compile(r"\b(better|ahead of|in front of|above|beat\w*|outperform\w*|outdo\w*|stronger|superior)\b")
_WORSE: Final = re.compile(r"\b(trail\w*|behind|below|worse|weaker|inferior|loses? to)\b")


def check_plots(text: str, figures: Sequence[Figure]) -> tuple[list[bool], list[bool]]:
    """What a clause says of figures and whether it holds.

    Args:
        text: The clause.
        figures: Figures as ``read`` shows them.

    Returns:
        Verdicts on figures that the clause names, and on pictures that it only describes.
    """
    named: list[bool] = []
    lowered = text.lower()
    for figure in figures:
        values = _values(figure)
        if figure["x"] == "method":
            named += _order(text, figure, values)
        elif _is_named(lowered, figure["y"]) and len(values) > 2:
            named += _direction(lowered, values)
    if named or not _PICTURE.search(lowered):
        return named, []
    return [], _described(lowered, figures)


def bars_of(figures: Sequence[Figure]) -> list[float]:
    """Returns the values of the first figure of bars, empty where there is none."""
    return next((_values(figure) for figure in figures if figure["x"] == "method"), [])


def _values(figure: Figure) -> list[float]:
    return [_number(point["y"]) for point in figure["points"]]


def _number(printed: str) -> float:
    found = _NUMBER.search(printed)
    return float(found[0]) if found else 0.0


def _is_named(lowered: str, label: str) -> bool:
    wanted = {stem(word) for word in words(label) if word not in STOP_WORDS}
    return bool(wanted) and wanted <= {stem(word) for word in words(lowered)}


def _direction(lowered: str, values: Series) -> list[bool]:
    for cues, check in _LINES[_PEAK : _PEAK + 2]:
        if re.search(cues, lowered):
            return [check(values)]
    main = _CONDITION.split(lowered, maxsplit=1)[0]  # "drops as the setting increases" speaks of a drop
    up, down = _UP.search(main), _DOWN.search(main)
    if (up is None) == (down is None):
        return []
    return [_rises(values) if up is not None else _falls(values)]


def _described(lowered: str, figures: Sequence[Figure]) -> list[bool]:
    verdicts: list[bool] = []
    lines = [_values(figure) for figure in figures if figure["x"] != "method" and len(figure["points"]) > 2]
    bars = [_values(figure) for figure in figures if figure["x"] == "method"]
    line = next((check for cues, check in _LINES if re.search(cues, lowered)), None)
    bar = next((check for cues, check in _BARS if re.search(cues, lowered)), None)
    if line is not None:
        verdicts.append(any(line(values) for values in lines))
    elif bar is not None:
        verdicts.append(any(bar(values) for values in bars))
    return verdicts


def _order(text: str, figure: Figure, values: Series) -> list[bool]:
    """An order of two bars; the first bar is the best, so the better one is nearer to it."""
    names = [str(point["x"]) for point in figure["points"]]
    told = [name for name in _NAME.findall(text) if name in names]
    if len(told) != 2 or not (_BETTER.search(text) or _WORSE.search(text)):
        return []
    first, second = (abs(values[names.index(name)] - values[0]) for name in told)
    return [first < second if _BETTER.search(text) else first > second]
