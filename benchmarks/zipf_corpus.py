"""A synthetic corpus with the statistics of scholarly text, and requests on it, for benchmarks of any size.

Words follow a Zipf-Mandelbrot law (exponent 1.05, shift 1.5, 300,000 types), abstracts have log-normal length, and 30 %
of a document's tokens repeat an earlier one, as topical words do. Everything follows from one seed; the texts are
written once into a cache folder, a line a document.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scholar_env.index.base import SearchRequest
from scholar_env.text import scholargym_text

TYPES, EXPONENT, SHIFT = 300_000, 1.05, 1.5
REPEATED = 0.3
TITLE_TOKENS = 10
SEED = 20
VERSION = 1
"""Raised when the generator changes, so that cached texts of an older one are not used."""
_BATCH = 2_000


def default_cache() -> Path:
    """Returns the folder for generated data, below the system's temporary folder."""
    return Path(tempfile.gettempdir()) / "scholar-env-benchmarks"


def words() -> list[str]:
    """Returns the vocabulary, most frequent word first; short words are frequent ones."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    lengths = itertools.chain.from_iterable(itertools.product(letters, repeat=n) for n in itertools.count(2))
    return ["".join(word) for word in itertools.islice(lengths, TYPES)]


def cumulative() -> npt.NDArray[np.float64]:
    """Returns the cumulative probabilities of the words by rank."""
    weights = 1.0 / (np.arange(1, TYPES + 1) + SHIFT) ** EXPONENT
    sums: npt.NDArray[np.float64] = np.cumsum(weights)
    return sums / sums[-1]


def _batches(n: int) -> Iterator[tuple[str, str]]:
    """Yields title and abstract of each document."""
    vocabulary, probability = words(), cumulative()
    for start in range(0, n, _BATCH):
        rng = np.random.default_rng((SEED, start))
        lengths = TITLE_TOKENS + np.clip(rng.lognormal(5.06, 0.4, _BATCH), 20, 800).astype(np.int64)
        ends = np.cumsum(lengths)
        starts = ends - lengths
        ids = np.searchsorted(probability, rng.random(ends[-1]))
        within = np.arange(ends[-1]) - np.repeat(starts, lengths)
        repeat = rng.random(ends[-1]) < REPEATED
        earlier = np.repeat(starts, lengths) + (rng.random(ends[-1]) * within).astype(np.int64)
        ids = np.where(repeat & (within > 0), ids[earlier], ids)
        for low, high in zip(starts.tolist(), ends.tolist(), strict=True):
            tokens = [vocabulary[i] for i in ids[low:high]]
            yield " ".join(tokens[:TITLE_TOKENS]), " ".join(tokens[TITLE_TOKENS:])


def dates(n: int) -> list[str]:
    """Returns the documents' dates, 1991-2024, one in fifty missing."""
    rng = np.random.default_rng((SEED, 1))
    months = rng.integers(1991 * 12, 2025 * 12, n)
    missing = rng.random(n) < 0.02
    return ["" if gone else f"{m // 12}-{m % 12 + 1:02d}-15" for m, gone in zip(months.tolist(), missing, strict=True)]


def texts(n: int, cache: Path) -> Iterator[str]:
    """Yields the indexed text of each document, from the cache file, which is generated when missing."""
    path = cache / f"texts-v{VERSION}-{n}.txt"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        with partial.open("w", encoding="ascii") as file:
            for title, abstract in itertools.islice(_batches(n), n):
                file.write(scholargym_text(title, abstract) + "\n")
        partial.replace(path)
    with path.open(encoding="ascii") as file:
        for line in file:
            yield line.rstrip("\n")


def requests(n: int, count: int, *, seed: int = 7) -> list[SearchRequest]:
    """Returns requests as an episode makes them.

    5-15 tokens, 22 % of them stop words (of the 30 most frequent), top 10, a date filter, 30 excluded documents and the
    ranks of 1-5 gold documents.
    """
    vocabulary, probability = words(), cumulative()
    rng = np.random.default_rng((SEED, seed))
    made = []
    for _ in range(count):
        m = int(rng.integers(5, 16))
        stop = rng.random(m) < 0.22
        content = 30 + np.searchsorted(probability[30:] - probability[29], rng.random(m) * (1 - probability[29]))
        ranks = np.where(stop, np.searchsorted(probability, rng.random(m) * probability[29]), content)
        month = int(rng.integers(2005 * 12, 2025 * 12))
        made.append(
            SearchRequest(
                query=" ".join(vocabulary[i] for i in ranks),
                k=10,
                before=f"{month // 12}-{month % 12 + 1:02d}",
                exclude=tuple(rng.integers(0, n, 30).tolist()),
                gold=tuple(rng.integers(0, n, int(rng.integers(1, 6))).tolist()),
            )
        )
    return made
