"""What all papers of a world share while they are rendered: compiled frames, words, plans, and the facts as lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from scholar_env.graph.passages import citation_mark

from ..facts import CAST, FIGURE_KINDS, Facts
from ..names import Names
from ..ontology import Ontology
from ..spec import WorldSpec
from ..streams import Blocks
from ..terms import Evidence, Form, Order
from .clause import Parts
from .columns import Rows, column
from .exhibits import Exhibits, number_text, plotted, tenths
from .passages import Passages
from .plans import Plans
from .pools import pools_of
from .realize import Compiler
from .words import Words

EXPLICIT, PARAPHRASED, INFERRED = 1, 2, 3
"""Levels of what is said of an attribute."""

MAX_COUNT = 30_000
"""A larger count of units is not printed: there are no million calendar months."""

FACTS = ("P", "M", "O", *CAST, "system", "dataset", "baseline", "figure0", "figure1")
"""Facts that a text may state; the attributes follow in the ontology's order."""


PLOTS = {"trend": "trend", "ordering": "comparison"}
"""Kinds of figures and the propositions whose numbers they show."""


@dataclass(frozen=True)
class EvidenceParts:
    """An evidence set, compiled: its halves, and the values that it contradicts."""

    halves: tuple[Parts, ...]
    excludes: frozenset[str]


@dataclass(frozen=True)
class ValueParts:
    """A value's clauses, compiled, as far as the group and the world may use them."""

    id: str
    explicit: tuple[Parts, ...]
    paraphrased: tuple[Parts, ...]
    evidence: tuple[EvidenceParts, ...]


