"""Numbers only: padded arrays with masks, for agents that take no text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

RESULT_FEATURES = ("score", "rank", "subquery", "months_before_bound", "selected")
"""Columns of ``results``; ``months_before_bound`` is -1 where a date or the bound is unknown."""
NODE_FEATURES = ("parent", "link", "iteration", "requested", "retrieved", "selected", "pages")
"""Columns of ``tree``; ``link`` is 0 derive, 1 expand, 2 search."""
BUDGET_FEATURES = ("iterations", "calls", "results", "characters", "answer_only")
LINKS = ("derive", "expand", "search")
_LARGEST = float(2**24)  # float32 counts exactly up to here

Array = npt.NDArray[np.float32]


class NumericObs(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Shows an observation as a dict of fixed arrays.

    - ``budget``: float32[5], what is left, -1 = unlimited.
    - ``results``: float32[R, 5], the last step's results in order, zeros after the last; ``results_mask``: int8[R].
    - ``tree``: float32[N, 7], the newest N subqueries, oldest of them first; ``tree_mask``: int8[N].
    - ``selected``: float32[1], how many papers are selected.
    - ``action_mask``: int8[n], where a wrapper below has ``action_masks()``.

    Args:
        env: The environment; :class:`scholar_env.wrappers.discrete.DiscreteTemplates` goes below this wrapper.
        results: R.
        nodes: N.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], results: int = 10, nodes: int = 30) -> None:
        RecordConstructorArgs.__init__(self, results=results, nodes=nodes)
        super().__init__(env)
        self._results, self._nodes = results, nodes
        self._masked = env.has_wrapper_attr("action_masks")
        shapes = {
            "budget": _numbers(len(BUDGET_FEATURES)),
            "results": _numbers(results, len(RESULT_FEATURES)),
            "results_mask": _mask(results),
            "tree": _numbers(nodes, len(NODE_FEATURES)),
            "tree_mask": _mask(nodes),
            "selected": _numbers(1),
        }
        if self._masked and isinstance(env.action_space, spaces.Discrete):
            shapes["action_mask"] = _mask(int(env.action_space.n))
        self.observation_space = spaces.Dict(shapes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._numeric(observation), info

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Steps the environment below."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._numeric(observation), float(reward), terminated, truncated, info

    def _numeric(self, observation: Any) -> dict[str, Any]:
        selected = set(observation["selected"])
        bound = observation["before"]
        results: list[tuple[float, ...]] = [
            (r["score"], r["rank"], r["subquery"], _months(r["date"], bound), float(r["paper"] in selected))
            for r in observation["results"][: self._results]
        ]
        nodes = [_node(node) for node in observation["tree"][-self._nodes :]]
        arrays = {
            "budget": _array([observation["budget"][name] for name in BUDGET_FEATURES]),
            "results": _padded(results, self._results, len(RESULT_FEATURES)),
            "results_mask": _filled(len(results), self._results),
            "tree": _padded(nodes, self._nodes, len(NODE_FEATURES)),
            "tree_mask": _filled(len(nodes), self._nodes),
            "selected": _array([len(selected)]),
        }
        if self._masked:
            arrays["action_mask"] = self.env.get_wrapper_attr("action_masks")().astype(np.int8)
        return arrays


def _numbers(*shape: int) -> spaces.Space[Any]:
    return spaces.Box(-1.0, _LARGEST, shape, np.float32)


def _mask(n: int) -> spaces.Space[Any]:
    return spaces.Box(0, 1, (n,), np.int8)


def _array(values: Any) -> Array:
    return np.clip(np.asarray(values, dtype=np.float64), -1.0, _LARGEST).astype(np.float32)


def _padded(rows: list[tuple[float, ...]], n: int, width: int) -> Array:
    padded = np.zeros((n, width), dtype=np.float32)
    if rows:
        padded[: len(rows)] = _array(rows)
    return padded


def _filled(count: int, n: int) -> npt.NDArray[np.int8]:
    return (np.arange(n) < count).astype(np.int8)


def _node(node: Mapping[str, Any]) -> tuple[float, ...]:
    link = float(LINKS.index(node["link"])) if node["link"] in LINKS else -1.0
    return (node["parent"], link, *(float(node[name]) for name in NODE_FEATURES[2:]))


def _months(date: str, bound: str) -> float:
    if len(date) < 7 or len(bound) < 7:
        return -1.0
    newest, own = ((int(text[:4]) * 12 + int(text[5:7])) for text in (bound, date))
    return float(newest - own)
