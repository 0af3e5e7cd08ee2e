"""The chat view: the episode as a list of messages with roles, as chat models take and give them."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import gymnasium
from gymnasium.spaces import Space
from gymnasium.utils import RecordConstructorArgs

from scholar_env.environment.text_view import render_text
from scholar_env.environment.tool_space import ToolCallSpace
from scholar_env.episode.calls import fields_of, parse_calls
from scholar_env.episode.family import family

from .families import family_name

ROLES = ("system", "user", "assistant", "tool")


class MessageSpace(Space[list[dict[str, Any]]]):
    """Lists of chat messages: dicts with a known role and a text as content."""

    @property
    def is_np_flattenable(self) -> bool:
        """False: messages are not arrays."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> list[dict[str, Any]]:
        """Draws one user message."""
        return [{"role": "user", "content": f"message {int(self.np_random.integers(1_000_000))}"}]

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is such a list."""
        return isinstance(x, list) and all(
            isinstance(message, dict) and message.get("role") in ROLES and isinstance(message.get("content"), str)
            for message in x
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MessageSpace)

    def __hash__(self) -> int:
        return hash(MessageSpace)

    def __repr__(self) -> str:
        return "MessageSpace()"


class Messages(gymnasium.Wrapper[list[dict[str, Any]], Any, Any, Any], RecordConstructorArgs):
    """Shows the whole conversation so far; takes the next assistant message.

    An action is an assistant message (with ``tool_calls``, or text that holds calls), a text, or a call. Its calls run
    one after the other; each is answered by a message of role ``tool`` with the id of its call. No message holds
    reward, metrics, task id or environment id.

    Args:
        env: The environment.
        system: Content of a system message at the start, "" for none.
        max_chars: Greatest length of one answer.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], system: str = "", max_chars: int = 16_384) -> None:
        RecordConstructorArgs.__init__(self, system=system, max_chars=max_chars)
        super().__init__(env)
        if not isinstance(env.action_space, ToolCallSpace):
            raise TypeError(f"Messages wraps an environment of tool calls, got the action space {env.action_space}")
        self.system = system
        self.max_chars = max_chars
        self._family = family(family_name(env))
        self.tools = env.action_space.openai_tools()
        self.observation_space = MessageSpace()
        self.action_space = env.action_space
        self._messages: list[dict[str, Any]] = []
        self._n_calls = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Begins an episode with the question as the user's message."""
        observation, info = self.env.reset(seed=seed, options=options)
        first = {"role": "user", "content": self._text(observation, self._family.opening)}
        self._messages = [{"role": "system", "content": self.system}, first] if self.system else [first]
        self._n_calls = 0
        return copy.deepcopy(self._messages), info

    def step(self, action: Any) -> tuple[list[dict[str, Any]], float, bool, bool, dict[str, Any]]:
        """Takes an assistant message and answers each of its calls; the rewards are summed."""
        calls = [call.to_json() for call in parse_calls(action)]
        ids = _call_ids(action, len(calls), self._n_calls)
        self._n_calls += len(calls)
        self._messages.append(_assistant(action, calls, ids))
        rewards = []
        for call, call_id in zip(calls, ids, strict=True):
            observation, reward, terminated, truncated, info = self.env.step(call)
            rewards.append(float(reward))
            content = self._text(observation, self._family.answers)
            self._messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
            if terminated or truncated:
                break
        return copy.deepcopy(self._messages), math.fsum(rewards), terminated, truncated, info

    def _text(self, observation: Any, sections: tuple[str, ...]) -> str:
        return render_text(observation, max_chars=self.max_chars, sections=sections, family=self._family.name)


def _call_ids(action: Any, n_calls: int, n_before: int) -> list[str]:
    """The ids that the message gives its calls, or consecutive ones."""
    given = fields_of(action).get("tool_calls")
    if type(given) is list and len(given) == n_calls:
        ids = [fields_of(call).get("id") for call in given]
        if all(type(call_id) is str and call_id.isascii() for call_id in ids):
            return [str(call_id) for call_id in ids]
    return [f"call_{n_before + place}" for place in range(n_calls)]


def _assistant(action: Any, calls: list[dict[str, Any]], ids: list[str]) -> dict[str, Any]:
    """The assistant message of the conversation, in canonical form."""
    content = action if type(action) is str else fields_of(action).get("content")
    named = [
        {
            "id": call_id,
            "type": "function",
            "function": {
                "name": call["name"],
                "arguments": json.dumps(call.get("arguments", {}), ensure_ascii=False),
            },
        }
        for call, call_id in zip(calls, ids, strict=True)
    ]
    text = content if type(content) is str else ""
    return {"role": "assistant", "content": text.encode("utf-8", "backslashreplace").decode(), "tool_calls": named}
