"""A table of texts, and how it looks in Markdown, in a terminal and in HTML. Every cell is escaped in every form."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from rich.table import Table as RichTable


LONGEST_WORD: Final = 24
"""Characters of a word in a text column that a narrow terminal does not break."""


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table.

    Attributes:
        title: Heading.
        columns: Column names.
        rows: Cells, as many a row as there are columns; the first columns of text are set left, numbers right.
        n_text: Number of leading text columns.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_text: int = 1


def number(value: float, digits: int = 3) -> str:
    """A number with fixed decimals, ``–`` when undefined (NaN)."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, ``–`` when undefined (NaN)."""
    return "–" if math.isnan(value) else f"{value:+.{digits}f}"


def printable(text: str) -> str:
    """One line of text without control characters, so that it cannot steer a terminal or break a table."""
    return "".join(char if char.isprintable() else " " for char in text)


def markdown_text(text: str) -> str:
    """Text for a Markdown cell or line, with everything escaped that Markdown or HTML would read as markup."""
    plain = html.escape(printable(text), quote=False)
    return "".join(f"\\{char}" if char in "\\`*_[]|" else char for char in plain)


def markdown(table: Table) -> str:
    """The table under a level-two heading."""
    rule = ["---"] * table.n_text + ["---:"] * (len(table.columns) - table.n_text)
    lines = [table.columns, rule, *table.rows]
    cells = [[text if line is rule else markdown_text(text) for text in line] for line in lines]
    body = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    return f"## {markdown_text(table.title)}\n\n{body}\n"


def html_table(table: Table) -> str:
    """The table under a level-two heading."""
    head = "".join(f"<th>{html.escape(printable(text))}</th>" for text in table.columns)
    rows = "\n".join(f"<tr>{_html_cells(row, table.n_text)}</tr>" for row in table.rows)
    title = html.escape(printable(table.title))
    return f"<h2>{title}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n"


def _html_cells(row: Sequence[str], n_text: int) -> str:
    kinds = ("t" if at < n_text else "n" for at in range(len(row)))
    return "".join(
        f'<td class="{kind}">{html.escape(printable(text))}</td>' for kind, text in zip(kinds, row, strict=True)
    )


def rich_table(table: Table) -> RichTable:
    """The table for a terminal; cells are taken literally, never as console markup."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    title = Text(printable(table.title), style="bold")
    drawn = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for at, name in enumerate(table.columns):
        justify: Literal["left", "right"] = "left" if at < table.n_text else "right"
        drawn.add_column(Text(printable(name)), justify=justify, overflow="fold", min_width=_least(table, at))
    for row in table.rows:
        drawn.add_row(*(Text(printable(text)) for text in row))
    return drawn


def _least(table: Table, at: int) -> int:
    """Width that a column has even in a narrow terminal: no number and no short word is broken."""
    cells = [row[at] for row in table.rows]
    words = table.columns[at].split() + (
        cells if at >= table.n_text else [word for cell in cells for word in cell.split()]
    )
    longest = max((len(printable(word)) for word in words), default=1)
    return longest if at >= table.n_text else min(longest, LONGEST_WORD)
