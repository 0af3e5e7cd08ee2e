"""Spaces for text and JSON.

``gymnasium.spaces.Text`` refuses letters outside its character set, and an asynchronous vector environment with
shared memory returns constants for it without a word. These spaces take any Unicode text, and shared memory refuses
them loudly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from gymnasium.spaces import Space

_WORDS = (
    "neural", "retrieval", "graph", "language", "model", "learning", "citation", "transformer", "sparse", "dense",
    "question", "answering", "survey", "corpus", "étude", "größe", "機械学習", "поиск", "2D", "α-divergence",
)  # fmt: skip


class Unicode(Space[str]):
    """Strings of any Unicode text that UTF-8 can carry, up to a length.

    Args:
        max_length: Greatest number of characters.
        seed: Seed of the sampler.
    """

    def __init__(self, max_length: int, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.max_length = max_length

    @property
    def is_np_flattenable(self) -> bool:
        """False: text is not an array."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """Draws up to eight words; the masks of numeric spaces have no meaning here and must be None."""
        if mask is not None or probability is not None:
            raise ValueError("Unicode.sample takes no mask and no probability")
        return sample_text(self, self.max_length)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a str of admissible length without lone surrogates."""
        return isinstance(x, str) and len(x) <= self.max_length and (x.isascii() or _encodable(x))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unicode) and self.max_length == other.max_length

    def __hash__(self) -> int:
        return hash((Unicode, self.max_length))

    def __repr__(self) -> str:
        return f"Unicode({self.max_length})"


class Json(Space[Any]):
    """JSON values of a shape.

    The shape is written in a small part of JSON Schema: ``type`` (object, array, string, integer, number, boolean),
    ``properties`` (all of them required, no others), ``items``, ``maxItems``, ``maxLength``; for an object
    ``nullable`` admits the empty object.

    Args:
        schema: The shape.
        seed: Seed of the sampler.
    """

    def __init__(self, schema: Mapping[str, Any], seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.schema = json.loads(json.dumps(schema))

    @property
    def is_np_flattenable(self) -> bool:
        """False: JSON is not an array."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> Any:
        """Draws a value of the shape; the masks of numeric spaces have no meaning here and must be None."""
        if mask is not None or probability is not None:
            raise ValueError("Json.sample takes no mask and no probability")
        return self._draw(self.schema)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the shape."""
        return _fits(self.schema, x)

    def _draw(self, schema: Mapping[str, Any]) -> Any:
        kind = schema["type"]
        if kind == "object":
            if schema.get("nullable") and self.np_random.integers(2):
                return {}
            return {name: self._draw(shape) for name, shape in schema["properties"].items()}
        if kind == "array":
            length = int(self.np_random.integers(min(schema["maxItems"], 3) + 1))
            return [self._draw(schema["items"]) for _ in range(length)]
        if kind == "string":
            return sample_text(self, schema["maxLength"])
        if kind == "integer":
            return int(self.np_random.integers(100))
        if kind == "number":
            return float(round(self.np_random.random(), 6))
        return bool(self.np_random.integers(2))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Json) and self.schema == other.schema

    def __hash__(self) -> int:
        return hash((Json, json.dumps(self.schema, sort_keys=True)))

    def __repr__(self) -> str:
        return f"Json({self.schema})"


def sample_text(space: Space[Any], max_length: int) -> str:
    """Draws one to eight words with the generator of a space, cut to a length."""
    picks = space.np_random.integers(len(_WORDS), size=int(space.np_random.integers(1, 9)))
    return " ".join(_WORDS[pick] for pick in picks)[:max_length].strip()


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _fits(schema: Mapping[str, Any], x: Any) -> bool:
    kind = schema["type"]
    if kind == "object":
        shapes = schema["properties"]
        if type(x) is not dict:
            return False
        if not x:
            return bool(schema.get("nullable")) or not shapes
        return x.keys() == shapes.keys() and all(_fits(shape, x[name]) for name, shape in shapes.items())
    if kind == "array":
        items = schema["items"]
        return type(x) is list and len(x) <= schema["maxItems"] and all(_fits(items, item) for item in x)
    if kind == "string":
        return isinstance(x, str) and len(x) <= schema["maxLength"] and (x.isascii() or _encodable(x))
    if kind == "integer":
        return type(x) is int
    if kind == "number":
        return type(x) is float and math.isfinite(x)
    return type(x) is bool


def object_of(nullable: bool = False, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """The shape of an object with these members."""
    shape: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    return {**shape, "nullable": True} if nullable else shape


def array_of(items: Mapping[str, Any], max_items: int) -> dict[str, Any]:
    """The shape of a list."""
    return {"type": "array", "items": items, "maxItems": max_items}


def string(max_length: int) -> dict[str, Any]:
    """The shape of a string."""
    return {"type": "string", "maxLength": max_length}


INTEGER: Mapping[str, Any] = {"type": "integer"}
NUMBER: Mapping[str, Any] = {"type": "number"}
