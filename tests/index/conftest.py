"""Corpora and indexes for the tests of the index package."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from scholar_env.index.base import Hits, Index, SearchRequest
from scholar_env.index.freeze import freeze_sparse
from scholar_env.index.reference import RankBM25Index
from scholar_env.index.sparse import SparseIndex
from tests.own_home import no_fsync

__all__ = ["no_fsync"]

ENGINES = ["numpy", *(["numba"] if importlib.util.find_spec("numba") else [])]
WORDS = [
    "graph",
    "graphs",
    "neural",
    "network",
    "walk",
    "the",
    "of",
    "a",
    "policy",
    "title",
    "abstract",
    "search",
    "deep",
]
WORDS += ["model", "text", "naïve", "resnet50"]
MONTHS = ["", "", "1999-12", "2018-06-01", "2019", "2020-01-31", "2020-01", "2020-02-29", "2024-12-31"]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def freeze(tmp_path: Path) -> Callable[..., Path]:
    """Freezes texts (and dates, none by default) into a new folder and returns it."""
    made: list[Path] = []

    def make(
        texts: Sequence[str | None], dates: Sequence[str] | None = None, *, tokenizer_id: str = "scholargym-v1"
    ) -> Path:
        made.append(tmp_path / f"index-{len(made)}")
        freeze_sparse(made[-1], texts, dates or [""] * len(texts), tokenizer_id)
        return made[-1]

    return make


@pytest.fixture
def all_engines(freeze: Callable[..., Path]) -> Callable[[Sequence[str | None], Sequence[str]], list[Index]]:
    """Opens one corpus in every engine; the reference is built from the texts, not from the frozen files."""

    def make(texts: Sequence[str | None], dates: Sequence[str]) -> list[Index]:
        pytest.importorskip("rank_bm25")
        folder = freeze(texts, dates)
        frozen = [SparseIndex.open(folder, engine=name) for name in ENGINES]
        return [RankBM25Index.from_texts(texts, dates), *frozen]

    return make


@pytest.fixture
def random_corpus() -> Callable[[random.Random, int], tuple[list[str | None], list[str]]]:
    """Draws documents with ties, duplicates, empty and undated ones."""

    def draw(rng: random.Random, n: int) -> tuple[list[str | None], list[str]]:
        texts: list[str | None] = []
        for _ in range(n):
            if texts and rng.random() < 0.15:
                texts.append(rng.choice(texts))
            elif rng.random() < 0.1:
                texts.append(rng.choice([None, "", "42 naïve"]))
            else:
                words = rng.choices(WORDS, k=rng.randint(1, 12))
                texts.append(f"title: {' '.join(words[:3])} abstract: {' '.join(words[3:])}")
        return texts, [rng.choice(MONTHS) for _ in range(n)]

    return draw


@pytest.fixture
def random_request() -> Callable[[random.Random, int], SearchRequest]:
    """Draws a request, often an unusual one: rows outside the corpus or twice, pages beyond the end, unknown words."""

    def draw(rng: random.Random, n: int) -> SearchRequest:
        return SearchRequest(
            query=" ".join(rng.choices([*WORDS, "unknown", "graph", "the"], k=rng.choice([0, 1, 2, 3, 5, 5, 30]))),
            k=rng.choice([0, 1, 2, 3, 10, n, 10**12]),
            offset=rng.choice([0, 0, 0, 0, 1, 2, 5, n, 10**12]),
            before=rng.choice(
                [None, None, None, "", "2020-01", "2020-01-15", "2019", "2018-06", "1990", "9999-99", "x", "2"]
            ),
            exclude=[rng.randint(-2, n + 1) for _ in range(rng.choice([0, 0, 1, 5, n]))],
            gold=[rng.randint(-2, n + 1) for _ in range(rng.choice([0, 1, 2, 5]))],
        )

    return draw


@pytest.fixture
def plain() -> Callable[[Hits], tuple[object, ...]]:
    """Turns an answer into plain values that compare with ``==``, every bit of the scores included."""

    def convert(hits: Hits) -> tuple[object, ...]:
        assert hits.rows.dtype == "int32"
        assert hits.scores.dtype == "float64"
        rows, scores = hits.rows.tolist(), hits.scores.tolist()
        return rows, scores, hits.total, hits.gold_ranks, hits.gold_ranks_unexcluded

    return convert
