"""Tool calls as they arrive from agents, and their one canonical form.

The canonical action is ``{"name": str, "arguments": {…}}``. :func:`parse_call` reads it, and every other form that chat
models send, without ever raising: what cannot be read as one call becomes a :class:`Malformed`, whose record ``{"name":
"__malformed__", "repr": …}`` reads back to the same value and so replays to the same error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scholar_env.episode.plain_json import NotJsonError, clip, loads, plain, type_name, valid_key, valid_text

MALFORMED = "__malformed__"
MAX_CALLS_IN_MESSAGE = 64
MAX_CHARACTERS = 1_000_000
MAX_MESSAGE_DEPTH = 8
MAX_PLACES = 1_000
ARGUMENT_KEYS = ("arguments", "args", "parameters", "input")
NAME_KEYS = ("name", "tool", "tool_name", "function")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        name: Name of the tool, known or not.
        arguments: Plain JSON values by argument name, a private copy of what was sent.
    """

    name: str
    arguments: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Returns the canonical action."""
        return {"name": self.name, "arguments": self.arguments}


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that is not one tool call in plain JSON.

    Attributes:
        repr: Why, and what it looked like, at most a few hundred characters of valid Unicode.
    """

    repr: str

    def to_json(self) -> dict[str, Any]:
        """Returns the record that replays to the same error."""
        return {"name": MALFORMED, "repr": self.repr}


def parse_call(action: object) -> ToolCall | Malformed:
    """Reads one call; never raises, whatever comes.

    Args:
        action: The canonical dict, or any form that :func:`parse_calls` reads and that holds exactly one call.

    Returns:
        The call, or why there is none. A message of several calls is malformed here: a step runs one call.
    """
    if type(action) is ToolCall or type(action) is Malformed:
        return _checked(action)
    calls = parse_calls(action)
    return calls[0] if len(calls) == 1 else Malformed(f"{len(calls)} calls in one action, of which a step runs one")


def _canonical(name: str, arguments: dict[Any, Any]) -> ToolCall | Malformed:
    try:
        return ToolCall(valid_text(name), plain(arguments))
    except NotJsonError as problem:
        return _malformed(problem, name)


def _checked(action: ToolCall | Malformed) -> ToolCall | Malformed:
    """A record made by hand may hold anything, so it is read like the dict that it stands for."""
    if isinstance(action, ToolCall):
        return parse_calls({"name": action.name, "arguments": action.arguments})[0]
    return Malformed(clip(action.repr, 300)) if type(action.repr) is str else Malformed("a record without text")


def parse_calls(action: object) -> list[ToolCall | Malformed]:
    """Reads every call of an action, a chat message or a text, in order; never raises and never returns an empty list.

    Read are: the canonical dict; ``tool``/``function`` forms (``{"function": {"name", "arguments"}}``, ``{"tool": …,
    "arguments": …}``, ``{"type": "tool_use", "name", "input"}``) with arguments as a dict or as a JSON string; chat
    messages with ``tool_calls``, ``function_call`` or ``content``; lists of these; and texts (see
    :func:`scholar_env.episode.calls_text.read_text`).
    """
    fields = fields_of(action)
    if type(fields.get("name")) is str and type(fields.get("arguments")) is dict:
        return [_canonical(fields["name"], fields["arguments"])]
    try:
        calls = _Reader().read(action, MAX_MESSAGE_DEPTH)
    except NotJsonError as problem:
        return [_malformed(problem, action)]
    if len(calls) > MAX_CALLS_IN_MESSAGE:
        return [Malformed(f"{len(calls)} calls, more than {MAX_CALLS_IN_MESSAGE}")]
    return calls or [Malformed("no tool call in it")]


def fields_of(action: object) -> dict[str, Any]:
    """Returns a dict whose keys are all plain strings, and the empty dict in place of everything else.

    Only its keys may be looked at without care: a value may raise when it is compared or tested for truth.
    """
    if type(action) is dict and all(type(key) is str for key in action):
        return action
    return {}


