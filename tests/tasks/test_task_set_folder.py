"""Task sets as folders: written whole or not at all, checked at every opening, built once for a world."""

from __future__ import annotations

import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from scholar_env import task_set as module
from scholar_env import task_set_folder
from scholar_env.corpora.world import task_families
from scholar_env.corpora.world.tables import load_world
from scholar_env.corpora.world.training import training_tasks
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.errors import (
    CorpusBusyError,
    CorpusFormatError,
    CorpusIntegrityError,
    InvalidOptionError,
    TaskSetNotFoundError,
)
from scholar_env.folder_lock import FolderLock
from scholar_env.records import Task
from scholar_env.sealed import sealed_bytes
from scholar_env.task_set import (
    TaskSet,
    TaskSetWriter,
    list_task_sets,
    new_task_set_folder,
    remove_task_set,
    resolve_task_set,
    task_set_of,
)
from scholar_env.task_set_manifest import TaskSetManifest, read_task_set_manifest
from scholar_env.task_table import task_line
from tests.tasks import sample_family

TASKS = (
    Task("a", "Which?", "2020-01", ("p1",), "mine", {"n": "1"}, {"x": [1, {"y": None}]}),
    Task("b", "What?", "", (), "", {}, {}),
)


def write(target: Path, corpus: Corpus, name: str = "mine", *, replace: bool = False, tasks: Any = TASKS) -> Path:
    with TaskSetWriter(
        target, name=name, family="sample", corpus=corpus, source="tests", licence="none", replace=replace
    ) as writer:
        for task in tasks:
            writer.add(task)
        return writer.finish({"all": ("b", "a"), "none": ()}, {"all": "rule"}, notes=["odd"], counts={"left_out": 1})


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


# ---- the record ----


def test_details_change_equality_and_not_the_hash() -> None:
    with_details, without = TASKS[0], dataclasses.replace(TASKS[0], details={})
    assert with_details != without
    assert hash(with_details) == hash(without)
    assert {with_details, dataclasses.replace(with_details)} == {with_details}
    assert "details" in json.loads(task_line(with_details))
    assert "details" not in json.loads(task_line(without))


@pytest.mark.parametrize("details", [{"x": float("nan")}, {"x": {1, 2}}, {"x": "\ud800"}, {"x": b"y"}])
def test_details_that_are_no_plain_json_are_refused(details: dict[str, Any]) -> None:
    with pytest.raises(CorpusFormatError, match=r"the task 'a' cannot be written .*details plain JSON"):
        task_line(dataclasses.replace(TASKS[0], details=details))


# ---- one folder ----


def test_a_set_comes_back_as_it_was_written(toy: Corpus, tmp_path: Path) -> None:
    found = TaskSet.open(write(tmp_path / "set", toy))
    assert tuple(found.tasks) == TASKS
    assert found.tasks.get("a").details == {"x": [1, {"y": None}]}
    assert found.subsets == {"all": ("b", "a"), "none": ()}
    assert (found.name, found.family, found.corpus_fingerprint) == ("mine", "sample", toy.fingerprint)
    assert (found.notes, found.origin, found.manifest.counts) == (
        ("odd",),
        {"all": "rule"},
        {"tasks": 2, "left_out": 1},
    )
    assert found.fingerprint == "e7a66d25d41cb2dc3b68776cd8d55f9037eda99ad420fa61e89043319468d1de"
    assert found.verify() == []
    assert TaskSet.open(tmp_path / "set") is found
    assert pickle.loads(pickle.dumps(found)) is found
    assert resolve_task_set(found.spec) is found
    assert found.identity == f"mine@{found.fingerprint}"


def test_a_copy_of_a_set_that_was_replaced_is_refused(toy: Corpus, tmp_path: Path) -> None:
    old = TaskSet.open(write(tmp_path / "set", toy))
    copied = pickle.dumps(old)
    write(tmp_path / "set", toy, tasks=(TASKS[1], dataclasses.replace(TASKS[0], question="Who?")), replace=True)
    new = TaskSet.open(tmp_path / "set")
    assert new.tasks.get("a").question == "Who?"
    assert old.tasks.get("a").question == "Which?"
    with pytest.raises(TaskSetNotFoundError, match=f"the fingerprint {old.fingerprint} is wanted"):
        pickle.loads(copied)


