"""The parts of a construction pipeline: who proposes, verifies, chooses, writes, ranks and judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scholar_env.construction.records import Evidence
from scholar_env.construction.verification import Verdict
from scholar_env.corpus_folder import Corpus
from scholar_env.index.base import Index
from scholar_env.records import Paper


@dataclass(frozen=True, slots=True)
class Proposal:
    """A constraint that somebody proposes.

    Attributes:
        text: A verb phrase whose subject is the paper.
        source: One of :data:`~scholar_env.construction.records.SOURCES`.
        level: One of :data:`~scholar_env.construction.records.LEVELS`; None for metadata.
        evidence: What supports it.
        key: What the proposer knows it by; no other part reads it.
    """

    text: str
    source: str
    level: str | None
    evidence: Evidence
    key: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a query is made of.

    Attributes:
        intent: Id of a purpose.
        proposals: The constraints in the order in which the query says them.
    """

    intent: str
    proposals: tuple[Proposal, ...]


class Proposer(Protocol):
    """Derives constraints from a paper."""

    def propose(self, paper: Paper) -> Sequence[Proposal]:
        """Names constraints that the paper satisfies."""
        ...

    def revise(self, paper: Paper, proposal: Proposal, verdict: Verdict) -> Proposal | None:
        """Mends a proposal that was rejected; None gives it up."""
        ...


class Verifier(Protocol):
    """Scores whether a paper supports a constraint at its level."""

    def verify(self, paper: Paper, proposal: Proposal) -> Verdict:
        """Returns a score from 0 to 1, and what is wrong."""
        ...


class Chooser(Protocol):
    """Takes constraints and a purpose."""

    def choose(self, paper: Paper, proposals: Sequence[Proposal]) -> Choice | None:
        """Returns what a query is to be made of; None where the proposals do not suffice."""
        ...


class Writer(Protocol):
    """Puts a choice into words."""

    def write(self, paper: Paper, choice: Choice) -> str:
        """Returns the query; ``""`` where it fails."""
        ...


class Ranker(Protocol):
    """Ranks papers for a text."""

    def rank(self, text: str, k: int) -> Sequence[str]:
        """Returns the ids of the first k papers, best first."""
        ...


class Judge(Protocol):
    """Decides whether a paper satisfies all constraints of a choice."""

    def satisfies(self, paper: str, choice: Choice) -> bool:
        """Judges the paper of an id."""
        ...


@dataclass(frozen=True)
class IndexRanker:
    """Ranks the papers of a corpus by an index.

    Attributes:
        corpus: The corpus.
        index: An index over its rows.
        left_out: Rows that are never ranked.
    """

    corpus: Corpus
    index: Index
    left_out: tuple[int, ...] = ()

    def rows(self, text: str, k: int) -> list[int]:
        """Rows of the first k papers, best first."""
        found: list[int] = self.index.search(text, k, exclude=self.left_out).rows.tolist()
        return found

    def rank(self, text: str, k: int) -> list[str]:
        """Ids of the first k papers, best first."""
        return [self.corpus.id_of(row) for row in self.rows(text, k)]
