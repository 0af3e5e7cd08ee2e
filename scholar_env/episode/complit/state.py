"""What changes in an episode of CompLit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from scholar_env.episode.base import COMMON_ENDINGS, Ending, EpisodeState
from scholar_env.metrics.complit import Answer
from scholar_env.metrics.complit_views import CallMark

ENDINGS: Final[Mapping[str, Ending]] = {
    **COMMON_ENDINGS,
    "no_answer": Ending(truncated=True, failure_kind="policy"),
}
"""``no_answer``: the budget was spent, and two calls that are no answer followed."""


@dataclass(slots=True)
class ComplitState(EpisodeState):
    """The state of an episode.

    Attributes:
        turn: 0-based turn of the conversation.
        said: What the user said, one text a turn: the answer to the agent, if any, and the utterance.
        answer: The current answer, None without one; at the end of the episode the verdict.
        rationale: What the agent gave for it.
        turn_answers: The answer that stood at the end of each turn that is over.
        final: Whether the verdict was given.
        answer_only: Whether the budget is spent.
        forced: Whether the verdict came only then.
        n_refused_late: Calls refused since.
        listed: Paper shown in a list of results or hits to the budget spent by then, in the order shown.
        opened: Paper that was read to the budget spent by then.
        n_listed: Entries of all lists, repeated papers counted each time.
        n_characters: Characters of the titles and abstracts of results, the snippets of hits, and the texts of papers
            that were shown; the data of figures do not count.
        n_searches: Calls of ``search`` that ran.
        n_greps: Calls of ``grep`` that ran.
        n_reads: Calls of ``read`` that ran.
        marks: How things stood after each call.
    """

    ENDINGS: ClassVar[Mapping[str, Ending]] = ENDINGS

    turn: int = 0
    said: list[str] = field(default_factory=list)
    answer: Answer | None = None
    rationale: str = ""
    turn_answers: list[Answer | None] = field(default_factory=list)
    final: bool = False
    answer_only: bool = False
    forced: bool = False
    n_refused_late: int = 0
    listed: dict[str, int] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    n_listed: int = 0
    n_characters: int = 0
    n_searches: int = 0
    n_greps: int = 0
    n_reads: int = 0
    marks: list[CallMark] = field(default_factory=list)