class _Reader:
    """Walks one message; the places that it looks at are bounded, so that a message that holds itself ends too."""

    def __init__(self) -> None:
        self.left = MAX_PLACES

    def read(self, action: object, depth: int) -> list[ToolCall | Malformed]:
        kind = type(action)
        if kind is ToolCall or kind is Malformed:
            return [parse_call(action)]
        self.left -= 1
        if depth == 0 or self.left < 0:
            raise NotJsonError(
                f"a message nested deeper than {MAX_MESSAGE_DEPTH} levels or of more than {MAX_PLACES} parts"
            )
        if kind is str:
            from scholar_env.episode.calls_text import read_text

            return read_text(valid_text(action))
        if issubclass(kind, dict):
            return self.read_dict(_dict(action), depth)
        if issubclass(kind, list):
            return self.read_list(_list(action), depth)
        raise NotJsonError(f"a value of type {type_name(action)} instead of a call")

    def read_list(self, actions: list[object], depth: int) -> list[ToolCall | Malformed]:
        if len(actions) > MAX_CALLS_IN_MESSAGE:
            raise NotJsonError(f"{len(actions)} calls, more than {MAX_CALLS_IN_MESSAGE}")
        calls: list[ToolCall | Malformed] = []
        for action in actions:
            try:
                calls.extend(self.read(action, depth - 1))
            except NotJsonError as problem:
                calls.append(_malformed(problem, action))
        return calls

    def read_dict(self, action: dict[str, Any], depth: int) -> list[ToolCall | Malformed]:
        name, shown = action.get("name"), action.get("repr")
        if type(name) is str and name == MALFORMED and type(shown) is str:
            return [Malformed(clip(shown, 300))]
        for key in ("tool_calls", "function_call"):
            if not _is_empty(action.get(key)):
                return self.read(action[key], depth - 1)
        name = next((action[key] for key in NAME_KEYS if key in action), None)
        if issubclass(type(name), dict):
            return self.read(name, depth - 1)
        if "content" in action and ("role" in action or type(name) is not str):
            return self.read_content(action["content"], depth)
        if type(name) is not str:
            raise NotJsonError("an object without the name of a tool")
        return [ToolCall(valid_text(name), _arguments(action))]

    def read_content(self, content: object, depth: int) -> list[ToolCall | Malformed]:
        """The content of a chat message: a text, or a list of parts of which texts and tool uses count."""
        if type(content) is not list:
            return self.read("" if content is None else content, depth - 1)
        calls: list[ToolCall | Malformed] = []
        for part in content[:MAX_CALLS_IN_MESSAGE]:
            fields = fields_of(part)
            kind = fields.get("type")
            if type(kind) is not str:
                continue
            if kind == "text":
                found = self.read(fields.get("text"), depth - 1)
                calls.extend(found if any(type(call) is ToolCall for call in found) else [])
            elif kind in ("tool_use", "tool_call", "function"):
                calls.extend(self.read(part, depth - 1))
        return calls


def _is_empty(value: object) -> bool:
    """Whether a field says nothing; only JSON's own types are asked, since others may raise."""
    return value is None or (type(value) in (bool, str, list, dict) and not value)


def _dict(value: Any) -> dict[str, Any]:
    items = list(dict.items(value))
    for key, _ in items:  # before a dict is made of them, which would compare keys
        valid_key(key)
    return dict(items)


def _list(value: Any) -> list[object]:
    return list(list.__iter__(value))


def _arguments(action: dict[str, Any]) -> dict[str, Any]:
    arguments = next((action[key] for key in ARGUMENT_KEYS if key in action), None)
    if type(arguments) is str:
        arguments = loads(arguments) if arguments.strip() else {}
    arguments = {} if arguments is None else plain(arguments)
    if type(arguments) is not dict:
        raise NotJsonError(f"arguments of type {type_name(arguments)} instead of an object")
    return arguments


def _malformed(problem: NotJsonError, action: object) -> Malformed:
    shown = f": {clip(action)}" if type(action) is str else ""
    return Malformed(clip(f"{problem}{shown}", 300))
