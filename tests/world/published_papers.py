"""What the published papers of a world show of CompLit's claims: worked out from documents, not from the facts.

A second way to decide a claim, which shares no code with :mod:`scholar_env.corpora.world.complit_columns`: records are
read from the corpus, figures from the values that the text prints, what is compared from both papers' texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from scholar_env.corpora.world.complit_classes import SHAPES
from scholar_env.corpora.world.complit_columns import Claim
from scholar_env.corpora.world.render.shared import Shared
from scholar_env.corpora.world.world import World
from scholar_env.corpus import Corpus
from scholar_env.figures import Figure, figures_of

LADDERS = {
    "data": ("size", ("tiny", "small", "medium", "large", "massive")),
    "time": ("latency", ("micro", "milli", "seconds", "hours", "weeks")),
    "span": ("horizon", ("moment", "days", "months", "years", "decades")),
    "use": ("stage", ("concept", "prototype", "pilot", "routine", "product")),
}
STEPS = {
    "more-data": ("data", 1), "less-data": ("data", -1), "slower": ("time", 1), "faster": ("time", -1),
    "longer": ("span", 1), "shorter": ("span", -1), "riper": ("use", 1), "rawer": ("use", -1),
}  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """A printed series over a parameter."""

    values: tuple[Fraction, ...]

    @property
    def is_trend(self) -> bool:
        """Whether it goes one way throughout."""
        return list(self.values) in (sorted(self.values), sorted(self.values, reverse=True))

    @property
    def falls(self) -> bool:
        """Whether a trend goes down, or a curve that turns has its extreme value at the bottom."""
        inner = self.values[1:-1]
        return self.values[-1] < self.values[0] if self.is_trend else min(inner) < min(self.values[0], self.values[-1])

    def shapes(self) -> set[str]:
        """What its values show."""
        first, *_, last = self.values
        if self.is_trend:
            change = abs(last - first)
            found = {
                "doubling": last >= 2 * first,
                "halving": 2 * last <= first,
                "front-loaded": abs(self.values[2] - first) > change / 2,
                "back-loaded": abs(last - self.values[-3]) > change / 2,
            }
        else:
            turn = (min if self.falls else max)(self.values)
            half = len(self.values) // 2
            at = self.values.index(turn)
            found = {
                "early-turn": at < half,
                "late-turn": at >= half,
                "net-rise": last > first,
                "net-fall": last < first,
                "steep": all(2 * turn <= end if self.falls else turn >= 2 * end for end in (first, last)),
            }
        return {name for name, holds in found.items() if holds}


@dataclass(frozen=True)
class Comparison:
    """A printed table of systems, the paper's own first and its main rival second."""

    values: dict[str, Fraction]

    @property
    def margins(self) -> list[Fraction]:
        """How far each of the others is behind the paper's own, in the order printed."""
        own, *others = self.values.values()
        return [abs(own - other) for other in others]

    def shapes(self) -> set[str]:
        """What its values show."""
        own, *others = self.values.values()
        margins = self.margins
        weakest = others[margins.index(max(margins))]
        found = {
            "neck-and-neck": min(margins) <= own / 10,
            "clear-lead": min(margins) >= own / 4,
            "crowded": len(others) >= 3,
            "outsider-second": margins[0] > min(margins),
            "wide-field": max(weakest, own) >= 2 * min(weakest, own),
        }
        return {name for name, holds in found.items() if holds}

    def ranks(self, better: str, worse: str) -> bool:
        """Whether one system does better than another: it is closer to the paper's own, which is the best."""
        if better not in self.values or worse not in self.values:
            return False
        own = next(iter(self.values.values()))
        return abs(own - self.values[better]) < abs(own - self.values[worse])

    def gain(self) -> int:
        """Lead over the main rival in tenths of a percent of the rival's value, rounded as texts print it."""
        rival = list(self.values.values())[1]
        return int(self.margins[0] * 1000 / rival + Fraction(1, 2))


def exact(printed: str) -> Fraction:
    """The number that a printed value begins with."""
    return Fraction(printed.partition(" ")[0])


def read(figure: Figure) -> Curve | Comparison:
    """A figure as it is printed."""
    if figure.x == "method":
        return Comparison({point.x: exact(point.y) for point in figure.points})
    return Curve(tuple(exact(point.y) for point in figure.points))


