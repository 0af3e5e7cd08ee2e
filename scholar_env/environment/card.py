"""The card: everything about a registered environment that can be known without opening a corpus."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scholar_env.errors import InvalidOptionError

_TYPES: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "list": (list,),
    "dict": (dict,),
}


@dataclass(frozen=True)
class Option:
    """One keyword argument of an environment.

    Attributes:
        name: The keyword.
        kind: ``bool``, ``int``, ``float``, ``str``, ``list`` or ``dict``.
        default: Value when it is not given; for a frozen option the only value.
        doc: One sentence for the reader.
        frozen: Whether overriding it would change what the id means.
        nullable: Whether None is a value.
        choices: Admissible values; empty = not enumerated.
        low: Least number, inclusive.
        high: Greatest number, inclusive.
        imports: Whether a string with a colon names a callable (``"package.module:name"``).
    """

    name: str
    kind: str
    default: Any
    doc: str
    frozen: bool = False
    nullable: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    imports: bool = False

    def check(self, value: Any, env_id: str) -> Any:
        """Returns the value when it is admissible.

        Raises:
            InvalidOptionError: Frozen and different, of another type, not JSON-able, or out of range.
        """
        if self.frozen and value != self.default:
            raise InvalidOptionError(
                f"{self.name}={value!r} was given for {env_id}",
                f"{self.name} is frozen to {self.default!r}, it is part of what the id means",
                f"leave {self.name} out, or make the id that has it",
            )
        if value is None and self.nullable:
            return None
        rule = self.rule()
        if not isinstance(value, _TYPES[self.kind]) or (isinstance(value, bool) and self.kind != "bool"):
            raise InvalidOptionError(f"{self.name}={value!r} ({type(value).__name__})", rule, "change the value")
        _require_json(self.name, value)
        is_number = self.kind in ("int", "float")
        outside = is_number and not (_at_most(self.low, value) and _at_most(value, self.high))
        named = self.imports and isinstance(value, str) and ":" in value
        unknown = bool(self.choices) and not named and value not in self.choices
        if outside or unknown:
            raise InvalidOptionError(f"{self.name}={value!r}", rule, "change the value")
        return value

    def rule(self) -> str:
        """What the option takes, in words."""
        text = f"{self.name} is {self.kind}"
        if self.choices:
            text = f"{self.name} is one of {', '.join(map(repr, self.choices))}"
        if self.low is not None or self.high is not None:
            low = "" if self.low is None else f" from {_plainly(self.low)}"
            text += low + ("" if self.high is None else f" to {_plainly(self.high)}")
        if self.imports:
            text += ' or a callable named "package.module:name"'
        return text + (" or None" if self.nullable else "")


def _plainly(bound: float) -> str:
    """A number without an exponent or a fraction of zeros where it is whole."""
    return str(int(bound)) if float(bound).is_integer() else f"{bound:g}"


def _at_most(least: Any, most: Any) -> bool:
    return least is None or most is None or bool(least <= most)


def _require_json(name: str, value: Any, depth: int = 0) -> None:
    """Environment arguments are str, int, finite float, bool, None, list and dict with str keys, nothing else."""
    good = value is None or type(value) in (bool, int, str)
    if type(value) is float:
        good = math.isfinite(value)
    elif type(value) is list and depth < 8:
        good = True
        for item in value:
            _require_json(name, item, depth + 1)
    elif type(value) is dict and depth < 8:
        good = all(type(key) is str for key in value)
        for item in value.values():
            _require_json(name, item, depth + 1)
    if not good:
        raise InvalidOptionError(
            f"{name} holds {value!r} ({type(value).__name__})",
            "environment arguments are str, int, finite float, bool, None, list and dict with str keys",
            'convert it, or name a callable as "package.module:name"',
        )


@dataclass(frozen=True)
class Card:
    """A registered environment as a value.

    Attributes:
        id: The Gymnasium id.
        family: Name of its family (:mod:`scholar_env.episode.family`).
        benchmark: Module of the shelf ``scholar_env.envs`` that holds the documentation page and ``tasks``.
        split: Which tasks of a corpus: an argument of the benchmark's ``tasks(corpus, split)``.
        summary: One sentence for lists.
        n_tasks: Number of tasks in the released benchmark, None when it depends on the corpus alone.
        options: All keyword arguments, in the order of the page.
        tools: Names of the tools of the action space.
        observation: Keys of the observation in order, the common ones first.
        metrics: Names in ``info["metrics"]``: those of the family's that are defined for its tasks.
        default_reward: Reward weights by name; the family says which entry holds for an episode's options.
        references: Where the benchmark comes from.
        recorded_only: Metrics that can be gamed: told, and refused as a reward.
        default_corpora: Corpora that ``corpus=None`` prefers to the generated world, where they are installed.
    """

    id: str
    family: str
    benchmark: str
    split: str
    summary: str
    n_tasks: int | None
    options: tuple[Option, ...]
    tools: tuple[str, ...]
    observation: tuple[str, ...]
    metrics: tuple[str, ...]
    default_reward: Mapping[str, Mapping[str, float]]
    references: tuple[str, ...] = field(default=())
    recorded_only: tuple[str, ...] = field(default=())
    default_corpora: tuple[str, ...] = field(default=())

    def option(self, name: str) -> Option:
        """The option of that name.

        Raises:
            InvalidOptionError: There is none; the message names the nearest one.
        """
        for option in self.options:
            if option.name == name:
                return option
        names = [option.name for option in self.options if not option.frozen]
        near = difflib.get_close_matches(name, names, n=1)
        mend = f"did you mean {near[0]!r}" if near else "take one of them, or leave it out"
        raise InvalidOptionError(f"{self.id} has no argument {name!r}", f"the arguments are {', '.join(names)}", mend)

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values: the given ones checked, the others at their defaults.

        Raises:
            InvalidOptionError: An argument is unknown, frozen, or has a bad value.
        """
        checked = {name: self.option(name).check(value, self.id) for name, value in given.items()}
        return {option.name: checked.get(option.name, option.default) for option in self.options}


Tasks = Callable[[Any, str], tuple[str, ...]]
"""``tasks(corpus, split)`` of a benchmark module: the ids of a split, in the order of the release."""
