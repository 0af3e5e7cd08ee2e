"""Builds the text of one paper: title, abstract, and sections, from its order of moves."""

from __future__ import annotations

from collections.abc import Sequence

from scholar_env.records import Section

from .body import body_of
from .casting import CONCEPT_ROLES, PART_OF
from .clause import SENTENCES, STRIDE
from .exhibits import Exhibits
from .moves import steps_of
from .narrator import Narrator, Sentence
from .plans import finish
from .rendered import ABSTRACT, BODY, TITLE, Rendered, Span
from .shapes import NAMED_BIT
from .shared import EXPLICIT, INFERRED, PARAPHRASED, Shared

MIN_SURVEYED = 2
"""Papers that a survey must cite so that its abstract can compare some."""

ATTRIBUTE_IN_ABSTRACT = 20
"""Percent of the abstracts that close with an attribute."""

UNSAID = 6
"""Percent of a paper's attributes that its text leaves open; the sample size is none of them, as counts tell it."""

ALIKE = ({"cause", "contrast", "mechanism"}, {"condition", "trend"})
"""Propositions that are said of the same observable, see `ROLE_PARTS`."""

FINDINGS = ("result", "statement", "corollary", "explanation", "limitation", "proof")
OPENINGS = ("background", "gap", "aim")
"""Moves that say what a paper is about; every abstract has one of them."""

INTRODUCTORY = ("relevance", "gap", "aim", "condition")
"""Propositions that need not name the paper's method or data."""

CONCEPTS = sum(NAMED_BIT[role] for role in CONCEPT_ROLES)

OFTEN_SKIPPED = {"background": 56, "gap": 50, "aim": 85, "conclusion": 22}
"""How often, in percent, an abstract does without a move of its order."""

OTHERS = {
    "any": (
        ("result", "contrast"), ("result", "condition"), ("result", "cause"), ("explanation", "mechanism"),
        ("result", "trend"),
    ),
    "math": (
        ("statement", "contrast"), ("statement", "condition"), ("statement", "cause"), ("proof", "mechanism"),
        ("corollary", "trend"),
    ),
}  # fmt: skip
"""What a longer abstract tells besides the steps of its order: moves and propositions."""

OF_THE_METHOD = ("comparison", "failure", "resource")
"""Propositions about a method that an abstract introduces before it says them."""

ADDED = (
    ("setup", "data", 92),
    ("comparison", "result", 50),
    ("failure", "limitation", 44),
    ("resource", "result", 16),
    ("trend", "result", 76),
)
"""Propositions that an abstract may add, the move that they stand in, and how often in percent."""

SKIPPED_FIRST = ("conclusion", "background", "gap", "explanation", "corollary", "limitation")
"""Moves that a short abstract does without, in this order."""


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
    facts = [
        (place, narrator.surfaces[place].level)
        for place in range(len(CONCEPT_ROLES))
        if narrator.surfaces[place].text in text
    ]
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


def abstract_of(narrator: Narrator, attributes: Sequence[int], levels: dict[int, int]) -> list[Sentence]:
    """The abstract's sentences."""
    shared = narrator.shared
    if shared.survey[narrator.row]:
        return survey_abstract(narrator, shared.exhibits)
    steps, extra = abstract_steps(narrator)
    sentences: list[Sentence] = []
    missing = sum(NAMED_BIT[role] for role in ("P", "M", "O", "system", "dataset"))
    place = 0
    while place < len(steps):
        move, prop = steps[place]
        while extra and move == "conclusion" and (more := another(narrator)) is not None:
            extra -= 1
            sentences.append(more)
            missing &= ~named_bits(more, narrator)
        narrator.next_sentence()
        joined = False
        following = steps[place + 1] if place + 1 < len(steps) else None
        if following is not None and may_join(prop, following[1]) and narrator.chance(30):
            sentence = narrator.pair("addition", (prop, move, 0), (following[1], following[0], 0))
            joined = sentence is not None and len(sentence.facts) > 3
        else:
            wanted = missing & CONCEPTS if prop in INTRODUCTORY else missing
            sentence = narrator.single(prop, move, missing=wanted, drop=50)
        if sentence is None and not sentences:
            sentence = opening(narrator, prop)
        elif sentence is None:
            sentence = narrator.single(prop, "", 1, missing=missing)
            if sentence is None and move in FINDINGS:
                sentence = another(narrator)
        if sentence is not None:
            sentences.append(sentence)
            missing &= ~named_bits(sentence, narrator)
        if extra and move in FINDINGS:
            extra -= 1
            narrator.next_sentence()
            more = narrator.single(prop, move, 1, drop=50) or another(narrator)
            if more is not None:
                sentences.append(more)
        place += 2 if joined else 1
    for role in CONCEPT_ROLES:
        if missing & NAMED_BIT[role]:
            narrator.next_sentence()
            sentence = narrator.single("aim" if role != "O" else "setup", "", missing=missing)
            if sentence is not None and named_bits(sentence, narrator) & missing:
                missing &= ~named_bits(sentence, narrator)
                sentences.insert(min(len(sentences), 2), sentence)
    for attribute in attributes:
        narrator.next_sentence()
        clause = attribute_sentence(narrator, attribute, levels[attribute])
        if clause is not None:
            sentences.append(clause)
    return sentences