@dataclass
class Published:
    """Decides claims on papers by what is published.

    Attributes:
        corpus: The papers.
        world: Says which figures a paper has, printed or not, and what its nouns and attributes are.
        shared: Names of systems and data.
        categories, surnames: What claims about the record count.
    """

    corpus: Corpus
    world: World
    shared: Shared
    categories: Sequence[str]
    surnames: Sequence[str]

    @cached_property
    def figures(self) -> list[dict[int, Curve | Comparison]]:
        """The printed figures of each paper by number."""
        return [
            {figure.number: read(figure) for figure in figures_of(self.corpus.sections(row))}
            for row in range(self.corpus.n_papers)
        ]

    @cached_property
    def prints_all(self) -> list[bool]:
        """Whether a paper prints every figure that it has."""
        numbers = (self.world.facts.figures.kind > 0).sum(axis=1).tolist()
        return [len(printed) == number for printed, number in zip(self.figures, numbers, strict=True)]

    def holds(self, claim: Claim) -> list[bool | None]:
        """For each paper whether it satisfies a claim; None where what is published does not tell.

        Raises:
            KeyError: A kind of claims that documents alone do not decide.
        """
        kind, values = claim
        rule = RULES.get(kind)
        if rule is not None:
            return [rule(self, row, values) for row in range(self.corpus.n_papers)]
        return [STANDINGS[kind](self, row, values[0]) for row in range(self.corpus.n_papers)]

    def comparison(self, row: int) -> Comparison | None:
        """The printed table of a paper."""
        return next((one for one in self.figures[row].values() if isinstance(one, Comparison)), None)

    def year(self, row: int) -> int:
        """Year of a paper, 0 for none."""
        return int(self.corpus.date(row)[:4] or 0)

    def step(self, row: int, ladder: str) -> int:
        """Place of a paper's value on a ladder, -1 for none."""
        attribute, slugs = LADDERS[ladder]
        attributes = self.world.ontology.attributes
        at = next(place for place, entry in enumerate(attributes) if entry.id == attribute)
        value = int(self.world.facts.attributes[row, at])
        return slugs.index(attributes[at].values[value].id.split("/")[1]) if value >= 0 else -1


Rule = Callable[[Published, int, tuple[int, ...]], bool | None]


def dated(test: Callable[[int, int], bool]) -> Rule:
    """A claim on the year of a paper."""

    def rule(papers: Published, row: int, values: tuple[int, ...]) -> bool | None:
        year = papers.year(row)
        return test(year, values[0]) if year else None

    return rule


def drawn(test: Callable[[Curve | Comparison, tuple[int, ...]], bool]) -> Rule:
    """A claim that one of the figures meets."""

    def rule(papers: Published, row: int, values: tuple[int, ...]) -> bool | None:
        if any(test(figure, values) for figure in papers.figures[row].values()):
            return True
        return False if papers.prints_all[row] else None

    return rule


def ranked(papers: Published, row: int, values: tuple[int, ...]) -> bool | None:
    """A comparison in which the system of one paper does better than that of another."""
    better, worse = (papers.shared.system_name(other) for other in values)
    table = papers.comparison(row)
    if table is None:
        return False if papers.prints_all[row] else None
    return table.ranks(better, worse)


RULES: dict[str, Rule] = {
    "year": dated(lambda year, given: year == given),
    "since": dated(lambda year, given: year >= given),
    "before": dated(lambda year, given: year < given),
    "filed": lambda papers, row, values: papers.corpus.categories(row)[0] == papers.categories[values[0]],
    "listed": lambda papers, row, values: papers.categories[values[0]] in papers.corpus.categories(row),
    "author": lambda papers, row, values: any(
        name.split(" ")[-1] == papers.surnames[values[0]] for name in papers.corpus.authors(row)
    ),
    "authors": lambda papers, row, values: len(papers.corpus.authors(row)) == values[0],
    "monotone": drawn(lambda one, values: isinstance(one, Curve) and one.is_trend and one.falls == bool(values[0])),
    "turning": drawn(lambda one, values: isinstance(one, Curve) and not one.is_trend and one.falls == bool(values[0])),
    "shape": drawn(lambda one, values: SHAPES[values[0]] in one.shapes()),
    "order": ranked,
}


def other_than(test: Callable[[Published, int, int], bool | None]) -> Callable[[Published, int, int], bool | None]:
    """A relation in which no paper stands to itself."""
    return lambda papers, row, other: row != other and test(papers, row, other)


def steps(ladder: str, sign: int) -> Callable[[Published, int, int], bool | None]:
    """Being further up, or down, on a ladder."""

    def relation(papers: Published, row: int, other: int) -> bool:
        own, base = papers.step(row, ladder), papers.step(other, ladder)
        return min(own, base) >= 0 and (own > base if sign > 0 else own < base)

    return relation


def tables(amount: Callable[[Comparison], int], sign: int) -> Callable[[Published, int, int], bool | None]:
    """Having more, or less, of what the printed tables show."""

    def relation(papers: Published, row: int, other: int) -> bool | None:
        own, base = papers.comparison(row), papers.comparison(other)
        if own is None or base is None:
            return False if papers.prints_all[row] and papers.prints_all[other] else None
        return sign * (amount(own) - amount(base)) > 0

    return relation


def years(sign: int) -> Callable[[Published, int, int], bool | None]:
    """Being newer, or older."""

    def relation(papers: Published, row: int, other: int) -> bool | None:
        own, base = papers.year(row), papers.year(other)
        return sign * (own - base) > 0 if own and base else None

    return relation


STANDINGS: dict[str, Callable[[Published, int, int], bool | None]] = {
    **{name: steps(*step) for name, step in STEPS.items()},
    "wider-gain": tables(Comparison.gain, 1),
    "narrower-gain": tables(Comparison.gain, -1),
    "more-rivals": tables(lambda table: len(table.values), 1),
    "fewer-rivals": tables(lambda table: len(table.values), -1),
    "newer": years(1),
    "older": years(-1),
    "same-data": other_than(
        lambda papers, row, other: papers.shared.dataset_name(row) == papers.shared.dataset_name(other)
    ),
    "against": lambda papers, row, other: papers.shared.rival_name(row) == papers.shared.system_name(other),
    "coauthor": other_than(
        lambda papers, row, other: not set(papers.corpus.authors(row)).isdisjoint(papers.corpus.authors(other))
    ),
}
