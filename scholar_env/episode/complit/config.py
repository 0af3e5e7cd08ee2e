"""The options of one episode of CompLit, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scholar_env.episode.config import COMMON_RANGES, EpisodeConfigBase, require_one_of

CALLS, MESSAGES = "calls", "messages"


@dataclass(frozen=True, slots=True)
class ComplitConfig(EpisodeConfigBase):
    """Options of one episode.

    Attributes:
        max_tool_calls: The budget: tool calls after which only answers are taken, in [1, 100000].
        budget_mode: ``calls`` counts tool calls and refused calls until the budget is spent; ``messages`` counts every
            call, answers and turns too.
        page_size: Results of a search, and the most that ``k`` can ask for, in [1, 100].
        grep_size: Hits of a ``grep``, and the most that ``k`` can ask for there, in [1, 100].
        conversation: Whether needs are told turn by turn; else all turns of a task are one question.
        figure_images: Whether figures come as pictures besides their data.
        max_abstract_chars: Characters of an abstract that a result shows, in [0, 1000000].
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {
        "max_tool_calls": (1, 100_000),
        "page_size": (1, 100),
        "grep_size": (1, 100),
        "max_abstract_chars": (0, 1_000_000),
        **COMMON_RANGES,
    }

    max_document_chars: int = 20_000
    max_tool_calls: int = 30
    budget_mode: str = CALLS
    page_size: int = 10
    grep_size: int = 20
    conversation: bool = False
    figure_images: bool = False
    max_abstract_chars: int = 4000

    def __post_init__(self) -> None:
        EpisodeConfigBase.__post_init__(self)  # super() does not work in a dataclass with slots
        require_one_of("budget_mode", self.budget_mode, (CALLS, MESSAGES))
