"""Lint rules over all files: ids that are used once, word runs that stand in one file only, spelling."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from importlib import import_module

from .blocks import Where
from .findings import Finding
from .lint_forms import repeated_runs
from .ontology import Ontology
from .templates import literal_words
from .terms import Form

# American spelling throughout: a query that spells a word otherwise than the text could never match it.
BRITISH = re.compile(
    r"^(?:\w*(?:isation|isations|ising|ised|ises|yse|ysed|ysing)|\w+ise|colour\w*|behaviour\w*|favour\w*|neighbour\w*|labour|harbour\w*|tumou?rs?"
    r"|flavour|vapour|honour\w*|centre[sd]?|metre[s]?|litre[s]?|fibre[s]?|theatre|modell\w+|labell\w+|travell\w+|signall\w+|channell\w+|cancell(?:ed|ing)"
    r"|anaesth\w+|haem\w+|oestr\w+|foet\w+|paed\w+|aluminium|sulph\w+|grey|catalogue[sd]?|analogue|defence|licence|programme[sd]?|whilst|amongst|ageing|artefact\w*)$"
)
BRITISH_LOOKALIKES = set(
    re.findall(
        r"\S+",
        """
    noise rise arise otherwise precise exercise promise premise compromise concise enterprise expertise franchise
    likewise merchandise paradise praise raise raised rising raising promised compromised surprise surprised
    supervise supervised unsupervised revise revised advertise advise advised devise devised disguise excise
    improvise wise cruise poise bruise televise treatise pairwise stepwise pointwise piecewise elementwise
    clockwise surprising rises raises promises exercises premises arises arising compromising supervising
    advertising advertised advertises revising tumor tumors cancellation haptic semisupervised noised denoise
    denoised denoising denoises rowwise listwise comprise comprised comprises comprising channelled voiced unvoiced
    poised exercised exercising wised sunrise reprise apprise mayonnaise turquoise chemise demise liaise malaise
    tortoise porpoise phrase phrased excised wholesale bias biased
    """,
    )
)


def lint_text(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on ids, repeated runs and spelling."""
    yield from unique_ids(ontology)
    texts = sorted(all_texts(ontology), key=lambda pair: pair[0])
    by_file: dict[str, list[tuple[Form | str, int]]] = {}
    for where, text in texts:
        by_file.setdefault(where.file, []).append((text, where.line))
    for file, other, run, line in repeated_runs(by_file):
        yield Finding(Where(file, line), "repeated-run", f"'{run}' stands in {other} too; reword it")
    yield from spelling(texts, ontology.accepted)


def unique_ids(ontology: Ontology) -> Iterator[Finding]:
    """Every id is defined once, and no retired one comes back."""
    seen: dict[str, Where] = {}
    for name, where in ontology.ids():
        if name in seen:
            yield Finding(where, "duplicate-id", f"'{name}' is defined at {seen[name]} too; ids are used once")
        seen.setdefault(name, where)
        if name in ontology.retired:
            yield Finding(where, "retired-id", f"'{name}' was retired at {ontology.retired[name]}; take a new id")


def all_texts(ontology: Ontology) -> Iterator[tuple[Where, str]]:
    """Every piece of text that may reach a paper or a query."""
    for subfield in ontology.subfields:
        for concept in subfield.concepts:
            yield from ((form.where, form.text) for form in concept.forms)
            yield concept.where, " _ ".join((concept.broader, *concept.refer, *concept.verbs, *concept.does))
        for noun in subfield.nouns:
            yield noun.where, f"{noun.singular} _ {noun.plural if noun.number == 'sg' else ''} _ {noun.unit}"
        for verb in subfield.verbs:
            yield verb.where, " _ ".join((verb.base, verb.third, verb.past, verb.participle, verb.gerund))
        for entry in subfield.adjectives:
            yield entry.where, entry.text
        for form in subfield.eponyms:
            yield form.where, form.text
    for attribute in ontology.attributes:
        for value in attribute.values:
            forms = (
                *value.asks,
                *value.explicit,
                *value.paraphrased,
                *(half for item in value.evidence for half in item.halves),
            )
            yield from ((form.where, form.text) for form in forms)
    for frame in ontology.frames:
        yield frame.where, frame.text
    for phrase in ontology.phrases:
        yield phrase.where, phrase.text
    for verb in ontology.verbs:
        yield verb.where, " _ ".join((verb.base, verb.third, verb.past, verb.participle, verb.gerund))


def spell_checker_present() -> bool:
    """Tell whether the optional word list (package pyspellchecker) is installed."""
    return importlib.util.find_spec("spellchecker") is not None


def spelling(texts: Iterable[tuple[Where, str]], accepted: frozenset[str]) -> Iterator[Finding]:
    """American spelling always; the word list where pyspellchecker is installed. `words` blocks are accepted."""
    first: dict[str, Where] = {}
    for where, text in texts:
        for word in re.findall(r"[A-Za-zÀ-ɏ]+(?:['’][a-z]+)?", literal_words(text).replace(" _ ", " ")):
            if word[1:].islower() or len(word) == 1:  # names in capitals and mixed case are no words of a list
                first.setdefault(word.lower(), where)
    lowered = {word.lower() for word in accepted}
    for word, where in sorted(first.items()):
        if word not in lowered and word not in BRITISH_LOOKALIKES and BRITISH.match(word):
            yield Finding(
                where,
                "spelling",
                f"'{word}' looks British; the ontology is spelled the American way (or list it in a 'words' block)",
            )
    if spell_checker_present():
        checker = import_module("spellchecker").SpellChecker()
        for word in sorted(checker.unknown(word for word in first if word not in lowered and len(word) > 2)):
            yield Finding(
                first[word], "spelling", f"'{word}' is not in the word list; correct it, or list it in a 'words' block"
            )
