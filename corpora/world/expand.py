"""A reference realiser: one frame or form, filled from one subfield.

The linter reads its output; it also pins down what each slot means. Sentence plans, referring expressions across
sentences and numbers from figures are the renderer's; here every mention is a first one.
"""

from __future__ import annotations

from collections.abc import Sequence

from .expand_context import NAMES, Context, StarvedError, Thing, fill_roles
from .morphology import wants_an
from .registry import Registry
from .templates import (
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
from .terms import Adjective, Concept, Frame, Noun, VerbEntry

FACTS = {
    "gain": "6.1 percent",
    "share": "31 percent",
    "count": "168",
    "level": "8.4 units",
    "first": "5.2 units",
    "from": "3 parts",
    "to": "40 parts",
    "own": "8.4 points",
    "other": "7.9 points",
}
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def expand_frame(frame: Frame, context: Context) -> str:
    """Realise a frame as one clause.

    Raises:
        StarvedError: A slot finds no word.
    """
    prop = context.ontology.registry.props[frame.prop]
    fill_roles(context, {role.name: frame.narrows.get(role.name, (role.type,)) for role in prop.roles})
    return expand((*frame.subject, Literal(" "), *frame.predicate) if frame.subject else frame.predicate, context)


def expand(template: Template, context: Context) -> str:
    """Realise a template.

    Raises:
        StarvedError: A slot finds no word.
    """
    local = {node.role: (node.type,) for node in walk(template) if isinstance(node, Mention) and node.type}
    fill_roles(context, dict(local))
    for node in walk(template):
        if isinstance(node, Mention) and node.role not in context.plural:
            context.plural[node.role] = is_plural(node, context)
    parts = [realise(node, context) for node in template]
    if len(template) > 1 and isinstance(template[0], Adjunct):
        parts[0] += ","
    text = "".join(parts)
    return " ".join(text.split()).replace(" ,", ",").replace(" ;", ";")


def thing_of(role: str, context: Context) -> Thing:
    """What a role stands for.

    Raises:
        StarvedError: The role is not filled.
    """
    if role in context.concepts:
        return context.concepts[role]
    if role in ("unit", "units"):
        return context.subfield.units[0][role == "units"]
    if role in ("system", "baseline", "dataset", "cited", "cited2"):
        context.things.setdefault(role, NAMES[context.draws.below(len(NAMES))])
    if role not in context.things:
        raise StarvedError(f"role '{role}' is not filled")
    return context.things[role]


def is_plural(mention: Mention, context: Context) -> bool:
    """Tell whether a mention is a plural noun phrase."""
    thing = thing_of(mention.role, context)
    if isinstance(thing, Concept):
        return thing.name.number == "pl"
    if isinstance(thing, str):
        return mention.role == "units"
    return thing.number == "pl" or (
        thing.number == "sg" and (mention.form == "pl" or (mention.form != "a" and thing.det == "pl"))
    )


def realise(node: Node, context: Context) -> str:
    """Realise one node."""
    match node:
        case Literal(text):
            return text
        case Mention():
            return noun_phrase(node, context)
        case Verb():
            return verb_form(node, context)
        case Agree(role, pairs):
            return pairs[context.draws.below(len(pairs))][number_of(role, context)]
        case Polar(role, pairs):
            return pairs[context.draws.below(len(pairs))][side_of(role, context)]
        case Predicative(role):
            return adjective_for(role, context, predicative=True)
        case Number():
            return number(node, context)
        case Fact(name):
            return FACTS[name]
        case Choice(options):
            return "".join(realise(inner, context) for inner in options[context.draws.below(len(options))])
        case Adjunct(body):
            return "".join(realise(inner, context) for inner in body)


def number_of(role: str, context: Context) -> bool:
    """Tell whether a role, `sg` or `pl` is plural."""
    if role in ("sg", "pl"):
        return role == "pl"
    if role not in context.plural:
        context.plural[role] = is_plural(Mention(role, "", "", adjective=False), context)
    return context.plural[role]


def side_of(role: str, context: Context) -> int:
    """First (0) or second (1) side of a pair: by direction, or by what is good for a measure."""
    if not role:
        return context.direction
    thing = thing_of(role, context)
    return 1 if isinstance(thing, Noun) and thing.good == "low" else 0


def number(node: Number, context: Context) -> str:
    """Say a number, the same one for the same name."""
    if node.low is not None and node.high is not None:
        context.numbers[node.name] = str(node.low + context.draws.below(node.high - node.low + 1))
    digits = context.numbers[node.name]
    return NUMBER_WORDS[int(digits)] if node.word and int(digits) < len(NUMBER_WORDS) else digits


def noun_phrase(mention: Mention, context: Context) -> str:
    """Realise a mention with its article, preposition and adjective."""
    thing = thing_of(mention.role, context)
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Concept):
        return (
            thing.refer[0]
            if mention.form == "again"
            else (thing.short if mention.form == "short" and thing.short else thing.name.text)
        )
    form = mention.form or thing.det
    if form == "again":
        entry = context.ontology.registry.types[thing.type]
        return (
            f"{'these' if thing.number == 'pl' else 'this'} {entry.plural if thing.number == 'pl' else entry.singular}"
        )
    if form == "short":
        return thing.short or thing.singular
    lead = ""
    if form == "pp":
        lead, form = f"{thing.prep} ", thing.det
    head = thing.plural if is_plural(mention, context) else thing.singular
    if mention.adjective:
        head = f"{adjective_for(mention.role, context, predicative=False)} {head}"
    if form == "the":
        return f"{lead}the {head}"
    if form == "a" and thing.number == "sg":
        return f"{lead}{'an' if wants_an(head) else 'a'} {head}"
    return lead + head


