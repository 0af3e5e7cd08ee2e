"""The small template language of forms and frames, parsed once into tuples; FORMAT.md, "Templates", describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .blocks import Where, fail

MENTION_FORMS = ("", "the", "a", "pl", "bare", "pp", "again", "short")
VERB_FORMS = ("", "past", "to", "ing", "done", "passive", "gap")
AUXILIARIES = {"be": ("is", "are"), "was": ("was", "were"), "have": ("has", "have"), "do": ("does", "do")}

_BRACKET = re.compile(r"[\[<{\]>}]")
_NUMBER = re.compile(r"(?P<name>n\d*)(?::(?P<low>\d+)-(?P<high>\d+))?(?P<word>\.word)?$")
_VERB = re.compile(r"v:(?P<cls>[a-z-]+)(?:\.(?P<form>[a-z]+))?(?: (?P<args>[A-Za-z]\w*(?: [A-Za-z]\w*)?))?$")
_AUXILIARY = re.compile(r"(?P<aux>be|was|have|do) (?P<arg>[A-Za-z]\w*)$")
_AGREE = re.compile(r"agree (?P<arg>[A-Za-z]\w*): (?P<pairs>[^/{}]+/[^{}]+)$")
_POLAR = re.compile(r"(?:(?P<dir>dir)|good (?P<arg>[A-Za-z]\w*)): (?P<pairs>[^/{}]+/[^{}]+)$")
_ADJECTIVE = re.compile(r"adj (?P<arg>[A-Za-z]\w*)$")
_FACT = re.compile(r"fact:(?P<name>[a-z]+)$")
_MENTION = re.compile(r"(?P<plus>\+)?(?P<role>[A-Za-z]\w*)(?::(?P<type>[a-z-]+))?(?:\.(?P<form>[a-z]+))?$")


@dataclass(frozen=True)
class Literal:
    """Fixed words."""

    text: str


@dataclass(frozen=True)
class Mention:
    """A noun phrase for a role: `{effect}`, `{+cause.the}`, `{x:instrument.a}`."""

    role: str
    type: str
    form: str
    adjective: bool


@dataclass(frozen=True)
class Verb:
    """A verb of a class with its object: `{v:move cause effect}` reads "raises firing rate".

    `subject` is a role, `sg` or `pl`. The forms `passive` and `gap` leave the object out.
    """

    cls: str
    form: str
    subject: str
    object: str


@dataclass(frozen=True)
class Agree:
    """Words that agree in number with a role: pairs of (singular, plural)."""

    role: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Polar:
    """Words that follow the proposition's direction (`role` empty) or what is good for a measure."""

    role: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Predicative:
    """An adjective said of a role: `{adj effect}`."""

    role: str


@dataclass(frozen=True)
class Number:
    """An integer: `{n1:2-40}` draws it, `{n1}` says it again; `word` writes it in letters."""

    name: str
    low: int | None
    high: int | None
    word: bool


@dataclass(frozen=True)
class Fact:
    """A number or name of the paper's facts table: `{fact:gain}`."""

    name: str


@dataclass(frozen=True)
class Choice:
    """Alternatives `[a|b|]` of which one is taken."""

    options: tuple[Template, ...]


@dataclass(frozen=True)
class Adjunct:
    """A part `<…>` that may be moved to the front or dropped; it is dropped when a role in it is missing."""

    body: Template


Node = Literal | Mention | Verb | Agree | Polar | Predicative | Number | Fact | Choice | Adjunct
Template = tuple[Node, ...]


