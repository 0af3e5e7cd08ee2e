"""Atypical papers: they cite well-known works that no other paper cites together."""

from __future__ import annotations

import numpy as np

from .choice import Flags, Ints, shuffled
from .edges import Edges
from .spec import WorldSpec
from .streams import Blocks, below

FAR = 5
"""Works of different topics that an atypical paper cites."""
POPULAR = 8
"""They are among the most cited works, one in so many."""


def add_far(spec: WorldSpec, edges: Edges, age: Ints, barred: Flags, wanted: int) -> tuple[Edges, Edges]:
    """Let papers cite works that nobody cites together.

    Args:
        spec: The world.
        edges: The grown graph.
        age: Places in the order of time.
        barred: Papers that stay as they are.
        wanted: How many papers to try.

    Returns:
        The graph, and the references that were added, `FAR` a paper.
    """
    citers = edges.reversed
    known = np.diff(citers.starts)
    popular = np.argsort(-known, kind="stable")[: max(spec.papers // POPULAR, FAR)]
    popular = popular[np.argsort(age[popular], kind="stable")]
    counts = np.bincount(edges.source, minlength=spec.papers)
    order = shuffled(spec.seed, "far", spec.papers)
    order = order[~barred[order] & (counts[order] >= FAR) & (age[order] > spec.papers // 3)]
    blocks = Blocks(spec.seed, "far")
    extra: dict[int, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for row in order[:wanted].tolist():
        older = popular[: int(np.searchsorted(age[popular], age[row]))]
        if len(older) < FAR:
            continue
        drawn = older[below(np.array(blocks.raw(row, 20 * FAR), dtype=np.uint64), len(older))]
        # The better known two works are, the more it says that nobody cites them together.
        drawn = drawn[np.argsort(-known[drawn], kind="stable")]
        chosen = works_apart(citers, extra, row, drawn) or works_apart(citers, extra, row, drawn[::-1])
        pairs += [(row, work) for work in chosen]
        for work in chosen:
            extra.setdefault(work, []).append(row)
    far = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    added = Edges(spec.papers, far[:, 0], far[:, 1])
    return edges.with_keys(np.concatenate([edges.keys, added.keys])), added


def works_apart(citers: Edges, extra: dict[int, list[int]], row: int, works: Ints) -> list[int]:
    """Choose the first works, of those at hand, that have no citer in common and are not cited by the row itself.

    Args:
        citers: Pairs of cited and citing.
        extra: Further citers by work.
        row: The paper that is to cite them.
        works: Rows at hand.

    Returns:
        `FAR` of them, or none.
    """
    chosen: list[int] = []
    seen = {row}
    for work in works.tolist():
        who = citers.targets[citers.starts[work] : citers.starts[work + 1]].tolist() + extra.get(work, [])
        if seen.isdisjoint(who):
            chosen.append(work)
            seen.update(who)
            if len(chosen) == FAR:
                return chosen
    return []


def still_apart(edges: Edges, far: Edges) -> Flags:
    """Tell for each paper whether it cites works, as planted, that no other paper cites together."""
    out = np.zeros(edges.size, dtype=np.bool_)
    citers = edges.reversed
    for row, works in zip((far.keys[::FAR] // edges.size).tolist(), far.targets.reshape(-1, FAR), strict=True):
        who = np.concatenate([citers.targets[citers.starts[work] : citers.starts[work + 1]] for work in works])
        common, count = np.unique(who, return_counts=True)
        out[row] = common[count > 1].tolist() == [row] and (who == row).sum() == FAR
    return out
