"""Words CompLit's claims and queries, from the phrases of ontology/frames/complit.txt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .complit_classes import BY_NAME, FRAMES, OPENING, PLOTTED, POINTERS, SAID
from .complit_columns import Columns
from .complit_options import Option
from .draws import Draw
from .questions import DOUBLED, fill, is_gerund, of_class, tidy
from .render.clause import Clause, Parts, UnfilledError, join
from .render.realize import Compiler
from .render.shared import Shared
from .render.words import FUNCTION
from .templates import Mention, Template, parse, walk
from .terms import Form, Phrase
from .world import World

COUNTS = ("nobody", "a single person", "two people", "three people", "four people", "five people", "six people",
          "seven people", "eight people")  # fmt: skip
SENTENCE = re.compile(r"(?<=\.) ")
TITLED = 3
"""Of five papers that are pointed to, so many by their titles."""

LONGEST = 46
"""Most words that a sentence may hold in claims."""

JOINED = (30, 45, 25)
"""Weights of sentences with one claim, two, and three."""


@dataclass(frozen=True)
class Worded:
    """A claim in words.

    Attributes:
        text: A verb phrase whose subject is the paper.
        bare: The same without names and titles, for the comparison with the evidence.
    """

    text: str
    bare: str


@dataclass(frozen=True)
class Said:
    """A phrase whose slots are whole texts; `gerund` and `noun` as in `questions.TopicPhrase`."""

    template: Template
    gerund: str
    noun: str


class Wording:
    """Words claims and queries.

    Args:
        world: The world.
        columns: Its claims.
        shared: The renderer's words and names.
    """

    def __init__(self, world: World, columns: Columns, shared: Shared) -> None:
        ontology = world.ontology
        self._columns, self._shared = columns, shared
        compiler = Compiler(ontology)
        self._said = {
            cls: [
                Said(parse(phrase.text, phrase.where), phrase.extras.get("gerund", ""), phrase.extras.get("noun", ""))
                for phrase in of_class(ontology, cls)
            ]
            for cls in SAID
        }
        self._plotted = {
            cls: [compiler.compile(parse(phrase.text, phrase.where)) for phrase in of_class(ontology, cls)]
            for cls in (*PLOTTED, "complit-hint", "complit-open")
        }
        self._asks: dict[str, list[list[tuple[Form, Parts]]]] = {
            attribute.id: [
                [
                    (form, compiler.compile(form.template))
                    for form in value.asks
                    if not (world.spec.train and form.heldout)
                ]
                for value in attribute.values
            ]
            for attribute in ontology.attributes
        }
        self._frames = {cls: sentences_by_size(of_class(ontology, cls)) for cls in FRAMES if cls not in self._plotted}
        self._cited = Counter(shared.cited(row) for row in range(len(world.facts.line)))
        self._openings: dict[str, list[Template]] = {}
        for phrase in ontology.phrases:
            if phrase.kind == "queries" and phrase.cls == OPENING:
                self._openings.setdefault(phrase.extras["for"], []).append(parse(phrase.text, phrase.where))
        self._leads: dict[str, list[Template]] = {}
        for phrase in of_class(ontology, "complit-lead"):
            self._leads.setdefault(phrase.extras["for"], []).append(parse(phrase.text, phrase.where))

    # ------------------------------------------------------------------ claims

    def claim(self, row: int, option: Option, draw: Draw) -> Worded | None:
        """Word an option of a paper; None where a slot finds no word."""
        clause = self._clause(row, draw)
        kind, values = option.claim
        try:
            if option.family == "attribute":
                return self._asked(kind, values[0], clause)
            if option.family == "noun":
                clause.nouns[option.facet] = self._noun(row, values[0])
                return self._joined(f"claim-{option.facet}", clause)
            if option.family == "drawn":
                clause.nouns["y"], clause.down = self._noun(row, values[0]), values[2]
                if values[1] < 0:
                    return self._joined(f"claim-{kind}-y", clause)
                clause.nouns["x"] = self._noun(row, values[1])
                return self._joined(f"claim-{kind}", clause)
        except UnfilledError:
            return None
        finally:
            draw.at = clause.at
        return self._filled(self._class_of(option), self._texts(row, option), draw, option)

    def _class_of(self, option: Option) -> str:
        kind, values = option.claim
        if kind in BY_NAME:
            return f"relation-{kind}"
        if kind == "shape":
            return f"shape-{option.facet}"
        if kind in ("monotone", "turning"):
            return f"claim-{(('rising', 'falling'), ('top', 'dip'))[kind == 'turning'][values[0]]}"
        return f"claim-{kind.lower()}"

    def _texts(self, row: int, option: Option) -> dict[str, str]:
        """What fills the slots of a claim."""
        kind, values = option.claim
        if option.surface is not None:
            return {kind: option.surface.text}
        if kind in BY_NAME:
            return {"cited": self.pointer(values[0])}
        if kind == "dataset":
            return {kind: self._shared.dataset_name(row)}
        if kind == "baseline":
            return {kind: self._shared.rival_name(row)}
        if kind == "order":
            return {"left": self._shared.system_name(values[0]), "right": self._shared.system_name(values[1])}
        if kind in ("filed", "listed"):
            return {"category": self._columns.categories[values[0]]}
        if kind == "author":
            return {"name": self._columns.surnames[values[0]]}
        if kind == "authors":
            return {"count": COUNTS[values[0]]}
        return {"year": str(values[0])} if values else {}

    def pointer(self, other: int) -> str:
        """How queries point to another paper: by its title or, where that is unambiguous, as texts cite it."""
        cited = self._shared.cited(other)
        by_title = other % 5 < TITLED or self._cited[cited] > 1
        return f'"{self._shared.title_of(other)}"' if by_title else cited

    def _clause(self, row: int, draw: Draw) -> Clause:
        words = self._shared.words[self._shared.subfield[row]]
        clause = Clause(words, draw.raw, draw.at, triple=self._shared.concepts[row])
        unit, units = words.units[clause.pick(len(words.units))]
        clause.texts.update(unit=unit, units=units)
        return clause

    def _asked(self, attribute: str, value: int, clause: Clause) -> Worded | None:
        options = [parts for form, parts in self._asks[attribute][value] if form.fits(clause.words.group)]
        options = options or [parts for _, parts in self._asks[attribute][value]]
        text = tidied(join(options[clause.pick(len(options))], clause))
        return Worded(text, text)

    def _joined(self, cls: str, clause: Clause) -> Worded:
        options = self._plotted[cls]
        text = tidied(join(options[clause.pick(len(options))], clause))
        return Worded(text, text)

    def _filled(self, cls: str, texts: Mapping[str, str], draw: Draw, option: Option) -> Worded:
        described = option.surface is not None and option.surface.level == FUNCTION
        options = [phrase for phrase in self._said[cls] if suits(phrase, texts, described=described)]
        template = options[draw.below(len(options))].template
        start = draw.at
        text = fill(template, texts, draw.below)
        draw.at = start
        bare = fill(template, {slot: "" if slot in POINTERS else value for slot, value in texts.items()}, draw.below)
        return Worded(tidied(text), tidied(bare))

    # ------------------------------------------------------------------ sentences

    def opening(self, intent: str, draw: Draw) -> str:
        """A sentence that tells why somebody searches."""
        options = self._openings[intent]
        return tidy(fill(options[draw.below(len(options))], {}, draw.below))

    def sentences(self, claims: Sequence[str], draw: Draw, *, begin: bool) -> list[str]:
        """Sentences that hold claims, each once, in order.

        Args:
            claims: Verb phrases.
            draw: Integers.
            begin: Whether the first one introduces the paper.
        """
        out: list[str] = []
        used: set[tuple[int, int]] = set()
        place = 0
        while place < len(claims):
            rest = claims[place:]
            size = min(1 + draw.weighted(JOINED), len(rest))
            while size > 1 and sum(len(claim.split()) for claim in rest[:size]) > LONGEST:
                size -= 1
            frames = self._frames["complit-first" if begin and not out else "complit-more"][size]
            at = draw.below(len(frames))
            while (size, at) in used and len(frames) > sum(entry[0] == size for entry in used):
                at = (at + 1) % len(frames)
            used.add((size, at))
            texts = dict(zip("abc", rest, strict=False))
            out.append(tidy(fill(frames[at], texts, draw.below)))
            place += size
        return out

    def closing(self, draw: Draw) -> str:
        """What is asked for in the end."""
        return self._plain("complit-close", draw)

    def commitment(self, draw: Draw) -> str:
        """The last words of a conversation."""
        return self._plain("complit-commit", draw)

    def lead(self, purpose: str, draw: Draw) -> str:
        """The first words of a later turn."""
        options = self._leads[purpose]
        return tidy(fill(options[draw.below(len(options))], {}, draw.below))

    def hint(self, row: int, noun: int, draw: Draw) -> str:
        """A sentence that tells the surroundings of a paper by one of its nouns."""
        return self._about("complit-hint", row, noun, draw)

    def goal(self, row: int, noun: int, draw: Draw) -> str:
        """The first turn of a conversation: a field, and a noun that brought somebody there."""
        return self._about("complit-open", row, noun, draw)

    def _about(self, cls: str, row: int, noun: int, draw: Draw) -> str:
        clause = self._clause(row, draw)
        clause.nouns["hint"] = self._columns.terms.place(self._shared.subfield[row], noun)
        clause.texts["field"] = clause.words.subfield.title
        options = self._plotted[cls]
        text = join(options[clause.pick(len(options))], clause)
        draw.at = clause.at
        return " ".join(tidy(part) for part in SENTENCE.split(text))

    def _plain(self, cls: str, draw: Draw) -> str:
        options = self._frames[cls][0]
        return tidy(fill(options[draw.below(len(options))], {}, draw.below))

    def _noun(self, row: int, noun: int) -> int:
        return self._columns.terms.place(self._shared.subfield[row], noun)


def sentences_by_size(phrases: Sequence[Phrase]) -> dict[int, list[Template]]:
    """Frames by the number of claims that they hold."""
    out: dict[int, list[Template]] = {}
    for phrase in phrases:
        template = parse(phrase.text, phrase.where)
        size = sum(isinstance(node, Mention) for node in walk(template))
        out.setdefault(size, []).append(template)
    return out


def suits(phrase: Said, texts: Mapping[str, str], *, described: bool) -> bool:
    """Whether the wording of a concept is of the form that a phrase asks for; only a description is surely a gerund."""
    gerunds = all(described and is_gerund(texts[slot]) for slot in phrase.gerund)
    return gerunds and not any(is_gerund(texts[slot]) for slot in phrase.noun)


def tidied(text: str) -> str:
    """A claim as it stands inside a sentence: what `tidy` would make of it, the first letter left as it is."""
    return text[:1] + tidy(text)[1:] if text else text


def is_smooth(text: str) -> bool:
    """Whether no word stands twice in a row."""
    return not DOUBLED.search(text)
