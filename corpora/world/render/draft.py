"""A full text as it grows, and where in it the paper's attributes are stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .clause import Parts
from .narrator import Narrator, Sentence
from .plans import finish
from .shared import EXPLICIT, INFERRED, PARAPHRASED

Paragraph = list[Sentence]
Body = list[tuple[str, list[Paragraph]]]

DETAILS = {
    "cs": "Implementation details",
    "eess": "Implementation details",
    "math": "Further remarks",
    "physics": "Additional remarks on the procedure",
    "q-bio": "Additional methods",
    "stat": "Computational details",
    "econ": "Appendix: details of the analysis",
    "q-fin": "Appendix: details of the analysis",
}
"""Heading of the section that holds what found no place elsewhere, by group."""

CLOSING = ("sector", "artifacts", "stage")
"""Attributes that the acknowledgments state."""

ACKNOWLEDGMENTS = "Acknowledgments and availability"
DECLARATIONS = "Declarations"
SUPPLEMENT = "Supplementary notes"
PER_SECTION, PER_CLOSING = 3, 3
"""Paragraphs on attributes that a section takes, and a closing one."""

ROOMY = frozenset(("data", "method"))
"""Moves whose sections may hold what has no better place."""

RESULTS = frozenset(("result", "statement", "corollary", "fit"))
"""Moves that state findings."""


@dataclass
class Draft:
    """A body as it grows.

    Attributes:
        sections: Headings and paragraphs.
        moves: For each section the move of each paragraph, "" for one that holds citations or exhibits only.
        asides: For each section how many paragraphs on attributes it has been given.
    """

    sections: Body = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    asides: Counter[int] = field(default_factory=Counter)

    def open(self, heading: str) -> None:
        """Begin a section."""
        self.sections.append((heading, []))
        self.moves.append([])

    def add(self, paragraph: Paragraph, move: str) -> None:
        """Add a paragraph to the last section; an empty one is left out."""
        if paragraph:
            self.sections[-1][1].append(paragraph)
            self.moves[-1].append(move)

    def free(self, wanted: frozenset[str], apart: int, room: int) -> list[int]:
        """Sections with a wanted move and less than `room` attributes, `apart` left out."""
        return [
            number
            for number, moves in enumerate(self.moves)
            if number != apart and not wanted.isdisjoint(moves) and self.asides[number] < room
        ]

    def state(self, section: int, label: str, sentence: Sentence) -> None:
        """Add a sentence to a section as a paragraph of its own behind a run-in heading."""
        self.asides[section] += 1
        self.sections[section][1].append([Sentence(f"{label}.", []), sentence])

    def closing(self, heading: str) -> int:
        """The closing section of that heading, begun where it is not there."""
        for number, (known, _) in enumerate(self.sections):
            if known == heading:
                return number
        self.open(heading)
        return len(self.sections) - 1


def place_attributes(narrator: Narrator, levels: dict[int, int], in_abstract: list[int], draft: Draft) -> None:
    """State every attribute in the body: where one would look for it, else in a closing section.

    The halves of evidence stand in two sections.
    """
    shared = narrator.shared
    held = {
        shared.ontology.attributes[place].values[value].id
        for place, value in enumerate(shared.attributes[narrator.row])
        if value >= 0
    }
    for place, level in levels.items():
        narrator.next_sentence()
        if place in in_abstract and narrator.chance(50):
            continue
        value = shared.values[narrator.group][place][shared.attributes[narrator.row][place]]
        sets = [entry for entry in value.evidence if entry.excludes.isdisjoint(held)] if level == INFERRED else []
        if sets:
            state_evidence(narrator, sets[narrator.pick(len(sets))].halves, place, draft)
            continue
        said = EXPLICIT if level == EXPLICIT else PARAPHRASED
        options = value.explicit if said == EXPLICIT else value.paraphrased
        text = narrator.value_clause(options[narrator.pick(len(options))], {}, {}) if options else None
        if text is not None:
            state(narrator, draft, place, Sentence(finish(text), [(shared.first_attribute + place, said)]), apart=-1)


def state_evidence(narrator: Narrator, halves: Sequence[Parts], attribute: int, draft: Draft) -> None:
    """Put the halves of an evidence set into different sections; all of them or none."""
    numbers: dict[str, str] = {}
    nouns: dict[str, int] = {}
    texts = [narrator.value_clause(half, numbers, nouns) for half in halves]
    code = narrator.shared.first_attribute + attribute
    section = -1
    for text in texts:
        if text is None:
            return
    for text in texts:
        assert text is not None
        section = state(narrator, draft, attribute, Sentence(finish(text), [(code, INFERRED)]), apart=section)


def state(narrator: Narrator, draft: Draft, attribute: int, sentence: Sentence, apart: int) -> int:
    """Put a sentence on an attribute where it belongs, outside the section `apart`; return the section."""
    shared = narrator.shared
    labels = shared.attribute_labels[attribute]
    label = labels[narrator.pick(len(labels))]
    if shared.ontology.attributes[attribute].id in CLOSING:
        section = closing_section(draft, (ACKNOWLEDGMENTS, DECLARATIONS), apart)
        draft.state(section, label, sentence)
        return section
    options = (
        draft.free(shared.attribute_moves[attribute], apart, PER_SECTION)
        or draft.free(ROOMY, apart, PER_SECTION + 1)
        or draft.free(RESULTS, apart, 2)
    )
    details = (DETAILS[narrator.group], SUPPLEMENT)
    section = options[narrator.pick(len(options))] if options else closing_section(draft, details, apart)
    draft.state(section, label, sentence)
    return section


def closing_section(draft: Draft, headings: tuple[str, str], apart: int) -> int:
    """The first of two closing sections that has room, else the first one but for the section `apart`."""
    for heading in headings:
        section = draft.closing(heading)
        if section != apart and draft.asides[section] < PER_CLOSING:
            return section
    numbers = [draft.closing(heading) for heading in headings]
    return numbers[numbers[0] == apart]
