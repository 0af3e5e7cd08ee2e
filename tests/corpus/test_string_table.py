"""String tables: look-ups, doubles, damage."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scholar_env import string_table
from scholar_env.arrays import save_array
from scholar_env.errors import CorpusIntegrityError
from scholar_env.string_table import PARTS, StringTable, write_string_table

texts = st.text(st.characters(codec="utf-8"), max_size=8)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(strings=st.lists(texts, unique=True, max_size=30), other=texts)
def test_every_string_is_found_at_its_row_and_no_other(tmp_path: Path, strings: list[str], other: str) -> None:
    folder = tmp_path / "table"
    folder.mkdir(exist_ok=True)
    write_string_table(folder, "t", strings)
    table = StringTable(folder, "t")
    table.check()
    assert [table.get(text) for text in strings] == list(range(len(strings)))
    assert list(table) == strings
    assert len(table) == len(strings)
    assert table.get(other) == (strings.index(other) if other in strings else None)
    assert (other in table) == (other in strings)
    shutil.rmtree(folder)


def test_strings_whose_hashes_collide_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(string_table, "string_hash", lambda data: 7)
    write_string_table(tmp_path, "t", ["b", "a", "c"])
    table = StringTable(tmp_path, "t")
    assert [table.get(text) for text in ("a", "b", "c", "d")] == [1, 0, 2, None]
    with pytest.raises(ValueError, match="the string 'a' occurs twice in a table of distinct strings"):
        write_string_table(tmp_path, "t", ["a", "b", "c", "a"])


def test_a_lone_surrogate_is_in_no_table(tmp_path: Path) -> None:
    write_string_table(tmp_path, "t", ["a"])
    assert StringTable(tmp_path, "t").get("\ud800") is None


def test_a_row_outside_the_table_raises(tmp_path: Path) -> None:
    write_string_table(tmp_path, "t", ["a"])
    for row in (-1, 1):
        with pytest.raises(IndexError, match=rf"row {row} is outside \[0, 1\)"):
            StringTable(tmp_path, "t").text(row)


def test_the_same_strings_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_string_table(tmp_path, name, ["ä", "", "long string"])
    for part in PARTS:
        assert (tmp_path / f"x_{part}.npy").read_bytes() == (tmp_path / f"y_{part}.npy").read_bytes()


@pytest.mark.parametrize(
    ("part", "array", "message"),
    [
        ("offsets", np.array([0, 9, 1, 2], np.int64), "its offsets fall"),
        ("hashes", np.array([3, 2, 1], np.uint64), "its hashes are not sorted"),
        ("order", np.array([0, 1, 1], np.int32), "its order is no permutation"),
        ("order", np.array([0, 1], np.int32), "its arrays differ in length"),
        ("offsets", np.array([0, 1, 2, 9], np.int64), "its offsets do not cover its bytes"),
        ("order", np.array([0, 1, 2], np.int64), "holds int64 with 1 dimensions"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path: Path, part: str, array: np.ndarray, message: str) -> None:
    write_string_table(tmp_path, "t", ["a", "b", ""])
    save_array(tmp_path / f"t_{part}.npy", array)
    with pytest.raises(CorpusIntegrityError, match=message):
        StringTable(tmp_path, "t").check()


@pytest.mark.parametrize("content", [None, b"", b"\x93NUMPY", b"not an array" * 20])
def test_a_file_that_is_no_array_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    write_string_table(tmp_path, "t", ["a"])
    path = tmp_path / "t_blob.npy"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CorpusIntegrityError, match=r"t_blob\.npy cannot be mapped as an array"):
        StringTable(tmp_path, "t")