def adjective_for(role: str, context: Context, *, predicative: bool) -> str:
    """Draw an adjective that fits a role's noun.

    Raises:
        StarvedError: There is none.
    """
    thing = thing_of(role, context)
    options = [
        entry for entry in context.subfield.adjectives if isinstance(thing, Noun) and fits_noun(entry, thing, context)
    ]
    if predicative:
        options = [entry for entry in options if entry.predicative]
    if not options:
        raise StarvedError(
            f"no {'predicative ' if predicative else ''}adjective for {thing if isinstance(thing, str) else thing.id}"
        )
    return options[context.draws.below(len(options))].text


def fits_noun(entry: Adjective, noun: Noun, context: Context) -> bool:
    """Tell whether an adjective goes with a noun."""
    allowed = not entry.only or noun.id in entry.only
    return allowed and noun.id not in entry.never and context.ontology.registry.is_a(noun.type, entry.types)


def accepts(wanted: Sequence[str], role: str, context: Context) -> bool:
    """Tell whether a verb's argument types take what a role stands for."""
    if not wanted or role in ("", "sg", "pl"):
        return True
    thing = thing_of(role, context)
    return accepts_thing(wanted, None if isinstance(thing, Concept) else thing, context.ontology.registry)


def accepts_thing(wanted: Sequence[str], thing: Noun | str | None, registry: Registry) -> bool:
    """Tell whether a verb's argument types take a noun, a name (a text), or None: a concept or nothing."""
    if not wanted or thing is None:
        return True
    if isinstance(thing, Noun):
        return thing.id in wanted or registry.is_a(thing.type, wanted)
    return "baseline" in wanted or "system" in wanted


def verb_form(node: Verb, context: Context) -> str:
    """Draw a verb of the class that goes with both arguments, and inflect it.

    Raises:
        StarvedError: No verb goes with them.
    """
    entry = context.ontology.registry.classes[node.cls]
    names = [node.cls]
    if entry.pair is not None:
        names = [entry.pair[side_of("" if entry.by == "dir" else node.object or node.subject, context)]]
    verbs = [verb for verb in (*context.ontology.verbs, *context.subfield.verbs) if verb.cls in names]
    verbs = [
        verb
        for verb in verbs
        if accepts(verb.subject, node.subject, context) and accepts(verb.object, node.object, context)
    ]
    if not verbs:
        raise StarvedError(f"no verb of class '{names[0]}' for {node.subject} and {node.object or 'no object'}")
    text = inflected(verbs[context.draws.below(len(verbs))], node, context)
    if not node.object or node.form in ("passive", "gap"):
        return text
    return f"{text} {noun_phrase(Mention(node.object, '', '', adjective=False), context)}"


def inflected(verb: VerbEntry, node: Verb, context: Context) -> str:
    """The form of a verb that a slot asks for."""
    match node.form:
        case "past":
            return verb.past
        case "to":
            return verb.base
        case "ing":
            return verb.gerund
        case "done":
            return verb.participle
        case "passive":
            return f"{'are' if number_of(node.object, context) else 'is'} {verb.participle}"
        case _:
            return verb.base if number_of(node.subject, context) else verb.third
