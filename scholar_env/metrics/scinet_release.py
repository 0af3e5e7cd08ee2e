"""SciNetBench's released measures of most novel and most disruptive papers, behaviour for behaviour.

Source of the behaviour: PLUTO-SCY/SciNet at commit 120cded. These numbers are for reports beside the paper's own
measures (:mod:`scholar_env.metrics.scinet`) and never a reward: most can be gamed. Answers are ``{query text:
[items]}`` with items ``{"id", "title"}``; tables hold short ids (``W123``) and their values are lists or the raw text
of a column.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.released import ReleaseCrashError, as_released
from scholar_env.storage import write_json_atomic

Table = Mapping[str, Any]
"""Short id -> its list of short ids, or the text of the column (JSON), or None."""

PairScores = Mapping[tuple[str, str], Sequence[float]]
"""Two short ids in the order of text -> the z-scores of all rows of the pair table that hold them."""

TOP = 5
"""Items that raw scores and judges look at."""


def short_id(paper: str) -> str:
    """The part behind the last ``/``: ``W123`` of ``https://openalex.org/W123``, "" of an id that ends in ``/``."""
    return paper.rsplit("/", 1)[-1] if "/" in paper else paper


def stored_list(table: Table, key: str) -> list[Any]:
    """The list in a row of a table; empty where the row is missing, null or empty.

    Raises:
        ValueError: The column is not JSON.
    """
    value = table.get(key)
    if isinstance(value, str) and value:
        value = json.loads(value)
    return value or []


def extract_title_release(query: str) -> str | None:
    """The title in a pair query: up to the first quotation mark after ``titled "``, within a line; None without one.

    Titles with quotation marks are cut; :func:`scholar_env.task_files.scinet_queries.parse_query` reads them whole.
    """
    match = re.search(r'titled "(.*?)"', query)
    return match[1] if match else None


def disruption_seed_release(paper: Any, references: Table, citers: Table) -> float | None:
    """(Ni - Nj) / (Ni + Nj) of one paper; None without references or citers.

    Ni + Nj is the length of the stored list of citers, repetitions included; Nj are those whose stored references meet
    the paper's. A citer without a row counts as Ni.

    Args:
        paper: Id, short or as an address.
        references: What each paper cites.
        citers: Who cites each paper.

    Raises:
        ReleaseCrashError: The id is no text, or a list that is read is not JSON.
    """
    with as_released("disruption"):
        key = paper.split("/")[-1]
        own = set(stored_list(references, key))
        cited_by = stored_list(citers, key) if own else []
        if not cited_by:
            return None
        n_j = sum(not own.isdisjoint(stored_list(references, citer)) for citer in cited_by)
        return (len(cited_by) - 2 * n_j) / len(cited_by)


def novelty_p10_release(references: Sequence[Any] | None, z: PairScores) -> float | None:
    """10th percentile of z over the pairs of references that the table holds; None where there are none.

    References that are empty or no text are dropped; fewer than two given, or left, give None. NaN in a row gives NaN.
    """
    if references is None or len(references) < 2:
        return None
    short = sorted({short_id(paper) for paper in references if isinstance(paper, str) and paper})
    values = [score for pair in combinations(short, 2) for score in z.get(pair, ())]
    return float(np.percentile(values, 10)) if values else None


def pct_release(score: float | None, reference: Sequence[float]) -> float | None:
    """Percentile of a score by SciPy's kind "rank": 100 (L + M + [M > L]) / 2N with L values below it and M up to it.

    Returns:
        0 to 100; None for no score; NaN for an empty reference, or where anything is NaN.
    """
    if score is None:
        return None
    values = np.asarray(reference, dtype=np.float64)
    if not len(values) or math.isnan(score) or np.isnan(values).any():
        return math.nan
    below, up_to = int((values < score).sum()), int((values <= score).sum())
    return (below + up_to + (up_to > below)) * 50.0 / len(values)


def percentile_release(score: float | None, reference: Sequence[float], *, novelty: bool) -> float | None:
    """:func:`pct_release` on the release's scale of 0 to 10; for novelty the lower score is the better."""
    sign = -1.0 if novelty else 1.0
    found = pct_release(None if score is None else sign * score, [sign * value for value in reference])
    return None if found is None else found / 10


def reference_scores_release(folder: Path, score_key: str, cache: Path) -> list[float]:
    """All scores of a folder of gold files, one a field; kept in a file that is read instead when it is there.

    Args:
        folder: Its ``*.json`` files hold lists of items; files that are not JSON are passed over.
        score_key: ``novelty_score`` or ``disruption_score``; items without one are passed over.
        cache: Where the scores are kept.

    Raises:
        ReleaseCrashError: There is no such folder, a file holds something else than a list of objects, or there is no
            disruption score at all.
    """
    if cache.is_file():
        return [float(score) for score in json.loads(cache.read_bytes())]
    if not folder.is_dir():
        raise ReleaseCrashError("FileNotFoundError", f"there is no folder {folder}", "reference population")
    scores: list[float] = []
    with as_released("reference population"):
        for path in sorted(folder.glob("*.json")):
            try:
                items = json.loads(path.read_bytes())
            except ValueError:
                continue
            scores += [item.get(score_key) for item in items if item.get(score_key) is not None]
    if not scores and score_key.startswith("disruption"):
        raise ReleaseCrashError("ValueError", "there are no disruption scores in the folder", "reference population")
    write_json_atomic(cache, scores)
    return scores


