"""A release of one's own is one function and one line."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from scholar_env.corpus_import import ImportReport, importer, importers, run_import
from scholar_env.errors import CorpusNotFoundError, InvalidOptionError

SOURCE = """
from pathlib import Path
from scholar_env.corpus_import import ImportReport

def import_release(source, *, name, strict=False):
    return ImportReport(Path(source) / name, n_papers=3 + strict, n_tasks=1)
"""


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small_release.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "small_release", raising=False)
    monkeypatch.setitem(
        importlib.import_module("scholar_env.corpora").IMPORTERS, "small", "small_release:import_release"
    )
    return tmp_path


def test_every_registered_importer_is_a_function_of_a_source_and_a_name() -> None:
    for release in importers():
        assert callable(importer(release))


def test_an_importer_gets_what_it_has_parameters_for(registered: Path) -> None:
    told: list[object] = []
    found = run_import("small", registered, strict=True, progress=lambda *args: told.append(args))
    assert found == ImportReport(registered / "small", n_papers=4, n_tasks=1)
    assert run_import("small", registered, name="mine").path == registered / "mine"


def test_an_option_that_an_importer_lacks_is_named(registered: Path) -> None:
    with pytest.raises(InvalidOptionError, match=r"importer 'small' has no option 'test_fast'.*options are strict\."):
        run_import("small", registered, test_fast="ids.txt")


def test_an_unknown_release_is_named() -> None:
    with pytest.raises(CorpusNotFoundError, match=r"there are openalex, s2orc, scholargym, unarxive"):
        run_import("pubmed", Path())
