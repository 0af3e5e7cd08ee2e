"""Whatever stands in a task file: every line is a task or a fault, and what is accepted can be stored and read back."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.errors import InvalidOptionError, TaskFileError
from scholar_env.task_files import form_of
from scholar_env.task_files.faults import Faults
from scholar_env.task_files.judgements import Judgements
from scholar_env.task_files.lines import COMPRESSED
from scholar_env.task_files.reader import Input, TaskFileReader
from scholar_env.task_import import import_task_file, validate_task_file
from scholar_env.task_set import TaskSet, list_task_sets
from scholar_env.task_table import parse_tasks, task_line
from tests.tasks.test_aise_files import GOLD, LINE
from tests.tasks.test_task_file_formats import CUMULATIVE, PLAIN, STANDARD, UNMET

SHARED_FOLDER = [HealthCheck.function_scoped_fixture]
LINES = {"scholargym": (PLAIN,), "complit": (STANDARD, UNMET, CUMULATIVE)}
AISE = {"aise": (LINE, GOLD)}
"""Files of the family may also be one list, whose faults are named by record instead of by line."""

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["standard", "p1"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


def places_of(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all parts of a value, itself excluded."""
    parts: list[tuple[str | int, ...]] = []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        parts += [(*path, key), *places_of(item, (*path, key))]
    return parts


@st.composite
def mutated(draw: st.DrawFn, lines: tuple[dict[str, Any], ...]) -> Any:
    """A right line with up to three parts replaced, removed or added."""
    line = copy.deepcopy(draw(st.sampled_from(lines)))
    for _ in range(draw(st.integers(0, 3))):
        places = places_of(line)
        if not places:
            break
        *way, last = draw(st.sampled_from(places))
        inner: Any = line
        for key in way:
            inner = inner[key]
        kind = draw(st.sampled_from(["replace", "remove", "add"]))
        if kind == "replace":
            inner[last] = draw(values)
        elif kind == "remove":
            del inner[last]
        elif isinstance(inner, dict):
            inner[draw(st.text(max_size=4))] = draw(values)
        else:
            inner.append(draw(values))
    return line


def read(path: Path, family: str) -> tuple[TaskFileReader, list[Any]]:
    reader = TaskFileReader(Input(path), form_of(family))
    return reader, list(reader.tasks())


def assert_storable(tasks: list[Any]) -> None:
    """A task that was accepted is the same when it has been written and read."""
    assert tuple(parse_tasks([task_line(task) for task in tasks], Path("x"))) == tuple(tasks)
    for task in tasks:
        hash(task)


@pytest.mark.parametrize("family", sorted(LINES))
@settings(max_examples=100, deadline=None, suppress_health_check=SHARED_FOLDER)
@given(raw=st.lists(st.binary(max_size=40), max_size=6).map(b"\n".join))
@example(raw=b"\xef\xbb\xbf\n\x00\n{}\n[")
@example(raw=b"PK\x05\x06\n\x00")
def test_any_bytes_are_read_to_their_end(family: str, raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(raw)
    reader, tasks = read(path, family)
    assert reader.done == len(raw)
    blank = [line.removeprefix(b"\xef\xbb\xbf") if not n else line for n, line in enumerate(raw.split(b"\n"))]
    lines = {n for n, line in enumerate(blank, start=1) if not _is_blank(line)}
    if raw.startswith(tuple(COMPRESSED)):
        lines = {1}  # one fault for the file
    assert {fault.line for fault in reader.faults.listed} == lines  # no chance bytes make a task
    assert tasks == []


def _is_blank(line: bytes) -> bool:
    try:
        return not line.decode().rstrip("\r").strip()
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize("family", sorted(LINES | AISE))
@settings(max_examples=150, deadline=None, suppress_health_check=SHARED_FOLDER)
@given(data=st.data())
def test_a_line_is_a_task_or_has_faults(family: str, data: st.DataObject, tmp_path: Path) -> None:
    lines = data.draw(st.lists(mutated((LINES | AISE)[family]), min_size=1, max_size=3))
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    reader, tasks = read(path, family)
    faulty = {fault.line for fault in reader.faults.listed}
    assert len(tasks) + len(faulty) == len(lines)
    assert_storable(tasks)
    for fault in reader.faults.listed:
        assert fault.rule
        assert fault.mend
        assert fault.value
        assert "\n" not in str(fault)
    again = TaskFileReader(Input(path), form_of(family))
    assert list(again.tasks()) == tasks
    assert again.faults == reader.faults


@settings(max_examples=150, deadline=None, suppress_health_check=SHARED_FOLDER)
@given(text=st.text(alphabet='1pq \t\n.-0xé"{}:,', max_size=60), suffix=st.sampled_from(["tsv", "jsonl"]))
@example(text='{"query-id": "1", "corpus-id": "p", "score": 1e999}', suffix="jsonl")
@example(text="1\tp\t1e999", suffix="tsv")
def test_any_judgements_are_read_to_their_end(text: str, suffix: str, tmp_path: Path) -> None:
    path, faults = tmp_path / f"qrels.{suffix}", Faults()
    path.write_text(text, encoding="utf-8")
    judged = Judgements(path, 1.0, faults)
    assert judged.source.done == len(text.encode())
    judged.refuse_unused("queries.tsv")
    assert all(fault.line <= text.count("\n") + 1 for fault in faults.listed)


@settings(max_examples=40, deadline=None, suppress_health_check=SHARED_FOLDER)
@given(data=st.data())
def test_a_file_is_imported_whole_or_not_at_all(data: st.DataObject, tmp_path: Path, home: Path) -> None:
    corpus: Corpus = resolve_corpus("toy")
    gold = [corpus.id_of(row) for row in range(3)]
    right = tuple({**PLAIN, "query_id": f"q{n}", "gold": gold[: n + 1]} for n in range(4))
    lines = data.draw(st.lists(mutated(right), min_size=1, max_size=4))
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    report = validate_task_file(Input(path), "scholargym", corpus)
    folder = home / "tasks" / "own" / "mine"
    before = [entry.fingerprint for entry in list_task_sets()]
    if report.n_faults or not report.playable:
        with pytest.raises(TaskFileError if report.n_faults else InvalidOptionError):
            import_task_file(Input(path), "scholargym", corpus, "mine", replace_old=True)
        assert [entry.fingerprint for entry in list_task_sets()] == before
    else:
        found = import_task_file(Input(path), "scholargym", corpus, "mine", replace_old=True)
        task_set = TaskSet.open(found.path)
        assert len(task_set.tasks) == report.n_tasks == len(lines)
        assert task_set.ids("all") == tuple(report.playable)
        assert task_set.verify() == []
    names = {path.name for path in folder.parent.iterdir()}
    assert names <= {".mine.lock", "mine"}
