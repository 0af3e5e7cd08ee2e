"""Paragraphs of the full text: one sentence of each letter, all about one proposition of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from .casting import CASTINGS, CONCEPT_ROLES, Casting
from .clause import UnfilledError, join
from .narrator import Narrator, Sentence
from .passages import Line
from .plans import finish
from .shared import EXPLICIT
from .voice import SILENT

KEPT = 92
"""Percent of the sentences behind the first one that a paragraph keeps."""

TRIES = 4


def tell(
    narrator: Narrator, prop: str, group: str, variant: int = 0, *, short: bool = False, nameless: bool = False
) -> list[Sentence]:
    """A paragraph on a proposition; empty where it would contradict what the paper has said.

    Args:
        narrator: The paper's voice.
        prop: The proposition.
        group: Group whose sentences are taken.
        variant: What the proposition is said of, see `casting.VARIANTS`.
        short: Take the first sentence only.
        nameless: The paper has no method and no data of its own, so take no sentence that names them.
    """
    variants = CASTINGS[prop]
    casting = variants[variant % len(variants)]
    narrator.next_sentence()
    narrator.begin(casting, variant, 0)
    if not narrator.agrees(casting):
        return []
    clause = narrator.clause
    clause.nouns = named_cast(narrator, clause.nouns)
    clause.described = ""
    concepts = narrator.concepts
    clause.texts.update(concepts.plain_texts)
    clause.plural.update(concepts.plain_plurals)
    sentences: list[Sentence] = []
    told: set[str] = set()
    for lines in narrator.shared.passages.of(group, prop):
        narrator.next_sentence()
        if sentences and not narrator.chance(KEPT):
            continue
        sentence = spoken(narrator, lines, casting, told, nameless=nameless)
        if sentence is None:
            if sentences:
                continue
            return []
        sentences.append(sentence)
        if short:
            break
        clause.silent = SILENT  # the condition is named once
    return sentences


def named_cast(narrator: Narrator, nouns: dict[str, int]) -> dict[str, int]:
    """The nouns of some roles, and the rest of the paper's cast under its own names."""
    given = nouns.values()
    cast = {name: noun for name, noun in narrator.named_cast if noun not in given}
    return cast | nouns


def spoken(
    narrator: Narrator, lines: Sequence[Line], casting: Casting, told: set[str], *, nameless: bool
) -> Sentence | None:
    """One of some sentences, filled; `told` holds the concepts that the paragraph has named."""
    clause = narrator.clause
    for attempt in range(TRIES):
        line = lines[clause.pick(len(lines))]
        if (line.id in narrator.told and attempt < TRIES - 1) or (nameless and line.named):
            continue
        clause.said.clear()
        at = clause.at
        try:
            text = finish(join(line.parts, clause))
        except (UnfilledError, KeyError):
            clause.at = at
            continue
        narrator.told.add(line.id)
        facts = stated(narrator, text, casting, told)
        for place, role in enumerate(CONCEPT_ROLES):
            if role in clause.said and role not in told:
                told.add(role)
                later = narrator.concepts.words[place].later
                clause.texts[role], clause.plural[role] = later.text, later.plural
        return Sentence(text, facts)
    return None


def stated(narrator: Narrator, text: str, casting: Casting, told: set[str]) -> list[tuple[int, int]]:
    """The facts that the sentence just filled states."""
    codes, said = narrator.codes, narrator.clause.said
    facts = [
        (place, narrator.surfaces[place].level)
        for place, role in enumerate(CONCEPT_ROLES)
        if role in said and role not in told
    ]
    nouns = narrator.clause.nouns
    known = casting.stated
    facts += sorted({known.get(role) or (codes[role], EXPLICIT) for role in said if role in nouns})
    names = (("system", narrator.system), ("dataset", narrator.dataset), ("baseline", narrator.rival))
    facts += [(codes[name], EXPLICIT) for name, written in names if written in text]
    return facts
