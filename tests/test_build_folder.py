"""Whole folders: built aside and renamed, removed, and cleared of what killed builders left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scholar_env import build_folder, storage
from scholar_env.build_folder import BuildFolder, clear_leftovers, remove_folder
from tests.process_harness import Crash, dead_pid, leftover, names


def test_a_folder_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "folder"
    with BuildFolder(target) as folder:
        (folder / "part").write_bytes(b"1")
        assert not target.exists()
    assert (target / "part").read_bytes() == b"1"
    assert names(target.parent) == ["folder"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_that_is_there_already_stays_or_gives_way(tmp_path: Path, replace: bool) -> None:
    for content in (b"first", b"second"):
        with BuildFolder(tmp_path / "x", replace=replace) as folder:
            (folder / "part").write_bytes(content)
    assert (tmp_path / "x" / "part").read_bytes() == (b"second" if replace else b"first")
    assert names(tmp_path) == ["x"]


def test_an_error_leaves_no_folder(tmp_path: Path) -> None:
    def build() -> None:
        with BuildFolder(tmp_path / "x") as folder:
            (folder / "part").write_bytes(b"1")
            raise Crash

    with pytest.raises(Crash):
        build()
    assert names(tmp_path) == []


def test_a_replacement_that_cannot_be_moved_brings_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BuildFolder(tmp_path / "x") as folder:
        (folder / "part").write_bytes(b"old")
    real, calls = storage.fs_rename, []

    def fail_once(src: str | Path, dst: str | Path) -> None:
        calls.append(src)
        if len(calls) == 2:
            raise OSError("disk is full")
        real(src, dst)

    monkeypatch.setattr(storage, "fs_rename", fail_once)
    build = BuildFolder(tmp_path / "x", replace=True)
    with pytest.raises(OSError, match="disk is full"), build:
        pass
    assert (tmp_path / "x" / "part").read_bytes() == b"old"
    assert names(tmp_path) == ["x"]


def test_leftovers_of_dead_builders_go_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    target = tmp_path / "x"
    gone = leftover(target, "build", dead_pid())
    stays = leftover(target, "build", os.getpid())
    other = tmp_path / f".y.build-{build_folder._host()}-1-00ff"
    other.mkdir()
    clear_leftovers(target)
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
    clear_leftovers(tmp_path / "x")
    assert not gone.exists()
    process.stdout.close()
    process.wait()


def test_a_folder_that_was_moved_aside_comes_back_unless_it_was_replaced(tmp_path: Path) -> None:
    target, pid = tmp_path / "x", dead_pid()
    leftover(target, "old", pid)
    clear_leftovers(target)
    assert (target / "part").read_bytes() == b"old"
    again = leftover(target, "old", pid)
    clear_leftovers(target)
    assert not again.exists()
    assert names(tmp_path) == ["x"]


def test_a_removal_that_was_cut_off_is_finished_not_undone(tmp_path: Path) -> None:
    target = tmp_path / "x"
    leftover(target, "gone", dead_pid())
    clear_leftovers(target)
    assert names(tmp_path) == []


def test_a_removed_folder_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    remove_folder(tmp_path / "x")
    assert names(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        remove_folder(tmp_path / "x")


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
    assert build_folder._is_dying(stat) is dying
