"""Durable files: atomic writes, whole folders, locks, and the seam that crashes can be injected through."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scholar_env import storage
from scholar_env.errors import CorpusBusyError
from scholar_env.folder_lock import FolderLock
from tests.process_harness import dead_pid, leftover


class Crash(BaseException):
    """Stands for a machine that stops."""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


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


def test_a_folder_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "folder"
    with storage.BuildFolder(target) as folder:
        (folder / "part").write_bytes(b"1")
        assert not target.exists()
    assert (target / "part").read_bytes() == b"1"
    assert names(target.parent) == ["folder"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_that_is_there_already_stays_or_gives_way(tmp_path: Path, replace: bool) -> None:
    for content in (b"first", b"second"):
        with storage.BuildFolder(tmp_path / "x", replace=replace) as folder:
            (folder / "part").write_bytes(content)
    assert (tmp_path / "x" / "part").read_bytes() == (b"second" if replace else b"first")
    assert names(tmp_path) == ["x"]


def test_an_error_leaves_no_folder(tmp_path: Path) -> None:
    def build() -> None:
        with storage.BuildFolder(tmp_path / "x") as folder:
            (folder / "part").write_bytes(b"1")
            raise Crash

    with pytest.raises(Crash):
        build()
    assert names(tmp_path) == []


def test_a_replacement_that_cannot_be_moved_brings_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with storage.BuildFolder(tmp_path / "x") as folder:
        (folder / "part").write_bytes(b"old")
    real, calls = storage.fs_rename, []

    def fail_once(src: str | Path, dst: str | Path) -> None:
        calls.append(src)
        if len(calls) == 2:
            raise OSError("disk is full")
        real(src, dst)

    monkeypatch.setattr(storage, "fs_rename", fail_once)
    build = storage.BuildFolder(tmp_path / "x", replace=True)
    with pytest.raises(OSError, match="disk is full"), build:
        pass
    assert (tmp_path / "x" / "part").read_bytes() == b"old"
    assert names(tmp_path) == ["x"]


def test_leftovers_of_dead_builders_go_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    target = tmp_path / "x"
    gone = leftover(target, "build", dead_pid())
    stays = leftover(target, "build", os.getpid())
    other = tmp_path / f".y.build-{storage._host()}-1-00ff"
    other.mkdir()
    storage.clear_leftovers(target)
    assert not gone.exists()
    assert stays.exists()
    assert other.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="tells dead processes that wait to be reaped by /proc")
def test_a_killed_builder_is_dead_before_its_parent_has_noticed(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read() == b""  # it has ended, or is about to
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        pass
    gone = leftover(tmp_path / "x", "build", process.pid)
    storage.clear_leftovers(tmp_path / "x")
    assert not gone.exists()
    process.stdout.close()
    process.wait()


def test_a_folder_that_was_moved_aside_comes_back_unless_it_was_replaced(tmp_path: Path) -> None:
    target, pid = tmp_path / "x", dead_pid()
    leftover(target, "old", pid)
    storage.clear_leftovers(target)
    assert (target / "part").read_bytes() == b"old"
    again = leftover(target, "old", pid)
    storage.clear_leftovers(target)
    assert not again.exists()
    assert names(tmp_path) == ["x"]


def test_a_removal_that_was_cut_off_is_finished_not_undone(tmp_path: Path) -> None:
    target = tmp_path / "x"
    leftover(target, "gone", dead_pid())
    storage.clear_leftovers(target)
    assert names(tmp_path) == []


def test_a_removed_folder_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    storage.remove_folder(tmp_path / "x")
    assert names(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        storage.remove_folder(tmp_path / "x")


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


@pytest.mark.parametrize(
    ("stat", "dying"),
    [
        (b"71 (python (a) b) S 1 71 71 0 -1 4194304 900 0", False),
        (b"71 (python) R 1 71 71 0 -1 4194560 900 0", False),
        (b"71 (python) R 1 71 71 0 -1 4194308 900 0", True),
        (b"71 (a) Z) D 1 71 71 0 -1 4228364 0 0", True),
        (b"71 (python) Z 1 71 71 0 -1 4227084 0 0", True),
        (b"71 (python) X 1 71 71 0 -1 4194304 0 0", True),
    ],
)
def test_a_process_that_is_ending_counts_as_dead(stat: bytes, dying: bool) -> None:
    assert storage._is_dying(stat) is dying
