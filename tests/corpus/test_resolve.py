"""Finding corpora by name, fingerprint, path and variable; listing and removing them."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from scholar_env import corpus as module
from scholar_env.corpus import Corpus, list_corpora, remove_corpus, resolve_corpus
from scholar_env.corpus_import import importer
from scholar_env.errors import CorpusBusyError, CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError
from scholar_env.folder_lock import FolderLock


@pytest.fixture
def installed(home: Path, write: Callable[..., Path]) -> Corpus:
    return Corpus.open(write(home / "corpora" / "small"))


def test_a_corpus_is_found_by_name_fingerprint_and_path(installed: Corpus) -> None:
    path, fingerprint = installed.path, installed.fingerprint
    for spec in ("small", f"small@{fingerprint}", f"small@{fingerprint[:8]}", str(path), f"{path}@{fingerprint}"):
        assert resolve_corpus(spec) is installed, spec
    assert resolve_corpus(installed.spec) is installed


def test_a_relative_path_is_a_path(installed: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(installed.path.parent)
    assert resolve_corpus("./small") is installed
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(installed.path.parent / "other"))
    assert resolve_corpus("small") is installed


def test_a_name_in_the_home_goes_before_a_folder_beside(
    tmp_path: Path, installed: Corpus, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "here" / "small", papers=[])
    monkeypatch.chdir(tmp_path / "here")
    assert resolve_corpus("small") is installed


@pytest.mark.parametrize("place", ["small", "{path}"])
def test_another_fingerprint_is_refused(installed: Corpus, place: str) -> None:
    spec = f"{place.format(path=installed.path)}@{'0' * 64}"
    with pytest.raises(CorpusNotFoundError) as caught:
        resolve_corpus(spec)
    assert str(caught.value) == (
        f"the corpus small in {installed.path} has the fingerprint {installed.fingerprint}. "
        f"Rule: {spec} asks for another one. Mend: import that corpus again, or name the one that is there."
    )


def test_an_unknown_name_is_refused_with_the_known_ones(installed: Corpus) -> None:
    with pytest.raises(
        CorpusNotFoundError, match=r"there is no corpus 'none'. Rule: .* in the home, which has small, toy, world"
    ):
        resolve_corpus("none")
    with pytest.raises(CorpusFormatError, match="'no ne' is no plain name"):
        resolve_corpus("no ne")
    with pytest.raises(CorpusNotFoundError, match=r"there is no .*/none/manifest\.json"):
        resolve_corpus("some/none")
    with pytest.raises(CorpusNotFoundError, match="there is no corpus ''"):
        resolve_corpus("")


def test_none_means_the_variable_then_scholargym_then_the_world(
    home: Path, installed: Corpus, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_warned", set())
    write(home / "corpora" / "world", name="world")
    with pytest.raises(CorpusIntegrityError, match="in this version of the package"):  # another world of that name
        resolve_corpus("world")
    monkeypatch.setattr("scholar_env.corpora.FINGERPRINTS", {})
    with pytest.warns(UserWarning, match="'scholargym' is not installed, so the synthetic 'world' of made-up papers"):
        world = resolve_corpus(None)
    assert world.name == "world"
    with warnings.catch_warnings():  # once a process is enough
        warnings.simplefilter("error")
        assert resolve_corpus() is world
        monkeypatch.setenv("SCHOLAR_ENV_CORPUS", f"small@{installed.fingerprint}")
        assert resolve_corpus(None) is installed
        monkeypatch.delenv("SCHOLAR_ENV_CORPUS")
        write(home / "corpora" / "scholargym", name="scholargym")
        assert resolve_corpus(None).name == "scholargym"


def test_corpora_are_listed_with_the_broken_ones(home: Path, installed: Corpus) -> None:
    broken = home / "corpora" / "broken"
    broken.mkdir()
    (broken / "manifest.json").write_text("{}")
    (home / "corpora" / "no corpus").mkdir()
    found = {summary.name: summary for summary in list_corpora()}
    assert sorted(found) == ["broken", "small"]
    assert (found["small"].n_papers, found["small"].n_tasks, found["small"].licence) == (4, 2, "none")
    assert found["small"].fingerprint == installed.fingerprint
    assert found["small"].error == ""
    assert "its format is None" in found["broken"].error


def test_listing_builds_and_writes_nothing(home: Path) -> None:
    assert list_corpora() == []
    assert not home.exists()


def test_a_removed_corpus_is_gone_but_stays_readable_where_it_is_open(home: Path, installed: Corpus) -> None:
    assert remove_corpus("small").path == home / "corpora" / "small"
    assert [path.name for path in (home / "corpora").iterdir()] == [".small.lock"]
    assert list((home / "stamps").iterdir()) == []
    assert installed.title(0) == "Graph walks"
    with pytest.raises(CorpusNotFoundError, match="there is no corpus 'small'"):
        remove_corpus("small")
    with pytest.raises(CorpusFormatError, match="is no plain name"):
        remove_corpus("../corpora")


def test_a_removed_toy_is_built_again(home: Path) -> None:
    first = resolve_corpus("toy")
    remove_corpus("toy")
    assert resolve_corpus("toy").fingerprint == first.fingerprint


def test_a_folder_that_is_no_corpus_gives_way_to_the_toy(home: Path) -> None:
    (home / "corpora" / "toy").mkdir(parents=True)
    (home / "corpora" / "toy" / "half").write_text("made")
    assert resolve_corpus("toy").n_papers == 300
    assert not (home / "corpora" / "toy" / "half").exists()


def test_a_waiter_gives_up_with_a_clear_error(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_TIMEOUT_S", 0.1)
    with (
        FolderLock(home / "corpora" / "toy"),
        pytest.raises(CorpusBusyError, match=r"has been building .*toy for more than 0\.1 seconds"),
    ):
        resolve_corpus("toy")


def test_threads_that_ask_at_once_get_one_corpus() -> None:
    barrier = threading.Barrier(4)
    found: list[Corpus] = []

    def ask() -> None:
        barrier.wait()
        found.append(resolve_corpus("toy"))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(corpus is found[0] for corpus in found)


def test_importers_are_found_by_name() -> None:
    assert importer("scholargym").__name__ == "import_release"
    with pytest.raises(
        CorpusNotFoundError, match=r"no importer 'none'\. Rule: there are openalex, s2orc, scholargym, unarxive"
    ):
        importer("none")
