"""Damage that hashes would find, too, but that must be found before an array is used as addresses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env.errors import CorpusFormatError, CorpusIntegrityError
from scholar_env.index import invariants
from scholar_env.index.sparse import SparseIndex, check_invariants

Freeze = Callable[..., Path]
Change = Callable[[Any], Any]


@pytest.fixture
def folder(freeze: Freeze) -> Path:
    return freeze(["b a b", None, "c a", "a", "d e f g a"], ["2020-01", "2020-02", "", "2021", "2019"])


def put(position: int, value: float) -> Change:
    def change(array: Any) -> Any:
        array[position] = value
        return array

    return change


DAMAGE = [
    ("indptr.npy", put(0, 1), "it does not rise from 0"),
    ("indptr.npy", put(-1, 4), "it does not rise from 0"),
    ("indptr.npy", put(2, 0), "it does not rise from 0"),
    ("docs.npy", put(0, 5), r"a row is outside \[0, 5\)"),
    ("docs.npy", put(0, -1), r"a row is outside \[0, 5\)"),
    ("docs.npy", put(2, 0), "rows do not rise within a term"),
    ("docs.npy", put(3, 2), "rows do not rise within a term"),
    ("codes.npy", put(-1, 60_000), "a pair number is not below"),
    ("dates.npy", put(0, -1), "a month is outside"),
    ("dates.npy", put(0, 1_000_000), "a month is outside"),
    ("pair_tf.npy", put(0, 0), "positive numbers"),
    ("pair_dl.npy", put(0, 0), "positive numbers"),
    ("idf_okapi.npy", put(0, np.nan), "an entry is not finite"),
    ("impact_lucene.npy", put(0, np.inf), "an entry is not finite"),
    ("vocab_order.npy", put(0, 5), "its order is no permutation"),
    ("vocab_hashes.npy", put(0, 2**64 - 1), "its hashes are not sorted"),
]


@pytest.mark.parametrize("step", [1, 3, 1 << 22])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_content_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: int, damage: tuple[str, Change, str]
) -> None:
    name, change, message = damage
    monkeypatch.setattr(invariants, "_STEP", step)
    check_invariants(folder)
    np.save(folder / name, change(np.load(folder / name)))
    with pytest.raises(CorpusIntegrityError, match=message) as caught:
        check_invariants(folder)
    assert name.split("_", maxsplit=1)[0] in str(caught.value)


def test_a_term_may_begin_with_a_later_row_than_the_one_before_ends_with(freeze: Freeze) -> None:
    check_invariants(freeze(["a", "a b", "b c", "c"]))  # docs 0 1 | 1 2 | 2 3


TYPES = [
    ("docs.npy", lambda array: array.astype(np.int64), "it must hold int32"),
    ("codes.npy", lambda array: array.astype(np.uint32), "it must hold uint16"),
    ("indptr.npy", lambda array: array[:-1], "index.json promises"),
    ("impact_okapi.npy", lambda array: np.append(array, 1.0), "index.json promises"),
    ("dates.npy", lambda array: array.reshape(1, -1), "2 dimensions"),
    ("docs.npy", lambda array: array.astype(object), "cannot be mapped"),
]


@pytest.mark.parametrize(("name", "change", "message"), TYPES)
def test_wrong_types_and_lengths_are_found_at_every_open(folder: Path, name: str, change: Change, message: str) -> None:
    np.save(folder / name, change(np.load(folder / name)), allow_pickle=True)
    with pytest.raises(CorpusIntegrityError, match=message) as caught:
        SparseIndex.open(folder)
    assert name in str(caught.value)


@pytest.mark.parametrize("name", ["index.json", "docs.npy", "codes.npy", "idf_okapi.npy", "vocab_blob.npy"])
def test_missing_and_cut_files_are_found_at_every_open(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    for cut in (0, 20, len(data) - 3):
        (folder / name).write_bytes(data[:cut])
        with pytest.raises(CorpusIntegrityError, match=name):
            SparseIndex.open(folder)
    (folder / name).unlink()
    with pytest.raises(CorpusIntegrityError, match=name):
        SparseIndex.open(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"n_terms": "many"},
        {"n_pairs": -1},
        {"variants": {"okapi": {"form": "okapi"}}},
        {"variants": {"okapi": {"form": "okapi", "k1": -1.0, "b": 0.75, "epsilon": 0.25}}},
        {"variants": []},
    ],
)
def test_a_damaged_description_is_refused(folder: Path, change: dict[str, object]) -> None:
    meta = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**meta, **change}))
    with pytest.raises(CorpusIntegrityError, match="cannot be read as the description of a sparse index"):
        SparseIndex.open(folder)


def test_another_format_version_is_refused(folder: Path) -> None:
    meta = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**meta, "format": 2}))
    with pytest.raises(CorpusFormatError, match=r"is of format 2\. Rule: this version reads format 1"):
        SparseIndex.open(folder)


def test_an_index_without_a_variant_is_damaged(folder: Path) -> None:
    meta = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**meta, "variants": {}}))
    with pytest.raises(CorpusIntegrityError, match="it names no scoring variant"):
        check_invariants(folder)
