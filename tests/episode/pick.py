"""A small family of its own: search a little, then name the one paper; budget, forced answers, payload, resources."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar

from gymnasium import spaces

from scholar_env.corpus import Corpus
from scholar_env.environment.card import Card, Option
from scholar_env.environment.observation import COMMON_KEYS, Viewer
from scholar_env.environment.options import COMMON_OPTIONS
from scholar_env.environment.spaces import INTEGER, Json, array_of
from scholar_env.environment.text_view import COMMON_SECTIONS
from scholar_env.episode.arguments import PAPER, TEXT, K
from scholar_env.episode.base import COMMON_ENDINGS, Ending, EpisodeBase, EpisodeState
from scholar_env.episode.calls import ToolCall
from scholar_env.episode.config import COMMON_RANGES, EpisodeConfigBase
from scholar_env.episode.family import Detail, Family, ObservationKey
from scholar_env.episode.retrieval import Retriever
from scholar_env.episode.schema import ActionError
from scholar_env.episode.searching import capped_size
from scholar_env.episode.tool import Tool, by_name
from scholar_env.episode.trace import Outcome
from scholar_env.index.base import Index
from scholar_env.metrics.terms import load_terms
from scholar_env.records import Task


@dataclass(frozen=True, slots=True)
class PickConfig(EpisodeConfigBase):
    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {"budget": (1, 1_000_000), **COMMON_RANGES}

    budget: int = 3


@dataclass(slots=True)
class PickState(EpisodeState):
    ENDINGS: ClassVar[Mapping[str, Ending]] = {**COMMON_ENDINGS, "unanswered": Ending(True, "policy")}

    answer: str = ""
    forced: bool = False
    n_late: int = 0
    years: Counter[str] = field(default_factory=Counter)

    def copy(self) -> PickState:
        twin = EpisodeState.copy(self)
        twin.years = self.years.copy()
        return twin


class PickEpisode(EpisodeBase[PickState, PickConfig]):
    """The task's budget is spent by searches and refused calls; then only an answer is taken, and one slip."""

    LOGS_ALL = True

    def __init__(
        self, corpus: Corpus, index: Index, task: Task, config: PickConfig, resources: Mapping[str, int]
    ) -> None:
        super().__init__(corpus, index, task, config, resources)
        self.retriever = Retriever(corpus, index, task, config.retry_delay)

    @classmethod
    def offered(cls, config: PickConfig) -> Mapping[str, Tool]:
        return TOOLS

    def first_state(self) -> PickState:
        return PickState()

    @property
    def answer_only(self) -> bool:
        return self.state.n_charged >= self.config.budget

    def budget(self) -> dict[str, int]:
        left = max(0, self.config.budget - self.state.n_charged)
        unlimited = dict.fromkeys(("iterations", "results", "characters"), -1)
        return {**unlimited, "calls": left, "answer_only": int(self.answer_only)}

    def answer_ids(self) -> list[str]:
        return [self.state.answer] if self.state.answer else []

    def result_json(self) -> dict[str, Any]:
        state = self.state
        return {"answer": state.answer, "forced": state.forced, "late": state.n_late, "stop_reason": state.stop_reason}

    def begin(self, call: ToolCall, tool: Tool) -> ActionError | None:
        if self.answer_only and tool.charged:
            return ActionError("answer_only", f"the budget of {self.config.budget} calls is spent: answer now")
        return None

    def after(self, tool: Tool | None, refusal: ActionError | None) -> None:
        if refusal is None or self.state.n_charged <= self.config.budget:
            return
        self.state.n_late += 1
        if self.state.n_late == 2:
            self.finish("unanswered")


def find(episode: PickEpisode, arguments: Mapping[str, Any]) -> None:
    size = capped_size(episode, arguments["k"], 5)
    page = episode.retriever.page(arguments["text"], k=size, before=episode.before, number=len(episode.pages) + 1)
    years = [episode.corpus.date(entry.row)[:4] for entry in page.entries]
    episode.state.years.update(years)
    episode.page(page)
    episode.give({"years": {year: episode.resources[year] for year in dict.fromkeys(years) if year}})


def answer(episode: PickEpisode, arguments: Mapping[str, Any]) -> None:
    if episode.corpus.row_of(arguments["paper"]) is None:
        raise ActionError("unknown_paper", f"answer: there is no paper {arguments['paper'][:40]!r}")
    episode.state.answer, episode.state.forced = arguments["paper"], episode.answer_only
    episode.finish("answered")


def abstain(episode: PickEpisode, arguments: Mapping[str, Any]) -> None:
    episode.finish("abstained")


