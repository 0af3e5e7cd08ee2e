"""Lint rules on the wording of concepts: levels share no word, lengths, numerals, held-out shares, duplicates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .findings import Finding
from .morphology import content_stems, words
from .ontology import Ontology
from .templates import literal_words
from .terms import Concept, Form

MAX_WORDS = 9
MIN_PARAPHRASES, MIN_FUNCTIONAL = 2, 1
HELDOUT_SHARE = (0.2, 0.45)
NUMERALS = re.compile(
    r"(?<![\w.-])(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|"
    r"half|twice|thrice)(?![\w-])",
    re.IGNORECASE,
)


def lint_forms(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on concepts."""
    seen: dict[str, Concept] = {}
    for subfield in ontology.subfields:
        for concept in subfield.concepts:
            yield from level_overlaps(concept)
            yield from counts(concept)
            yield from shapes(concept)
            for form in concept.forms:
                key = " ".join(sorted(content_stems(form.text)))
                other = seen.setdefault(key, concept)
                if other.id != concept.id:
                    yield Finding(
                        form.where,
                        "duplicate-form",
                        f"'{form.text}' has the same content words as a form of {other.id}; reword it",
                    )
        yield from numerals(form for concept in subfield.concepts for form in concept.forms)
        for level, forms in (
            ("paraphrases", [form for concept in subfield.concepts for form in concept.paraphrases]),
            ("functional descriptions", [form for concept in subfield.concepts for form in concept.functional]),
        ):
            yield from heldout_share(forms, f"{level} of {subfield.id}")


def level_overlaps(concept: Concept) -> Iterator[Finding]:
    """No content stem in two of the levels name (with short form), paraphrase, functional description."""
    levels = (("name", (concept.name,)), ("para", concept.paraphrases), ("func", concept.functional))
    for place, (upper, above) in enumerate(levels):
        taken: dict[str, str] = {}
        for form in above:
            taken.update(content_stems(form.text))
        if upper == "name":
            taken.update(content_stems(concept.short))
        for lower, below in levels[place + 1 :]:
            for form in below:
                for shared, word in content_stems(form.text).items():
                    if shared in taken:
                        what = (
                            f"'{word}' in {lower} '{form.text}' and '{taken[shared]}' in {upper} of {concept.id} "
                            f"share the stem '{shared}'; reword one"
                        )
                        yield Finding(form.where, "shared-stem", what)


def counts(concept: Concept) -> Iterator[Finding]:
    """Enough forms, and at each level one that training worlds may use."""
    for level, forms, least in (
        ("para", concept.paraphrases, MIN_PARAPHRASES),
        ("func", concept.functional, MIN_FUNCTIONAL),
    ):
        if len(forms) < least:
            yield Finding(
                concept.where, "too-few", f"{concept.id} has {len(forms)} '{level}:', at least {least} are needed"
            )
        if all(form.heldout for form in forms):
            yield Finding(
                concept.where,
                "heldout",
                f"every '{level}:' of {concept.id} is held out; training worlds need one without a star",
            )
    if not any(form.heldout for form in concept.forms):
        yield Finding(
            concept.where,
            "heldout",
            f"no form of {concept.id} is held out for test worlds; star a 'para*:' or 'func*:'",
        )
    if concept.name.heldout:
        yield Finding(
            concept.name.where, "heldout", f"the name of {concept.id} is held out; test worlds need it in training too"
        )
    if concept.kind == "M" and len(concept.does) < 2:
        yield Finding(
            concept.where,
            "too-few",
            f"method {concept.id} has {len(concept.does)} verbs in 'does:', at least 2 are needed",
        )
    if len(concept.verbs) < 2:
        yield Finding(
            concept.where, "too-few", f"{concept.id} has {len(concept.verbs)} verbs in 'verbs:', at least 2 are needed"
        )


def shapes(concept: Concept) -> Iterator[Finding]:
    """Forms are short, start without an indefinite article, and hold no slot."""
    for form in concept.forms:
        count = len(form.text.split())
        if count > MAX_WORDS:
            yield Finding(form.where, "too-long", f"'{form.text}' has {count} words, at most {MAX_WORDS} are allowed")
        if form.text.split()[0].lower() in ("a", "an"):
            yield Finding(
                form.where,
                "article",
                f"'{form.text}' starts with an article; a form stands alone after 'of' and 'using'",
            )
        if "{" in form.text or "[" in form.text:
            yield Finding(form.where, "slot", f"'{form.text}' holds a slot; concept forms are plain words")
        if form.text.endswith((".", ",", ";")):
            yield Finding(form.where, "punctuation", f"'{form.text}' ends with a stop; the renderer sets it")


def numerals(forms: Iterable[Form]) -> Iterator[Finding]:
    """Numbers stand in slots only; part of a name (`BM25`, `two-photon`) is no numeral."""
    for form in forms:
        for found in NUMERALS.findall(literal_words(form.text)):
            yield Finding(
                form.where,
                "numeral",
                f"'{found}' in '{form.text}'; numbers stand in slots like {{n:2-40}}, or the form is reworded",
            )


def heldout_share(forms: list[Form], name: str) -> Iterator[Finding]:
    """About a third of the forms are held out."""
    share = sum(form.heldout for form in forms) / len(forms) if forms else HELDOUT_SHARE[0]
    if not HELDOUT_SHARE[0] <= share <= HELDOUT_SHARE[1]:
        low, high = HELDOUT_SHARE
        yield Finding(
            forms[0].where,
            "heldout",
            f"{share:.0%} of the {name} are held out, a third ({low:.0%} to {high:.0%}) is wanted",
        )


def repeated_runs(
    texts: dict[str, list[tuple[Form | str, int]]], length: int = 6
) -> Iterator[tuple[str, str, str, int]]:
    """Yield (file, other file, run, line) for runs of words that stand in two files."""
    first: dict[tuple[str, ...], str] = {}
    for file in sorted(texts):
        for text, line in texts[file]:
            for piece in literal_words(text if isinstance(text, str) else text.text).split("_"):
                run = words(piece)
                for start in range(len(run) - length + 1):
                    key = tuple(run[start : start + length])
                    other = first.setdefault(key, file)
                    if other != file:
                        yield file, other, " ".join(key), line
