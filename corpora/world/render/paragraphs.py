"""Paragraphs of the full text: one sentence of each letter, all about one proposition of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from .narrator import CONCEPT_ROLES, PART_OF, Narrator, Sentence
from .passages import Line
from .plans import finish
from .realize import UnfilledError, join
from .shared import EXPLICIT

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
        variant: What the proposition is said of, see `narrator.VARIANTS`.
        short: Take the first sentence only.
        nameless: The paper has no method and no data of its own, so take no sentence that names them.
    """
    sentences: list[Sentence] = []
    told: set[str] = set()
    for lines in narrator.shared.passages.of(group, prop):
        narrator.next_sentence()
        if sentences and (short or not narrator.chance(KEPT)):
            continue
        parts = narrator.set_clause(prop, variant, drop=0 if not sentences else 100)
        if narrator.contradicts(prop):
            return []
        clause = narrator.clause
        clause.described = ""
        nouns = set(clause.nouns.values())  # what has a role is not spoken of by another name
        for name, place in PART_OF.items():
            if narrator.cast[place] >= 0 and narrator.cast[place] not in nouns:
                clause.nouns.setdefault(name, narrator.cast[place])
        sentence = spoken(narrator, lines, parts, told, nameless=nameless)
        if sentence is not None:
            sentences.append(sentence)
        elif not sentences:
            return []
    return sentences


def spoken(
    narrator: Narrator, lines: Sequence[Line], parts: dict[str, str], told: set[str], *, nameless: bool
) -> Sentence | None:
    """One of some sentences, filled; `told` holds the concepts that the paragraph has named."""
    clause = narrator.clause
    for place, role in enumerate(CONCEPT_ROLES):
        surface = narrator.concept_words(place).later if role in told else narrator.surfaces[place]
        clause.texts[role], clause.plural[role] = surface.text, surface.plural
    for attempt in range(TRIES):
        line = lines[clause.pick(len(lines))]
        if (line.id in narrator.used and attempt < TRIES - 1) or (nameless and line.named):
            continue
        clause.said.clear()
        at = clause.at
        try:
            text = finish(join(line.parts, clause))
        except (UnfilledError, KeyError):
            clause.at = at
            continue
        narrator.used.add(line.id)
        facts = stated(narrator, text, parts, told)
        told.update(role for role in CONCEPT_ROLES if role in clause.said)
        return Sentence(text, facts)
    return None


def stated(narrator: Narrator, text: str, parts: dict[str, str], told: set[str]) -> list[tuple[int, int]]:
    """The facts that the sentence just filled states."""
    codes, said = narrator.codes, narrator.clause.said
    facts = [
        (place, narrator.surfaces[place].level)
        for place, role in enumerate(CONCEPT_ROLES)
        if role in said and role not in told
    ]
    nouns = narrator.clause.nouns
    facts += sorted({(codes[parts.get(role, role)], EXPLICIT) for role in said if role in nouns})
    names = (("system", narrator.system), ("dataset", narrator.dataset), ("baseline", narrator.rival))
    facts += [(codes[name], EXPLICIT) for name, written in names if written in text]
    return facts
