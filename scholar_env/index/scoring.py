"""Scoring variants: an idf for every term and an impact for every distinct (term frequency, document length) pair.

A document's score is the sum of ``idf[term] * impact[pair]`` over the query's tokens in their order, duplicates counted
twice. So a variant is two small tables beside the postings, and a new k1 or b needs no new index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scholar_env.errors import InvalidOptionError

FORMS = ("okapi", "atire", "lucene")
"""Formulas; N documents of mean length avgdl, a term in n of them, tf times in one of length dl.

- ``okapi``: idf = ln(N - n + 0.5) - ln(n + 0.5), a negative one replaced by epsilon * mean idf; impact =
  tf (k1 + 1) / (tf + k1 (1 - b + b dl / avgdl)). Robertson and Spärck Jones; the floor as in rank_bm25 0.2.2.
- ``atire``: idf = ln(N / n), the same impact. Trotman, Jia and Crane.
- ``lucene``: idf = ln(1 + (N - n + 0.5) / (n + 0.5)); impact = tf / (tf + k1 (1 - b + b dl / avgdl)),
  with exact lengths.
"""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to score.

    Attributes:
        name: Lower-case letters, digits, ``_`` and ``-``; part of the tables' file names.
        form: One of :data:`FORMS`.
        k1: Saturation of the term frequency, at least 0.
        b: Strength of the length normalisation, in [0, 1].
        epsilon: Share of the mean idf that replaces a negative one (``okapi`` only), at least 0.
    """

    name: str
    form: str
    k1: float
    b: float
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        rules = {
            "name": bool(self.name) and self.name.isascii() and self.name.replace("_", "a").replace("-", "a").isalnum(),
            "form": self.form in FORMS,
            "k1": math.isfinite(self.k1) and self.k1 >= 0,
            "b": 0 <= self.b <= 1,
            "epsilon": math.isfinite(self.epsilon) and self.epsilon >= 0,
        }
        for key, holds in rules.items():
            if not holds or (key == "name" and self.name != self.name.lower()):
                raise InvalidOptionError(
                    f"scoring variant has {key} = {getattr(self, key)!r}",
                    f"names are of [a-z0-9_-], form is one of {', '.join(FORMS)}, k1 >= 0, 0 <= b <= 1, epsilon >= 0",
                    f"give another {key}",
                )

    def as_json(self) -> dict[str, Any]:
        """Returns the parameters that decide scores."""
        return {"form": self.form, "k1": float(self.k1), "b": float(self.b), "epsilon": float(self.epsilon)}


OKAPI = Variant("okapi", "okapi", 1.5, 0.75, 0.25)
"""The defaults of rank_bm25's BM25Okapi, which the released ScholarGym retriever uses."""

LUCENE = Variant("lucene", "lucene", 1.2, 0.75)
"""The defaults of Lucene, without its rounding of document lengths."""


def idf_table(
    variant: Variant, frequencies: npt.NDArray[np.int64], n_documents: int
) -> tuple[npt.NDArray[np.float64], float]:
    """Computes the idf of every term.

    Args:
        variant: The scoring variant.
        frequencies: Number of documents that hold each term, terms in the order of their first appearance in the corpus
            (the mean idf is summed in that order, so its last bits depend on it).
        n_documents: Number of indexed documents.

    Returns:
        The table, and the mean idf before any floor (0.0 for an empty vocabulary).
    """
    log, n = math.log, n_documents
    if variant.form == "lucene":
        values = [log(1 + (n - f + 0.5) / (f + 0.5)) for f in frequencies.tolist()]
    elif variant.form == "atire":
        values = [log(n / f) for f in frequencies.tolist()]
    else:
        values = [log(n - f + 0.5) - log(f + 0.5) for f in frequencies.tolist()]
    total = 0.0
    for value in values:  # not sum(): Python 3.12 and later compensate its rounding
        total += value
    mean = total / len(values) if values else 0.0
    table = np.array(values, dtype=np.float64)
    if variant.form == "okapi":
        table[table < 0] = variant.epsilon * mean
    return table, mean


def impact_table(
    variant: Variant, pair_tf: npt.NDArray[Any], pair_dl: npt.NDArray[Any], n_tokens: int, n_documents: int
) -> npt.NDArray[np.float64]:
    """Computes the impact of every (term frequency, document length) pair.

    Args:
        variant: The scoring variant.
        pair_tf: Term frequencies, at least 1.
        pair_dl: Document lengths in tokens, at least 1.
        n_tokens: Number of tokens of the whole corpus.
        n_documents: Number of indexed documents.
    """
    if n_documents == 0:
        return np.zeros(len(pair_tf), dtype=np.float64)
    tf, dl = pair_tf.astype(np.float64), pair_dl.astype(np.float64)
    k1, b, avgdl = variant.k1, variant.b, n_tokens / n_documents
    norm: npt.NDArray[np.float64] = tf + k1 * (1 - b + b * dl / avgdl)
    return tf / norm if variant.form == "lucene" else tf * (k1 + 1) / norm
