"""Reader of an attribute file: an `attribute` block and one `value` block for each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .blocks import Block, Line, fail
from .read_parts import keyed, read_form, read_since
from .registry import Registry, listed
from .templates import parse
from .terms import Attribute, Evidence, Form, Value

HEAD_KEYS = {"title", "groups", "moves", "labels"}
VALUE_KEYS = {"title", "weight", "ask", "expl", "para", "evid", "fits", "where", "clash", "excludes", "since"}


def read_attribute(blocks: Sequence[Block], registry: Registry) -> Attribute:
    """Read the blocks of an attribute file.

    Raises:
        CorpusFormatError: A line breaks the format.
    """
    head = blocks[0]
    fields = keyed(head, HEAD_KEYS | {"since"}, required=tuple(sorted(HEAD_KEYS)))
    if len(head.args) != 1:
        raise fail(head.where, f"'attribute {' '.join(head.args)}'", "the head reads 'attribute slug'", "name it")
    groups = tuple(registry.groups) if fields["groups"][0].text == "all" else listed(fields["groups"][0].text)
    unknown = [group for group in groups if group not in registry.groups]
    if unknown:
        raise fail(
            fields["groups"][0].where,
            f"groups {', '.join(unknown)}",
            f"groups are all, or of {', '.join(registry.groups)}",
            "correct them",
        )
    moves = listed(fields["moves"][0].text)
    if not moves or any(move not in registry.moves for move in moves):
        raise fail(
            fields["moves"][0].where,
            f"moves {', '.join(moves)}",
            f"moves are of {', '.join(registry.moves)}",
            "name one or more",
        )
    values = []
    for block in blocks[1:]:
        if block.kind != "value" or len(block.args) != 1:
            raise fail(
                block.where,
                f"block '{block.kind} {' '.join(block.args)}'",
                "an attribute file holds 'value slug' blocks",
                "move it",
            )
        values.append(read_value(block, head.args[0], groups))
    since = read_since(fields["since"][0].text if "since" in fields else "1", head.where)
    return Attribute(
        head.args[0],
        fields["title"][0].text,
        groups,
        moves,
        tuple(label.strip() for label in fields["labels"][0].text.split(",")),
        tuple(sorted(values, key=lambda entry: entry.id)),
        since,
        head.where,
    )


def read_value(block: Block, space: str, groups: tuple[str, ...]) -> Value:
    """Read a `value slug` block; `fits`, `where` and `clash` belong to the `evid` line above them.

    Raises:
        CorpusFormatError: A key is unknown or stands in the wrong place.
    """
    fields = keyed(block, VALUE_KEYS, required=("title", "weight", "ask", "expl", "para", "evid"))
    weights: dict[str, int] = {}
    for line in fields["weight"]:
        if not line.text.isdigit():
            raise fail(line.where, f"weight '{line.text}'", "a weight is an integer from 0", "correct it")
        weights.update(dict.fromkeys(line.groups or groups, int(line.text)))
    evidence: list[Evidence] = []
    for line in block.lines:
        if line.key == "evid":
            evidence.append(read_evidence(line))
        elif line.key in ("fits", "where", "clash"):
            if not evidence:
                raise fail(
                    line.where,
                    f"'{line.key}:' before any 'evid:'",
                    "it belongs to the evidence set above it",
                    "move it down",
                )
            evidence[-1] = complete_evidence(evidence[-1], line)

    def forms(key: str) -> tuple[Form, ...]:
        return tuple(read_form(line, "sg") for line in fields[key])

    return Value(
        f"{space}/{block.args[0]}",
        fields["title"][0].text,
        weights,
        forms("ask"),
        forms("expl"),
        forms("para"),
        tuple(evidence),
        tuple(item for line in fields.get("excludes", []) for item in listed(line.text)),
        read_since(fields["since"][0].text if "since" in fields else "1", block.where),
        block.where,
    )


def read_evidence(line: Line) -> Evidence:
    """Read `evid: half >> half`.

    Raises:
        CorpusFormatError: There are fewer than two halves.
    """
    halves = [half.strip() for half in line.text.split(">>")]
    if len(halves) < 2 or not all(halves):
        raise fail(
            line.where,
            f"evidence '{line.text}'",
            "a set has two halves or more, separated by '>>'",
            "split it into facts for different sections",
        )
    forms = tuple(Form(half, "sg", line.heldout, line.groups, parse(half, line.where), line.where) for half in halves)
    return Evidence(forms, (), "", (), line.heldout, line.groups, line.where)


def complete_evidence(evidence: Evidence, line: Line) -> Evidence:
    """Add what a `fits`, `where` or `clash` line says of the evidence set above it."""
    if line.key == "fits":
        return replace(evidence, fits=tuple(listed(half) for half in line.text.split(">>")))
    if line.key == "where":
        return replace(evidence, condition=line.text)
    return replace(evidence, excludes=(*evidence.excludes, *listed(line.text)))
