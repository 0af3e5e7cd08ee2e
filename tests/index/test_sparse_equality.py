"""All engines against rank_bm25 with the released procedure: equal rows, score bits, totals and both kinds of ranks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scholar_env.index import freeze as freeze_module
from scholar_env.index import sparse_numpy
from scholar_env.index.base import Hits, Index, SearchRequest
from scholar_env.index.sparse import SparseIndex

Draw = Callable[[random.Random, int], Any]
Open = Callable[[Sequence[str | None], Sequence[str]], list[Index]]
Plain = Callable[[Hits], tuple[object, ...]]


@pytest.fixture(params=["blocks as shipped", "tiny blocks"])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny blocks make a corpus of a few documents cross every block boundary that a large one crosses."""
    if request.param == "tiny blocks":
        monkeypatch.setattr(sparse_numpy, "STRIDE", 3)
        monkeypatch.setattr(sparse_numpy, "CHUNK", 2)
        monkeypatch.setattr(freeze_module, "CHUNK_POSTINGS", 7)
        try:
            from scholar_env.index import sparse_numba
        except ImportError:
            pass
        else:
            monkeypatch.setattr(sparse_numba, "BLOCK", 5)


@pytest.mark.usefixtures("_blocks")
def test_thousands_of_random_requests_agree(
    all_engines: Open, random_corpus: Draw, random_request: Draw, plain: Plain
) -> None:
    rng = random.Random(11)
    pages = negative = 0
    for _ in range(150):
        n = rng.choice([1, 2, 3, 3, 5, 8, 20, 60])
        reference, *engines = all_engines(*random_corpus(rng, n))
        for _ in range(30):
            request: SearchRequest = random_request(rng, n)
            expected = plain(reference.search_batch([request])[0])
            pages += bool(expected[0])
            for engine in engines:
                assert plain(engine.search_batch([request])[0]) == expected, (engine, request)
        first = engines[0]
        assert isinstance(first, SparseIndex)
        negative += any(first.postings.idf < 0)
    assert pages > 600  # the draw is not all empty pages,
    assert negative > 20  # and some corpora have a negative floor


@pytest.mark.usefixtures("_blocks")
def test_scores_have_the_bits_of_rank_bm25(freeze: Callable[..., Path], random_corpus: Draw) -> None:
    rank_bm25 = pytest.importorskip("rank_bm25")
    rng = random.Random(5)
    for _ in range(40):
        n = rng.choice([2, 3, 10, 80])
        texts, dates = random_corpus(rng, n)
        index = SparseIndex.open(freeze(texts, dates))
        documents = [index.tokenize(text or "") for text in texts]
        rows = [row for row, tokens in enumerate(documents) if tokens]
        if not rows:
            continue
        model = rank_bm25.BM25Okapi([documents[row] for row in rows])
        for query in ("graph neural graph", "title: abstract:", "the of a unknown policy", "deep", "graph " * 50):
            expected = np.zeros(n)
            expected[rows] = model.get_scores(index.tokenize(query))
            assert index.scores(query).tolist() == expected.tolist()


TEXT = st.text(alphabet="ab ", max_size=12)
DOCUMENTS = st.tuples(st.one_of(st.none(), TEXT), st.sampled_from(["", "2020-01-05", "2020-06", "2020-07", "2021"]))
ROWS = st.lists(st.integers(-1, 10), max_size=5)
REQUESTS = st.builds(
    SearchRequest,
    query=TEXT,
    k=st.integers(0, 12),
    offset=st.integers(0, 12),
    before=st.sampled_from([None, "", "2020-06", "2020"]),
    exclude=ROWS,
    gold=ROWS,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents=st.lists(DOCUMENTS, min_size=1, max_size=9), requests=st.lists(REQUESTS, min_size=1, max_size=5))
def test_any_small_corpus_and_request_agree(
    all_engines: Open, plain: Plain, documents: list[tuple[str | None, str]], requests: list[SearchRequest]
) -> None:
    reference, *engines = all_engines([text for text, _ in documents], [date for _, date in documents])
    expected = [plain(hits) for hits in reference.search_batch(requests)]
    for engine in engines:
        assert [plain(hits) for hits in engine.search_batch(requests)] == expected


def test_reference_opened_from_a_folder_equals_the_one_from_texts(
    freeze: Callable[..., Path], random_corpus: Draw, random_request: Draw, plain: Plain
) -> None:
    pytest.importorskip("rank_bm25")
    from scholar_env.index.reference import RankBM25Index

    rng = random.Random(3)
    for n in (1, 3, 40):
        texts, dates = random_corpus(rng, n)
        folder = freeze(texts, dates)
        opened, built = RankBM25Index.open(folder), RankBM25Index.from_texts(texts, dates)
        assert opened.fingerprint == SparseIndex.open(folder).fingerprint
        for _ in range(30):
            request: SearchRequest = random_request(rng, n)
            assert plain(opened.search_batch([request])[0]) == plain(built.search_batch([request])[0])
