"""The check of a tool's arguments, compiled once from their declarations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scholar_env.episode.plain_json import clip
from scholar_env.episode.schema import ActionError, Argument

Check = Callable[[Any], Any]
Validator = Callable[[Mapping[str, Any]], "dict[str, Any] | ActionError"]
KIND_NAMES = {
    "strings": "a list of strings",
    "integers": "a list of integers",
    "entries": "a list of objects",
}
"""Kinds that are lists, in words."""


def compile_validator(what: str, arguments: Sequence[Argument], example: Mapping[str, Any] | None = None) -> Validator:
    """Builds the check of one tool's arguments, once.

    Args:
        what: Name for messages.
        arguments: The declared arguments.
        example: A right call, shown in every message; None for no example.

    Returns:
        A function from plain JSON arguments to a dict with every declared argument (defaults filled in, strings that
        are not verbatim stripped of white space at the ends, integral floats as integers), or to the
        :class:`ActionError` of the first thing wrong.
    """
    hint = "" if example is None else f" Example: {json.dumps(example, ensure_ascii=False)}."
    table = {alias: (a.name, _check(a), a.required) for a in arguments for alias in (a.name, *a.aliases)}
    defaults = {a.name: a.default for a in arguments if not a.required}
    required = tuple(a.name for a in arguments if a.required)
    known = ", ".join(a.name for a in arguments) or "none"

    def validate(given: Mapping[str, Any]) -> dict[str, Any] | ActionError:
        clean = dict(defaults)
        for key, value in given.items():
            entry = table.get(key)
            if entry is None:
                return ActionError("unknown_argument", f"{what}: no argument {clip(key)!r}; there is: {known}.{hint}")
            name, check, needed = entry
            if value is None and not needed:
                continue
            try:
                clean[name] = check(value)
            except ActionError as problem:
                return ActionError(problem.code, f"{what}: {name} {problem.message}, got {shown(value)}.{hint}")
        for name in required:
            if name not in clean:
                return ActionError("missing_argument", f"{what}: the argument {name} is missing.{hint}")
        return clean

    return validate


def shown(value: Any) -> str:
    """Returns a short form of a plain JSON value for messages."""
    if isinstance(value, str):
        return clip(repr(value[:100]))
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return clip(json.dumps(value))


def conforms(arguments: Sequence[Argument], given: object) -> bool:
    """Whether plain JSON fits :func:`object_schema` of these arguments.

    This is narrower than what a tool takes: the other names of an argument, ``null`` for an absent one and white space
    around a choice are understood, but no member of the schema, and each entry of a list of objects is looked at.
    """
    if type(given) is not dict:
        return False
    declared = {argument.name: argument for argument in arguments}
    return all(name in declared and _conforms(declared[name], value) for name, value in given.items()) and all(
        argument.name in given for argument in arguments if argument.required
    )


def _conforms(argument: Argument, value: Any) -> bool:
    try:
        clean = _check(argument)(value)
    except ActionError:
        return False
    if argument.kind == "entries":
        return all(conforms(argument.items, entry) for entry in value)
    if argument.kind == "string":
        exact = bool(argument.choices or argument.pattern)
        return (clean == value or not exact) and (argument.max_length is None or len(value) <= argument.max_length)
    return True


def _check(argument: Argument) -> Check:
    checks: dict[str, Callable[[Argument], Check]] = {
        "string": _string,
        "integer": _integer,
        "number": _number,
        "boolean": _boolean,
        "strings": _strings,
        "integers": _integers,
        "entries": _entries,
        "object": _object,
    }
    return checks[argument.kind](argument)


def _string(argument: Argument) -> Check:
    least, most, choices = argument.min_length, argument.max_length, frozenset(argument.choices)
    pattern = re.compile(argument.pattern) if argument.pattern else None

    def check(value: Any) -> str:
        if type(value) is not str:
            raise ActionError("wrong_type", "must be a string")
        text: str = value if argument.verbatim else value.strip()
        if len(text) < least:
            raise ActionError("out_of_range", "must not be empty")
        if most is not None and len(text) > most:
            raise ActionError("out_of_range", f"must have at most {most} characters")
        if choices and text not in choices:
            raise ActionError("out_of_range", f"must be one of {', '.join(argument.choices)}")
        if text and not (_matches(pattern, text) and (argument.holds is None or argument.holds(text))):
            raise ActionError("out_of_range", f"must be {argument.pattern_hint}")
        return text

    return check


def _matches(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is None or pattern.fullmatch(text) is not None


def _integer(argument: Argument) -> Check:
    def check(value: Any) -> int:
        number = int(value) if type(value) is float and value.is_integer() else value
        if type(number) is not int:
            raise ActionError("wrong_type", "must be an integer")
        _require_within(number, argument)
        return number

    return check


def _number(argument: Argument) -> Check:
    def check(value: Any) -> float:
        if type(value) is not int and type(value) is not float:
            raise ActionError("wrong_type", "must be a number")
        _require_within(value, argument)
        return float(value)

    return check


def _require_within(number: float, argument: Argument) -> None:
    least, most = argument.minimum, argument.maximum
    if least is not None and number < least:
        raise ActionError("out_of_range", f"must be at least {least}")
    if most is not None and number > most:
        raise ActionError("out_of_range", f"must be at most {most}")


def _boolean(argument: Argument) -> Check:
    def check(value: Any) -> bool:
        if type(value) is not bool:
            raise ActionError("wrong_type", "must be true or false")
        return value

    return check


def _list(argument: Argument, check_item: Check | None = None) -> Check:
    least, most, kind = argument.min_length, argument.max_length, KIND_NAMES[argument.kind]

    def check(value: Any) -> list[Any]:
        if type(value) is not list:
            raise ActionError("wrong_type", f"must be {kind}")
        items = value if check_item is None else [check_item(item) for item in value]
        if len(value) < least:
            raise ActionError("out_of_range", f"must have at least {least} items")
        if most is not None and len(value) > most:
            raise ActionError("out_of_range", f"must have at most {most} items")
        return items

    return check


def _strings(argument: Argument) -> Check:
    def check_item(item: Any) -> Any:
        if type(item) is not str:
            raise ActionError("wrong_type", f"must be {KIND_NAMES[argument.kind]}")
        return item

    return _list(argument, check_item)


def _integers(argument: Argument) -> Check:
    integer = _integer(argument)

    def check_item(item: Any) -> Any:
        try:
            return integer(item)
        except ActionError as problem:
            if problem.code == "wrong_type":
                raise ActionError("wrong_type", f"must be {KIND_NAMES[argument.kind]}") from None
            raise ActionError(
                problem.code, f"must have items that are {problem.message.removeprefix('must be ')}"
            ) from None

    return _list(argument, check_item)


def _entries(argument: Argument) -> Check:
    """Only the list is checked here: each entry is checked on its own, so that one does not spoil the others."""
    return _list(argument)


def _object(argument: Argument) -> Check:
    """Any plain JSON object: depth and number of values are those of every call."""
    most = argument.max_length

    def check(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise ActionError("wrong_type", "must be an object")
        if most is not None and len(json.dumps(value, ensure_ascii=False)) > most:
            raise ActionError("out_of_range", f"must have at most {most} characters as JSON")
        return value

    return check
