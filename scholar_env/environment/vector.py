"""Vector environments: threads over one shared index, and one constructor that makes the right choices for text."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from scholar_env.environment import registry
from scholar_env.environment.tasks import reset_options
from scholar_env.errors import InvalidOptionError
from scholar_env.task_set import resolve_task_set

Wrapper = Callable[[gymnasium.Env[Any, Any]], gymnasium.Env[Any, Any]]
Batch = tuple[dict[str, Any], npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]
_MOST_WORKERS = 64


def autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    """Reads an autoreset mode: the enum, its value (``SameStep``) or its name (``SAME_STEP``).

    Raises:
        InvalidOptionError: It is none of them.
    """
    if isinstance(mode, AutoresetMode):
        return mode
    for known in AutoresetMode:
        if mode in (known.name, known.value):
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise InvalidOptionError(f"autoreset_mode={mode!r}", f"the modes are {names}", "take one of them")


class ThreadVectorEnv(VectorEnv[dict[str, Any], Sequence[Any], npt.NDArray[Any]]):
    """Several environments stepped by threads of one process over one corpus and one index in memory.

    Observations, rewards and infos are arranged as by :class:`gymnasium.vector.SyncVectorEnv`; observations are
    built anew at every step, so nothing needs copying. A reset without seeds starts the environments at the
    consecutive places 0 … n-1 of the task order, then each advances by n.

    Args:
        num_envs: Number of environments, at least 1.
        card: Id of the environments.
        autoreset_mode: ``SAME_STEP`` (default), ``NEXT_STEP`` or ``DISABLED``.
        max_workers: Number of threads; None = one an environment, at most 64.
        max_episode_steps: Outer limit of steps an episode (truncates), None = none.
        render_mode: None or ``ansi``.
        wrappers: Applied to every environment in order.
        **options: Keyword arguments of the environments.

    Raises:
        InvalidOptionError: A bad option, mode or number.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        card: str,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        max_workers: int | None = None,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        wrappers: Sequence[Wrapper] = (),
        **options: Any,
    ) -> None:
        super().__init__()
        if num_envs < 1:
            raise InvalidOptionError(f"num_envs={num_envs}", "a vector holds at least one environment", "ask for more")
        self.autoreset_mode = _mode_of(autoreset_mode)
        self.num_envs = num_envs
        fixed = {"max_episode_steps": max_episode_steps, "render_mode": render_mode, "disable_env_checker": True}
        self.envs = [_make(card, wrappers, {**fixed, **each}) for each in _arguments(card, num_envs, options)]
        first = self.envs[0]
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations: list[Any] = [None] * num_envs
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._threads = ThreadPoolExecutor(min(max_workers or num_envs, _MOST_WORKERS), "scholar-env")

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Resets all environments, or those that a mask names.

        Args:
            seed: None, an integer s (environment i gets s + i), or one seed (or None) an environment.
            options: ``task_ids``: one id (or None for the order) an environment; ``reset_mask``: bool array of the
                environments to reset (the others keep their observation); everything else goes to each environment.

        Raises:
            InvalidOptionError: ``options`` is no dict.
            ValueError: A list or mask of the wrong length.
        """
        options = reset_options(options)
        mask = _mask(options.pop("reset_mask", None), self.num_envs)
        task_ids = _one_each(options.pop("task_ids", None), self.num_envs)
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else _one_each(seed, self.num_envs)
        for name, values in (("seed", seeds), ("options['task_ids']", task_ids)):
            if len(values) != self.num_envs:
                raise ValueError(f"{name} has {len(values)} entries for {self.num_envs} environments")

        def reset_one(i: int) -> tuple[Any, dict[str, Any]]:
            chosen = options if task_ids[i] is None else {**options, "task_id": task_ids[i]}
            return self.envs[i].reset(seed=seeds[i], options=chosen)

        chosen = [i for i in range(self.num_envs) if mask[i]]
        infos: dict[str, Any] = {}
        for i, (observation, info) in zip(chosen, self._threads.map(reset_one, chosen), strict=True):
            self._observations[i] = observation
            infos = self._add_info(infos, info, i)
        self._ended[mask] = False
        return self._batch(), infos

    def step(self, actions: Sequence[Any]) -> Batch:
        """Steps every environment with its action.

        Raises:
            ValueError: Not one action an environment.
            ResetNeeded: Under ``DISABLED``, an episode is over and was not reset; no environment was stepped.
        """
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            over = np.flatnonzero(self._ended).tolist()
            raise ResetNeeded(f"Environments {over} are over: reset them with options={{'reset_mask': …}}")
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminations = np.zeros(self.num_envs, dtype=np.bool_)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        outcomes = self._threads.map(self._step_one, range(self.num_envs), actions)
        for i, (observation, rewards[i], terminations[i], truncations[i], info, final) in enumerate(outcomes):
            self._observations[i] = observation
            if final:
                infos = self._add_info(infos, final, i)
            infos = self._add_info(infos, info, i)
        self._ended = terminations | truncations
        return self._batch(), rewards, terminations, truncations, infos

    def _step_one(self, i: int, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any], dict[str, Any]]:
        env = self.envs[i]
        if self._ended[i] and self.autoreset_mode == AutoresetMode.NEXT_STEP:
            observation, info = env.reset()
            return observation, 0.0, False, False, info, {}
        observation, reward, terminated, truncated, info = env.step(action)
        final: dict[str, Any] = {}
        if (terminated or truncated) and self.autoreset_mode == AutoresetMode.SAME_STEP:
            final = {"final_obs": observation, "final_info": info}
            observation, info = env.reset()
        return observation, float(reward), terminated, truncated, info, final

    def _batch(self) -> dict[str, Any]:
        empty: Any = create_empty_array(self.single_observation_space, n=self.num_envs)
        batch: Any = concatenate(self.single_observation_space, self._observations, empty)
        return dict(batch)

    def render(self) -> tuple[Any, ...]:
        """One frame an environment."""
        return tuple(env.render() for env in self.envs)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method (or reads an attribute) of every environment."""
        values = [env.get_wrapper_attr(name) for env in self.envs]
        return tuple(value(*args, **kwargs) if callable(value) else value for value in values)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of every environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute: one value for all, or a list or tuple with one an environment."""
        each = values if isinstance(values, list | tuple) else [values] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(f"{len(each)} values for {self.num_envs} environments")
        for env, value in zip(self.envs, each, strict=True):
            env.set_wrapper_attr(name, value)

    def close_extras(self, **_: Any) -> None:
        """Ends the threads and closes the environments."""
        self._threads.shutdown(wait=True)
        for env in self.envs:
            env.close()


def make_vec(
    env_id: str,
    num_envs: int = 1,
    vectorization_mode: str = "threads",
    *,
    autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
    wrappers: Sequence[Wrapper] = (),
    vector_kwargs: dict[str, Any] | None = None,
    **options: Any,
) -> VectorEnv[Any, Any, Any]:
    """Makes a vector environment whose members share out the task set.

    The corpus is resolved once, here, and handed on by fingerprint; environment i starts at place i of the task
    order and advances by ``num_envs``. Shared memory is off for processes: it cannot carry text.

    Args:
        env_id: A registered id.
        num_envs: Number of environments.
        vectorization_mode: ``threads`` (one process, one index), ``sync`` (one after another) or ``async``
            (processes).
        autoreset_mode: ``SAME_STEP`` (default), ``NEXT_STEP`` or ``DISABLED``.
        wrappers: Applied to every environment in order.
        vector_kwargs: Further arguments of the vector environment (``max_workers``, ``context``, …).
        **options: Keyword arguments of the environments.

    Raises:
        InvalidOptionError: An unknown mode, ``shared_memory=True``, or a bad option.
    """
    extra = dict(vector_kwargs or {})
    mode = _mode_of(autoreset_mode)
    if extra.pop("shared_memory", False):
        raise InvalidOptionError("shared_memory=True", "shared memory cannot carry text observations", "leave it out")
    spec = copy.deepcopy(gymnasium.spec(env_id))
    if vectorization_mode == "threads":
        vector: VectorEnv[Any, Any, Any] = ThreadVectorEnv(
            num_envs, autoreset_mode=mode, wrappers=wrappers, **{**spec.kwargs, **extra, **options}
        )
        spec.kwargs.update(num_envs=num_envs, vectorization_mode="vector_entry_point", autoreset_mode=mode.value)
        spec.kwargs.update(options)
        vector.spec = spec
        return vector
    makers = [partial(_make, env_id, wrappers, each) for each in _arguments(spec.kwargs["card"], num_envs, options)]
    if vectorization_mode == "sync":
        return SyncVectorEnv(makers, autoreset_mode=mode, **extra)
    if vectorization_mode == "async":
        return AsyncVectorEnv(makers, shared_memory=False, autoreset_mode=mode, **extra)
    raise InvalidOptionError(
        f"vectorization_mode={vectorization_mode!r}", "the modes are threads, sync and async", "take one of them"
    )


_mode_of = autoreset_mode  # the keyword argument of the same name hides the function inside the constructors


def _arguments(card: str, num_envs: int, options: dict[str, Any]) -> list[dict[str, Any]]:
    """The keyword arguments of each environment: corpus and tasks the same, a share of the task order for each."""
    entry = registry.card(card)
    corpus = registry.open_corpus(entry, options)
    registry.open_source(entry, corpus, entry.resolve(options))  # whatever it needs is built before workers start
    shared = {**options, "corpus": corpus.spec}
    if options.get("tasks") is not None:
        shared["tasks"] = resolve_task_set(options["tasks"]).spec
    share = [{"task_start": options.get("task_start", 0) + i} for i in range(num_envs)]
    return [{"task_stride": num_envs, **shared, **own} for own in share]


def _make(env_id: str, wrappers: Sequence[Wrapper], arguments: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    # Naming the module lets a spawned worker register the ids before it looks them up.
    env: gymnasium.Env[Any, Any] = gymnasium.make(f"scholar_env:{env_id}", **arguments)
    for wrapper in wrappers:
        env = wrapper(env)
    return env


def _one_each(values: Sequence[Any] | None, num_envs: int) -> list[Any]:
    return [None] * num_envs if values is None else list(values)


def _mask(mask: Any, num_envs: int) -> npt.NDArray[np.bool_]:
    if mask is None:
        return np.ones(num_envs, dtype=np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (num_envs,) or mask.dtype != np.bool_ or not mask.any():
        raise ValueError(f"options['reset_mask'] must be a bool array of shape ({num_envs},) with a True, got {mask!r}")
    return mask
