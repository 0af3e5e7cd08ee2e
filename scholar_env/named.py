"""What a text ``"package.module:name"`` names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scholar_env.errors import InvalidOptionError


def named(reference: str) -> Any:
    """Imports what a text names.

    Raises:
        ImportError: There is no such module.
        AttributeError: The module has no such name.
        ValueError: The text names no module.
    """
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def load_named(option: str, reference: str) -> Any:
    """Imports something that can be called and that an option of the user's names.

    Raises:
        InvalidOptionError: There is no such module or name, or it cannot be called.
    """
    try:
        found = named(reference)
    except (ImportError, AttributeError, ValueError) as problem:
        raise InvalidOptionError(
            f"{option}={reference!r} cannot be imported ({problem})",
            'a callable is named "package.module:name"',
            "check the spelling, and that the module is on the path of this Python",
        ) from problem
    return require_callable(option, reference, found)


def require_callable(option: str, reference: str, found: Any) -> Any:
    """Returns what an option of the user's named, where it can be called.

    Raises:
        InvalidOptionError: It cannot.
    """
    if not callable(found):
        raise InvalidOptionError(
            f"{option}={reference!r} is a {type(found).__name__}",
            "it names something that can be called",
            "name a function or a class",
        )
    return found
