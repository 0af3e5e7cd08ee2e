"""The words of one subfield, laid out for speed: every noun phrase and every verb that a frame may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from ..expand import accepts_thing
from ..morphology import wants_an
from ..ontology import Ontology
from ..signs import sign
from ..templates import MENTION_FORMS
from ..terms import Concept, Form, Noun, Subfield, VerbEntry

NAME, PARAPHRASE, FUNCTION = 1, 2, 3
"""Levels of a concept's wording."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A wording of a concept: text, agreement, and level (NAME, PARAPHRASE, FUNCTION)."""

    text: str
    plural: bool
    level: int


@dataclass(frozen=True)
class ConceptWords:
    """A concept's wordings.

    Attributes:
        surfaces: By level, every wording that the world may use; each level has one or more.
        short: The short form, "" for none.
        brief: The short form as later sentences use it.
        later: How later sentences may take it up: "the model".
        broader: The broader term.
        lowered: All of the concept's forms in lower case, held-out ones too.
    """

    surfaces: dict[int, tuple[Surface, ...]]
    short: str
    brief: Surface
    later: Surface
    broader: Surface
    lowered: tuple[str, ...]


class Words:
    """A subfield's words, as a world may use them.

    Args:
        ontology: The ontology.
        subfield: The subfield.
        train: Leave out what is held out for test worlds.

    Attributes:
        phrases: Form of a mention -> text by noun.
        described: The same in two parts, between which an adjective may stand; None where none may.
        adjectives: Adjectives that go with a noun, by noun.
        plurals: Form of a mention -> whether that text is plural, by noun.
        kinds: Every type at or above it, by noun.
        concepts: Wordings by concept.
    """

    def __init__(self, ontology: Ontology, subfield: Subfield, *, train: bool) -> None:
        self.subfield = subfield
        self.group = subfield.group
        self._ontology = ontology
        nouns = subfield.nouns
        self.phrases = {form: [phrase(noun, form, ontology) for noun in nouns] for form in MENTION_FORMS}
        self.described = {form: [described(noun, form) for noun in nouns] for form in MENTION_FORMS}
        self.plurals = {form: [is_plural(noun, form) for noun in nouns] for form in MENTION_FORMS}
        self.kinds = [ontology.registry.above(noun.type) for noun in nouns]
        self.adjectives = [adjectives_of(noun, subfield, kinds) for noun, kinds in zip(nouns, self.kinds, strict=True)]
        self.concepts = [concept_words(concept, train=train) for concept in subfield.concepts]
        self.units = subfield.units
        self._of_kind: dict[str, list[int]] = {}
        for place, kinds in enumerate(self.kinds):
            for kind in sorted(kinds):
                self._of_kind.setdefault(kind, []).append(place)
        self._conditions = [fit.cells for fit in subfield.fits if fit.rows == "C"]
        self._of_class: dict[str, list[VerbEntry]] = {}
        for verb in (*ontology.verbs, *subfield.verbs):
            self._of_class.setdefault(verb.cls, []).append(verb)
        self._by_subject: dict[tuple[str, int], tuple[VerbEntry, ...]] = {}
        self._verbs: dict[tuple[str, int, int], tuple[VerbEntry, ...]] = {}
        self._free: dict[tuple[str, tuple[int, int, int]], tuple[int, ...]] = {}
        self._signs: dict[tuple[int, int], int] = {}

    def verbs(self, cls: str, subject: int, target: int) -> tuple[VerbEntry, ...]:
        """Verbs of a class that go with a subject and an object.

        Args:
            cls: A class that is no pair.
            subject: A noun, -1 for a name, -2 for a concept or nothing that narrows.
            target: The same for the object.
        """
        key = (cls, subject, target)
        found = self._verbs.get(key)
        if found is None:
            registry, thing = self._ontology.registry, self._thing(target)
            found = self._verbs[key] = tuple(
                verb for verb in self._acting(cls, subject) if accepts_thing(verb.object, thing, registry)
            )
        return found

    def _acting(self, cls: str, subject: int) -> tuple[VerbEntry, ...]:
        """Verbs of a class that go with a subject."""
        found = self._by_subject.get((cls, subject))
        if found is None:
            registry, thing = self._ontology.registry, self._thing(subject)
            found = tuple(verb for verb in self._of_class.get(cls, ()) if accepts_thing(verb.subject, thing, registry))
            if thing is None:  # a bound, a curve: no verb that is said of a few nouns only
                found = tuple(verb for verb in found if not any("/n/" in item for item in verb.subject)) or found
            self._by_subject[cls, subject] = found
        return found

    def free(self, kind: str, triple: tuple[int, int, int]) -> tuple[int, ...]:
        """Nouns of a type that go with a problem, a method and an object."""
        key = (kind, triple)
        found = self._free.get(key)
        if found is None:
            problem, method, target = (self.subfield.concepts[place].id for place in triple)
            present = {problem, method, target}
            nouns = self.subfield.nouns
            found = self._free[key] = tuple(
                place
                for place in self._of_kind.get(kind, ())
                if (not nouns[place].only or not present.isdisjoint(nouns[place].only))
                and present.isdisjoint(nouns[place].never)
                and all(cells.get((nouns[place].id, target), 1) for cells in self._conditions)
            )
        return found

    def sign(self, subject: int, target: int) -> int:
        """Whether one noun raises (0) or lowers (1) another one, in every paper of every world."""
        found = self._signs.get((subject, target))
        if found is None:
            nouns = self.subfield.nouns
            found = self._signs[subject, target] = sign(self.subfield, nouns[subject].id, nouns[target].id)
        return found

    def is_known(self, subject: int, target: int) -> bool:
        """Whether the field knows in which direction one noun moves another."""
        nouns = self.subfield.nouns
        return (nouns[subject].id, nouns[target].id) in self.subfield.signs

    def is_bad_when_high(self, noun: int) -> bool:
        """Whether lower is better."""
        return self.subfield.nouns[noun].good == "low"

    def _thing(self, key: int) -> Noun | str | None:
        return self.subfield.nouns[key] if key >= 0 else "name" if key == -1 else None


