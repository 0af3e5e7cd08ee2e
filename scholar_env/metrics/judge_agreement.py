"""How well a judge's scores agree with people who preferred one of two answers.

Bradley–Terry strengths by iterative Luce spectral ranking (Maystre and Grossglauser 2015), as the benchmark's release
has them from a library; computed here, so that a small linear system needs no further packages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scholar_env.errors import UndefinedMeasureError
from scholar_env.metrics.ranking import ratio

Floats = NDArray[np.float64]

SMOOTHING = 0.01
"""Regularization of the strengths: the rate that is added between any two models."""

TOLERANCE, MOST_ITERATIONS = 1e-8, 100


@dataclass(frozen=True, slots=True)
class Preference:
    """One comparison by a person.

    Attributes:
        a: Number of the one model.
        b: Number of the other.
        better: The preferred one, None for a tie.
        item: What they had answered.
    """

    a: int
    b: int
    better: int | None
    item: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a judge with people. Correlations are NaN where one side does not vary.

    Attributes:
        strengths: Bradley–Terry strength of each model (log scale, mean 0).
        mean_scores: The judge's mean score of each model.
        win_counts: Wins of each model, a tie counting one half.
        p_bt: Pearson's r of mean scores and strengths.
        spearman_bt, kendall_bt: Rank correlations of the same.
        spearman_wins, kendall_wins: Rank correlations of mean scores and win counts.
        pw_auc: Area under the ROC curve of score differences (a − b) against "a was preferred".
        pw_accuracy: Share of the comparisons where the difference has the right sign; no difference predicts b.
        tau_like: (concordant − discordant) / (concordant + discordant), differences of 0 left out.
        pairs: Comparisons without ties whose items both have scores.
    """

    strengths: tuple[float, ...]
    mean_scores: tuple[float, ...]
    win_counts: tuple[float, ...]
    p_bt: float
    spearman_bt: float
    kendall_bt: float
    spearman_wins: float
    kendall_wins: float
    pw_auc: float
    pw_accuracy: float
    tau_like: float
    pairs: int


def agreement(preferences: Sequence[Preference], scores: Sequence[Mapping[str, float]]) -> Agreement:
    """Measures a judge against people.

    Args:
        preferences: The comparisons; models are numbered as in ``scores``.
        scores: The judge's score of each item, by model; an item may be missing.

    Raises:
        UndefinedMeasureError: A model has no score, or a comparison names a model that is not there.
    """
    size = len(scores)
    for preference in preferences:
        if not (0 <= preference.a < size and 0 <= preference.b < size):
            raise UndefinedMeasureError(
                f"a comparison of models {preference.a} and {preference.b}, with scores of {size} models",
                "models are numbered from 0 as their scores are",
                "give the scores of every compared model",
            )
    if not size or not all(scores):
        raise UndefinedMeasureError(
            "a model without a score", "the mean score of each model is needed", "leave models without scores out"
        )
    decided = [preference for preference in preferences if preference.better is not None]
    strengths = bradley_terry(size, [_winner_first(preference) for preference in decided])
    means = np.array([sum(own.values()) / len(own) for own in scores])
    wins = win_counts(size, preferences)
    differences = [
        (scores[pair.a][pair.item] - scores[pair.b][pair.item], pair.better == pair.a)
        for pair in decided
        if pair.item in scores[pair.a] and pair.item in scores[pair.b]
    ]
    right = sum((difference > 0) == preferred for difference, preferred in differences)
    clear = [(difference > 0) == preferred for difference, preferred in differences if difference != 0]
    return Agreement(
        strengths=tuple(strengths.tolist()),
        mean_scores=tuple(means.tolist()),
        win_counts=tuple(wins.tolist()),
        p_bt=pearson(means, strengths),
        spearman_bt=spearman(means, strengths),
        kendall_bt=kendall(means, strengths),
        spearman_wins=spearman(means, wins),
        kendall_wins=kendall(means, wins),
        pw_auc=roc_auc(differences),
        pw_accuracy=right / len(differences) if differences else float("nan"),
        tau_like=ratio(2 * sum(clear) - len(clear), len(clear)),
        pairs=len(differences),
    )


