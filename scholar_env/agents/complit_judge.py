"""What a paper says to a need, clause by clause.

Everything here works on what a tool shows. A clause is met by words that stand together in the paper, by its
bibliographic record, by its figures' data, by a trait of the study, or in comparison with a paper that it quotes; all
but the words can contradict it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from scholar_env.agents.complit_clauses import SURE, Clause
from scholar_env.agents.complit_compare import check_comparison
from scholar_env.agents.complit_phrases import stems_of
from scholar_env.agents.complit_plots import check_plots
from scholar_env.agents.complit_reading import Read
from scholar_env.agents.complit_record import check_record

MEANT: Final = 1.5
"""What words that a clause is surely meant by count, relative to its own words."""


class Says(NamedTuple):
    """What a paper says to a clause that asks for a value of a trait.

    Attributes:
        sure: How probable it is that the clause asks for it.
        share: How probable the value is by what the paper tells of the trait; None where it tells nothing.
        values: Values of the trait among which it is told, 2 where that is one or none.
        silent: Whether it surely tells nothing of the trait.
    """

    sure: float
    share: float | None
    values: int
    silent: bool


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
