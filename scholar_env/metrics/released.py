"""What the measures of released code share: a crash of the release is a declared error that names its class."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scholar_env.errors import ScholarEnvError


class ReleaseCrashError(ScholarEnvError):
    """The released code raises on this input.

    Attributes:
        kind: Name of the exception class that it raises.
    """

    def __init__(self, kind: str, message: str, function: str) -> None:
        super().__init__(
            f"the released {function} raises {kind}: {message}",
            "answers are lists of objects with an id, and stored lists are JSON",
            "correct the input, or use the measure's own form, which takes it",
        )
        self.args = (kind, message, function)
        self.kind = kind


@contextmanager
def as_released(function: str) -> Iterator[None]:
    """Runs the block as the release runs ``function``: what it raises becomes a :class:`ReleaseCrashError`."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ReleaseCrashError(type(error).__name__, str(error), function) from error
