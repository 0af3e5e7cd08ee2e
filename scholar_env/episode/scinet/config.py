"""The options of one episode of SciNet, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scholar_env.episode.config import COMMON_RANGES, EpisodeConfigBase, invalid

TRUTH = "truth"
"""The judge that knows the graph."""


@dataclass(frozen=True, slots=True)
class ScinetConfig(EpisodeConfigBase):
    """Options of one episode.

    Attributes:
        max_tool_calls: The budget: calls after which only an answer is taken, in [1, 100,000].
        page_size: Papers of a search or list, and the most that ``k`` can ask for, in [1, 200].
        n_contexts: Citation contexts that one ``read`` shows, in [0, 100].
        judge: Who rates novelty, disruption, sentiment and rationality: ``truth``, or ``"package.module:name"`` of a
            :class:`~scholar_env.metrics.judges.Judge`.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {
        "max_tool_calls": (1, 100_000),
        "page_size": (1, 200),
        "n_contexts": (0, 100),
        **COMMON_RANGES,
    }

    max_tool_calls: int = 30
    page_size: int = 50
    n_contexts: int = 10
    judge: str = TRUTH

    def __post_init__(self) -> None:
        EpisodeConfigBase.__post_init__(self)  # super() does not work in a dataclass with slots
        if self.judge != TRUTH and not all(self.judge.partition(":")):
            raise invalid("judge", self.judge, "'truth' or a judge named \"package.module:name\"")
