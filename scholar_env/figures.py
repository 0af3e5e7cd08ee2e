"""Figures as data series, read from the captions of a full text.

A caption that holds its data is written in one of two ways, with the values in the units of their labels::

    Figure 2: <what is plotted> by <over what> (<x>: <y>, <x>: <y>, …).
    Figure 1: <what is plotted> by method. Table 1: <name> <y>, <name> <y>, ….

So a figure shows nothing that the text does not say. Other captions have no series, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scholar_env.records import Section

_VALUE: Final = r"-?\d+(?:\.\d+)?(?: [^\s,.():]+)*"
_SERIES: Final = re.compile(
    rf"Figure (\d{{1,3}}): ([^():]+?) by ([^():]+?) \(({_VALUE}: {_VALUE}(?:, {_VALUE}: {_VALUE})+)\)\."
)
_BARS: Final = re.compile(
    rf"Figure (\d{{1,3}}): ([^():.]+?) by method\. Table \d{{1,3}}: (\S+ {_VALUE}(?:, \S+ {_VALUE})+)\."
)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Point:
    """One point: its place on the x axis and its value as printed, and the value as a number."""

    x: str
    y: str
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        number: Its number in the paper.
        y: What is plotted.
        x: Over what; ``method`` for bars.
        points: The data in the order printed, at least two points.
    """

    number: int
    y: str
    x: str
    points: tuple[Point, ...]


def figures_of(sections: Sequence[Section]) -> tuple[Figure, ...]:
    """Returns the figures of a full text that show their data, by number; of two with one number the first."""
    found: dict[int, Figure] = {}
    for section in sections:
        if "Figure " not in section.text:
            continue
        for match in _SERIES.finditer(section.text):
            pairs = [tuple(part.rsplit(": ", 1)) for part in match[4].split(", ")]
            _add(found, int(match[1]), match[2], match[3], [(x, y) for x, y in pairs])
        for match in _BARS.finditer(section.text):
            named = [part.split(" ", 1) for part in match[3].split(", ")]
            _add(found, int(match[1]), match[2], "method", [(name, y) for name, y in named])
    return tuple([found[number] for number in sorted(found)])


def _add(found: dict[int, Figure], number: int, y: str, x: str, pairs: Sequence[tuple[str, str]]) -> None:
    numbers = [_NUMBER.match(printed) for _, printed in pairs]
    points = [Point(at, y, float(match[0])) for (at, y), match in zip(pairs, numbers, strict=True) if match]
    if len(points) == len(pairs):
        found.setdefault(number, Figure(number, y, x, tuple(points)))
