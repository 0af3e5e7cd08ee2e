"""The full text: sections of paragraphs, with citations, exhibits, and the attributes where one would look for them."""

from __future__ import annotations

from collections import Counter

from .citing import citation_paragraphs, reference_list
from .draft import RESULTS, Body, Draft, Paragraph, place_attributes
from .figure_text import add_exhibit, exhibit_queue
from .moves import steps_of
from .narrator import Narrator, Sentence
from .paragraphs import tell


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
            paragraph = paragraph_of(narrator, prop, told, short=related)
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
        last = next((n for n in reversed(range(len(draft.moves))) if not RESULTS.isdisjoint(draft.moves[n])), -1)
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


def paragraph_of(narrator: Narrator, prop: str, told: Counter[str], *, short: bool) -> Paragraph:
    """The sentences of a step; `told` counts the paragraphs on each proposition, which say something new each time."""
    group = narrator.group  # no theorems outside of mathematics: a place or a time is no hypothesis of a proof
    first = told[prop]
    told[prop] += 1
    return tell(narrator, prop, group, first, short=short) or tell(narrator, prop, group, first + 1, short=short)


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
