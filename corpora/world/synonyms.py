"""Sets of fixed words that may stand for one another (shared/synonyms.txt), and their use in the texts of frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .blocks import Block, fail
from .morphology import wants_an
from .registry import listed
from .templates import Choice, Literal, Node, Template


@dataclass(frozen=True)
class Synonyms:
    """The sets, by each of their members, and the pattern that finds members in a text."""

    sets: dict[str, tuple[str, ...]]
    pattern: re.Pattern[str] | None
    _opened: dict[str, tuple[Node, ...]] = field(default_factory=dict, repr=False, compare=False)

    def opened(self, template: Template) -> Template:
        """Turn every member of a set in the fixed words of a template into a choice of the set."""
        if self.pattern is None:
            return template
        nodes: list[Node] = []
        for node in template:
            if isinstance(node, Literal):
                nodes += self._opened.get(node.text) or self._open(node.text, self.pattern)
            else:
                nodes.append(node)
        return tuple(nodes)

    def _open(self, text: str, pattern: re.Pattern[str]) -> tuple[Node, ...]:
        """The same for fixed words; kept, since frames share many."""
        nodes: list[Node] = []
        end = 0
        for found in pattern.finditer(text):
            options = self._options(found[0], text[: found.start()])
            if len(options) > 1:
                nodes.append(Literal(text[end : found.start()]))
                nodes.append(Choice(tuple((Literal(option),) for option in options)))
                end = found.end()
        nodes.append(Literal(text[end:]))
        self._opened[text] = tuple(node for node in nodes if not (isinstance(node, Literal) and not node.text))
        return self._opened[text]

    def _options(self, word: str, before: str) -> tuple[str, ...]:
        """The set of a word; behind `a` or `an` those members that go with it."""
        options = self.sets[word]
        article = before.rstrip().rpartition(" ")[2]
        if article not in ("a", "an"):
            return options
        return tuple(option for option in options if wants_an(option) == (article == "an"))


def read_synonyms(block: Block) -> list[tuple[str, ...]]:
    """Read a `synonyms` block.

    Raises:
        CorpusFormatError: A set has fewer than two members.
    """
    sets = []
    for line in block.lines:
        members = listed(line.text, ";")
        if len(members) < 2:
            raise fail(
                line.where, f"'{line.text}'", "a set reads ' slug: one ; another ; …'", "add a member or drop it"
            )
        sets.append(members)
    return sets


def synonyms_of(sets: Sequence[tuple[str, ...]]) -> Synonyms:
    """Index sets by their members; the longest member goes first where several begin at a place."""
    by_member = {member: members for members in sets for member in members}
    if not by_member:
        return Synonyms({}, None)
    ordered = sorted(by_member, key=lambda member: (-len(member), member))
    return Synonyms(by_member, re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w-])"))
