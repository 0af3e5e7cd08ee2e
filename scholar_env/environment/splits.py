"""The cards of a benchmark whose ids differ by their split alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scholar_env.environment.card import Card, Option
from scholar_env.environment.options import all_options


@dataclass(frozen=True)
class Split:
    """One id of a benchmark.

    Attributes:
        name: As the id has it.
        split: As ``tasks(corpus, split)`` has it.
        n_tasks: Tasks of the released split, None when their number depends on the corpus alone.
        summary: One sentence for lists.
        further: Options that the benchmark's other ids lack.
    """

    name: str
    split: str
    n_tasks: int | None
    summary: str
    further: tuple[Option, ...] = ()


def split_cards(
    benchmark: str, own: tuple[Option, ...], make: Callable[..., Card], splits: Iterable[Split]
) -> tuple[Card, ...]:
    """The cards of a benchmark, one a split.

    Args:
        benchmark: Name of the benchmark in ids.
        own: The benchmark's own options.
        make: A card out of what differs between the ids.
        splits: The splits.
    """
    return tuple(
        make(
            id=f"{benchmark}-{entry.name}-v0",
            split=entry.split,
            summary=entry.summary,
            n_tasks=entry.n_tasks,
            options=all_options(entry.split, (*own, *entry.further)),
        )
        for entry in splits
    )