class Shared:
    """See the module.

    Args:
        ontology: The ontology.
        spec: The world.
        facts: Its facts.
    """

    def __init__(self, ontology: Ontology, spec: WorldSpec, facts: Facts) -> None:
        self.ontology = ontology
        self.spec = spec
        self.facts = facts
        self.names = Names(spec.seed, train=spec.train)
        self.pools = pools_of(ontology)
        self.plans = Plans(ontology)
        self.exhibits = Exhibits(ontology)
        self.passages = Passages(ontology)
        by_id = {subfield.id: subfield for subfield in ontology.subfields}
        self.words = [Words(ontology, by_id[name], train=spec.train) for name in facts.subfields]
        self.fact_codes = {name: code for code, name in enumerate(FACTS)}
        for attribute in ontology.attributes:
            self.fact_codes[attribute.id] = len(self.fact_codes)
        compiler = Compiler(ontology)
        self._compiled: dict[int, Parts] = {}
        groups = sorted({words.group for words in self.words})
        self.values = {group: self._values(group, compiler) for group in groups}
        self.subfield: list[int] = facts.subfield.tolist()
        self.concepts: list[tuple[int, int, int]] = list(
            zip(facts.problem.tolist(), facts.method.tolist(), facts.object.tolist(), strict=True)
        )
        self.cast = facts.cast.tolist()
        self.attributes = facts.attributes.tolist()
        self.line = column(facts.line)
        self.name = column(facts.name)
        self.year = column(facts.month // 12)
        self.starts = column(facts.graph.starts)
        self.author_starts = column(facts.people.paper_starts)
        self.targets = column(facts.graph.targets)
        self.sentiments = column(facts.graph.sentiment)
        self.paragraphs = column(facts.graph.paragraph)
        self.digits = column(facts.digits)
        self.survey = column(facts.survey)
        self.figure_kind = Rows(facts.figures.kind)
        self.figure_y = Rows(facts.figures.y)
        self.figure_x = Rows(facts.figures.x)
        self.figure_series = Rows(facts.figures.series)
        self.figure_grid = Rows(facts.figures.grid)
        self.first_attribute = self.fact_codes[ontology.attributes[0].id]
        self.size_attribute = next(
            (place for place, attribute in enumerate(ontology.attributes) if attribute.id == "size"), -1
        )
        self.attribute_moves = [frozenset(attribute.moves) for attribute in ontology.attributes]
        self.attribute_labels = [attribute.labels for attribute in ontology.attributes]
        self._order = column(facts.order)
        self._baseline = column(facts.baseline)
        self._rival = column(facts.rival)
        self._dataset = column(facts.dataset)
        self._gain = column(facts.gain)
        self._share = column(facts.share)
        self._count = column(facts.count)
        self._level = column(facts.level)
        self._line_keys = Blocks(spec.seed, "dialect")
        self._systems: dict[int, str] = {}
        self._rivals: dict[int, str] = {}
        self._datasets: dict[int, str] = {}
        self._cited: dict[int, str] = {}
        self._printed: dict[int, str] = {}
        self._line_draws: dict[int, list[int]] = {}
        self.title_of: Callable[[int], str] = str

    def _values(self, group: str, compiler: Compiler) -> list[list[ValueParts]]:
        return [
            [
                ValueParts(
                    value.id,
                    self._clauses(value.explicit, group, compiler),
                    self._clauses(value.paraphrased, group, compiler),
                    tuple(
                        EvidenceParts(
                            tuple(self._parts(half, compiler) for half in entry.halves), frozenset(entry.excludes)
                        )
                        for entry in value.evidence
                        if self._usable(entry, group)
                    ),
                )
                for value in attribute.values
            ]
            for attribute in self.ontology.attributes
        ]

    def _clauses(self, forms: tuple[Form, ...], group: str, compiler: Compiler) -> tuple[Parts, ...]:
        return tuple(self._parts(form, compiler) for form in forms if self._usable(form, group))

    def _parts(self, form: Form, compiler: Compiler) -> Parts:
        """Compile a form, once for all groups."""
        found = self._compiled.get(id(form))
        if found is None:
            found = self._compiled[id(form)] = compiler.compile(form.template)
        return found

    def _usable(self, entry: Form | Evidence, group: str) -> bool:
        return not (entry.heldout and self.spec.train) and (not entry.groups or group in entry.groups)

    def order(self, row: int) -> Order:
        """The paper's order of moves."""
        return self.ontology.orders[self._order[row]]

    def system_name(self, row: int) -> str:
        """The name of what a paper proposes."""
        found = self._systems.get(row)
        if found is None:
            group = self.words[self.subfield[row]].group
            found = self._systems[row] = self.names.system(self.name[row], group)
        return found

    def rival_name(self, row: int) -> str:
        """The name of what it is compared with."""
        baseline = self._baseline[row]
        if baseline >= 0:
            return self.system_name(baseline)
        number = self._rival[row]
        found = self._rivals.get(number)
        if found is None:
            found = self._rivals[number] = self.names.system(number, self.words[self.subfield[row]].group)
        return found

    def dataset_name(self, row: int) -> str:
        """The name of its data."""
        found = self._datasets.get(self._dataset[row])
        if found is None:
            name = self.names.dataset(self._dataset[row], self.words[self.subfield[row]].group)
            found = self._datasets[self._dataset[row]] = name
        return found

    def numbers(self, row: int) -> dict[str, str]:
        """The numbers that a paper's clauses may quote."""
        noun = self.words[self.subfield[row]].subfield.nouns[self.cast[row][CAST.index("second")]]
        numbers = {
            "gain": f"{tenths(self._gain[row])} percent",
            "share": f"{self._share[row]} percent",
        }
        if self._count[row] <= MAX_COUNT:
            numbers["count"] = f"{self._count[row]:,}"
        if noun.span is not None:
            numbers["level"] = number_text(self._level[row], noun)
        return numbers

    def other_numbers(self, row: int, prop: str, variant: int) -> dict[str, str]:
        """Numbers of a further finding: the second comparison of a paper, and how well a model agrees with data."""
        if prop == "agreement":
            return {"share": f"{75 + self._share[row] * 23 // 100} percent"}
        if variant % 2:
            return {"gain": f"{tenths(12 + (self._gain[row] * 37 + 91) % 236)} percent"}
        return {}

    def curve_numbers(self, row: int, prop: str) -> dict[str, str]:
        """Numbers of the figure that shows a proposition, empty where a paper has none: of a trend or a comparison."""
        for place, kind in enumerate(self.figure_kind[row]):
            if PLOTS.get(FIGURE_KINDS[kind]) != prop:
                continue
            nouns = self.words[self.subfield[row]].subfield.nouns
            x = self.figure_x[row][place]
            series = [value for value in self.figure_series[row][place] if value >= 0]
            y = nouns[self.figure_y[row][place]]
            facts = plotted(FIGURE_KINDS[kind], y, nouns[x] if x >= 0 else None, series, self.figure_grid[row][place])
            return {"own": facts["first"], "other": facts["last"]} if x < 0 else facts
        return {}

    def line_draw(self, row: int, place: int) -> int:
        """A 16-bit draw that the papers of a line share, for each kind of concept."""
        line = self.line[row]
        found = self._line_draws.get(line)
        if found is None:
            found = self._line_draws[line] = self._line_keys.raw(line, 4)
        return found[place] >> 16

    def references(self, row: int) -> list[int]:
        """Rows of the papers that a paper cites, in the order of the text."""
        return cast("list[int]", self.facts.graph.targets[self.starts[row] : self.starts[row + 1]].tolist())

    def table_columns(self, row: int) -> list[int]:
        """The attributes that a survey's table compares."""
        return [place for place, value in enumerate(self.attributes[row]) if value >= 0]

    def authors(self, row: int) -> list[str]:
        """Full names of a paper's authors."""
        people = self.facts.people
        rows = people.paper_authors[self.author_starts[row] : self.author_starts[row + 1]].tolist()
        return [people.author_names[author] for author in rows]

    def cited(self, row: int) -> str:
        """How a text names a paper that it cites: Lindqvist and Mora (2014)."""
        found = self._cited.get(row)
        if found is None:
            found = self._cited[row] = citation_mark(self.authors(row), self.year[row])
        return found

    def reference(self, row: int) -> str:
        """A paper as a list of references prints it."""
        found = self._printed.get(row)
        if found is None:
            authors = self.authors(row)
            who = f"{authors[0]} et al." if len(authors) > 3 else ", ".join(authors)
            found = self._printed[row] = f"{who}. {self.title_of(row)}. {self.year[row]}."
        return found
