"""What every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filelock import FileLock

# Tests use many fresh home folders, in subprocesses too; compiled kernels are kept in one place, so that only the first
# of them compiles.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "kernels"))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def small_worlds_home(shared_folder: Path) -> Path:
    """A home with small worlds under the names ``world``, ``world-train-0`` and ``world-train-1``, built once."""
    from scholar_env.corpus import resolve_corpus
    from tests import small_worlds

    home = shared_folder / "small-worlds"
    with pytest.MonkeyPatch.context() as patch, FileLock(shared_folder / "small-worlds.lock"):
        patch.setenv("SCHOLAR_ENV_HOME", str(home))
        for module, name, value in small_worlds.REPLACED:
            patch.setattr(module, name, value)
        for name in ("world", "world-train-0", "world-train-1"):
            resolve_corpus(name)
    return home


@pytest.fixture
def small_home(small_worlds_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of the small worlds, in use; they stand for the package's own in this test."""
    from tests import small_worlds

    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(small_worlds_home))
    monkeypatch.delenv("SCHOLAR_ENV_CORPUS", raising=False)
    for module, name, value in small_worlds.REPLACED:
        monkeypatch.setattr(module, name, value)
    return small_worlds_home
