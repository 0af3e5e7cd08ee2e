"""Chooses a frame for a proposition and fills it: one finite clause, cut where a sentence may join it with another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..facts import SENTIMENTS
from ..ontology import Ontology
from ..templates import Adjunct, Agree, Choice, Fact, Literal, Mention, Node, Polar, Template, Verb, walk
from ..terms import Frame
from .realize import (
    NAME_ROLES,
    TEXT_ROLES,
    Clause,
    Compiler,
    Parts,
    UnfilledError,
    join,
    roles_of,
)

NAMED = ("P", "M", "O", "system", "dataset", "baseline")
"""What an abstract has to name."""

RUN = 4
WEIGHTS = (12, 9, 6, 4, 3, 2, 1)
"""Weight of a frame with no, one, two, … runs of RUN fixed words; the last one for all with more."""

ENOUGH = 30
"""Frames of its own with which a group does without the shared ones: those would recur in all groups."""

OWN_ONLY = {
    "math": ("comparison", "resource", "failure", "setup"),
}
"""Propositions that a group says in its own frames only: a theorem is no measurement."""

PLOTTED = frozenset(("from", "own"))
"""Numbers that only a figure has."""

COND = frozenset(("cond",))
CITED_ROLES = frozenset(("cited", "cited2"))
"""Roles of texts that not every clause has."""

NAMED_BIT = {name: 1 << place for place, name in enumerate(NAMED)} | {
    "who": 1 << 3,
    "user": 1 << 3,
    "left": 1 << 3,
    "right": 1 << 5,
}


@dataclass(frozen=True)
class Shape:
    """A frame, compiled.

    Attributes:
        id: The frame's id.
        prop: Its proposition.
        subject, predicate: The two parts of a finite clause; a nominal frame has only the second one.
        gerund: The predicate as a participle, empty where its first word is no verb.
        front: The adjunct at its end that may stand first, and the predicate without it; empty where there is none.
        subject_noun: Role that is the whole subject, "" where the subject is more than that.
        needs: Noun roles that must be filled.
        narrows: Role -> the noun types that it must be of.
        facts: Numbers that it quotes.
        named: Bits of NAMED that it says.
        tone: Sentiment of a citation.
        roles: All roles that it mentions.
        weight: How often it is drawn: the less of it is fixed, the less two papers will sound alike.
        always: Roles that it mentions whatever choices and adjuncts do.
        texts: Those of CITED_ROLES among them.
    """

    id: str
    prop: str
    nominal: bool
    subject: Parts
    predicate: Parts
    gerund: Parts
    front: Parts
    body: Parts
    subject_noun: str
    needs: tuple[str, ...]
    narrows: tuple[tuple[str, frozenset[str]], ...]
    facts: tuple[str, ...]
    named: int
    tone: str
    roles: frozenset[str]
    texts: tuple[str, ...]
    weight: int
    always: frozenset[str]


@dataclass(slots=True)
class Said:
    """A filled clause, cut where a sentence may join it with another one.

    Attributes:
        shape: The frame.
        subject: Subject of a finite clause; "" for a nominal one.
        predicate: Predicate (as a participle where that was asked for), or the whole nominal clause.
        front: The condition that stands before the subject, "" for none.
        subject_noun: The noun that is the whole subject, -1 for none.
        nouns: The nouns that it names, by role.
        roles: All roles that it names.
    """

    shape: Shape
    subject: str
    predicate: str
    front: str
    subject_noun: int
    nouns: dict[str, int]
    roles: frozenset[str]

    @property
    def finite(self) -> str:
        """The whole clause."""
        if self.front:
            return f"{self.front}, {self.subject} {self.predicate}"
        return f"{self.subject} {self.predicate}" if self.subject else self.predicate


class Pools:
    """All frames, compiled, by group and proposition.

    Args:
        ontology: The ontology.
    """

    def __init__(self, ontology: Ontology) -> None:
        compiler = Compiler(ontology)
        shapes = [(frame, shape_of(frame, ontology, compiler)) for frame in ontology.frames]
        groups = sorted({subfield.group for subfield in ontology.subfields})
        self._pools: dict[tuple[str, str, str], tuple[Shape, ...]] = {}
        moves = ("", *ontology.registry.moves)
        shelves: dict[tuple[str, str], list[tuple[tuple[str, ...], Shape]]] = {}
        for frame, shape in shapes:
            shelves.setdefault((frame.prop, frame.group), []).append((frame.moves, shape))
        for group in groups:
            for prop in ontology.registry.props:
                own, common = shelves.get((prop, group), []), shelves.get((prop, "any"), [])
                alone = prop in OWN_ONLY.get(group, ()) or len(own) >= ENOUGH
                pool = own if alone else sorted((*common, *own), key=lambda entry: entry[1].id)
                for move in moves:
                    fitting = tuple(shape for given, shape in pool if not given or move in given)
                    if fitting:
                        self._pools[group, prop, move] = fitting
        self._finite = {
            key: tuple(shape for shape in pool if not shape.nominal for _ in range(shape.weight))
            for key, pool in self._pools.items()
        }
        self._plotted = {
            (group, prop): tuple(shape for shape in pool if not PLOTTED.isdisjoint(shape.facts))
            for (group, prop, move), pool in self._finite.items()
            if not move
        }
        self._toned = {
            (group, prop, tone): tuple(shape for shape in pool if shape.tone == tone)
            for (group, prop, move), pool in self._finite.items()
            if not move
            for tone in SENTIMENTS
        }

    def of(self, group: str, prop: str, move: str = "") -> tuple[Shape, ...]:
        """Frames of a proposition that a group may use in a move, in order of id."""
        return self._pools.get((group, prop, move), ())

    def finite(self, group: str, prop: str, move: str = "") -> tuple[Shape, ...]:
        """Those that are finite clauses."""
        return self._finite.get((group, prop, move), ())

    def plotted(self, group: str, prop: str) -> tuple[Shape, ...]:
        """Finite clauses that quote the numbers of a figure."""
        return self._plotted.get((group, prop), ())

    def toned(self, group: str, prop: str, tone: str) -> tuple[Shape, ...]:
        """Frames of a citation with a sentiment."""
        return self._toned.get((group, prop, tone), ())


_known: list[tuple[Ontology, Pools]] = []


def pools_of(ontology: Ontology) -> Pools:
    """The frames of an ontology, compiled once: the last one is kept, as most programs know one only."""
    for known, pools in _known:
        if known is ontology:
            return pools
    _known[:] = [(ontology, Pools(ontology))]
    return _known[0][1]


def shape_of(frame: Frame, ontology: Ontology, compiler: Compiler) -> Shape:
    """Compile a frame."""
    whole = (*frame.subject, *frame.predicate)
    first = {node.role: node.form for node in reversed([*walk(whole)]) if isinstance(node, Mention)}
    predicate = frame.predicate
    front: Template = ()
    body: Template = ()
    last = predicate[-1] if predicate else None
    if isinstance(last, Adjunct) and [*walk(last.body)] == list(last.body) and len(last.body) == 1:
        only = last.body[0]
        if isinstance(only, Mention) and only.form == "pp" and only.role == "cond":
            front, body = last.body, predicate[:-1]
    gerund: Template = ()
    opening = predicate[0] if predicate else None
    if isinstance(opening, Verb) and opening.form == "":
        gerund = (Verb(opening.cls, "ing", opening.subject, opening.object), *predicate[1:])
    roles = roles_of(whole)
    optional = set[str]().union(*(roles_of(node.body) for node in whole if isinstance(node, Adjunct)))
    required = roles_of([node for node in whole if not isinstance(node, Adjunct)])
    subject_noun = ""
    if len(frame.subject) == 1 and isinstance(frame.subject[0], Mention):
        subject_noun = frame.subject[0].role if frame.subject[0].role not in TEXT_ROLES else ""
    opened = ontology.synonyms.opened
    named = 0
    for role in roles:
        named |= NAMED_BIT.get(role, 0)
    return Shape(
        frame.id,
        frame.prop,
        frame.nominal,
        compiler.compile(opened(frame.subject), first, record=False),
        compiler.compile(opened(predicate), first, record=False),
        compiler.compile(opened(gerund), first, record=False),
        compiler.compile(front, first, record=False),
        compiler.compile(opened(body), first, record=False),
        subject_noun,
        tuple(sorted((required - optional | required) - TEXT_ROLES)),
        tuple((role, frozenset(types)) for role, types in sorted(frame.narrows.items()) if role not in NAME_ROLES),
        tuple(sorted({node.name for node in walk(whole) if isinstance(node, Fact)})),
        named,
        frame.tone,
        roles,
        tuple(sorted(roles & CITED_ROLES)),
        WEIGHTS[min(fixed_runs(whole), len(WEIGHTS) - 1)],
        always_said(whole),
    )


def always_said(template: Template) -> frozenset[str]:
    """Roles that a template mentions outside choices and adjuncts."""
    roles: set[str] = set()
    for node in template:
        if isinstance(node, Mention) and not node.type:
            roles.add(node.role)
        elif isinstance(node, Verb) and node.object and node.form not in ("passive", "gap"):
            roles.add(node.object)
    return frozenset(roles)


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


def fits(shape: Shape, clause: Clause) -> bool:
    """Tell whether a frame can be filled with what a clause is about."""
    nouns, words = clause.nouns, clause.words
    for role in shape.needs:
        if role not in nouns:
            return False
    for role, types in shape.narrows:
        noun = nouns.get(role)
        if noun is None or words.kinds[noun].isdisjoint(types):
            return False
    for fact in shape.facts:
        if fact not in clause.facts:
            return False
    return not shape.texts or all(role in clause.texts for role in shape.texts)


def choose(pool: Sequence[Shape], clause: Clause, used: set[str], missing: int = 0, tries: int = 4) -> Shape | None:
    """Draw a frame that fits and that the paper has not used; among a few, the one that names most of what is missing.

    Args:
        pool: Frames of the proposition.
        clause: What is said.
        used: Ids of frames that the paper has used.
        missing: Bits of NAMED that are still to be said.
        tries: Draws.
    """
    best: Shape | None = None
    best_count = -1
    count = len(pool)
    if not count:
        return None
    for _ in range(tries):
        shape = pool[clause.pick(count)]
        if shape.id in used or shape is best or not fits(shape, clause):
            continue
        gained = (shape.named & missing).bit_count()
        if gained > best_count:
            best, best_count = shape, gained
        if not missing or gained == missing.bit_count():
            break
    return best


def fill(shape: Shape, clause: Clause, form: str = "") -> Said | None:
    """Fill a frame; None where a slot finds no word after all.

    Args:
        shape: The frame.
        clause: What is said.
        form: "front" puts the condition first where the frame allows it, "gerund" makes the predicate a participle.
    """
    nouns = clause.nouns
    fronted = form == "front" and shape.front and "cond" in nouns and "cond" not in clause.silent
    clause.said.clear()
    adjective = clause.adjective if clause.described else ""
    try:
        front = join(shape.front, clause) if fronted else ""
        subject = join(shape.subject, clause)
        rest = shape.body if fronted else shape.gerund if form == "gerund" else shape.predicate
        predicate = join(rest, clause)
    except UnfilledError:
        return None
    if adjective:
        twice, once = f"{adjective} {adjective} ", f"{adjective} "
        subject, predicate = subject.replace(twice, once), predicate.replace(twice, once)
    noun = nouns.get(shape.subject_noun, -1) if shape.subject_noun else -1
    roles = shape.always | clause.said if clause.said else shape.always
    if fronted:
        roles |= COND
    named = {role: nouns[role] for role in roles if role in nouns}
    return Said(shape, subject, predicate, front, noun, named, roles)


def plain(text: str) -> str:
    """Close the gaps that dropped adjuncts leave."""
    if "  " in text or text[-1:] == " " or text[:1] == " ":
        text = " ".join(text.split())
    if " ," in text:
        text = text.replace(" ,", ",")
    return text.replace(" ;", ";") if " ;" in text else text
