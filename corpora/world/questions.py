"""Words a question: topic and facets from the phrases of ontology/frames/queries.txt, put into a researcher's frame.

Of two phrases or frames drawn the shorter one is taken: people who ask are brief.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from .facts import Facts
from .names import Names
from .ontology import Ontology
from .predicates import Constraint
from .query_classes import ASK, FACETS, NOUN_FACETS, SOURCES, TOPICS
from .render.clause import Clause, Parts, UnfilledError, join
from .render.realize import Compiler
from .render.words import FUNCTION, NAME, PARAPHRASE, Surface, Words
from .spec import WorldSpec
from .templates import Choice, Literal, Mention, Template, parse
from .terms import Form, Phrase

LEVELS = {NAME: "name", PARAPHRASE: "paraphrase", FUNCTION: "function"}
"""How labels call the levels of a wording."""

SHORT = 25
"""Percent of names that are given by their short form, where there is one."""

MIN_WORDS, MAX_WORDS, MAX_CHARACTERS = 8, 45, 330
DOUBLED = re.compile(r"\b(?!that\b|had\b)([a-z]+) \1\b", re.IGNORECASE)
"""A word that stands twice in a row: a wording that ends like its phrase goes on."""

ORDER = ("cond", "cause", "via", "effect", "knob", "hazard", "merit", "supply", "tool", "dataset", "baseline", "system")
"""The facets in the order in which a question says them; what is asked of a paper comes last."""


@dataclass(frozen=True)
class TopicPhrase:
    """A compiled topic; `gerund` and `noun` name the concepts whose wording must (not) start with a verb in -ing."""

    parts: Parts
    gerund: str
    noun: str


@dataclass(frozen=True)
class Wanted:
    """What a question asks for.

    Attributes:
        subfield: Place of the subfield in `Facts.subfields`.
        constraints: Concepts and facets.
        levels: Level of the wording of each concept, by its letter.
        avoid: Wordings of each concept that are passed over where the level has others.
        source: Key of `query_classes.SOURCES`.
    """

    subfield: int
    constraints: tuple[Constraint, ...]
    levels: Mapping[str, int]
    avoid: Mapping[str, frozenset[str]]
    source: str


class Questions:
    """Words questions.

    Args:
        ontology: The ontology.
        spec: The world.
        facts: Its facts.
    """

    def __init__(self, ontology: Ontology, spec: WorldSpec, facts: Facts) -> None:
        self._facts = facts
        self._names = Names(spec.seed, train=spec.train)
        by_id = {subfield.id: subfield for subfield in ontology.subfields}
        self.words = [Words(ontology, by_id[name], train=spec.train) for name in facts.subfields]
        compiler = Compiler(ontology)
        self._topics = {
            cls: tuple(
                TopicPhrase(
                    compiler.compile(parse(phrase.text, phrase.where)),
                    phrase.extras.get("gerund", ""),
                    phrase.extras.get("noun", ""),
                )
                for phrase in of_class(ontology, cls)
            )
            for cls in TOPICS
        }
        self._facets = {
            cls.removeprefix("facet-"): tuple(
                compiler.compile(parse(phrase.text, phrase.where)) for phrase in of_class(ontology, cls)
            )
            for cls in FACETS
            if cls != f"facet-{ASK}"
        }
        self._asking = [parse(phrase.text, phrase.where) for phrase in of_class(ontology, f"facet-{ASK}")]
        self._frames = {
            source: [parse(frame.text, frame.where) for frame in frames_of(ontology, source)] for source in SOURCES
        }
        self._asks: dict[str, list[tuple[tuple[Form, Parts], ...]]] = {
            attribute.id: [
                tuple(
                    (form, compiler.compile(form.template)) for form in value.asks if not (spec.train and form.heldout)
                )
                for value in attribute.values
            ]
            for attribute in ontology.attributes
        }

    def word(self, wanted: Wanted, draws: Sequence[int], at: int = 0) -> str | None:
        """Word a question; None where a slot finds no word or the question would be too long or short.

        Args:
            wanted: What it asks for.
            draws: 32-bit integers.
            at: The first one to take.
        """
        clause = Clause(self.words[wanted.subfield], draws, at)
        unit, units = clause.words.units[clause.pick(len(clause.words.units))]
        clause.texts.update(unit=unit, units=units)
        try:
            topic = self._topic(wanted, clause)
            facets = self._said_facets(wanted, clause)
        except UnfilledError:
            return None
        frames = self._frames[wanted.source]
        texts = {"topic": topic, "facets": facets}
        text = min((tidy(fill(frames[clause.pick(len(frames))], texts, clause.pick)) for _ in range(2)), key=len)
        fits = MIN_WORDS <= len(text.split()) <= MAX_WORDS and len(text) <= MAX_CHARACTERS
        return None if not fits or DOUBLED.search(text) else text

    def _topic(self, wanted: Wanted, clause: Clause) -> str:
        """Word the concepts, and what is said of them."""
        letters = ""
        for constraint in wanted.constraints:
            if constraint.kind in "PMO":
                letters += constraint.kind
                surface = self._surface(clause, constraint, wanted)
                clause.texts[constraint.kind] = surface.text
                clause.plural[constraint.kind] = surface.plural
        described = {letter for letter in letters if wanted.levels[letter] == FUNCTION}
        options = [
            phrase for phrase in self._topics[f"topic-{letters.lower()}"] if suits(phrase, clause.texts, described)
        ]
        return min((join(options[clause.pick(len(options))].parts, clause) for _ in range(2)), key=len)

    def _surface(self, clause: Clause, constraint: Constraint, wanted: Wanted) -> Surface:
        words = clause.words.concepts[constraint.value]
        level, avoid = wanted.levels[constraint.kind], wanted.avoid.get(constraint.kind, frozenset())
        options = words.surfaces[level]
        options = tuple(surface for surface in options if surface.text not in avoid) or options
        surface = options[clause.pick(len(options))]
        if level == NAME and words.short and clause.pick(100) < SHORT:
            return Surface(words.short, surface.plural, NAME)
        return surface

    def fresh_levels(self, subfield: int, constraint: Constraint, avoid: frozenset[str]) -> tuple[bool, ...]:
        """Whether a concept has, as name, paraphrase and function, a wording that is not to be avoided."""
        surfaces = self.words[subfield].concepts[constraint.value].surfaces
        return tuple(any(surface.text not in avoid for surface in surfaces[level]) for level in LEVELS)

    def _said_facets(self, wanted: Wanted, clause: Clause) -> str:
        """Word the facets, one behind the other."""
        group = clause.words.group
        said: dict[str, str] = {}
        asked = ""
        for kind, value in wanted.constraints:
            if kind in "PMO":
                continue
            if kind in self._asks:
                asked = self._asked(kind, value, group, clause)
                continue
            if kind in NOUN_FACETS:
                clause.nouns[kind] = value
            else:
                clause.texts[kind] = self.name(kind, value, group)
            options = self._facets[kind]
            said[kind] = min((join(options[clause.pick(len(options))], clause) for _ in range(2)), key=len)
        facets = ", ".join(said[kind] for kind in ORDER if kind in said)
        return f"{facets}{asked}"

    def _asked(self, attribute: str, value: int, group: str, clause: Clause) -> str:
        options = [parts for form, parts in self._asks[attribute][value] if form.fits(group)]
        if not options:
            raise UnfilledError(f"no wording of {attribute} for {group}")
        ask = join(options[clause.pick(len(options))], clause)
        return fill(self._asking[clause.pick(len(self._asking))], {"ask": ask}, clause.pick)

    def name(self, kind: str, value: int, group: str) -> str:
        """The coined name that a constraint of kind system, dataset or baseline asks for."""
        if kind == "dataset":
            return self._names.dataset(value, group)
        if kind == "system":
            return self._names.system(value, group)
        if value < 0:
            return self._names.system(-2 - value, group)
        rival = self.words[int(self._facts.subfield[value])].group
        return self._names.system(int(self._facts.name[value]), rival)


def of_class(ontology: Ontology, cls: str) -> list[Phrase]:
    """Phrases of a class, by id."""
    return [phrase for phrase in ontology.phrases if phrase.kind == "phrases" and phrase.cls == cls]


def frames_of(ontology: Ontology, source: str) -> list[Phrase]:
    """Frames of ScholarGym's questions for a source: its own and, unless one paper is asked for, the common ones."""
    own = [phrase for phrase in ontology.phrases if phrase.kind == "queries" and phrase.cls == "scholargym"]
    common = ("",) if source != "specific" else ()
    return [phrase for phrase in own if phrase.extras.get("for", "") in (source, *common)]


