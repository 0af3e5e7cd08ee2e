"""Reader of nouns, verbs and adjectives."""

from __future__ import annotations

from .blocks import Block, Line, Where, fail
from .morphology import inflect
from .read_parts import noun_ids, pair_of, read_since
from .registry import Registry, listed
from .terms import Adjective, Grammatical, Noun, VerbEntry

NOUN_EXTRAS = {"det", "prep", "short", "for", "not", "excludes", "unit", "range", "spread", "good", "heldout", "since"}
DETERMINERS = ("bare", "the", "a", "pl")


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
