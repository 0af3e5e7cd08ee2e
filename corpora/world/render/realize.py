"""Compiles templates: parsed once, then filled in a few microseconds.

A compiled template is a format string and the functions that fill its slots, see `clause.join`.
`expand.py` is the slow reference for single templates; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import templates
from ..ontology import Ontology
from ..templates import Node, Template, walk
from . import slots
from .clause import Parts, Slot, UnfilledError

NOT_NOUNS = ("", "sg", "pl")
"""What may stand in place of a role and mentions nothing."""


class Compiler:
    """Turns templates into what `join` fills.

    Equal slots share one function wherever they stand: what is used often stays in the processor's cache.

    Args:
        ontology: For noun types and verb classes.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._registry = ontology.registry
        self._known: dict[tuple[Node, tuple[str, ...], bool], Slot] = {}
        self._sequences: dict[Parts, Parts] = {}

    def compile(self, template: Template, forms: dict[str, str] | None = None, *, record: bool = True) -> Parts:
        """Compile a template.

        Args:
            template: What to compile.
            forms: Role -> form of its first mention, where that may stand in another part of the same clause.
            record: Note every mention in `Clause.said`; else only those that a choice or an adjunct may leave out.
        """
        if forms is None:
            forms = first_forms(template)
        parts = [self._part(node, forms, record) for node in template]
        if len(template) > 1 and isinstance(template[0], templates.Adjunct) and not isinstance(parts[0], str):
            parts[0] = slots.with_comma(parts[0])
        return self._sequence(parts)

    def _sequence(self, parts: Sequence[Slot | str]) -> Parts:
        """Tell fixed texts and slots apart."""
        form = "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts)
        whole = (form, tuple(part for part in parts if not isinstance(part, str)))
        return self._sequences.setdefault(whole, whole)

    def _part(self, node: Node, forms: dict[str, str], record: bool) -> Slot | str:
        if isinstance(node, templates.Literal):
            return node.text
        roles: Iterable[str] = ()
        match node:
            case templates.Agree(role):
                roles = (role,)
            case templates.Verb():
                roles = (node.subject, node.object)
            case templates.Choice() | templates.Adjunct():
                roles = sorted(roles_of((node,)))
            case _:
                pass
        key = (node, tuple([forms.get(role, "") for role in roles]), record)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._slot(node, forms, record)
        return found

    def _slot(self, node: Node, forms: dict[str, str], record: bool) -> Slot:
        match node:
            case templates.Mention(role, kind, form, _):
                return slots.drawn_noun(role, kind, form) if kind else slots.mention(role, form, record=record)
            case templates.Verb():
                subject, target = forms.get(node.subject, ""), forms.get(node.object, "")
                return slots.verb(node, subject, target, self._registry, record=record)
            case templates.Agree(role, pairs):
                return slots.agree(role, forms.get(role, ""), pairs)
            case templates.Polar(role, pairs):
                return slots.polar(role, pairs)
            case templates.Number():
                return slots.number(node)
            case templates.Fact(name):
                return lambda clause: clause.facts[name]
            case templates.Choice(options):
                return self._choice(options, forms)
            case templates.Adjunct(body):
                return slots.adjunct(self._sequence([self._part(inner, forms, True) for inner in body]), roles_of(body))
            case _:
                raise UnfilledError(f"{node!r} has no words in the world's texts")

    def _choice(self, options: tuple[Template, ...], forms: dict[str, str]) -> Slot:
        """Alternatives: fixed texts, or templates."""
        texts = [option[0].text for option in options if len(option) == 1 and isinstance(option[0], templates.Literal)]
        if len(texts) == len(options):
            return slots.chosen_text(tuple(texts))
        return slots.chosen_part(
            tuple(self._sequence([self._part(inner, forms, True) for inner in option]) for option in options)
        )


def first_forms(template: Template) -> dict[str, str]:
    """Role -> form of its first mention."""
    forms: dict[str, str] = {}
    for node in walk(template):
        if isinstance(node, templates.Mention):
            forms.setdefault(node.role, node.form)
    return forms


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
