"""The line reader of the ontology's data files: blocks, keyed lines and tabular entries, each with its file and line.

Nothing here knows what a block means; `ontology.py` does. FORMAT.md, section "Lines", is the reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scholar_env.errors import CorpusFormatError

HEAD = re.compile(r"[a-z]+( \S.*)?$")
BRACKET_OR_BAR = re.compile(r"[\[{\]}|]")
LINE = re.compile(r"(?P<key>[A-Za-z0-9][A-Za-z0-9.-]*)(?P<groups>@[a-z,-]+)?(?P<star>\*)?:(?: (?P<text>.*))?$")
MAX_COLUMNS = 200


@dataclass(frozen=True, order=True)
class Where:
    """A place in a data file.

    Attributes:
        file: Path as it was given to the reader.
        line: Line number from 1.
    """

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Line:
    """One indented line: `key[@groups][*]: text | name=value …`.

    Attributes:
        key: What stands before the colon: a field name or the slug of an entry.
        text: What stands between the colon and the first ` | ` outside brackets.
        extras: The `name=value` words behind the bar; a bare word `name` is held as `name -> ""`.
        groups: Groups after `@`, empty for all.
        heldout: True where the key carries a star: a form kept for test worlds.
        where: File and line.
    """

    key: str
    text: str
    extras: dict[str, str]
    groups: tuple[str, ...]
    heldout: bool
    where: Where


@dataclass(frozen=True)
class Block:
    """One block: a head at the margin and the indented lines below it.

    Attributes:
        kind: First word of the head.
        args: The other words of the head up to a bar.
        extras: The `name=value` words behind the bar of the head.
        lines: The indented lines in file order.
        where: File and line of the head.
    """

    kind: str
    args: tuple[str, ...]
    extras: dict[str, str]
    lines: tuple[Line, ...]
    where: Where


def fail(where: Where, what: str, rule: str, mend: str) -> CorpusFormatError:
    """Return the error for a fault in a data file; the message starts with file and line."""
    return CorpusFormatError(f"{where}: {what}", rule, mend)


def split_bar(text: str) -> tuple[str, str]:
    """Split at the first bar that stands outside `[]` and `{}`; the second part is empty without one."""
    depth = 0
    for found in BRACKET_OR_BAR.finditer(text) if "|" in text else ():
        sign = found[0]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif depth == 0:
            return text[: found.start()].strip(), text[found.end() :].strip()
    return text.strip(), ""


def read_extras(text: str, where: Where) -> dict[str, str]:
    """Read `name=value` words into a dictionary.

    Raises:
        CorpusFormatError: A name stands twice.
    """
    extras: dict[str, str] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name in extras:
            raise fail(
                where, f"'{name}' stands twice behind the bar", "each name stands once", "join the values with commas"
            )
        extras[name] = value
    return extras


def read_line(text: str, where: Where) -> Line:
    """Read one indented line.

    Raises:
        CorpusFormatError: The line has no `key:`, or nothing is a key there.
    """
    found = LINE.match(text)
    if found is None:
        raise fail(
            where,
            f"'{text}' is no line of a block",
            "an indented line reads 'key[@groups][*]: text'",
            "add the key and the colon",
        )
    body, behind = split_bar(found["text"] or "")
    groups = tuple((found["groups"] or "")[1:].split(",")) if found["groups"] else ()
    return Line(found["key"], body, read_extras(behind, where), groups, bool(found["star"]), where)


def read_blocks(path: Path, name: str | None = None) -> tuple[Block, ...]:
    """Read a data file into blocks.

    Args:
        path: A UTF-8 text file.
        name: How findings call the file; by default the path itself.

    Raises:
        CorpusFormatError: A line is too long, holds a tab, stands outside a block, or a head is malformed.
    """
    blocks: list[Block] = []
    head: tuple[str, Where] | None = None
    lines: list[Line] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        where = Where(name or str(path), number)
        if "\t" in raw or len(raw) > MAX_COLUMNS:
            raise fail(
                where,
                f"a line of {len(raw)} signs or with a tab",
                f"spaces only, at most {MAX_COLUMNS} signs",
                "shorten the line",
            )
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        if raw[0] != " ":
            if head is not None:
                blocks.append(make_block(*head, lines))
            head, lines = (raw.strip(), where), []
        elif head is None:
            raise fail(
                where,
                f"'{raw.strip()}' stands before any block",
                "indented lines belong to a head at the margin",
                "write the head first",
            )
        else:
            lines.append(read_line(raw.strip(), where))
    if head is not None:
        blocks.append(make_block(*head, lines))
    return tuple(blocks)


def make_block(head: str, where: Where, lines: list[Line]) -> Block:
    """Join a head and its lines.

    Raises:
        CorpusFormatError: The head does not start with a lower-case word.
    """
    text, behind = split_bar(head)
    if HEAD.match(text) is None:
        raise fail(
            where,
            f"'{head}' is no head of a block",
            "a head reads 'kind [arguments] [| name=value …]'",
            "indent the line or name its kind",
        )
    kind, *args = text.split()
    return Block(kind, tuple(args), read_extras(behind, where), tuple(lines), where)
