"""Text in, text out: the environment as a language model without tool calling sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs

from scholar_env.environment.spaces import Unicode
from scholar_env.environment.text_view import render_text
from scholar_env.environment.tool_space import ToolCallSpace

from .families import family_name

LONGEST_ACTION = 1_000_000


class CallText(Unicode):
    """Texts; a drawn one is a well-formed tool call in JSON.

    Args:
        calls: The tool calls to draw from.
        seed: Seed of the sampler.
    """

    def __init__(self, calls: ToolCallSpace, seed: int | None = None) -> None:
        super().__init__(LONGEST_ACTION, seed=None)
        self.calls = ToolCallSpace(calls.tools)
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: int | None = None) -> Any:
        """Seeds the sampler."""
        return self.calls.seed(seed)

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """Draws a call, as :meth:`ToolCallSpace.sample` does, and writes it as JSON."""
        return json.dumps(self.calls.sample(mask, probability), ensure_ascii=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallText) and self.calls == other.calls

    def __hash__(self) -> int:
        return hash((CallText, self.calls))

    def __repr__(self) -> str:
        return f"CallText({self.calls})"


class TextAction(gymnasium.Wrapper[str, str, Any, Any], RecordConstructorArgs):
    """Takes actions as text and shows the observation as text.

    An action may be a JSON call, fenced JSON, ``<tool_call>…</tool_call>``, or the tags ``<search>words</search>`` and
    ``<answer>ids</answer>``. A text without a call is answered with an error, as every malformed call is.

    Args:
        env: The environment.
        max_chars: Greatest length of an observation, in characters or in tokens of ``count_tokens``.
        count_tokens: Counts tokens; not part of the environment's spec.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        max_chars: int = 32_768,
        count_tokens: Callable[[str], int] | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(self, max_chars=max_chars)
        super().__init__(env)
        calls = env.action_space
        if not isinstance(calls, ToolCallSpace):
            raise TypeError(f"TextAction wraps an environment of tool calls, got the action space {calls}")
        self.max_chars = max_chars
        self._family = family_name(env)
        self._count_tokens = count_tokens
        self.action_space = CallText(calls)
        # A token has at least one character, but a page of many tokens may have many more characters than tokens.
        self.observation_space = Unicode(max_chars if count_tokens is None else 2**31 - 1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begins an episode; see :meth:`scholar_env.environment.env.ScholarEnv.reset`."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._text(observation), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Runs the calls that the text holds, in order."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._text(observation), float(reward), terminated, truncated, info

    def _text(self, observation: Any) -> str:
        return render_text(observation, max_chars=self.max_chars, count_tokens=self._count_tokens, family=self._family)
