"""Assessors: who decides which papers of a page to keep when the agent does not.

An assessor is a deterministic callable that sees the question, the subquery, the planner's checklist and one page, and
nothing else; only :class:`OracleAssessor` is built with the gold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from scholar_env.episode.trace import RecordedAssessment
from scholar_env.named import load_named, require_callable

WORDS: Final = re.compile(r"[^\W_]{3,}")
STOP_WORDS: Final = frozenset(
    (
        "and", "the", "for", "with", "that", "this", "from", "are", "was", "were", "have", "has", "had",
        "not", "but", "what", "which", "who", "whom", "how", "when", "where", "why", "can", "could", "does",
        "into", "than", "then", "them", "they", "their", "there", "these", "those", "its", "our", "your",
        "you", "any", "all", "such", "more", "most", "some", "using", "used", "use", "based", "via", "about",
        "between", "papers", "paper", "work", "works", "study", "studies", "research", "find", "show", "give",
        "propose", "proposed", "methods", "method", "approach",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """One paper of a page, as an assessor sees it.

    Attributes:
        id: Paper id.
        score: Score of the retriever.
        date: Its date, or ``""``.
        title: Its title.
        abstract: Its abstract; ``""`` once it was browsed.
        summary: What the browser said, in place of the abstract; ``""`` before.
    """

    id: str
    score: float
    date: str
    title: str
    abstract: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What an assessor decides about one page.

    Attributes:
        selected: Ids to keep; ids that are not on the page are passed over.
        to_browse: Goal by id of papers to read before the final decision (REFRESH and INCREMENTAL only).
        overview: Remark for the planner.
    """

    selected: tuple[str, ...] = ()
    to_browse: dict[str, str] = field(default_factory=dict)
    overview: str = ""


class Assessor(Protocol):
    """Decides about one page, deterministically."""

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        """Returns what to keep of the page."""
        ...


class BrowseDecider(Protocol):
    """An assessor that also decides, under PRE_ENRICH, what to read before the only selection."""

    def decide(self, question: str, subquery: str, checklist: str, candidate: Candidate) -> str:
        """Returns the goal of reading this paper, or ``""`` for not reading it."""
        ...


class OracleAssessor:
    """Keeps exactly the gold papers of a page; marks the run as assisted."""

    def __init__(self, gold: Collection[str]) -> None:
        self._gold = frozenset(gold)

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        """Returns the page's gold papers."""
        kept = tuple(candidate.id for candidate in page if candidate.id in self._gold)
        return Assessment(kept, {}, f"{len(kept)} of {len(page)} papers kept")


def terms(text: str) -> frozenset[str]:
    """Returns the distinct lower-case words of three letters or more that are no stop words."""
    return frozenset(WORDS.findall(text.lower())) - STOP_WORDS


@dataclass(frozen=True, slots=True)
class LexicalAssessor:
    """Keeps papers that share enough words with the subquery and the question.

    A paper is kept when its title and text hold at least ``min_subquery`` of the subquery's terms and at least
    ``min_question`` of the question's (a side without terms asks nothing). Terms are distinct words of three letters or
    more without stop words.

    Attributes:
        min_subquery: Share in [0, 1].
        min_question: Share in [0, 1].
    """

    min_subquery: float = 0.6
    min_question: float = 0.3

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        """Returns the papers above both shares."""
        wanted_here, wanted_in_all = terms(subquery), terms(question)
        kept = []
        for candidate in page:
            found = set(WORDS.findall(f"{candidate.title} {candidate.summary or candidate.abstract}".lower()))
            here = _share(wanted_here, found)
            if here >= self.min_subquery and _share(wanted_in_all, found) >= self.min_question:
                kept.append(candidate.id)
        return Assessment(tuple(kept), {}, f"{len(kept)} of {len(page)} papers kept")


def _share(wanted: frozenset[str], found: set[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 1.0


class RecordedAssessor:
    """Gives back the assessments of a rollout by their place; a place without one keeps nothing."""

    def __init__(self, assessments: Iterable[RecordedAssessment]) -> None:
        self._by_place = {(a.iteration, a.subquery, a.page, a.browsed): a for a in assessments}

    def at(self, iteration: int, subquery: int, page: int, *, browsed: bool) -> Assessment:
        """Returns the recorded assessment of a place."""
        recorded = self._by_place.get((iteration, subquery, page, browsed))
        return (
            Assessment() if recorded is None else Assessment(recorded.selected, recorded.to_browse, recorded.overview)
        )

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        """Keeps nothing: the engine asks by place instead."""
        return Assessment()


def load_reference(option: str, reference: str) -> Any:
    """Imports ``package.module:name``; a class is instantiated without arguments.

    Raises:
        InvalidOptionError: There is no such module or name, or it cannot be called.
    """
    found = load_named(option, reference)
    return require_callable(option, reference, found()) if isinstance(found, type) else found


def make_assessor(name: str, gold: Collection[str]) -> Assessor | None:
    """Builds the assessor that an option names.

    Args:
        name: ``agent`` (None is returned), ``oracle``, ``lexical`` or ``package.module:name``.
        gold: Gold ids of the task; only ``oracle`` gets them.
    """
    if name == "agent":
        return None
    if name == "oracle":
        return OracleAssessor(gold)
    if name == "lexical":
        return LexicalAssessor()
    assessor: Assessor = load_reference("assessor", name)
    return assessor
