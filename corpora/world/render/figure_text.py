"""What a text says of its figures: sentences that quote them, and captions with their values."""

from __future__ import annotations

from ..facts import FIGURE_KINDS
from .draft import Paragraph
from .exhibits import is_dip, number_text, plotted
from .narrator import Narrator, Sentence
from .plans import finish
from .shared import EXPLICIT

EXHIBIT_PROPS = {"trend": ("trend", "condition", "cause"), "peak": ("trend", "condition"), "ordering": ("comparison",)}
"""Kinds of figures and the propositions that they go with."""


def exhibit_queue(narrator: Narrator) -> list[int]:
    """Places of the paper's figures."""
    return [place for place in range(2) if narrator.shared.figure_kind[narrator.row][place]]


def add_exhibit(narrator: Narrator, exhibits: list[int], prop: str, paragraph: Paragraph) -> None:
    """Put the first figure that goes with a proposition (any, for "") into a paragraph: sentence and caption."""
    shared, row = narrator.shared, narrator.row
    for place in exhibits:
        kind = FIGURE_KINDS[shared.figure_kind[row][place]]
        if prop and prop not in EXHIBIT_PROPS[kind]:
            continue
        exhibits.remove(place)
        narrator.next_sentence()
        nouns, facts, down = figure_facts(narrator, place, kind)
        options = shared.exhibits.of(narrator.group, f"figure-{kind}")
        text = narrator.phrase(options[narrator.pick(len(options))], nouns, down, facts)
        if text is None:
            return
        figure = f"figure{place}"
        paragraph.append(Sentence(finish(text), [(shared.fact_codes[figure], EXPLICIT)]))
        if kind == "ordering":
            narrator.next_sentence()
            tables = shared.exhibits.of(narrator.group, "table")
            line = narrator.phrase(tables[narrator.pick(len(tables))], nouns, 0, {"table": "1"})
            if line is not None:
                paragraph.append(Sentence(finish(line), []))
        paragraph.append(Sentence(caption(narrator, place, kind), []))
        return


def figure_facts(narrator: Narrator, place: int, kind: str) -> tuple[dict[str, int], dict[str, str], int]:
    """Nouns and printed numbers of a figure."""
    shared, row = narrator.shared, narrator.row
    measures = narrator.words.subfield.nouns
    y, x = shared.figure_y[row][place], shared.figure_x[row][place]
    series = [value for value in shared.figure_series[row][place] if value >= 0]
    grid = [value for value in shared.figure_grid[row][place] if value >= 0]
    facts = plotted(kind, measures[y], measures[x] if x >= 0 else None, series, grid)
    facts["figure"] = str(place + 1)
    nouns = {"y": y} if x < 0 else {"y": y, "x": x}
    down = int(is_dip(series) if kind == "peak" else x >= 0 and series[-1] < series[0])
    return nouns, facts, down


def caption(narrator: Narrator, place: int, kind: str) -> str:
    """The caption of a figure with its values."""
    shared, row = narrator.shared, narrator.row
    words = narrator.words
    y, x = shared.figure_y[row][place], shared.figure_x[row][place]
    measure = words.subfield.nouns[y]
    series = [value for value in shared.figure_series[row][place] if value >= 0]
    grid = [value for value in shared.figure_grid[row][place] if value >= 0]
    title = words.phrases["bare"][y]
    if kind == "ordering":
        names = [narrator.system, narrator.rival, *(shared.system_name(other) for other in grid[2:])]
        pairs = zip(names, series, strict=False)
        values = ", ".join(f"{name} {number_text(value, measure)}" for name, value in pairs)
        return f"Figure {place + 1}: {title} by method. Table 1: {values}."
    knob = words.subfield.nouns[x]
    values = ", ".join(
        f"{number_text(at, knob)}: {number_text(value, measure)}" for at, value in zip(grid, series, strict=False)
    )
    return f"Figure {place + 1}: {title} by {words.phrases['bare'][x]} ({values})."
