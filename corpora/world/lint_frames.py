"""Lint rules on frames: slots that exist, agreement that is marked, and text that reads right when it is filled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from .expand import expand, expand_frame
from .expand_context import Draws, StarvedError, new_context
from .findings import Finding
from .lint_agreement import ADVERBS, fixed_agreement
from .lint_forms import NUMERALS
from .lint_reading import text_faults
from .ontology import Ontology
from .registry import Registry
from .templates import (
    Adjunct,
    Agree,
    Fact,
    Literal,
    Mention,
    Node,
    Polar,
    Predicative,
    Template,
    Verb,
    literal_words,
    walk,
)
from .terms import Form, Frame, Order

EXPANSIONS = 6
MIN_FRAMES, MIN_OWN_FRAMES = 30, 10
NARRATIVE = ("relevance", "gap", "aim", "proposal", "setup", "remedy", "modeling", "agreement", "implication")
CITING = ("mention", "comention")
LEAST = {**dict.fromkeys(NARRATIVE, (8, 24)), **dict.fromkeys(CITING, (6, 24))}
"""Other minimum counts, own and in all."""
MOVE_OF = {"modeling": "model", "agreement": "fit"}
"""Propositions that only groups with this move say."""
MODALS = {"can", "cannot", "could", "may", "might", "must", "will", "would", "should", "need", "did", "had"}
PAST = set(
    re.findall(
        r"\S+",
        """
    rose fell grew led made took gave came went held kept lost left met ran saw set stood drew found bent broke
    became fit cost put
    """,
    )
)


def lint_frames(ontology: Ontology, expansions: int = EXPANSIONS) -> Iterator[Finding]:
    """Yield the findings on frames and on templates of attributes."""
    for frame in ontology.frames:
        yield from frame_slots(frame, ontology.registry)
        yield from agreement(frame)
        yield from articles_before_slots(frame)
        for numeral in NUMERALS.findall(literal_words(frame.text)):
            yield Finding(frame.where, "numeral", f"'{numeral}' in {frame.id}; quote a fact or reword")
    seen: dict[str, str] = {}
    for frame in ontology.frames:
        other = seen.setdefault(re.sub(r"\W+", " ", frame.text).strip(), frame.id)
        if other != frame.id:
            yield Finding(frame.where, "duplicate-form", f"{frame.id} has the text of {other}")
    yield from frame_counts(ontology)
    yield from filled_frames(ontology, expansions)
    yield from fixed_agreement(ontology)
    yield from filled_forms(ontology)


def frame_slots(frame: Frame, registry: Registry) -> Iterator[Finding]:
    """Roles, classes and facts exist; required roles are mentioned; optional ones only inside an adjunct."""
    prop = registry.props[frame.prop]
    roles = {role.name: role for role in prop.roles}
    nodes = [*walk(frame.subject), *walk(frame.predicate)]
    local = {node.role for node in nodes if isinstance(node, Mention) and node.type}
    known = set(roles) | set(registry.slots) | local
    for node in nodes:
        for name in arguments(node):
            if name not in known and name not in ("sg", "pl"):
                yield Finding(
                    frame.where, "slot", f"'{name}' in {frame.id}; roles of '{prop.id}' are {', '.join(roles)}"
                )
        if isinstance(node, Mention) and node.type and node.type not in registry.types:
            yield Finding(frame.where, "slot", f"type '{node.type}' in {frame.id} is not of the registry")
        if isinstance(node, Verb) and node.cls not in registry.classes:
            yield Finding(frame.where, "slot", f"verb class '{node.cls}' in {frame.id} is not of the registry")
        elif isinstance(node, Verb) and prop.directed and node.cls in ("raise", "lower", "rise", "fall"):
            yield Finding(
                frame.where,
                "direction",
                f"{frame.id} fixes the direction with '{node.cls}'; use 'move' or 'go', which follow the proposition",
            )
        if isinstance(node, Fact) and node.name not in prop.facts:
            yield Finding(
                frame.where,
                "slot",
                f"{frame.id} quotes '{node.name}'; facts of '{prop.id}' are {', '.join(prop.facts) or 'none'}",
            )
        if not prop.directed and follows_direction(node, registry):
            yield Finding(
                frame.where,
                "direction",
                f"{frame.id} follows a direction, but '{prop.id}' has none; use good, better or worsen",
            )
    mentioned = mentioned_roles(nodes)
    for role in prop.roles:
        if not role.optional and role.name not in mentioned:
            yield Finding(
                frame.where, "slot", f"{frame.id} does not mention '{role.name}'; a frame says the whole proposition"
            )
        if role.optional and role.name in bare_roles((*frame.subject, *frame.predicate)):
            yield Finding(
                frame.where, "slot", f"optional '{role.name}' in {frame.id} stands outside <>; it may be missing"
            )


def arguments(node: Node) -> tuple[str, ...]:
    """Names that a slot refers to."""
    match node:
        case Mention(role) | Agree(role) | Predicative(role):
            return (role,)
        case Polar(role):
            return (role,) if role else ()
        case Verb(_, _, subject, target):
            return (subject, target) if target else (subject,)
        case _:
            return ()


def mentioned_roles(nodes: Iterable[Node]) -> set[str]:
    """Roles that a reader sees: mentions, and objects that come with their verb."""
    return {
        node.role if isinstance(node, Mention) else node.object
        for node in nodes
        if isinstance(node, Mention) or (isinstance(node, Verb) and node.object and node.form not in ("passive", "gap"))
    }


def follows_direction(node: Node, registry: Registry) -> bool:
    """Tell whether a slot reads the proposition's direction."""
    if isinstance(node, Verb):
        return node.cls in registry.classes and registry.classes[node.cls].by == "dir"
    return isinstance(node, Polar) and not node.role


