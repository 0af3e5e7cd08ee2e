"""Builds the text of one paper: title, abstract, and sections, from its order of moves."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.records import Section

from .abstract import abstract_of, concepts_in
from .body import body_of
from .casting import PART_OF
from .clause import SENTENCES, STRIDE
from .narrator import Narrator, Sentence
from .rendered import ABSTRACT, BODY, TITLE, Rendered, Span
from .shared import EXPLICIT, INFERRED, PARAPHRASED, Shared

ATTRIBUTE_IN_ABSTRACT = 20
"""Percent of the abstracts that close with an attribute."""

UNSAID = 6
"""Percent of a paper's attributes that its text leaves open; the sample size is none of them, as counts tell it."""


def render(shared: Shared, row: int, draws: Sequence[int]) -> Rendered:
    """Render one paper.

    Args:
        shared: What the world's papers share.
        row: The paper.
        draws: SENTENCES * STRIDE 32-bit draws of its own.
    """
    assert len(draws) >= SENTENCES * STRIDE
    narrator = Narrator(shared, row, draws)
    title = title_of(shared, narrator)
    spans = [Span(TITLE, 0, len(title.text), title.facts)]
    levels = attribute_levels(narrator)
    if levels.get(shared.size_attribute) == INFERRED:
        narrator.facts.pop("count", None)  # the evidence would be a riddle with its answer beside it
    in_abstract = attributes_for_abstract(narrator, levels)
    lead = abstract_of(narrator, in_abstract, levels)
    abstract = lay_out([lead], ABSTRACT, spans)
    narrator.concepts.strict = False
    sections = []
    for number, (heading, paragraphs) in enumerate(body_of(narrator, levels, in_abstract)):
        sections.append(Section(heading, lay_out(paragraphs, BODY + number, spans)))
    return Rendered(title.text, abstract, tuple(sections), tuple(spans))


def lay_out(paragraphs: Sequence[Sequence[Sentence]], place: int, spans: list[Span]) -> str:
    """Join sentences into a text, and record where each one that states facts lies."""
    blocks = []
    start = 0
    for paragraph in paragraphs:
        first, texts = start, []
        for sentence in paragraph:
            text = sentence.text
            end = start + len(text)
            if sentence.facts:
                spans.append(Span(place, start, end, sentence.facts))
            texts.append(text)
            start = end + 1
        blocks.append(" ".join(texts))
        start = first + len(blocks[-1]) + 2
    return "\n\n".join(blocks)


def title_of(shared: Shared, narrator: Narrator) -> Sentence:
    """The title: digits alone for a few papers, else a phrase about the paper's concepts and cast."""
    row = narrator.row
    if shared.digits[row]:
        return Sentence(str(1000 + narrator.pick(9000)), [])
    narrator.next_sentence()
    options = shared.exhibits.of(narrator.group, "survey-title" if shared.survey[row] else "title")
    nouns = {part: narrator.cast[place] for part, place in PART_OF.items() if narrator.cast[place] >= 0}
    for _ in range(4):
        down = narrator.words.sign(nouns["cause"], nouns["effect"]) if "cause" in nouns else 0
        parts = options[narrator.pick(len(options))]
        text = narrator.phrase(parts, nouns, down)
        if text is not None and len(text) <= 140:
            break
    else:
        text = f"{narrator.surfaces[1].text} for {narrator.surfaces[0].text}"
    facts = concepts_in(text, narrator)
    if narrator.system in text:
        facts.append((narrator.codes["system"], EXPLICIT))
    return Sentence(text[0].upper() + text[1:], facts)


def attribute_levels(narrator: Narrator) -> dict[int, int]:
    """Level at which the paper states each of its attributes; those that it leaves open are missing."""
    shared = narrator.shared
    narrator.next_sentence()
    evidence = shared.spec.evidence
    levels = {}
    for place, value in enumerate(shared.attributes[narrator.row]):
        if value < 0:
            continue
        draw = narrator.pick(100)
        if draw >= 100 - UNSAID and place != shared.size_attribute:
            continue
        if draw < evidence and shared.values[narrator.group][place][value].evidence:
            levels[place] = INFERRED
        else:
            levels[place] = EXPLICIT if (draw & 1) else PARAPHRASED
    return levels


def attributes_for_abstract(narrator: Narrator, levels: dict[int, int]) -> list[int]:
    """The attribute that the abstract states, in half of the papers: one that is stated outright."""
    narrator.next_sentence()
    stated = [place for place, level in levels.items() if level == EXPLICIT]
    return [stated[narrator.pick(len(stated))]] if stated and narrator.chance(ATTRIBUTE_IN_ABSTRACT) else []
