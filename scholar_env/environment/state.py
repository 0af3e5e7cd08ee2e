"""Saved states of an environment: JSON without gold, validated when they come back."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from scholar_env.errors import StateError

VERSION = 2
_KEYS = {"version", "env", "corpus", "tasks", "index", "task_id", "place", "episode", "rng"}


def check_state(state: Any, expected: Mapping[str, str]) -> dict[str, Any]:
    """Returns a private copy of a state that fits an environment.

    Args:
        state: What ``get_state`` returned, perhaps by way of JSON.
        expected: The environment's own ``env``, ``corpus``, ``tasks`` and ``index``.

    Raises:
        StateError: It is not such a state, or one of another environment, corpus, task set or index.
    """
    try:
        copied = json.loads(json.dumps(state, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as problem:
        raise StateError(
            f"The state is not JSON ({problem})", "a state is what get_state returned", "pass that"
        ) from None
    if not isinstance(copied, dict) or copied.keys() != _KEYS or copied["version"] != VERSION:
        raise StateError(
            f"The state has {sorted(copied) if isinstance(copied, dict) else type(state).__name__}",
            f"a state of version {VERSION} has the keys {sorted(_KEYS)}",
            "pass what get_state of this version returned",
        )
    for name, value in expected.items():
        if copied[name] != value:
            raise StateError(
                f"The state is of {name} {copied[name]!r}", f"this environment is of {name} {value!r}", "make that one"
            )
    place = copied["place"]
    if not isinstance(copied["task_id"], str) or not (place is None or (type(place) is int and place >= 0)):
        raise StateError(
            f"The state names task {copied['task_id']!r} and place {place!r}",
            "a task id is a str, a place an int of at least 0 or None",
            "pass what get_state returned",
        )
    return copied


def rng_state(generator: np.random.Generator | None) -> dict[str, Any] | None:
    """The state of a random generator as JSON."""
    return None if generator is None else json.loads(json.dumps(dict(generator.bit_generator.state)))


def set_rng_state(generator: np.random.Generator, state: Any) -> None:
    """Gives a generator the state that :func:`rng_state` saved.

    Raises:
        StateError: It is not one of its states.
    """
    try:
        generator.bit_generator.state = state
    except (TypeError, ValueError, KeyError, OverflowError) as problem:
        raise StateError(
            f"The generator's state is bad ({problem})", "it is one of numpy's PCG64", "pass it whole"
        ) from None


def copied_rng(generator: np.random.Generator | None) -> np.random.Generator | None:
    """An independent generator in the same state."""
    return copy.deepcopy(generator)
