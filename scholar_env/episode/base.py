"""The episode that every family shares: reading calls, refusing, charging, undoing, ending, copying.

A family subclasses :class:`~scholar_env.episode.state.EpisodeState` with what its calls change and :class:`EpisodeBase`
with its rules; its tools (:mod:`scholar_env.episode.tool`) do the work.
"""

from __future__ import annotations

import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from scholar_env.episode.calls import MALFORMED, Malformed, ToolCall, clip, parse_call
from scholar_env.episode.config import EpisodeConfigBase
from scholar_env.episode.documents import DocumentStore
from scholar_env.episode.retrieval import INFRASTRUCTURE
from scholar_env.episode.saved import load_state, save_state
from scholar_env.episode.schema import ActionError
from scholar_env.episode.state import COMMON_ENDINGS, Draft, Ending, EpisodeState
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Outcome, Page
from scholar_env.index.base import Index
from scholar_env.records import Task

__all__ = ["COMMON_ENDINGS", "Ending", "EpisodeBase", "EpisodeState"]

LOG: Final = logging.getLogger(__name__)


S = TypeVar("S", bound=EpisodeState)
C = TypeVar("C", bound=EpisodeConfigBase)


class EpisodeBase(ABC, Generic[S, C]):
    """One task from reset to its end.

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

    # Calls.

    def call(self, action: object) -> Outcome:
        """Runs one call, whatever it is; only faults of the code itself raise.

        A refused call costs one call and changes nothing else. A call that meets an infrastructure failure is undone
        whole and not charged; the episode is then over.
        """
        if self.state.stop_reason:
            return self._over()
        call = parse_call(action)
        self._draft = Draft()
        saved = self.state.copy() if self.may_need_undo(call) else self.state
        try:
            name, tool, refusal = self._dispatch(call)
            if self.LOGS_ALL or (refusal is None and tool is not None and tool.mutates):
                self.state.log.append(call.to_json())
            self._charge(tool, refusal)
        except INFRASTRUCTURE as problem:
            return self.fail(clip(call.name, 40) if isinstance(call, ToolCall) else MALFORMED, saved, problem)
        self.last = self._outcome(name, refusal)
        return self.last

    def fail(self, name: str, before: S, problem: Exception) -> Outcome:
        """Ends the episode for a failure that is nobody's fault, in the state before the call that met it.

        The log is told the whole problem, the agent its kind alone: the text may quote a request, gold ranks wanted
        and all.

        Args:
            name: Tool of the call.
            before: The state before the call; it is taken over, not copied.
            problem: What was raised after all retries.
        """
        LOG.warning("task %s: %s met an infrastructure failure", self.task.id, name, exc_info=problem)
        self.state = before
        self.state.stop("infrastructure")
        message = f"a part that this call needs cannot be reached ({clip(type(problem).__name__)})"
        self.last = Outcome(name, "infrastructure", message, failure_kind="infrastructure", ended=True)
        return self.last

    def _over(self) -> Outcome:
        kind = self.state.failure_kind
        return Outcome("", "ended", "the episode is over", ended=True, failure_kind=kind, invalid=True)

    def _dispatch(self, call: ToolCall | Malformed) -> tuple[str, Tool | None, ActionError | None]:
        if isinstance(call, Malformed):
            return MALFORMED, None, ActionError("malformed", self._malformed(call))
        tool = self._tools.get(call.name)
        if tool is None:
            return clip(call.name, 40), None, self._not_offered(call.name)
        refusal = self.begin(call, tool)
        if refusal is not None:
            return tool.name, tool, refusal
        arguments = tool.validate(call.arguments) if tool.checked else call.arguments
        if isinstance(arguments, ActionError):
            return tool.name, tool, arguments
        try:
            tool.handler(self, arguments)
        except ActionError as problem:
            return tool.name, tool, problem
        return tool.name, tool, None

    def _malformed(self, call: Malformed) -> str:
        first = next(iter(self.TOOLS.values()))
        example = json.dumps({"name": first.name, "arguments": first.example}, ensure_ascii=False)
        return f"not one tool call in JSON: {call.repr}. Example: {example}."

    def _not_offered(self, name: str) -> ActionError:
        tools = ", ".join(self._tools)
        if name in self.TOOLS:
            return ActionError("not_available", f"{name} is not part of this environment's options; tools: {tools}")
        return ActionError("unknown_tool", f"there is no tool {clip(name, 40)!r}; tools: {tools}")

    def _charge(self, tool: Tool | None, refusal: ActionError | None) -> None:
        state = self.state
        state.n_calls += 1
        if refusal is not None:
            state.n_invalid += 1
        elif tool is not None and not tool.charged:
            state.n_free += 1
        self.after(tool, refusal)
        if state.n_calls >= self.config.max_calls and not state.stop_reason:
            self.finish("max_calls")

    def _outcome(self, name: str, refusal: ActionError | None) -> Outcome:
        draft, state = self._draft, self.state
        code, message = (draft.error_code, draft.error) if refusal is None else (refusal.code, refusal.message)
        return Outcome(
            name, code, message, tuple(draft.notices), tuple(draft.pages), draft.document, tuple(draft.assessments),
            state.failure_kind, bool(state.stop_reason), refusal is not None, draft.payload,
        )  # fmt: skip

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

    # Copies.

    def parts(self) -> dict[str, Any]:
        """Returns what besides the five arguments made this episode, by keyword of the constructor."""
        return {}

    def fresh(self, **parts: Any) -> Self:
        """Returns the same episode at its start, with other parts (:meth:`parts`) where some are given."""
        shared = (self.corpus, self.index, self.task, self.config, self.resources)
        return type(self)(*shared, **{**self.parts(), **parts})

    def fork(self) -> Self:
        """Returns an independent episode in the same state; all that never changes is shared."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin._draft = Draft()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.fork()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_tools", "_draft")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._tools, self._draft = dict(self.offered(self.config)), Draft()

    # Saved states.

    def recorded(self) -> dict[str, list[Any]]:
        """Returns what else than its calls decided the episode, as lists of plain JSON by name (see :meth:`again`)."""
        return {}

    def again(self, record: Mapping[str, Any]) -> Self:
        """Returns a fresh episode in which the calls of a saved state run again.

        Args:
            record: The state, with the lists of :meth:`recorded`; anything may be in them.

        Raises:
            StateError: They cannot be read (:func:`scholar_env.episode.saved.unfit`).
        """
        return self.fresh()

    def get_state(self) -> dict[str, Any]:
        """Returns the state as plain JSON, without gold. See :mod:`scholar_env.episode.saved`."""
        return save_state(self)

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes to a saved state of the same task, corpus, index and options.

        Raises:
            StateError: The state is not one of these, or does not come out when its calls run again.
        """
        load_state(self, state)