@pytest.mark.parametrize("name", ["tasks.jsonl", "subsets.json", "manifest.json"])
def test_one_flipped_byte_anywhere_is_a_declared_error(toy: Corpus, tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / "set", toy)
    TaskSet.open(folder)
    whole = (folder / name).read_bytes()
    for at in range(0, len(whole), 1 if name == "subsets.json" else 4):
        (folder / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises((CorpusIntegrityError, CorpusFormatError)) as caught:
            TaskSet.open(folder)
        assert name in str(caught.value)
    (folder / name).write_bytes(whole)
    assert TaskSet.open(folder).verify() == []


def test_a_missing_file_is_named(toy: Corpus, tmp_path: Path) -> None:
    folder = write(tmp_path / "set", toy)
    task_set = TaskSet.open(folder)
    (folder / "subsets.json").unlink()
    assert [problem.file for problem in task_set.verify()] == ["subsets.json"]
    with pytest.raises(CorpusIntegrityError, match=r"subsets\.json: it cannot be read"):
        TaskSet.open(folder)
    (folder / "manifest.json").unlink()
    with pytest.raises(TaskSetNotFoundError, match=r"a task set is a folder with a manifest\.json"):
        TaskSet.open(folder)


def forge(folder: Path, **changes: Any) -> None:
    body = json.loads((folder / "manifest.json").read_bytes())
    del body["manifest_sha256"]
    (folder / "manifest.json").write_bytes(sealed_bytes({**body, **changes}))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"family": "other"}, CorpusIntegrityError, "the rows have the fingerprint"),
        ({"corpus_fingerprint": "0" * 64}, CorpusIntegrityError, "the rows have the fingerprint"),
        ({"counts": {"tasks": 3}}, CorpusIntegrityError, "there are 2 tasks instead of 3"),
        ({"counts": {}}, CorpusFormatError, "it counts None tasks"),
        ({"name": "../up"}, CorpusFormatError, r"'\.\./up' is no plain name"),
        ({"format": 2}, CorpusFormatError, "its format is 2"),
        ({"builder": "1"}, CorpusFormatError, "'builder' is '1' instead of a int"),
        ({"files": {}}, CorpusIntegrityError, r"tasks\.jsonl: the manifest does not list it"),
        ({"more": 1}, CorpusFormatError, "the key 'more' is unknown"),
    ],
)
def test_a_forged_manifest_is_refused(
    toy: Corpus, tmp_path: Path, changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    folder = write(tmp_path / "set", toy)
    forge(folder, **changes)
    with pytest.raises(error, match=message):
        TaskSet.open(folder)


def test_a_block_that_fails_leaves_what_was_there(toy: Corpus, tmp_path: Path) -> None:
    folder = write(tmp_path / "set", toy)
    old = TaskSet.open(folder).fingerprint
    with pytest.raises(CorpusFormatError, match="the task id 'a' is taken"):
        write(folder, toy, tasks=(TASKS[0], TASKS[0]), replace=True)
    with pytest.raises(CorpusIntegrityError, match="the subset 'all' names a task twice or one that is not there"):
        write(folder, toy, tasks=TASKS[:1], replace=True)
    assert TaskSet.open(folder).fingerprint == old
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["set"]


def test_a_set_that_is_replaced_while_it_is_opened_is_the_new_one(
    toy: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "set", toy)
    new = TaskSet.open(write(tmp_path / "other", toy, tasks=(TASKS[1], dataclasses.replace(TASKS[0], question="Who?"))))
    calls: list[str] = []

    def read_and_replace(path: Path) -> TaskSetManifest:
        manifest = read_task_set_manifest(path)
        if not calls:
            write(folder, toy, tasks=new.tasks, replace=True)
        calls.append(manifest.fingerprint)
        return manifest

    monkeypatch.setattr(task_set_folder, "read_task_set_manifest", read_and_replace)
    assert TaskSet.open(folder).fingerprint == new.fingerprint
    assert len(calls) == 2
    assert calls[0] != calls[1]


def test_a_set_that_is_away_for_a_moment_is_found(toy: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    there = TaskSet.open(write(new_task_set_folder("mine"), toy))
    real = TaskSet.open
    calls: list[Path] = []

    def away_at_first(path: Path) -> TaskSet:
        calls.append(path)
        if len(calls) == 1:
            raise TaskSetNotFoundError("away", "it is there", "wait")
        return real(path)

    monkeypatch.setattr(TaskSet, "open", away_at_first)
    assert resolve_task_set("mine") is there
    assert len(calls) == 2


# ---- whose it is ----


def test_another_family_or_corpus_is_refused(toy: Corpus, world: Corpus, tmp_path: Path) -> None:
    task_set = TaskSet.open(write(tmp_path / "set", toy))
    task_set.require(toy, "sample")
    with pytest.raises(InvalidOptionError, match=r"is of the family 'sample'\. Rule: tasks of the family 'scholargym'"):
        task_set.require(toy, "scholargym")
    with pytest.raises(InvalidOptionError, match=f"was made for the corpus toy@{toy.fingerprint}, not for world@"):
        task_set.require(world, "sample")
    assert task_set.ids("all") == ("b", "a")
    with pytest.raises(InvalidOptionError, match=r"no tasks in the split 'none'. Rule: it has all \(2\), none \(0\)"):
        task_set.ids("none")


# ---- names ----


def test_names_paths_and_fingerprints_lead_to_a_set(toy: Corpus, home: Path, tmp_path: Path) -> None:
    own = TaskSet.open(write(new_task_set_folder("mine"), toy))
    assert own.path == home / "tasks" / "own" / "mine"
    elsewhere = TaskSet.open(write(tmp_path / "set", toy, "other"))
    assert resolve_task_set("mine") is own
    assert resolve_task_set(f"mine@{own.fingerprint[:8]}") is own
    assert resolve_task_set(str(tmp_path / "set")) is elsewhere
    with pytest.raises(TaskSetNotFoundError, match=r"there is no task set 'others'\. .*which has mine"):
        resolve_task_set("others")
    with pytest.raises(TaskSetNotFoundError, match="mine@0000aaaa asks for another one"):
        resolve_task_set("mine@0000aaaa")
    with pytest.raises(CorpusFormatError, match="a name is no number"):
        new_task_set_folder("12")
    with pytest.raises(CorpusFormatError, match=r"'a b' is no plain name"):
        resolve_task_set("a b")
    assert [(entry.name, entry.family, entry.corpus_name, entry.n_tasks) for entry in list_task_sets()] == [
        ("mine", "sample", "toy", 2)
    ]
    assert remove_task_set("mine").path == own.path
    assert list_task_sets() == []
    with pytest.raises(TaskSetNotFoundError, match="which has none"):
        remove_task_set("mine")


# ---- worlds ----


def test_a_world_makes_its_set_once(world: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = task_set_of(world, "sample")
    assert made.path == home / "tasks" / world.fingerprint / "sample-3"
    assert tuple(made.tasks) == sample_family.build(load_world(world), world, lambda stage, done, total: None).tasks
    assert made.ids("even") == tuple(f"sample-{row}" for row in range(0, 12, 2))
    assert (made.manifest.builder, made.origin, made.notes) == (
        3,
        {"all": "generated", "even": "generated"},
        ("a note",),
    )
    assert made.manifest.licence == world.manifest.licence
    assert resolve_task_set(f"{world.fingerprint}/sample-3") is made
    monkeypatch.setattr(sample_family, "build", None)
    assert task_set_of(world, "sample") is made
    assert [entry.name for entry in list_task_sets()] == [f"{world.fingerprint}/sample-3"]


def test_another_version_of_the_builder_builds_anew(world: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    old = task_set_of(world, "sample")
    monkeypatch.setattr(sample_family, "VERSION", 4)
    monkeypatch.setattr(sample_family, "N_TASKS", 5)
    new = task_set_of(world, "sample")
    assert (len(old.tasks), len(new.tasks)) == (12, 5)
    assert new.path != old.path
    assert new.fingerprint != old.fingerprint


def test_who_makes_tasks(world: Corpus, toy: Corpus) -> None:
    for corpus, family in ((world, "complet"), (toy, "sample"), (world, "scholargym")):
        with pytest.raises(InvalidOptionError) as caught:
            task_set_of(corpus, family)
        assert caught.value.what == f"the corpus {corpus.name} makes no tasks of the family {family!r}"
        assert "sample" in caught.value.rule
        assert f"--family {family} --corpus {corpus.name}" in caught.value.mend


def test_a_damaged_set_of_a_world_is_no_set(world: Corpus) -> None:
    made = task_set_of(world, "sample")
    with (made.path / "tasks.jsonl").open("r+b") as file:
        file.seek(100)
        file.write(b"#")
    with pytest.raises(CorpusIntegrityError, match=r"tasks\.jsonl: its sha256 is not the one in the manifest"):
        task_set_of(world, "sample")
    remove_task_set(f"{world.fingerprint}/sample-3")
    assert task_set_of(world, "sample").fingerprint == made.fingerprint


def test_waiters_give_up_after_the_stated_time(world: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_TIMEOUT_S", 0.1)
    with (
        FolderLock(home / "tasks" / world.fingerprint / "sample-3"),
        pytest.raises(CorpusBusyError, match=r"has been building .*sample-3 for more than 0\.1 seconds"),
    ):
        task_set_of(world, "sample")


def test_a_home_that_cannot_be_written_is_read(
    world: Corpus, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = task_set_of(world, "sample")
    before = sorted(path.stat().st_mtime_ns for path in home.rglob("*"))
    monkeypatch.setattr("scholar_env.home._is_writable", lambda folder: False)
    assert task_set_of(world, "sample") is made
    assert sorted(path.stat().st_mtime_ns for path in home.rglob("*")) == before


def test_an_unwritable_home_gives_way_to_a_temporary_folder_with_one_warning(
    world: Corpus, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("a file where the home should be")
    monkeypatch.setattr("scholar_env.home._temporary_home", lambda: tmp_path / "substitute")
    (tmp_path / "substitute").mkdir()
    with pytest.warns(UserWarning, match="cannot be written, so .*substitute takes its place") as caught:
        made = task_set_of(world, "sample")
    assert len(caught) == 1
    assert made.path == tmp_path / "substitute" / "tasks" / world.fingerprint / "sample-3"
    assert task_set_of(world, "sample") is made


def test_progress_is_told_where_it_is_asked_for(
    world: Corpus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHOLAR_ENV_PROGRESS", "1")
    task_set_of(world, "sample")
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "making the sample tasks of the corpus world once: asking 100 %"
    task_set_of(world, "sample")
    assert capsys.readouterr().err == ""


# ---- endless training ----


def test_training_tasks_of_a_family(small_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(task_families.BUILDERS, sample_family.NAME, sample_family.__name__)
    source = training_tasks(resolve_corpus("world"), 2, "sample", "hard")
    assert source is not None
    assert source.ids[:3] == ("w0-0", "w1-0", "w0-1")
    task = source.task("w1-7")
    corpus = source.corpus_of("w1-7")
    assert corpus.name == "world-train-1"
    assert (task.id, task.source, task.gold, task.details["row"]) == ("w1-7", "hard", (corpus.id_of(7),), 7)
    with pytest.raises(InvalidOptionError, match=r"worlds make no tasks of the family 'odd'.*sample, scholargym"):
        training_tasks(resolve_corpus("world"), 2, "odd")
