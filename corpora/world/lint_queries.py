"""Lint rules on the frames of questions and on the topics and facets that fill them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from .blocks import Where
from .expand import expand
from .expand_context import Context, Draws, StarvedError, fill_roles, new_context
from .facts import CAST_TYPES
from .findings import Finding
from .lint_frames import arguments
from .lint_reading import text_faults
from .morphology import STOP_WORDS, words
from .ontology import Ontology
from .query_classes import ASK, FACETS, NAME_FACETS, NOUN_FACETS, SOURCES, TOPICS
from .questions import fill, tidy
from .templates import Choice, Literal, Mention, Template, literal_words, parse, walk
from .terms import Phrase, Subfield

MIN_FRAMES, MIN_PHRASES, MIN_FREE = 60, 8, 3
"""Least number of frames; of phrases of a class; and of those of a topic that suit every wording."""

MAX_SHARE = 0.25
"""A content word stands in no larger share of the frames: else a reader learns to strip it."""

FRAME_WORDS = 12
"""Most words of a frame beside its slots."""


def lint_queries(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on queries and on what fills them."""
    frames = [phrase for phrase in ontology.phrases if phrase.kind == "queries" and phrase.cls == "scholargym"]
    phrases = {
        cls: [phrase for phrase in ontology.phrases if phrase.kind == "phrases" and phrase.cls == cls]
        for cls in (*TOPICS, *FACETS)
    }
    if not frames and not any(phrases.values()):
        return
    where = min(entry.where for entry in (*frames, *(entry for own in phrases.values() for entry in own)))
    yield from counts(frames, phrases, where)
    for frame in frames:
        yield from frame_faults(frame)
    for entry in (entry for own in phrases.values() for entry in own):
        yield from phrase_faults(entry)
    yield from worn_words(frames)
    for subfield in ontology.subfields:
        for place, entry in enumerate(entry for own in phrases.values() for entry in own):
            yield from filled(entry, ontology, subfield, place)


def counts(frames: list[Phrase], phrases: dict[str, list[Phrase]], where: Where) -> Iterator[Finding]:
    """There are enough frames for each source, and enough phrases of each class."""
    if len(frames) < MIN_FRAMES:
        yield Finding(where, "too-few", f"{len(frames)} frames of scholargym, at least {MIN_FRAMES}")
    for source in SOURCES:
        own = [frame for frame in frames if frame.extras.get("for") == source]
        if len(own) < MIN_PHRASES:
            yield Finding(where, "too-few", f"{len(own)} frames for {source}, at least {MIN_PHRASES}")
    for cls, own in phrases.items():
        if len(own) < MIN_PHRASES:
            yield Finding(where, "too-few", f"{len(own)} phrases of {cls}, at least {MIN_PHRASES}")
        free = [entry for entry in own if not {"gerund", "noun"} & set(entry.extras)]
        if len(free) < MIN_FREE:
            yield Finding(where, "too-few", f"{len(free)} phrases of {cls} suit every wording, at least {MIN_FREE}")


def slots_of(template: Template) -> Counter[str]:
    """How often each slot is mentioned."""
    return Counter(node.role for node in walk(template) if isinstance(node, Mention))


def form_faults(frame: Phrase, most: int, choices: int = 0) -> Iterator[Finding]:
    """A frame is short, ends with a stop, and starts small; each choice of words may add a word."""
    if not frame.text.endswith(("?", ".")):
        yield Finding(frame.where, "punctuation", f"{frame.id} ends with no stop")
    if frame.text[:1].isupper() and not re.match(r"I\b", frame.text):
        yield Finding(
            frame.where, "capital", f"{frame.id} starts with a capital; the question's first letter is made one"
        )
    if len(words(literal_words(frame.text))) > most + choices:
        yield Finding(frame.where, "too-long", f"{frame.id} has more than {most} words")


