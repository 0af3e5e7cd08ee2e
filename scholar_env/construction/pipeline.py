"""The construction of queries for one paper, step by step, over any proposer: a person, a language model, known facts.

1. *Derivation*: a proposer names constraints of a paper, each with its evidence.
2. *Verification*: a verifier scores each; what scores below the threshold is revised, ten rounds at most.
3. *Choice*: a chooser takes some of the constraints, and one of the purposes that one paper can serve.
4. *Writing*: a writer puts them into words.
5. *Uniqueness*: of the candidates that retrievers rank first for the words, a judge must find only the paper itself to
   satisfy the constraints.

Each step counts what comes in and what goes out, as the paper's tables on its construction do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scholar_env.construction.intents import INTENT_IDS, SEARCH_PURPOSES
from scholar_env.construction.parts import Choice, Chooser, Judge, Proposal, Proposer, Ranker, Verifier, Writer
from scholar_env.construction.records import LEVELS, SOURCES, Constraint, Query
from scholar_env.construction.uniqueness import TOP, only_match, top_candidates
from scholar_env.construction.verification import Rules, Tally, settled
from scholar_env.errors import InvalidOptionError
from scholar_env.named import load_named
from scholar_env.records import NamedPaper, Paper

PARTS = ("proposer", "verifier", "chooser", "writer", "judge")
"""The parts that a pipeline needs; retrievers are optional."""


@dataclass(slots=True)
class Counts:
    """What went through the steps.

    Attributes:
        papers: Papers that were tried.
        constraints: What happened to their proposals.
        sources, levels: Verified constraints by source and by level.
        chosen: Papers with enough verified constraints.
        intents: Choices by purpose.
        written: Queries that were written.
        not_unique: Those that another candidate satisfies, too.
        kept: Those that are left.
    """

    papers: int = 0
    constraints: Tally = field(default_factory=Tally)
    sources: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    chosen: int = 0
    intents: Counter[str] = field(default_factory=Counter)
    written: int = 0
    not_unique: int = 0
    kept: int = 0

    def table(self) -> list[tuple[str, int]]:
        """The steps with their numbers, in order."""
        constraints = self.constraints
        return [
            ("papers", self.papers),
            ("constraints proposed", constraints.proposed),
            ("constraints rejected", constraints.rejected),
            ("constraints verified", constraints.verified),
            ("constraints given up", constraints.given_up),
            *((f"verified, {name}", self.sources[name]) for name in SOURCES),
            *((f"verified, {name}", self.levels[name]) for name in LEVELS),
            ("purposes considered", len(SEARCH_PURPOSES)),
            ("purposes kept", len(INTENT_IDS)),
            ("papers with a choice", self.chosen),
            ("queries written", self.written),
            ("queries not unique", self.not_unique),
            ("queries kept", self.kept),
        ]


@dataclass(frozen=True)
class Pipeline:
    """Makes queries.

    Attributes:
        proposer, verifier, chooser, writer, judge: The parts.
        rankers: What finds candidates: a lexical and a dense retriever in the paper.
        rules: Threshold and rounds of the verification.
        top: Candidates that each retriever contributes.
        setting: Setting of the queries.
    """

    proposer: Proposer
    verifier: Verifier
    chooser: Chooser
    writer: Writer
    judge: Judge
    rankers: tuple[Ranker, ...] = ()
    rules: Rules = field(default_factory=Rules)
    top: int = TOP
    setting: str = "standard"

    @classmethod
    def named(cls, parts: Mapping[str, str], **others: Any) -> Pipeline:
        """Makes a pipeline of parts that are named ``"package.module:name"``, each called without arguments.

        Args:
            parts: Name by part, all of :data:`PARTS`.
            others: Further fields of the pipeline.

        Raises:
            InvalidOptionError: A part is missing, unknown, or cannot be imported.
        """
        if set(parts) != set(PARTS):
            raise InvalidOptionError(
                f"the parts {', '.join(sorted(parts))} of a pipeline",
                f"they are {', '.join(PARTS)}",
                "name all of these",
            )
        made = {part: load_named(part, parts[part])() for part in PARTS}
        return cls(**made, **others)

    def construct(self, paper: Paper, counts: Counts, domain: str = "") -> Query | None:
        """Makes a query for a paper; None where a step drops it.

        Args:
            paper: The paper.
            counts: Counts what happens.
            domain: Group of the paper, for break-downs.

        Raises:
            InvalidOptionError: The chooser took a purpose or a constraint that it may not take.
        """
        counts.papers += 1
        verified = self.derived(paper, counts)
        choice = self.chooser.choose(paper, verified)
        if choice is None:
            return None
        if choice.intent not in INTENT_IDS:
            raise InvalidOptionError(
                f"the chooser took the purpose {choice.intent!r}",
                f"the purposes that one paper serves are {', '.join(INTENT_IDS)}",
                "take one of these",
            )
        unverified = [entry.text for entry in choice.proposals if entry not in verified]
        if unverified or not choice.proposals:
            raise InvalidOptionError(
                f"the chooser took {f'the constraint {unverified[0]!r}' if unverified else 'no constraint'}",
                f"it takes one or more of the {len(verified)} that were verified",
                "return those that it was given, or None",
            )
        counts.chosen += 1
        counts.intents[choice.intent] += 1
        text = self.writer.write(paper, choice).strip()
        if not text:
            return None
        counts.written += 1
        if not self.is_unique(paper, text, choice):
            counts.not_unique += 1
            return None
        counts.kept += 1
        constraints = tuple(
            Constraint(f"c{number}", entry.text, entry.source, entry.level, entry.evidence)
            for number, entry in enumerate(choice.proposals, 1)
        )
        target = NamedPaper(paper.id, paper.title)
        year = int(paper.date[:4] or 0)
        return Query(self.setting, text, choice.intent, target, None, constraints, domain, year)

    def derived(self, paper: Paper, counts: Counts) -> list[Proposal]:
        """The verified constraints of a paper; of two with the same words the first."""
        verified: dict[str, Proposal] = {}
        for first in self.proposer.propose(paper):
            found = settled(
                first,
                lambda proposal, verdict: self.proposer.revise(paper, proposal, verdict),
                lambda proposal: self.verifier.verify(paper, proposal),
                self.rules,
                counts.constraints,
            )
            if found is not None and found.text not in verified:
                verified[found.text] = found
                counts.sources[found.source] += 1
                counts.levels[found.level or ""] += 1
        return list(verified.values())

    def is_unique(self, paper: Paper, text: str, choice: Choice) -> bool:
        """Whether no other candidate satisfies the constraints, as the judge sees it."""
        rankings = [ranker.rank(text, self.top) for ranker in self.rankers]
        ids = sorted({entry for ranking in rankings for entry in ranking} | {paper.id})
        row = {entry: place for place, entry in enumerate(ids)}
        candidates = top_candidates([[row[entry] for entry in ranking] for ranking in rankings], self.top)
        return only_match(row[paper.id], candidates, lambda place: self.judge.satisfies(ids[place], choice))
