"""Templates as functions: parsed once, then filled in a few microseconds.

A compiled template is a function of a `Clause` that joins fixed texts with what the functions of its slots return.
`expand.py` is the slow reference for single templates; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import templates
from ..ontology import Ontology
from ..templates import Node, Template, walk
from . import slots
from .clause import Clause, Parts, UnfilledError

NOT_NOUNS = ("", "sg", "pl")
"""What may stand in place of a role and mentions nothing."""


class Compiler:
    """Turns templates into functions.

    Args:
        ontology: For noun types and verb classes.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._registry = ontology.registry

    def compile(self, template: Template, first: dict[str, str] | None = None, *, record: bool = True) -> Parts:
        """Compile a template.

        Args:
            template: What to compile.
            first: Role -> form of its first mention, where that stands in another part of the same clause.
            record: Note every mention in `Clause.said`; else only those that a choice or an adjunct may leave out.
        """
        forms = dict(first or {})
        for node in walk(template):
            if isinstance(node, templates.Mention):
                forms.setdefault(node.role, node.form)
        parts = [self._part(node, forms, record) for node in template]
        if len(template) > 1 and isinstance(template[0], templates.Adjunct) and not isinstance(parts[0], str):
            parts[0] = slots.with_comma(parts[0])
        return sequence(parts)

    def _part(self, node: Node, forms: dict[str, str], record: bool) -> Parts | str:
        match node:
            case templates.Literal(text):
                return text
            case templates.Mention(role, kind, form, _):
                return slots.drawn_noun(role, kind, form) if kind else slots.mention(role, form, record=record)
            case templates.Verb():
                subject, target = forms.get(node.subject, ""), forms.get(node.object, "")
                return slots.verb(node, subject, target, self._registry, record=record)
            case templates.Agree(role, pairs):
                return slots.agree(role, forms.get(role, ""), pairs)
            case templates.Polar(role, pairs):
                return slots.polar(role, pairs)
            case templates.Predicative(role):
                raise UnfilledError(f"predicative adjectives of '{role}' have no words in the world's texts")
            case templates.Number():
                return slots.number(node)
            case templates.Fact(name):
                return lambda clause: clause.facts[name]
            case templates.Choice(options):
                return self._choice(options, forms)
            case templates.Adjunct(body):
                return slots.adjunct(sequence([self._part(inner, forms, True) for inner in body]), roles_of(body))

    def _choice(self, options: tuple[Template, ...], forms: dict[str, str]) -> Parts:
        """Alternatives: fixed texts, or templates."""
        texts = [option[0].text for option in options if len(option) == 1 and isinstance(option[0], templates.Literal)]
        if len(texts) == len(options):
            return slots.chosen_text(tuple(texts))
        return slots.chosen_part(
            tuple(sequence([self._part(inner, forms, True) for inner in option]) for option in options)
        )


def sequence(parts: Sequence[Parts | str]) -> Parts:
    """Join fixed texts and functions into one function; they are called from left to right."""
    texts, functions = [""], list[Parts]()
    for part in parts:
        if isinstance(part, str):
            texts[-1] += part
        else:
            functions.append(part)
            texts.append("")
    return joined(texts, functions)


def joined(texts: list[str], functions: list[Parts]) -> Parts:
    """Put functions between texts, of which there is one more; spelled out up to three, as most templates have."""
    before = texts[0]
    if not functions:
        return lambda clause: before
    one, behind = functions[0], texts[1]
    if len(functions) == 1:
        return lambda clause: f"{before}{one(clause)}{behind}"
    two, after = functions[1], texts[2]
    if len(functions) == 2:
        return lambda clause: f"{before}{one(clause)}{behind}{two(clause)}{after}"
    three, last = functions[2], texts[3]

    def of_three(clause: Clause) -> str:
        return f"{before}{one(clause)}{behind}{two(clause)}{after}{three(clause)}{last}"

    if len(functions) == 3:
        return of_three
    rest = joined(["", *texts[4:]], functions[3:])
    return lambda clause: of_three(clause) + rest(clause)


def roles_of(template: Iterable[Node]) -> frozenset[str]:
    """Roles that a template mentions or agrees with, those that it draws itself left out."""
    roles: set[str] = set()
    drawn: set[str] = set()
    for node in walk(tuple(template)):
        match node:
            case templates.Mention(role, kind, _, _):
                (drawn if kind else roles).add(role)
            case templates.Verb(_, _, subject, target):
                roles.update((subject, target))
            case templates.Agree(role, _) | templates.Polar(role, _) | templates.Predicative(role):
                roles.add(role)
            case _:
                pass
    return frozenset(roles.difference(drawn, NOT_NOUNS))
