"""Figures and tables as a text shows them: sentences that quote them, captions, and rows."""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks import Where
from ..ontology import Ontology
from ..templates import parse
from ..terms import Noun
from .clause import Parts
from .realize import Compiler

PHRASES = (
    *("figure-trend", "figure-peak", "figure-ordering", "table", "title", "survey", "survey-title"),
    *("lead", "tail"),
)


class Exhibits:
    """Compiled phrases of titles, surveys and exhibits, by group and class.

    Args:
        ontology: The ontology.
    """

    def __init__(self, ontology: Ontology) -> None:
        compiler = Compiler(ontology)
        self._phrases: dict[tuple[str, str], tuple[Parts, ...]] = {}
        groups = sorted({subfield.group for subfield in ontology.subfields})
        parsed = [
            (entry, compiler.compile(parse(entry.text, Where(entry.where.file, entry.where.line))))
            for entry in ontology.phrases
            if entry.kind == "phrases" and entry.cls in PHRASES
        ]
        for group in groups:
            for cls in PHRASES:
                own = [(entry, parts) for entry, parts in parsed if entry.cls == cls and entry.group in ("any", group)]
                # a group's own phrases are drawn as often as three shared ones
                self._phrases[group, cls] = tuple(
                    parts for entry, parts in own for _ in range(1 if entry.group == "any" else 3)
                )

    def of(self, group: str, cls: str) -> tuple[Parts, ...]:
        """Phrases of a class that a group may use."""
        return self._phrases[group, cls]


def number_text(value: int, noun: Noun) -> str:
    """Print a value of a noun with its unit, from integers alone: 84 with one decimal and Hz is "8.4 Hz"."""
    scale = 10**noun.decimals
    text = f"{value // scale}.{value % scale:0{noun.decimals}d}" if noun.decimals else str(value)
    return text if noun.unit in ("", "1") else f"{text} {noun.unit.replace('_', ' ')}"


def plotted(kind: str, y: Noun, x: Noun | None, series: Sequence[int], grid: Sequence[int]) -> dict[str, str]:
    """Printed numbers of a figure.

    Args:
        kind: Its kind.
        y: The measure.
        x: The setting that it is drawn over, None for an ordering.
        series: Values of the measure.
        grid: Values of the setting.
    """
    facts = {"first": number_text(series[0], y)}
    if x is None:
        facts["last"] = number_text(series[1], y)
        facts["count"] = str(len(series))
        return facts
    facts["last"] = number_text(series[-1], y)
    facts["from"], facts["to"] = number_text(grid[0], x), number_text(grid[-1], x)
    if kind == "peak":
        top = min(series[1:-1]) if is_dip(series) else max(series[1:-1])
        facts["top"], facts["at"] = number_text(top, y), number_text(grid[series.index(top)], x)
    return facts


def is_dip(series: Sequence[int]) -> bool:
    """Tell whether a curve with a turn inside turns at its lowest value."""
    return min(series[1:-1]) < min(series[0], series[-1])


def tenths(value: int) -> str:
    """Print tenths: 61 is "6.1"."""
    return f"{value // 10}.{value % 10}"
