"""What the tests of task sets share."""

from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env import storage
from scholar_env.corpora.world import task_families
from scholar_env.corpus import Corpus, resolve_corpus
from tests.tasks import sample_family


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of its own for a test, without fsync, which would take most of the time."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(folder))
    monkeypatch.delenv("SCHOLAR_ENV_CORPUS", raising=False)
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
    return folder


@pytest.fixture
def world(small_home: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A small world outside the home, which has the tests' own family."""
    monkeypatch.setitem(task_families.BUILDERS, sample_family.NAME, sample_family.__name__)
    return resolve_corpus(str(small_home / "corpora" / "world"))
