"""The knobs of a world's CompLit tasks: how many of which kind, made of what, how hard."""

from __future__ import annotations

from dataclasses import dataclass

from scholar_env.errors import InvalidOptionError

EXHAUSTIVE, TOP50 = "exhaustive", "top50"
UNIQUENESS = (EXHAUSTIVE, TOP50)

Slot = tuple[str, str]
"""Family and level of a constraint; level "" for metadata."""


@dataclass(frozen=True)
class Family:
    """A kind of constraint that a Standard query may have.

    Attributes:
        slot: Its family and level.
        weight: How often it is drawn.
        kin: Families of one kin share a limit, see `CompLitMix.most`.
    """

    slot: Slot
    weight: int
    kin: str


FAMILIES = (
    Family(("noun", "explicit"), 54, "noun"),
    Family(("attribute", "explicit"), 12, "attribute"),
    Family(("attribute", "paraphrased"), 11, "attribute"),
    Family(("attribute", "inferred"), 22, "attribute"),
    Family(("drawn", "explicit"), 22, "figure"),
    Family(("curve", "paraphrased"), 6, "figure"),
    Family(("order", "inferred"), 8, "figure"),
    Family(("shape", "inferred"), 18, "shape"),
    Family(("year", ""), 5, "date"),
    Family(("since", ""), 4, "date"),
    Family(("before", ""), 4, "date"),
    Family(("dated", "inferred"), 4, "date"),
    Family(("filed", ""), 5, "category"),
    Family(("listed", ""), 3, "category"),
    Family(("author", ""), 5, "author"),
    Family(("coauthor", "inferred"), 1, "author"),
    Family(("authors", ""), 6, "authors"),
    Family(("relation", "inferred"), 22, "relation"),
)


KIN = {family.slot[0]: family.kin for family in FAMILIES if family.kin in ("attribute", "date", "category", "author")}
"""Families that may stand for one another in a query; all others only for themselves."""


@dataclass(frozen=True)
class CompLitMix:
    """Numbers of tasks and what they are made of.

    Attributes:
        standard, implicit, unmet: Queries of each setting; the conversations are made of the implicit ones.
        standard_targets, implicit_targets, unmet_targets: Different papers behind them.
        shared_standard, shared_implicit: How many of the papers behind Unmet are those of the other two.
        turns: Conversations of three, four and five turns.
        mixed: Tasks of the subset that mixes the three.
        standard_sizes: Weights of 4, 5, … constraints in Standard and Unmet.
        implicit_sizes: Weights of 3, 4, … constraints in Implicit.
        concepts: Percent of the Standard queries that say the problem, the method, the object of the paper.
        concept_levels: Weights of explicit, paraphrased, inferred wordings of these.
        dataset, baseline: Percent of the Standard queries that name the data, the rival.
        families: What the other constraints of Standard are.
        most: Most constraints of a kin in a query: (kin, number) pairs.
        implicit_most: Most figural and comparative constraints of an Implicit query.
        hint: Percent of the Implicit queries that tell the surroundings by a noun.
        hint_holders: Least and most papers of a subfield that hold such a noun.
        second_hint: Papers of a world from which on an Implicit query tells two such nouns, where there are two.
        least_smallest: Least size of the smallest unique subset of a query.
        half_needed: Up to so many constraints, at least half of them must be needed. Of longer lists hardly any would
            do: a paper that misses no more than one of a dozen constraints is rare.
        found_within: Rank within which the index finds the near-miss of an Unmet query.
        silent: Percent of the Unmet queries whose near-miss leaves the false constraint open.
        figure_facts: Percent of the other Unmet queries whose false constraint is about a figure.
        uniqueness: "exhaustive": over the facts of all papers; "top50": over the first 50 candidates of an index of
            titles and abstracts and the first 50 of one of full texts.
    """

    standard: int = 350
    implicit: int = 220
    unmet: int = 300
    standard_targets: int = 251
    implicit_targets: int = 179
    unmet_targets: int = 196
    shared_standard: int = 142
    shared_implicit: int = 41
    turns: tuple[int, int, int] = (48, 142, 30)
    mixed: int = 300
    standard_sizes: tuple[int, ...] = (30, 44, 50, 50, 45, 38, 30, 22, 15, 10, 7, 4, 3, 2)
    implicit_sizes: tuple[int, ...] = (46, 70, 48, 28, 14, 8, 4, 2)
    concepts: tuple[int, int, int] = (80, 70, 70)
    concept_levels: tuple[int, int, int] = (62, 23, 15)
    dataset: int = 88
    baseline: int = 25
    families: tuple[Family, ...] = FAMILIES
    most: tuple[tuple[str, int], ...] = (
        ("noun", 4),
        ("attribute", 7),
        ("figure", 1),
        ("shape", 1),
        ("date", 1),
        ("category", 1),
        ("author", 1),
        ("authors", 1),
        ("relation", 3),
    )
    implicit_most: tuple[int, int] = (2, 2)
    hint: int = 100
    hint_holders: tuple[int, int] = (5, 24)
    second_hint: int = 20_000
    least_smallest: int = 2
    half_needed: int = 8
    found_within: int = 20
    silent: int = 17
    figure_facts: int = 20
    uniqueness: str = EXHAUSTIVE

    def wanted(self, size: int) -> int:
        """How many constraints of a query of some size must be needed."""
        return (size + 1) // 2 if size <= self.half_needed else 0

    def __post_init__(self) -> None:
        if self.uniqueness not in UNIQUENESS:
            raise InvalidOptionError(
                f"uniqueness={self.uniqueness!r} of a mix", f"it is one of {', '.join(UNIQUENESS)}", "take one"
            )
        if sum(self.turns) != self.implicit:
            raise InvalidOptionError(
                f"turns={self.turns} of a mix with {self.implicit} Implicit queries",
                "there is one conversation for each of these",
                "make the sum fit",
            )