def bare_roles(template: Template) -> set[str]:
    """Roles that are mentioned outside adjuncts."""
    outside = [node for node in template if not isinstance(node, Adjunct)]
    return mentioned_roles(walk(tuple(outside)))


def agreement(frame: Frame) -> Iterator[Finding]:
    """The predicate starts with a mark that agrees with the subject, a modal or a past form."""
    if frame.nominal:
        return
    for node in frame.predicate:
        if isinstance(node, Literal):
            rest = [
                word for word in re.findall(r"[\w-]+", node.text) if word not in ADVERBS and not word.endswith("ly")
            ]
            if not rest:
                continue
            if rest[0] not in MODALS | PAST and not rest[0].endswith("ed"):
                what = (
                    f"'{rest[0]}' starts the predicate of {frame.id}; "
                    "write {be role}, {agree role: depends/depend} or {v:class role}"
                )
                yield Finding(frame.where, "agreement", what)
            return
        if isinstance(node, Verb | Agree):
            return
        if isinstance(node, Mention):
            break
    yield Finding(
        frame.where, "agreement", f"the predicate of {frame.id} starts with no verb; write the verb behind '//'"
    )


def articles_before_slots(frame: Frame) -> Iterator[Finding]:
    """`a` and `an` are never literal before a slot."""
    if re.search(r"\b[Aa]n? (?:\{\+?\w+[^}]*\}|\[)", re.sub(r"\{(?:dir|good \w+|agree \w+):[^}]*\}", "_", frame.text)):
        yield Finding(
            frame.where,
            "article",
            f"'a' or 'an' stands before a slot in {frame.id}; write {{role.a}} or put it into the alternatives",
        )


def frame_counts(ontology: Ontology) -> Iterator[Finding]:
    """A group that has frames of its own has enough of each proposition, with the shared ones."""
    clauses = Counter((frame.group, frame.prop) for frame in ontology.frames)
    for group in sorted({frame.group for frame in ontology.frames} - {"any"}):
        where = min(frame.where for frame in ontology.frames if frame.group == group)
        moves = {step for order in ontology.orders if order.group == group for step in steps_of(order)}
        for prop in sorted({frame.prop for frame in ontology.frames}):
            least_own, least = LEAST.get(prop, (MIN_OWN_FRAMES, MIN_FRAMES))
            if prop in MOVE_OF and MOVE_OF[prop] not in moves:
                continue
            own, shared = clauses[group, prop], clauses["any", prop]
            if own < least_own or own + shared < least:
                what = (
                    f"{own} frames of '{prop}' for {group} and {shared} shared ones; "
                    f"at least {least_own} own and {least} in all"
                )
                yield Finding(where, "too-few", what)


def steps_of(order: Order) -> Iterator[str]:
    """The moves of a discourse order, in abstract and body."""
    for step in (*order.abstract, *(step for _, steps in order.sections for step in steps)):
        yield step.partition(":")[0]


def filled_frames(ontology: Ontology, expansions: int) -> Iterator[Finding]:
    """Frames can be filled from every subfield of their group, and read right."""
    sound = [
        (place, frame)
        for place, frame in enumerate(ontology.frames)
        if next(frame_slots(frame, ontology.registry), None) is None
    ]
    for subfield in ontology.subfields:
        for place, frame in sound:
            if frame.group not in ("any", subfield.group):
                continue
            for trial in range(expansions):
                try:
                    text = expand_frame(frame, new_context(ontology, subfield, Draws(1000 * place + trial)))
                except StarvedError as error:
                    yield Finding(frame.where, "starved", f"{frame.id} cannot be filled from {subfield.id}: {error}")
                    break
                faults = list(text_faults(text))
                for fault in faults:
                    yield Finding(
                        frame.where, fault[0], f"{fault[1]} in '{text}' ({frame.id} filled from {subfield.id})"
                    )
                if faults:
                    break


def filled_forms(ontology: Ontology) -> Iterator[Finding]:
    """Wordings of attributes can be filled from the subfields of their groups, and read right."""
    for subfield in ontology.subfields:
        for attribute in ontology.attributes:
            if subfield.group not in attribute.groups:
                continue
            forms = [form for value in attribute.values for form in (*value.asks, *value.explicit, *value.paraphrased)]
            forms += [half for value in attribute.values for item in value.evidence for half in item.halves]
            for place, form in enumerate(form for form in forms if form.fits(subfield.group)):
                yield from filled_form(form, place, ontology, subfield.id)


def filled_form(form: Form, seed: int, ontology: Ontology, space: str) -> Iterator[Finding]:
    """One wording, filled three times."""
    subfield = next(entry for entry in ontology.subfields if entry.id == space)
    for trial in range(3):
        context = new_context(ontology, subfield, Draws(7_000_000 + 1000 * seed + trial))
        context.numbers.update(dict.fromkeys(("n", "n1", "n2", "n3"), "14"))  # a number may be drawn by another half
        try:
            text = expand(form.template, context)
        except StarvedError as error:
            yield Finding(form.where, "starved", f"'{form.text}' cannot be filled from {space}: {error}")
            return
        faults = list(text_faults(text))
        for fault in faults:
            yield Finding(form.where, fault[0], f"{fault[1]} in '{text}' (filled from {space})")
        if faults:
            return
