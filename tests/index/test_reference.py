from __future__ import annotations

import math
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scholar_env.errors import InvalidOptionError, MissingDependencyError
from scholar_env.index.reference import RankBM25Index
from scholar_env.index.scoring import Variant

Freeze = Callable[..., Path]


def test_without_rank_bm25_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rank_bm25", None)
    with pytest.raises(MissingDependencyError, match=r"install scholar-env\[reference\]"):
        RankBM25Index.from_texts(["a"], [""])


def test_it_scores_okapi_only(freeze: Freeze) -> None:
    pytest.importorskip("rank_bm25")
    with pytest.raises(InvalidOptionError, match="it computes BM25Okapi only"):
        RankBM25Index.open(freeze(["a", "b"]), variant="lucene")


def test_parameters_reach_the_model() -> None:
    pytest.importorskip("rank_bm25")
    texts, dates = ["a a b", "c", "d e"], ["", "", ""]
    flat = RankBM25Index.from_texts(texts, dates, variant=Variant("flat", "okapi", k1=0.5, b=0.0))
    assert flat.scores("a")[0] == (math.log(2.5) - math.log(1.5)) * (2 * 1.5 / (2 + 0.5))
    assert flat.fingerprint != RankBM25Index.from_texts(texts, dates).fingerprint


def test_opened_ones_pickle_and_others_say_that_they_do_not(freeze: Freeze) -> None:
    pytest.importorskip("rank_bm25")
    opened = RankBM25Index.open(freeze(["a b", "c", "d"], ["2020-05", "", "2020"]))
    again = pickle.loads(pickle.dumps(opened))
    assert again.engine == "rank-bm25"
    assert again.n_documents == 3
    assert again.search("a", 1, before="2020-05").rows.tolist() == [0]
    assert again.search("a", 1, before="2020-04").rows.tolist() == []
    with pytest.raises(TypeError, match="open a frozen index instead"):
        pickle.dumps(RankBM25Index.from_texts(["a"], [""]))
