"""The measures of CompLit as pure functions: what an answer is worth, and shares over episodes.

An episode asks for one paper or for the statement that there is none. The *target* is the paper that meets every
constraint, None where no paper of the corpus does (Unmet); the *near-miss* of an Unmet need meets all constraints but
one. Shares over no episode are NaN. Source: "Scientific Literature Search Benchmarks Must Cover Implicit, Cumulative,
and Unmet Needs", sections 3 and 4; where it is silent, on how titles are matched and ids are written,
:func:`title_norm` and :func:`held_id` say how.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scholar_env.errors import InvalidOptionError
from scholar_env.records import NamedPaper

NONE: Final = "none"
GOLD: Final = "gold"
NEAR_MISS: Final = "near_miss"
OTHER: Final = "other"
ABSTAINED: Final = "abstained"
STANDINGS: Final = (NONE, GOLD, NEAR_MISS, OTHER, ABSTAINED)
"""What an episode's current answer is worth: there is none, it names the target, the near-miss or another paper, or it
says that no paper fits. A row of an episode holds the place in this tuple."""

REFUTED: Final = "refuted"
SILENT: Final = "silent"
"""What the near-miss says of the constraint that it does not meet: the opposite, or nothing."""

_ARXIV_ID: Final = re.compile(
    r"(?:arxiv:\s*)?([0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[a-z]{2})?/[0-9]{7})(?:v[0-9]+)?", re.IGNORECASE
)
"""An arXiv id of either scheme (info.arxiv.org/help/arxiv_identifier.html), with prefix and version or without."""

TitlesOf = Callable[[str], Collection[str]]
"""Titles of a paper by its id: the corpus's, and the one that the task gives it; none when neither knows the id."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent answered; both empty = it says that no paper fits.

    Attributes:
        paper: A paper id, or "".
        title: A title, or "".
    """

    paper: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one episode ended.

    Attributes:
        standing: One of :data:`STANDINGS`.
        has_target: Whether a paper of the corpus meets the need.
        forced: Whether the answer came only after the budget was spent.
        clause: ``refuted`` or ``silent`` for an Unmet need, else "".
    """

    standing: str
    has_target: bool
    forced: bool = False
    clause: str = ""


def title_norm(title: str) -> str:
    """The letters and digits of a title, NFKC, case folded: what two titles must share to be one.

    A title without a letter or digit gives "", which equals no title.
    """
    return "".join(char for char in unicodedata.normalize("NFKC", title).casefold() if char.isalnum())


def same_title(first: str, second: str) -> bool:
    """Whether two titles are one under :func:`title_norm`."""
    return bool(title_norm(first)) and title_norm(first) == title_norm(second)


def held_id(paper: str, row_of: Callable[[str], int | None]) -> str:
    """The id under which a corpus holds the paper that an id names: answers are taken under it.

    An id that the corpus holds stands as it is. Any other that is an arXiv id with the prefix ``arXiv:``, in whatever
    case, or with a version such as ``v2`` names the paper that the corpus holds without them. What it does not hold in
    either way is given back unchanged.

    Args:
        paper: An id as an agent writes it.
        row_of: Row of a paper by its id, None when the corpus does not hold the id.
    """
    given = paper.strip()
    written = _ARXIV_ID.fullmatch(given)
    if written is None or row_of(given) is not None or row_of(written[1]) is None:
        return paper
    return written[1]


def abstains(answer: Answer) -> bool:
    """Whether an answer names nothing: no id, and a title of white space at most."""
    return not answer.paper.strip() and not answer.title.strip()


def has_title(paper: str, title: str, titles_of: TitlesOf) -> bool:
    """Whether a title is one of those of a paper."""
    return any(same_title(title, one) for one in titles_of(paper))


def is_conflict(answer: Answer, titles_of: TitlesOf) -> bool:
    """Whether an answer gives an id and a title that are not of one paper; an unknown id has no title."""
    if not answer.paper.strip() or not answer.title.strip():
        return False
    return not has_title(answer.paper.strip(), answer.title, titles_of)


