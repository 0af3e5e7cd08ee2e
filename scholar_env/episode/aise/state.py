"""Everything of an episode of AISE-Bench that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from scholar_env.episode import state as base
from scholar_env.episode.aise.executor import Status
from scholar_env.episode.state import COMMON_ENDINGS, Ending

ENDINGS: Final[Mapping[str, Ending]] = {
    **COMMON_ENDINGS,
    "budget_spent": Ending(truncated=True, failure_kind="policy"),
}


@dataclass(frozen=True, slots=True)
class Ran:
    """A step of the episode: a call of a plan, or one made by itself. None of its parts is ever changed.

    Attributes:
        name: Its name, unique in the episode.
        api: The API.
        rely: Names of the steps that it relies on; of a call made by itself, those whose results hold its parameters.
        order: When it was meant to run; of a call made by itself, its number.
        params: Parameters as planned.
        inputs: Parameters as sent, None where it was not called.
        status: What became of it.
        result: Its result, or what was wrong; None where it waits for parameters.
        planned: Whether a plan has it.
    """

    name: str
    api: str
    rely: tuple[str, ...]
    order: int
    params: Mapping[str, Any]
    inputs: Mapping[str, Any] | None
    status: Status
    result: Any
    planned: bool


@dataclass(slots=True)
class AiseState(base.EpisodeState):
    """The changing part of an episode.

    Attributes:
        ran: Steps by name, in the order in which they were first named.
        n_api: API calls made.
        n_over: Calls refused because the budget of API calls was spent.
        answer: The answer, None until it is given.
        reference: Its references.
        forced: Whether the answer came when nothing else was taken any more.
    """

    ENDINGS: ClassVar[Mapping[str, Ending]] = ENDINGS

    ran: dict[str, Ran] = field(default_factory=dict)
    n_api: int = 0
    n_over: int = 0
    answer: str | None = None
    reference: dict[str, Any] = field(default_factory=dict)
    forced: bool = False
