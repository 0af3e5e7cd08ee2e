"""Turns metrics into a reward: weighted terms, paid as they grow or at the end, with costs apart."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.terms import load_terms

TIMINGS = ("incremental", "terminal")
"""``incremental`` pays Φ(s') - Φ(s) after every call, ``terminal`` pays Φ once at the end."""

COSTS = ("invalid_cost", "step_cost")
"""Names of the cost terms."""


class RewardModel:
    """Reward of one episode: Φ = Σ weight × metric, minus costs.

    Φ starts at 0 for every term. Under ``"incremental"`` a call pays the change of Φ, which can be negative
    (precision falls when a wrong paper is selected); the undiscounted sum over the episode is Φ of its end,
    ``math.fsum`` of the payments within 1e-12 (a payment is rounded once, by at most 2**-53 of the largest Φ). It is
    the final metric only for γ = 1 and is not potential-based shaping. Under ``"terminal"`` every call pays 0.0 and
    the end pays Φ. A metric that is NaN (undefined) counts 0. A weight of 0 records the term only.

    Args:
        weights: Metric name to weight: one of ``metrics``, a registered term or ``"package.module:name"``.
        metrics: Names of the metrics that the episode's tracker gives.
        timing: One of :data:`TIMINGS`.
        invalid_cost: Cost >= 0 of a malformed or impossible call.
        step_cost: Cost >= 0 of every call.

    Raises:
        InvalidOptionError: An unknown metric or timing, a weight that is not finite, a cost that is negative or not
            finite.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        metrics: Collection[str],
        timing: str = "incremental",
        invalid_cost: float = 0.0,
        step_cost: float = 0.0,
    ) -> None:
        if timing not in TIMINGS:
            raise InvalidOptionError(f"reward_timing={timing!r}", f"one of {TIMINGS}", "use 'incremental', the default")
        for name, cost in zip(COSTS, (invalid_cost, step_cost), strict=True):
            if not _is_number(cost) or cost < 0:
                raise InvalidOptionError(
                    f"{name}={cost!r}", "a cost is a finite number >= 0", "pass 0.01, for instance"
                )
        for name, weight in weights.items():
            if not isinstance(name, str) or name in {*COSTS, "metrics"}:
                raise InvalidOptionError(f"reward term {name!r}", "a term is the name of a metric", "name a metric")
            if not _is_number(weight):
                raise InvalidOptionError(
                    f"weight {weight!r} of reward term {name!r}",
                    "a weight is a finite number",
                    "pass 1.0, for instance",
                )
        self.weights = {name: float(weight) for name, weight in weights.items()}
        self.timing = timing
        self.invalid_cost = float(invalid_cost)
        self.step_cost = float(step_cost)
        self.extra_terms = tuple(name for name in self.weights if name not in metrics)
        load_terms(self.extra_terms)  # an unknown one is refused here, not in the middle of an episode
        self.reset()

    def reset(self) -> None:
        """Starts a new episode: nothing has been paid."""
        self._paid = dict.fromkeys((*self.weights, "metrics"), 0.0)

    def resume(self, metrics: Mapping[str, float]) -> None:
        """Goes on with a restored episode that stands at ``metrics``: what they are worth counts as paid."""
        self.reset()
        if self.timing == "incremental":
            self._paid = self._worths(metrics) | {"metrics": self.value(metrics)}

    @property
    def term_names(self) -> tuple[str, ...]:
        """Keys of the second value of :meth:`step`: the weighted metrics, ``metrics`` (their sum), the two costs."""
        return (*self.weights, "metrics", *COSTS)

    def value(self, metrics: Mapping[str, float]) -> float:
        """Φ of a state."""
        return math.fsum(self._worths(metrics).values())

    def step(
        self, metrics: Mapping[str, float], ended: bool, invalid: bool, *, masked: bool = False
    ) -> tuple[float, dict[str, float]]:
        """Reward of one call.

        Args:
            metrics: Metrics after the call, with every weighted one in it.
            ended: Whether the episode is over.
            invalid: Whether the call was malformed or impossible.
            masked: The episode died of an infrastructure failure: nothing is paid and nothing charged.

        Returns:
            The reward and its terms: the payment of each weighted metric, ``metrics`` = payment of Φ, and the two
            costs as numbers <= 0. The reward is ``metrics`` plus the costs.
        """
        if masked:
            return 0.0, dict.fromkeys(self.term_names, 0.0)
        due = self.timing == "incremental" or ended
        worth = self._worths(metrics) | {"metrics": self.value(metrics)} if due else self._paid
        terms = {name: worth[name] - self._paid[name] for name in worth}
        self._paid = worth
        terms["invalid_cost"] = 0.0 - self.invalid_cost if invalid else 0.0
        terms["step_cost"] = 0.0 - self.step_cost
        return terms["metrics"] + terms["invalid_cost"] + terms["step_cost"], terms

    def _worths(self, metrics: Mapping[str, float]) -> dict[str, float]:
        """Weight × metric for each weighted metric; 0.0 where the metric is undefined or the weight 0."""
        worths = {}
        for name, weight in self.weights.items():
            value = metrics[name]
            worths[name] = 0.0 if math.isnan(value) or not weight else weight * value
        return worths


def _is_number(value: object) -> bool:
    """Whether a value is a finite int or float (a bool is not)."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer beyond every float
        return False
