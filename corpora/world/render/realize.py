"""Templates as lists of small functions: parsed once, then filled in a few microseconds.

A compiled template is a tuple of texts and functions of a `Clause`; joined, they read as the template says.
`expand.py` is the slow reference for single templates; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..expand import NUMBER_WORDS
from ..ontology import Ontology
from ..registry import Registry
from ..templates import (
    Adjunct,
    Agree,
    Choice,
    Fact,
    Literal,
    Mention,
    Node,
    Number,
    Polar,
    Predicative,
    Template,
    Verb,
    walk,
)
from ..terms import VerbEntry
from .words import Words

TEXT_ROLES = frozenset(
    (
        *("P", "M", "O", "system", "baseline", "dataset", "unit", "units", "cited", "cited2", "field"),
        *("who", "left", "right", "user"),
    )
)
"""Roles that are filled by a text: concepts, and names. All others are filled by nouns."""

NAME_ROLES = frozenset(("system", "baseline", "who", "left", "right", "user"))


class UnfilledError(Exception):
    """A slot for which there is no word."""


@dataclass
class Clause:
    """What one clause is said about, and the draws that decide between wordings.

    Attributes:
        words: The subfield's words.
        triple: Problem, method and object: free nouns go with these.
        nouns: Role -> noun.
        texts: Role -> text, for concepts and names.
        plural: Role -> agreement of that text.
        facts: Numbers that may be quoted.
        down: 0 where the proposition's direction is up, else 1.
        draws: 32-bit integers; `at` is the next one.
        silent: Roles that adjuncts pass over.
        said: Roles that the text has mentioned where a choice or an adjunct could have left them out.
        described: The role that gets an adjective at its first mention, "" for none.
        adjective: That adjective.
    """

    words: Words
    draws: Sequence[int]
    at: int = 0
    nouns: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    plural: dict[str, bool] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    down: int = 0
    silent: frozenset[str] = frozenset()
    said: set[str] = field(default_factory=set)
    triple: tuple[int, int, int] = (0, 0, 0)
    described: str = ""
    adjective: str = ""

    def pick(self, count: int) -> int:
        """Draw an integer from 0 to count - 1."""
        value = self.draws[self.at] * count >> 32
        self.at += 1
        return value


Part = str | Callable[[Clause], str]
Parts = tuple[Part, ...]


def join(parts: Parts, clause: Clause) -> str:
    """Fill a compiled template."""
    return "".join([part if isinstance(part, str) else part(clause) for part in parts])


class Compiler:
    """Turns templates into functions.

    Args:
        ontology: For noun types and verb classes.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._registry = ontology.registry
        self._locals: dict[str, frozenset[str]] = {}

    def compile(self, template: Template, first: dict[str, str] | None = None, *, record: bool = True) -> Parts:
        """Compile a template.

        Args:
            template: What to compile.
            first: Role -> form of its first mention, where that stands in another part of the same clause.
            record: Note every mention in `Clause.said`; else only those that a choice or an adjunct may leave out.
        """
        forms = dict(first or {})
        for node in walk(template):
            if isinstance(node, Mention):
                forms.setdefault(node.role, node.form)
        parts = [self._part(node, forms, record) for node in template]
        if len(template) > 1 and isinstance(template[0], Adjunct):
            parts[0] = with_comma(parts[0])
        return tuple(parts)

    def _part(self, node: Node, forms: dict[str, str], record: bool) -> Part:
        match node:
            case Literal(text):
                return text
            case Mention(role, kind, form, _):
                return self._drawn(role, kind, form) if kind else mention(role, form, record=record)
            case Verb():
                return self._verb(node, forms, record)
            case Agree(role, pairs):
                return agree(role, forms.get(role, ""), pairs)
            case Polar(role, pairs):
                return polar(role, pairs)
            case Predicative(role):
                raise UnfilledError(f"predicative adjectives of '{role}' have no words in the world's texts")
            case Number():
                return number(node)
            case Fact(name):
                return lambda clause: clause.facts[name]
            case Choice(options):
                return choice(tuple(tuple(self._part(inner, forms, True) for inner in option) for option in options))
            case Adjunct(body):
                return adjunct(tuple(self._part(inner, forms, True) for inner in body), roles_of(body))

    def _drawn(self, role: str, kind: str, form: str) -> Part:
        def part(clause: Clause) -> str:
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

        return part

    def _verb(self, node: Verb, forms: dict[str, str], record: bool) -> Part:
        chosen = verb_chooser(node, self._registry)
        subject, target, subject_form = node.subject, node.object, forms.get(node.subject, "")
        count = plurality(subject, subject_form)
        said = mention(target, "", record=record) if target and node.form not in ("passive", "gap") else None
        target_count = plurality(target, forms.get(target, "")) if target else None
        shape = node.form

        def part(clause: Clause) -> str:
            verb = chosen(clause)
            match shape:
                case "past":
                    text = verb.past
                case "to":
                    text = verb.base
                case "ing":
                    text = verb.gerund
                case "done":
                    text = verb.participle
                case "passive":
                    text = f"{'are' if target_count is not None and target_count(clause) else 'is'} {verb.participle}"
                case _:
                    text = verb.base if count(clause) else verb.third
            return text if said is None else f"{text} {said(clause)}"

        return part


