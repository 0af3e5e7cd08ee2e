"""Fixtures of tests that write homes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env import storage


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(folder))
    monkeypatch.delenv("SCHOLAR_ENV_CORPUS", raising=False)
    return folder


@pytest.fixture(autouse=True)
def no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here survives a power cut anyway, and fsync would take most of the time."""
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
