"""Pages written by hand: what trackers and terms may read of an episode."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Entry:
    paper: str


@dataclass
class Page:
    subquery: int
    entries: list[Entry]
    gold_ranks: list[int | None]
    gold_ranks_unexcluded: list[int | None]
