"""The action space: tool calls, checked and drawn by the tools' own declarations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space

from scholar_env.environment.spaces import sample_text
from scholar_env.episode.calls import parse_calls
from scholar_env.episode.checks import conforms
from scholar_env.episode.plain_json import NotJsonError, plain
from scholar_env.episode.schema import Argument
from scholar_env.episode.tool import Tool, openai_tools

_MOST_DRAWN = 3
_SPAN = 9


class ToolCallSpace(Space[dict[str, Any]]):
    """Tool calls ``{"name": str, "arguments": {…}}`` of a set of tools.

    A member is well formed: its arguments fit the JSON schema of its tool, so that the tool takes them; ``step`` also
    understands calls that are not members (see :meth:`parse`, other names of arguments, ``null`` for an absent one).
    Whether a call is possible in the state of an episode (a source that exists, a paper on the page) is the engine's
    business.

    Args:
        tools: The tools by name, at least one.
        seed: Seed of the sampler.
    """

    def __init__(self, tools: Mapping[str, Tool], seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.tools = dict(tools)

    @property
    def is_np_flattenable(self) -> bool:
        """False: a call is not an array."""
        return False

    def sample(
        self, mask: npt.NDArray[np.int8] | None = None, probability: npt.NDArray[np.float64] | None = None
    ) -> dict[str, Any]:
        """Draws a well-formed call.

        Args:
            mask: ``int8[n_tools]``, 1 for tools that may be drawn, in the order of :attr:`tools`.
            probability: ``float64[n_tools]``, probability of each tool, summing to 1.

        Raises:
            ValueError: Both are given, or one has the wrong shape or nothing to draw.
        """
        names = tuple(self.tools)
        name = names[int(self.np_random.choice(len(names), p=self._weights(mask, probability)))]
        return {"name": name, "arguments": self._draw_arguments(self.tools[name].arguments)}

    def _weights(
        self, mask: npt.NDArray[np.int8] | None, probability: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64] | None:
        given = mask if probability is None else probability
        if given is None:
            return None
        weights = np.asarray(given, dtype=np.float64)
        if mask is not None and probability is not None:
            raise ValueError("sample takes a mask or a probability, not both")
        if weights.shape != (len(self.tools),) or (weights < 0).any() or not weights.sum() > 0:
            raise ValueError(f"expected {len(self.tools)} weights of at least 0, one of them above, got {given!r}")
        if probability is not None and not np.isclose(weights.sum(), 1.0):
            raise ValueError(f"the probabilities sum to {weights.sum()}, not to 1")
        shares: npt.NDArray[np.float64] = weights / weights.sum()
        return shares

    def _draw_arguments(self, arguments: Sequence[Argument]) -> dict[str, Any]:
        drawn = {}
        for argument in arguments:
            # Patterns belong to optional arguments such as date bounds; leaving these out is always well formed.
            if argument.required or not (argument.pattern or self.np_random.integers(2)):
                drawn[argument.name] = self._draw(argument)
        return drawn

    def _draw(self, argument: Argument) -> Any:
        rng = self.np_random
        if argument.kind == "integer":
            return self._draw_integer(argument)
        if argument.kind == "number":
            low, high = _range(argument)
            return float(round(low + (high - low) * rng.random(), 6))
        if argument.kind == "boolean":
            return bool(rng.integers(2))
        if argument.kind == "string":
            if argument.choices:
                return argument.choices[int(rng.integers(len(argument.choices)))]
            return sample_text(self, argument.max_length or 10_000)
        if argument.kind == "object":
            return {f"[{number}]": sample_text(self, 20) for number in range(1, int(rng.integers(_MOST_DRAWN)) + 1)}
        most = min(argument.min_length + _MOST_DRAWN, argument.max_length or argument.min_length + _MOST_DRAWN)
        count = int(rng.integers(argument.min_length, most + 1))
        if argument.kind == "strings":
            return [sample_text(self, 100) for _ in range(count)]
        if argument.kind == "integers":
            return [self._draw_integer(argument) for _ in range(count)]
        return [self._draw_arguments(argument.items) for _ in range(count)]

    def _draw_integer(self, argument: Argument) -> int:
        low, high = _range(argument)
        return int(self.np_random.integers(math.ceil(low), math.floor(high) + 1))

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a well-formed call of one of the tools."""
        if type(x) is not dict or x.keys() != {"name", "arguments"} or type(x["arguments"]) is not dict:
            return False
        if type(x["name"]) is not str or x["name"] not in self.tools:
            return False
        try:
            arguments = plain(x["arguments"])
        except NotJsonError:
            return False
        return conforms(self.tools[x["name"]].arguments, arguments)

    def parse(self, message: Any) -> list[dict[str, Any]]:
        """Reads the calls of a chat message, text or dict, in order; never raises and never returns an empty list.

        What holds no call becomes ``{"name": "__malformed__", "repr": …}``, which ``step`` answers with an error.
        """
        return [call.to_json() for call in parse_calls(message)]

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema of an action: one of the tools' calls."""
        calls = [
            {
                "type": "object",
                "properties": {"name": {"const": name}, "arguments": tool.json_schema()},
                "required": ["name", "arguments"],
                "additionalProperties": False,
            }
            for name, tool in self.tools.items()
        ]
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "oneOf": calls}

    def openai_tools(self) -> list[dict[str, Any]]:
        """The tools as chat models take them (``{"type": "function", "function": {…}}``)."""
        return openai_tools(self.tools.values())

    def to_jsonable(self, sample_n: Iterable[Mapping[str, Any]]) -> list[Any]:
        """A batch as plain JSON values, copied."""
        return [plain(dict(call)) for call in sample_n]

    def from_jsonable(self, sample_n: list[Any]) -> list[dict[str, Any]]:
        """The batch that :meth:`to_jsonable` wrote."""
        return [plain(call) for call in sample_n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCallSpace) and list(self.tools) == list(other.tools) and self.tools == other.tools

    def __hash__(self) -> int:
        return hash((ToolCallSpace, *self.tools))

    def __repr__(self) -> str:
        return f"ToolCallSpace({', '.join(self.tools)})"


def _range(argument: Argument) -> tuple[float, float]:
    """The numbers that may be drawn: ten at most, from the least one on."""
    low = argument.minimum if argument.minimum is not None else 0
    return low, min(low + _SPAN, argument.maximum if argument.maximum is not None else low + _SPAN)
