"""The worlds that have a name: built at first use, by one process, watched by nobody but a person."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import warnings
from importlib import import_module
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from scholar_env import corpora, first_use, home, storage
from scholar_env import corpus as corpus_module
from scholar_env.corpora.world import build as build_module
from scholar_env.corpora.world import pool
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import number_of, spec_of
from scholar_env.corpus import Corpus, remove_corpus, resolve_corpus
from scholar_env.errors import CorpusBusyError, CorpusIntegrityError
from scholar_env.folder_lock import FolderLock
from tests import process_harness, small_worlds

ASK = """
from tests import small_worlds
small_worlds.install()
from scholar_env.corpus import resolve_corpus
print(resolve_corpus("world").fingerprint)
"""
STOPPED_BUILDER = """
import time
from scholar_env import storage
from tests import small_worlds
small_worlds.install()
from scholar_env.corpora.world import shards
shards.ROWS = 100
from scholar_env.corpora.world import rendering
whole = rendering.render_shard
def stop(renderer, number):
    if number == 2:
        print("rendering", flush=True)
        time.sleep(600)
    return whole(renderer, number)
rendering.render_shard = stop
from scholar_env.corpus import resolve_corpus
resolve_corpus("world")
"""


@pytest.fixture
def own_home(small_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, with the small worlds under the package's names."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(folder))
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
    monkeypatch.setattr(build_module, "give_back", lambda: None)  # costly among the objects of other tests
    return folder


def test_names_stand_for_specs() -> None:
    assert WorldSpec(2026, 5000) == pool.DEFAULT_SPEC
    assert pool.named_spec("world") is pool.DEFAULT_SPEC
    assert pool.named_spec("world-train-3") == WorldSpec(70_003, 5000, train=True)
    for name in ("world-train-64", "world-train-03", "world-train--1", "world-train-", "world-2", "toy"):
        assert pool.named_spec(name) is None, name
    named = {name for name in corpora.GENERATORS if pool.named_spec(name) is not None}
    assert named == set(corpora.GENERATORS) - {"toy"}
    assert len(named) == 1 + pool.MOST_TRAINING_WORLDS
    assert set(corpora.FINGERPRINTS) <= set(corpora.GENERATORS)


def test_a_training_world_knows_its_number_and_holds_no_tasks(small_home: Path) -> None:
    corpus = resolve_corpus("world-train-1")
    assert spec_of(corpus) == small_worlds.training_spec(1)
    assert number_of(corpus) == 1
    assert len(corpus.tasks()) == 0


def test_the_default_world_has_tasks_with_exact_gold(small_home: Path) -> None:
    corpus = resolve_corpus("world")
    assert len(corpus.tasks()) == small_worlds.N_TASKS
    assert set(corpus.subsets()) == {"all", "test_fast", "test_hard", "train"}
    for task in corpus.tasks():
        assert task.gold
        assert all(corpus.row_of(paper) is not None for paper in task.gold)


def test_none_means_the_world_with_one_warning(small_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "_warned", set())
    with pytest.warns(UserWarning, match="'scholargym' is not installed, so the synthetic 'world' of made-up papers"):
        world = resolve_corpus(None)
    assert world.name == "world"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resolve_corpus(None) is world


def test_a_world_that_is_not_the_pinned_one_is_refused(small_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = resolve_corpus("world")
    monkeypatch.setitem(import_module("scholar_env.corpora").FINGERPRINTS, "world", "0" * 64)
    with pytest.raises(CorpusIntegrityError) as caught:
        resolve_corpus("world")
    assert caught.value.what == f"the corpus world in {corpus.path} has the fingerprint {corpus.fingerprint}"
    assert caught.value.rule.endswith(f"{'0' * 64} in this version of the package")
    monkeypatch.setitem(import_module("scholar_env.corpora").FINGERPRINTS, "world", corpus.fingerprint)
    assert resolve_corpus("world") is corpus


def test_a_removed_world_takes_the_shards_of_killed_builds_along(own_home: Path, small_worlds_home: Path) -> None:
    shutil.copytree(small_worlds_home / "corpora" / "world-train-0", own_home / "corpora" / "world-train-0")
    path = resolve_corpus("world-train-0").path
    (path.parent / ".world-train-0.shards-0123").mkdir()
    remove_corpus("world-train-0")
    assert [found.name for found in path.parent.iterdir()] == [".world-train-0.lock"]


def test_waiters_give_up_after_the_stated_time(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "LOCK_TIMEOUT_S", 0.1)
    with (
        FolderLock(own_home / "corpora" / "world"),
        pytest.raises(CorpusBusyError, match=r"has been building .*world for more than 0\.1 seconds"),
    ):
        resolve_corpus("world")


def test_an_unwritable_home_gives_way_to_a_temporary_folder_with_one_warning(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_home.write_text("a file where the home should be")
    monkeypatch.setattr(home, "_temporary_home", lambda: tmp_path / "substitute")
    (tmp_path / "substitute").mkdir()
    with pytest.warns(UserWarning, match="cannot be written, so .*substitute takes its place") as caught:
        corpus = resolve_corpus("world-train-0")
    assert len(caught) == 1
    assert corpus.path == tmp_path / "substitute" / "corpora" / "world-train-0"


# ---- progress ----


def test_progress_is_told_in_lines_where_it_is_asked_for(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHOLAR_ENV_PROGRESS", "1")
    resolve_corpus("world-train-0")
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert captured.out == ""
    assert lines[0] == "building the corpus world-train-0 once: rendering papers 90 %"
    assert lines[-1] == "building the corpus world-train-0 once: making tasks 0 %"
    assert len(lines) == len(set(lines))
    resolve_corpus("world-train-0")
    assert capsys.readouterr().err == ""


def test_nothing_is_shown_unless_a_person_watches(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SCHOLAR_ENV_PROGRESS", raising=False)
    resolve_corpus("world-train-0")
    assert capsys.readouterr() == ("", "")


def test_who_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("SCHOLAR_ENV_PROGRESS", raising=False)
    assert not first_use.is_watched()
    monkeypatch.setenv("SCHOLAR_ENV_PROGRESS", "1")
    assert first_use.is_watched()
    monkeypatch.setattr(multiprocessing, "parent_process", object)
    assert not first_use.is_watched()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.delenv("SCHOLAR_ENV_PROGRESS")
    assert first_use.is_watched()
    monkeypatch.setenv("SCHOLAR_ENV_PROGRESS", "0")
    assert not first_use.is_watched()
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setenv("SCHOLAR_ENV_PROGRESS", "1")
    assert not first_use.is_watched()


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal is opened")
def test_a_terminal_gets_a_bar(own_home: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    code = ASK.replace('"world"', '"world-train-0"')
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "COLUMNS": "120"}
    environment.pop("SCHOLAR_ENV_PROGRESS", None)
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment) as child:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
        os.close(ours)
        assert child.wait() == 0
    assert b"building the corpus world-train-0 once: rendering papers" in shown


# ---- many processes ----


def ask(results: Queue[str]) -> None:
    small_worlds.install()
    corpus = resolve_corpus("world")
    total = corpus.sparse_index(engine="numpy").search("retrieval of documents", 1).total
    results.put(f"{corpus.fingerprint} {len(corpus.tasks())} {total}")


@process_harness.needs_posix
def test_thirty_two_processes_make_one_whole_world_after_the_builder_is_killed(
    own_home: Path, small_worlds_home: Path
) -> None:
    builder = process_harness.start_builder(STOPPED_BUILDER, own_home, "rendering")
    answers = process_harness.answers_when_the_builder_is_killed(builder, ask)
    assert len(answers) == 32
    assert len(set(answers)) == 1
    assert sorted(path.name for path in (own_home / "corpora").iterdir()) == [".world.lock", "world"]
    whole = Corpus.open(own_home / "corpora" / "world", verify=True)
    assert answers[0].startswith(f"{whole.fingerprint} {small_worlds.N_TASKS} ")
    assert whole.fingerprint == Corpus.open(small_worlds_home / "corpora" / "world").fingerprint


@process_harness.needs_posix
def test_builders_that_ignore_the_lock_still_make_one_whole_world(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(process_harness.answers_without_a_lock(ask, 2, monkeypatch)) == 1
    assert [path.name for path in (own_home / "corpora").iterdir()] == ["world"]
    assert Corpus.open(own_home / "corpora" / "world", verify=True).n_papers == small_worlds.DEFAULT.papers
