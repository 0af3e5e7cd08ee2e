"""Lint rules on agreement in attributes: a subject that may be singular or plural needs a verb that follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from .findings import Finding
from .ontology import Ontology
from .templates import Choice, Literal, Mention, Template

ADVERBS = {
    "also",
    "only",
    "still",
    "then",
    "thus",
    "never",
    "always",
    "often",
    "rarely",
    "barely",
    "hardly",
    "no",
    "indeed",
    "just",
    "even",
}
DETERMINERS = {
    "the",
    "all",
    "any",
    "each",
    "every",
    "some",
    "no",
    "our",
    "its",
    "their",
    "this",
    "these",
    "both",
    "such",
}
CLAUSE_STARTS = set(
    re.findall(
        r"\S+",
        """
    that whether if when while because as since and or nor but where how so than whereas though although unless once
    until what why
    """,
    )
)
FIXED_NUMBER = re.compile(r" (is|are|was|were|has|have|does|do)\b")


def fixed_agreement(ontology: Ontology) -> Iterator[Finding]:
    """A wording of an attribute does not fix the number of a subject that may be singular or plural."""
    for attribute in ontology.attributes:
        for value in attribute.values:
            forms = [*value.asks, *value.explicit, *value.paraphrased]
            forms += [half for item in value.evidence for half in item.halves]
            for form in forms:
                for place, (first, second) in enumerate(pairwise(form.template)):
                    if not isinstance(first, Mention) or not isinstance(second, Literal) or first.form == "pl":
                        continue
                    varies = bool(first.type) or first.role in ("P", "M", "O")
                    verb = FIXED_NUMBER.match(second.text)
                    if varies and verb and any(map(opens_clause, endings(form.template[:place]))):
                        what = f"'{verb[1]}' behind {{{first.role}}}; write {{be {first.role}}} or the like"
                        yield Finding(form.where, "agreement", what)


def endings(template: Template, least: int = 2) -> set[str]:
    """The last words, at least so many, of every reading of a text; a slot reads `_`."""
    if not template or least <= 0:
        return {""}
    last = template[-1]
    if isinstance(last, Choice):
        own = {end for option in last.options for end in endings(option, least)}
    else:
        own = {last.text if isinstance(last, Literal) else "_"}
    return {before + end for end in own for before in endings(template[:-1], least - len(end.split()))}


def opens_clause(before: str) -> bool:
    """Tell whether a noun behind this text is the subject of a clause, not the end of a phrase ("values of …")."""
    words = re.findall(r"[\w'-]+|[,;:]", before.lower())
    while words and (words[-1] in DETERMINERS | ADVERBS or words[-1].endswith("ly")):
        words.pop()
    return not words or words[-1] in CLAUSE_STARTS or (not words[-1][0].isalnum() and words[-1] != "_")
