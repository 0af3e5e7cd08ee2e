"""Paragraphs of the full text: one sentence of each letter, all about one proposition of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from .casting import CASTINGS, CONCEPT_ROLES, PART_OF, Casting
from .clause import UnfilledError, join
from .narrator import Narrator, Sentence
from .passages import Line
from .plans import finish
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
        variant: What the proposition is said of, see `casting.VARIANTS`.
        short: Take the first sentence only.
        nameless: The paper has no method and no data of its own, so take no sentence that names them.
    """
    variants = CASTINGS[prop]
    casting = variants[variant % len(variants)]
    sentences: list[Sentence] = []
    told: set[str] = set()
    for lines in narrator.shared.passages.of(group, prop):
        narrator.next_sentence()
        if sentences and (short or not narrator.chance(KEPT)):
            continue
        narrator.begin(casting, variant, 0 if not sentences else 100)
        if not narrator.agrees(casting):
            return []
        name_cast(narrator)
        sentence = spoken(narrator, lines, casting, told, nameless=nameless)
        if sentence is not None:
            sentences.append(sentence)
        elif not sentences:
            return []
    return sentences


def name_cast(narrator: Narrator) -> None:
    """Let a clause speak of the paper's whole cast; what has a role is not spoken of by another name."""
    clause = narrator.clause
    clause.described = ""
    nouns = set(clause.nouns.values())
    for name, place in PART_OF.items():
        noun = narrator.cast[place]
        if noun >= 0 and noun not in nouns:
            clause.nouns.setdefault(name, noun)


def spoken(
    narrator: Narrator, lines: Sequence[Line], casting: Casting, told: set[str], *, nameless: bool
) -> Sentence | None:
    """One of some sentences, filled; `told` holds the concepts that the paragraph has named."""
    clause, concepts = narrator.clause, narrator.concepts
    for place, role in enumerate(CONCEPT_ROLES):
        surface = concepts.words[place].later if role in told else concepts.surfaces[place]
        clause.texts[role], clause.plural[role] = surface.text, surface.plural
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
        told.update(role for role in CONCEPT_ROLES if role in clause.said)
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
    known = dict(casting.stated)
    facts += sorted({known.get(role) or (codes[role], EXPLICIT) for role in said if role in nouns})
    names = (("system", narrator.system), ("dataset", narrator.dataset), ("baseline", narrator.rival))
    facts += [(codes[name], EXPLICIT) for name, written in names if written in text]
    return facts
