"""What the readers of blocks share: keys, forms, dates, lists of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from .blocks import Block, Line, Where, fail
from .registry import listed
from .templates import parse
from .terms import NUMBERS, Form, Grammatical


def keyed(block: Block, known: set[str], required: Sequence[str] = ()) -> dict[str, list[Line]]:
    """Group the lines of a block by key.

    Raises:
        CorpusFormatError: A key is unknown or a required one is missing.
    """
    found: dict[str, list[Line]] = {}
    for line in block.lines:
        if line.key not in known:
            raise fail(
                line.where,
                f"key '{line.key}' in a '{block.kind}' block",
                f"its keys are {', '.join(sorted(known))}",
                "correct the key",
            )
        found.setdefault(line.key, []).append(line)
    for key in required:
        if key not in found:
            raise fail(
                block.where,
                f"'{block.kind} {' '.join(block.args)}' lacks '{key}:'",
                f"it needs {', '.join(required)}",
                "add the line",
            )
    return found


def pair_of(text: str, where: Where) -> tuple[str, str]:
    """Read `singular / plural`.

    Raises:
        CorpusFormatError: There are not two sides.
    """
    sides = listed(text, "/")
    if len(sides) != 2:
        raise fail(where, f"'{text}'", "it reads 'singular / plural'", "give both forms")
    return sides[0], sides[1]


def read_form(line: Line, default: Grammatical = "mass") -> Form:
    """Read a wording; `| pl` or `| sg` marks its number.

    Raises:
        CorpusFormatError: Something else stands behind the bar, or the template is broken.
    """
    number = cast(Grammatical, next(iter(line.extras), default))
    if len(line.extras) > 1 or number not in NUMBERS or not line.text:
        raise fail(
            line.where,
            f"'{line.text} | {' '.join(line.extras)}'",
            "a wording is not empty and has at most '| sg', '| pl' or '| mass'",
            "correct it",
        )
    return Form(line.text, number, line.heldout, line.groups, parse(line.text, line.where), line.where)


def read_since(text: str, where: Where) -> int:
    """Read the ontology version that added an entry.

    Raises:
        CorpusFormatError: It is no positive integer.
    """
    if not text.isdigit() or int(text) < 1:
        raise fail(where, f"since '{text}'", "it is the version that added the entry, 1 or more", "write a number")
    return int(text)


def noun_ids(text: str, space: str) -> tuple[str, ...]:
    """Expand slugs of nouns; names of types (which have no `n/`) are kept by the caller."""
    return tuple(f"{space}/n/{slug}" for slug in listed(text))
