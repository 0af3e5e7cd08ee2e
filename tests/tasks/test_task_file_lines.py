"""Lines of files that anyone may have written: too long, too deep, no text, no JSON."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files import FORMS, form_of
from scholar_env.task_files import lines as module
from scholar_env.task_files.faults import Faults
from scholar_env.task_files.lines import DEEPEST, SourceFile
from scholar_env.task_files.reader import Input, TaskFileReader


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


def zipped(raw: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("file.jsonl", raw)
    return packed.getvalue()


def zstandard(raw: bytes) -> bytes:
    return bytes(pa.compress(raw, codec="zstd", asbytes=True))


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zip": zipped, "zstd": zstandard,
}  # fmt: skip


@pytest.mark.parametrize("form", COMPRESSORS)
def test_a_compressed_file_has_that_one_fault(tmp_path: Path, form: str) -> None:
    raw = COMPRESSORS[form]("\n".join(f'{{"query_id": "q{number**9}"}}' for number in range(3000)).encode())
    assert raw.count(b"\n") > 3
    rule = f"a task file is text in UTF-8, and this one is compressed ({form})"
    assert objects(tmp_path, raw) == ([], [(1, rule)])
    path = tmp_path / "file.jsonl"
    for family in FORMS:
        reader = TaskFileReader(Input(path), form_of(family))
        assert list(reader.tasks()) == []
        assert [(fault.line, fault.rule, fault.mend) for fault in reader.faults.listed] == [(1, rule, "unpack it")]
    (tmp_path / "queries.tsv").write_text("1\tquery expansion\n")
    (tmp_path / "qrels.tsv").write_text("1\tp1\t1\n")
    for queries, qrels in ((path, tmp_path / "qrels.tsv"), (tmp_path / "queries.tsv", path)):
        reader = TaskFileReader(Input(queries, qrels), form_of("scholargym"))
        assert list(reader.tasks()) == []
        assert [(fault.file, fault.rule) for fault in reader.faults.listed] == [(str(path), rule)]


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b'{"a": 1}\n{"b": 2}\n',))
    writer.start()
    found = list(SourceFile(pipe, Faults()).objects())
    writer.join()
    assert found == [(1, {"a": 1}), (2, {"b": 2})]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"nothing cannot be read \(No such file"):
        SourceFile(tmp_path / "nothing", Faults())
    with pytest.raises(InvalidOptionError, match=r"cannot be read \(Is a directory\)"):
        list(SourceFile(tmp_path, Faults()).lines())