def suits(phrase: TopicPhrase, texts: Mapping[str, str], described: AbstractSet[str]) -> bool:
    """Whether the wordings of the concepts are of the form that a topic phrase asks for.

    Args:
        phrase: The phrase.
        texts: Wording by concept.
        described: The concepts that are given by functional descriptions; only these are surely gerunds.
    """
    gerunds = all(letter in described and is_gerund(texts[letter]) for letter in phrase.gerund)
    return gerunds and not any(is_gerund(texts[letter]) for letter in phrase.noun)


def is_gerund(text: str) -> bool:
    """Whether a wording reads as "doing something": its first word ends in -ing and another one follows."""
    first, _, rest = text.partition(" ")
    return first.endswith("ing") and bool(rest)


def fill(template: Template, texts: Mapping[str, str], pick: Callable[[int], int]) -> str:
    """Fill a frame that holds nothing but words, choices and slots for whole texts.

    Args:
        template: The frame.
        texts: What the slots stand for.
        pick: Draws an integer below a bound.
    """
    out = []
    for node in template:
        match node:
            case Literal(text):
                out.append(text)
            case Choice(options):
                out.append(fill(options[pick(len(options))], texts, pick))
            case Mention(role):
                out.append(texts[role])
            case _:
                raise UnfilledError(f"{node!r} has no place in a frame of a question")
    return "".join(out)


def tidy(text: str) -> str:
    """Close the gaps that empty parts leave, and start with a capital."""
    text = " ".join(text.split())
    text = re.sub(r"\s+([,;.?])", r"\1", text)
    text = re.sub(r",\s*(?=[,;.?])", "", text)
    return text[0].upper() + text[1:]