def frame_faults(frame: Phrase) -> Iterator[Finding]:
    """A frame says topic and facets once, in this order, is short, ends with a stop, and names a known source."""
    template = parse(frame.text, frame.where)
    if any(not isinstance(node, Literal | Choice | Mention) for node in walk(template)):
        yield Finding(frame.where, "slot", f"{frame.id} holds more than words, choices, {{topic}} and {{facets}}")
    elif "{topic} {facets}" not in frame.text or slots_of(template) != Counter(("topic", "facets")):
        yield Finding(frame.where, "slot", f"{frame.id} says '{{topic}} {{facets}}' once")
    yield from form_faults(frame, FRAME_WORDS, frame.text.count("|"))
    if frame.extras.get("for", "citation") not in SOURCES:
        yield Finding(frame.where, "slot", f"for={frame.extras['for']} of {frame.id} is none of {', '.join(SOURCES)}")


def phrase_faults(entry: Phrase) -> Iterator[Finding]:
    """A phrase names what its class is about and nothing else; its conditions name concepts of the class."""
    kind, _, name = entry.cls.partition("-")
    wanted = set(name.upper()) if kind == "topic" else {name}
    template = parse(entry.text, entry.where)
    mentioned = slots_of(template)
    known = {argument for node in walk(template) for argument in arguments(node)} - {"sg", "pl"}
    if set(mentioned) != wanted or max(mentioned.values()) > 1 or not known <= wanted:
        yield Finding(entry.where, "slot", f"{entry.id} names {', '.join(sorted(wanted))} once each and nothing else")
    if re.search(r"\b[Aa]n? (?:\{|\[)", entry.text):
        yield Finding(entry.where, "article", f"'a' or 'an' stands before a slot in {entry.id}")
    for extra in ("gerund", "noun"):
        if (kind == "facet" and extra in entry.extras) or not set(entry.extras.get(extra, "")) <= wanted:
            yield Finding(
                entry.where, "slot", f"{extra}={entry.extras[extra]} of {entry.id} names no concept of its own"
            )
    if entry.text.rstrip()[-1:] in ".?;":
        yield Finding(entry.where, "punctuation", f"{entry.id} ends with a stop; the frame has it")


def worn_words(frames: list[Phrase]) -> Iterator[Finding]:
    """No content word, and none of the words for a paper, stands in too many frames."""
    held = {"paper", "papers", "study", "studies", "work", "works", "article", "articles"}
    found: Counter[str] = Counter()
    for frame in frames:
        found.update({word for word in words(literal_words(frame.text)) if word not in STOP_WORDS or word in held})
    for word, count in sorted(found.items()):
        if len(frames) >= MIN_FRAMES and count > MAX_SHARE * len(frames):
            yield Finding(frames[0].where, "skew", f"'{word}' stands in {count} of {len(frames)} frames; vary it")


def filled(entry: Phrase, ontology: Ontology, subfield: Subfield, place: int) -> Iterator[Finding]:
    """A phrase, filled from a subfield, reads right."""
    context = new_context(ontology, subfield, Draws(9_000_000 + place))
    _, _, name = entry.cls.partition("-")
    try:
        text = ask_text(entry, context) if name == ASK else expanded(entry, name, context)
    except StarvedError as error:
        yield Finding(entry.where, "starved", f"{entry.id} cannot be filled from {subfield.id}: {error}")
        return
    for fault, what in text_faults(tidy(text).lstrip(", ")):
        yield Finding(entry.where, fault, f"{what} in '{text}' ({entry.id} filled from {subfield.id})")


def expanded(entry: Phrase, name: str, context: Context) -> str:
    """A topic, or a facet of a noun or name, filled."""
    if name in NOUN_FACETS:
        fill_roles(context, {name: (CAST_TYPES[NOUN_FACETS[name][0]],)})
    elif name in NAME_FACETS:
        fill_roles(context, {name: ("system",)})
    return expand(parse(entry.text, entry.where), context)


def ask_text(entry: Phrase, context: Context) -> str:
    """The facet of an attribute, filled with a value that the group has."""
    group = context.subfield.group
    asks = [
        form
        for attribute in context.ontology.attributes
        for value in attribute.values
        for form in value.asks
        if group in attribute.groups and form.fits(group)
    ]
    if not asks:
        raise StarvedError(f"no attribute asks anything of {group}")
    ask = expand(asks[context.draws.below(len(asks))].template, context)
    return fill(parse(entry.text, entry.where), {"ask": ask}, context.draws.below)
