"""Checks that searches of several families share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scholar_env.episode.base import EpisodeBase


def capped_size(episode: EpisodeBase[Any, Any], k: int | None, size: int, *, where: str = "") -> int:
    """Returns the number of results to ask for, at most ``size`` and by default that, with a notice when capped."""
    if k is None or k <= size:
        return size if k is None else k
    episode.note(f"{where}k capped to {size}")
    return size


def date_bound(episode: EpisodeBase[Any, Any], wanted: str) -> str | None:
    """Returns the date bound of a search: the task's, or a tighter one that the agent wants.

    A later one gives a notice and the task's bound holds.

    Args:
        episode: The episode.
        wanted: A month, or ``""``.
    """
    before = episode.before
    if not wanted:
        return before
    if before is not None and wanted[:7] > before[:7]:
        episode.note(f"before {wanted} is later than the task's bound {before}, which holds")
        return before
    return wanted