def names(answer: Answer, paper: str, titles_of: TitlesOf) -> bool:
    """Whether an answer names a paper, given by its id.

    A title counts by :func:`title_norm`, an id alone by equality; with both the title decides, and must be a title of
    the id: a conflict names no paper of the evaluation. Ids are those of the corpus (:func:`held_id`). Where a task
    gives a paper another title than the corpus, as releases do, either counts.
    """
    if answer.title.strip():
        return has_title(paper, answer.title, titles_of) and not is_conflict(answer, titles_of)
    return bool(answer.paper.strip()) and answer.paper.strip() == paper


def standing(
    answer: Answer | None, target: NamedPaper | None, near_miss: NamedPaper | None, titles_of: TitlesOf
) -> str:
    """What an answer is worth, one of :data:`STANDINGS`.

    Args:
        answer: The current answer, None without one.
        target: The target, None where no paper meets the need.
        near_miss: The paper that meets all constraints but one, None where the task names none.
        titles_of: Titles of papers, those of the target and of the near-miss among them.
    """
    if answer is None:
        return NONE
    if abstains(answer):
        return ABSTAINED
    if target is not None and names(answer, target.id, titles_of):
        return GOLD
    return NEAR_MISS if near_miss is not None and names(answer, near_miss.id, titles_of) else OTHER


def is_correct(worth: str, has_target: bool) -> bool:
    """Whether a standing is right: the target where there is one, else an abstention; no answer is always wrong."""
    return worth == (GOLD if has_target else ABSTAINED)


def share(flags: Iterable[bool]) -> float:
    """Share of true values; NaN of none."""
    values = list(flags)
    return sum(values) / len(values) if values else math.nan


def accuracy(verdicts: Iterable[Verdict]) -> float:
    """Share of right verdicts, forced ones included. Over Unmet needs this is the share of abstentions."""
    return share(is_correct(verdict.standing, verdict.has_target) for verdict in verdicts)


def accuracy_unforced(verdicts: Iterable[Verdict]) -> float:
    """:func:`accuracy` when an answer that came only after the limit counts as wrong."""
    return share(not one.forced and is_correct(one.standing, one.has_target) for one in verdicts)


def forced_share(verdicts: Iterable[Verdict]) -> float:
    """Share of episodes whose answer or abstention came only after the limit."""
    return share(verdict.forced for verdict in verdicts)


def near_miss_rate(verdicts: Iterable[Verdict]) -> float:
    """Share of Unmet needs that were answered with the near-miss."""
    return share(verdict.standing == NEAR_MISS for verdict in verdicts if not verdict.has_target)


def other_rate(verdicts: Iterable[Verdict]) -> float:
    """Share of Unmet needs that were answered with a paper other than the near-miss."""
    return share(verdict.standing == OTHER for verdict in verdicts if not verdict.has_target)


def unmet_accuracy(verdicts: Iterable[Verdict], clause: str = "") -> float:
    """Share of Unmet needs that ended in an abstention; of those of one clause status when it is given.

    Args:
        verdicts: Episodes; those with a target do not count.
        clause: ``refuted``, ``silent``, or "" for all.

    Raises:
        InvalidOptionError: Another clause status.
    """
    if clause not in ("", REFUTED, SILENT):
        raise InvalidOptionError(f"clause={clause!r}", f"one of {REFUTED!r}, {SILENT!r}, ''", "take one of them")
    unmet = (verdict for verdict in verdicts if not verdict.has_target and clause in ("", verdict.clause))
    return share(verdict.standing == ABSTAINED for verdict in unmet)


def false_abstention(verdicts: Iterable[Verdict]) -> float:
    """Share of needs with a target that ended in an abstention."""
    return share(verdict.standing == ABSTAINED for verdict in verdicts if verdict.has_target)


def balanced_abstention(unmet: float, false: float) -> float:
    """(Unmet accuracy + 1 - false abstention) / 2: 0.5 for an agent that always or never abstains."""
    return (unmet + 1 - false) / 2


def hit_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """H@k of one question: 1.0 when a gold paper is among the first k ids, else 0.0; NaN without gold (skipped).

    Raises:
        InvalidOptionError: k < 1.
    """
    if k < 1:
        raise InvalidOptionError(f"cutoff k={k}", "a cutoff is an integer of at least 1", "pass k=1, for instance")
    return float(not set(gold).isdisjoint(ranked[:k])) if gold else math.nan
