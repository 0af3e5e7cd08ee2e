"""Fits logistic regressions over the stems of short texts, for `complit_phrases`. It needs scikit-learn."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from scholar_env.agents.complit_scale import POINT, UNIT

PARAPHRASES = Path(__file__).with_name("complit_paraphrases.tsv")
"""Trait, value, kind and text: how else a reader may ask for a value (c), a paper say it (s) or hint at it (h), and
clauses that ask for none (o). They are general English: no wording of a test world was looked at for them."""

Value = tuple[str, str]


class Example(NamedTuple):
    """Stems of a text, each once, what it tells, and what it counts."""

    stems: Sequence[str]
    label: str
    worth: float


def read_paraphrases(kinds: str) -> list[tuple[Value, str, str]]:
    """Reads paraphrases of some kinds: the value, the kind and the text."""
    with PARAPHRASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [((trait, value), kind, text) for trait, value, kind, text in rows if kind in kinds]


def weights_of(examples: Sequence[Example], kept: Sequence[str]) -> dict[str, float]:
    """How rare stems are: 1 + ln((1 + n) / (1 + df)), as is usual."""
    every = Counter(stem for one in examples for stem in one.stems)
    return {stem: 1.0 + math.log((1 + len(examples)) / (1 + every[stem])) for stem in kept}


def written(weights: Mapping[str, float]) -> dict[str, int]:
    """Weights as they are stored."""
    return {stem: round(weight / UNIT) for stem, weight in weights.items()}


def fit(examples: Sequence[Example], weights: Mapping[str, float], strength: float, least: int) -> dict[str, Any]:
    """A logistic regression over normed weights of stems, in points.

    Args:
        examples: Texts with labels.
        weights: Weight of each stem that counts.
        strength: Inverse of the weight of the penalty.
        least: Points that a stem has for or against a label, at least; fewer are left out.
    """
    names = sorted({one.label for one in examples})
    if len(names) == 1:
        return {"labels": names, "base": [0], "stems": {}}
    stems = sorted({stem for one in examples for stem in one.stems if stem in weights})
    model = LogisticRegression(C=strength, max_iter=300)
    labels, worths = [one.label for one in examples], [one.worth for one in examples]
    with threadpool_limits(limits=1):  # more threads round otherwise, and on matrices so small only wait
        model.fit(_features(examples, stems, weights), labels, sample_weight=worths)
    slopes, base = model.coef_, model.intercept_
    if len(names) == 2:
        slopes, base = np.vstack([-slopes[0], slopes[0]]) / 2, np.array([-base[0], base[0]]) / 2
    rows = {
        stem: _row([round(float(one) * weights[stem] / POINT) for one in column], least)
        for stem, column in zip(stems, slopes.T, strict=True)
    }
    points = [round(float(one) / UNIT) for one in base]
    return {"labels": names, "base": points, "stems": {stem: row for stem, row in rows.items() if row}}


def _features(examples: Sequence[Example], stems: Sequence[str], weights: Mapping[str, float]) -> csr_matrix:
    place = {stem: at for at, stem in enumerate(stems)}
    rows = [[stem for stem in one.stems if stem in place] for one in examples]
    norms = [math.hypot(*(weights[stem] for stem in row)) or 1.0 for row in rows]
    cells = [weights[stem] / norm for row, norm in zip(rows, norms, strict=True) for stem in row]
    columns = [place[stem] for row in rows for stem in row]
    starts = np.cumsum([0, *(len(row) for row in rows)])
    return csr_matrix((cells, columns, starts), shape=(len(rows), len(stems)))


def _row(points: Sequence[int], least: int) -> list[int]:
    return [number for pair in enumerate(points) if abs(pair[1]) >= least for number in pair]
