"""Plain queries whose judgements stand in a file of their own, in the forms in which others write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.task_files import form_of
from scholar_env.task_files.reader import Input, TaskFileReader

BEIR = '{"_id": "1", "text": "graph walks", "metadata": {}}\n{"_id": "2", "text": "é?"}\n{"_id": "3", "text": "x"}\n'
TABLE = "1\tgraph walks\n2\té?\n3\tx\n"
IR_DATASETS = BEIR.replace("_id", "query_id")
QRELS = {
    "beir.tsv": "query-id\tcorpus-id\tscore\n1\tp1\t2\n1\tp2\t0\n2\tp 3\t1\n1\tp4\t1\n",
    "bare.tsv": "1\tp1\t2\n1\tp2\t0\n2\tp 3\t1\n1\tp4\t1\n",
    "trec.txt": "1 0 p1 2\n1 0 p2 0\n2 Q0 p_3 1\n\n1 0 p4 1",
    "beir.jsonl": '{"query-id": "1", "corpus-id": "p1", "score": 2}\n{"query-id": "1", "corpus-id": "p2", "score": 0}\n'
    '{"query-id": "2", "corpus-id": "p 3", "score": 1.0}\n{"query-id": "1", "corpus-id": "p4", "score": 1}\n',
    "irds.jsonl": '{"query_id": "1", "doc_id": "p1", "relevance": 2, "iteration": "0"}\n'
    '{"query_id": "1", "doc_id": "p2", "relevance": 0}\n{"query_id": "2", "doc_id": "p 3", "relevance": 1}\n'
    '{"query_id": "1", "doc_id": "p4", "relevance": 1}\n',
}


def reader_of(tmp_path: Path, queries: str, qrels: str, names: tuple[str, str], least: float = 1.0) -> TaskFileReader:
    paths = [tmp_path / name for name in names]
    for path, text in zip(paths, (queries, qrels), strict=True):
        path.write_text(text, encoding="utf-8")
    return TaskFileReader(Input(paths[0], paths[1], least), form_of("scholargym"))


def faults(tmp_path: Path, queries: str, qrels: str, names: tuple[str, str]) -> list[tuple[str, int, str, str, str]]:
    reader = reader_of(tmp_path, queries, qrels, names)
    list(reader.tasks())
    return [(Path(fault.file).name, fault.line, fault.field, fault.value, fault.rule) for fault in reader.faults.listed]


@pytest.mark.parametrize("qrels", QRELS)
@pytest.mark.parametrize(("queries", "name"), [(BEIR, "q.jsonl"), (TABLE, "q.tsv"), (IR_DATASETS, "q2.jsonl")])
def test_all_forms_give_the_same_tasks(tmp_path: Path, queries: str, name: str, qrels: str) -> None:
    reader = reader_of(tmp_path, queries, QRELS[qrels], (name, qrels))
    paper = "p_3" if qrels == "trec.txt" else "p 3"
    assert list(reader.tasks()) == [Task("1", "graph walks", "", ("p1", "p4")), Task("2", "é?", "", (paper,))]
    assert reader.faults.n == 0
    notes = reader.notes()
    assert [note.partition(" has the sha256 ")[0] for note in notes[:2]] == [name, qrels]
    assert "1 queries without judgement were passed over" in notes
    assert ("the field 'metadata' of 1 queries was passed over" in notes) == name.endswith(".jsonl")


def test_the_least_relevance_decides_what_is_gold(tmp_path: Path) -> None:
    for least, gold in ((0.0, ("p1", "p2", "p4")), (2.0, ("p1",)), (3.0, ())):
        reader = reader_of(tmp_path, TABLE, QRELS["beir.tsv"], ("q.tsv", "r.tsv"), least)
        assert next(iter(reader.tasks())).gold == gold


def test_months_of_queries_are_kept(tmp_path: Path) -> None:
    queries = json.dumps({"_id": "1", "text": "x", "before": "2020-01"})
    reader = reader_of(tmp_path, queries, "1\tp\t1\n", ("q.jsonl", "r.tsv"))
    assert list(reader.tasks()) == [Task("1", "x", "2020-01", ("p",))]


def test_repeated_judgements_are_counted_and_contradictions_are_faults(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, "1\tx\n", "1\tp\t1\n1\tp\t1\n", ("q.tsv", "r.tsv"))
    assert [task.gold for task in reader.tasks()] == [("p",)]
    assert "1 judgements repeat an earlier one" in reader.notes()
    assert faults(tmp_path, "1\tx\n", "1\tp\t1\n1\tp\t0\n", ("q.tsv", "r.tsv")) == [
        ("r.tsv", 2, "score", "0", 'a paper has one score for a query; an earlier line says 1 for "p"')
    ]


@pytest.mark.parametrize(
    ("queries", "qrels", "names", "expected"),
    [
        ("1\tx\n", "1\tp\n", ("q.tsv", "r.tsv"), ("r.tsv", 1, "", '"1\\tp"', "a line is query-id<TAB>corpus-id")),
        ("1\tx\n", "1\tp\tmuch\n", ("q.tsv", "r.tsv"), ("r.tsv", 1, "score", '"much"', "score is a number")),
        ("1\tx\n", "1\tp\tnan\n", ("q.tsv", "r.tsv"), ("r.tsv", 1, "score", '"nan"', "score is a number")),
        ("1\tx\n", "1\t \t1\n", ("q.tsv", "r.tsv"), ("r.tsv", 1, "corpus-id", '""', "corpus-id is a text that is")),
        ("1\tx\n", "1\tp\t1\n9\tp\t1\n", ("q.tsv", "r.tsv"), ("r.tsv", 2, "query-id", '"9"', "of the queries in")),
        ("1\tx\ty\n", "", ("q.tsv", "r.tsv"), ("q.tsv", 1, "", '"1\\tx\\ty"', "query_id<TAB>text")),
        ("1\t \n", "1\tp\t1\n", ("q.tsv", "r.tsv"), ("q.tsv", 1, "text", '""', "that is not blank")),
        ("1\tx\n1\ty\n", "1\tp\t1\n", ("q.tsv", "r.tsv"), ("q.tsv", 2, "query_id", '"1"', "line 1 has the same")),
        ('{"_id": 1, "text": "x"}', "", ("q.jsonl", "r.tsv"), ("q.jsonl", 1, "query_id", "1", "(_id or query_id)")),
        ('{"_id": "1"}', "", ("q.jsonl", "r.tsv"), ("q.jsonl", 1, "text", "nothing", "text is required")),
        ("1\tx\n", '{"query-id": "1", "score": 1}', ("q.tsv", "r.jsonl"),
         ("r.jsonl", 1, "corpus-id", "nothing", "query-id, corpus-id, score or query_id, doc_id, relevance")),
        ("1\tx\n", '{"query-id": 1, "corpus-id": "p", "score": true}', ("q.tsv", "r.jsonl"),
         ("r.jsonl", 1, "query-id", "1", "query-id is a text that is not blank")),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file(
    tmp_path: Path, queries: str, qrels: str, names: tuple[str, str], expected: tuple[str, int, str, str, str]
) -> None:
    found = faults(tmp_path, queries, qrels, names)
    assert found[0][:4] == expected[:4]
    assert expected[4] in found[0][4]


def test_a_folder_holds_the_pair(tmp_path: Path) -> None:
    form = form_of("scholargym")
    with pytest.raises(InvalidOptionError, match=r"holds none of queries\.jsonl, queries\.tsv"):
        TaskFileReader(Input(tmp_path), form)
    (tmp_path / "queries.jsonl").write_text(BEIR, encoding="utf-8")
    with pytest.raises(InvalidOptionError, match=r"none of qrels\.tsv, .*--qrels"):
        TaskFileReader(Input(tmp_path), form)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(QRELS["beir.tsv"])
    assert [task.id for task in TaskFileReader(Input(tmp_path), form).tasks()] == ["1", "2"]
    (tmp_path / "qrels.tsv").write_text("3\tp\t1\n")
    with pytest.raises(InvalidOptionError, match=r"holds qrels\.tsv and qrels/test\.tsv"):
        TaskFileReader(Input(tmp_path), form)
    given = Input(tmp_path / "queries.jsonl", tmp_path / "qrels.tsv")
    assert [task.id for task in TaskFileReader(given, form).tasks()] == ["3"]


def test_judgements_go_with_plain_queries_alone(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "r.tsv").write_text(QRELS["beir.tsv"])
    with pytest.raises(InvalidOptionError, match=r"judgements for the family 'complit'.*leave --qrels out"):
        TaskFileReader(Input(tmp_path / "q.tsv", tmp_path / "r.tsv"), form_of("complit"))
    with pytest.raises(InvalidOptionError, match=r"q\.tsv without judgements.*add --qrels FILE"):
        TaskFileReader(Input(tmp_path / "q.tsv"), form_of("scholargym"))
