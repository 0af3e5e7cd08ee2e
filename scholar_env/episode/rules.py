"""What a family writes of its episodes, and what the handlers of its tools use; how calls run is in `base`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from scholar_env.episode.calls import Malformed, ToolCall
from scholar_env.episode.config import EpisodeConfigBase
from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.schema import ActionError
from scholar_env.episode.state import Draft, EpisodeState
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Outcome, Page
from scholar_env.index.base import Index
from scholar_env.records import Task

S = TypeVar("S", bound=EpisodeState)
C = TypeVar("C", bound=EpisodeConfigBase)


class EpisodeRules(ABC, Generic[S, C]):
    """The rules of a family, and the state of one task that they are about.

    Args:
        corpus: The papers.
        index: The retrieval index over the same rows.
        task: What is asked.
        config: The options.
        resources: What the family opened once for the corpus (:attr:`Family.resources`), shared by all episodes.

    Attributes:
        TOOLS: All tools of the family by name, in the order of declaration.
        LOGS_ALL: Whether every call is logged, refused ones too: for families in which the number of calls or a refusal
            changes what follows. A saved state is then checked whole, the latest outcome included.
        DOCUMENTS: The forms of what ``show`` gives: name to type. Saved states are checked against them.
        state: Everything that changes.
        last: Outcome of the latest call, or None.
        before: The task's date bound, or None.
    """

    TOOLS: ClassVar[Mapping[str, Tool]]
    LOGS_ALL: ClassVar[bool] = False
    DOCUMENTS: ClassVar[tuple[Mapping[str, type], ...]] = ()

    def __init__(self, corpus: DocumentStore, index: Index, task: Task, config: C, resources: Any = None) -> None:
        self.corpus, self.index, self.task, self.config, self.resources = corpus, index, task, config, resources
        self.before: str | None = task.before or None
        self.state: S = self.first_state()
        self.last: Outcome | None = None
        self._tools = dict(self.offered(config))
        self._draft = Draft()

    # What a family declares.

    @classmethod
    @abstractmethod
    def offered(cls, config: C) -> Mapping[str, Tool]:
        """Returns the tools that an episode with these options takes, by name in the order of declaration."""

    @abstractmethod
    def first_state(self) -> S:
        """Returns the state before the first call."""

    @abstractmethod
    def budget(self) -> dict[str, int]:
        """Returns what is left: iterations, calls, results, characters (-1 = unlimited), answer_only (0 or 1)."""

    @abstractmethod
    def answer_ids(self) -> list[str]:
        """Returns what stands as the answer, as a record keeps it."""

    @abstractmethod
    def result_json(self) -> dict[str, Any]:
        """Returns what the calls came to, as far as an agent could know it, as plain JSON; never gold.

        A saved state is checked against it. It has the key ``stop_reason``.
        """

    @property
    def question(self) -> str:
        """What the agent has been asked so far; in a conversation it grows."""
        return self.task.question

    @property
    def turn(self) -> int:
        """0-based turn of a conversation; a search task has one turn."""
        return 0

    @property
    def assisted(self) -> bool:
        """Whether a part of the episode knows the gold."""
        return False

    def begin(self, call: ToolCall, tool: Tool) -> ActionError | None:
        """Refuses a call of an offered tool before its arguments are looked at, or lets it pass."""
        return None

    def after(self, tool: Tool | None, refusal: ActionError | None) -> None:
        """Draws consequences once a call is counted: budgets, phases, forced ends.

        Args:
            tool: The tool, None where none was named.
            refusal: Why the call was refused as a whole, None where it ran.
        """

    def may_need_undo(self, call: ToolCall | Malformed) -> bool:
        """Whether the call may change something and then meet an infrastructure failure."""
        return True

    def parts(self) -> dict[str, Any]:
        """Returns what besides the five arguments made this episode, by keyword of the constructor."""
        return {}

    def recorded(self) -> dict[str, list[Any]]:
        """Returns what else than its calls decided the episode, as lists of plain JSON by name (see :meth:`again`)."""
        return {}

    # Facts.

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that this episode takes."""
        return self._tools

    @property
    def n_calls(self) -> int:
        """Calls so far, malformed ones included."""
        return self.state.n_calls

    @property
    def n_invalid(self) -> int:
        """Calls refused as a whole."""
        return self.state.n_invalid

    @property
    def pages(self) -> list[Page]:
        """All pages in the order fetched."""
        return self.state.pages

    @property
    def terminated(self) -> bool:
        """Whether the task is over."""
        return self.state.terminated

    @property
    def truncated(self) -> bool:
        """Whether a limit outside the task ended it."""
        return self.state.truncated

    @property
    def stop_reason(self) -> str:
        """Why it ended, ``""`` while it runs."""
        return self.state.stop_reason

    @property
    def failure_kind(self) -> str:
        """``none``, ``policy`` or ``infrastructure``."""
        return self.state.failure_kind

    # What handlers use.

    def note(self, text: str) -> None:
        """Adds a remark to the running call's outcome."""
        self._draft.notices.append(text)

    def report(self, code: str, message: str) -> None:
        """Reports what was wrong with a part of a call that runs all the same."""
        self._draft.error_code, self._draft.error = code, message

    def show(self, document: dict[str, Any]) -> None:
        """Gives a document to the agent."""
        self._draft.document = document

    def page(self, page: Page) -> None:
        """Gives a page of results to the agent and keeps it."""
        self.state.pages.append(page)
        self._draft.pages.append(page)

    def give(self, payload: Mapping[str, Any]) -> None:
        """Adds to the payload of the running call: plain JSON by name, never changed afterwards."""
        self._draft.payload.update(payload)

    def finish(self, reason: str) -> None:
        """Ends the episode, unless it is over, for one of the state's ``ENDINGS``."""
        if not self.state.stop_reason:
            self.state.stop(reason)
