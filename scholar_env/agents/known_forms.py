"""A dictionary of the synthetic world's wordings: which concept a question means, and how else it could be worded.

It reads the ontology's files, never a corpus or a task: what it knows holds for every world alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from scholar_env.agents.words import words

ONTOLOGY = "scholar_env.corpora.world.ontology"


@dataclass(frozen=True, slots=True)
class Known:
    """A concept or a noun that a question may name.

    Attributes:
        field: Its subfield.
        names: Name and short form of a concept, or singular and plural of a noun.
        paraphrases: Other wordings; none for a noun.
        descriptions: What it is for, in plain words; none for a noun.
    """

    field: str
    names: tuple[str, ...]
    paraphrases: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()

    @property
    def is_concept(self) -> bool:
        """Whether it is a problem, a method or an object."""
        return bool(self.paraphrases)


@dataclass(frozen=True, slots=True)
class Reading:
    """What is recognised in a question.

    Attributes:
        concepts: Concepts of one subfield, in the order in which they are named.
        nouns: Nouns of the same subfield.
        rest: The words that belong to neither.
    """

    concepts: tuple[Known, ...]
    nouns: tuple[Known, ...]
    rest: tuple[str, ...]


Entries = dict[tuple[str, ...], list[Known]]


class KnownForms:
    """Finds known wordings in questions.

    Args:
        entries: Everything known.
    """

    def __init__(self, entries: Sequence[Known]) -> None:
        self._by_first: dict[str, Entries] = {}
        for entry in entries:
            for text in (*entry.names, *entry.paraphrases, *entry.descriptions):
                key = tuple(words(text))
                if key:
                    self._by_first.setdefault(key[0], {}).setdefault(key, []).append(entry)

    def read(self, question: str) -> Reading:
        """Recognises the longest wordings from left to right, and keeps those of the subfield that explains most."""
        found, rest = self._longest(words(question))
        votes: dict[str, int] = {}
        for key, entries in found:
            for field in {entry.field for entry in entries}:
                concept = any(entry.is_concept for entry in entries if entry.field == field)
                votes[field] = votes.get(field, 0) + len(key) * (3 if concept else 1)
        field = max(sorted(votes), key=votes.__getitem__, default="")
        chosen: list[Known] = []
        for key, entries in found:
            own = [entry for entry in entries if entry.field == field]
            chosen.extend(own[:1])
            if not own:
                rest.extend(key)
        concepts = tuple(dict.fromkeys(entry for entry in chosen if entry.is_concept))
        nouns = tuple(dict.fromkeys(entry for entry in chosen if not entry.is_concept))
        return Reading(concepts, nouns, tuple(rest))

    def _longest(self, text: list[str]) -> tuple[list[tuple[tuple[str, ...], list[Known]]], list[str]]:
        found, rest = [], []
        place = 0
        while place < len(text):
            options = self._by_first.get(text[place], {})
            keys = [key for key in options if tuple(text[place : place + len(key)]) == key]
            if keys:
                key = max(keys, key=len)
                found.append((key, options[key]))
                place += len(key)
            else:
                rest.append(text[place])
                place += 1
        return found, rest


@cache
def known_forms() -> KnownForms | None:
    """The wordings of the ontology that ships, None where the package comes without it."""
    try:
        ontology = import_module(ONTOLOGY).load()
    except ImportError:
        return None
    return KnownForms([*_concepts(ontology), *_nouns(ontology)])


def _concepts(ontology: Any) -> Iterator[Known]:
    for subfield in ontology.subfields:
        for concept in subfield.concepts:
            names = (concept.name.text, concept.short) if concept.short else (concept.name.text,)
            paraphrases = tuple(form.text for form in concept.paraphrases)
            yield Known(subfield.id, names, paraphrases, tuple(form.text for form in concept.functional))


def _nouns(ontology: Any) -> Iterator[Known]:
    for subfield in ontology.subfields:
        for noun in subfield.nouns:
            plural = () if noun.number == "mass" or noun.plural == noun.singular else (noun.plural,)
            yield Known(subfield.id, (noun.singular, *plural))
