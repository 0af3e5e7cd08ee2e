"""Figures of papers as integer series, which agree with the signs of the terms and with the numbers of the text.

`trend` plots the noun `second` over `knob`, its direction is their sign, and its last value is the paper's `level`.
`ordering` plots `merit` for the paper's system and earlier ones; the first bar is the paper's own and the best, the
second is its baseline, and their relative difference is the paper's `gain`. `peak` plots `symptom` over
`knob`, best inside the range.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .amounts import spans_of
from .cells import Topics
from .choice import Flags, Ints, chance
from .facts import CAST, FIGURE_KINDS, Figures
from .signs import signs
from .spec import WorldSpec
from .streams import below, column
from .terms import Subfield

POINTS = 6
TREND, ORDERING, PEAK = (FIGURE_KINDS.index(kind) for kind in ("trend", "ordering", "peak"))
SHOWN = {TREND: 620, ORDERING: 620, PEAK: 500}
"""Share of papers that show a figure, in thousandths, of those that can."""


@dataclass(frozen=True)
class Plotted:
    """Figures, and the numbers that they settle (`Facts.gain`, `Facts.level`)."""

    figures: Figures
    gain: NDArray[np.int32]
    level: NDArray[np.int32]


def rising(seed: int, purpose: str, low: Ints, high: Ints) -> Ints:
    """Six strictly rising integers between two bounds for each row (the bounds at least 6 apart): int64 [n, 6]."""
    count = len(low)
    steps = 1 + np.stack([below(column(seed, f"{purpose}/{at}", count), 24) for at in range(POINTS + 1)], axis=1)
    sums = np.cumsum(steps, axis=1)
    inside = sums[:, :POINTS] * (high - low - POINTS)[:, None] // sums[:, -1:]
    return low[:, None] + inside + np.arange(POINTS)


def narrowed(seed: int, purpose: str, bounds: tuple[Ints, Ints], spread: Ints) -> Ints:
    """A part of each range, where a curve lies.

    It is a seventh to a half of the range, no more than the noun's spread, and, where there is room, a rise by the
    factor four at most.

    Args:
        seed: Of the world.
        purpose: Key of the draws.
        bounds: The ranges.
        spread: The most that the noun varies within a paper, in percent of its value; 0 for any.
    """
    low, width = bounds[0], bounds[1] - bounds[0]
    count = len(low)
    inner = width // 7 + below(column(seed, f"{purpose}/width", count), np.maximum(width * 5 // 14, 1))
    inner = np.where(spread > 0, np.minimum(inner, (low + width // 4) * spread // 100), inner)
    inner = np.minimum(np.maximum(inner, POINTS + 2), width)
    least = np.maximum(low, np.minimum(inner // 3, low + width - inner))
    start = least + below(column(seed, f"{purpose}/low", count), low + width - inner - least + 1)
    return np.stack([start, start + inner], axis=1)


def peaked(seed: int, purpose: str, low: Ints, high: Ints) -> Ints:
    """Six integers that rise to an inner point and fall behind it: int64 [n, 6]."""
    series = rising(seed, purpose, low, high)
    top = 2 + below(column(seed, f"{purpose}/top", len(low)), 2)
    places = np.arange(POINTS)
    # Before the top the odd steps of the series, behind it the rest, so that all values differ.
    ahead = top[:, None] - places
    wanted = np.where(ahead >= 0, POINTS - 1 - 2 * ahead, POINTS + 2 * ahead)
    rank = np.argsort(np.argsort(wanted, axis=1, kind="stable"), axis=1, kind="stable")
    return np.take_along_axis(series, rank, axis=1)


def spans(subfields: tuple[Subfield, ...], topics: Topics, nouns: NDArray[np.int16]) -> Ints:
    """Range of values of one noun for each paper: int64 [papers, 2], -1 without one."""
    out = np.full((len(nouns), 2), -1, dtype=np.int64)
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        out[rows] = spans_of(subfield)[nouns[rows]]
    return out


def spreads(subfields: tuple[Subfield, ...], topics: Topics, nouns: NDArray[np.int16]) -> Ints:
    """Percent by which a noun varies within a paper at most, 0 for any: int64 [papers]."""
    out = np.zeros(len(nouns), dtype=np.int64)
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        out[rows] = np.array([*(noun.spread for noun in subfield.nouns), 0], dtype=np.int64)[nouns[rows]]
    return out


def wide(span: Ints, least: int = POINTS + 1) -> Flags:
    """Ranges with room for a series of different values."""
    return np.asarray(span[:, 1] - span[:, 0] >= least, dtype=np.bool_)


def lower_is_better(subfields: tuple[Subfield, ...], topics: Topics, nouns: NDArray[np.int16]) -> Flags:
    """Measures of which less is better."""
    out = np.zeros(len(nouns), dtype=np.bool_)
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        out[rows] = np.array([*(noun.good == "low" for noun in subfield.nouns), False])[nouns[rows]]
    return out


def directions(
    subfields: tuple[Subfield, ...], topics: Topics, subjects: NDArray[np.int16], targets: NDArray[np.int16]
) -> Flags:
    """True where the subject of a paper lowers the target."""
    out = np.zeros(len(subjects), dtype=np.bool_)
    for at, subfield in enumerate(subfields):
        rows = np.flatnonzero(topics.subfield == at)
        out[rows] = signs(subfield, subjects[rows], targets[rows]) == 1
    return out


def draw_figures(
    spec: WorldSpec,
    subfields: tuple[Subfield, ...],
    topics: Topics,
    cast: NDArray[np.int16],
    compared: NDArray[np.int32],
    gain: NDArray[np.int32],
    level: NDArray[np.int32],
) -> Plotted:
    """Draw the figures of all papers.

    Args:
        spec: The world.
        subfields: Its subfields.
        topics: What papers are about.
        cast: Their nouns.
        compared: int32 [papers, 5]: rows of earlier papers to compare with, the baseline first; -1 beyond.
        gain: Gains of papers that show no ordering.
        level: Levels of papers that show no trend.
    """
    size = spec.papers
    part = {name: cast[:, CAST.index(name)] for name in ("second", "symptom", "merit", "knob")}
    span = {name: spans(subfields, topics, nouns) for name, nouns in part.items()}
    show = draw_shown(spec, span, compared)
    curve = {
        name: narrowed(spec.seed, f"figure/{name}", padded(span[name]), spreads(subfields, topics, part[name]))
        for name in ("second", "symptom")
    }
    trend = rising(spec.seed, "figure/trend", curve["second"][:, 0], curve["second"][:, 1])
    falls = directions(subfields, topics, part["knob"], part["second"])
    trend = np.where(falls[:, None], trend[:, ::-1], trend)
    low, high = curve["symptom"].T
    peak = peaked(spec.seed, "figure/peak", low, high)
    dips = lower_is_better(subfields, topics, part["symptom"])
    peak = np.where(dips[:, None], (low + high)[:, None] - peak, peak)
    bars = ordered(spec, span["merit"], compared, lower_is_better(subfields, topics, part["merit"]))
    knob = rising(spec.seed, "figure/x", *padded(span["knob"]))
    own = np.concatenate([np.arange(size)[:, None], compared], axis=1)
    figures = empty_figures(size)
    slot = np.zeros(size, dtype=np.int64)
    place(figures, show[TREND], slot, TREND, part["second"], part["knob"], trend, knob)
    slot += show[TREND]
    place(figures, show[ORDERING], slot, ORDERING, part["merit"], None, bars, own)
    slot += show[ORDERING]
    place(figures, show[PEAK] & (slot < 2), slot, PEAK, part["symptom"], part["knob"], peak, knob)
    ratio, rival = abs(bars[:, 0] - bars[:, 1]) * 1000, np.maximum(bars[:, 1], 1)
    return Plotted(
        figures,
        np.where(show[ORDERING], (ratio + rival // 2) // rival, gain).astype(np.int32),
        np.where(show[TREND], trend[:, -1], level).astype(np.int32),
    )


def draw_shown(spec: WorldSpec, span: dict[str, Ints], compared: NDArray[np.int32]) -> dict[int, Flags]:
    """Draw which kinds of figure each paper shows, of those that its nouns allow."""
    size = spec.papers
    can = {
        TREND: wide(span["second"]) & wide(span["knob"]),
        ORDERING: wide(span["merit"], 12) & (compared[:, 0] >= 0),
        PEAK: wide(span["symptom"]) & wide(span["knob"]),
    }
    show = {kind: able & chance(spec.seed, f"figure/{kind}", size, SHOWN[kind]) for kind, able in can.items()}
    bare = ~(show[TREND] | show[ORDERING] | show[PEAK])
    for kind, able in can.items():
        # A paper that could show a figure shows one, nine times in ten.
        late = bare & able & chance(spec.seed, f"figure/{kind}/late", size, 900)
        show[kind], bare = show[kind] | late, bare & ~late
    return show


def empty_figures(size: int) -> Figures:
    """Tables without a figure."""
    return Figures(
        np.zeros((size, 2), dtype=np.int8),
        np.full((size, 2), -1, dtype=np.int16),
        np.full((size, 2), -1, dtype=np.int16),
        np.full((size, 2, POINTS), -1, dtype=np.int32),
        np.full((size, 2, POINTS), -1, dtype=np.int32),
    )


def padded(span: Ints) -> tuple[Ints, Ints]:
    """Bounds of ranges; those without a range or with a narrow one get a wide one, whose series nobody shows."""
    narrow = ~wide(span)
    return np.where(narrow, 0, span[:, 0]), np.where(narrow, 100, span[:, 1])


def place(
    figures: Figures,
    rows: Flags,
    slot: Ints,
    kind: int,
    y: NDArray[np.int16],
    x: NDArray[np.int16] | None,
    series: Ints,
    grid: Ints,
) -> None:
    """Put one kind of figure into the tables, into the slot of each row."""
    at = np.flatnonzero(rows)
    figures.kind[at, slot[at]] = kind
    figures.y[at, slot[at]] = y[at]
    if x is not None:
        figures.x[at, slot[at]] = x[at]
    figures.series[at, slot[at]] = series[at]
    figures.grid[at, slot[at]] = grid[at]


def ordered(spec: WorldSpec, span: Ints, compared: NDArray[np.int32], lower: Flags) -> Ints:
    """Values of rival methods: the paper's own is the best, the baseline is second best or worse.

    Returns:
        int64 [papers, 6]; -1 where there is no rival.
    """
    size = len(span)
    low, high = padded(span)
    width = high - low
    # The own bar lies in the better half, not at its end; the baseline three to seventeen percent of the range behind.
    own = high - width // 8 - below(column(spec.seed, "bars/own", size), np.maximum(width // 3, 1))
    bars = [own]
    for at in range(POINTS - 1):
        gap = np.maximum(width // 30, 1) + below(column(spec.seed, f"bars/{at}", size), np.maximum(width // 7, 1))
        bars.append(
            np.maximum(own - gap - (at > 0) * below(column(spec.seed, f"bars/more-{at}", size), width // 4), low)
        )
    values = np.stack(bars, axis=1)
    values = np.where(lower[:, None], (low + high)[:, None] - values, values)
    values[:, 1:][compared < 0] = -1
    return values
