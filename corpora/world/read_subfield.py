"""Reader of a subfield file: concepts, nouns, verbs, adjectives, eponyms and compatibility tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from .blocks import Block, Line, Where, fail
from .morphology import inflect
from .registry import Registry, listed
from .templates import parse
from .terms import KINDS, NUMBERS, Adjective, Concept, Fit, Form, Grammatical, Noun, Subfield, VerbEntry

CONCEPT_KEYS = {"type", "name", "short", "para", "func", "broad", "refer", "verbs", "does", "excludes", "since"}
NOUN_EXTRAS = {"det", "prep", "short", "for", "not", "excludes", "unit", "range", "spread", "good", "heldout", "since"}
DETERMINERS = ("bare", "the", "a", "pl")


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


def read_since(text: str, where: Where) -> int:
    """Read the ontology version that added an entry.

    Raises:
        CorpusFormatError: It is no positive integer.
    """
    if not text.isdigit() or int(text) < 1:
        raise fail(where, f"since '{text}'", "it is the version that added the entry, 1 or more", "write a number")
    return int(text)


def read_nouns(block: Block, registry: Registry, space: str) -> list[Noun]:
    """Read a `nouns TYPE` block; the extras of its head are the defaults of its lines.

    Raises:
        CorpusFormatError: The type is not a concrete one, or a line is malformed.
    """
    if len(block.args) != 1 or block.args[0] not in registry.leaves(registry.types):
        raise fail(
            block.where,
            f"'nouns {' '.join(block.args)}'",
            f"one of {', '.join(registry.leaves(registry.types))}",
            "take a type of the registry",
        )
    return [read_noun(line, {**block.extras, **line.extras}, block.args[0], registry, space) for line in block.lines]


def read_noun(line: Line, extras: dict[str, str], kind: str, registry: Registry, space: str) -> Noun:
    """Read `slug: singular / plural`, `slug: name / mass` or `slug: - / plural`."""
    entry = registry.types[kind]
    singular, plural = pair_of(line.text, line.where)
    number: Grammatical = "mass" if plural == "mass" else "pl" if singular == "-" else "sg"
    det = extras.get("det", entry.det)
    if set(extras) - NOUN_EXTRAS or det not in DETERMINERS:
        raise fail(
            line.where,
            f"noun '{line.key}' with {extras}",
            f"extras are {', '.join(sorted(NOUN_EXTRAS))}; det is {', '.join(DETERMINERS)}",
            "correct it",
        )
    span, decimals = read_span(extras["range"], line.where) if "range" in extras else (None, 0)
    only = tuple(f"{space}/{item}" for item in listed(extras.get("for", "")))
    return Noun(
        f"{space}/n/{line.key}",
        kind,
        plural if number == "pl" else singular,
        singular if number == "mass" else plural,
        number,
        det,
        extras.get("prep", entry.prep),
        extras.get("short", "").replace("_", " "),
        only,
        tuple(f"{space}/{item}" for item in listed(extras.get("not", ""))),
        listed(extras.get("excludes", "")),
        extras.get("unit", "").replace("_", " "),
        span,
        decimals,
        int(extras.get("spread", "0")),
        extras.get("good", entry.good),
        line.heldout,
        read_since(extras.get("since", "1"), line.where),
        line.where,
    )


def read_span(text: str, where: Where) -> tuple[tuple[int, int], int]:
    """Read `2.0-80.0` as integers in units of the last decimal: `((20, 800), 1)`.

    Raises:
        CorpusFormatError: It is no range.
    """
    low, _, high = text.partition("-")
    places = {len(end.partition(".")[2]) for end in (low, high)}
    if len(places) != 1 or not (low.replace(".", "", 1).isdigit() and high.replace(".", "", 1).isdigit()):
        raise fail(
            where, f"range '{text}'", "it reads low-high with the same number of decimals, as 2.0-80.0", "correct it"
        )
    span = (int(low.replace(".", "")), int(high.replace(".", "")))
    if span[0] >= span[1]:
        raise fail(where, f"range '{text}' is empty", "low is below high", "swap the ends")
    return span, places.pop()


def noun_ids(text: str, space: str) -> tuple[str, ...]:
    """Expand slugs of nouns; names of types (which have no `n/`) are kept by the caller."""
    return tuple(f"{space}/n/{slug}" for slug in listed(text))


def read_verbs(block: Block, registry: Registry, space: str) -> list[VerbEntry]:
    """Read a `verbs CLASS` block: `slug:`, or all five forms; `subj=` and `obj=` narrow to types or `n/slug` nouns.

    Raises:
        CorpusFormatError: The class is unknown or a line malformed.
    """
    cls = registry.classes.get(block.args[0] if len(block.args) == 1 else "")
    if cls is None or cls.pair is not None:
        names = [name for name, entry in registry.classes.items() if entry.pair is None]
        raise fail(
            block.where, f"'verbs {' '.join(block.args)}'", f"one of {', '.join(names)}", "take a class of the registry"
        )
    verbs = []
    for line in block.lines:
        forms = listed(line.text) or (line.key.replace("-", " "),)
        if len(forms) == 1:
            forms = (forms[0], *inflect(forms[0]))
        if len(forms) != 5 or set(line.extras) - {"subj", "obj", "since"}:
            raise fail(
                line.where,
                f"verb '{line.key}'",
                "'slug:' for a regular verb, 'slug: base, third, past, participle, -ing' else",
                "give all forms",
            )
        narrowed = []
        for key, default in (("subj", cls.subject), ("obj", cls.object)):
            items = listed(line.extras.get(key, "")) or default
            for item in items:
                if not item.startswith("n/") and item not in registry.types:
                    raise fail(
                        line.where,
                        f"{key}={item} of verb '{line.key}'",
                        "a type of the registry or n/slug of the file",
                        "correct it",
                    )
            narrowed.append(tuple(f"{space}/{item}" if item.startswith("n/") else item for item in items))
        verbs.append(VerbEntry(f"{space}/v/{cls.id}/{line.key}", cls.id, *forms, narrowed[0], narrowed[1], line.where))
    return verbs


def read_adjectives(block: Block, registry: Registry, space: str) -> list[Adjective]:
    """Read an `adjectives TYPE,TYPE` block: `slug: adjective | grad attr only=noun,noun not=noun`.

    Raises:
        CorpusFormatError: A type or an extra is unknown.
    """
    types = listed(",".join(block.args))
    entries = []
    for line in block.lines:
        if any(kind not in registry.types for kind in types) or set(line.extras) - {
            "grad",
            "attr",
            "only",
            "not",
            "since",
        }:
            raise fail(
                line.where,
                f"adjective '{line.key}' for {', '.join(types)}",
                "types of the registry; extras grad, attr, only=, not=",
                "correct it",
            )
        entries.append(
            Adjective(
                f"{space}/a/{line.key}",
                line.text or line.key,
                types,
                noun_ids(line.extras.get("only", ""), space),
                noun_ids(line.extras.get("not", ""), space),
                "grad" in line.extras,
                "attr" not in line.extras,
                line.where,
            )
        )
    return entries


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