def sos_pct_of_mean(
    means: Sequence[float], reference: Sequence[float], *, novelty: bool
) -> tuple[list[Any], float | None]:
    """The release's score of scores: the percentile of each system's mean raw score, and their mean; 0 to 10.

    The script for disruption sorts the means first.
    """
    ordered = means if novelty else sorted(means)
    transformed = [percentile_release(mean, reference, novelty=novelty) for mean in ordered]
    return transformed, mean_or_none(value for value in transformed if value is not None)


def raw_top5_disruption(answers: Mapping[str, Any], references: Table, citers: Table) -> dict[str, Any]:
    """Mean disruption of the first five items of each query, and the mean over queries with a scored item.

    Raises:
        ReleaseCrashError: An answer is no list, or an item no object.
    """
    per_query: dict[str, Any] = {}
    for query, items in answers.items():
        with as_released("raw disruption"):
            ids = [item.get("id") for item in items[:TOP]]
        papers = [[paper, disruption_seed_release(paper, references, citers)] for paper in ids if paper]
        average = mean_or_none(score for _, score in papers if score is not None)
        per_query[query] = {"average": average, "papers": papers}
    return {"per_query": per_query, "overall": _overall(entry["average"] for entry in per_query.values())}


def raw_top5_novelty(answers: Mapping[str, Any], references: Table, z: PairScores) -> dict[str, Any]:
    """Mean novelty of the first five items of each query, and the mean over queries with a scored item.

    Items whose id is no text or empty are left out of the five.

    Raises:
        ReleaseCrashError: An answer is no list, an item no object, or a stored list not JSON.
    """
    per_query: dict[str, float | None] = {}
    for query, items in answers.items():
        with as_released("raw novelty"):
            ids = [item.get("id") for item in items[:TOP]]
            kept = [short_id(paper) for paper in ids if isinstance(paper, str) and paper]
            scores = [novelty_p10_release(stored_list(references, paper), z) for paper in kept]
        per_query[query] = mean_or_none(score for score in scores if score is not None)
    return {"per_query": per_query, "overall": _overall(per_query.values())}


def sos_mean_of_pct_v0(
    answers: Mapping[str, Any], references: Table, z: PairScores, reference: Sequence[float]
) -> dict[str, Any]:
    """The paper's score of scores as a deleted script had it, novelty only: percentile a paper, mean of the first five.

    Raises:
        ReleaseCrashError: An answer is no list, an item no object, or a stored list not JSON.
    """
    per_query: dict[str, Any] = {}
    for query, items in answers.items():
        papers: list[list[Any]] = []
        with as_released("mean of percentiles"):
            for paper in [item.get("id") for item in items[:TOP]]:
                score = novelty_p10_release(stored_list(references, short_id(paper)), z) if paper else None
                papers.append([paper, score, percentile_release(score, reference, novelty=True)])
        average = mean_or_none(percentile for _, _, percentile in papers if percentile is not None)
        per_query[query] = {"average": average, "papers": papers}
    return {"per_query": per_query, "overall": _overall(entry["average"] for entry in per_query.values())}


def recall_release(
    answers: Mapping[str, Any], queries: Mapping[str, str], gold: Mapping[str, Sequence[Any]], k: int
) -> dict[str, Any]:
    """Recall as released: hits among all items of an answer, repetitions included, over K; can exceed 1.

    Args:
        answers: Items by query text; a query without an entry is passed over.
        queries: Query text by field.
        gold: Items by field, best first; a field without is passed over.
        k: Gold entries that count; 0 or less gives 0.

    Raises:
        ReleaseCrashError: An item is no object.
    """
    recalls = []
    with as_released("recall"):
        for field, text in queries.items():
            items = answers.get(text)
            if items is None or field not in gold:
                continue
            wanted = {entry["id"] for entry in gold[field][:k] if "id" in entry} if k > 0 else set()
            hits = sum(item.get("id") in wanted for item in items)
            recalls.append(hits / k if k > 0 else 0.0)
    return {"recalls": recalls, "evaluated": len(recalls), "macro": mean_or_none(recalls)}


def mean_or_none(values: Iterable[float]) -> float | None:
    """Arithmetic mean, None of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else None


def ordered_pairs(rows: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], list[float]]:
    """Groups the rows of a pair table (smaller id, larger id, z) by pair.

    Raises:
        InvalidOptionError: A row holds its ids the other way round.
    """
    table: dict[tuple[str, str], list[float]] = {}
    for first, second, score in rows:
        if first > second:
            raise InvalidOptionError(
                f"the pair ({first!r}, {second!r}) of a table", "the smaller text comes first", "exchange the two ids"
            )
        table.setdefault((first, second), []).append(score)
    return table


def _overall(averages: Iterable[float | None]) -> float | None:
    return mean_or_none(average for average in averages if average is not None)
