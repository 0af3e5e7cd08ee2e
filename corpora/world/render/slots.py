"""The functions that fill the slots of a template, one for each kind of slot."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..expand import NUMBER_WORDS
from ..registry import Registry
from ..templates import Number, Verb
from ..terms import VerbEntry
from .clause import NAME_ROLES, TEXT_ROLES, Clause, Parts, Slot, UnfilledError, join

NAME, UNBOUND = -1, -2
"""How `Words.verbs` is asked about a name, and about a concept or nothing that narrows."""


@cache
def mention(role: str, form: str, *, record: bool) -> Slot:
    """A noun phrase, or a name; `record` notes it in `Clause.said`."""
    if role not in TEXT_ROLES:
        return noun_phrase(role, form, record=record)

    def noted(clause: Clause) -> str:
        clause.said.add(role)
        return clause.texts[role]

    return noted if record else lambda clause: clause.texts[role]


@cache
def noun_phrase(role: str, form: str, *, record: bool) -> Slot:
    """A mention of a noun, with an adjective where this is the first mention of the role that gets one."""

    def phrase(clause: Clause) -> str:
        if role == clause.described:
            return described_phrase(role, form, clause)
        return clause.words.phrases[form][clause.nouns[role]]

    def noted(clause: Clause) -> str:
        clause.said.add(role)
        if role == clause.described:
            return described_phrase(role, form, clause)
        return clause.words.phrases[form][clause.nouns[role]]

    return noted if record else phrase


def described_phrase(role: str, form: str, clause: Clause) -> str:
    """A noun phrase with the clause's adjective; without it, where that form of the noun takes none."""
    noun = clause.nouns[role]
    parts = clause.words.described[form][noun]
    if parts is None:
        return clause.words.phrases[form][noun]
    clause.described = ""
    return f"{parts[0]}{clause.adjective} {parts[1]}"


@cache
def drawn_noun(role: str, kind: str, form: str) -> Slot:
    """A noun of a type that goes with the paper's concepts; the same one again where the clause has drawn it before."""

    def phrase(clause: Clause) -> str:
        nouns, words = clause.nouns, clause.words
        if role not in nouns:
            options = words.free(kind, clause.triple)
            if not options:
                raise UnfilledError(f"no noun of type {kind}")
            noun = options[clause.pick(len(options))]
            if noun in nouns.values():  # one more try for a noun that the clause has not
                noun = options[clause.pick(len(options))]
            nouns[role] = noun
        return words.phrases[form][nouns[role]]

    return phrase


def verb(node: Verb, subject_form: str, object_form: str, registry: Registry, *, record: bool) -> Slot:
    """A verb that goes with its subject and object, inflected, and the object behind it."""
    chosen = verb_chooser(node, registry)
    count = plurality(node.subject, subject_form)
    shape = node.form
    object_count = plurality(node.object, object_form) if node.object else never

    def inflected(clause: Clause) -> str:
        entry = chosen(clause)
        match shape:
            case "past":
                return entry.past
            case "to":
                return entry.base
            case "ing":
                return entry.gerund
            case "done":
                return entry.participle
            case "passive":
                return f"{'are' if object_count(clause) else 'is'} {entry.participle}"
            case _:
                return entry.base if count(clause) else entry.third

    if not node.object or shape in ("passive", "gap"):
        return inflected
    target = mention(node.object, "", record=record)
    return lambda clause: f"{inflected(clause)} {target(clause)}"


def verb_chooser(node: Verb, registry: Registry) -> Callable[[Clause], VerbEntry]:
    """Compile the choice of a verb."""
    entry = registry.classes[node.cls]
    subject, target = node.subject, node.object
    by_direction = entry.pair is not None and entry.by == "dir"
    by_good = entry.pair is not None and not by_direction
    pair = entry.pair or (node.cls, node.cls)
    judged = target or subject
    no_subject, no_target = (NAME if role in NAME_ROLES else UNBOUND for role in (subject, target))

    def choose(clause: Clause) -> VerbEntry:
        nouns = clause.nouns
        side = 0
        if by_direction:
            side = clause.down
        elif by_good and judged in nouns:
            side = int(clause.words.is_bad_when_high(nouns[judged]))
        options = clause.words.verbs(pair[side], nouns.get(subject, no_subject), nouns.get(target, no_target))
        if not options:
            raise UnfilledError(f"no verb of class {pair[side]} for {subject} and {target}")
        return options[clause.pick(len(options))]

    return choose


def never(clause: Clause) -> bool:
    """No."""
    del clause
    return False


@cache
def plurality(role: str, form: str) -> Callable[[Clause], bool]:
    """Compile the question whether a role, `sg` or `pl` is plural."""
    if role in ("sg", "pl"):
        return (lambda clause: True) if role == "pl" else never
    if role in TEXT_ROLES:
        return lambda clause: clause.plural.get(role, False)
    return lambda clause: clause.words.plurals[form][clause.nouns[role]]


@cache
def agree(role: str, form: str, pairs: tuple[tuple[str, str], ...]) -> Slot:
    """Compile words that agree in number."""
    count = plurality(role, form)
    if len(pairs) == 1:
        one, many = pairs[0]
        return lambda clause: many if count(clause) else one
    return lambda clause: pairs[clause.pick(len(pairs))][count(clause)]


@cache
def polar(role: str, pairs: tuple[tuple[str, str], ...]) -> Slot:
    """Compile words that follow the direction, or what is good for a measure."""

    def side(clause: Clause) -> int:
        if not role:
            return clause.down
        noun = clause.nouns.get(role)
        return int(noun is not None and clause.words.is_bad_when_high(noun))

    if len(pairs) == 1:
        return lambda clause: pairs[0][side(clause)]
    return lambda clause: pairs[clause.pick(len(pairs))][side(clause)]


def number(node: Number) -> Slot:
    """Compile a number: a new one, or a named one again."""
    name, low, high, word = node.name, node.low, node.high, node.word

    def part(clause: Clause) -> str:
        if low is not None and high is not None:
            clause.numbers[name] = str(low + clause.pick(high - low + 1))
        digits = clause.numbers[name]
        return NUMBER_WORDS[int(digits)] if word and int(digits) < len(NUMBER_WORDS) else digits

    return part


@cache
def chosen_text(texts: tuple[str, ...]) -> Slot:
    """Compile alternatives that are fixed texts."""
    count = len(texts)

    def drawn(clause: Clause) -> str:  # the draw is spelled out: this is the part that runs most often
        value = clause.draws[clause.at] * count >> 32
        clause.at += 1
        return texts[value]

    return drawn


def chosen_part(options: tuple[Parts, ...]) -> Slot:
    """Compile alternatives."""
    return lambda clause: join(options[clause.pick(len(options))], clause)


def adjunct(body: Parts, roles: frozenset[str]) -> Slot:
    """Compile a part that falls away with its roles, or where one of them is to be passed over in silence."""
    needed = tuple(sorted(roles))

    def part(clause: Clause) -> str:
        nouns, silent = clause.nouns, clause.silent
        for role in needed:
            if role in silent or (role not in nouns and role not in clause.texts):
                return ""
        return join(body, clause)

    return part


def with_comma(part: Slot) -> Slot:
    """Put a comma behind an adjunct that opens a clause, where it is there at all."""

    def spaced(clause: Clause) -> str:
        text = part(clause)
        return f"{text}," if text else ""

    return spaced
