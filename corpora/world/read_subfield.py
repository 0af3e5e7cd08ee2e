"""Reader of a subfield file: its concepts, words, eponyms and compatibility tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .blocks import Block, fail
from .read_parts import keyed, pair_of, read_form, read_since
from .read_words import read_adjectives, read_nouns, read_verbs
from .registry import Registry, listed
from .terms import KINDS, Adjective, Concept, Fit, Form, Noun, Subfield, VerbEntry

CONCEPT_KEYS = {"type", "name", "short", "para", "func", "broad", "refer", "verbs", "does", "excludes", "since"}


def read_subfield(blocks: Sequence[Block], registry: Registry) -> Subfield:
    """Read the blocks of a subfield file, the first of which is `subfield ID`.

    Raises:
        CorpusFormatError: A line breaks the format.
    """
    head = blocks[0]
    if len(head.args) != 1 or head.args[0].split(".")[0] not in registry.groups:
        raise fail(
            head.where,
            f"'subfield {' '.join(head.args)}'",
            "a subfield is GROUP.NAME with a group of the registry",
            "name the group",
        )
    space = head.args[0]
    fields = keyed(head, {"title", "categories", "units"}, required=("title", "categories", "units"))
    units = tuple(pair_of(part, head.where) for part in listed(fields["units"][0].text, ";"))
    concepts: list[Concept] = []
    nouns: list[Noun] = []
    verbs: list[VerbEntry] = []
    adjectives: list[Adjective] = []
    eponyms: list[Form] = []
    fits: list[Fit] = []
    known_signs: dict[tuple[str, str], int] = {}
    readers: dict[str, Callable[[Block], None]] = {
        "concept": lambda block: concepts.append(read_concept(block, space)),
        "nouns": lambda block: nouns.extend(read_nouns(block, registry, space)),
        "verbs": lambda block: verbs.extend(read_verbs(block, registry, space)),
        "adjectives": lambda block: adjectives.extend(read_adjectives(block, registry, space)),
        "eponyms": lambda block: eponyms.extend(read_form(line, "sg") for line in block.lines),
        "fit": lambda block: fits.append(read_fit(block, space)),
        "signs": lambda block: known_signs.update(read_signs(block, space)),
    }
    for block in blocks[1:]:
        if block.kind not in readers:
            raise fail(
                block.where,
                f"block '{block.kind}' in a subfield file",
                f"it holds {', '.join(readers)}",
                "name the kind or move the block",
            )
        readers[block.kind](block)
    return Subfield(
        space,
        space.split(".")[0],
        fields["title"][0].text,
        listed(fields["categories"][0].text),
        units,
        tuple(sorted(concepts, key=lambda entry: entry.id)),
        tuple(sorted(nouns, key=lambda entry: entry.id)),
        tuple(sorted(verbs, key=lambda entry: entry.id)),
        tuple(sorted(adjectives, key=lambda entry: entry.id)),
        tuple(eponyms),
        tuple(fits),
        known_signs,
        head.where,
    )


def read_signs(block: Block, space: str) -> dict[tuple[str, str], int]:
    """Read a `signs` block: ` measure: +what-raises-it -what-lowers-it`, slugs of nouns.

    Raises:
        CorpusFormatError: A word has no sign.
    """
    found: dict[tuple[str, str], int] = {}
    for line in block.lines:
        for word in line.text.split():
            if word[0] not in "+-" or len(word) < 2:
                raise fail(
                    line.where,
                    f"'{word}' of the measure '{line.key}'",
                    "a line reads ' measure: +what-raises-it -what-lowers-it'",
                    "put + or - before it",
                )
            found[f"{space}/n/{word[1:]}", f"{space}/n/{line.key}"] = int(word[0] == "-")
    return found


def read_concept(block: Block, space: str) -> Concept:
    """Read a `concept KIND/slug` block.

    Raises:
        CorpusFormatError: Its head or a key is wrong.
    """
    kind, _, slug = (block.args[0] if block.args else "").partition("/")
    if kind not in KINDS or not slug:
        raise fail(
            block.where,
            f"'concept {' '.join(block.args)}'",
            "a concept is P/slug, M/slug or O/slug",
            "correct the head",
        )
    fields = keyed(block, CONCEPT_KEYS, required=("type", "name", "para", "func", "broad", "refer", "verbs"))

    def first(key: str) -> str:
        return fields[key][0].text if key in fields else ""

    return Concept(
        f"{space}/{block.args[0]}",
        kind,
        first("type"),
        read_form(fields["name"][0]),
        first("short"),
        tuple(read_form(line) for line in fields["para"]),
        tuple(read_form(line, "sg") for line in fields["func"]),
        first("broad"),
        pair_of(first("refer"), fields["refer"][0].where),
        listed(first("verbs")),
        listed(first("does")),
        listed(first("excludes")),
        read_since(first("since") or "1", fields["since"][0].where if "since" in fields else block.where),
        block.where,
    )


def read_fit(block: Block, space: str) -> Fit:
    """Read a compatibility table: `fit ROWS COLUMNS`, a `cols:` line, and a line of digits a row.

    Raises:
        CorpusFormatError: The head is wrong, a row has another number of cells, or a cell is not 0, 1 or 2.
    """
    if len(block.args) != 2 or tuple(block.args) not in {("P", "M"), ("P", "O"), ("M", "O"), ("C", "O")}:
        raise fail(
            block.where,
            f"'fit {' '.join(block.args)}'",
            "tables are P M, P O, M O and C O (C: nouns of type condition)",
            "correct the head",
        )
    rows, columns = block.args
    if not block.lines or block.lines[0].key != "cols":
        raise fail(
            block.where, "a table without 'cols:'", "its first line lists the slugs of the columns", "add the line"
        )
    slugs = tuple(slug for line in block.lines if line.key == "cols" for slug in listed(line.text))
    cells: dict[tuple[str, str], int] = {}
    for line in block.lines:
        if line.key == "cols":
            continue
        values = line.text.split()
        if len(values) != len(slugs) or any(value not in ("0", "1", "2") for value in values):
            raise fail(
                line.where,
                f"row '{line.key}' has {len(values)} cells for {len(slugs)} columns",
                "one of 0, 1, 2 for every column",
                "complete the row",
            )
        row = f"{space}/n/{line.key}" if rows == "C" else f"{space}/{rows}/{line.key}"
        for slug, value in zip(slugs, values, strict=True):
            cells[row, f"{space}/{columns}/{slug}"] = int(value)
    return Fit(f"{space}/fit/{rows}{columns}", rows, columns, cells, block.where)
