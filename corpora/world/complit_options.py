"""What can be asked of a paper: every claim that it satisfies and that its text, figures or record support.

Each option knows at which level the text supports it. An attribute is explicit, paraphrased or inferred as the renderer
said it; as it is worded, an explicit one may turn out paraphrased (`complit_evidence.supported_level`). A concept is
explicit in a wording that a sentence on it has, paraphrased in a wording that none has, inferred where it is only
described by what it is for and no sentence does that. What takes several points of a series, or another paper's value,
is inferred.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .complit_classes import BY_NAME, RELATIONS, SHAPES
from .complit_columns import Claim, Columns
from .complit_reading import Readings
from .complit_values import RECORD
from .facts import CAST, FIGURE_KINDS
from .predicates import CONCEPTS, rivals_of
from .query_classes import NOUN_FACETS
from .render.words import FUNCTION, NAME, PARAPHRASE, Surface
from .world import World

EXPLICIT, PARAPHRASED, INFERRED = "explicit", "paraphrased", "inferred"
LEVEL_OF_BIT = {1: EXPLICIT, 2: PARAPHRASED, 3: INFERRED}
FACET_OF_PART = {part: facet for facet, parts in NOUN_FACETS.items() for part in parts}


@dataclass(frozen=True)
class Option:
    """A claim that may become a constraint.

    Attributes:
        claim: The claim.
        family: What kind of claim it is, for plans and wordings.
        source: content, figural, metadata or comparative.
        level: explicit, paraphrased, inferred; "" for metadata.
        topic: Of two options with the same topic a query holds one.
        surface: Wording of a concept.
        facet: Of a noun, key of `query_classes.NOUN_FACETS`.
        figure: Number of the figure in the text, 0 for none.
        papers: The papers that satisfy the claim, as a bit set.
    """

    claim: Claim
    family: str
    source: str
    level: str
    topic: str
    surface: Surface | None = None
    facet: str = ""
    figure: int = 0
    papers: int = 0


class Options:
    """Derives the options of papers.

    Args:
        world: The world.
        columns: Its claims.
        readings: Its texts.
    """

    def __init__(self, world: World, columns: Columns, readings: Readings) -> None:
        self._facts, self._columns, self._readings = world.facts, columns, readings
        self._lead = world.statements.lead
        self._said = self._lead | world.statements.body
        self._code = {name: place for place, name in enumerate(world.statements.codes)}
        self._attributes = {attribute.id: place for place, attribute in enumerate(world.ontology.attributes)}
        self._rivals = rivals_of(world.facts)

    def of(self, row: int, others: tuple[int, ...] = ()) -> list[Option]:
        """All options of a paper.

        Args:
            row: The paper.
            others: Rows of papers that it may be compared with.
        """
        found = (
            *self.concepts(row),
            *self.nouns(row),
            *self.names(row),
            *self.attributes(row),
            *self.figures(row),
            *self.record(row),
            *(option for other in others for option in self.relations(row, other)),
        )
        return [replace(option, papers=self._columns.bits(option.claim)) for option in found]

    def concepts(self, row: int) -> Iterator[Option]:
        """Problem, method and object, in each wording that the world may use."""
        reading = self._readings.of(row)
        shared = self._readings.shared
        words = shared.words[shared.subfield[row]]
        for place, letter in enumerate(CONCEPTS):
            sentences = [passage.text.lower() for passage in reading.passages(place)]
            if not sentences:
                continue
            described = FUNCTION in reading.levels(place)
            surfaces = words.concepts[shared.concepts[row][place]].surfaces
            claim = Claim(letter, (int(self._columns.terms.concepts[row, place]),))
            for level in (NAME, PARAPHRASE, FUNCTION):
                for surface in surfaces[level]:
                    if surface.level != level:
                        continue  # a training world has no wording of its own here
                    found = any(surface.text.lower() in sentence for sentence in sentences)
                    how = EXPLICIT if found else INFERRED if level == FUNCTION and not described else PARAPHRASED
                    yield Option(claim, letter, "content", how, letter, surface)

    def nouns(self, row: int) -> Iterator[Option]:
        """Nouns of the cast that title or abstract mention."""
        for place, part in enumerate(CAST):
            noun = int(self._columns.terms.nouns[row, place])
            facet = FACET_OF_PART.get(part)
            if noun >= 0 and facet and self._lead[row, self._code[part]]:
                yield Option(Claim("noun", (noun,)), "noun", "content", EXPLICIT, f"noun-{noun}", facet=facet)

    def names(self, row: int) -> Iterator[Option]:
        """The data and the rival, by name."""
        for name, value in (("dataset", self._facts.dataset[row]), ("baseline", self._rivals[row])):
            if self._said[row, self._code[name]]:
                yield Option(Claim(name, (int(value),)), name, "content", EXPLICIT, name)

    def attributes(self, row: int) -> Iterator[Option]:
        """Attributes that the text states, by the plainest level at which it does."""
        for name, place in self._attributes.items():
            value, said = int(self._facts.attributes[row, place]), int(self._said[row, self._code[name]])
            level = next((how for bit, how in LEVEL_OF_BIT.items() if said >> bit & 1), "")
            if value >= 0 and level:
                yield Option(Claim(name, (value,)), "attribute", "content", level, name)

    def unsaid(self, row: int) -> list[str]:
        """Attributes that a paper has and of which its text says nothing."""
        return [
            name
            for name, place in self._attributes.items()
            if self._facts.attributes[row, place] >= 0 and not self._said[row, self._code[name]]
        ]

    def figures(self, row: int) -> Iterator[Option]:
        """What the figures of a paper show."""
        figures, shapes, terms = self._facts.figures, self._columns.shapes, self._columns.terms
        for place in range(figures.kind.shape[1]):
            kind = FIGURE_KINDS[int(figures.kind[row, place])]
            if not kind or not self._said[row, self._code[f"figure{place}"]]:
                continue
            number = place + 1
            falls = int(shapes.falls[row, place])
            if kind == "ordering":
                ranking = [paper for paper in shapes.ranking(row, place) if paper != row]
                for better in range(len(ranking) - 1):
                    claim = Claim("order", (ranking[better], ranking[better + 1]))
                    yield Option(claim, "order", "figural", INFERRED, f"figure{number}", figure=number)
            else:
                y, x = int(terms.y[row, place]), int(terms.x[row, place])
                for claim in (Claim(kind, (y, x, falls)), Claim(kind, (y, -1, falls))):
                    yield Option(claim, "drawn", "figural", EXPLICIT, f"figure{number}", figure=number)
                claim = Claim("monotone" if kind == "trend" else "turning", (falls,))
                yield Option(claim, "curve", "figural", PARAPHRASED, f"figure{number}", figure=number)
        for at, shape in enumerate(SHAPES):
            place = shapes.figure(row, at)
            if place >= 0 and self._said[row, self._code[f"figure{place}"]]:
                claim, topic = Claim("shape", (at,)), f"shape{place + 1}"
                yield Option(claim, "shape", "figural", INFERRED, topic, facet=shape, figure=place + 1)

    def record(self, row: int) -> Iterator[Option]:
        """What the bibliographic record says."""
        columns = self._columns
        if self._facts.day[row] >= 0:
            year = int(self._facts.month[row]) // 12
            for kind, bound in (("year", year), ("since", year - year % 3), ("before", year + 1 + (2 - year % 3))):
                yield Option(Claim(kind, (bound,)), kind, "metadata", "", "year")
        main, *rest = (columns.categories.index(name) for name in self._facts.categories[row])
        yield Option(Claim("filed", (main,)), "filed", "metadata", "", "category")
        for name in rest:
            yield Option(Claim("listed", (name,)), "listed", "metadata", "", "category")
        authors = columns.authors_of(row)
        yield Option(Claim("authors", (len(authors),)), "authors", "metadata", "", "authors")
        for author in authors:
            yield Option(Claim("author", (author,)), "author", "metadata", "", "author")

    def relations(self, row: int, other: int) -> Iterator[Option]:
        """What a paper has more or less of than another one, or in common with it, where both tell."""
        for relation in RELATIONS:
            claim = Claim(relation.name, (other,))
            if not self._columns.holds(row, claim):
                continue
            if relation.by in RECORD:
                if relation.by == "author":
                    yield Option(claim, "coauthor", "comparative", INFERRED, relation.by)
                elif min(self._facts.day[row], self._facts.day[other]) >= 0:
                    yield Option(claim, "dated", "comparative", INFERRED, relation.by)
            elif all(self._tells(paper, relation.by) for paper in (row, other)):
                yield Option(claim, "relation", "comparative", INFERRED, relation.by)

    def figure_of(self, row: int, by: str) -> int:
        """Number of the figure that shows what is compared, 0 where sentences tell."""
        if by not in ("gain", "rivals"):
            return 0
        place = np.flatnonzero(self._facts.figures.kind[row] == FIGURE_KINDS.index("ordering"))
        return int(place[0]) + 1 if len(place) else 0

    def _tells(self, row: int, by: str) -> bool:
        """Whether a paper's text tells what is compared."""
        if by in ("gain", "rivals"):
            number = self.figure_of(row, by)
            return number > 0 and bool(self._said[row, self._code[f"figure{number - 1}"]])
        names = {"dataset": ("dataset",), "baseline": ("baseline", "system")}.get(by, (by,))
        return all(self._said[row, self._code[name]] for name in names)


def related(option: Option) -> int | None:
    """Row of the paper that an option compares with."""
    return option.claim.values[0] if option.claim.kind in BY_NAME else None