def concept_words(concept: Concept, *, train: bool) -> ConceptWords:
    """Lay out a concept's wordings; where all of a level are held out, a training world does without the level."""
    levels = {NAME: (concept.name,), PARAPHRASE: concept.paraphrases, FUNCTION: concept.functional}
    surfaces = {
        level: tuple(surface(form, level) for form in forms if not (train and form.heldout))
        for level, forms in levels.items()
    }
    if not surfaces[NAME]:
        surfaces[NAME] = surfaces[PARAPHRASE] or (surface(concept.name, NAME),)
    for level in (PARAPHRASE, FUNCTION):
        surfaces[level] = surfaces[level] or surfaces[NAME]
    plural = concept.name.number == "pl"
    brief = Surface(concept.short, plural and concept.short.endswith("s"), NAME)
    later = Surface(f"the {concept.refer[1]}" if plural else f"the {concept.refer[0]}", plural, 0)
    broader = Surface(concept.broader, plural=False, level=0)
    lowered = tuple(form.text.lower() for form in concept.forms)
    return ConceptWords(surfaces, concept.short, brief, later, broader, lowered)


def surface(form: Form, level: int) -> Surface:
    """One form as a surface."""
    return Surface(form.text, form.number == "pl", level)


def is_plural(noun: Noun, form: str) -> bool:
    """Tell whether a mention of a noun in a form is plural."""
    return noun.number == "pl" or (noun.number == "sg" and (form == "pl" or (form != "a" and noun.det == "pl")))


def adjectives_of(noun: Noun, subfield: Subfield, kinds: frozenset[str]) -> tuple[str, ...]:
    """Adjectives that go with a noun of these types: in order of id, none that its name holds already."""
    held = set(noun.singular.replace("-", " ").split())
    return tuple(
        entry.text
        for entry in subfield.adjectives
        if not kinds.isdisjoint(entry.types)
        and (not entry.only or noun.id in entry.only)
        and noun.id not in entry.never
        and held.isdisjoint(entry.text.replace("-", " ").split())
    )


def described(noun: Noun, form: str) -> tuple[str, str] | None:
    """A mention in two parts: what stands before an adjective, and the noun behind it."""
    shape = noun.det if form == "" else form
    if form in ("pp", "again", "short", "a") or (shape == "a" and noun.number == "sg"):
        return None
    head = noun.plural if is_plural(noun, form) else noun.singular
    return ("the " if shape == "the" else "", head)


def phrase(noun: Noun, form: str, ontology: Ontology) -> str:
    """Word a mention of a noun."""
    entry = ontology.registry.types[noun.type]
    plural = is_plural(noun, form)
    if form == "again":
        return f"these {entry.plural}" if plural else f"this {entry.singular}"
    if form == "short" and noun.short:
        return noun.short
    head = noun.plural if plural else noun.singular
    shape = noun.det if form in ("", "pp", "short") else form
    lead = f"{noun.prep} " if form == "pp" else ""
    if shape == "the":
        return f"{lead}the {head}"
    if shape == "a" and noun.number == "sg":
        return f"{lead}{'an' if wants_an(head) else 'a'} {head}"
    return lead + head
