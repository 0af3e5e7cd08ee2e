"""Typed arguments of a tool and their JSON schema; what is checked of them is in :mod:`scholar_env.episode.checks`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["string", "integer", "number", "boolean", "strings", "integers", "entries", "object"]
LISTS = {"strings": "string", "integers": "integer", "entries": "object"}
"""Kinds that are lists, with the JSON type of an item."""


class ActionError(Exception):
    """Why a call was refused.

    Attributes:
        code: One word for programs (``wrong_type``, ``unknown_source``, …).
        message: What was wrong and how a right call looks, for the agent.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool.

    Attributes:
        name: Name in the call.
        kind: Its type; there are no union types.
        description: One line for the agent.
        required: Whether a call without it is refused; ``null`` counts as absent where it is not.
        default: Value when absent (``None`` = the handler decides).
        minimum: Least number; of ``integers``, least item.
        maximum: Largest number; of ``integers``, largest item.
        min_length: Least number of characters or items; of a string that is not verbatim, without white space at its
            ends.
        max_length: Largest number of characters or items; of an ``object``, characters of its JSON.
        pattern: Regular expression that a string must match whole, unless it is empty.
        pattern_hint: What the pattern means, and ``holds`` with it, in words.
        holds: What else must hold of a string that matches, where a pattern cannot say it; a function of a module. The
            JSON schema does not tell it.
        choices: Allowed strings, empty for any.
        aliases: Further names under which it is understood, never shown.
        items: Fields of an entry, for kind ``entries``.
        verbatim: Whether white space at the ends of a string belongs to it; else it is stripped.
    """

    name: str
    kind: Kind
    description: str
    required: bool = True
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    min_length: int = 0
    max_length: int | None = None
    pattern: str = ""
    pattern_hint: str = ""
    holds: Callable[[str], bool] | None = None
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    items: tuple[Argument, ...] = ()
    verbatim: bool = False

    def json_schema(self) -> dict[str, Any]:
        """Returns the JSON schema of this argument's value."""
        schema: dict[str, Any] = {"description": self.description}
        if self.kind in LISTS:
            schema["type"] = "array"
            schema["items"] = object_schema(self.items) if self.kind == "entries" else {"type": LISTS[self.kind]}
            _set(schema["items"], minimum=self.minimum, maximum=self.maximum)
            _set(schema, minItems=self.min_length or None, maxItems=self.max_length)
            return schema
        schema["type"] = self.kind
        if self.kind == "string":
            anchored = (
                f"^({self.pattern})?$" if self.pattern else None
            )  # a JSON schema searches, it does not match whole
            _set(schema, minLength=self.min_length or None, maxLength=self.max_length, pattern=anchored)
            _set(schema, enum=list(self.choices) or None)
        _set(schema, minimum=self.minimum, maximum=self.maximum)
        if self.default is not None:
            schema["default"] = self.default
        return schema


def _set(schema: dict[str, Any], **values: Any) -> None:
    schema.update({key: value for key, value in values.items() if value is not None})


def object_schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Returns the JSON schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": {argument.name: argument.json_schema() for argument in arguments},
        "required": [argument.name for argument in arguments if argument.required],
        "additionalProperties": False,
    }