def parse(text: str, where: Where) -> Template:
    """Parse a template.

    Raises:
        CorpusFormatError: A bracket is not closed, nested against the rules, or a slot is not of the language.
    """
    nodes: list[Node] = []
    place = 0
    while place < len(text):
        sign = text[place]
        if sign in "[<{":
            closing = {"[": "]", "<": ">", "{": "}"}[sign]
            end = text.find(closing, place)
            inner = text[place + 1 : end]
            if end < 0 or (sign != "{" and sign in inner) or (sign == "[" and "<" in inner):
                raise fail(
                    where,
                    f"'{text[place:]}' is not closed or nested",
                    f"'{sign}' is closed by '{closing}'; [] holds no [] or <>, <> no <>",
                    "close it",
                )
            if sign == "{":
                nodes.append(parse_slot(inner, where))
            elif sign == "[":
                nodes.append(Choice(tuple(parse(option, where) for option in inner.split("|"))))
            else:
                nodes.append(Adjunct(parse(inner, where)))
            place = end + 1
        elif sign in "]>}":
            raise fail(
                where,
                f"'{sign}' in '{text}' closes nothing",
                "every bracket is opened before it is closed",
                "remove or open it",
            )
        else:
            found = _BRACKET.search(text, place)
            end = found.start() if found else len(text)
            nodes.append(Literal(text[place:end]))
            place = end
    return tuple(nodes)


def parse_slot(inner: str, where: Where) -> Node:
    """Parse what stands between braces.

    Raises:
        CorpusFormatError: It is none of the slots of FORMAT.md.
    """
    if found := _NUMBER.match(inner):
        low, high = (int(found["low"]), int(found["high"])) if found["low"] else (None, None)
        if low is not None and high is not None and low >= high:
            raise fail(
                where, f"'{{{inner}}}' is an empty range", "a number is {n:low-high} with low < high", "swap the ends"
            )
        return Number(found["name"], low, high, bool(found["word"]))
    if found := _VERB.match(inner):
        form, (subject, *rest) = found["form"] or "", (found["args"] or "sg").split()
        if form not in VERB_FORMS:
            raise fail(
                where,
                f"'{{{inner}}}' asks for the verb form '{form}'",
                f"verb forms are {', '.join(VERB_FORMS[1:])}",
                "take one of them",
            )
        return Verb(found["cls"], form, subject, rest[0] if rest else "")
    if found := _AUXILIARY.match(inner):
        return Agree(found["arg"], (AUXILIARIES[found["aux"]],))
    if found := _AGREE.match(inner):
        return Agree(found["arg"], read_pairs(found["pairs"], where))
    if found := _POLAR.match(inner):
        return Polar(found["arg"] or "", read_pairs(found["pairs"], where))
    if found := _ADJECTIVE.match(inner):
        return Predicative(found["arg"])
    if found := _FACT.match(inner):
        return Fact(found["name"])
    if found := _MENTION.match(inner):
        form = found["form"] or ""
        if form not in MENTION_FORMS:
            raise fail(
                where,
                f"'{{{inner}}}' asks for the form '{form}'",
                f"forms of a mention are {', '.join(MENTION_FORMS[1:])}",
                "take one of them",
            )
        return Mention(found["role"], found["type"] or "", form, bool(found["plus"]))
    raise fail(
        where, f"'{{{inner}}}' is no slot", "slots are listed in FORMAT.md under 'Templates'", "correct the slot"
    )


def read_pairs(text: str, where: Where) -> tuple[tuple[str, str], ...]:
    """Read `shows/show, is/are` into pairs.

    Raises:
        CorpusFormatError: A pair does not have two sides.
    """
    pairs = []
    for pair in text.split(","):
        sides = [side.strip() for side in pair.split("/")]
        if len(sides) != 2 or not all(sides):
            raise fail(
                where,
                f"'{pair.strip()}' is no pair",
                "pairs read 'first/second', separated by commas",
                "give both sides",
            )
        pairs.append((sides[0], sides[1]))
    return tuple(pairs)


def walk(template: Template) -> Iterator[Node]:
    """Yield every node of a template, inner ones after their parent."""
    for node in template:
        yield node
        if isinstance(node, Choice):
            for option in node.options:
                yield from walk(option)
        elif isinstance(node, Adjunct):
            yield from walk(node.body)


def literal_words(text: str) -> str:
    """Return the fixed words of a raw template line, slots as ` _ `, choices and adjuncts opened."""
    bare = re.sub(r"\{(?:agree \w+|dir|good \w+): ([^{}]*)\}", lambda found: found[1].replace("/", " _ "), text)
    return re.sub(r"[\[\]<>]|//", " ", re.sub(r"\{[^{}]*\}|\|", " _ ", bare))
