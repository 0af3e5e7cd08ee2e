"""The full text: sections of paragraphs, with citations, exhibits, and the attributes where one would look for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..facts import FIGURE_KINDS
from .citing import citation_paragraphs, reference_list
from .exhibits import is_dip, number_text, plotted
from .moves import steps_of
from .narrator import Narrator, Sentence
from .paragraphs import tell
from .plans import finish
from .realize import Parts
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
"""Attribute sentences that a section takes, in a paragraph of their own, and a closing one."""

ROOMY = ("data", "method")
"""Moves whose sections may hold what has no better place."""

EXHIBIT_PROPS = {"trend": ("trend", "condition", "cause"), "peak": ("trend", "condition"), "ordering": ("comparison",)}
RESULTS = ("result", "statement", "corollary", "fit")
THEOREMS = ("statement", "proof", "corollary")
"""Moves that speak of theorems, in whatever group."""


@dataclass
class Draft:
    """A body as it grows.

    Attributes:
        sections: Headings and paragraphs.
        moves: For each section the move of each paragraph, "" for one that holds citations or exhibits only.
        asides: For each section the paragraph of attributes that it has been given.
    """

    sections: Body = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    asides: dict[int, Paragraph] = field(default_factory=dict)

    def open(self, heading: str) -> None:
        """Begin a section."""
        self.sections.append((heading, []))
        self.moves.append([])

    def add(self, paragraph: Paragraph, move: str) -> None:
        """Add a paragraph to the last section; an empty one is left out."""
        if paragraph:
            self.sections[-1][1].append(paragraph)
            self.moves[-1].append(move)

    def free(self, wanted: Collection[str], apart: int, room: int) -> list[int]:
        """Sections with a wanted move and less than `room` attributes, `apart` left out."""
        return [
            number
            for number, moves in enumerate(self.moves)
            if number != apart and len(self.asides.get(number, ())) < room and not moves_apart(moves, wanted)
        ]

    def state(self, section: int, sentence: Sentence) -> None:
        """Add a sentence to a section's paragraph of attributes."""
        if section not in self.asides:
            self.asides[section] = []
            self.sections[section][1].append(self.asides[section])
        self.asides[section].append(sentence)

    def closing(self, heading: str) -> int:
        """The closing section of that heading, begun where it is not there."""
        for number, (known, _) in enumerate(self.sections):
            if known == heading:
                return number
        self.open(heading)
        return len(self.sections) - 1


def moves_apart(moves: Sequence[str], wanted: Collection[str]) -> bool:
    """Tell whether a section has none of some moves."""
    return not any(move in wanted for move in moves if move)


def body_of(narrator: Narrator, levels: dict[int, int], in_abstract: list[int]) -> Body:
    """Write the sections of a paper, the list of references last.

    Args:
        narrator: The paper's voice.
        levels: Level of each attribute.
        in_abstract: Attributes that the abstract has stated.
    """
    shared = narrator.shared
    draft = survey_body(narrator) if shared.survey[narrator.row] else plain_body(narrator)
    if not shared.survey[narrator.row]:  # a survey has no design of its own
        place_attributes(narrator, levels, in_abstract, draft)
    references = reference_list(narrator)
    sections = [(heading, paragraphs) for heading, paragraphs in draft.sections if paragraphs]
    return [*sections, ("References", references)] if references else sections


def plain_body(narrator: Narrator) -> Draft:
    """The sections of a paper that reports work of its own."""
    order = narrator.shared.order(narrator.row)
    cited = citation_paragraphs(narrator)
    has_related = any(is_related(steps) for _, steps in order.sections[1:])
    exhibits = exhibit_queue(narrator)
    draft = Draft()
    told: Counter[str] = Counter()
    for number, (heading, steps) in enumerate(order.sections):
        draft.open(heading)
        narrator.new_section()
        related = number > 0 and is_related(steps)
        for move, prop in steps_of(steps):
            paragraph = paragraph_of(narrator, move, prop, told, short=related)
            if move in RESULTS and exhibits:
                add_exhibit(narrator, exhibits, prop, paragraph)
            draft.add(paragraph, move)
            if move == "background" and cited and (related or number == 0):
                share = len(cited) if related or not has_related else min(2, len(cited))
                for group in cited[:share]:
                    draft.add(group, "")
                del cited[:share]
    for group in reversed(cited):
        draft.sections[0][1].insert(1, group)
        draft.moves[0].insert(1, "")
    if exhibits:
        last = next((n for n in reversed(range(len(draft.moves))) if set(draft.moves[n]) & set(RESULTS)), -1)
        paragraph = []
        while exhibits:
            add_exhibit(narrator, exhibits, "", paragraph)
        if paragraph:
            draft.sections[last][1].append(paragraph)
            draft.moves[last].append("")
    return draft


