"""Logistic regressions over the stems of a short text, as they were learned by ``benchmarks/complit_phrases.py``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from scholar_env.agents.complit_phrases import tokens
from scholar_env.agents.words import stem

POINT: Final = 4.0
"""What one point stands for, a logarithm times a weight; it is divided by the norm of a text, some 15."""

UNIT: Final = 0.1
"""What weights and bases are written in."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What tells labels apart.

    Attributes:
        labels: What is told apart.
        base: Points of each label before anything is read.
        stems: Stem, or two that follow each other, to places of labels and its points for each, in turn; they are
            its slope times its weight, and 0 for other labels.
    """

    labels: Sequence[str]
    base: Sequence[int]
    stems: Mapping[str, Sequence[int]]

    def logs(self, text: Weighted) -> list[float]:
        """Logarithm of each label's probability."""
        sums = [0] * len(self.labels)
        for one in text.stems:
            row = self.stems.get(one, ())
            for place, points in zip(row[::2], row[1::2], strict=True):
                sums[place] += points
        logs = [UNIT * base + POINT * points / text.norm for base, points in zip(self.base, sums, strict=True)]
        total = log_sum(logs)
        return [log - total for log in logs]

    def best(self, text: Weighted) -> tuple[str, float]:
        """The most probable label and the logarithm of its probability."""
        log, label = max(zip(self.logs(text), self.labels, strict=True))
        return label, log


@dataclass(frozen=True, slots=True)
class Weighted:
    """Stems of a text that are known.

    Attributes:
        stems: The stems, each once.
        norm: Norm of their weights, 1 without any.
    """

    stems: Sequence[str]
    norm: float


def log_sum(logs: Iterable[float]) -> float:
    """Logarithm of a sum, by the logarithms of what is summed; there is at least one."""
    every = list(logs)
    most = max(every)
    return most + math.log(math.fsum(math.exp(log - most) for log in every))


def weighted(stems: Sequence[str], weights: Mapping[str, int]) -> Weighted:
    """Those of the stems that have a weight."""
    known = [one for one in dict.fromkeys(stems) if one in weights]
    return Weighted(known, UNIT * math.hypot(*(weights[one] for one in known)) or 1.0)


def stems_in(text: str) -> list[str]:
    """Stems of a text in order, then pairs that follow each other; numbers are ``#``, names ``~``."""
    stems = [stem(word) if word.isalpha() else word for word in tokens(text)]
    return [*stems, *(f"{first} {second}" for first, second in pairwise(stems))]
