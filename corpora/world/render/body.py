"""The full text: sections of paragraphs, with citations, exhibits, and the attributes where one would look for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..facts import FIGURE_KINDS
from .citing import citation_paragraphs, reference_list
from .clause import Parts
from .exhibits import number_text
from .moves import steps_of
from .narrator import Narrator, Sentence
from .plans import finish
from .shared import EXPLICIT, INFERRED, PARAPHRASED

Paragraph = list[Sentence]
Body = list[tuple[str, list[Paragraph]]]

SENTENCES_OF_MOVE = {
    "background": (("relevance", 0), ("relevance", 0), ("relevance", 0)),
    "gap": (("gap", 0), ("gap", 0)),
    "aim": (("aim", 0), ("proposal", 0)),
    "method": (("proposal", 0), ("proposal", 0), ("remedy", 0), ("resource", 0)),
    "data": (("setup", 0), ("setup", 0)),
    "model": (("modeling", 0), ("modeling", 0), ("mechanism", 1)),
    "fit": (("agreement", 0), ("agreement", 0), ("comparison", 1)),
    "conclusion": (("implication", 0), ("implication", 0), ("failure", 1)),
}
"""Propositions and variants of the paragraph of a move that has none of its own."""

COMPANIONS = {
    "cause": (("condition", 1), ("trend", 1)),
    "comparison": (("comparison", 1), ("resource", 1)),
    "contrast": (("condition", 0), ("cause", 1)),
    "condition": (("contrast", 1), ("trend", 0)),
    "resource": (("comparison", 1), ("resource", 1)),
    "failure": (("failure", 1), ("condition", 1)),
    "trend": (("trend", 1), ("contrast", 1)),
    "mechanism": (("mechanism", 1), ("cause", 1)),
}
"""What a paragraph on a proposition adds to it."""

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
NO_SLOT = (-1, -1, "none")
PER_SECTION = 2
"""Attribute sentences that a section takes."""

EXHIBIT_PROPS = {"trend": ("trend", "condition", "cause"), "peak": ("trend", "condition"), "ordering": ("comparison",)}
RESULTS = ("result", "statement", "corollary", "fit")


@dataclass
class Draft:
    """A body as it grows.

    Attributes:
        sections: Headings and paragraphs.
        moves: For each section the move of each paragraph, "" for one that holds citations or exhibits only.
        slots: (section, paragraph, move) of the paragraphs that may still take an attribute.
        taken: Attributes by section.
    """

    sections: Body = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    slots: list[tuple[int, int, str]] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)

    def open(self, heading: str) -> None:
        """Begin a section."""
        self.sections.append((heading, []))
        self.moves.append([])

    def add(self, paragraph: Paragraph, move: str) -> None:
        """Add a paragraph to the last section; an empty one is left out."""
        if paragraph:
            self.sections[-1][1].append(paragraph)
            self.moves[-1].append(move)

    def free(self, wanted: frozenset[str] | None, apart: int = -1) -> list[tuple[int, int]]:
        """Paragraphs that may take an attribute: of a wanted move (any, for None), outside the section `apart`."""
        if not self.slots:
            self.slots = [
                (section, place, move)
                for section, moves in enumerate(self.moves)
                for place, move in enumerate(moves)
                if move
            ]
        return [
            (section, place)
            for section, place, move in self.slots
            if (wanted is None or move in wanted) and section not in (apart, -1)
        ]

    def take(self, section: int, place: int) -> None:
        """Note that a paragraph has an attribute, and perhaps that its section has enough of them."""
        self.taken[section] = self.taken.get(section, 0) + 1
        full = self.taken[section] >= PER_SECTION
        self.slots = [slot for slot in self.slots if slot[0] != section or (not full and slot[1] != place)] or [NO_SLOT]

    def close(self, heading: str, sentence: Sentence) -> None:
        """Add a sentence to a closing section of one paragraph."""
        for known, paragraphs in self.sections:
            if known == heading:
                paragraphs[0].append(sentence)
                return
        self.open(heading)
        self.add([sentence], "")


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
    for number, (heading, steps) in enumerate(order.sections):
        draft.open(heading)
        narrator.new_section()
        related = number > 0 and is_related(steps)
        for move, prop in steps_of(steps):
            paragraph = paragraph_of(narrator, move, prop, short=related)
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
    draft.add(paragraph_of(narrator, "background", "relevance", short=False), "background")
    draft.add(paragraph_of(narrator, "aim", "aim", short=True), "aim")
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
    draft.add(paragraph_of(narrator, "gap", "gap", short=False), "gap")
    draft.open("Conclusion")
    draft.add(list(paragraph_of(narrator, "conclusion", "", short=False))[:2], "conclusion")
    return draft


def is_related(steps: tuple[str, ...]) -> bool:
    """Tell whether a section is about earlier work."""
    return bool(steps) and steps[0] == "background" and len(steps) <= 2


def paragraph_of(narrator: Narrator, move: str, prop: str, *, short: bool) -> Paragraph:
    """The sentences of a step."""
    if move not in SENTENCES_OF_MOVE:
        first, second = COMPANIONS[prop]
        plan = [(prop, 0), first, (prop, 1)]
        if move in RESULTS and narrator.chance(60):
            plan.append(second)
    else:
        plan = list(SENTENCES_OF_MOVE[move])
    if short:
        plan = plan[:1]
    sentences = []
    seen: set[tuple[str, int]] = set()
    for name, variant in plan:
        if (name, variant) in seen and variant:
            continue
        seen.add((name, variant))
        narrator.next_sentence()
        sentence = narrator.single(name, move if name == prop else "", variant, drop=70)
        if sentence is not None:
            sentences.append(sentence)
    return sentences


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
    words = narrator.words
    y, x = shared.figure_y[row][place], shared.figure_x[row][place]
    series = [value for value in shared.figure_series[row][place] if value >= 0]
    grid = [value for value in shared.figure_grid[row][place] if value >= 0]
    measure = words.subfield.nouns[y]
    nouns = {"y": y}
    facts = {"figure": str(place + 1), "first": number_text(series[0], measure)}
    if kind == "ordering":
        facts["last"] = number_text(series[1], measure)
        facts["count"] = str(len(series))
        return nouns, facts, 0
    nouns["x"] = x
    knob = words.subfield.nouns[x]
    facts["last"] = number_text(series[-1], measure)
    facts["from"], facts["to"] = number_text(grid[0], knob), number_text(grid[-1], knob)
    down = int(series[-1] < series[0])
    if kind == "peak":
        inner = series[1:-1]
        is_dip = min(inner) < min(series[0], series[-1])
        top = min(inner) if is_dip else max(inner)
        facts["top"], facts["at"] = number_text(top, measure), number_text(grid[series.index(top)], knob)
        down = int(is_dip)
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
    wanted = shared.attribute_moves[attribute]
    free = draft.free(wanted, apart)
    if free:
        section, place = free[narrator.pick(len(free))]
        draft.sections[section][1][place].append(sentence)
        draft.take(section, place)
        return section
    closing = shared.ontology.attributes[attribute].id in CLOSING
    heading = ACKNOWLEDGMENTS if closing else DETAILS[narrator.group]
    if apart >= 0 and draft.sections[apart][0] == heading:
        heading = DETAILS[narrator.group] if closing else ACKNOWLEDGMENTS
    draft.close(heading, sentence)
    return next(number for number, (known, _) in enumerate(draft.sections) if known == heading)


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
