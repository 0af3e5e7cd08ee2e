"""Durable files: atomic writes, locks, and the seam that crashes can be injected through."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from scholar_env import storage
from scholar_env.errors import CorpusBusyError
from scholar_env.folder_lock import FolderLock
from tests.process_harness import Crash, names


def crash_at(monkeypatch: pytest.MonkeyPatch, operation: str) -> None:
    def fail(*arguments: object) -> None:
        raise Crash(operation)

    monkeypatch.setattr(storage, operation, fail)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    storage.write_bytes_atomic(tmp_path / "a", b"old")
    storage.write_bytes_atomic(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("operation", ["fs_write", "fs_fsync", "fs_rename"])
def test_a_crash_during_a_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    storage.write_bytes_atomic(tmp_path / "a", b"old")
    crash_at(monkeypatch, operation)
    with pytest.raises(Crash):
        storage.write_bytes_atomic(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_json_is_sorted_readable_utf8_and_refuses_nan(tmp_path: Path) -> None:
    storage.write_json_atomic(tmp_path / "j", {"b": 1, "a": "é"})
    assert (tmp_path / "j").read_text("utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    with pytest.raises(ValueError, match="Out of range float values are not JSON compliant"):
        storage.write_json_atomic(tmp_path / "j", {"a": float("nan")})


def test_a_durable_file_knows_its_size_and_hash(tmp_path: Path) -> None:
    with storage.DurableFile(tmp_path / "f") as file:
        assert file.write(b"abc") == 3
        assert file.write(memoryview(b"\1\0\2\0").cast("h")) == 4
        digest = file.sha256()
    assert file.size == (tmp_path / "f").stat().st_size == 7
    assert digest == storage.sha256_file(tmp_path / "f")
    assert file.closed


def test_a_durable_file_drops_what_comes_after_an_error(tmp_path: Path) -> None:
    file = storage.DurableFile(tmp_path / "f")
    with pytest.raises(Crash), file:
        raise Crash
    assert file.write(b"late") == 4
    file.flush()
    file.close()
    assert (tmp_path / "f").read_bytes() == b""


def test_a_waiter_gives_up_after_the_stated_time(tmp_path: Path) -> None:
    target = tmp_path / "x"
    with (
        FolderLock(target),
        pytest.raises(CorpusBusyError, match=r"has been building .*x for more than 0\.1 seconds"),
        FolderLock(target, timeout=0.1),
    ):
        pass
    with FolderLock(target, timeout=0.1):  # released again
        pass


def test_a_lock_keeps_threads_apart(tmp_path: Path) -> None:
    inside, most = 0, 0
    guard = threading.Lock()

    def work() -> None:
        nonlocal inside, most
        for _ in range(5):
            with FolderLock(tmp_path / "x"):
                with guard:
                    inside += 1
                    most = max(most, inside)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
