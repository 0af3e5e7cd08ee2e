"""Imports of task files: whole or not at all, labelled like the tasks of a corpus, gold that is missing named."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.errors import CorpusBusyError, CorpusFormatError, InvalidOptionError, TaskFileError
from scholar_env.folder_lock import FolderLock
from scholar_env.records import Task
from scholar_env.task_file_report import TaskFileReport
from scholar_env.task_files import FORMS
from scholar_env.task_files.faults import FieldFault
from scholar_env.task_files.form import TaskFileForm
from scholar_env.task_files.reader import Input
from scholar_env.task_import import import_task_file, validate_task_file
from scholar_env.task_set import TaskSet, list_task_sets, resolve_task_set


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


def write(path: Path, *lines: Any) -> Input:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return Input(path)


def plain(corpus: Corpus) -> list[dict[str, Any]]:
    """The tasks of a corpus as lines of a file."""
    return [
        {"query_id": task.id, "text": task.question, "before": task.before, "gold": list(task.gold),
         "source": task.source} for task in corpus.tasks()
    ]  # fmt: skip


def odd(corpus: Corpus) -> list[dict[str, Any]]:
    """Lines whose gold is there, in part, and not."""
    here, also = corpus.id_of(0), corpus.id_of(1)
    golds = {"whole": [here, also], "part": [here, "x1", "x2"], "none": ["x1"], "empty": []}
    return [{"query_id": name, "text": "query expansion", "gold": gold} for name, gold in golds.items()]


def test_the_tasks_of_a_corpus_come_back_with_the_same_labels(toy: Corpus, tmp_path: Path) -> None:
    found = import_task_file(write(tmp_path / "file.jsonl", *plain(toy)), "scholargym", toy, "mine", licence="mine own")
    task_set = TaskSet.open(found.path)
    assert tuple(task_set.tasks) == tuple(toy.tasks())
    assert task_set.ids("all") == toy.subsets()["all"]
    assert found.fingerprint == task_set.fingerprint
    assert task_set.manifest.licence == "mine own"
    assert task_set.manifest.source == "file.jsonl"
    digest = task_set.origin["all"].removeprefix("user:")
    assert task_set.notes == ("require_gold=all", task_set.notes[1])
    assert task_set.notes[1].startswith(f"file.jsonl has the sha256 {digest}")
    assert resolve_task_set("mine") is task_set


@pytest.mark.parametrize(("require_gold", "playable"), [("all", ("whole",)), ("any", ("whole", "part"))])
def test_gold_that_is_missing_is_counted_and_named(
    toy: Corpus, tmp_path: Path, require_gold: str, playable: tuple[str, ...]
) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy))
    found = import_task_file(given, "scholargym", toy, "mine", require_gold=require_gold)
    task_set = TaskSet.open(found.path)
    assert task_set.subsets == {"all": playable}
    reasons = {task.id: task.labels["left_out"] for task in task_set.tasks if task.labels["left_out"]}
    assert reasons == found.file.left_out
    assert reasons["none"] == "1 of 1 gold papers are not in the corpus: x1"
    assert reasons["empty"] == "the file names no gold paper"
    assert ("part" in reasons) == (require_gold == "all")
    assert task_set.manifest.counts == {
        "tasks": 4, "tasks_left_out": 4 - len(playable), "papers_not_in_corpus": 3,
    }  # fmt: skip
    assert found.file.missing_gold == {"x1": "part", "x2": "part"}
    labels = task_set.tasks.get("part").labels
    assert (labels["n_gold"], labels["n_gold_in_corpus"]) == ("3", "1")


def test_a_query_without_a_gold_paper_is_played_when_its_near_miss_is_there(toy: Corpus, tmp_path: Path) -> None:
    injected = {"id": "a", "text": "t", "source": "content", "injected": True, "injected_kind": "table_value"}
    injected["status_in_paper"] = "silent"
    lines = [
        {"query_id": name, "setting": "unmet", "text": "t", "near_miss": {"arxiv_id": paper}, "constraints": [injected]}
        for name, paper in (("here", toy.id_of(3)), ("gone", "x1"))
    ]
    found = import_task_file(write(tmp_path / "file.jsonl", *lines), "complit", toy, "mine")
    task_set = TaskSet.open(found.path)
    assert task_set.subsets == {"all": ("here",), "unmet": ("here",), "mixed": ("here",)}
    assert task_set.tasks.get("here").details["near_miss"] == {"id": toy.id_of(3), "title": ""}
    assert task_set.tasks.get("here").labels["best_rank"] == ""
    assert found.file.left_out == {"gone": "1 of 1 gold papers are not in the corpus: x1"}


def test_a_file_with_a_fault_is_not_imported(toy: Corpus, tmp_path: Path, home: Path) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy), {"query_id": "whole", "text": "", "gold": []})
    with pytest.raises(TaskFileError) as caught:
        import_task_file(given, "scholargym", toy, "mine")
    error = caught.value
    assert [(fault.line, fault.field) for fault in error.faults] == [(5, "text"), (5, "query_id")]
    assert str(error).startswith(f"{given.path} has 2 faults:\n{error.faults[0]}\n")
    assert pickle.loads(pickle.dumps(error)).faults == error.faults
    assert list_task_sets() == []
    assert [path.name for path in (home / "tasks" / "own").iterdir()] == [".mine.lock"]


def test_what_cannot_be_imported_leaves_the_old_set(toy: Corpus, tmp_path: Path, home: Path) -> None:
    good = write(tmp_path / "good.jsonl", *odd(toy))
    old = import_task_file(good, "scholargym", toy, "mine").fingerprint
    for name, message, given, options in (
        ("mine", "holds a task set already", good, {}),
        ("mine", "holds no tasks", write(tmp_path / "a.jsonl"), {"replace_old": True}),
        ("mine", r"none of the 1 tasks of .*none: 1 of 1 gold", write(tmp_path / "b.jsonl", odd(toy)[2]),
         {"replace_old": True}),
        ("mine", "require_gold is 'some'", good, {"replace_old": True, "require_gold": "some"}),
        ("mine", "cannot be read", Input(tmp_path / "c.jsonl"), {"replace_old": True}),
    ):  # fmt: skip
        with pytest.raises(InvalidOptionError, match=message):
            import_task_file(given, "scholargym", toy, name, **options)
    with pytest.raises(CorpusFormatError, match="'a/b' is no plain name"):
        import_task_file(good, "scholargym", toy, "a/b")
    assert resolve_task_set("mine").fingerprint == old
    assert sorted(path.name for path in (home / "tasks" / "own").iterdir()) == [".mine.lock", "mine"]
    new = import_task_file(good, "scholargym", toy, "mine", require_gold="any", replace_old=True).fingerprint
    assert new != old
    assert resolve_task_set("mine").fingerprint == new


def test_own_lists_become_splits(toy: Corpus, tmp_path: Path) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy))
    (tmp_path / "ids").write_text("whole\nnone\n")
    lists = {"test_fast": tmp_path / "ids"}
    task_set = TaskSet.open(import_task_file(given, "scholargym", toy, "mine", subsets=lists).path)
    assert task_set.subsets == {"all": ("whole",), "test_fast": ("whole",)}
    assert "test_fast: 1 of 2 given tasks are left out, see their reasons" in task_set.notes
    assert task_set.origin["test_fast"].startswith("user:")
    assert task_set.origin["test_fast"] != task_set.origin["all"]
    (tmp_path / "ids").write_text("whole\nodd\n")
    with pytest.raises(InvalidOptionError, match="names 1 unknown tasks, the first is 'odd'"):
        import_task_file(given, "scholargym", toy, "other", subsets=lists)
    with pytest.raises(CorpusFormatError, match="'a b' is no plain name"):
        import_task_file(given, "scholargym", toy, "other", subsets={"a b": tmp_path / "ids"})
    assert [entry.name for entry in list_task_sets()] == ["mine"]


def test_waiters_give_up_after_the_stated_time(toy: Corpus, tmp_path: Path, home: Path) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy))
    with FolderLock(home / "tasks" / "own" / "mine"), pytest.raises(CorpusBusyError, match=r"more than 0\.1 seconds"):
        import_task_file(given, "scholargym", toy, "mine", timeout=0.1)


def test_progress_is_told_in_bytes(toy: Corpus, tmp_path: Path) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy))
    told: list[tuple[int, int]] = []
    validate_task_file(given, "scholargym", progress=lambda done, total: told.append((done, total)))
    size = given.path.stat().st_size
    assert told[-1] == (size, size)
    assert told == sorted(told)


def test_a_validation_writes_nothing_and_finds_all(toy: Corpus, tmp_path: Path, home: Path) -> None:
    given = write(tmp_path / "file.jsonl", *odd(toy))
    assert validate_task_file(given, "scholargym") == TaskFileReport(
        n_tasks=4, playable=["whole", "part", "none", "empty"],
        subsets={"all": ["whole", "part", "none", "empty"]}, notes=validate_task_file(given, "scholargym").notes,
    )  # fmt: skip
    report = validate_task_file(given, "scholargym", toy)
    assert (report.n_tasks, report.n_left_out, report.n_missing_gold, report.n_faults) == (4, 3, 3, 0)
    broken = write(tmp_path / "broken.jsonl", {"query_id": "z"}, *odd(toy))
    report = validate_task_file(broken, "scholargym", toy)
    assert (report.n_tasks, report.n_left_out, report.n_faults) == (4, 3, 2)
    assert not (home / "tasks").exists()


def test_a_family_joins_by_a_form_and_one_line(toy: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMS, "sample", f"{__name__}:SAMPLE")
    given = write(tmp_path / "file.jsonl", {"query_id": "b", "text": toy.id_of(1)}, {"query_id": "a", "text": "x1"})
    with pytest.raises(TaskFileError, match=r'line 2, text: "x1"\. Rule: text names a paper of the toy corpus'):
        import_task_file(given, "sample", toy, "mine")
    given = write(tmp_path / "file.jsonl", {"query_id": "b", "text": toy.id_of(1)})
    task_set = TaskSet.open(import_task_file(given, "sample", toy, "mine").path)
    assert (task_set.family, task_set.subsets) == ("sample", {"sorted": ("b",)})
    assert task_set.tasks.get("b").details == {"paper": toy.id_of(1)}


def check_sample(record: Mapping[str, Any]) -> Iterator[FieldFault]:
    if not record["text"].startswith("toy:"):
        rule = "text names a paper of the toy corpus"
        yield FieldFault("text", json.dumps(record["text"]), rule, "name one")


def read_sample(record: Mapping[str, Any]) -> Task:
    return Task(record["query_id"], "Find it.", "", (record["text"],), details={"paper": record["text"]})


SAMPLE = TaskFileForm("sample", "queries.schema.json", read_sample, check_sample, subsets=lambda task: ("sorted",))
