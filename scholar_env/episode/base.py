"""The episode that every family shares: reading calls, refusing, charging, undoing, ending, copying.

A family subclasses :class:`~scholar_env.episode.state.EpisodeState` with what its calls change and :class:`EpisodeBase`
with its rules; its tools (:mod:`scholar_env.episode.tool`) do the work.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, Final, Self

from scholar_env.episode.calls import MALFORMED, Malformed, ToolCall, parse_call
from scholar_env.episode.plain_json import clip
from scholar_env.episode.retrieval import INFRASTRUCTURE
from scholar_env.episode.rules import C, EpisodeRules, S
from scholar_env.episode.saved import load_state, save_state
from scholar_env.episode.schema import ActionError
from scholar_env.episode.state import COMMON_ENDINGS, Draft, Ending, EpisodeState
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Outcome

__all__ = ["COMMON_ENDINGS", "Ending", "EpisodeBase", "EpisodeState"]

LOG: Final = logging.getLogger(__name__)


class EpisodeBase(EpisodeRules[S, C]):
    """One task from reset to its end; arguments and attributes are those of its rules."""

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

    # Copies.

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
