"""The sentences that paragraphs of the full text are put together from."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from ..blocks import Where
from ..ontology import Ontology
from ..templates import parse
from .clause import Parts
from .realize import Compiler, roles_of
from .shapes import NAMED_BIT

CLASS = "say-"
"""What the class of a paragraph's sentences begins with; the proposition follows."""

OWN_ONLY = ("math",)
"""Groups that take none of the shared sentences."""

OWN_WEIGHT = 2
"""A group's own sentence is drawn as often as so many shared ones."""

NAMES = frozenset(NAMED_BIT) - frozenset(("P", "M", "O"))


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a paragraph, compiled.

    Attributes:
        id: Its id.
        parts: The sentence.
        named: It speaks of the paper's method, its rival or its data.
    """

    id: str
    parts: Parts
    named: bool


class Passages:
    """The sentences of paragraphs, by group and proposition, letter by letter.

    Args:
        ontology: The ontology.
    """

    def __init__(self, ontology: Ontology) -> None:
        compiler = Compiler(ontology)
        self._lines: dict[tuple[str, str], tuple[tuple[Line, ...], ...]] = {}
        entries = []
        for entry in ontology.phrases:
            if entry.kind == "phrases" and entry.cls.startswith(CLASS):
                template = parse(entry.text, Where(entry.where.file, entry.where.line))
                named = not NAMES.isdisjoint(roles_of(template))
                entries.append((entry, Line(entry.id, compiler.compile(template), named)))
        for group in sorted({subfield.group for subfield in ontology.subfields}):
            for cls in sorted({entry.cls for entry, _ in entries}):
                own = [(entry, line) for entry, line in entries if entry.cls == cls and entry.group == group]
                common = [(entry, line) for entry, line in entries if entry.cls == cls and entry.group == "any"]
                chosen = own if group in OWN_ONLY else [*common, *own * OWN_WEIGHT]
                chosen.sort(key=lambda pair: (letter_of(pair[0].id), pair[0].id))
                self._lines[group, cls.removeprefix(CLASS)] = tuple(
                    tuple(line for _, line in same)
                    for _, same in itertools.groupby(chosen, lambda pair: letter_of(pair[0].id))
                )

    def of(self, group: str, prop: str) -> tuple[tuple[Line, ...], ...]:
        """Sentences of a proposition: one tuple for each letter."""
        return self._lines.get((group, prop), ())


def letter_of(name: str) -> str:
    """The letter of a sentence's key: "any/phrases/say-cause/b3" is of letter b."""
    return name.rpartition("/")[2][0]
