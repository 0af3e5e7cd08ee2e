"""The sentences of an abstract: its steps told one after the other, and what no step has named yet."""

from __future__ import annotations

from collections.abc import Sequence

from .abstract_steps import abstract_steps
from .casting import CONCEPT_ROLES
from .exhibits import Exhibits
from .narrator import Narrator, Sentence
from .plans import finish
from .shapes import NAMED_BIT
from .shared import EXPLICIT

MIN_SURVEYED = 2
"""Papers that a survey must cite so that its abstract can compare some."""

ALIKE = ({"cause", "contrast", "mechanism"}, {"condition", "trend"})
"""Propositions that are said of the same observable, see `ROLE_PARTS`."""

FINDINGS = ("result", "statement", "corollary", "explanation", "limitation", "proof")

INTRODUCTORY = ("relevance", "gap", "aim", "condition")
"""Propositions that need not name the paper's method or data."""

CONCEPTS = sum(NAMED_BIT[role] for role in CONCEPT_ROLES)

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
            sentences.append(Sentence(finish(text), concepts_in(text, narrator)))
    return sentences


def concepts_in(text: str, narrator: Narrator) -> list[tuple[int, int]]:
    """The paper's concepts that a text names as they are worded here, with their levels."""
    return [
        (place, narrator.surfaces[place].level)
        for place in range(len(CONCEPT_ROLES))
        if narrator.surfaces[place].text in text
    ]