def verb_chooser(node: Verb, registry: Registry) -> Callable[[Clause], VerbEntry]:
    """Compile the choice of a verb."""
    entry = registry.classes[node.cls]
    subject, target = node.subject, node.object
    by_direction = entry.pair is not None and entry.by == "dir"
    by_good = entry.pair is not None and not by_direction
    pair = entry.pair or (node.cls, node.cls)
    judged = target or subject

    def choose(clause: Clause) -> VerbEntry:
        nouns = clause.nouns
        side = 0
        if by_direction:
            side = clause.down
        elif by_good:
            side = int(clause.words.is_bad_when_high(nouns[judged])) if judged in nouns else 0
        options = clause.words.verbs(pair[side], key_of(subject, nouns), key_of(target, nouns))
        if not options:
            raise UnfilledError(f"no verb of class {pair[side]} for {subject} and {target}")
        return options[clause.pick(len(options))]

    return choose


def key_of(role: str, nouns: dict[str, int]) -> int:
    """How `Words.verbs` is asked about a role."""
    found = nouns.get(role)
    if found is not None:
        return found
    return -1 if role in NAME_ROLES else -2


def mention(role: str, form: str, *, record: bool) -> Callable[[Clause], str]:
    """A noun phrase, or a name; `record` notes it in `Clause.said`."""
    if role in TEXT_ROLES:
        return recorded(role, lambda clause: clause.texts[role]) if record else lambda clause: clause.texts[role]

    def part(clause: Clause) -> str:
        noun = clause.nouns[role]
        if role == clause.described:
            parts = clause.words.described[form][noun]
            if parts is not None:
                clause.described = ""
                return f"{parts[0]}{clause.adjective} {parts[1]}"
        return clause.words.phrases[form][noun]

    return recorded(role, part) if record else part


def recorded(role: str, part: Callable[[Clause], str]) -> Callable[[Clause], str]:
    """Note a mention."""

    def noted(clause: Clause) -> str:
        clause.said.add(role)
        return part(clause)

    return noted


def plurality(role: str, form: str) -> Callable[[Clause], bool]:
    """Compile the question whether a role, `sg` or `pl` is plural."""
    if role in ("sg", "pl"):
        return (lambda clause: True) if role == "pl" else (lambda clause: False)
    if role in TEXT_ROLES:
        return lambda clause: clause.plural.get(role, False)
    return lambda clause: clause.words.plurals[form][clause.nouns[role]]


def agree(role: str, form: str, pairs: tuple[tuple[str, str], ...]) -> Callable[[Clause], str]:
    """Compile words that agree in number."""
    count = plurality(role, form)
    if len(pairs) == 1:
        one, many = pairs[0]
        return lambda clause: many if count(clause) else one
    return lambda clause: pairs[clause.pick(len(pairs))][count(clause)]


def polar(role: str, pairs: tuple[tuple[str, str], ...]) -> Callable[[Clause], str]:
    """Compile words that follow the direction, or what is good for a measure."""

    def side(clause: Clause) -> int:
        if not role:
            return clause.down
        noun = clause.nouns.get(role)
        return int(noun is not None and clause.words.is_bad_when_high(noun))

    if len(pairs) == 1:
        return lambda clause: pairs[0][side(clause)]
    return lambda clause: pairs[clause.pick(len(pairs))][side(clause)]


def number(node: Number) -> Callable[[Clause], str]:
    """Compile a number: a new one, or a named one again."""
    name, low, high, word = node.name, node.low, node.high, node.word

    def part(clause: Clause) -> str:
        if low is not None and high is not None:
            clause.numbers[name] = str(low + clause.pick(high - low + 1))
        digits = clause.numbers[name]
        return NUMBER_WORDS[int(digits)] if word and int(digits) < len(NUMBER_WORDS) else digits

    return part


def choice(options: tuple[Parts, ...]) -> Callable[[Clause], str]:
    """Compile alternatives."""
    if all(len(option) == 1 and isinstance(option[0], str) for option in options):
        texts = [str(option[0]) for option in options]
        count = len(texts)

        def drawn(clause: Clause) -> str:  # the draw is spelled out: this is the part that runs most often
            value = clause.draws[clause.at] * count >> 32
            clause.at += 1
            return texts[value]

        return drawn
    return lambda clause: join(options[clause.pick(len(options))], clause)


def adjunct(body: Parts, roles: frozenset[str]) -> Callable[[Clause], str]:
    """Compile a part that falls away with its roles, or where one of them is to be passed over in silence."""
    needed = tuple(sorted(roles))

    def part(clause: Clause) -> str:
        nouns, silent = clause.nouns, clause.silent
        for role in needed:
            if role in silent or (role not in nouns and role not in clause.texts):
                return ""
        return join(body, clause)

    return part


def with_comma(part: Part) -> Part:
    """Put a comma behind an adjunct that opens a clause, where it is there at all."""
    if isinstance(part, str):
        return part
    inner = part

    def spaced(clause: Clause) -> str:
        text = inner(clause)
        return f"{text}," if text else ""

    return spaced


def roles_of(template: Iterable[Node]) -> frozenset[str]:
    """Roles that a template mentions or agrees with, those that it draws itself left out."""
    roles: set[str] = set()
    for node in walk(tuple(template)):
        match node:
            case Mention(role, kind, _, _):
                roles.update(() if kind else (role,))
            case Verb(_, _, subject, target):
                roles.update(role for role in (subject, target) if role not in ("", "sg", "pl"))
            case Agree(role, _) | Polar(role, _) | Predicative(role):
                roles.update(() if role in ("", "sg", "pl") else (role,))
            case _:
                pass
    drawn = {node.role for node in walk(tuple(template)) if isinstance(node, Mention) and node.type}
    return frozenset(roles - drawn)
