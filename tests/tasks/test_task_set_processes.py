"""Many processes want one task set at once, and imports are killed at every write: whole or not there, always."""

from __future__ import annotations

import json
import os
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.errors import InvalidOptionError, TaskSetNotFoundError
from scholar_env.task_files.reader import Input
from scholar_env.task_import import import_task_file
from scholar_env.task_set import TaskSet, list_task_sets, resolve_task_set, task_set_of
from tests import process_harness
from tests.tasks import sample_family

WORLD_VARIABLE = "TEST_TASKS_WORLD"
STOPPED_BUILDER = """
import os, time
from tests.tasks import sample_family, test_task_set_processes
whole = sample_family._task
def stop(world, corpus, row, task_id):
    if row == 3:
        print("asking", flush=True)
        time.sleep(600)
    return whole(world, corpus, row, task_id)
sample_family._task = stop
test_task_set_processes.open_set()
"""

pytestmark = process_harness.NEEDS_POSIX


def open_set() -> TaskSet:
    sample_family.install()
    return task_set_of(resolve_corpus(os.environ[WORLD_VARIABLE]), sample_family.NAME)


def ask(results: Queue[str]) -> None:
    made = open_set()
    results.put(f"{made.fingerprint} {len(made.tasks)} {made.tasks.get('sample-4').details['row']}")


@pytest.fixture
def shelf(world: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the sets of the small world are to be."""
    monkeypatch.setenv(WORLD_VARIABLE, str(world.path))
    return home / "tasks" / world.fingerprint


def test_thirty_two_processes_make_one_whole_set_after_the_builder_is_killed(shelf: Path, home: Path) -> None:
    builder = process_harness.start_builder(STOPPED_BUILDER, home, "asking")
    assert not (shelf / "sample-3").exists()
    answers = process_harness.answers_when_the_builder_is_killed(builder, ask)
    assert len(answers) == 32
    assert set(answers) == {f"{open_set().fingerprint} {sample_family.N_TASKS} 4"}
    assert sorted(path.name for path in shelf.iterdir()) == [".sample-3.lock", "sample-3"]


def test_builders_that_ignore_the_lock_still_make_one_whole_set(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(process_harness.answers_without_a_lock(ask, 4, monkeypatch)) == 1
    assert sorted(path.name for path in shelf.iterdir()) == ["sample-3"]
    assert open_set().verify() == []


def test_a_set_whose_builder_is_killed_at_any_write_is_made_by_the_next_one(shelf: Path, home: Path) -> None:
    whole = open_set().fingerprint
    (shelf / "sample-3").rename(home / "aside")
    n_crashes = n_there = 0
    for _ in process_harness.crashes(open_set):
        n_crashes += 1
        n_there += len(list_task_sets())
    assert n_crashes > 15
    assert n_there <= 2  # the deaths behind the last rename
    assert open_set().fingerprint == whole
    assert sorted(path.name for path in shelf.iterdir()) == [".sample-3.lock", "sample-3"]


# ---- imports ----


def write_file(path: Path, text: str) -> Input:
    lines = [{"query_id": f"q{n}", "text": f"{text} {n}", "gold": ["toy:0001"]} for n in range(3)]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return Input(path)


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


def test_a_killed_import_leaves_no_set_and_the_next_one_succeeds(toy: Corpus, tmp_path: Path, home: Path) -> None:
    given = write_file(tmp_path / "mine.jsonl", "walks")
    import_task_file(given, "scholargym", toy, "loaded", folder=tmp_path / "elsewhere")
    n_crashes = n_there = 0
    for _ in process_harness.crashes(lambda: import_task_file(given, "scholargym", toy, "mine")):
        n_crashes += 1
        if list_task_sets():
            n_there += 1
            assert len(resolve_task_set("mine").tasks) == 3
            break  # the next import finds the name taken, as it should
        with pytest.raises(TaskSetNotFoundError):
            resolve_task_set("mine")
    assert n_crashes > 10
    assert n_there == 1
    with pytest.raises(InvalidOptionError, match="holds a task set already"):
        import_task_file(given, "scholargym", toy, "mine")
    assert sorted(path.name for path in (home / "tasks" / "own").iterdir()) == [".mine.lock", "mine"]


def test_a_killed_import_over_a_set_leaves_the_old_or_the_new_one(toy: Corpus, tmp_path: Path, home: Path) -> None:
    old = import_task_file(write_file(tmp_path / "mine.jsonl", "walks"), "scholargym", toy, "mine").fingerprint
    given = write_file(tmp_path / "mine.jsonl", "graphs")
    again = process_harness.crashes(lambda: import_task_file(given, "scholargym", toy, "mine", replace_old=True))
    found = [resolve_task_set("mine").fingerprint for _ in again]
    new = resolve_task_set("mine").fingerprint
    assert set(found) == {old, new}
    assert found == sorted(found, key=[old, new].index)
    assert resolve_task_set("mine").verify() == []
    assert sorted(path.name for path in (home / "tasks" / "own").iterdir()) == [".mine.lock", "mine"]
