"""Facts of the toy papers, which texts and gold follow from: subject, method, date, authors, citations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from .toy_topics import FAMILY_NAMES, GIVEN_NAMES, SHARED_METHODS, TOPICS, Problem, Topic

N_PAPERS = 300
N_PROBLEMS = sum(len(topic.problems) for topic in TOPICS)
FIRST_YEAR, N_MONTHS = 2016, 102

PLAIN, DUPLICATE, NUMBER_TITLE, OTHER_SCRIPT = "plain", "duplicate", "number title", "other script"

DUPLICATE_ROWS = (77, 147, 215, 284)
NUMBER_ROWS = (31, 98, 163, 229)
OTHER_SCRIPT_ROWS = (45, 91, 137, 183, 211, 277)
UNDATED_ROWS = (13, 46, 79, 112, 145, 178, 211, 244, 290)
NO_ABSTRACT_ROW = 150

Item = TypeVar("Item")


class Draws:
    """Integer draws that depend on the seed and on what they are for, and on nothing drawn before.

    Args:
        seed: Any integer.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def below(self, limit: int, *purpose: object) -> int:
        """Returns an integer in ``[0, limit)``."""
        key = "/".join(map(str, (self.seed, *purpose))).encode()
        return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") % limit

    def pick(self, items: Sequence[Item], *purpose: object) -> Item:
        """Returns one of the items."""
        return items[self.below(len(items), *purpose)]

    def sample(self, items: Sequence[Item], size: int, *purpose: object) -> list[Item]:
        """Returns up to ``size`` different items, shuffled."""
        order = sorted(range(len(items)), key=lambda i: (self.below(1 << 62, *purpose, i), i))
        return [items[i] for i in order[:size]]


@dataclass(frozen=True, slots=True)
class Facts:
    """One paper before it is put into words.

    Attributes:
        row: Row of the paper.
        kind: ``plain`` or one of the special kinds.
        number: Number of its problem, 0 … 47.
        topic: Its topic.
        problem: Its problem.
        method: The method it uses.
        date: ``YYYY-MM-DD``, ``YYYY-MM`` or ``""``.
        authors: Author names.
    """

    row: int
    kind: str
    number: int
    topic: Topic
    problem: Problem
    method: str
    date: str
    authors: tuple[str, ...]

    @property
    def id(self) -> str:
        """Identifier of the paper."""
        return f"toy:{self.row + 1:04d}"


def problem_of(number: int) -> tuple[Topic, Problem]:
    """Returns a problem and its topic by the problem's number."""
    topic = TOPICS[number % len(TOPICS)]
    return topic, topic.problems[number // len(TOPICS)]


def make_facts(draws: Draws) -> list[Facts]:
    """Returns the facts of all papers in row order."""
    facts: list[Facts] = []
    for row in range(N_PAPERS):
        number = draws.below(N_PROBLEMS, "problem", row) if row >= 6 * N_PROBLEMS else row % N_PROBLEMS
        topic, problem = problem_of(number)
        method = draws.pick(topic.methods + SHARED_METHODS, "method", row)
        if row in DUPLICATE_ROWS:  # the same text once more, one round of problems earlier
            method = facts[row - N_PROBLEMS].method
        facts.append(Facts(row, _kind(row), number, topic, problem, method, _date(draws, row), _authors(draws, row)))
    return facts


def make_references(draws: Draws, facts: Sequence[Facts], paper: Facts) -> tuple[str, ...]:
    """Returns the ids that a paper cites: earlier ones on its problem, then with its method, then in its topic."""
    if not paper.date:
        return ()
    earlier = [other for other in facts if other.date and other.date[:7] < paper.date[:7]]
    groups = (
        ([other for other in earlier if other.number == paper.number], 3),
        ([other for other in earlier if other.method == paper.method and other.number != paper.number], 2),
        ([other for other in earlier if other.topic is paper.topic and other.number != paper.number], 2),
    )
    cited: list[str] = []
    for place, (group, most) in enumerate(groups):
        size = draws.below(most + 1, "cites", paper.row, place)
        cited += [other.id for other in draws.sample(group, size, "cited", paper.row, place) if other.id not in cited]
    return tuple(cited)


def _kind(row: int) -> str:
    if row in DUPLICATE_ROWS:
        return DUPLICATE
    if row in NUMBER_ROWS:
        return NUMBER_TITLE
    return OTHER_SCRIPT if row in OTHER_SCRIPT_ROWS else PLAIN


def _date(draws: Draws, row: int) -> str:
    if row in UNDATED_ROWS:
        return ""
    years, month = divmod(draws.below(N_MONTHS, "month", row), 12)
    date = f"{FIRST_YEAR + years}-{month + 1:02d}"
    return date if draws.below(5, "short date", row) == 0 else f"{date}-{1 + draws.below(28, 'day', row):02d}"


def _authors(draws: Draws, row: int) -> tuple[str, ...]:
    size = 1 + draws.below(4, "authors", row)
    families = draws.sample(FAMILY_NAMES, size, "family", row)
    return tuple(f"{draws.pick(GIVEN_NAMES, 'given', row, i)} {family}" for i, family in enumerate(families))
