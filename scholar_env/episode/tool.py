"""A tool, declared once: name, one line, typed arguments, handler. Schemas, chat tools and checks follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scholar_env.episode.checks import Validator, compile_validator
from scholar_env.episode.schema import ActionError, Argument, object_schema

Handler = Callable[[Any, Mapping[str, Any]], None]
"""``handler(episode, arguments)``; refuses by raising :class:`ActionError` before it has changed anything."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. It pickles by its fields, so a handler is a function of a module.

    Attributes:
        name: Name in the call.
        description: One line for the agent.
        arguments: Its arguments in order.
        handler: What it does.
        example: Arguments of a right call, shown in errors.
        mutates: Whether it can change the episode beyond the counters.
        charged: Whether a call that runs costs a call of a family's own budget; refused calls always do.
        checked: Whether arguments are checked before the handler sees them; if not, it gets them as they came.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    handler: Handler
    example: dict[str, Any]
    mutates: bool = True
    charged: bool = True
    checked: bool = True
    _validate: Validator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        example = {"name": self.name, "arguments": self.example}
        object.__setattr__(self, "_validate", compile_validator(self.name, self.arguments, example))

    def __reduce__(self) -> tuple[type[Tool], tuple[Any, ...]]:
        fields = (self.name, self.description, self.arguments, self.handler, self.example)
        return Tool, (*fields, self.mutates, self.charged, self.checked)  # compiled checks do not pickle

    def __deepcopy__(self, memo: dict[int, Any]) -> Tool:
        return self

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any] | ActionError:
        """Checks plain JSON arguments; returns them complete and clean, or the first thing wrong."""
        return self._validate(arguments)

    def json_schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the arguments."""
        return object_schema(self.arguments)


def by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    """Returns tools by their names, in order."""
    return {tool.name: tool for tool in tools}


def openai_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """Returns the chat-completion tool list for these tools."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.json_schema()},
        }
        for tool in tools
    ]
