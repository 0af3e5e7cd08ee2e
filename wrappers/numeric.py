"""Numbers only: padded arrays with masks, for agents that take no text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from scholar_env.errors import InvalidOptionError

from .families import require_tree

LARGEST = float(2**24)
"""Where larger numbers are cut: float32 counts exactly up to here."""
LINKS = ("derive", "expand", "search")
DEFAULT_RESULTS = 10


@dataclass(frozen=True)
class Column:
    """One column of an array.

    Attributes:
        name: Its name.
        unit: What it counts.
        low: Least value.
        high: Largest value.
    """

    name: str
    unit: str
    low: float = 0.0
    high: float = LARGEST


BUDGET_COLUMNS = (
    Column("iterations", "iterations left, the open one included", -1.0),
    Column("calls", "calls left", -1.0),
    Column("results", "results left", -1.0),
    Column("characters", "characters left", -1.0),
    Column("answer_only", "1 = only an answer is taken", high=1.0),
)
RESULT_COLUMNS = (
    Column("score", "score of the retriever, without unit"),
    Column("rank", "place in the ranked list of its subquery, 0 = best"),
    Column("subquery", "id of the subquery that found it"),
    Column("months_before_bound", "months from its date to the newest admissible month", -1.0),
    Column("selected", "1 = is selected", high=1.0),
)
NODE_COLUMNS = (
    Column("id", "number of the subquery, from 1"),
    Column("parent", "id of the subquery that it comes from, 0 = the question"),
    Column("link", "0 derive, 1 expand, 2 search", -1.0, 2.0),
    Column("iteration", "iteration of its latest page, from 1"),
    Column("requested", "results asked for"),
    Column("retrieved", "papers on its pages"),
    Column("selected", "papers selected under it"),
    Column("pages", "pages fetched"),
)
SELECTED_COLUMNS = (Column("papers", "papers selected in all"),)

Array = npt.NDArray[np.float32]


class NumericObs(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Shows an observation as a dict of fixed arrays.

    Every number is a float32, cut to its range; 2^24 stands for "no bound of its own". Rows beyond the last entry are
    zeros, and their mask is 0. Columns in order, with unit and range:

    ``budget`` float32[5], what is left; -1 = unlimited:

    - iterations: iterations, the open one included, [-1, 2^24]
    - calls: calls, [-1, 2^24]
    - results: results, [-1, 2^24]
    - characters: characters of text, [-1, 2^24]
    - answer_only: 1 where only an answer is taken, [0, 1]

    ``results`` float32[R, 5], ``results_mask`` int8[R]. Above
    :class:`~scholar_env.wrappers.DiscreteTemplates` these are the results on its shelf: row i is what ``derive i`` and
    ``keep i`` refer to, and stays so after a step that fetches nothing. Without it they are the results of the last
    step, in order:

    - score: score of the retriever (BM25), without unit, [0, 2^24]
    - rank: place in the ranked list of its subquery, 0 = best, [0, 2^24]
    - subquery: id of the subquery that found it, [0, 2^24]
    - months_before_bound: months from its date to the newest admissible month, -1 = one is unknown, [-1, 2^24]
    - selected: 1 where the paper is selected, [0, 1]

    ``tree`` float32[N, 8], ``tree_mask`` int8[N], the newest N subqueries, newest first: row j is what ``continue j``
    refers to:

    - id: number of the subquery, from 1, [0, 2^24]
    - parent: id of the subquery that it comes from, 0 = the question, [0, 2^24]
    - link: 0 derive, 1 expand, 2 search, -1 = another, [-1, 2]
    - iteration: iteration of its latest page, from 1, [0, 2^24]
    - requested: results asked for, [0, 2^24]
    - retrieved: papers on its pages, [0, 2^24]
    - selected: papers selected under it, [0, 2^24]
    - pages: pages fetched, [0, 2^24]

    ``selected`` float32[1]:

    - papers: papers selected in all, [0, 2^24]

    ``action_mask`` int8[n], only above a wrapper with ``action_masks()``: 1 where the action is possible.

    Args:
        env: The environment; :class:`~scholar_env.wrappers.DiscreteTemplates` goes below this wrapper.
        results: R; None = the length of the shelf below, 10 without one.
        nodes: N.

    Attributes:
        columns: Names of the columns of each array, in order; those of ``action_mask`` name the actions.

    Raises:
        InvalidOptionError: R or N is below 1, or would hide something that an action refers to; or the environment is
            of a family without a subquery tree.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], results: int | None = None, nodes: int = 30) -> None:
        RecordConstructorArgs.__init__(self, results=results, nodes=nodes)
        super().__init__(env)
        require_tree(env, "NumericObs")
        masked = env.has_wrapper_attr("action_masks")
        self._shelved = env.has_wrapper_attr("shelf")
        shelf = env.get_wrapper_attr("n_results") if self._shelved else 1
        pages = env.get_wrapper_attr("n_subqueries") if self._shelved else 1
        if results is None:
            results = shelf if self._shelved else DEFAULT_RESULTS
        self._results, self._nodes = _at_least(shelf, "results", results), _at_least(pages, "nodes", nodes)
        boxes: dict[str, spaces.Space[Any]] = {
            "budget": _box(BUDGET_COLUMNS),
            "results": _box(RESULT_COLUMNS, self._results),
            "results_mask": _mask(self._results),
            "tree": _box(NODE_COLUMNS, self._nodes),
            "tree_mask": _mask(self._nodes),
            "selected": _box(SELECTED_COLUMNS),
        }
        self.columns = {
            "budget": _names(BUDGET_COLUMNS),
            "results": _names(RESULT_COLUMNS),
            "tree": _names(NODE_COLUMNS),
            "selected": _names(SELECTED_COLUMNS),
        }
        if masked and isinstance(env.action_space, spaces.Discrete):
            n = int(env.action_space.n)
            boxes["action_mask"] = _mask(n)
            named = env.has_wrapper_attr("action_names")
            self.columns["action_mask"] = env.get_wrapper_attr("action_names") if named else tuple(map(str, range(n)))
        self.observation_space = spaces.Dict(boxes)

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
        shown = self.env.get_wrapper_attr("shelf") if self._shelved else observation["results"]
        results = [
            (r["score"], r["rank"], r["subquery"], _months(r["date"], bound), float(r["paper"] in selected))
            for r in shown[: self._results]
        ]
        nodes = [_node(node) for node in observation["tree"][: -self._nodes - 1 : -1]]
        arrays = {
            "budget": _rows([[observation["budget"][name] for name in _names(BUDGET_COLUMNS)]], BUDGET_COLUMNS, 1)[0],
            "results": _rows(results, RESULT_COLUMNS, self._results),
            "results_mask": _filled(len(results), self._results),
            "tree": _rows(nodes, NODE_COLUMNS, self._nodes),
            "tree_mask": _filled(len(nodes), self._nodes),
            "selected": _rows([[len(selected)]], SELECTED_COLUMNS, 1)[0],
        }
        if "action_mask" in self.columns:
            arrays["action_mask"] = self.env.get_wrapper_attr("action_masks")().astype(np.int8)
        return arrays


def _at_least(least: int, name: str, wanted: int) -> int:
    if type(wanted) is not int or wanted < least:
        raise InvalidOptionError(
            f"{name}={wanted!r}",
            f"{name} is an integer of at least {least}, so that all that an action refers to is shown",
            f"pass {least} or more",
        )
    return wanted


def _names(columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def _bounds(columns: Sequence[Column]) -> tuple[Array, Array]:
    low, high = ([getattr(column, side) for column in columns] for side in ("low", "high"))
    return np.array(low, dtype=np.float32), np.array(high, dtype=np.float32)


def _box(columns: Sequence[Column], n: int | None = None) -> spaces.Space[Any]:
    low, high = _bounds(columns)
    shape = low.shape if n is None else (n, len(columns))
    return spaces.Box(np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy(), dtype=np.float32)


def _mask(n: int) -> spaces.Space[Any]:
    return spaces.Box(0, 1, (n,), np.int8)


def _rows(rows: Sequence[Sequence[float]], columns: Sequence[Column], n: int) -> Array:
    padded = np.zeros((n, len(columns)), dtype=np.float32)
    if rows:
        padded[: len(rows)] = np.clip(np.asarray(rows, dtype=np.float64), *_bounds(columns))
    return padded


def _filled(count: int, n: int) -> npt.NDArray[np.int8]:
    return (np.arange(n) < count).astype(np.int8)


def _node(node: Mapping[str, Any]) -> tuple[float, ...]:
    link = float(LINKS.index(node["link"])) if node["link"] in LINKS else -1.0
    return tuple(link if name == "link" else float(node[name]) for name in _names(NODE_COLUMNS))


def _months(date: str, bound: str) -> float:
    if len(date) < 7 or len(bound) < 7:
        return -1.0
    newest, own = ((int(text[:4]) * 12 + int(text[5:7])) for text in (bound, date))
    return float(newest - own)
