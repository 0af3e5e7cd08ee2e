"""SciNetBench's released measures of pair tasks (citing, co-mention), behaviour for behaviour.

Tables, answers and queries as in :mod:`scholar_env.metrics.scinet_release`; queries are ``{seed id: query text}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scholar_env.metrics.ranking import ratio
from scholar_env.metrics.released import as_released
from scholar_env.metrics.scinet_release import Table, extract_title_release, mean_or_none, short_id, stored_list

POSITIVE = "Positive"
"""The label of a context that counts."""


def cite_acc_release(answers: Mapping[str, Any], queries: Mapping[str, str], references: Table) -> dict[str, Any]:
    """Share of items that cite the seed; an empty answer is 0.0 and counts, a query without an answer is passed over.

    Items without an id, repeated items and the seed stay in the denominator; a stored list that is not JSON is empty.

    Raises:
        ReleaseCrashError: An answer is no list of objects.
    """
    shares: list[float] = []
    retrieved = correct = 0
    for seed, text in queries.items():
        items = answers.get(text)
        if items is None:
            continue
        with as_released("citation accuracy"):
            hits = sum(short_id(seed) in _lenient(references, paper) for paper in map(_short, items))
        shares.append(ratio(hits, len(items)))
        retrieved, correct = retrieved + len(items), correct + hits
    return _pooled(shares, len(shares), retrieved, correct)


def comention_acc_release(answers: Mapping[str, Any], queries: Mapping[str, str], citers: Table) -> dict[str, Any]:
    """Share of items that some paper cites together with the seed; the seed itself is right when anything cites it.

    An empty answer is evaluated, but in no mean.

    Raises:
        ReleaseCrashError: An answer is no list of objects.
    """
    shares: list[float] = []
    evaluated = retrieved = correct = 0
    for seed, text in queries.items():
        items = answers.get(text)
        if items is None:
            continue
        evaluated += 1
        with as_released("co-mention accuracy"):
            own = set(_lenient(citers, short_id(seed)))
            hits = sum(not own.isdisjoint(_lenient(citers, paper)) for paper in map(_short, items)) if own else 0
        if items:
            shares.append(hits / len(items))
        retrieved, correct = retrieved + len(items), correct + hits
    return _pooled(shares, evaluated, retrieved, correct)


def _asked(queries: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Seed, text and title of the queries that are evaluated: each text with a title once, against its first seed."""
    seeds: dict[str, str] = {}
    for seed, text in queries.items():
        seeds.setdefault(text, seed)
    return [(seed, text, title) for text, seed in seeds.items() if (title := extract_title_release(text))]


def cite_sentiment_release(
    answers: Mapping[str, Any],
    queries: Mapping[str, str],
    references: Table,
    pdf_of: Callable[[str], str | None],
    contexts_of: Callable[[str, str], Sequence[str]],
    label_of: Callable[[str], str | None],
) -> dict[str, Any]:
    """Share of items that cite the seed, with a text in which a context that mentions it is labelled positive.

    The denominator is all items. An item counts as citing only with id and title. A query text is evaluated once,
    against its first seed; empty answers are in no mean.

    Args:
        answers: Items by query text.
        queries: Query text by seed.
        references: What each paper cites.
        pdf_of: Finds the text of a title, None where there is none.
        contexts_of: The citation contexts of a title in a text.
        label_of: The label of a context.

    Returns:
        Under ``log`` an entry an item: id, whether it cites, whether its text was found, the labels, 1 or 0.

    Raises:
        ReleaseCrashError: An answer is no list of objects.
    """
    log: dict[str, list[list[Any]]] = {}
    for seed, text, title in _asked(queries):
        entries = log[text] = []
        with as_released("citation sentiment"):
            for item in answers.get(text, []):
                known = bool(item.get("title")) and bool(_short(item))
                cites = known and short_id(seed) in stored_list(references, _short(item))
                pdf = pdf_of(item["title"]) if cites else None
                labels = [label_of(context) for context in contexts_of(pdf, title)] if pdf else []
                entries.append([item.get("id"), cites, bool(pdf), labels, int(POSITIVE in labels)])
    simple, positive = _Rates.of(log, 1), _Rates.of(log, 4)
    return {
        "log": log,
        "query_simple_accuracies": simple.shares,
        "query_positive_accuracies": positive.shares,
        "micro_avg_simple": simple.micro,
        "macro_avg_simple": simple.macro,
        "micro_avg_positive": positive.micro,
        "macro_avg_positive": positive.macro,
        "total_retrieved_papers": simple.total,
    }


