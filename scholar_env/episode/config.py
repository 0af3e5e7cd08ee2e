"""The options that episodes of every family have, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final

from scholar_env.errors import InvalidOptionError

COMMON_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "max_calls": (1, 100_000),
    "max_document_chars": (100, 10_000_000),
}


@dataclass(frozen=True, slots=True)
class EpisodeConfigBase:
    """Options of one episode; a family adds its own.

    Attributes:
        RANGES: Least and largest value of every whole number.
        max_calls: Calls of an episode, malformed ones included, after which it is truncated.
        max_document_chars: Characters of a section or abstract that one ``read`` returns.
        retry_delay: Seconds before the first of three retries after an infrastructure failure; it doubles each time.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = COMMON_RANGES

    max_calls: int = 200
    max_document_chars: int = 8000
    retry_delay: float = 0.5

    def __post_init__(self) -> None:
        for name, (least, most) in self.RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise invalid(name, value, f"an integer in [{least}, {most}]")
        if type(self.retry_delay) not in (int, float) or not 0 <= self.retry_delay <= 60:
            raise invalid("retry_delay", self.retry_delay, "a number of seconds in [0, 60]")

    def to_json(self) -> dict[str, Any]:
        """Returns the options as plain JSON values."""
        return asdict(self)


def invalid(name: str, value: object, rule: str) -> InvalidOptionError:
    """Returns the error for an option with a bad value."""
    return InvalidOptionError(f"{name}={value!r}", f"{name} is {rule}", f"pass {name} as {rule}")


def require_one_of(name: str, value: object, allowed: tuple[str | None, ...]) -> None:
    """Refuses a value that is none of these.

    Raises:
        InvalidOptionError: It is none.
    """
    if value not in allowed:
        raise invalid(name, value, "one of " + ", ".join(map(repr, allowed)))
