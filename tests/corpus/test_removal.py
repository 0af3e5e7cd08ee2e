"""Removing a corpus takes along what was made of it alone, and nothing that something else uses."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scholar_env import removal
from scholar_env.cli import app
from scholar_env.corpora.world import task_families
from scholar_env.corpus import Corpus, list_corpora, remove_corpus, resolve_corpus
from scholar_env.errors import CorpusBusyError
from scholar_env.folder_lock import FolderLock
from scholar_env.graph.kg_store import knowledge_graph
from scholar_env.graph.of_corpus import open_graph
from scholar_env.home import DERIVED_SHELVES
from scholar_env.index.text_index import IndexSpec, text_index
from scholar_env.task_set import TaskSetWriter, list_task_sets, new_task_set_folder, task_set_of
from tests.process_harness import dead_pid, leftover
from tests.tasks import sample_family

ENGINE = Path(removal.__file__).parent


@pytest.fixture
def installed(home: Path, write: Callable[..., Path]) -> Corpus:
    """A corpus in the home with a graph and a second index."""
    corpus = Corpus.open(write(home / "corpora" / "small"))
    use(corpus)
    return corpus


def use(corpus: Corpus) -> None:
    open_graph(corpus)
    text_index(corpus, IndexSpec(("title",)))


def imported(name: str, corpus: Corpus) -> None:
    with TaskSetWriter(
        new_task_set_folder(name), name=name, family="sample", corpus=corpus, source="tests", licence="none"
    ) as writer:
        writer.finish({"all": ()}, {"all": "rule"}, counts={"left_out": 0})


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in files(folder))


def test_all_that_was_made_of_a_world_goes_with_it(
    home: Path, small_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(small_home / "corpora" / "world", home / "corpora" / "world")
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(home))
    monkeypatch.setitem(task_families.BUILDERS, sample_family.NAME, sample_family.__name__)
    world = resolve_corpus("world")
    use(world)
    knowledge_graph(world)
    task_set_of(world, sample_family.NAME)
    n_bytes = sum(size(home / shelf) for shelf in ("corpora", *DERIVED_SHELVES))
    gone = remove_corpus("world")
    assert sorted(str(path.relative_to(home).parent) for path in gone.derived) == [
        *[f"graphs/{world.fingerprint}"] * 2,
        f"indexes/{world.fingerprint}",
        f"tasks/{world.fingerprint}",
    ]
    assert (gone.n_bytes, gone.kept_for) == (n_bytes, ())
    assert [path for path in files(home) if "kernels" not in path.parts] == []


def test_each_shelf_of_derived_things_is_known() -> None:
    constant = re.compile(r'^SHELF(?:: Final)? = "(\w+)"$', re.MULTILINE)
    found = {shelf for path in ENGINE.rglob("*.py") for shelf in constant.findall(path.read_text(encoding="utf-8"))}
    assert tuple(sorted(found)) == DERIVED_SHELVES


def test_what_another_corpus_of_the_same_content_uses_stays(
    home: Path, installed: Corpus, write: Callable[..., Path]
) -> None:
    twin = Corpus.open(write(home / "corpora" / "twin", name="twin"))
    assert twin.fingerprint == installed.fingerprint
    kept = [path for shelf in DERIVED_SHELVES for path in files(home / shelf)]
    assert kept
    first = remove_corpus("small")
    assert (first.derived, first.kept_for) == ((), ("twin",))
    assert [path for shelf in DERIVED_SHELVES for path in files(home / shelf)] == kept
    last = remove_corpus("twin")
    assert ([path.parent.parent.name for path in last.derived], last.kept_for) == (["graphs", "indexes"], ())
    assert files(home) == []


def test_what_is_of_another_corpus_or_was_imported_stays(
    home: Path, installed: Corpus, write: Callable[..., Path]
) -> None:
    other = Corpus.open(write(home / "corpora" / "other", papers=[], name="other"))
    open_graph(other)
    imported("mine", installed)
    imported("theirs", other)
    broken = new_task_set_folder("broken")
    broken.mkdir()
    (broken / "manifest.json").write_text("{}")
    assert remove_corpus("small").kept_task_sets == ("mine",)
    assert [entry.name for entry in list_corpora()] == ["other"]
    assert [entry.name for entry in list_task_sets()] == ["broken", "mine", "theirs"]
    assert {path.parent.parent.name for path in files(home / "graphs")} == {other.fingerprint}


def test_what_is_being_built_is_waited_for_and_the_corpus_stays(
    home: Path, installed: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removal, "FolderLock", partial(FolderLock, timeout=0.1))
    (place,) = (home / "indexes" / installed.fingerprint).glob("[0-9a-f]*")
    with FolderLock(place), pytest.raises(CorpusBusyError, match=rf"has been building .*{place.name} for more than"):
        remove_corpus("small")
    assert (place / "manifest.json").is_file()
    assert remove_corpus("small").derived == (place,)


def test_what_killed_builders_left_goes_too(home: Path, installed: Corpus) -> None:
    pid, group = dead_pid(), home / "graphs" / installed.fingerprint
    leftover(group / "kg-1", "build", pid)
    (group / ".kg-1.lock").touch()
    leftover(installed.path, "old", pid)
    assert "kg-1" not in {path.name for path in remove_corpus("small").derived}
    assert files(home) == []


def test_a_corpus_that_cannot_be_read_goes_alone(home: Path, installed: Corpus) -> None:
    (installed.path / "manifest.json").write_text("{}")
    broken = new_task_set_folder("broken")
    broken.mkdir(parents=True)
    (broken / "manifest.json").write_text("{}")
    gone = remove_corpus("small")
    assert (gone.derived, gone.kept_for, gone.kept_task_sets) == ((), (), ())
    assert files(home / "graphs")
    assert not gone.path.exists()


def test_people_and_machines_are_told_what_is_gone(home: Path, installed: Corpus, write: Callable[..., Path]) -> None:
    write(home / "corpora" / "twin", name="twin")
    imported("mine", installed)
    n_bytes = size(installed.path) + size(home / "graphs") + size(home / "indexes")
    said = CliRunner().invoke(app, ["corpus", "remove", "twin", "--yes"]).stdout.splitlines()
    assert said[0] == f"removed {home / 'corpora' / 'twin'}"
    assert said[1] == "kept what was made of it for corpora of the same content: small"
    assert said[2] == "kept the task sets that were imported for it: mine"
    assert re.fullmatch(r"freed [\d.]+ kB", said[3])
    told = json.loads(CliRunner().invoke(app, ["corpus", "remove", "small", "--yes", "--json"]).stdout)
    assert told["removed"] == str(installed.path)
    assert [Path(path).parent.parent.name for path in told["derived"]] == ["graphs", "indexes"]
    assert (told["kept_for"], told["kept_task_sets"], told["freed_bytes"]) == ([], ["mine"], n_bytes)
