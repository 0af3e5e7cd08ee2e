"""Lint rules on CompLit's queries: openings, the sentences that hold claims, and the claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from scholar_env.construction.intents import INTENT_IDS

from .complit_classes import FRAMES, LEADS, OPENING, PLOTTED, SAID
from .expand import expand
from .expand_context import Context, Draws, StarvedError, fill_roles, new_context
from .facts import CAST_TYPES
from .findings import Finding
from .lint_frames import arguments
from .lint_queries import MAX_SHARE, MIN_FRAMES, form_faults, slots_of
from .lint_reading import text_faults
from .morphology import STOP_WORDS, words
from .ontology import Ontology
from .query_classes import NOUN_FACETS
from .questions import tidy
from .templates import literal_words, parse, walk
from .terms import Phrase, Subfield

MIN_OPENINGS, MIN_LEADS, MIN_CLAIMS, MIN_SENTENCES = 6, 6, 5, 8
"""Least number of openings of a purpose, of leads of a purpose, of claims of a class, and of sentences of a class."""

MIN_SIZE = 4
"""Least number of sentences that hold one claim, two, and three."""

LONGEST = {"queries": 28, "phrases": 40}
"""Most words of an opening, and of any other sentence, beside its slots."""

TYPES = {"y": ("observable", "merit"), "x": ("knob",), "hint": ("observable",)}
"""Noun types that fill the slots of claims on figures and of hints."""

STARTS = re.compile(r"(?:was|came|appeared|can|\w+s)\b")
"""How a verb phrase about a paper starts."""


def lint_complit(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on CompLit's queries."""
    openings = [phrase for phrase in ontology.phrases if phrase.kind == "queries" and phrase.cls == OPENING]
    classes = {cls: [phrase for phrase in ontology.phrases if phrase.cls == cls] for cls in (*FRAMES, *SAID, *PLOTTED)}
    if not openings and not any(classes.values()):
        return
    yield from counts(openings, classes)
    for opening in openings:
        yield from sentence_faults(opening, set())
        if opening.extras.get("for") not in INTENT_IDS:
            yield Finding(opening.where, "slot", f"for={opening.extras.get('for')} of {opening.id} is no purpose")
    for cls, slots in FRAMES.items():
        for sentence in classes[cls]:
            yield from sentence_faults(sentence, set(slots))
    for cls, slots in {**SAID, **PLOTTED}.items():
        for claim in classes[cls]:
            yield from claim_faults(claim, slots)
    yield from worn_words(openings)
    for subfield in ontology.subfields:
        for place, claim in enumerate(entry for cls in PLOTTED for entry in classes[cls]):
            yield from filled(claim, ontology, subfield, place)


def counts(openings: list[Phrase], classes: dict[str, list[Phrase]]) -> Iterator[Finding]:
    """There are enough of each kind."""
    where = min(entry.where for entry in (*openings, *(entry for own in classes.values() for entry in own)))
    if len(openings) < MIN_FRAMES:
        yield Finding(where, "too-few", f"{len(openings)} openings, at least {MIN_FRAMES}")
    purposes = Counter(opening.extras.get("for", "") for opening in openings)
    leads = Counter(lead.extras.get("for", "") for lead in classes["complit-lead"])
    wanted = [(purposes, name, MIN_OPENINGS) for name in INTENT_IDS] + [(leads, name, MIN_LEADS) for name in LEADS]
    for found, name, least in wanted:
        if found[name] < least:
            yield Finding(where, "too-few", f"{found[name]} for the purpose {name}, at least {least}")
    for cls, own in classes.items():
        least = MIN_SENTENCES if cls in FRAMES else MIN_CLAIMS
        if len(own) < least:
            yield Finding(where, "too-few", f"{len(own)} phrases of {cls}, at least {least}")
    for cls in ("complit-first", "complit-more"):
        sizes = Counter(sum(slots_of(parse(entry.text, entry.where)).values()) for entry in classes[cls])
        for size in (1, 2, 3):
            if sizes[size] < MIN_SIZE:
                yield Finding(where, "too-few", f"{sizes[size]} of {cls} hold {size} claims, at least {MIN_SIZE}")


def sentence_faults(sentence: Phrase, slots: set[str]) -> Iterator[Finding]:
    """A sentence names slots of its class once each, claims in order, is short, ends with a stop, starts small."""
    found = slots_of(parse(sentence.text, sentence.where))
    in_order = sorted(set(found) & set("abc")) == list("abc")[: len(set(found) & set("abc"))]
    if not set(found) <= slots or max(found.values(), default=1) > 1 or not in_order:
        yield Finding(sentence.where, "slot", f"{sentence.id} names {', '.join(sorted(slots)) or 'no slot'}, once each")
    if slots & {"a", "field", "hint"} and not found:
        yield Finding(sentence.where, "slot", f"{sentence.id} holds nothing")
    yield from form_faults(sentence, LONGEST[sentence.kind])


def claim_faults(claim: Phrase, slots: tuple[str, ...]) -> Iterator[Finding]:
    """A claim says each of its slots once, and reads as a verb phrase in the third person without a stop."""
    template = parse(claim.text, claim.where)
    known = {argument for node in walk(template) for argument in arguments(node)} - {"sg", "pl"}
    found = slots_of(template)
    if set(found) != set(slots) or max(found.values(), default=1) > 1 or not known <= set(slots):
        yield Finding(
            claim.where, "slot", f"{claim.id} names {', '.join(slots) or 'no slot'}, once each, and nothing else"
        )
    if not STARTS.match(claim.text):
        yield Finding(claim.where, "agreement", f"{claim.id} starts with no verb in the third person")
    if claim.text.rstrip()[-1:] in ".?;,":
        yield Finding(claim.where, "punctuation", f"{claim.id} ends with a stop; the sentence has it")
    if re.search(r"\b[Aa]n? (?:\{|\[)", claim.text):
        yield Finding(claim.where, "article", f"'a' or 'an' stands before a slot in {claim.id}")
    for extra in ("gerund", "noun"):
        if not set(claim.extras.get(extra, "")) <= set(slots):
            yield Finding(claim.where, "slot", f"{extra}={claim.extras[extra]} of {claim.id} names no slot of its own")


def worn_words(openings: list[Phrase]) -> Iterator[Finding]:
    """No content word stands in too many openings."""
    found: Counter[str] = Counter()
    for opening in openings:
        found.update({word for word in words(literal_words(opening.text)) if word not in STOP_WORDS})
    for word, count in sorted(found.items()):
        if len(openings) >= MIN_FRAMES and count > MAX_SHARE * len(openings):
            yield Finding(openings[0].where, "skew", f"'{word}' stands in {count} of {len(openings)} openings; vary it")


def filled(claim: Phrase, ontology: Ontology, subfield: Subfield, place: int) -> Iterator[Finding]:
    """A claim with nouns, filled from a subfield, reads right."""
    context = new_context(ontology, subfield, Draws(7_000_000 + place))
    try:
        text = expanded(claim, context)
    except StarvedError as error:
        yield Finding(claim.where, "starved", f"{claim.id} cannot be filled from {subfield.id}: {error}")
        return
    for fault, what in text_faults(f"{tidy(text)}."):
        yield Finding(claim.where, fault, f"{what} in '{text}' ({claim.id} filled from {subfield.id})")


def expanded(claim: Phrase, context: Context) -> str:
    """A claim with nouns, filled."""
    slots = PLOTTED[claim.cls]
    fill_roles(context, {slot: TYPES.get(slot) or (CAST_TYPES[NOUN_FACETS[slot][0]],) for slot in slots})
    return expand(parse(claim.text, claim.where), context)