def another(narrator: Narrator) -> Sentence | None:
    """A finding that the abstract has not told, None where there is none."""
    steps = OTHERS["math" if narrator.group == "math" else "any"]
    first = narrator.pick(len(steps))
    for at in range(2 * len(steps)):
        move, prop = steps[(first + at) % len(steps)]
        narrator.next_sentence()
        sentence = narrator.single(prop, move, at // len(steps), drop=50)
        if sentence is not None:
            return sentence
    return None


def opening(narrator: Narrator, prop: str) -> Sentence | None:
    """A first sentence where the first draws found none: an abstract does not begin with its method or its data."""
    for name in (prop, prop, "aim", "aim", "relevance"):
        narrator.next_sentence()
        sentence = narrator.single(name, missing=CONCEPTS)
        if sentence is not None:
            return sentence
    return None


def abstract_steps(narrator: Narrator) -> tuple[list[tuple[str, str]], int]:
    """The steps of an abstract, some left out and some added, and how many findings it says twice."""
    steps = steps_of(narrator.shared.order(narrator.row).abstract)
    narrator.next_sentence()
    size = narrator.pick(100)
    left_out = [move for move, percent in OFTEN_SKIPPED.items() if narrator.chance(percent)]
    kept = [step for step in steps if step[0] not in left_out]
    if not any(move in OPENINGS for move, _ in kept):  # an abstract does not begin with a name that nobody knows
        left_out = [move for move in left_out if move != "aim"] or left_out
        kept = [step for step in steps if step[0] not in left_out]
        if not any(move in OPENINGS for move, _ in kept):
            kept.insert(0, ("aim", "aim"))
    first = next(place for place, (move, _) in enumerate(kept) if move in OPENINGS)
    steps = [kept[first], *kept[:first], *kept[first + 1 :]]
    said = {prop for _, prop in steps}
    for place, (_, prop) in enumerate(steps):
        if prop == "proposal" and narrator.chance(60) and "failure" not in said:
            steps.insert(place + 1, ("method", "remedy"))
            said.add("failure")  # what the method copes with does not break it
            break
    if not narrator.curve_numbers("trend"):
        said.add("trend")
    for prop, move, percent in ADDED:
        if prop not in said and (narrator.group != "math" or prop == "trend") and narrator.chance(percent):
            behind = [place for place, step in enumerate(steps) if step[0] in ("method", "data", "aim", "model")]
            steps.insert(1 + behind[-1] if behind else len(steps), (move, prop))
    steps = introduced_first(steps)
    for move in SKIPPED_FIRST:
        if len(steps) <= 2 + size // 5:
            break
        steps = [steps[0], *(step for step in steps[1:] if step[0] != move)]
    return steps, sum(size >= bound for bound in (52, 64, 72, 78, 83, 87, 90, 92, 94, 96, 97, 98))


def introduced_first(steps: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put what a paper says of its method's merits and failures behind the step that introduces the method."""
    at = next((place for place, (_, prop) in enumerate(steps) if prop == "proposal"), -1)
    early = [step for step in steps[1 : max(at, 1)] if step[1] in OF_THE_METHOD]
    if not early:
        return steps
    kept = [step for place, step in enumerate(steps) if not (0 < place < at and step[1] in OF_THE_METHOD)]
    behind = next(place for place, (_, prop) in enumerate(kept) if prop == "proposal") + 1
    while behind < len(kept) and kept[behind][1] in ("remedy", "setup", "modeling"):
        behind += 1
    return [*kept[:behind], *early, *kept[behind:]]


def may_join(first: str, second: str) -> bool:
    """Tell whether two findings are about the same observable, so that one sentence may hold both."""
    return first != second and any({first, second} <= group for group in ALIKE)


def named_bits(sentence: Sentence, narrator: Narrator) -> int:
    """Bits of NAMED that a sentence says."""
    bits = 0
    for fact, _ in sentence.facts:
        if fact < len(CONCEPT_ROLES):
            bits |= 1 << fact
        elif fact == narrator.codes["system"]:
            bits |= NAMED_BIT["system"]
        elif fact == narrator.codes["dataset"]:
            bits |= NAMED_BIT["dataset"]
    return bits


def attribute_sentence(narrator: Narrator, attribute: int, level: int) -> Sentence | None:
    """A value of an attribute in a sentence of its own."""
    shared = narrator.shared
    value = shared.values[narrator.group][attribute][shared.attributes[narrator.row][attribute]]
    options = value.explicit if level == EXPLICIT else value.paraphrased
    if not options:
        return None
    text = narrator.value_clause(options[narrator.pick(len(options))], {}, {})
    if text is None:
        return None
    return Sentence(finish(text), [(shared.first_attribute + attribute, level)])


def survey_abstract(narrator: Narrator, exhibits: Exhibits) -> list[Sentence]:
    """The abstract of a survey: what it covers, from which paper to which, and what it compares."""
    shared = narrator.shared
    cited = shared.references(narrator.row)
    if len(cited) < MIN_SURVEYED:
        return [sentence for prop in ("relevance", "aim", "gap") if (sentence := narrator.single(prop)) is not None]
    years = sorted(shared.year[row] for row in cited)
    facts = {"papers": str(len(cited)), "first": str(years[0]), "last": str(years[-1])}
    phrases = list(exhibits.of(narrator.group, "survey"))
    sentences = []
    for prop in ("relevance", "", "", "", "gap", "", ""):
        narrator.next_sentence()
        if prop:
            sentence = narrator.single(prop)
            if sentence is not None:
                sentences.append(sentence)
            continue
        first, second = narrator.pick(len(cited)), narrator.pick(len(cited) - 1)
        pair = (cited[first], cited[second + (second >= first)])
        parts = phrases.pop(narrator.pick(len(phrases)))
        text = narrator.phrase(parts, {}, facts=facts, cited=shared.cited(pair[0]), pair=pair)
        if text is not None:
            stated = [
                (place, narrator.surfaces[place].level)
                for place in range(len(CONCEPT_ROLES))
                if narrator.surfaces[place].text in text
            ]
            sentences.append(Sentence(finish(text), stated))
    return sentences
