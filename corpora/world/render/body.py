"""The full text: sections of paragraphs, with citations, exhibits, and the attributes where one would look for them."""

from __future__ import annotations

from ..facts import FIGURE_KINDS
from .citing import citation_paragraphs, reference_list
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
    "aim": (("aim", 0), ("aim", 0), ("proposal", 0)),
    "method": (("proposal", 0), ("proposal", 0), ("remedy", 0), ("resource", 0)),
    "data": (("setup", 0), ("setup", 0), ("setup", 0)),
    "model": (("modeling", 0), ("modeling", 0), ("mechanism", 1)),
    "fit": (("agreement", 0), ("agreement", 0), ("comparison", 1)),
    "conclusion": (("implication", 0), ("implication", 0), ("relevance", 0), ("gap", 0)),
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

EXHIBIT_PROPS = {"trend": ("trend", "condition", "cause"), "peak": ("trend", "condition"), "ordering": ("comparison",)}
RESULTS = ("result", "statement", "corollary", "fit")


def body_of(narrator: Narrator, levels: dict[int, int], in_abstract: list[int]) -> Body:
    """Write the sections of a paper, the list of references last.

    Args:
        narrator: The paper's voice.
        levels: Level of each attribute.
        in_abstract: Attributes that the abstract has stated.
    """
    shared = narrator.shared
    order = shared.order(narrator.row)
    cited = citation_paragraphs(narrator)
    has_related = any(is_related(steps) for _, steps in order.sections[1:])
    body: Body = []
    homes: list[set[str]] = []
    exhibits = exhibit_queue(narrator)
    for number, (heading, steps) in enumerate(order.sections):
        paragraphs: list[Paragraph] = []
        related = number > 0 and is_related(steps)
        for move, prop in steps_of(steps):
            paragraph = paragraph_of(narrator, move, prop, short=related)
            if move in RESULTS and exhibits:
                add_exhibit(narrator, exhibits, prop, paragraph)
            if paragraph:
                paragraphs.append(paragraph)
            if move == "background" and cited and (related or number == 0):
                share = len(cited) if related or not has_related else min(2, len(cited))
                paragraphs.extend(cited[:share])
                del cited[:share]
        body.append((heading, paragraphs))
        homes.append({step.partition(":")[0] for step in steps})
    if cited:
        body[0][1].extend(cited)
    if exhibits:
        last = next((number for number in reversed(range(len(homes))) if homes[number] & set(RESULTS)), len(body) - 1)
        paragraph = []
        while exhibits:
            add_exhibit(narrator, exhibits, "", paragraph)
        body[last][1].append(paragraph)
    if shared.survey[narrator.row]:
        body.insert(len(body) - 1, ("Comparison of approaches", survey_table(narrator)))
        homes.insert(len(homes) - 1, set())
    place_attributes(narrator, levels, in_abstract, body, homes)
    body = [(heading, [paragraph for paragraph in paragraphs if paragraph]) for heading, paragraphs in body]
    references = reference_list(narrator)
    if references:
        body.append(("References", references))
    return body


def is_related(steps: tuple[str, ...]) -> bool:
    """Tell whether a section is about earlier work."""
    return bool(steps) and steps[0] == "background" and len(steps) <= 2


def paragraph_of(narrator: Narrator, move: str, prop: str, *, short: bool) -> Paragraph:
    """The sentences of a step."""
    if move not in SENTENCES_OF_MOVE:
        first, second = COMPANIONS[prop]
        plan = [(prop, 0), first, second, (prop, 1)] if move in RESULTS else [(prop, 0), first, (prop, 1)]
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


def place_attributes(
    narrator: Narrator, levels: dict[int, int], in_abstract: list[int], body: Body, homes: list[set[str]]
) -> None:
    """State every attribute in the body: in a section where one would look for it, evidence in two sections."""
    shared = narrator.shared
    usable = [number for number, (_, paragraphs) in enumerate(body) if paragraphs]
    held = {
        shared.ontology.attributes[place].values[value].id
        for place, value in enumerate(shared.attributes[narrator.row])
        if value >= 0
    }
    for place, level in levels.items():
        narrator.next_sentence()
        if place in in_abstract and narrator.chance(50):
            continue
        wanted = shared.attribute_moves[place]
        fitting = [number for number in usable if homes[number] & wanted] or usable
        home = fitting[narrator.pick(len(fitting))]
        value = shared.values[narrator.group][place][shared.attributes[narrator.row][place]]
        code = shared.first_attribute + place
        if level == INFERRED:
            sets = [entry for entry in value.evidence if entry.excludes.isdisjoint(held)]
            if sets:
                state_evidence(narrator, sets[narrator.pick(len(sets))].halves, home, usable, body, code)
                continue
        said = EXPLICIT if level == EXPLICIT else PARAPHRASED
        options = value.explicit if said == EXPLICIT else value.paraphrased
        if not options:
            continue
        text = narrator.value_clause(options[narrator.pick(len(options))], {}, {})
        if text is not None:
            insert(narrator, body[home][1], Sentence(finish(text), [(code, said)]))


def state_evidence(
    narrator: Narrator, halves: tuple[tuple[object, ...], ...], home: int, usable: list[int], body: Body, code: int
) -> None:
    """Put the halves of an evidence set into different sections."""
    numbers: dict[str, str] = {}
    nouns: dict[str, int] = {}
    others = [number for number in usable if number != home] or usable
    for count, half in enumerate(halves):
        where = home if count == 0 else others[narrator.pick(len(others))]
        text = narrator.value_clause(half, numbers, nouns)  # type: ignore[arg-type]
        if text is not None:
            insert(narrator, body[where][1], Sentence(finish(text), [(code, INFERRED)]))


def insert(narrator: Narrator, paragraphs: list[Paragraph], sentence: Sentence) -> None:
    """Put a sentence into a paragraph of a section, behind its first sentence."""
    paragraph = paragraphs[narrator.pick(len(paragraphs))]
    paragraph.insert(1 + narrator.pick(len(paragraph)) if paragraph else 0, sentence)


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
