"""The knobs of a world's task set: what kinds of questions, worded how, with how many gold papers."""

from __future__ import annotations

from dataclasses import dataclass, field

from scholar_env.errors import InvalidOptionError

DATE_RULES = ("newest_gold", "citing")


@dataclass(frozen=True)
class Shape:
    """What a question combines.

    Attributes:
        concepts: Letters of P, M, O.
        nouns: Number of noun facets.
        others: Facets beside these: dataset, baseline, system, ask.
        weight: How often.
    """

    concepts: str
    nouns: int
    others: tuple[str, ...] = ()
    weight: int = 1


CITATION_SHAPES = (
    Shape("PM", 1, weight=12),
    Shape("PO", 1, weight=12),
    Shape("MO", 1, weight=12),
    Shape("PMO", 1, weight=12),
    Shape("P", 2, weight=1),
    Shape("PO", 0, ("ask",), weight=12),
    Shape("PM", 0, ("ask",), weight=12),
    Shape("MO", 0, ("ask",), weight=10),
    Shape("PMO", 0, ("ask",), weight=5),
    Shape("PM", 0, ("baseline",), weight=7),
    Shape("MO", 0, ("dataset",), weight=5),
)
ATTRIBUTE_SHAPES = (
    Shape("P", 0, ("ask",), weight=4),
    Shape("O", 0, ("ask",), weight=3),
    Shape("PO", 0, weight=3),
    Shape("PM", 0, weight=3),
    Shape("P", 1, weight=3),
    Shape("M", 0, ("ask",), weight=2),
)
SPECIFIC_SHAPES = (
    Shape("P", 0, ("system",), weight=2),
    Shape("MO", 0, ("system",), weight=2),
    Shape("PM", 0, ("dataset",), weight=3),
    Shape("PMO", 1, weight=9),
    Shape("PMO", 0, ("ask",), weight=8),
    Shape("PO", 1, ("ask",), weight=4),
    Shape("M", 1, ("baseline",), weight=2),
)


@dataclass(frozen=True)
class TaskMix:
    """Quotas of a task set. Difficulty rises with the share of functional questions and with fewer names.

    Attributes:
        citation, attribute, specific: Weights of the three sources; by default the released proportions of
            AutoScholar, RealScholar and LitSearch among the queries with gold.
        functional: Percent of the citation questions that give three functional descriptions and nothing else.
        levels: Weights of the wordings of a concept: name, paraphrase, functional description.
        unlike: Percent of the concepts that are worded otherwise than in title and abstract of most of the gold, where
            there is another wording.
        gold_sizes: Weights of the gold set sizes 1, 2, ... of citation questions.
        attribute_gold: Least and largest gold set of attribute questions.
        co_cited: Percent of the citation questions that insist on gold that the citing paper cites as a whole.
        famous: Percent of the questions whose paper in mind is drawn by how often it is cited, the others by lot. The
            date rule makes gold recent, so a lack of citations would tell it otherwise.
        recent: Of so many papers drawn the newest is the one in mind: people ask about recent work, and the later the
            date bound, the more papers are eligible.
        later: Thousandths of questions whose date bound is later than their newest gold paper.
        date_rule: "newest_gold": the bound is the month of the newest gold paper, as released; "citing": the month of
            the citing paper.
        citation_shapes, attribute_shapes, specific_shapes: What the questions of each source combine.
    """

    citation: int = 1922
    attribute: int = 50
    specific: int = 486
    functional: int = 25
    levels: tuple[int, int, int] = (40, 30, 30)
    unlike: int = 72
    gold_sizes: tuple[int, ...] = (60, 18, 9, 5, 3, 2, 1)
    attribute_gold: tuple[int, int] = (6, 24)
    co_cited: int = 50
    famous: int = 100
    recent: int = 5
    later: int = 34
    date_rule: str = "newest_gold"
    citation_shapes: tuple[Shape, ...] = field(default=CITATION_SHAPES)
    attribute_shapes: tuple[Shape, ...] = field(default=ATTRIBUTE_SHAPES)
    specific_shapes: tuple[Shape, ...] = field(default=SPECIFIC_SHAPES)

    def __post_init__(self) -> None:
        if self.date_rule not in DATE_RULES:
            raise InvalidOptionError(
                f"date_rule={self.date_rule!r} of a task mix", f"it is one of {', '.join(DATE_RULES)}", "take one"
            )
        if not 0 <= self.functional <= 100 or min(self.levels) < 0 or sum(self.levels) < 1:
            raise InvalidOptionError(
                f"functional={self.functional}, levels={self.levels} of a task mix",
                "functional is a percentage, levels are three weights",
                "correct them",
            )
