"""Lines of files that anyone may have written: too long, too deep, no text, no JSON."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files import lines as module
from scholar_env.task_files.faults import Faults
from scholar_env.task_files.lines import DEEPEST, SourceFile


def objects(tmp_path: Path, raw: bytes) -> tuple[list[tuple[int, dict[str, object]]], list[tuple[int, str]]]:
    path, faults = tmp_path / "file.jsonl", Faults()
    path.write_bytes(raw)
    source = SourceFile(path, faults)
    found = list(source.objects())
    assert source.done == source.size == len(raw)
    assert source.sha256() == hashlib.sha256(raw).hexdigest()
    return found, [(fault.line, fault.rule) for fault in faults.listed]


@pytest.mark.parametrize(
    "raw",
    [b'{"a": 1}\n\n{"b": 2}\n', b'{"a": 1}\r\n \t\r\n{"b": 2}', b'\xef\xbb\xbf{"a": 1}\n\n{"b": 2}'],
)  # fmt: skip
def test_objects_come_with_their_lines(tmp_path: Path, raw: bytes) -> None:
    assert objects(tmp_path, raw) == ([(1, {"a": 1}), (3, {"b": 2})], [])


def test_signs_that_end_lines_elsewhere_do_not_end_them_here(tmp_path: Path) -> None:
    raw = '{"a": "\u2028\u2029\x85\x1c"}\n'.replace("\x1c", "").encode()
    assert objects(tmp_path, raw) == ([(1, {"a": "\u2028\u2029\x85"})], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "it is a list"),
        (b"null", "it is a null"),
        (b'"x"', "it is a text"),
        (b"3", "it is a number"),
        (b"{", "Expecting property name"),
        (b'{"a": 1} {"b": 2}', "Extra data"),
        (b'{"a": 1, "a": 2}', "the field 'a' occurs twice"),
        (b'{"x": {"a": 1, "a": 1}}', "the field 'a' occurs twice"),
        (b'{"a": NaN}', "NaN is no number of JSON"),
        (b'{"a": -Infinity}', "-Infinity is no number of JSON"),
        (b'{"a": "\\ud800"}', "a holds half a surrogate pair"),
        (b'{"a": {"b": ["x", "\\udfff"]}}', "a.b[1] holds half a surrogate pair"),
        (b'{"\\ud800": 1}', "a name in the line holds half a surrogate pair"),
        (b'{"a": ' + b"9" * 5000 + b"}", "4300 digits"),
        (b'{"a": ' + b"[" * 200_000 + b"}", "nested deeper than 32 levels"),
        (b'{"a": ' + b"[" * 32 + b"]" * 32 + b"}", "nested deeper than 32 levels"),
        (b"\xff\xfe", "a line is text in UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "a line is text in UTF-8"),
        (b"\x00", "Expecting value"),
    ],
)  # fmt: skip
def test_what_is_no_object_is_a_fault_and_the_next_line_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    found, faults = objects(tmp_path, line + b'\n{"b": 2}\n')
    assert found == [(2, {"b": 2})]
    assert [number for number, _ in faults] == [1]
    assert reason in faults[0][1]


def test_a_whole_pair_of_surrogates_and_the_deepest_nesting_are_right(tmp_path: Path) -> None:
    deep = b'{"a": ' + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + b"}"
    found, faults = objects(tmp_path, b'{"a": "\\ud83d\\udd2d"}\n' + deep)
    assert found[0] == (1, {"a": "\U0001f52d"})
    assert [number for number, _ in found] == [1, 2]
    assert faults == []


def test_a_long_line_is_passed_over_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_LINE", 10)
    raw = b'{"a": 1}\n' + b"x" * 55 + b"\n" + b"y" * 11 + b"\n" + b'{"b": 2}\n' + b"z" * 33
    found, faults = objects(tmp_path, raw)
    assert found == [(1, {"a": 1}), (4, {"b": 2})]
    assert faults == [(line, "a line has at most 10 bytes") for line in (2, 3, 5)]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"nothing cannot be read \(No such file"):
        SourceFile(tmp_path / "nothing", Faults())
    with pytest.raises(InvalidOptionError, match=r"cannot be read \(Is a directory\)"):
        list(SourceFile(tmp_path, Faults()).lines())
