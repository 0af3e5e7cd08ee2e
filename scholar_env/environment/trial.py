"""One attempt at one task: the engine's episode together with its metrics and its reward account."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scholar_env.episode.base import EpisodeBase
from scholar_env.episode.calls import Malformed, ToolCall
from scholar_env.episode.family import Family, family
from scholar_env.episode.retrieval import INFRASTRUCTURE, with_retries
from scholar_env.episode.trace import Outcome
from scholar_env.metrics.reward import RewardModel


@dataclass(frozen=True)
class RewardSettings:
    """How an environment pays: see :class:`scholar_env.metrics.reward.RewardModel`."""

    weights: Mapping[str, float]
    timing: str
    invalid_cost: float
    step_cost: float

    def model(self, metrics: Collection[str]) -> RewardModel:
        """A fresh account over these metrics.

        Raises:
            InvalidOptionError: An unknown metric or a bad weight.
        """
        return RewardModel(self.weights, metrics, self.timing, self.invalid_cost, self.step_cost)


class Trial:
    """One attempt at one task.

    Args:
        family: The family of the benchmark.
        metrics: Which of the family's metrics are told and can be paid.
        episode: The engine's episode at its start.
        pay: How the environment pays.

    Attributes:
        episode: The engine's episode.
        metrics: Metrics after the last call.
        terms: Reward terms of the last step.
        calls: Calls of the last step that were run, in order.
        outcomes: Their outcomes.
    """

    def __init__(
        self, family: Family, metrics: tuple[str, ...], episode: EpisodeBase[Any, Any], pay: RewardSettings
    ) -> None:
        self._family, self._names = family.name, metrics
        self._open(episode, pay.model(metrics))

    def _open(self, episode: EpisodeBase[Any, Any], account: RewardModel) -> None:
        self.episode = episode
        self._account = account
        self._tracker = family(self._family).tracker(episode, account.extra_terms)
        self.metrics = self._measure()
        self.terms = dict.fromkeys(account.term_names, 0.0)
        self.calls: tuple[ToolCall | Malformed, ...] = ()
        self.outcomes: tuple[Outcome, ...] = ()

    def _measure(self) -> dict[str, float]:
        """The metrics now; a further term may ask a remote judge, which is tried again like a remote index."""
        measured = with_retries(lambda: self._tracker.update(self.episode), self.episode.config.retry_delay)
        return {name: measured[name] for name in (*self._names, *self._account.extra_terms)}

    @property
    def rows(self) -> list[dict[str, float]]:
        """Rows of the tracker so far: one an iteration, a call or a turn, as the family has it."""
        return list(self._tracker.rows)

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return self.episode.terminated or self.episode.truncated

    def play(self, calls: Sequence[ToolCall | Malformed]) -> float:
        """Runs calls in order until the episode ends, and returns the sum of their rewards.

        A call whose measures cannot be had, since a judge among the terms cannot be reached, is undone like one whose
        search failed; the metrics stay those of the call before.
        """
        played: list[ToolCall | Malformed] = []
        outcomes: list[Outcome] = []
        rewards: list[float] = []
        terms: list[dict[str, float]] = []
        for call in calls:
            judged = bool(self._account.extra_terms)
            before = self.episode.state.copy() if judged else self.episode.state
            outcome = self.episode.call(call)
            if outcome.failure_kind != "infrastructure":
                try:
                    self.metrics = self._measure()
                except INFRASTRUCTURE as problem:
                    outcome = self.episode.fail(outcome.name, before, problem)
            played.append(call)
            outcomes.append(outcome)
            masked = outcome.failure_kind == "infrastructure"
            reward, paid = self._account.step(self.metrics, self.ended, outcome.invalid, masked=masked)
            rewards.append(reward)
            terms.append(paid)
            if self.ended:
                break
        self.calls, self.outcomes = tuple(played), tuple(outcomes)
        if len(rewards) == 1:
            self.terms = terms[0]
            return rewards[0]
        self.terms = {name: math.fsum(paid[name] for paid in terms) for name in self.terms}
        return math.fsum(rewards)

    def fork(self) -> Trial:
        """A copy that goes its own way from here."""
        twin = copy.copy(self)
        twin.episode = self.episode.fork()
        twin._account = copy.deepcopy(self._account)
        twin._tracker = copy.deepcopy(self._tracker)
        twin.metrics, twin.terms = dict(self.metrics), dict(self.terms)
        return twin

    def restore(self, state: dict[str, Any]) -> None:
        """Takes on a saved state of the same task; what the metrics are worth counts as paid.

        Raises:
            StateError: The state does not fit.
        """
        self.episode.set_state(state)
        self._open(self.episode, self._account)
        self._account.resume(self.metrics)
        self.outcomes = () if self.episode.last is None else (self.episode.last,)
