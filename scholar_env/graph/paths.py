"""Influential citation paths: from a classical paper to an emerging one, each paper cited by the next.

The influence of a path is the sum of its papers' citation counts, both ends included. Of paths of equal influence the
one with fewer papers is taken, then the one whose list of ids from the emerging end is smaller. Modes:

* ``shortest``: of the paths with fewest papers the most influential;
* ``all``: the most influential of all paths; references within a cycle are left out, so that there is a longest one;
* ``max_len:L``: the same among paths of at most L references;
* ``beam:W``: W partial paths at a time, kept by influence, of at most :data:`BEAM_DEPTH` references, from the emerging
  paper back; an approximation that reads little of the graph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scholar_env.engines import compiled_module
from scholar_env.errors import InvalidOptionError
from scholar_env.graph import paths_python
from scholar_env.graph.citation_graph import CitationGraph
from scholar_env.graph.paths_python import acyclic_references, descent

KERNELS = "scholar_env.graph.paths_numba"
BEAM_DEPTH = 5
Partial = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""A path from the emerging paper on, the better the smaller: minus its influence, its papers, order of ids, rows."""

LONGEST, WIDEST = 64, 1000
"""Largest numbers of ``max_len`` and ``beam``."""

_MODE = re.compile(r"shortest|all|(max_len|beam):([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class PathMode:
    """How a path is chosen: ``shortest``, ``all``, ``max_len`` or ``beam``, with its number (0 for the first two)."""

    kind: str
    size: int = 0


def path_mode(text: str) -> PathMode:
    """Reads ``shortest``, ``all``, ``max_len:5`` or ``beam:8``.

    Raises:
        InvalidOptionError: It is none of these.
    """
    match = _MODE.fullmatch(text)
    mode = PathMode(match[1] or text, int(match[2] or 0)) if match else PathMode("")
    if not mode.kind or mode.size > {"max_len": LONGEST, "beam": WIDEST}.get(mode.kind, 0):
        raise InvalidOptionError(
            f"path_mode={text!r}",
            f"it is shortest, all, max_len:L with L from 1 to {LONGEST}, or beam:W with W from 1 to {WIDEST}",
            "use max_len:5, for instance",
        )
    return mode


def influential_path(
    graph: CitationGraph, classical: int, emerging: int, mode: str = "max_len:5", engine: str = "auto"
) -> list[int] | None:
    """Finds the most influential path.

    Args:
        graph: The graph.
        classical: Row where the path starts.
        emerging: Row where it ends; it cites its way back to the classical one.
        mode: As described above.
        engine: One of ``scholar_env.engines.ENGINES``; both give the same paths.

    Returns:
        Rows from classical to emerging, each cited by the next; None where there is no such path. A paper's path to
        itself is that paper alone.

    Raises:
        InvalidOptionError: An unknown mode, or rows outside the graph.
        MissingDependencyError: The engine is not installed.
    """
    chosen = path_mode(mode)
    for row in (classical, emerging):
        if not 0 <= row < graph.n_papers:
            raise InvalidOptionError(
                f"row {row} of a path", f"rows go from 0 to {graph.n_papers - 1}", "name two papers of the graph"
            )
    if classical == emerging:
        return [classical]
    if chosen.kind == "beam":
        return _beam(graph, classical, emerging, chosen.size)
    search = compiled_module(engine, KERNELS) or paths_python
    arrays = (graph.starts, graph.targets, graph.n_citers_of, graph.id_rank, graph.component)
    found = {"shortest": search.shortest, "all": search.longest, "max_len": search.bounded}[chosen.kind]
    path = cast(NDArray[np.int64], found(*arrays, classical, emerging, chosen.size))
    return path[::-1].tolist() or None


def _beam(graph: CitationGraph, classical: int, emerging: int, width: int) -> list[int] | None:
    """Goes back from the emerging paper by references, ``width`` partial paths at a time."""
    weight, rank = graph.n_citers_of, graph.id_rank
    best: Partial | None = None
    front: list[Partial] = [(-int(weight[emerging]), 1, (int(rank[emerging]),), (emerging,))]
    for _ in range(BEAM_DEPTH):
        grown = [
            (influence - int(weight[row]), n + 1, (*ranks, int(rank[row])), (*rows, row))
            for influence, n, ranks, rows in front
            for row in graph.references(rows[-1]).tolist()
            if row not in rows
        ]
        arrived = [path for path in grown if path[3][-1] == classical]
        best = min([*arrived, *([best] if best else [])], default=None)
        front = sorted(path for path in grown if path[3][-1] != classical)[:width]
    return list(reversed(best[3])) if best else None


def n_paths(graph: CitationGraph, classical: int, emerging: int) -> int:
    """How many different paths there are; references within a cycle are left out."""
    number = {classical: 1}
    for row in descent(graph.starts, graph.targets, graph.component, classical, emerging):
        if row != classical:
            cited = acyclic_references(graph.starts, graph.targets, graph.component, row)
            number[row] = sum(number.get(other, 0) for other in cited)
    return number.get(emerging, 0)
