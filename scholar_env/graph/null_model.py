"""Graphs rewired at random: each paper keeps its number of references and citers, and the years between them.

Two references whose citing papers are of one year and whose cited papers are of one year, too, exchange what they cite
(Uzzi et al. 2013). A round pairs all references at random and makes half of the exchanges, by a coin each, that leave
the graph simple: none that would repeat a reference or cite itself, and none of two that touch the same reference, so
that each round can be undone by a round as likely, and the rewired graphs are drawn evenly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import InvalidOptionError
from scholar_env.graph.citation_graph import CitationGraph, Edges, make_graph
from scholar_env.graph.cocitation import Incidence, incidence, pair_counts, pair_table, pairs_of
from scholar_env.graph.gather import Ints, Rows, is_member
from scholar_env.streams import column


@dataclass(frozen=True)
class NullModel:
    """How the null is drawn.

    Attributes:
        samples: Rewired graphs, 2 or more; mean and standard deviation are over these.
        rounds: Rounds of exchanges of each, 1 or more.
        seed: Decides all draws.
    """

    samples: int = 10
    rounds: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low in (("samples", self.samples, 2), ("rounds", self.rounds, 1)):
            if value < low:
                raise InvalidOptionError(f"{name}={value} of a null model", f"at least {low}", "take more")


def rewired(graph: CitationGraph, seed: int, purpose: str, rounds: int) -> CitationGraph:
    """Rewires a graph; months and order of ids stay, contexts are dropped.

    Args:
        graph: The graph.
        seed: Decides the draws, together with the purpose.
        purpose: Another one gives an independent graph.
        rounds: How often all references are paired.
    """
    source = np.repeat(np.arange(graph.n_papers), graph.n_references_of)
    target = graph.targets.astype(np.int64)
    years = graph.years.astype(np.int64)
    stratum = years[source] * 20_000 + years[target]
    for number in range(rounds):
        draws = column(seed, f"rewire/{purpose}/{number}", len(source))
        one, other = _partners(stratum, draws)
        heads = column(seed, f"coin/{purpose}/{number}", len(one)) >> np.uint64(31) > 0
        one, other = one[heads], other[heads]
        target = _exchanged(graph.n_papers, source, target, one, other)
    return make_graph(graph.n_papers, Edges(source, target), month=graph.month, id_rank=graph.id_rank)


def _partners(stratum: Ints, draws: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Pairs references at random within their strata; the odd one out has no partner."""
    order = np.lexsort((draws, stratum))
    groups = stratum[order]
    first = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
    within = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    one = np.flatnonzero(within % 2 == 0)
    one = one[one + 1 < len(order)]
    one = one[groups[one] == groups[one + 1]]
    return order[one], order[one + 1]


def _exchanged(size: int, source: Ints, target: Ints, one: Ints, other: Ints) -> Ints:
    """Exchanges the targets of paired references wherever the graph stays simple."""
    keys = np.stack(
        [
            *(source[one] * size + target[one], source[other] * size + target[other]),
            *(source[one] * size + target[other], source[other] * size + target[one]),
        ]
    )
    ranked = np.sort(keys, axis=None)
    repeated = ranked[1:][ranked[1:] == ranked[:-1]]
    present = np.sort(source * size + target)
    valid = (source[one] != target[other]) & (source[other] != target[one])
    valid &= ~is_member(present, keys[2]) & ~is_member(present, keys[3])
    valid &= ~is_member(repeated, keys.reshape(-1)).reshape(keys.shape).any(axis=0)
    out = target.copy()
    out[one[valid]], out[other[valid]] = target[other[valid]], target[one[valid]]
    return out


def rewired_z(
    graph: CitationGraph, units: Rows | None, cited: Incidence, counts: Rows, null: NullModel
) -> NDArray[np.float64]:
    """The z-score of each pair of each paper, in order: (o - mean) / standard deviation over rewired graphs.

    NaN where the count is the same in all of them.
    """
    table = pair_table(cited, counts)
    width = max(cited.n_units, 1)
    wanted = table.first * width + table.second
    total = np.zeros(len(wanted), dtype=np.int64)
    squares = np.zeros(len(wanted), dtype=np.int64)
    for sample in range(null.samples):
        drawn = incidence(rewired(graph, null.seed, str(sample), null.rounds), units)
        found = pair_table(drawn, pair_counts(drawn))
        keys = found.first * width + found.second
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        count = np.where(keys[place] == wanted, found.papers[place], 0) if len(keys) else np.zeros_like(wanted)
        total += count
        squares += count * count
    # integers up to here, so that the order of addition does not matter
    spread = null.samples * squares - total * total
    valid = spread > 0
    z = np.full(len(wanted), np.nan)
    z[valid] = (null.samples * table.papers[valid] - total[valid]) / np.sqrt(spread[valid])
    pairs = pairs_of(cited, 0, len(cited.starts) - 1)
    own = cited.units[pairs.first].astype(np.int64) * width + cited.units[pairs.second]
    return cast(NDArray[np.float64], z[np.searchsorted(wanted, own)])
