"""SciNetBench's released measures of path tasks, behaviour for behaviour; tables as in scinet_release."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, pairwise
from typing import Any

import numpy as np

from scholar_env.metrics.ranking import ratio
from scholar_env.metrics.released import as_released
from scholar_env.metrics.scinet_release import TOP, Table, mean_or_none, short_id, stored_list
from scholar_env.streams import column

SHUFFLES = 5
"""Random orders that the release tries beside the given and the reversed one."""

ADDRESS = "https://openalex.org/"

Shuffle = Callable[[list[Any]], list[Any]]
"""Gives the items of a list in another order."""


def sequence_connected_release(path: Sequence[Any], references: Table) -> bool:
    """Whether every paper of a list is cited by the next one; true for fewer than two.

    Raises:
        ReleaseCrashError: The older of two items has no id that is a text.
    """
    with as_released("sequence check"):
        return all(_is_cited(older.get("id"), newer.get("id"), references) for older, newer in pairwise(path))


def connectivity_release(path: Sequence[Any], references: Table, shuffle: Shuffle) -> tuple[bool, int]:
    """Whether the first five papers are connected in one of seven orders: as given, reversed, five random ones.

    Args:
        path: Items with an ``id``; fewer than two are not connected.
        references: What each paper cites.
        shuffle: Draws an order; see :func:`drawn_orders`.

    Returns:
        The answer, and how many random orders were drawn.

    Raises:
        ReleaseCrashError: As :func:`sequence_connected_release`.
    """
    first = list(path)[:TOP]
    if len(first) < 2:
        return False, 0
    if sequence_connected_release(first, references) or sequence_connected_release(first[::-1], references):
        return True, 0
    for number in range(1, SHUFFLES + 1):
        if sequence_connected_release(shuffle(first), references):
            return True, number
    return False, SHUFFLES


def drawn_orders(seed: int, query: str) -> Shuffle:
    """Orders from the draws of a query, so that the measure is repeatable (the release does not seed its generator).

    Args:
        seed: Of all queries.
        query: Another one has other orders.
    """
    tries = count()

    def shuffle(items: list[Any]) -> list[Any]:
        draws = column(seed, f"connectivity/{query}/{next(tries)}", len(items))
        return [items[place] for place in np.argsort(draws, kind="stable").tolist()]

    return shuffle


def path_report_release(
    answers: Mapping[str, Any],
    queries: Mapping[str, str],
    gold: Mapping[str, Any],
    references: Table,
    shuffle: Shuffle,
) -> dict[str, Any]:
    """Consistency (``path_precision``) and connectivity over queries with an answer and a gold path.

    Consistency is hits / items with the whole gold path as the hits, repetitions counted; gold paths are short ids. An
    empty answer is evaluated, but in no mean of consistency.

    Args:
        answers: Items by query text.
        queries: Query text by key.
        gold: By key, objects with ``most_influential_path``.
        references: What each paper cites.
        shuffle: Draws the random orders.

    Raises:
        ReleaseCrashError: An item lacks its id, or as :func:`sequence_connected_release`.
    """
    precisions: list[float] = []
    evaluated = retrieved = hits = connected = 0
    for key, text in queries.items():
        items = answers.get(text)
        if items is None or gold.get(key) is None:
            continue
        evaluated += 1
        with as_released("path report"):
            wanted = {f"{ADDRESS}{row}" for row in gold[key].get("most_influential_path", [])}
            path = [item for item in items if item is not None and item["id"] is not None]
        found = sum(item["id"] in wanted for item in path)
        if path:
            precisions.append(found / len(path))
        retrieved, hits = retrieved + len(path), hits + found
        connected += connectivity_release(path, references, shuffle)[0]
    return {
        "precisions": precisions,
        "evaluated": evaluated,
        "retrieved": retrieved,
        "hits": hits,
        "connected": connected,
        "macro_precision": (mean_or_none(precisions) or 0.0) if evaluated else None,
        "micro_precision": ratio(hits, retrieved) if evaluated else None,
        "connectivity_rate": connected / evaluated if evaluated else None,
    }


def _is_cited(older: Any, newer: Any, references: Table) -> bool:
    key = older.split("/")[-1]
    if not older or not newer:
        return False
    try:
        return key in stored_list(references, short_id(newer))
    except ValueError:
        return False