def survey_body(narrator: Narrator) -> Draft:
    """The sections of a survey: what it covers, the papers, their comparison, open questions."""
    draft = Draft()
    cited = citation_paragraphs(narrator)
    draft.open("Introduction")
    draft.add(tell(narrator, "relevance", narrator.group, nameless=True), "background")
    draft.add(tell(narrator, "aim", narrator.group, short=True, nameless=True), "aim")
    for heading, share in (("Main lines of work", len(cited) // 2), ("Further approaches", len(cited))):
        draft.open(heading)
        narrator.new_section()
        for group in cited[:share]:
            draft.add(group, "")
        del cited[:share]
    draft.open("Comparison of approaches")
    for table in survey_table(narrator):
        draft.add(table, "")
    draft.open("Open questions")
    draft.add(tell(narrator, "gap", narrator.group, nameless=True), "gap")
    draft.open("Conclusion")
    draft.add(tell(narrator, "implication", narrator.group, nameless=True), "conclusion")
    return draft


def is_related(steps: tuple[str, ...]) -> bool:
    """Tell whether a section is about earlier work."""
    return bool(steps) and steps[0] == "background" and len(steps) <= 2


def paragraph_of(narrator: Narrator, move: str, prop: str, told: Counter[str], *, short: bool) -> Paragraph:
    """The sentences of a step; `told` counts the paragraphs on each proposition, which say something new each time."""
    group = "math" if move in THEOREMS else narrator.group
    first = told[prop]
    told[prop] += 1
    return tell(narrator, prop, group, first, short=short) or tell(narrator, prop, group, first + 1, short=short)


def exhibit_queue(narrator: Narrator) -> list[int]:
    """Places of the paper's figures."""
    return [place for place in range(2) if narrator.shared.figure_kind[narrator.row][place]]


def add_exhibit(narrator: Narrator, exhibits: list[int], prop: str, paragraph: Paragraph) -> None:
    """Put the first figure that goes with a proposition (any, for "") into a paragraph: sentence and caption."""
    shared, row = narrator.shared, narrator.row
    for place in exhibits:
        kind = FIGURE_KINDS[shared.figure_kind[row][place]]
        if prop and prop not in EXHIBIT_PROPS[kind]:
            continue
        exhibits.remove(place)
        narrator.next_sentence()
        nouns, facts, down = figure_facts(narrator, place, kind)
        options = shared.exhibits.of(narrator.group, f"figure-{kind}")
        text = narrator.phrase(options[narrator.pick(len(options))], nouns, down, facts)
        if text is None:
            return
        figure = f"figure{place}"
        paragraph.append(Sentence(finish(text), [(shared.fact_codes[figure], EXPLICIT)]))
        if kind == "ordering":
            narrator.next_sentence()
            tables = shared.exhibits.of(narrator.group, "table")
            line = narrator.phrase(tables[narrator.pick(len(tables))], nouns, 0, {"table": "1"})
            if line is not None:
                paragraph.append(Sentence(finish(line), []))
        paragraph.append(Sentence(caption(narrator, place, kind), []))
        return


def figure_facts(narrator: Narrator, place: int, kind: str) -> tuple[dict[str, int], dict[str, str], int]:
    """Nouns and printed numbers of a figure."""
    shared, row = narrator.shared, narrator.row
    measures = narrator.words.subfield.nouns
    y, x = shared.figure_y[row][place], shared.figure_x[row][place]
    series = [value for value in shared.figure_series[row][place] if value >= 0]
    grid = [value for value in shared.figure_grid[row][place] if value >= 0]
    facts = plotted(kind, measures[y], measures[x] if x >= 0 else None, series, grid)
    facts["figure"] = str(place + 1)
    nouns = {"y": y} if x < 0 else {"y": y, "x": x}
    down = int(is_dip(series) if kind == "peak" else x >= 0 and series[-1] < series[0])
    return nouns, facts, down


def caption(narrator: Narrator, place: int, kind: str) -> str:
    """The caption of a figure with its values."""
    shared, row = narrator.shared, narrator.row
    words = narrator.words
    y, x = shared.figure_y[row][place], shared.figure_x[row][place]
    measure = words.subfield.nouns[y]
    series = [value for value in shared.figure_series[row][place] if value >= 0]
    grid = [value for value in shared.figure_grid[row][place] if value >= 0]
    title = words.phrases["bare"][y]
    if kind == "ordering":
        names = [narrator.system, narrator.rival, *(shared.system_name(other) for other in grid[2:])]
        pairs = zip(names, series, strict=False)
        values = ", ".join(f"{name} {number_text(value, measure)}" for name, value in pairs)
        return f"Figure {place + 1}: {title} by method. Table 1: {values}."
    knob = words.subfield.nouns[x]
    values = ", ".join(
        f"{number_text(at, knob)}: {number_text(value, measure)}" for at, value in zip(grid, series, strict=False)
    )
    return f"Figure {place + 1}: {title} by {words.phrases['bare'][x]} ({values})."


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
    if shared.ontology.attributes[attribute].id in CLOSING:
        section = closing_section(draft, (ACKNOWLEDGMENTS, DECLARATIONS), apart)
        draft.state(section, sentence)
        return section
    options: list[int] = []
    for moves, room in ((shared.attribute_moves[attribute], PER_SECTION), (ROOMY, PER_SECTION + 1), (RESULTS, 2)):
        options = options or draft.free(moves, apart, room)
    details = (DETAILS[narrator.group], SUPPLEMENT)
    section = options[narrator.pick(len(options))] if options else closing_section(draft, details, apart)
    draft.state(section, sentence)
    return section


def closing_section(draft: Draft, headings: tuple[str, str], apart: int) -> int:
    """The first of two closing sections that has room, else the first one but for the section `apart`."""
    for heading in headings:
        section = draft.closing(heading)
        if section != apart and len(draft.asides.get(section, ())) < PER_CLOSING:
            return section
    numbers = [draft.closing(heading) for heading in headings]
    return numbers[numbers[0] == apart]


def survey_table(narrator: Narrator) -> list[Paragraph]:
    """The comparison table of a survey: one row a cited paper, one column an attribute."""
    shared = narrator.shared
    columns = shared.table_columns(narrator.row)
    rows = []
    for cited in shared.references(narrator.row):
        cells = [
            f"{shared.ontology.attributes[place].title}: {shared.ontology.attributes[place].values[value].title}"
            for place in columns
            if (value := shared.attributes[cited][place]) >= 0
        ]
        rows.append(Sentence(f"{shared.cited(cited)}: {'; '.join(cells)}.", []))
    return [[Sentence("Table 2 compares the surveyed papers, one row a paper.", []), *rows]]
