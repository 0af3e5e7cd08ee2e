from __future__ import annotations

import copy
import importlib.util
import math
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import scholar_env.index
from scholar_env.errors import CorpusIntegrityError, InvalidOptionError, MissingDependencyError
from scholar_env.index.freeze import add_variant
from scholar_env.index.scoring import Variant
from scholar_env.index.sparse import SparseIndex, warm

Freeze = Callable[..., Path]

TEXTS = [
    "title: graph walk abstract: random walk on a graph",  # 0
    "title: policy abstract: gradient policy search",  # 1
    "title: graph walk abstract: random walk on a graph",  # 2: ties with 0
    None,  # 3: never indexed
    "title: graph abstract: deep",  # 4
    "title: deep abstract: deep search of a tree",  # 5
    "title: tree abstract: tree",  # 6
]
DATES = ["2020-01-10", "2020-02-10", "2020-03", "2020-01", "", "2019", "2020-01-31"]


@pytest.fixture
def opened(freeze: Freeze, engine: str) -> SparseIndex:
    return SparseIndex.open(freeze(TEXTS, DATES), engine=engine)


def test_a_hand_computed_score(opened: SparseIndex) -> None:
    # 6 indexed documents of 9, 6, 9, 4, 8 and 4 tokens; "walk" is in two of them, twice in document 0
    idf = math.log(6 - 2 + 0.5) - math.log(2 + 0.5)
    assert opened.idf("walk") == idf
    lengths = [len(opened.tokenize(text)) for text in TEXTS if text is not None]
    assert lengths == [9, 6, 9, 4, 8, 4]
    expected = idf * (2 * 2.5 / (2 + 1.5 * (1 - 0.75 + 0.75 * 9 / (40 / 6))))
    hits = opened.search("walk", 10)
    assert hits.rows.tolist() == [0, 2]  # ties keep document order
    assert hits.scores.tolist() == [expected, expected]
    assert opened.search("walk walk", 10).scores[0] == expected + expected
    assert opened.idf("unknown") is None


def test_pages_ranks_and_totals(opened: SparseIndex) -> None:
    whole = opened.search("graph deep title", 10, gold=[4, 3, 1])
    assert whole.total == 6  # "title" is in every indexed document
    assert 3 not in whole.rows
    place = whole.rows.tolist().index
    assert whole.gold_ranks == (place(4), None, place(1))
    second = opened.search("graph deep title", 2, offset=2)
    assert second.rows.tolist() == whole.rows.tolist()[2:4]
    assert second.total == 6
    assert opened.search("graph deep title", 5, offset=6).rows.tolist() == []
    assert opened.search("graph deep title", 0, gold=[4]).gold_ranks == (place(4),)


def test_exclusion_moves_ranks_and_keeps_the_others(opened: SparseIndex) -> None:
    whole = opened.search("graph deep title", 10).rows.tolist()
    first, last = whole[0], whole[-1]
    hits = opened.search("graph deep title", 10, exclude=[first, first, 999, -4, 3], gold=[first, last, 999, -1, last])
    assert hits.rows.tolist() == whole[1:]
    assert hits.total == 5
    assert hits.gold_ranks == (None, 4, None, None, 4)
    assert hits.gold_ranks_unexcluded == (0, 5, None, None, 5)


@pytest.mark.parametrize(
    ("before", "rows"),
    [
        (None, [0, 1, 2, 4, 5, 6]),
        ("2020-01", [0, 5, 6]),  # the undated document 4 drops out under a filter
        ("2020-01-31", [0, 5, 6]),
        ("2020-03", [0, 1, 2, 5, 6]),
        ("2019", [5]),
        ("2018-12", []),
        ("", []),
        ("9999-99", [0, 1, 2, 5, 6]),
    ],
)
def test_date_filter(opened: SparseIndex, before: str | None, rows: list[int]) -> None:
    hits = opened.search("title", 10, before=before, gold=[4])
    assert sorted(hits.rows.tolist()) == rows
    assert hits.total == len(rows)
    assert (hits.gold_ranks[0] is None) == (4 not in rows)


