"""What a paper's text says of its facts, sentence by sentence: the passages that support a claim."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator

from scholar_env.construction.records import Passage

from .complit_columns import Terms
from .facts import CAST
from .render.rendered import ABSTRACT, BODY, TITLE, Rendered
from .render.renderer import Renderer
from .world import World

NAMES = {TITLE: "title", ABSTRACT: "abstract"}
KEPT = 512
"""Papers whose texts are kept."""


class Reading:
    """A paper, read.

    Args:
        row: The paper.
        rendered: Its text and what that states.
    """

    def __init__(self, row: int, rendered: Rendered) -> None:
        self.row, self.rendered = row, rendered
        self._found: dict[int, list[tuple[int, Passage]]] = {}
        for statement in rendered.statements:
            place = NAMES.get(statement.place) or rendered.sections[statement.place - BODY].title
            text = rendered.text_of(statement.place)[statement.start : statement.end]
            self._found.setdefault(statement.fact, []).append((statement.level, Passage(place, text)))

    def levels(self, fact: int) -> frozenset[int]:
        """Levels at which the text states a fact; empty where it is silent."""
        return frozenset(level for level, _ in self._found.get(fact, ()))

    def passages(self, fact: int, level: int = 0) -> list[Passage]:
        """Sentences that state a fact, title first, at one level or at any (0)."""
        return [passage for said, passage in self._found.get(fact, ()) if level in (0, said)]

    def in_lead(self, fact: int) -> bool:
        """Whether title or abstract state a fact."""
        return any(passage.place in NAMES.values() for passage in self.passages(fact))

    def exhibit(self, figure: int) -> list[Passage]:
        """What the text shows of a figure: its caption with the values, a table's among them.

        Args:
            figure: Its number in the text, from 1.
        """
        caption = re.compile(rf"Figure {figure}: [^\n]*?\.(?= [A-Z]|\n|$)(?: Table \d+: [^\n]*?\.(?= [A-Z]|\n|$))?")
        for section in self.rendered.sections:
            found = caption.search(section.text)
            if found is not None:
                return [Passage(section.title, found.group())]
        return []


class Readings:
    """Reads papers of a world, and keeps those read last.

    Args:
        world: The world.
        terms: Numbers of nouns.
    """

    def __init__(self, world: World, terms: Terms) -> None:
        self._renderer = Renderer(world.ontology, world.spec, world.facts)
        self.shared = self._renderer.shared
        self._cast, self._terms = world.facts.cast, terms
        self._kept: OrderedDict[int, Reading] = OrderedDict()

    def of(self, row: int) -> Reading:
        """A paper, read."""
        found = self._kept.get(row)
        if found is None:
            found = self._kept[row] = Reading(row, self._renderer.paper(row))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(row)
        return found

    def noun_passages(self, row: int, noun: int) -> Iterator[Passage]:
        """Sentences of a paper that mention a noun in one of the parts that it plays there, by its full wording."""
        reading = self.of(row)
        for place, part in enumerate(CAST):
            if int(self._terms.nouns[row, place]) != noun:
                continue
            entry = self.shared.words[self.shared.subfield[row]].subfield.nouns[int(self._cast[row, place])]
            texts = [text.lower() for text in (entry.singular, entry.plural) if text]
            for passage in reading.passages(self.shared.fact_codes[part]):
                if any(text in passage.text.lower() for text in texts):
                    yield passage
