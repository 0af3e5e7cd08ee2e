"""What changes in an episode of SciNet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from scholar_env.episode.state import COMMON_ENDINGS, Ending, EpisodeState

ENDINGS: Final[Mapping[str, Ending]] = {
    **COMMON_ENDINGS,
    "budget_spent": Ending(truncated=True, failure_kind="policy"),
}
"""``budget_spent``: the budget was spent, and two calls that are no answer followed."""


@dataclass(slots=True)
class ScinetState(EpisodeState):
    """The state of an episode.

    Attributes:
        given: The answer as it was given, each paper by its id in the corpus where there is one; None without an
            answer. An abstention is an empty one.
        forced: Whether it came only when the budget was spent.
        n_late: Calls refused since.
        listings: For each call that showed a list of papers its number, the paper whose list it is ("" for a search),
            and the papers.
        n_contexts: Citation contexts shown.
    """

    ENDINGS: ClassVar[Mapping[str, Ending]] = ENDINGS

    given: list[str] | None = None
    forced: bool = False
    n_late: int = 0
    listings: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    n_contexts: int = 0