@pytest.mark.parametrize("query", ["", "42 naïve ???", "unknown words only"])
def test_a_query_without_a_known_word_finds_nothing(opened: SparseIndex, query: str) -> None:
    hits = opened.search(query, 10, gold=[0, 99])
    assert (hits.rows.tolist(), hits.scores.tolist(), hits.total) == ([], [], 0)
    assert hits.gold_ranks == hits.gold_ranks_unexcluded == (None, None)


def test_negative_floored_scores_are_not_ranked(freeze: Freeze, engine: str) -> None:
    index = SparseIndex.open(freeze(["a b", "a c", "a d"]), engine=engine)
    # idf: a = ln(.5/3.5) < 0; b, c, d = ln(2.5/1.5); their mean is negative, so the floor of "a" is, too
    assert index.idf("a") == 0.25 * ((math.log(0.5) - math.log(3.5)) + 3 * (math.log(2.5) - math.log(1.5))) / 4 < 0
    assert index.search("a", 10, gold=[1]).total == 0
    assert index.search("a", 10, gold=[1]).gold_ranks == (None,)
    mixed = index.search("a c", 10)
    assert mixed.rows.tolist() == [1]


def test_a_query_of_ten_thousand_tokens(opened: SparseIndex) -> None:
    once = opened.search("walk", 1).scores[0]
    total = 0.0
    for _ in range(10_000):
        total += once
    assert opened.search("walk " * 10_000, 1).scores[0] == total


def test_rows_may_be_numpy_integers_and_any_size(opened: SparseIndex) -> None:
    rows = np.array([0, 2], dtype=np.int16)
    hits = opened.search("walk", 10**30, offset=0, exclude=[*rows[:1], 10**30], gold=[*rows, -(10**30)])
    assert hits.rows.tolist() == [2]
    assert hits.gold_ranks == (None, 0, None)
    assert hits.gold_ranks_unexcluded == (0, 1, None)


@pytest.mark.parametrize(("k", "offset"), [(-1, 0), (1, -1)])
def test_negative_pages_are_refused(opened: SparseIndex, k: int, offset: int) -> None:
    with pytest.raises(InvalidOptionError, match=rf"a page of k={k} at offset={offset} was asked for"):
        opened.search("graph", k, offset=offset)


def test_copies_share_and_pickles_reopen(opened: SparseIndex) -> None:
    assert copy.deepcopy(opened) is opened
    assert copy.copy(opened) is opened
    again = pickle.loads(pickle.dumps(opened))
    assert again.fingerprint == opened.fingerprint
    assert again.engine == opened.engine
    assert again.search("graph walk", 3).scores.tolist() == opened.search("graph walk", 3).scores.tolist()


def test_a_pickle_refuses_another_index_at_its_place(freeze: Freeze) -> None:
    folder = freeze(TEXTS, DATES)
    data = pickle.dumps(SparseIndex.open(folder))
    shutil.rmtree(folder)
    shutil.move(freeze(TEXTS[:3], DATES[:3]), folder)
    with pytest.raises(CorpusIntegrityError, match="the pickled one had"):
        pickle.loads(data)


def test_fingerprint_says_everything_that_decides_a_ranking(freeze: Freeze) -> None:
    folder = freeze(TEXTS, DATES)
    base = SparseIndex.open(folder).fingerprint
    assert SparseIndex.open(freeze(TEXTS, DATES), engine="numpy").fingerprint == base
    others = [
        SparseIndex.open(folder, variant="lucene"),
        SparseIndex.open(freeze(TEXTS, [*DATES[:-1], "2020-02"])),
        SparseIndex.open(freeze([*TEXTS[:-1], "title: tree abstract: trees"], DATES)),
        SparseIndex.open(freeze(TEXTS[::-1], DATES)),
        SparseIndex.open(freeze(TEXTS, DATES, tokenizer_id="lucene-standard-v1")),
    ]
    assert len({base, *(index.fingerprint for index in others)}) == 6


