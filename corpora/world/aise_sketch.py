"""What a question template makes: slots of the question, gold plan, the truth of each step, and the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholar_env.episode.aise.plan import Step
from scholar_env.graph.kg_ids import AUTHOR, ORG, PAPER, VENUE, entity_id
from scholar_env.graph.kg_names import folded

from .aise_census import Census
from .draws import Draw

KIND_OF = {
    "search_paper_id": PAPER, "search_paper_id_gs": PAPER, "search_paper_detail": PAPER, "search_author_id": AUTHOR,
    "search_author_detail": AUTHOR, "search_venue_id": VENUE, "search_venue_detail": VENUE, "search_org_id": ORG,
    "search_org_detail": ORG,
}  # fmt: skip
NAMESAKE, BY_ORG, IN_CHINESE = 35, 40, 80
"""Of authors that are asked about, namesakes; told apart by their organization; of topics in Chinese questions, those
by their Chinese name, all in percent."""


_marker = re.compile(r"\[(\d+)\]")


class Speaker:
    """Writes an answer with numbered references in the order of first mention.

    Args:
        census: The world.
        language: ``zh`` or ``en``.
    """

    def __init__(self, census: Census, language: str) -> None:
        self.census, self.language = census, language
        self.numbers: dict[tuple[str, int], int] = {}

    def say(self, zh: str, en: str) -> str:
        """The text in the answer's language."""
        return zh if self.language == "zh" else en

    def cite(self, kind: str, row: int) -> str:
        """The name of an entity with its marker."""
        number = self.numbers.setdefault((kind, row), len(self.numbers) + 1)
        return f"{self.name(kind, row)}[{number}]"

    def name(self, kind: str, row: int) -> str:
        """The name of an entity, a paper's title in quotation marks."""
        tables = self.census.tables
        if kind == PAPER:
            title = tables.papers.titles[row]
            return self.say(f"《{title}》", f'"{title}"')
        names = {AUTHOR: tables.authors.names, VENUE: tables.venues.names, ORG: tables.orgs.names}
        return names[kind][row]

    def joined(self, words: Sequence[str]) -> str:
        """Words with the commas of the language between them."""
        return self.say("、", ", ").join(words)

    def listing(self, kind: str, rows: Sequence[int], note: Callable[[int], str] = lambda row: "") -> str:
        """A list of entities, each with its marker and perhaps a note in brackets."""
        parts = []
        for row in rows:
            text = note(row)
            parts.append(self.cite(kind, row) + (self.say(f"（{text}）", f" ({text})") if text else ""))
        return self.joined(parts)

    def finished(self, answer: str) -> tuple[str, list[tuple[str, int]]]:
        """An answer with its markers numbered in the order of first mention, and the entities in that order."""
        order = list(dict.fromkeys(int(number) for number in _marker.findall(answer)))
        new = {number: place + 1 for place, number in enumerate(order)}
        by_number = {number: entity for entity, number in self.numbers.items()}
        text = _marker.sub(lambda match: f"[{new[int(match[1])]}]", answer)
        return text, [by_number[number] for number in order]


def id_of(census: Census, kind: str, row: int) -> str:
    """The id of an entity."""
    tables = census.tables
    keys = {
        PAPER: tables.papers.keys, AUTHOR: tables.authors.keys, VENUE: tables.venues.keys, ORG: tables.orgs.keys
    }[kind]  # fmt: skip
    return entity_id(tables.namespace, kind, keys[row])


@dataclass(frozen=True)
class Sketch:
    """A question that is not worded yet.

    Attributes:
        frame: Key of its frames.
        slots: What the frames are filled with.
        plan: The gold plan.
        truth: By step: the rows that its result must list, in that order where ``ordered`` has the step.
        answer: Writes the answer.
        facts: What the answer must say, as it says it.
        subfield: The subfield that it is about.
        ordered: Steps whose results have an order.
        among: By step: rows that its result must list among others.
    """

    frame: str
    slots: Mapping[str, str]
    plan: tuple[Step, ...]
    truth: Mapping[str, Sequence[int]]
    answer: Callable[[Speaker], str]
    facts: tuple[str, ...]
    subfield: int
    ordered: frozenset[str] = frozenset()
    among: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Who:
    """An author as a question mentions them.

    Attributes:
        row: The author.
        name: Their name as the question writes it.
        slot: Name of the frames that join it with what tells them apart: ``who/topic`` or ``who/org``.
        hint: The topic or organization, as the question writes it.
        params: Parameters that find this author and no other.
    """

    row: int
    name: str
    slot: str
    hint: str
    params: dict[str, Any]


@dataclass
class Asking:
    """One attempt at a question: the world, the language, and integers to draw from."""

    census: Census
    language: str
    draw: Draw

    def choose(self, options: Sequence[Any]) -> Any:
        """Draw one of a list that is not empty."""
        return options[self.draw.below(len(options))]

    def topic_text(self, topic: str) -> str:
        """A topic as the question writes it."""
        chinese = self.census.chinese(topic)
        if self.language != "zh" or not chinese:
            return topic
        return chinese if self.draw.percent(IN_CHINESE) or topic[0].isupper() else topic

    def org_text(self, org: int) -> str:
        """An organization as the question writes it."""
        native = self.census.tables.orgs.native[org]
        return native if self.language == "zh" and is_chinese(native) else self.census.tables.orgs.names[org]

    def name_text(self, author: int) -> str:
        """An author as the question writes them."""
        native = self.census.tables.authors.native[author]
        return native if self.language == "zh" and is_chinese(native) else self.census.tables.authors.names[author]

    def nation_text(self, nation: str, chinese: Mapping[str, str]) -> str:
        """A country as the question writes it."""
        return chinese.get(nation, nation) if self.language == "zh" else nation

    def author(self) -> int:
        """Draw an author, often one who shares a name."""
        namesakes = self.census.namesakes
        if len(namesakes) and self.draw.percent(NAMESAKE):
            return int(namesakes[self.draw.below(len(namesakes))])
        return self.draw.below(len(self.census.tables.authors.names))

    def who(self, row: int | None = None) -> Who | None:
        """An author and what tells them from all others; None where that does not."""
        census, authors = self.census, self.census.tables.authors
        row = self.author() if row is None else row
        name = self.name_text(row)
        called = census.by_name[folded(name)]
        if self.draw.percent(BY_ORG):
            org = int(authors.org[row])
            if called & census.by_org[org] != {row}:
                return None
            return Who(row, name, "who/org", self.org_text(org), {"name": name, "org": census.tables.orgs.names[org]})
        topic = self.choose(authors.interests[row])
        if called & census.by_topic[topic] != {row}:
            return None
        return Who(row, name, "who/topic", self.topic_text(topic), {"name": name, "interest": [topic]})

    def field_of(self, author: int) -> int:
        """Home subfield of an author."""
        return int(self.census.world.facts.people.author_field[author])


def is_chinese(text: str) -> bool:
    """Whether a text is written in Chinese characters alone."""
    return bool(text) and all("\u4e00" <= sign <= "\u9fff" for sign in text)


def author_slots(who: Who) -> dict[str, str]:
    """Slots of an author: ``name``, ``hint``, and in ``who`` the key of the frames that join them."""
    return {"name": who.name, "hint": who.hint, "who": who.slot}
