from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env import storage
from scholar_env.errors import CorpusFormatError, InvalidOptionError
from scholar_env.index import freeze as freeze_module
from scholar_env.index.freeze import SparseBuilder, freeze_sparse
from scholar_env.index.layout import read_meta
from scholar_env.index.sparse import SparseIndex, check_invariants

Freeze = Callable[..., Path]


def digest(folder: Path) -> str:
    lines = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(folder.iterdir())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_files_of_a_small_index(freeze: Freeze) -> None:
    folder = freeze(["b a b", None, "c a", "a"], ["2020-01", "2020-02", "", "2021"])
    assert json.loads((folder / "index.json").read_text()) == {
        "format": 1,
        "tokenizer": "scholargym-v1",
        "n_documents": 4,
        "n_indexed": 3,
        "n_terms": 3,
        "n_postings": 5,
        "n_pairs": 4,
        "n_tokens": 6,
        "content": read_meta(folder).content,
        "variants": {
            "okapi": {"form": "okapi", "k1": 1.5, "b": 0.75, "epsilon": 0.25},
            "lucene": {"form": "lucene", "k1": 1.2, "b": 0.75, "epsilon": 0.0},
        },
    }
    index = SparseIndex.open(folder)
    assert list(index.vocabulary) == ["b", "a", "c"]  # in the order of their first appearance
    assert index.postings.indptr.tolist() == [0, 1, 4, 5]
    assert index.postings.docs.tolist() == [0, 0, 2, 3, 2]
    pairs = [np.load(folder / name).tolist() for name in ("pair_tf.npy", "pair_dl.npy")]
    assert pairs == [[1, 1, 1, 2], [1, 2, 3, 3]]
    assert index.postings.codes.tolist() == [3, 2, 1, 0, 1]
    assert index.postings.dates.tolist() == [202001, 202002, 999999, 202100]
    assert len(read_meta(folder).content) == 64


def test_bytes_do_not_depend_on_chunks_or_time(freeze: Freeze, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    texts = [" ".join(rng.choices("abcdefghijklmnop", k=rng.randint(0, 30))) for _ in range(300)]
    whole = digest(freeze(texts))
    for size in (1, 10, 1000):
        monkeypatch.setattr(freeze_module, "CHUNK_POSTINGS", size)
        folder = freeze(texts)
        assert digest(folder) == whole
        check_invariants(folder)


def test_wide_codes_when_there_are_many_pairs(freeze: Freeze, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    texts = ["a b", "a a c", "b b b c", "d"]
    narrow = SparseIndex.open(freeze(texts), engine=engine)
    monkeypatch.setattr("scholar_env.index.layout.NARROW_PAIRS", 3)
    folder = freeze(texts)
    wide = SparseIndex.open(folder, engine=engine)
    assert (narrow.postings.codes.itemsize, wide.postings.codes.itemsize) == (2, 4)
    check_invariants(folder)
    for query in ("a", "b c", "a b c d"):
        one, other = narrow.search(query, 4, gold=[0, 2]), wide.search(query, 4, gold=[0, 2])
        assert (one.rows.tolist(), one.scores.tolist()) == (other.rows.tolist(), other.scores.tolist())
        assert one.gold_ranks == other.gold_ranks


def test_a_very_long_document(freeze: Freeze) -> None:
    index = SparseIndex.open(freeze(["a " * 70_000 + "b", "c", "d"]))
    assert index.meta.n_tokens == 70_003
    assert index.search("a", 3).rows.tolist() == [0]


def test_a_date_of_another_form_names_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusFormatError, match="the date 'June 2020' of a document cannot be ordered"):
        freeze_sparse(tmp_path / "index", ["a", "b"], ["2020", "June 2020"])


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="tokenizer 'whitespace' is unknown"):
        SparseBuilder("whitespace")


def test_texts_and_dates_must_be_as_many(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shorter"):
        freeze_sparse(tmp_path / "index", ["a", "b"], ["2020"])


def test_the_temporary_file_is_unnamed_and_released(tmp_path: Path) -> None:
    with SparseBuilder(scratch=tmp_path) as builder:
        builder.add("a b", "2020")
        assert builder.n_documents == 1
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="closed file"):
        builder.finish(tmp_path / "index")


def test_every_file_is_written_through_the_storage_seam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0

    def count(file: Any, data: Any) -> None:
        nonlocal written
        written += len(data)
        file.write(data)

    monkeypatch.setattr(storage, "fs_write", count)
    freeze_sparse(tmp_path / "index", ["a b", "c"], ["", ""])
    assert written == sum(path.stat().st_size for path in (tmp_path / "index").iterdir())
