"""A crash at every write, fsync and rename of a run: nothing half made counts, and the run goes on to the same end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scholar_env import storage
from scholar_env.rollout.folder import MANIFEST, read_manifest
from scholar_env.rollout.integrity import check_folder
from scholar_env.rollout.reader import read_episodes
from scholar_env.rollout.runner import RunResult, run

OPERATIONS = ("fs_write", "fs_fsync", "fs_rename")
MOST = 200


class Crash(BaseException):
    """Stands for the end of the process: nothing catches it."""


class CrashAt:
    """Lets n operations through and crashes in the next one; a write may still leave its first half behind."""

    def __init__(self, patch: pytest.MonkeyPatch, n: int, *, torn: bool) -> None:
        self.left = n
        self.torn = torn
        for name in OPERATIONS:
            patch.setattr(storage, name, self.guarded(name, getattr(storage, name)))

    def guarded(self, name: str, original: Callable[..., None]) -> Callable[..., None]:
        def operation(first: object, *rest: object) -> None:
            if self.left > 0:
                self.left -= 1
                original(first, *rest)
                return
            if self.torn and name == "fs_write":
                data = memoryview(rest[0]) if isinstance(rest[0], bytes | bytearray | memoryview) else b""
                original(first, data[: len(data) // 2])
            raise Crash

        return operation


def small_run(folder: Path, *, resume: bool = False) -> RunResult:
    options = {"index_engine": "numpy"}
    return run("ScholarGym-All-v0", "direct", out=folder, corpus="toy", tasks=2, kwargs=options, resume=resume)


def assert_nothing_half_made(folder: Path) -> None:
    if not (folder / MANIFEST).exists():
        return
    manifest = read_manifest(folder)
    if manifest["status"] == "complete":
        assert check_folder(folder)[1] == []
        assert len(list(read_episodes(folder))) == 2
    else:
        assert manifest["files"] == {}


@pytest.mark.parametrize("torn", [False, True])
def test_crash_at_every_operation(torn: bool, tmp_path: Path) -> None:
    expected = (small_run(tmp_path / "whole").folder / "rollouts.jsonl").read_bytes()
    for n in range(MOST):
        folder = tmp_path / f"crash-{n}"
        with pytest.MonkeyPatch.context() as patch:
            crash = CrashAt(patch, n, torn=torn)
            try:
                small_run(folder)
            except Crash:
                assert_nothing_half_made(folder)
            else:
                break
        del crash
        result = small_run(folder, resume=True)
        assert (folder / "rollouts.jsonl").read_bytes() == expected
        assert result.manifest["status"] == "complete"
        assert sorted(path.name for path in folder.iterdir() if not path.name.startswith(".")) == [
            "rollouts.jsonl", "rollouts.parquet", "run.json",
        ]  # fmt: skip
        assert check_folder(folder)[1] == []
    assert 12 < n < MOST - 1


def test_a_crash_while_a_crash_is_mended(tmp_path: Path) -> None:
    expected = (small_run(tmp_path / "whole").folder / "rollouts.jsonl").read_bytes()
    folder = tmp_path / "again"
    for n in range(MOST):
        with pytest.MonkeyPatch.context() as patch:
            CrashAt(patch, n, torn=True)
            try:
                small_run(folder, resume=True)
            except Crash:
                assert_nothing_half_made(folder)
            else:
                break
    assert (folder / "rollouts.jsonl").read_bytes() == expected
