"""Random calls of any family's tools, drawn by their declarations: a floor for every comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scholar_env.agents.base import Call, Observation, call

if TYPE_CHECKING:
    from scholar_env.episode.schema import Argument
    from scholar_env.episode.tool import Tool

_WEIGHTS = {"answer": 0.05, "abstain": 0.01, "next_turn": 0.2}
_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"(?:^|_)(?:ids?|papers?|seed|authors?|orgs?|venues?)$")
_SPAN = 9
_MOST_WORDS = 6
_MOST_ITEMS = 3
_LEFT_OUT = 0.5


class RandomAgent:
    """Draws a tool, and arguments by its declaration, filled with words and ids that came up.

    Texts are words of the question and of titles that were shown; arguments whose name speaks of ids take ids that were
    shown, where there are any. Numbers are small, optional arguments are left out half of the time, and texts with a
    pattern (dates) always. Calls are well formed; whether they are possible, the environment decides.

    Args:
        tools: Tools of the environment.
        length: Words of a text, at most.
    """

    needs_gold = False

    def __init__(self, tools: Mapping[str, Tool], *, length: int = _MOST_WORDS) -> None:
        self.options: dict[str, Any] = {"length": length}
        self._tools = dict(tools)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew with the draws that ``seed`` fixes."""
        self._random = np.random.default_rng(seed)
        self._words: dict[str, None] = {}
        self._ids: dict[str, None] = {}

    def act(self, observation: Observation) -> Call:
        """Returns one well-formed call."""
        self._look("", observation)
        self._words.update(dict.fromkeys(_WORD.findall(str(observation["question"])) or ["paper"]))
        names = list(self._tools)
        weights = np.array([_WEIGHTS.get(name, 1.0) for name in names])
        name = names[int(self._random.choice(len(names), p=weights / weights.sum()))]
        return call(name, **self._fill(self._tools[name].arguments))

    def _look(self, key: str, value: Any) -> None:
        """Takes ids and titles out of what is shown, at any depth."""
        if isinstance(value, Mapping):
            for name, item in value.items():
                self._look(str(name), item)
        elif isinstance(value, list | tuple):
            for item in value:
                self._look(key, item)
        elif isinstance(value, str) and value:
            if _ID.search(key):
                self._ids[value] = None
            elif key in ("title", "name"):
                self._words.update(dict.fromkeys(_WORD.findall(value)))

    def _fill(self, arguments: Sequence[Argument]) -> dict[str, Any]:
        filled = {}
        for argument in arguments:
            left_out = bool(argument.pattern) or self._random.random() < _LEFT_OUT
            if argument.required or not left_out:
                filled[argument.name] = self._draw(argument)
        return filled

    def _draw(self, argument: Argument) -> Any:
        kind = argument.kind
        if kind == "boolean":
            return bool(self._random.integers(2))
        if kind == "integer":
            return self._number(argument)
        if kind == "number":
            return float(self._number(argument))
        if kind == "string":
            return self._string(argument)
        if kind == "object":
            return {f"[{number}]": self._pick(list(self._ids or self._words)) for number in range(1, self._count() + 1)}
        count = max(argument.min_length, min(self._count(), argument.max_length or _MOST_ITEMS))
        if kind == "integers":
            return [self._number(argument) for _ in range(count)]
        if kind == "entries":
            return [self._fill(argument.items) for _ in range(count)]
        return [self._string(argument) for _ in range(count)]

    def _string(self, argument: Argument) -> str:
        if argument.choices:
            return str(self._pick(argument.choices))
        if self._ids and _ID.search(argument.name):
            return str(self._pick(list(self._ids)))
        words = list(self._words)
        text = " ".join(self._pick(words) for _ in range(self._between(1, self.options["length"])))
        return text[: argument.max_length].strip() or "x"

    def _number(self, argument: Argument) -> int:
        low = int(argument.minimum or 0)
        most = low + _SPAN if argument.maximum is None else min(low + _SPAN, int(argument.maximum))
        return self._between(low, most)

    def _count(self) -> int:
        return self._between(1, _MOST_ITEMS)

    def _between(self, low: int, high: int) -> int:
        return int(self._random.integers(low, high + 1))

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[int(self._random.integers(len(choices)))]
