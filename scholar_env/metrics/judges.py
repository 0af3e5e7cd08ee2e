"""Judges: what rates a text where no formula does, behind one method, ``rate(request) -> Rating``.

A criterion is a name: SciNet asks for ``novelty``, ``disruption``, ``sentiment`` and ``rationality``; other families
add theirs. Two judges need no model: :class:`TruthJudge` knows the truth by functions, :class:`TableJudge` looks
ratings up. A judge that calls a model has the same method; it raises :class:`~scholar_env.errors.InfrastructureError`
when the model cannot be reached and gives a rating without a score when the reply says none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Protocol

from scholar_env.errors import InvalidOptionError


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """One text that a judge sees.

    Attributes:
        id: What it is known by; "" for a text without an id.
        title: Its title, or "".
        text: Abstract, citation paragraph, answer, document; or "".
    """

    id: str
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """What is to be rated.

    Attributes:
        criterion: What is asked about the items, by name.
        subject: Names what is rated among all requests of the criterion, for tables: a paper id, a query id, the key
            of a citation context.
        items: The texts in order.
        question: The task's question, or "".
        reference: A gold answer to compare with, or "".
        low: Least score.
        high: Largest score.
        labels: When not empty, the judge chooses one of these instead of a score.
    """

    criterion: str
    subject: str
    items: tuple[JudgeItem, ...] = ()
    question: str = ""
    reference: str = ""
    low: int = 0
    high: int = 10
    labels: tuple[str, ...] = ()

    def digest(self) -> str:
        """Hex sha256 over all of it as canonical JSON: the key under which replies of a model are kept."""
        text = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Rating:
    """What a judge says.

    Attributes:
        score: From ``low`` to ``high``; None where there is none (the reply says none, or a label was asked for).
        label: One of the request's labels, "" where there is none.
        reason: The judge's own words, or "".
        calls: Calls of a model that it took.
    """

    score: float | None = None
    label: str = ""
    reason: str = ""
    calls: int = 0


class Judge(Protocol):
    """Anything that rates. Threads may rate at once.

    Attributes:
        name: Stands in reports: ``truth``, ``table``, or the model and where it runs.
    """

    name: str

    def rate(self, request: JudgeRequest) -> Rating:
        """Rates what is asked for.

        Raises:
            InfrastructureError: A remote model failed for good.
            InvalidOptionError: The judge does not know the criterion or the subject.
        """
        ...


class TruthJudge:
    """Knows the truth: a function for each criterion.

    Args:
        truths: Criterion -> function of the request.
        name: Name in reports.
    """

    def __init__(self, truths: Mapping[str, Callable[[JudgeRequest], Rating]], name: str = "truth") -> None:
        self.name = name
        self._truths = dict(truths)

    def rate(self, request: JudgeRequest) -> Rating:
        """Rates by the function of the criterion."""
        if request.criterion not in self._truths:
            raise _unknown(f"criterion {request.criterion!r}", ", ".join(sorted(self._truths)) or "none")
        return checked(request, self._truths[request.criterion](request))


class TableJudge:
    """Looks ratings up.

    Args:
        ratings: (criterion, subject) -> rating.
        default: What is said of a subject that is not in the table; None makes that an error.
        name: Name in reports.
    """

    def __init__(
        self, ratings: Mapping[tuple[str, str], Rating], default: Rating | None = None, name: str = "table"
    ) -> None:
        self.name = name
        self._ratings = dict(ratings)
        self._default = default

    def rate(self, request: JudgeRequest) -> Rating:
        """Rates by the entry of the criterion and subject."""
        rating = self._ratings.get((request.criterion, request.subject), self._default)
        if rating is None:
            known = sorted(subject for criterion, subject in self._ratings if criterion == request.criterion)
            raise _unknown(f"{request.criterion} of {request.subject!r}", ", ".join(known[:10]) or "none")
        return checked(request, rating)


def checked(request: JudgeRequest, rating: Rating) -> Rating:
    """Returns the rating after a check that the request admits it.

    Raises:
        InvalidOptionError: The score is out of range, or the label is none of those asked for.
    """
    if rating.score is not None and not request.low <= rating.score <= request.high:
        raise InvalidOptionError(
            f"{request.criterion} of {request.subject!r} rated {rating.score!r}",
            f"a score lies from {request.low} to {request.high}",
            "correct the judge, or give no score",
        )
    if rating.label and rating.label not in request.labels:
        raise InvalidOptionError(
            f"{request.criterion} of {request.subject!r} labelled {rating.label!r}",
            f"the labels are {', '.join(request.labels) or 'none'}",
            "correct the judge, or give no label",
        )
    return rating


def _unknown(what: str, known: str) -> InvalidOptionError:
    return InvalidOptionError(
        f"the judge cannot rate {what}", f"it knows {known}", "ask for one of these, or give the judge an entry for it"
    )
