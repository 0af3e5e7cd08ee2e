"""What a need asks for: the clauses of a question, with their words, names, quoted titles and traits of a study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scholar_env.agents.complit_asks import asked_by
from scholar_env.agents.complit_compare import QUOTED
from scholar_env.agents.complit_known import Known, packaged
from scholar_env.agents.complit_phrases import names_for
from scholar_env.agents.stems import content_stems

SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"])")
"""Where sentences end."""

_CLAUSE_END: Final = re.compile(
    r";\s*|:\s+|,\s+|\s+and (?!sees it|finds a|its\b)(?=[a-z]+s\b|it\b|that\b|was\b)|\s+while\s+"
)
_LEAD_IN: Final = re.compile(
    r"^.*\bit\s+(?=\w+s\b|was\b|does\b)"
    r"|^.*\b(?:one|paper|article|study|work|manuscript|publication|preprint|source|item|text|fact|certain|agree|believe|know)"
    r" (?:that|which)\s+(?=\w)"
)
_NAME: Final = re.compile(r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{3,}[\w-]*|\w+-\d+)\b")
_MASK: Final = "\0"

SURE: Final = 0.5
"""From which probability a clause is taken to ask for a trait, and for no topic."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a question.

    Attributes:
        text: As it stands there.
        plain: The same without quoted titles.
        own: The same without what leads in ("it matters to us that it").
        quoted: Titles that it quotes.
        terms: Stems of its words that carry meaning, in order, without the quoted titles.
        names: Stems of the names in it.
        traits: Traits of a study that it asks for.
        sure: How probable it is that it asks for these.
        meant: Words that papers have for what it describes, with how surely they are meant, in [0, 1].
    """

    text: str
    plain: str
    own: str
    quoted: tuple[str, ...]
    terms: tuple[str, ...]
    names: tuple[str, ...]
    traits: Mapping[str, str]
    sure: float
    meant: Mapping[str, float]


def clauses_of(question: str, known: Known | None = None) -> tuple[Clause, ...]:
    """Splits a question into sentences and these at commas, semicolons and joined verbs; quoted titles stay whole.

    The first of several sentences tells why somebody asks, and not of what kind the paper is: it is left out.

    Args:
        question: The question.
        known: What is known of words, None for what comes with the package.
    """
    words = known or packaged()
    return tuple([clause for text in _parts(question) if (clause := _clause(text, words)).terms or clause.quoted])


def _parts(question: str) -> Iterable[str]:
    quoted = [match[0] for match in QUOTED.finditer(question)]
    masked = QUOTED.sub(_MASK, question.replace(_MASK, " ").replace("\n", " "))
    first, *more = SENTENCE_END.split(masked)
    quoted = quoted[first.count(_MASK) if more else 0 :]
    for sentence in more or [first]:
        for part in _CLAUSE_END.split(sentence):
            text = part.strip(" .?!")
            while _MASK in text:
                text = text.replace(_MASK, quoted.pop(0), 1)
            yield text


def _clause(text: str, known: Known) -> Clause:
    plain = QUOTED.sub("", text)
    bare = _LEAD_IN.sub("", plain)
    own = bare if content_stems(bare) else plain
    names = [word for name in _NAME.findall(own) for word in content_stems(name)]
    quoted = tuple(QUOTED.findall(text))
    terms, traits = content_stems(own), known.in_clauses(own)
    traits, sure = (traits, 1.0) if traits else ({}, 0.0) if quoted else asked_by(own, known.asks)
    meant = {} if quoted or sure == 1.0 else names_for(terms, known.phrases)
    return Clause(text, plain, own, quoted, terms, tuple(names), traits, sure, meant)