def test_variants_without_a_new_index(freeze: Freeze, engine: str) -> None:
    folder = freeze(TEXTS, DATES)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "index.json"}
    flat = Variant("flat", "okapi", k1=0.9, b=0.0, epsilon=0.25)
    add_variant(folder, flat)
    add_variant(folder, flat)
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "index.json"}
    assert {name: after[name] for name in before} == before
    assert sorted(after.keys() - before.keys()) == ["idf_flat.npy", "impact_flat.npy"]
    index = SparseIndex.open(folder, engine=engine, variant="flat")
    idf = math.log(6 - 2 + 0.5) - math.log(2 + 0.5)
    assert index.search("walk", 1).scores[0] == idf * (2 * 1.9 / (2 + 0.9 * (1 - 0.0 + 0.0)))
    lucene = SparseIndex.open(folder, engine=engine, variant="lucene").search("walk", 1)
    assert lucene.scores[0] == math.log(1 + 4.5 / 2.5) * (2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 9 / (40 / 6))))
    with pytest.raises(InvalidOptionError, match="a variant never changes under its name"):
        add_variant(folder, Variant("flat", "okapi", k1=1.0, b=0.0, epsilon=0.25))


def test_unknown_names_are_refused(freeze: Freeze) -> None:
    folder = freeze(TEXTS, DATES)
    with pytest.raises(InvalidOptionError, match="engine 'fast' is unknown"):
        SparseIndex.open(folder, engine="fast")
    with pytest.raises(
        InvalidOptionError, match=r"variant 'bm11' is not in the index. Rule: the index has lucene, okapi"
    ):
        SparseIndex.open(folder, variant="bm11")


def test_without_numba_auto_is_numpy(freeze: Freeze, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = freeze(TEXTS, DATES)
    for name in ("scholar_env.index.sparse_numba", "scholar_env.compiled"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delattr(scholar_env.index, "sparse_numba", raising=False)
    assert SparseIndex.open(folder, engine="numpy").engine == "numpy"
    with pytest.raises(MissingDependencyError, match=r"install scholar-env\[fast\]"):
        SparseIndex.open(folder, engine="numba")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert SparseIndex.open(folder).engine == "numpy"
    assert warm() == "numpy"


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
def test_with_numba_auto_is_numba_and_compiles_once(freeze: Freeze) -> None:
    from scholar_env.index import sparse_numba

    assert warm() == "numba"
    compiled = len(vars(sparse_numba)["rank"].signatures)
    index = SparseIndex.open(freeze(TEXTS, DATES))
    assert index.engine == "numba"
    index.search("graph", 5, before="2020-01", exclude=[1], gold=[2])
    index.search("graph", 5)
    assert len(vars(sparse_numba)["rank"].signatures) == compiled >= 1


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
def test_without_a_folder_for_the_cache_the_kernel_compiles_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    from scholar_env.compiled import compiled

    def njit(*, nogil: bool, cache: bool = False, error_model: str) -> Callable[[object], object]:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: ("compiled", function, nogil)

    monkeypatch.setattr(numba, "njit", njit)
    kernel: object = compiled(len)
    assert kernel == ("compiled", len, True)


def test_an_index_without_documents_or_words(freeze: Freeze, engine: str) -> None:
    for texts in ([], [None, ""]):
        index = SparseIndex.open(freeze(texts), engine=engine)
        assert index.n_documents == len(texts)
        assert index.search("graph", 5, gold=[0]).gold_ranks == (None,)
        assert index.scores("graph").tolist() == [0.0] * len(texts)


def test_other_tokenizers(freeze: Freeze, engine: str) -> None:
    texts = ["Naïve Bayes for ResNet50", "Bayesian networks"]
    index = SparseIndex.open(freeze(texts, tokenizer_id="lucene-standard-v1"), engine=engine, variant="lucene")
    assert index.search("NAÏVE resnet50", 5).rows.tolist() == [0]
    stemmed = SparseIndex.open(freeze(texts, tokenizer_id="snowball-en-v1"), engine=engine, variant="lucene")
    assert stemmed.search("network", 5).rows.tolist() == [1]
