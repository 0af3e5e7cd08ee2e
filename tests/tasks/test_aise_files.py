"""AISE-Bench task files: lines, released lists of questions and gold records, what is dropped, and playing them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import resolve_corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.rollout.reader import read_run
from scholar_env.rollout.runner import run
from scholar_env.task_files import form_of
from scholar_env.task_files.reader import Input, TaskFileReader
from scholar_env.task_import import import_task_file, validate_task_file
from scholar_env.task_set import TaskSet, task_set_of
from scholar_env.task_table import LEFT_OUT

AUTHOR = "5" * 24
LINK = f"https://www.aminer.cn/profile/{AUTHOR}"
PRIVATE = ("a@b.example", "+1 555", "she was born", "PhD 1999", "https://home.example", "photo.png", "female")
PERSON = {
    "id": AUTHOR, "name": "Ada Field", "h_index": 3, "emails": [PRIVATE[0]], "phone": PRIVATE[1], "bio": PRIVATE[2],
    "edu": PRIVATE[3], "homepage": PRIVATE[4], "avatar": PRIVATE[5], "gender": PRIVATE[6],
}  # fmt: skip
GOLD: dict[str, Any] = {
    "qid": 7,
    "question": "Which h-index has Ada Field?",
    "planning_text": [
        {"name": "search_author_id", "rely": [], "order": 1, "params": {"name": "Ada Field"}},
        {"name": "search_author_detail", "rely": ["search_author_id"], "order": "2", "params": {"author_ids": []}},
    ],
    "api_input": {"search_author_id": {"name": "Ada Field"}, "search_author_detail": {"author_ids": [AUTHOR]}},
    "api_output": {"search_author_detail": [PERSON], "search_paper_detail": {"data": [{"authors": [PERSON]}]}},
    "result_edit": json.dumps({"answer": "It is 3[1].", "reference": {"[1]": LINK}}),
    "reviewer_phone": PRIVATE[1],
}  # fmt: skip
LINE: dict[str, Any] = {
    "query_id": "mine", "text": "Who is Ada Field?", "plan": GOLD["planning_text"][:1], "answer": "Ada Field[1].",
    "reference": {"[1]": LINK}, "facts": ["Ada Field"], "labels": {"intent": "search_author"},
}  # fmt: skip


def written(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def read(path: Path) -> tuple[TaskFileReader, list[Task]]:
    reader = TaskFileReader(Input(path), form_of("aise"))
    return reader, list(reader.tasks())


def test_a_released_gold_record_becomes_a_task_without_what_is_private(tmp_path: Path) -> None:
    reader, (gold, bare) = read(written(tmp_path / "gold.json", [GOLD, {"id": 9, "question": "谁是贺灿飞的合作者？"}]))
    assert reader.faults.n == 0
    assert (gold.id, gold.gold, gold.source) == ("7", (AUTHOR,), "released")
    assert [(step["name"], step["order"]) for step in gold.details["plan"]] == [
        ("search_author_id", 1), ("search_author_detail", 2),
    ]  # fmt: skip
    assert gold.details["reference"] == {"[1]": LINK}
    assert gold.details["outputs"]["search_author_detail"] == [{"id": AUTHOR, "name": "Ada Field", "h_index": 3}]
    assert gold.labels == {"steps": "2", "calls": "simple", "language": "en", "gold": "answer"}
    kept = json.dumps(dict(gold.details), default=dict)
    assert not [text for text in PRIVATE if text in kept]
    assert reader.remarks == ("the field 'reviewer_phone' of 1 records was dropped",)
    assert (bare.id, bare.gold, bare.labels["gold"], bare.labels["language"]) == ("9", (), "none", "zh")


def test_lists_and_lines_of_the_same_records_are_the_same_tasks(tmp_path: Path) -> None:
    records = [GOLD, {"qid": 8, "quetsion": "Where?"}, LINE]
    _, from_list = read(written(tmp_path / "gold.json", records))
    _, from_lines = read(written(tmp_path / "gold.jsonl", "\n".join(map(json.dumps, records))))
    assert from_list == from_lines
    assert [task.id for task in from_list] == ["7", "8", "mine"]


def test_gold_that_cannot_be_read_is_left_aside(tmp_path: Path) -> None:
    steps = ["?", {"name": None}, {"name": "search_org_id", "order": [1], "rely": "search_author_id"}]
    odd = {**GOLD, "result_edit": "no JSON", "planning_text": steps, "api_input": [], "api_output": "none"}
    reader, (task,) = read(written(tmp_path / "gold.json", [odd]))
    assert reader.faults.n == 0
    assert task.details["plan"] == [{"name": "search_org_id", "rely": ["search_author_id"], "order": 0, "params": {}}]
    assert (task.details["inputs"], task.details["outputs"], task.details["reference"]) == ({}, {}, {})
    assert task.labels["gold"] == "plan"


def test_predictions_are_no_tasks(tmp_path: Path) -> None:
    record = {"id": 7, "question": "Who?", "plan": "[]", "execution_result": [{}, {}], "summary": "{}"}
    with pytest.raises(InvalidOptionError, match=r"holds predictions.*score predictions with scholar-env aise score"):
        read(written(tmp_path / "p.json", [record]))


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("[{", 1, "a JSON list of objects"),
        ('[{"id": 1, "question": "A?"}, 5]', 2, "it is a number"),
        ('[{"id": 1, "question": "A?"}, {"id": 1, "question": "B?"}]', 2, "a query_id of its own"),
        ('[{"id": 1, "question": " "}]', 1, "that is not blank"),
        ('[{"id": 1, "question": "\\ud800"}]', 1, "half a surrogate pair"),
        ('[{"id": true, "question": "A?"}]', 1, "the id of the question"),
        ('[{"question": "A?", "question": "B?"}]', 1, "occurs twice"),
        ("[" * 5000, 1, "nested deeper"),
    ],
)
def test_a_fault_of_a_list_is_named_by_its_place(tmp_path: Path, text: str, line: int, part: str) -> None:
    reader, _ = read(written(tmp_path / "list.json", text))
    assert [fault.line for fault in reader.faults.listed] == [line]
    assert part in str(reader.faults.listed[0])


@pytest.mark.parametrize(
    ("change", "field", "rule"),
    [
        (lambda x: x.pop("text"), "text", "text is required"),
        (lambda x: x.update(anwser="x"), "anwser", "the fields of a line are query_id, text"),
        (lambda x: x["plan"][0].update(order="1"), "plan[0].order", "an integer from 0"),
        (lambda x: x["plan"][0].update(name=" "), "plan[0].name", "the name of an API"),
        (lambda x: x.update(answer="Ada[2]."), "answer", "the marker [2] has no reference"),
        (lambda x: x["reference"].update({"[3]": LINK}), "reference", "the numbers are [1, 3]"),
        (lambda x: x["reference"].update({"[1]": "aminer"}), "reference.[1]", "is no link"),
        (lambda x: x["labels"].update(steps="2"), "labels.steps", "are computed"),
    ],
)  # fmt: skip
def test_a_fault_of_a_line_is_named(tmp_path: Path, change: Callable[[Any], object], field: str, rule: str) -> None:
    line = json.loads(json.dumps(LINE))
    change(line)
    reader, _ = read(written(tmp_path / "line.jsonl", line))
    assert field in [fault.field for fault in reader.faults.listed]
    assert any(rule in fault.rule for fault in reader.faults.listed)


def released(task: Task) -> dict[str, Any]:
    details = json.loads(json.dumps(task.details, default=dict))
    answer = {"answer": details["answer"], "reference": details["reference"]}
    return {
        "qid": int(task.id.partition("-")[2]), "question": task.question, "planning_text": details["plan"],
        "api_input": details["inputs"], "api_output": details["outputs"],
        "result_edit": json.dumps(answer, ensure_ascii=False),
    }  # fmt: skip


@pytest.mark.usefixtures("small_home")
def test_released_records_are_played_and_scored(tmp_path: Path) -> None:
    corpus = resolve_corpus("world")
    own = task_set_of(corpus, "aise")
    records = [released(own.tasks.get(task_id)) for task_id in own.subsets["test"][:3]]
    given = Input(written(tmp_path / "gold.json", [*records, GOLD, {"id": 9, "question": "Who is who?"}]))
    report = import_task_file(given, "aise", corpus, "mine", folder=tmp_path / "set").file
    assert (report.n_tasks, report.subsets["test"], report.n_left_out) == (
        5,
        [*(str(r["qid"]) for r in records), "9"],
        1,
    )
    assert report.left_out == {"7": f"1 of 1 gold entities are not in the knowledge graph: {AUTHOR}"}
    kept = TaskSet.open(tmp_path / "set").tasks.get("7")
    assert kept.labels[LEFT_OUT] == report.left_out["7"]
    chosen = {"tasks": str(tmp_path / "set")}
    folder = run("AISEBench-Test-v0", "oracle", out=tmp_path / "run", kwargs=chosen, corpus="world").folder
    ends = {episode.task_id: episode.metrics for episode in read_run(folder).episodes}
    for record in records:
        assert ends[str(record["qid"])]["link_f1"] == ends[str(record["qid"])]["parameter_accuracy"] == 1.0


@pytest.mark.usefixtures("home")
def test_a_corpus_without_a_knowledge_graph_is_refused(tmp_path: Path) -> None:
    given = Input(written(tmp_path / "gold.json", [GOLD]))
    with pytest.raises(InvalidOptionError, match="toy has no knowledge graph"):
        validate_task_file(given, "aise", resolve_corpus("toy"))