TOOLS = by_name(
    (
        Tool("find", "Search the corpus for words.", (TEXT, K), find, {"text": "sparse retrieval", "k": 5}),
        Tool("answer", "Name the paper.", (PAPER,), answer, {"paper": "2101.00001"}, charged=False),
        Tool("abstain", "Finish without an answer.", (), abstain, {}, charged=False),
    )
)
PickEpisode.TOOLS = TOOLS
METRICS = ("accuracy", "shown", "forced", "n_calls", "n_invalid", "n_found", "elsewhere")


class PickTracker:
    """A row a page: its number and whether it holds a gold paper."""

    def __init__(self, episode: PickEpisode, terms: tuple[str, ...]) -> None:
        self._gold = frozenset(episode.task.gold)
        self._terms = load_terms(terms)
        self.names = (*METRICS, *self._terms)
        self.rows: list[dict[str, float]] = []

    def update(self, episode: PickEpisode) -> dict[str, float]:
        for page in episode.pages[len(self.rows) :]:
            self.rows.append({"page": len(self.rows) + 1.0, "gold": float(not self._gold.isdisjoint(page.papers))})
        state = episode.state
        metrics = {
            "accuracy": float(state.answer in self._gold),
            "shown": float(any(row["gold"] for row in self.rows)),
            "forced": math.nan if state.stop_reason in ("abstained", "unanswered") else float(state.forced),
            "n_calls": float(state.n_calls),
            "n_invalid": float(state.n_invalid),
            "n_found": float(sum(len(page.entries) for page in episode.pages)),
            "elsewhere": math.nan,  # what other benchmarks of the family measure
        }
        terms = {name: float(term(episode, tuple(self._gold), metrics)) for name, term in self._terms.items()}
        return metrics | terms


def papers_a_year(corpus: Corpus, options: Mapping[str, Any]) -> dict[str, int]:
    return dict(Counter(corpus.date(row)[:4] for row in range(corpus.n_papers)))


def _years(viewer: Viewer, episode: PickEpisode, outcomes: Sequence[Outcome]) -> list[int]:
    return [count for outcome in outcomes for count in outcome.payload.get("years", {}).values()]


def _years_text(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Papers of these years: {observation['years']}" if observation["years"] else ""


def _answered(viewer: Viewer, episode: PickEpisode, outcomes: Sequence[Outcome]) -> int:
    return int(bool(episode.state.answer))


def _default_reward(config: PickConfig) -> str:
    return "default"


KEYS = {
    **COMMON_KEYS,
    "years": ObservationKey(lambda caps: Json(array_of(INTEGER, 100)), _years),
    "answered": ObservationKey(lambda caps: spaces.Discrete(2), _answered),
}
FAMILY = Family(
    name="pick",
    instructions="Name the one paper that answers the question.",
    config=PickConfig,
    episode=PickEpisode,
    tracker=PickTracker,
    metrics=METRICS,
    rows=("page", "gold"),
    keys=KEYS,
    sections={**COMMON_SECTIONS, "years": _years_text},
    opening=("question", "budget"),
    answers=("results", "years", "error", "budget"),
    default_reward=_default_reward,
    resources=papers_a_year,
)
OPTIONS = (
    Option("budget", "int", 3, "Searches and refused calls.", low=1, high=1_000_000),
    Option("max_calls", "int", 200, "Calls after which a run-away episode is truncated.", low=1, high=100_000),
    Option("retry_delay", "float", 0.5, "Seconds before the first retry of a failed search.", low=0.0, high=60.0),
)
CARD = Card(
    id="Pick-Toy-v0",
    family="pick",
    benchmark="pick",
    split="first",
    summary="Name one paper.",
    n_tasks=8,
    options=(Option("split", "str", "first", "Which tasks.", frozen=True), *OPTIONS, *COMMON_OPTIONS),
    tools=tuple(TOOLS),
    observation=("question", "results", "years", "answered", "error", "budget", "turn", "feedback"),
    metrics=METRICS[:-1],
    default_reward={"default": {"accuracy": 1.0}},
)


def benchmark() -> ModuleType:
    """The module ``scholar_env.envs.pick``, as it would lie on the shelf."""
    module = ModuleType("scholar_env.envs.pick")
    vars(module).update(CARDS=(CARD,), tasks=lambda corpus, split: corpus.tasks().ids[: {"first": 8}[split]])
    return module


class PickOracle:
    """Names the first gold paper."""

    needs_gold = True

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}

    def bind(self, task: Task, corpus: Corpus) -> None:
        self._paper = task.gold[0]

    def reset(self, seed: int) -> None:
        self._asked = False

    def act(self, observation: Mapping[str, Any]) -> dict[str, Any]:
        self._asked, asked = True, self._asked
        if asked:
            return {"name": "answer", "arguments": {"paper": self._paper}}
        return {"name": "find", "arguments": {"text": observation["question"], "k": 9}}