def comention_paragraph_release(
    answers: Mapping[str, Any],
    queries: Mapping[str, str],
    citers: Table,
    pdf_of: Callable[[str], str | None],
    same_paragraph: Callable[[str, str, str], bool],
) -> dict[str, Any]:
    """Share of items that a common citer mentions in one paragraph with the seed.

    Args:
        answers: Items by query text.
        queries: Query text by seed.
        citers: Who cites each paper.
        pdf_of: Finds the text of a citing paper by its short id, None where there is none.
        same_paragraph: Whether a text mentions two titles in one paragraph.

    Returns:
        Under ``log`` an entry an item: id, whether there is a common citer, whether one mentions both together.

    Raises:
        ReleaseCrashError: An answer is no list of objects.
    """
    log: dict[str, list[list[Any]]] = {}
    for seed, text, title in _asked(queries):
        entries = log[text] = []
        with as_released("co-mention in a paragraph"):
            own = set(stored_list(citers, short_id(seed)))
            for item in answers.get(text, []):
                name = item.get("title")
                common = sorted(own.intersection(stored_list(citers, _short(item)))) if name and _short(item) else []
                texts = [pdf for pdf in map(pdf_of, common) if pdf]
                entries.append([item.get("id"), bool(common), any(same_paragraph(pdf, title, name) for pdf in texts)])
    simple, together = _Rates.of(log, 1), _Rates.of(log, 2)
    report: dict[str, Any] = {
        "log": log,
        "simple": simple.shares,
        "contextual": together.shares,
        "retrieved": simple.total,
    }
    if simple.total:
        report |= {"micro_simple": simple.micro, "macro_simple": simple.macro}
        report |= {"micro_ctx": together.micro, "macro_ctx": together.macro}
    return report


@dataclass(frozen=True, slots=True)
class _Rates:
    """How often one column of a log is true.

    Attributes:
        shares: Share of the items of each answer that is not empty.
        micro: Share of all items; None without any.
        macro: Mean of the shares; None without any.
        total: Number of items.
    """

    shares: list[float]
    micro: float | None
    macro: float | None
    total: int

    @classmethod
    def of(cls, log: Mapping[str, list[list[Any]]], column: int) -> _Rates:
        """Counts a column."""
        kept = [entries for entries in log.values() if entries]
        hits = [sum(entry[column] for entry in entries) for entries in kept]
        shares = [count / len(entries) for count, entries in zip(hits, kept, strict=True)]
        total = sum(len(entries) for entries in kept)
        return cls(shares, sum(hits) / total if total else None, mean_or_none(shares), total)


def _short(item: Any) -> str:
    """The short id of an item, "" where it has none."""
    paper = item.get("id")
    return short_id(paper) if paper else ""


def _lenient(table: Table, key: str) -> list[Any]:
    """The list of a row; empty without a key, and where the column is not JSON."""
    try:
        return stored_list(table, key) if key else []
    except ValueError:
        return []


def _pooled(shares: list[float], evaluated: int, retrieved: int, correct: int) -> dict[str, Any]:
    return {
        "per_query": shares,
        "evaluated": evaluated,
        "retrieved": retrieved,
        "correct": correct,
        "macro": (mean_or_none(shares) or 0.0) if evaluated else None,
        "micro": ratio(correct, retrieved) if evaluated else None,
    }
