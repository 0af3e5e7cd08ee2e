"""The environment: one class for every registered id, told by its card what it is."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
from gymnasium.error import ResetNeeded

from scholar_env.corpus import Corpus
from scholar_env.environment import registry, state
from scholar_env.environment.info import build_info
from scholar_env.environment.observation import Viewer, observation_space
from scholar_env.environment.sources import open_index
from scholar_env.environment.task_source import order_of
from scholar_env.environment.tasks import reset_options
from scholar_env.environment.text_view import render_text
from scholar_env.environment.tool_space import ToolCallSpace
from scholar_env.environment.trial import RewardSettings, Trial
from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.calls import Malformed, ToolCall, parse_calls
from scholar_env.episode.family import Caps, Family, family
from scholar_env.episode.tool import Tool
from scholar_env.episode.trace import Outcome
from scholar_env.errors import InvalidOptionError, StateError
from scholar_env.index.base import Index
from scholar_env.records import Task

METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}


@dataclasses.dataclass(frozen=True)
class Setting:
    """What episodes on one corpus share."""

    corpus: Corpus
    index: Index
    resources: Any
    info: dict[str, str | bool]
    viewer: Viewer


class ScholarEnv(gymnasium.Env[dict[str, Any], Any]):
    """A literature-search task: find papers of a frozen corpus with tool calls.

    The contract that all ids share; the page of a benchmark is the docstring of its module in ``scholar_env.envs``.

    - **Action**: a tool call ``{"name": str, "arguments": {…}}``. ``step`` also takes chat messages with tool calls
      and texts; several calls in one message run in order, their rewards summed, until the episode ends. A malformed
      or impossible call never raises: it costs one call, ``observation["error"]`` and ``info["action_error"]`` say
      why, nothing else changes.
    - **Observation**: a dict of fixed keys, JSON-able, built anew at every step; text is capped. It is all that an
      agent may
      see: task id, reward, metrics and gold are not in it.
    - **Reward**: Φ(s') - Φ(s) of Φ = Σ weight × metric (``reward_timing="incremental"``) or Φ at the end
      (``"terminal"``), less ``invalid_cost`` for a refused call and ``step_cost`` for every call; a Python float.
    - **Seeds**: ``reset(seed=s)`` plays place s of the task order (:meth:`seed_for` is the inverse),
      ``reset(options={"task_id": …})`` any task, a reset without both goes on by ``task_stride``.
    - **Info**: the same keys at every reset and step, numbers as float (undefined = NaN), texts as str ("" = none).

    Args:
        card: A registered id.
        render_mode: None or ``ansi``.
        **options: The arguments of the card.

    Raises:
        InvalidOptionError: An argument is unknown, frozen, or out of range.
        CorpusNotFoundError: The named corpus is not there.
    """

    metadata = METADATA
    action_space: ToolCallSpace

    def __init__(self, card: str, *, render_mode: str | None = None, **options: Any) -> None:
        self.metadata = copy.deepcopy(METADATA)  # vector environments of gymnasium 1.2 write into it
        self.card = registry.card(card)
        self.options = self.card.resolve(options)
        if render_mode is not None and render_mode not in METADATA["render_modes"]:
            raise InvalidOptionError(f"render_mode={render_mode!r}", "it is None or 'ansi'", "take one of these")
        self.render_mode = render_mode
        self.config = self.family.configure(self.options)
        corpus = registry.open_corpus(self.card, self.options)
        self._source = registry.open_source(self.card, corpus, self.options)
        self._order = order_of(self._source, self.options["subset"], self.options["task_seed"])
        caps = {
            entry.name: self.options[entry.name] for entry in dataclasses.fields(Caps) if entry.name in self.options
        }
        self._caps = Caps(**caps)
        self.observation_space = observation_space(self.card.family, self.card.observation, self._caps)
        self._settings: dict[str, Setting] = {}
        self._enter(self._setting_of(self._source.first))
        self._pay = self._reward_settings()
        self.action_space = ToolCallSpace(self.tools)
        self._place: int | None = None
        self._trial: Trial | None = None

    @property
    def family(self) -> Family:
        """What benchmarks of this kind share."""
        return family(self.card.family)

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that an episode takes, by name in the order of the card."""
        offered = self.family.offered(self.config)
        return {name: offered[name] for name in self.card.tools if name in offered}

    def _setting_of(self, corpus: Corpus) -> Setting:
        """What episodes on a corpus share, opened when it is first asked for."""
        if corpus.spec not in self._settings:
            index = open_index(corpus, self.options["retriever"], self.options["index_engine"])
            info = {**corpus.info(), "engine": index.engine, **self._source.facts}
            if self._source.pool:
                info["pool"] = self._source.pool
            if self.options["subset"] is not None:
                info["subset_origin"] = "user"
            resources = self.family.resources(corpus, self.options)
            viewer = Viewer(self.card.family, self.card.observation, corpus, self._caps)
            self._settings[corpus.spec] = Setting(corpus, index, resources, info, viewer)
        return self._settings[corpus.spec]

    def _enter(self, setting: Setting) -> None:
        """Takes on the corpus and the index of a task."""
        self.corpus, self.index = setting.corpus, setting.index
        self._corpus_info, self._viewer = setting.info, setting.viewer

    def _reward_settings(self) -> RewardSettings:
        chosen = self.options["reward"]
        weights = self.card.default_reward[self.family.default_reward(self.config)]
        settings = RewardSettings(
            weights if chosen is None else chosen,
            self.options["reward_timing"],
            self.options["invalid_cost"],
            self.options["step_cost"],
        )
        settings.model(self.card.metrics)  # a bad weight is refused here, not at the first reset
        for name, weight in settings.weights.items():
            if weight and name in self.card.recorded_only:
                raise InvalidOptionError(
                    f"reward weight {weight!r} of {name}",
                    f"{name} can be gamed, so that it is recorded and never paid",
                    f"take another metric, such as {next(iter(weights))}, or the weight 0",
                )
        return settings

    # ---- the Gymnasium interface ----

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins an episode.

        Args:
            seed: Place in the task order; fixes the task and every draw.
            options: ``{"task_id": id}`` plays that task instead.

        Returns:
            The first observation and info.

        Raises:
            TaskNotFoundError: The task is not in this environment's set.
            InvalidOptionError: ``options`` is no dict, or has an unknown key.
        """
        chosen = reset_options(options)
        super().reset(seed=seed)
        self._check_spec()
        task_id = self._next_task(seed, chosen)
        setting, task = self._setting_of(self._source.corpus_of(task_id)), self._source.task(task_id)
        self._trial = self._begin(setting, task)
        self._enter(setting)
        return self._observe(), self._info()

    def _begin(self, setting: Setting, task: Task) -> Trial:
        parts = (setting.corpus, setting.index, task, self.config, setting.resources)
        return Trial(self.family, self.card.metrics, self.family.episode(*parts), self._pay)

    def _check_spec(self) -> None:
        if self.spec is not None and self.spec.id != self.card.id and self.spec.id in registry.CARDS:
            raise InvalidOptionError(
                f"card={self.card.id!r} was given for {self.spec.id}",
                "card is part of what the id means",
                f"make {self.card.id} itself",
            )

    def _next_task(self, seed: int | None, options: dict[str, Any]) -> str:
        task_id = options.pop("task_id", None)
        if options:
            raise InvalidOptionError(
                f"reset has no option {next(iter(options))!r}", "its one option is 'task_id'", "leave the others out"
            )
        if task_id is not None:
            self._order.require(task_id)
        if seed is not None:
            self._place = seed
        elif task_id is None:
            start, stride = self.options["task_start"], self.options["task_stride"]
            self._place = start if self._place is None else self._place + stride
        return str(task_id) if task_id is not None else self._order.at(self._place or 0)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Runs the call (or the calls of a message) and returns observation, reward, terminated, truncated and info.

        Raises:
            ResetNeeded: Before the first reset or after the end of the episode.
        """
        trial = self._open_trial()
        if trial.ended:
            raise ResetNeeded("The episode is over: call env.reset() before env.step()")
        reward = trial.play(parse_calls(action))
        return self._observe(), reward, trial.episode.terminated, trial.episode.truncated, self._info()

    def render(self) -> str | None:
        """The text view of the present state in mode ``ansi``; without a mode None and a warning."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi', given when the environment is made")
            return None
        self._open_trial()
        return render_text(self._observe(), family=self.card.family)

    # ---- what an observation, info and the outside are told ----

    def _open_trial(self) -> Trial:
        if self._trial is None:
            raise ResetNeeded("Cannot go on before the first episode: call env.reset()")
        return self._trial

    def _observe(self) -> dict[str, Any]:
        trial = self._open_trial()
        return self._viewer.observe(trial.episode, trial.outcomes)

    def _info(self) -> dict[str, Any]:
        options = self.options
        tell = options["metrics_in_info"] == "step"
        return build_info(self._open_trial(), self._corpus_info, tell_metrics=tell, debug=options["debug"])

    @property
    def tasks(self) -> Sequence[str]:
        """Ids of the task set in the order of the release: a tuple, or a sequence without end (``EndlessIds``)."""
        return self._order.ids

    @property
    def corpus_identity(self) -> dict[str, str]:
        """Name and fingerprint of the corpus and of the task set, or the ``pool`` where tasks are played on several."""
        pool, tasks = self._source.pool, self._source.facts["tasks"]
        place = {"pool": pool} if pool else {"name": self.corpus.name, "fingerprint": self.corpus.fingerprint}
        return {**place, "tasks": tasks} if tasks else place

    def seed_for(self, task_id: str, epoch: int = 0) -> int:
        """The seed whose reset plays a task: its place in an epoch of the order.

        Raises:
            TaskNotFoundError: The task is not in this environment's set.
            InvalidOptionError: The epoch is negative.
        """
        return self._order.place_of(task_id, epoch)

    @property
    def episode(self) -> EpisodeBase[Any, Any]:
        """The engine's episode, gold included: for recorders and the oracle, never for an agent.

        Raises:
            ResetNeeded: Before the first reset.
        """
        return self._open_trial().episode

    @property
    def rows(self) -> list[dict[str, float]]:
        """Measures so far, one row an iteration, a call or a turn with the family's columns; for recorders."""
        return self._open_trial().rows

    @property
    def last_calls(self) -> tuple[ToolCall | Malformed, ...]:
        """The calls that the last step ran, in order; empty after a reset."""
        return self._open_trial().calls

    @property
    def last_outcomes(self) -> tuple[Outcome, ...]:
        """What each of :attr:`last_calls` gave."""
        return self._open_trial().outcomes

    # ---- copies ----

    def get_state(self) -> dict[str, Any]:
        """The state of the episode as JSON, without gold; :meth:`set_state` goes on from it identically."""
        trial = self._open_trial()
        return {
            "version": state.VERSION,
            **self._identity(self._setting_of(self.corpus)),
            "task_id": trial.episode.task.id,
            "place": self._place,
            "episode": trial.episode.get_state(),
            "rng": state.rng_state(self._np_random),
        }

    def _identity(self, setting: Setting) -> dict[str, str]:
        return {
            "env": self.card.id,
            "corpus": setting.corpus.fingerprint,
            "tasks": self._source.facts["tasks"],
            "index": setting.index.fingerprint,
        }

    def set_state(self, saved: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Takes on a saved state and returns the observation and info there.

        After a step of several calls the results shown are those of the last one.

        Raises:
            StateError: It is no state, or one of another environment, corpus, index or task set; nothing has changed
                then.
        """
        task_id = saved.get("task_id") if isinstance(saved, dict) else None
        corpus = self._source.corpus_of(task_id) if isinstance(task_id, str) and task_id in self._order else self.corpus
        setting = self._setting_of(corpus)
        checked = state.check_state(saved, self._identity(setting))
        if checked["task_id"] not in self._order:
            raise StateError(
                f"The state is of task {checked['task_id']!r}", "it is in the task set", "make the set with it"
            )
        trial = self._begin(setting, self._source.task(checked["task_id"]))
        trial.restore(checked["episode"])
        if checked["rng"] is not None:
            state.set_rng_state(self.np_random, checked["rng"])
        self._trial, self._place = trial, checked["place"]
        self._enter(setting)
        return self._observe(), self._info()

    def fork(self) -> ScholarEnv:
        """An independent environment that stands where this one stands, over the same corpus and index in memory."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.action_space = ToolCallSpace(self.tools)
        twin._np_random = state.copied_rng(self._np_random)
        twin._trial = self._open_trial().fork() if self._trial is not None else None
        return twin
