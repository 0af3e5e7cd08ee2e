"""Classes of the phrases that CompLit's queries are made of; the phrases are data (ontology/frames/complit.txt)."""

from __future__ import annotations

from typing import NamedTuple

from .query_classes import NOUN_FACETS

SHAPES = (
    *("doubling", "halving", "front-loaded", "back-loaded"),
    *("early-turn", "late-turn", "net-rise", "net-fall", "steep"),
    *("neck-and-neck", "clear-lead", "crowded", "outsider-second", "wide-field"),
)
"""Names of the shapes, in the order in which claims count them: of trends, of peaks and dips, of comparisons.

| shape | the figure |
|---|---|
| doubling, halving | its last value is twice its first one or more; half of it or less |
| front-loaded, back-loaded | more than half of the change lies in the first, in the last two of five steps |
| early-turn, late-turn | the extreme value is the third, the fourth of six |
| net-rise, net-fall | it turns, and its last value lies above, below its first one |
| steep | a peak of twice the higher end or more, a dip of half of the lower end or less |
| neck-and-neck, clear-lead | between the best and the next is a tenth of the best value or less, a quarter or more |
| crowded | four systems or more are compared |
| outsider-second | another system than the main rival comes second |
| wide-field | the weakest has half of the best value or less; where less is better, twice of it or more |
"""


class Relation(NamedTuple):
    """A relation of a paper to another one.

    Attributes:
        name: How claims call it.
        by: What is compared: an attribute of `complit_values.ORDERED`, gain, rivals, dataset, baseline, year or author.
        more: 1 where the paper has more than the other, -1 where it has less, 0 for anything but an order.
    """

    name: str
    by: str
    more: int


RELATIONS = (
    Relation("more-data", "size", 1),
    Relation("less-data", "size", -1),
    Relation("slower", "latency", 1),
    Relation("faster", "latency", -1),
    Relation("longer", "horizon", 1),
    Relation("shorter", "horizon", -1),
    Relation("riper", "stage", 1),
    Relation("rawer", "stage", -1),
    Relation("wider-gain", "gain", 1),
    Relation("narrower-gain", "gain", -1),
    Relation("more-rivals", "rivals", 1),
    Relation("fewer-rivals", "rivals", -1),
    Relation("same-data", "dataset", 0),
    Relation("against", "baseline", 0),
    Relation("newer", "year", 1),
    Relation("older", "year", -1),
    Relation("coauthor", "author", 0),
)
BY_NAME = {relation.name: relation for relation in RELATIONS}

STANDARD, IMPLICIT, CUMULATIVE, UNMET = "standard", "implicit", "cumulative", "unmet"
"""The settings."""

OPENING = "complit"
"""Class of the `queries` block: openings, each with `for=` a purpose."""

FRAMES = {
    "complit-first": ("a", "b", "c"),
    "complit-more": ("a", "b", "c"),
    "complit-close": (),
    "complit-hint": ("hint",),
    "complit-open": ("field", "hint"),
    "complit-lead": (),
    "complit-commit": (),
}
"""Sentences of queries and the slots that they may have."""

LEADS = ("narrow", "detail", "weigh")
"""Purposes of the later turns of a conversation but the last."""

OPEN, COMMIT = "orient", "commit"
"""Purposes of its first and of its last turn."""

SAID = {
    "claim-p": ("P",),
    "claim-m": ("M",),
    "claim-o": ("O",),
    "claim-dataset": ("dataset",),
    "claim-baseline": ("baseline",),
    "claim-order": ("left", "right"),
    "claim-rising": (),
    "claim-falling": (),
    "claim-top": (),
    "claim-dip": (),
    "claim-year": ("year",),
    "claim-since": ("year",),
    "claim-before": ("year",),
    "claim-filed": ("category",),
    "claim-listed": ("category",),
    "claim-author": ("name",),
    "claim-authors": ("count",),
    **{f"shape-{name}": () for name in SHAPES},
    **{f"relation-{relation.name}": ("cited",) for relation in RELATIONS},
}
"""Claims whose slots are filled with whole texts."""

PLOTTED = {
    "claim-trend": ("y", "x"),
    "claim-peak": ("y", "x"),
    "claim-trend-y": ("y",),
    "claim-peak-y": ("y",),
    **{f"claim-{facet}": (facet,) for facet in NOUN_FACETS},
}
"""Claims whose slots are nouns, as in frames."""

POINTERS = ("dataset", "baseline", "left", "right", "cited", "year", "category", "name", "count")
"""Slots that point to something by its name: what they hold may stand in the evidence, too."""

PHRASES = (*FRAMES, *SAID, *PLOTTED)
