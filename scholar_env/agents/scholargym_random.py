"""Random calls that ScholarGym accepts: a floor for every comparison, and a walk through every tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from scholar_env.agents.base import Call, Observation, call, iterations_left, results_by_subquery

_WEIGHTS = {"answer": 0.02, "abstain": 0.002, "next_iteration": 0.5, "plan": 0.5}
_WORD = re.compile(r"[^\W_]+")


class ScholarGymRandomAgent:
    """Draws a tool, and arguments that fit what the observation shows.

    Texts are words of the question and of titles that came up; sources, subqueries and papers are ones that exist.

    Args:
        tools: Tools of the environment; those that the agent does not know are left alone.
        length: Words of a text, at most.
        pages: Pages of a node, at most.
        subqueries: Pages of an iteration, at most.
    """

    needs_gold = False

    def __init__(self, tools: Collection[str], *, length: int = 6, pages: int = 3, subqueries: int = 6) -> None:
        self.options: dict[str, Any] = {"length": length, "pages": pages, "subqueries": subqueries}
        self._makers: dict[str, Callable[[Observation], dict[str, Any]]] = {
            "derive": self._grow,
            "expand": self._grow,
            "continue": lambda observation: {"source": self._pick(self._continuable(observation))},
            "search": lambda observation: {
                "text": self._text(),
                "k": self._k(),
                "offset": int(self._random.integers(11)),
            },
            "plan": self._plan,
            "select": self._select,
            "browse": lambda observation: {"paper": self._pick(self._open_papers()), "goal": self._text()},
            "read": lambda observation: {"paper": self._pick(self._papers)},
            "next_iteration": lambda observation: {},
            "answer": lambda observation: {"papers": self._some(self._papers)},
            "abstain": lambda observation: {"reason": "nothing fits"},
        }
        self._subqueries = subqueries
        self._tools = [name for name in tools if name in self._makers]
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew with the draws that ``seed`` fixes."""
        self._random = np.random.default_rng(seed)
        self._papers: list[str] = []  # all that came up
        self._words: list[str] = []
        self._shown: dict[int, list[str]] = {}  # papers by subquery in the open iteration
        self._left = -1
        self._pages = 0  # pages fetched so far
        self._pages_before = 0  # pages fetched before the open iteration

    def act(self, observation: Observation) -> Call:
        """Returns one valid call."""
        self._look(observation)
        names = [name for name in self._tools if self._is_possible(name, observation)]
        weights = np.array([_WEIGHTS.get(name, 1.0) for name in names])
        name = names[int(self._random.choice(len(names), p=weights / weights.sum()))]
        return call(name, **self._makers[name](observation))

    def _look(self, observation: Observation) -> None:
        if not self._words:
            self._words = _WORD.findall(str(observation["question"])) or ["paper"]
        if iterations_left(observation) != self._left:
            self._left = iterations_left(observation)
            self._shown = {}
            self._pages_before = self._pages
        self._pages = sum(int(node["pages"]) for node in observation["tree"])
        for entry in observation["results"]:
            if entry["paper"] not in self._papers:
                self._papers.append(str(entry["paper"]))
                self._words.extend(_WORD.findall(str(entry["title"])))
        for subquery, papers in results_by_subquery(observation).items():
            kept = self._shown.setdefault(subquery, [])
            kept.extend(paper for paper in papers if paper not in kept)

    def _is_possible(self, name: str, observation: Observation) -> bool:
        used = self._pages - self._pages_before
        room = used < self._subqueries
        if name in ("derive", "expand", "search"):
            return room
        if name == "continue":
            return room and bool(self._continuable(observation))
        if name in ("select", "browse"):
            return bool(self._shown)
        if name == "next_iteration":
            return used > 0
        return name != "read" or bool(self._papers)

    def _continuable(self, observation: Observation) -> list[int]:
        nodes = [node for node in observation["tree"] if node["link"] != "search"]
        return [int(node["id"]) for node in nodes if int(node["pages"]) < self.options["pages"]]

    def _grow(self, observation: Observation) -> dict[str, Any]:
        sources = [0, *(int(node["id"]) for node in observation["tree"])]
        return {"source": self._pick(sources), "text": self._text(), "k": self._k()}

    def _plan(self, observation: Observation) -> dict[str, Any]:
        room = self.options["subqueries"]
        entries = [
            {"link": self._pick(["derive", "expand"]), "source": 0, "text": self._text(), "k": self._k()}
            for _ in range(self._between(1, min(3, room)))
        ]
        return {"subqueries": entries, "checklist": self._text(), "experience": self._text()}

    def _select(self, observation: Observation) -> dict[str, Any]:
        subquery = self._pick(sorted(self._shown))
        return {"subquery": subquery, "papers": self._some(self._shown[subquery])}

    def _open_papers(self) -> list[str]:
        return list(dict.fromkeys(paper for papers in self._shown.values() for paper in papers))

    def _text(self) -> str:
        return " ".join(self._pick(self._words) for _ in range(self._between(1, self.options["length"])))

    def _k(self) -> int:
        return self._between(1, 10)

    def _some(self, papers: Sequence[str]) -> list[str]:
        chosen = self._random.permutation(len(papers))[: self._between(0, min(5, len(papers)))]
        return [papers[place] for place in chosen]

    def _between(self, low: int, high: int) -> int:
        return int(self._random.integers(low, high + 1))

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[int(self._random.integers(len(choices)))]
