"""Renders the papers of a world, each from the facts alone, in any order."""

from __future__ import annotations

from ..facts import Facts
from ..memory import collection_paused
from ..ontology import Ontology
from ..spec import WorldSpec
from ..streams import Blocks
from .clause import SENTENCES, STRIDE
from .document import render, title_of
from .narrator import Narrator
from .rendered import Rendered
from .shared import Shared


class Renderer:
    """Renders papers.

    Args:
        ontology: The ontology.
        spec: The world.
        facts: Its facts.
    """

    def __init__(self, ontology: Ontology, spec: WorldSpec, facts: Facts) -> None:
        with collection_paused():
            self.shared = Shared(ontology, spec, facts)
        self._blocks = Blocks(spec.seed, "text")
        self._titles: dict[int, str] = {}
        self._copies = facts.copy_of.tolist()
        self.shared.title_of = self.title

    def paper(self, row: int) -> Rendered:
        """Render a paper; one that repeats another has the other's text."""
        origin = self._copies[row]
        source = row if origin < 0 else origin
        rendered = render(self.shared, source, self._draws(source))
        self._titles[row] = rendered.title
        return rendered

    def title(self, row: int) -> str:
        """A paper's title."""
        found = self._titles.get(row)
        if found is None:
            origin = self._copies[row]
            source = row if origin < 0 else origin
            narrator = Narrator(self.shared, source, self._blocks.raw(source, 4 * STRIDE))
            found = self._titles[row] = title_of(self.shared, narrator).text
        return found

    def _draws(self, row: int) -> list[int]:
        return self._blocks.raw(row, (SENTENCES + 2) * STRIDE)
