"""What a need asks for, and what a paper says to it: clauses of a question, and evidence for and against each.

Everything here works on what a tool shows. A clause is met by words that stand together in the paper, by its
bibliographic record, by its figures' data, by a trait of the study, or in comparison with a paper that it quotes; all
but the words can contradict it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from scholar_env.agents.complit_asks import asked_by
from scholar_env.agents.complit_compare import QUOTED, check_comparison
from scholar_env.agents.complit_headings import learned_headings, paragraphs_of, silent_on, told_behind
from scholar_env.agents.complit_phrases import MOST, names_for, stems_of, words_of_names
from scholar_env.agents.complit_phrases import told_by as hinted_by
from scholar_env.agents.complit_plots import check_plots
from scholar_env.agents.complit_record import check_record
from scholar_env.agents.stems import content_stems
from scholar_env.agents.study_cues import TRAITS
from scholar_env.agents.study_traits import told_by, traits_of

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"])")
_CLAUSE_END: Final = re.compile(
    r";\s*|:\s+|,\s+|\s+and (?!sees it|finds a|its\b)(?=[a-z]+s\b|it\b|that\b|was\b)|\s+while\s+"
)
_LEAD_IN: Final = re.compile(
    r"^.*\bit\s+(?=\w+s\b|was\b|does\b)"
    r"|^.*\b(?:one|paper|article|study|work|manuscript|publication|preprint|source|item|text|fact|certain|agree|believe|know)"
    r" (?:that|which)\s+(?=\w)"
)
_CITED: Final = re.compile(r"\(\d{4}\)|\bet al\b")
_NAME: Final = re.compile(r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{3,}[\w-]*|\w+-\d+)\b")
_MASK: Final = "\0"

MEANT: Final = 1.5
"""What words that a clause is surely meant by count, relative to its own words."""


class Says(NamedTuple):
    """What a paper says to a clause that asks for a value of a trait.

    Attributes:
        sure: How probable it is that the clause asks for it.
        share: How probable the value is by what the paper tells of the trait; None where it tells nothing.
        values: Values of the trait.
        silent: Whether it surely tells nothing of the trait.
    """

    sure: float
    share: float | None
    values: int
    silent: bool


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


@dataclass(frozen=True, slots=True)
class Read:
    """A paper that was read.

    Attributes:
        paper: Its id.
        title: Its title.
        date: Its date.
        authors: Its authors.
        categories: Its categories.
        terms: Stems of its words.
        names: Its stems, and pairs of stems that follow each other, leaving out words without meaning.
        told: For each trait of which it tells something the logarithm of each value's likelihood, 0 for the likeliest.
        silent: Traits of which it surely tells nothing.
        figures: Figures as data.
    """

    paper: str
    title: str
    date: str
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    terms: frozenset[str]
    names: frozenset[str]
    told: Mapping[str, Mapping[str, float]]
    silent: frozenset[str]
    figures: tuple[Mapping[str, Any], ...]


@dataclass(slots=True)
class Judgement:
    """What a paper says to a need.

    Attributes:
        words: How much it says of the clauses that ask for no trait, a sum over them weighted by the root of the weight
            of their words.
        names: Names of the question that it has.
        checks: For each kind of check how many held and how many did not.
        traits: What it says to each trait that a clause asks for.
    """

    words: float = 0.0
    names: int = 0
    checks: dict[str, tuple[int, int]] = field(default_factory=dict)
    traits: list[Says] = field(default_factory=list)

    def count(self, kind: str, verdicts: Iterable[bool]) -> None:
        """Adds verdicts of a kind of check."""
        for verdict in verdicts:
            held, failed = self.checks.get(kind, (0, 0))
            self.checks[kind] = (held + verdict, failed + (not verdict))


def clauses_of(question: str) -> tuple[Clause, ...]:
    """Splits a question into sentences and these at commas, semicolons and joined verbs; quoted titles stay whole.

    The first of several sentences tells why somebody asks, and not of what kind the paper is: it is left out.
    """
    return tuple([clause for text in _parts(question) if (clause := _clause(text)).terms or clause.quoted])


def _parts(question: str) -> Iterable[str]:
    quoted = [match[0] for match in QUOTED.finditer(question)]
    masked = QUOTED.sub(_MASK, question.replace("\n", " "))
    first, *more = _SENTENCE_END.split(masked)
    quoted = quoted[first.count(_MASK) if more else 0 :]
    for sentence in more or [first]:
        for part in _CLAUSE_END.split(sentence):
            text = part.strip(" .?!")
            while _MASK in text:
                text = text.replace(_MASK, quoted.pop(0), 1)
            yield text


def _clause(text: str) -> Clause:
    plain = QUOTED.sub("", text)
    bare = _LEAD_IN.sub("", plain)
    own = bare if content_stems(bare) else plain
    names = [word for name in _NAME.findall(own) for word in content_stems(name)]
    quoted = tuple(QUOTED.findall(text))
    terms, traits = content_stems(own), traits_of(own)
    traits, sure = (traits, 1.0) if traits else ({}, 0.0) if quoted else asked_by(own)
    meant = {} if quoted or sure == 1.0 else names_for(terms)
    return Clause(text, plain, own, quoted, terms, tuple(names), traits, sure, meant)


def read_paper(document: Mapping[str, Any], categories: Sequence[str], figures: Sequence[Mapping[str, Any]]) -> Read:
    """Takes in what ``read`` showed of a whole paper."""
    names, told, silent = _taken_in(f"{document['title']}. {document['text']}")
    return Read(
        paper=document["paper"],
        title=document["title"],
        date=document["date"],
        authors=tuple(document["authors"]),
        categories=tuple(categories),
        terms=frozenset(name for name in names if " " not in name),
        names=names,
        told=told,
        silent=silent,
        figures=tuple(figures),
    )


@lru_cache(maxsize=2000)
def _taken_in(text: str) -> tuple[frozenset[str], Mapping[str, Mapping[str, float]], frozenset[str]]:
    """Names, told traits and silent ones of a text; kept, since the same paper is read for many needs."""
    known, headed = learned_headings(), paragraphs_of(text)
    silent = silent_on(headed, known)
    # A trait may also stand in the abstract; where headings leave it open, anywhere.
    elsewhere = _told(_sentences(text.split("\n", 1)[0] if silent else text))
    told = {**elsewhere, **told_behind(headed, known)}
    return frozenset(words_of_names(text)), told, silent - told.keys()


def _sentences(text: str) -> list[str]:
    """Sentences that speak of the paper itself."""
    found = _SENTENCE_END.split(text.replace("\n", " "))
    return [sentence for sentence in found if not _CITED.search(sentence)]


def _told(sentences: Sequence[str]) -> dict[str, Mapping[str, float]]:
    """What is said in so many words counts alone; what hints at a trait counts where nothing is said."""
    said = {
        trait: {value: 0.0 if value in values else -MOST for value in TRAITS[trait]}
        for trait, values in told_by(sentences).items()
    }
    return {**hinted_by(sentences), **said}


def weights_of(clauses: Sequence[Clause], texts: Iterable[frozenset[str]]) -> dict[str, float]:
    """How rare each term of the clauses is among the texts seen: ln(1 + n / df), 0 for terms that none holds."""
    seen = list(texts)
    wanted = {term for clause in clauses for term in clause.terms}
    counts = Counter(term for text in seen for term in sorted(text & wanted))
    return {term: math.log(1 + len(seen) / counts[term]) if counts[term] else 0.0 for term in sorted(wanted)}


def judge(
    clauses: Sequence[Clause], paper: Read, weights: Mapping[str, float], others: Mapping[str, Read]
) -> Judgement:
    """What a paper says to the clauses of a need.

    Args:
        clauses: The clauses.
        paper: The paper.
        weights: Weight of each term.
        others: Papers that the clauses quote, by title.
    """
    found = Judgement()
    for clause in clauses:
        if clause.sure < SURE and not clause.quoted:
            weight = math.sqrt(math.fsum(weights[term] for term in clause.terms))
            found.words += weight * _said(clause, paper, weights)
        found.names += sum(name in paper.terms for name in clause.names)
        named, described = check_plots(clause.plain, paper.figures)
        found.count("figure", named)
        found.count("picture", described)
        for title in clause.quoted:
            if title in others:
                found.count("comparison", check_comparison(clause.text, paper, others[title]))
        if clause.quoted:  # the rest of such a clause is about how the two papers differ
            continue
        found.traits.extend(says(paper, trait, value, clause.sure) for trait, value in clause.traits.items())
        found.count("record", check_record(clause.plain, paper.date, paper.categories, paper.authors))
    return found


def says(paper: Read, trait: str, value: str, sure: float = 1.0) -> Says:
    """What a paper says to a clause that asks for a value of a trait.

    Args:
        paper: The paper.
        trait: The trait.
        value: The value.
        sure: How probable it is that the clause asks for it.
    """
    logs = paper.told.get(trait, {})
    share = None
    if value in logs:
        share = math.exp(logs[value]) / math.fsum(math.exp(log) for log in logs.values())
    return Says(sure, share, max(len(logs), 2), trait in paper.silent)


def _said(clause: Clause, paper: Read, weights: Mapping[str, float]) -> float:
    """Share of the clause's weight that the paper says, in its words or in those that it is meant by."""
    meant = max((share for name, share in clause.meant.items() if stems_of(name) in paper.names), default=0.0)
    return max(_verbatim(clause, paper, weights), min(1.0, MEANT * meant))


def _verbatim(clause: Clause, paper: Read, weights: Mapping[str, float]) -> float:
    """The same by its own words; those that stand together in both count double."""
    total = math.fsum(weights[term] for term in clause.terms)
    if not total:
        return 0.0
    pairs = [pair for pair in pairwise(clause.terms) if " ".join(pair) in paper.names]
    joined = {term for pair in pairs for term in pair} | set(clause.names)
    said = (weights[term] * (1.0 if term in joined else 0.5) for term in clause.terms if term in paper.terms)
    return math.fsum(said) / total
