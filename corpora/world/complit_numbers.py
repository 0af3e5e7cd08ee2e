"""How many queries of each kind there are: for a world of some size, by number of constraints, by paper, by clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .choice import apportion
from .complit_mix import CompLitMix
from .complit_unmet import FIGURE_FACT, REFUTED, SILENT, TABLE_VALUE


def scaled(mix: CompLitMix, eligible: int) -> CompLitMix:
    """The numbers of a mix for a world that has few papers: half of its eligible papers, in proportion.

    Args:
        mix: The published numbers.
        eligible: Papers that may be targets.
    """
    alone = mix.unmet_targets - mix.shared_standard - mix.shared_implicit
    whole = 2 * (mix.standard_targets + mix.implicit_targets + alone)
    if eligible >= whole:
        return mix

    def part(number: int) -> int:
        return max(1, number * eligible // whole)

    turns = (part(mix.turns[0]), part(mix.turns[1]), part(mix.turns[2]))
    shared = part(mix.shared_standard), part(mix.shared_implicit)
    return replace(
        mix,
        standard=part(mix.standard),
        implicit=sum(turns),
        unmet=part(mix.unmet),
        mixed=part(mix.mixed),
        turns=turns,
        standard_targets=part(mix.standard_targets),
        implicit_targets=part(mix.implicit_targets),
        unmet_targets=sum(shared) + part(alone),
        shared_standard=shared[0],
        shared_implicit=shared[1],
    )


@dataclass(frozen=True)
class Way:
    """How a clause is false: its kind and status, see `complit_unmet`."""

    kind: str
    status: str


def ways_of(mix: CompLitMix) -> list[Way]:
    """One way for each Unmet query, in the shares of the mix; what fewer papers and plans allow comes first."""
    silent = mix.unmet * mix.silent // 100
    figures = (mix.unmet - silent) * mix.figure_facts // 100
    values = mix.unmet - silent - figures
    return [
        *[Way(FIGURE_FACT, REFUTED)] * figures,
        *[Way(TABLE_VALUE, SILENT)] * silent,
        *[Way(TABLE_VALUE, REFUTED)] * values,
    ]


def sizes_of(queries: int, weights: Sequence[int], least: int) -> list[int]:
    """Numbers of constraints for queries, in the proportion of weights that begin with the least number."""
    shares = apportion(queries, weights).tolist()
    return [size for size, count in enumerate(shares, least) for _ in range(count)]


def quotas(queries: int, papers: int) -> list[int]:
    """How many queries each paper gets, the larger numbers first."""
    each, more = divmod(queries, papers)
    return [each + (number < more) for number in range(papers)]
