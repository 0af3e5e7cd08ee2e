"""Papers planted in the citation graph, whose place in it is known by construction.

Milestones cite one another in a chain. Who cites a disruptive paper cites none of its references; who cites a
consolidating one cites one of them too (disruption D = 1 and -1). An atypical paper cites works that no other paper
cites together. Whatever does not hold in the end is not marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .atypical import add_far, still_apart
from .cells import Topics
from .choice import Flags, Ints, shuffled
from .edges import Edges
from .spec import WorldSpec
from .streams import Blocks, below, column

MILESTONE, DISRUPTIVE, CONSOLIDATING, ATYPICAL = 1, 2, 3, 4
SHARE = 15
"""Papers of each kind, in thousandths, as far as they are found."""
CHAIN = 5
CITERS = 5
"""Citers that a disruptive or consolidating paper has at least."""


@dataclass(frozen=True)
class Chains:
    """Milestones.

    Attributes:
        milestone: Their rows.
        former: int64 [papers]: the milestone before, -1 for all other papers and for the first of a chain.
    """

    milestone: Ints
    former: Ints


def planted_chains(spec: WorldSpec, topics: Topics, month: NDArray[np.int32], age: Ints, barred: Flags) -> Chains:
    """Choose chains of milestones, each within a subfield and spread over the years."""
    former = np.full(spec.papers, -1, dtype=np.int64)
    taken: list[int] = []
    blocks = Blocks(spec.seed, "chains")
    count = spec.papers * SHARE // 1000 // CHAIN
    free = np.flatnonzero(~barred)
    free = free[np.argsort(age[free], kind="stable")]
    by_field = [free[topics.subfield[free] == field].tolist() for field in range(int(topics.subfield.max()) + 1)]
    for chain in range(count):
        draws = np.array(blocks.raw(chain, CHAIN + 1), dtype=np.uint64)
        rows = by_field[int(below(draws[:1], len(by_field))[0])]
        if len(rows) < 4 * CHAIN:
            continue
        part = len(rows) // CHAIN
        places = [part * at + int(below(draws[at + 1 : at + 2], part)[0]) for at in range(CHAIN)]
        chosen = [rows[place] for place in places]
        if any(month[old] >= month[new] for old, new in pairwise(chosen)):
            continue
        for place in reversed(places):
            del rows[place]
        former[chosen[1:]] = chosen[:-1]
        taken += chosen
    return Chains(np.array(sorted(taken), dtype=np.int64), former)


def plant(
    spec: WorldSpec, edges: Edges, protected: Edges, age: Ints, chains: Chains, copy_of: NDArray[np.int32]
) -> tuple[Edges, NDArray[np.int8]]:
    """Plant papers of all kinds, and mark those for which the definition holds.

    Args:
        spec: The world.
        edges: The grown graph.
        protected: References that stay: to baselines, to former milestones.
        age: Places in the order of time.
        chains: The milestones.
        copy_of: Exact copies; they repeat the references of the other paper.

    Returns:
        The graph, and `Graph.role`.
    """
    role = np.zeros(spec.papers, dtype=np.int8)
    role[chains.milestone] = MILESTONE
    special = copy_of >= 0
    special[copy_of[copy_of >= 0]] = True
    # A third more than wanted: some do not stay apart.
    edges, far = add_far(spec, edges, age, (role > 0) | special, spec.papers * SHARE * 3 // 2000)
    role[far.source] = ATYPICAL
    protected = protected.with_keys(np.concatenate([protected.keys, far.keys]))
    cited = np.bincount(edges.target, minlength=spec.papers)
    citing = np.bincount(edges.source, minlength=spec.papers)
    fit = (role == 0) & ~special & (cited >= CITERS + 1) & (citing >= 2)
    order = shuffled(spec.seed, "planted", spec.papers)
    order = order[fit[order]]
    share = min(spec.papers * SHARE // 1000, len(order) // 4)
    role[order[:share]] = CONSOLIDATING
    free = order[share : 8 * share]
    role[free[~bound(edges, protected, free)[free]][: share * 6 // 5]] = DISRUPTIVE
    edges = add_shared(spec, edges, role == CONSOLIDATING)
    edges = drop_shared(edges, protected, role == DISRUPTIVE)
    edges = drop_unshared(edges, protected, role == CONSOLIDATING)
    edges = repeat_copies(edges, copy_of)
    return edges, checked(edges, far, role)


def bound(edges: Edges, protected: Edges, rows: Ints) -> Flags:
    """Rows of papers that could not be disruptive: somebody has to cite both them and one of their references."""
    out = np.zeros(edges.size, dtype=np.bool_)
    out[rows] = True
    cites = protected.only(out[protected.target])
    number, source, reference = edges.joined(cites.source, cites.target)
    out[:] = False
    out[cites.target[number[protected.has(source, reference)]]] = True
    return out


def add_shared(spec: WorldSpec, edges: Edges, focal: Flags) -> Edges:
    """Let each citer of focal papers cite one of their references."""
    cites = edges.only(focal[edges.target])
    lacking = ~shares(edges, cites)
    source, target = cites.source[lacking], cites.target[lacking]
    draws = column(spec.seed, "shared", len(source))
    place = edges.starts[target] + below(draws, edges.starts[target + 1] - edges.starts[target])
    return edges.with_keys(np.concatenate([edges.keys, source * edges.size + edges.targets[place]]))


def drop_shared(edges: Edges, protected: Edges, focal: Flags) -> Edges:
    """Part the citers of focal papers from the references of these, or, where those must stay, from the papers."""
    cites = edges.only(focal[edges.target])
    number, source, reference = edges.joined(cites.source, cites.target)
    shared = edges.has(source, reference)
    must = shared & protected.has(source, reference)
    stays = np.zeros(len(cites.source), dtype=np.bool_)
    stays[number[must]] = True
    loose = stays & ~protected.has(cites.source, cites.target)
    gone = shared & ~must & ~loose[number]
    return edges.without(
        np.concatenate([cites.source[loose], source[gone]]), np.concatenate([cites.target[loose], reference[gone]])
    )


def drop_unshared(edges: Edges, protected: Edges, focal: Flags) -> Edges:
    """Drop the citations of focal papers by papers that share none of their references any more."""
    for _ in range(CHAIN):
        cites = edges.only(focal[edges.target])
        loose = ~shares(edges, cites) & ~protected.has(cites.source, cites.target)
        if not loose.any():
            break
        edges = edges.without(cites.source[loose], cites.target[loose])
    return edges


def shares(edges: Edges, cites: Edges) -> Flags:
    """Tell which citations come from papers that cite a reference of the cited paper too."""
    number, source, reference = edges.joined(cites.source, cites.target)
    return np.bincount(number[edges.has(source, reference)], minlength=len(cites.source)) > 0


def repeat_copies(edges: Edges, copy_of: NDArray[np.int32]) -> Edges:
    """Give exact copies the references of the papers that they repeat."""
    copies = np.flatnonzero(copy_of >= 0)
    kept = edges.only(copy_of[edges.source] < 0)
    _, source, target = edges.joined(copies, copy_of[copies].astype(np.int64))
    return edges.with_keys(np.concatenate([kept.keys, source * edges.size + target]))


def checked(edges: Edges, far: Edges, role: NDArray[np.int8]) -> NDArray[np.int8]:
    """The roles that hold in the final graph; 0 for the others."""
    size = edges.size
    cited = np.bincount(edges.target, minlength=size)
    citing = np.bincount(edges.source, minlength=size)
    cites = edges.only((role[edges.target] == DISRUPTIVE) | (role[edges.target] == CONSOLIDATING))
    both = np.bincount(cites.target[shares(edges, cites)], minlength=size)
    bad = (role == DISRUPTIVE) & (both > 0)
    bad |= (role == CONSOLIDATING) & (both < cited)
    bad |= ((role == DISRUPTIVE) | (role == CONSOLIDATING)) & ((cited < CITERS) | (citing == 0))
    bad |= (role == ATYPICAL) & ~still_apart(edges, far)
    return np.where(bad, 0, role).astype(np.int8)
