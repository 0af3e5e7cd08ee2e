"""SciNet's judged measures: novelty and disruption of single papers, rationality of a path, and the released replies.

The release rates with integers from 0 to 10, the paper speaks of 1 to 10; ``scale`` says which. What rates is a
:class:`~scholar_env.metrics.judges.Judge`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scholar_env.errors import InvalidOptionError
from scholar_env.inverted_abstract import abstract_of
from scholar_env.metrics.judges import Judge, JudgeItem, JudgeRequest
from scholar_env.metrics.released import as_released
from scholar_env.metrics.scinet_release import TOP, mean_or_none

SCALES = {"release": (0, 10), "paper": (1, 10)}
"""Least and largest score of each form."""

ATTEMPTS = 3
"""Replies that the release asks for at most."""


@dataclass(frozen=True, slots=True)
class Work:
    """A paper as a judge sees it: title and abstract, either may be empty, and its id where it has one."""

    title: str
    abstract: str = ""
    id: str = ""


def llm_top5(
    answers: Mapping[str, Any], works: Mapping[str, Work], judge: Judge, criterion: str, scale: str = "release"
) -> dict[str, Any]:
    """Mean rating of the first five items of each query, and the mean over queries with a rated item.

    Args:
        answers: Items by query; an item without a work is not rated.
        works: By full id.
        judge: Rates one paper at a time; the subject is its id, or its title where it has none.
        criterion: ``novelty`` or ``disruption``.
        scale: A key of :data:`SCALES`.

    Raises:
        ReleaseCrashError: An answer is no list, or an item has no id.
        InfrastructureError: The judge cannot be reached.
        InvalidOptionError: Unknown scale, or the judge does not know the criterion.
    """
    low, high = _bounds(scale)
    per_query: dict[str, Any] = {}
    for query, items in answers.items():
        with as_released("judge scores"):
            found = [works.get(item["id"]) for item in items[:TOP]]
        scores = [
            None
            if work is None
            else judge.rate(work_request(criterion, work.id or work.title, [work], query, low, high)).score
            for work in found
        ]
        average = mean_or_none(score for score in scores if score is not None)
        per_query[query] = {"average": average, "scores": scores}
    averages = [entry["average"] for entry in per_query.values() if entry["average"] is not None]
    return {"per_query": per_query, "overall": mean_or_none(averages)}


def rationality(
    answers: Mapping[str, Any], works: Mapping[str, Work], judge: Judge, scale: str = "release"
) -> dict[str, Any]:
    """Rating of the first five papers of each path in order, and the mean over rated queries.

    An empty path is rated, too. The subject is the query. Arguments and errors as :func:`llm_top5`.
    """
    low, high = _bounds(scale)
    per_query: dict[str, Any] = {}
    lengths: dict[str, int] = {}
    for query, items in answers.items():
        with as_released("rationality"):
            found = [works.get(item["id"], Work("")) for item in items[:TOP]]
        per_query[query] = judge.rate(work_request("rationality", query, found, query, low, high)).score
        lengths[query] = len(found)
    overall = mean_or_none(score for score in per_query.values() if score is not None)
    return {"per_query": per_query, "path_lengths": lengths, "overall": overall}


def released_score(ask: Callable[[], str]) -> tuple[int | None, int]:
    """The score that the release makes of a model's replies, and how many it asked for.

    A reply is the text from the first ``{`` to the last ``}`` as JSON. A score that is no integer from 0 to 10 ends the
    attempt without one (``true`` passes as 1); a reply that is not JSON, or none at all, is asked for again.

    Args:
        ask: Gives the next reply; raises LookupError or OSError where the model gives none.

    Raises:
        ReleaseCrashError: A reply is no text.
    """
    low, high = SCALES["release"]
    for number in range(1, ATTEMPTS + 1):
        try:
            reply = ask()
        except (OSError, LookupError):
            continue
        with as_released("judge reply"):
            part = reply[reply.find("{") : reply.rfind("}") + 1]
        try:
            score = json.loads(part).get("score")
        except ValueError:
            continue
        return (score if isinstance(score, int) and low <= score <= high else None), number
    return None, ATTEMPTS


def released_works(rows: Iterable[Mapping[str, Any]], ids: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Titles and abstracts of works as the release reads them from its table, in the order of the rows.

    A work without a title is passed over.

    Args:
        rows: ``id``, ``title`` and ``abstract_inverted_index``, the text of a Python dict; what cannot be read as one
            (JSON's null and true) gives an empty abstract.
        ids: Full ids that are wanted.
    """
    wanted = {paper for paper in ids if isinstance(paper, str)}
    found = {}
    for row in rows:
        if row["id"] in wanted and row["title"]:
            found[row["id"]] = {"title": row["title"], "abstract": _literal_abstract(row["abstract_inverted_index"])}
    return found


def _literal_abstract(text: str | None) -> str:
    try:
        return abstract_of(ast.literal_eval(text)) if text else ""
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""


def work_request(criterion: str, subject: str, works: Sequence[Work], query: str, low: int, high: int) -> JudgeRequest:
    """What a judge is asked about one or more papers."""
    items = tuple([JudgeItem(work.id, work.title, work.abstract) for work in works])
    return JudgeRequest(criterion, subject, items, query, low=low, high=high)


def _bounds(scale: str) -> tuple[int, int]:
    if scale not in SCALES:
        raise InvalidOptionError(f"scale={scale!r}", f"one of {', '.join(SCALES)}", "use 'release', the default")
    return SCALES[scale]
