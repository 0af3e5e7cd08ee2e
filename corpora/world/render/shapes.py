"""Frames, compiled: what each one says, what it needs for that, and how often it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..ontology import Ontology
from ..templates import Adjunct, Agree, Choice, Fact, Literal, Mention, Node, Polar, Template, Verb, walk
from ..terms import Frame
from .clause import NAME_ROLES, TEXT_ROLES, Parts
from .realize import Compiler, first_forms, roles_of

NAMED = ("P", "M", "O", "system", "dataset", "baseline")
"""What an abstract has to name."""

NAMED_BIT = {name: 1 << place for place, name in enumerate(NAMED)} | {
    "who": 1 << 3,
    "user": 1 << 3,
    "left": 1 << 3,
    "right": 1 << 5,
}

RUN = 4
WEIGHTS = (12, 9, 6, 4, 3, 2, 1)
"""Weight of a frame with no, one, two, … runs of RUN fixed words; the last one for all with more."""

DESCRIBED = ("cause", "source", "by", "when")
"""Roles that an adjective may describe: what acts, not what is observed, spent, set or judged."""

CITED_ROLES = frozenset(("cited", "cited2"))
"""Roles of texts that not every clause has."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A frame that is a finite clause, compiled. Equal to itself only, so that a set of frames is quick to search.

    Attributes:
        id: The frame's id.
        tone: Sentiment of a citation.
        subject, predicate: The two parts of the clause.
        front: The adjunct at its end that may stand first, None where there is none.
        body: The predicate without it.
        needs: Noun roles that must be filled.
        describable: Those that an adjective may describe.
        narrows: Role -> the noun types that it must be of.
        facts: Numbers that it quotes.
        named: Bits of NAMED that it says.
        always: Roles that it mentions whatever choices and adjuncts do.
        texts: Those of CITED_ROLES that it mentions.
        weight: How often it is drawn: the less of it is fixed, the less two papers will sound alike.
    """

    id: str
    tone: str
    subject: Parts
    predicate: Parts
    front: Parts | None
    body: Parts
    needs: tuple[str, ...]
    describable: tuple[str, ...]
    narrows: tuple[tuple[str, frozenset[str]], ...]
    facts: tuple[str, ...]
    named: int
    always: frozenset[str]
    texts: tuple[str, ...]
    weight: int


@cache
def names(*given: str) -> tuple[str, ...]:
    """A tuple of names, the same object for the same names: what many frames share stays in the processor's cache."""
    return given


@cache
def set_of(given: tuple[str, ...]) -> frozenset[str]:
    """A set of names, the same object for the same names."""
    return frozenset(given)


def shape_of(frame: Frame, ontology: Ontology, compiler: Compiler) -> Shape:
    """Compile a frame."""
    whole = (*frame.subject, *frame.predicate)
    forms = first_forms(whole)
    front, body = fronted(frame.predicate)
    roles = roles_of(whole)
    required = roles_of([node for node in whole if not isinstance(node, Adjunct)])
    needs = names(*sorted(required - TEXT_ROLES))
    opened = ontology.synonyms.opened
    named = 0
    for role in roles:
        named |= NAMED_BIT.get(role, 0)
    return Shape(
        id=frame.id,
        tone=frame.tone,
        subject=compiler.compile(opened(frame.subject), forms, record=False),
        predicate=compiler.compile(opened(frame.predicate), forms, record=False),
        front=compiler.compile(front, forms, record=False) if front else None,
        body=compiler.compile(opened(body), forms, record=False),
        needs=needs,
        describable=names(*(role for role in needs if role in DESCRIBED)),
        narrows=tuple(
            (role, frozenset(types)) for role, types in sorted(frame.narrows.items()) if role not in NAME_ROLES
        ),
        facts=names(*sorted({node.name for node in walk(whole) if isinstance(node, Fact)})),
        named=named,
        always=set_of(names(*sorted(always_said(whole)))),
        texts=names(*sorted(roles & CITED_ROLES)),
        weight=WEIGHTS[min(fixed_runs(whole), len(WEIGHTS) - 1)],
    )


def fronted(predicate: Template) -> tuple[Template, Template]:
    """The condition at the end of a predicate that may stand before the subject, and the rest; else nothing twice."""
    match predicate:
        case (*rest, Adjunct((Mention("cond", _, "pp", _) as condition,))):
            return (condition,), tuple(rest)
        case _:
            return (), ()


def always_said(template: Template) -> set[str]:
    """Roles that a template mentions outside choices and adjuncts."""
    roles: set[str] = set()
    for node in template:
        if isinstance(node, Mention) and not node.type:
            roles.add(node.role)
        elif isinstance(node, Verb) and node.object and node.form not in ("passive", "gap"):
            roles.add(node.object)
    return roles


def fixed_runs(template: Template) -> int:
    """Count the runs of RUN words that no slot breaks; an alternative counts by its longest wording."""
    runs = length = 0
    for node in template:
        if isinstance(node, Adjunct):
            runs += fixed_runs(node.body)
            length = 0
            continue
        for word in fixed_words(node):
            length = length + 1 if word else 0
            runs += length >= RUN
    return runs


def fixed_words(node: Node) -> list[str]:
    """The fixed words of a node, "" for a slot."""
    match node:
        case Literal(text):
            return [word for word in text.split() if word[0].isalnum()]
        case Agree(_, pairs) | Polar(_, pairs):
            return pairs[0][0].split()
        case Choice(options):
            wordings = [[word for inner in option for word in fixed_words(inner)] for option in options]
            return max(wordings, key=len)
        case _:
            return [""]
