"""The home folder, and what happens where it cannot be written."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from scholar_env import home as module
from scholar_env.corpus import list_corpora, resolve_corpus


def test_the_variable_names_the_home(home: Path) -> None:
    assert module.home() == home
    assert home.is_dir()
    assert module.new_corpus_folder("x") == home / "corpora" / "x"
    assert module.find_corpus("x") is None


def test_without_the_variable_it_is_the_user_s_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCHOLAR_ENV_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    if sys.platform == "linux":
        assert module.wanted_home() == Path("/somewhere/scholar-env")
    assert module.wanted_home().name == "scholar-env"


def test_an_unwritable_home_gives_way_to_a_temporary_folder_with_one_warning(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the home should be")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.warns(
        UserWarning, match=r"home cannot be written, so .* takes its place; set SCHOLAR_ENV_HOME"
    ) as caught:
        corpus = resolve_corpus("toy")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resolve_corpus("toy") is corpus
        assert [summary.name for summary in list_corpora()] == ["toy"]
    substitute = module.home()
    assert substitute.parent == tmp_path
    assert corpus.path == (substitute / "corpora" / "toy").resolve()
    assert substitute.stat().st_mode & 0o077 == 0


def test_processes_of_one_user_share_the_temporary_folder(tmp_path: Path, home: Path) -> None:
    home.write_text("a file where the home should be")
    code = "from scholar_env.home import home; print(home())"
    command = [sys.executable, "-W", "ignore", "-c", code]
    environment = {"SCHOLAR_ENV_HOME": str(home), "TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    places = {subprocess.run(command, capture_output=True, text=True, env=environment).stdout for _ in range(2)}
    assert len(places) == 1
    assert Path(places.pop().strip()).is_dir()


def test_a_temporary_folder_that_others_can_write_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = module._temporary_home()
    assert module._temporary_home() == first
    first.chmod(0o777)
    assert module._temporary_home() != first


def test_a_home_that_can_only_be_read_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = resolve_corpus("toy")
    monkeypatch.setattr(module, "_is_writable", lambda folder: False)
    monkeypatch.setattr(module, "_chosen", {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resolve_corpus("toy").path == corpus.path == (home / "corpora" / "toy").resolve()