def _winner_first(preference: Preference) -> tuple[int, int]:
    return (preference.a, preference.b) if preference.better == preference.a else (preference.b, preference.a)


def win_counts(size: int, preferences: Sequence[Preference]) -> Floats:
    """Wins of each model; a tie counts one half for both."""
    wins = np.zeros(size)
    for preference in preferences:
        if preference.better is None:
            wins[preference.a] += 0.5
            wins[preference.b] += 0.5
        else:
            wins[preference.better] += 1
    return wins


def bradley_terry(size: int, wins: Sequence[tuple[int, int]], smoothing: float = SMOOTHING) -> Floats:
    """Bradley–Terry strengths by iterative Luce spectral ranking.

    Each turn builds a Markov chain that moves from losers to winners, at rates that fall with the strengths so far; the
    logarithm of its stationary distribution is the next estimate. It ends when the estimate moves by no more than
    1e-8 a model.

    Args:
        size: Number of models.
        wins: Pairs (winner, loser).
        smoothing: Rate added between any two models; above 0 where not all are compared.

    Returns:
        Log strengths with mean 0, [size].

    Raises:
        UndefinedMeasureError: It does not converge in 100 turns.
    """
    strengths = np.zeros(size)
    last: Floats | None = None
    for _ in range(MOST_ITERATIONS):
        weights = np.exp(strengths - strengths.mean())
        weights *= size / weights.sum()
        chain = np.full((size, size), float(smoothing))
        for winner, loser in wins:
            chain[loser, winner] += 1 / (weights[winner] + weights[loser])
        chain -= np.diag(chain.sum(axis=1))
        strengths = np.log(_stationary(chain))
        strengths -= strengths.mean()
        if last is not None and float(np.abs(last - strengths).sum()) <= TOLERANCE * size:
            return strengths
        last = strengths
    raise UndefinedMeasureError(
        f"the Bradley–Terry strengths of {size} models do not converge", "100 turns suffice", "raise the smoothing"
    )


def _stationary(chain: Floats) -> Floats:
    """Stationary distribution of a chain given by its rates; sums to the number of states."""
    size = len(chain)
    if size == 1:
        return np.ones(1)
    left, right = chain.T[:-1, :-1], -chain.T[:-1, -1]
    found = np.append(np.linalg.solve(left, right), 1.0)
    scaled: Floats = found * (size / found.sum())
    return scaled


def roc_auc(scored: Sequence[tuple[float, bool]]) -> float:
    """Probability that a positive scores above a negative, ties counting one half; NaN without one of each."""
    values = np.array([value for value, _ in scored], dtype=np.float64)
    positive = np.array([flag for _, flag in scored], dtype=bool)
    n_positive, n_negative = int(positive.sum()), int((~positive).sum())
    if not n_positive or not n_negative:
        return float("nan")
    rank_sum = float(mid_ranks(values)[positive].sum())
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)


def mid_ranks(values: Floats) -> Floats:
    """Ranks from 1 on, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: Floats = ends - (counts - 1) / 2
    return middle[inverse]


def pearson(first: Floats, second: Floats) -> float:
    """Pearson's correlation; NaN where one side does not vary."""
    x, y = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale else float("nan")


def spearman(first: Floats, second: Floats) -> float:
    """Spearman's rank correlation: Pearson's over mid-ranks."""
    return pearson(mid_ranks(first), mid_ranks(second))


def kendall(first: Floats, second: Floats) -> float:
    """Kendall's tau-b; NaN where one side does not vary."""
    rows, columns = np.triu_indices(len(first), k=1)
    x, y = np.sign(first[rows] - first[columns]), np.sign(second[rows] - second[columns])
    scale = float(np.sqrt(np.count_nonzero(x) * np.count_nonzero(y)))
    return float((x * y).sum()) / scale if scale else float("nan")
