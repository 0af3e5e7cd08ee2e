"""The task files of each family: what is right, what a line becomes, and every fault with field, rule and mend."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scholar_env.environment.observation import LONGEST_QUESTION
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.task_files import FORMS, form_of
from scholar_env.task_files.complit import LONGEST
from scholar_env.task_files.faults import LISTED, Fault
from scholar_env.task_files.form import load_schema
from scholar_env.task_files.reader import Input, TaskFileReader

Change = Callable[[dict[str, Any]], object]

PLAIN = {"query_id": "q1", "text": "Which papers walk on graphs?", "before": "2024-06", "gold": ["p1", "p2"]}
STANDARD: dict[str, Any] = {
    "query_id": "c1",
    "setting": "standard",
    "text": "A study at a single site that releases its data.",
    "intent": "replication",
    "target": {"arxiv_id": "p1", "title": "A study"},
    "near_miss": None,
    "constraints": [
        {
            "id": "a",
            "text": "is evaluated at a single site",
            "source": "content",
            "level": "paraphrased",
            "evidence": {"kind": "text", "passage": "All patients came from one hospital."},
            "injected": False,
            "injected_kind": None,
            "status_in_paper": None,
        },
        {"id": "b", "text": "appeared in 2020", "source": "metadata", "evidence": {"kind": "record", "field": "date"}},
    ],
    "domain": "q-bio",
    "year": 2020,
    "turns": [],
}
UNMET: dict[str, Any] = {
    "query_id": "c2",
    "setting": "unmet",
    "text": "A study at two sites.",
    "target": None,
    "near_miss": {"arxiv_id": "p1"},
    "constraints": [
        {
            "id": "a",
            "text": "is evaluated at two sites",
            "source": "figural",
            "level": None,
            "evidence": {"kind": "figure", "figure": 2},
            "injected": True,
            "injected_kind": "figure_fact",
            "status_in_paper": "refuted",
        }
    ],
}
CUMULATIVE: dict[str, Any] = {
    "query_id": "c3",
    "setting": "cumulative",
    "text": "Everything at once.",
    "target": {"arxiv_id": "p2", "title": "Another"},
    "constraints": [
        {"id": "a", "text": "is larger than p9", "source": "comparative", "level": "inferred",
         "evidence": {"kind": "comparison", "other_paper": "p9"}},
        {"id": "b", "text": "falls", "source": "figural"},
    ],
    "turns": [
        {"utterance": "I look for a study.", "purpose": "opening", "constraint_ids": []},
        {"utterance": "It should be larger.", "purpose": "narrow", "constraint_ids": ["a"]},
        {"utterance": "And fall. Commit.", "constraint_ids": ["b"]},
    ],
}  # fmt: skip


def reader_of(tmp_path: Path, family: str, *lines: Any) -> TaskFileReader:
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return TaskFileReader(Input(path), form_of(family))


def read(tmp_path: Path, family: str, *lines: Any) -> list[Task]:
    reader = reader_of(tmp_path, family, *lines)
    tasks = list(reader.tasks())
    assert reader.faults.listed == []
    return tasks


def faults(tmp_path: Path, family: str, *lines: Any) -> list[Fault]:
    reader = reader_of(tmp_path, family, *lines)
    list(reader.tasks())
    assert reader.faults.n == len(reader.faults.listed)
    assert {fault.file for fault in reader.faults.listed} <= {str(tmp_path / "file.jsonl")}
    return reader.faults.listed


def changed(line: dict[str, Any], change: Change) -> dict[str, Any]:
    line = copy.deepcopy(line)
    change(line)
    return line


def one_fault(tmp_path: Path, family: str, line: dict[str, Any]) -> tuple[str, str, str, str]:
    found = faults(tmp_path, family, line)
    assert [fault.line for fault in found] == [1]
    return found[0].field, found[0].value, found[0].rule, found[0].mend


# ---- schemas ----


@pytest.mark.parametrize("name", [*(f"{family}.schema.json" for family in FORMS), "queries.schema.json"])
def test_a_schema_is_one_and_each_part_has_a_description(name: str) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    parts = [schema]
    for part in parts:
        if "type" in part or "enum" in part:
            assert part["description"], part
        parts.extend(part.get("properties", {}).values())
        parts.extend(part.get("$defs", {}).values())
        parts.extend(part[key] for key in ("items", "additionalProperties") if isinstance(part.get(key), dict))
    assert len(parts) > 3


def test_a_question_is_never_longer_than_an_observation_can_show() -> None:
    for name in ("scholargym.schema.json", "complit.schema.json", "queries.schema.json"):
        assert load_schema(name)["properties"]["text"]["maxLength"] == LONGEST_QUESTION
    turn = load_schema("complit.schema.json")["properties"]["turns"]["items"]
    assert turn["properties"]["utterance"]["maxLength"] == LONGEST_QUESTION == LONGEST


def test_an_unknown_family_is_named_with_those_that_are_there() -> None:
    with pytest.raises(InvalidOptionError, match=r"'complot' has no task file format.*complit, scholargym"):
        form_of("complot")


# ---- ScholarGym ----


def test_a_plain_line_becomes_a_task(tmp_path: Path) -> None:
    line = {**PLAIN, "source": "mine", "labels": {"kind": "x"}}
    task, bare = read(tmp_path, "scholargym", line, {"query_id": "q2", "text": "é?", "gold": []})
    assert task == Task("q1", "Which papers walk on graphs?", "2024-06", ("p1", "p2"), "mine", {"kind": "x"})
    assert bare == Task("q2", "é?", "", ())
    form = form_of("scholargym")
    assert form.papers(task) == ("p1", "p2")
    assert form.subsets(task) == ("all",)


@pytest.mark.parametrize(
    ("change", "field", "value", "rule", "mend"),
    [
        (lambda x: x.pop("text"), "text", "nothing", "text is required; it is the question", "add text"),
        (lambda x: x.update(text=" \n"), "text", '" \\n"', "that is not blank", "write such a value"),
        (lambda x: x.update(text="x" * 8193), "text", '"xxx', "at most 8192 signs", "shorten it"),
        (lambda x: x.update(text=None), "text", "null", "a text of at most", "write such a value"),
        (lambda x: x.update(query_id=""), "query_id", '""', "1 to 200 signs", "write such a value"),
        (lambda x: x.update(query_id="a\n"), "query_id", '"a\\n"', "without white space", "write such a value"),
        (lambda x: x.update(query_id=12), "query_id", "12", "the id of the query", 'write "12", in quotes'),
        (lambda x: x.update(query_id=True), "query_id", "true", "the id of the query", "write such a value"),
        (lambda x: x.update(before="2024-13"), "before", '"2024-13"', "YYYY-MM", "write such a value"),
        (lambda x: x.update(before="2024-06-01"), "before", '"2024-06-01"', "YYYY-MM", "write such a value"),
        (lambda x: x.update(before="2024-06\n"), "before", '"2024-06\\n"', "YYYY-MM", "shorten it"),
        (lambda x: x.update(gold="p1"), "gold", '"p1"', "gold is a list", 'write ["p1"], a list'),
        (lambda x: x.update(gold=["p1", " p2"]), "gold[1]", '" p2"', "without white space at its ends", "write such"),
        (lambda x: x.update(gold=["p1", 3]), "gold[1]", "3", "gold[1] is the id of a paper", 'write "3", in quotes'),
        (lambda x: x.update(gold=["a", "b", "a"]), "gold[2]", '"a"', "each once", "gold[0] is the same"),
        (lambda x: x.update(befor="2020-01"), "befor", '"2020-01"', "query_id, text, before, gold", "'before'"),
        (lambda x: x.update({"\n\x1b": 1}), '"\\n\\u001b"', "1", "the fields of a line are", "remove it"),
        (lambda x: x.update(zzz=[1]), "zzz", "[1]", "the fields of a line are", "remove it"),
        (lambda x: x.update(labels={"a": 1}), "labels.a", "1", "a is a text of at most 200", 'write "1"'),
        (lambda x: x.update(labels={"best_rank": "1"}), "labels.best_rank", '"1"', "are computed", "another name"),
    ],
)  # fmt: skip
def test_a_fault_of_a_plain_line_is_named(
    tmp_path: Path, change: Change, field: str, value: str, rule: str, mend: str
) -> None:
    found = one_fault(tmp_path, "scholargym", changed(PLAIN, change))
    assert found[0] == field
    assert found[1].startswith(value)
    assert rule in found[2]
    assert mend in found[3]


def test_all_faults_of_all_lines_are_found(tmp_path: Path) -> None:
    bad = {"query_id": "q2", "text": "", "before": 3, "gold": [1, 1], "more": 1}
    found = faults(tmp_path, "scholargym", PLAIN, bad, "", {"query_id": "q3"}, PLAIN)
    assert [(fault.line, fault.field) for fault in found] == [
        (2, "more"), (2, "text"), (2, "before"), (2, "gold[1]"), (2, "gold[0]"), (2, "gold[1]"),
        (4, "text"), (4, "gold"), (5, "query_id"),
    ]  # fmt: skip
    assert found[-1].rule == "every line has a query_id of its own; line 1 has the same"
    assert str(found[0]) == (
        f"{tmp_path / 'file.jsonl'}, line 2, more: 1. Rule: the fields of a line are query_id, text, before, gold, "
        "source, labels. Mend: remove it."
    )


def test_the_first_fifty_faults_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, "scholargym", *({**PLAIN, "query_id": f"q{n}", "text": ""} for n in range(70)))
    assert list(reader.tasks()) == []
    assert (reader.faults.n, len(reader.faults.listed), LISTED) == (70, 50, 50)
    error = reader.faults.error("file.jsonl")
    assert (error.n_faults, len(error.faults)) == (70, 50)
    lines = str(error).splitlines()
    assert lines[0] == "file.jsonl has 70 faults:"
    assert lines[50].startswith(f"{tmp_path / 'file.jsonl'}, line 50, text: ")
    assert lines[51].startswith("… and 20 more. Rule: every line of a task file is right")


# ---- CompLit ----


def test_a_complit_line_becomes_a_task_with_details(tmp_path: Path) -> None:
    task, unmet, talk = read(tmp_path, "complit", STANDARD, UNMET, CUMULATIVE)
    assert (task.id, task.question, task.before, task.gold) == ("c1", STANDARD["text"], "", ("p1",))
    assert task.labels == {
        "setting": "standard", "domain": "q-bio", "year": "2020", "year_bin": "2019-2023",
        "sources": "content,metadata", "inferred_share": "none", "n_constraints": "2",
        "intent": "replication", "clause": "",
    }  # fmt: skip
    assert task.details["target"] == {"id": "p1", "title": "A study"}
    assert task.details["near_miss"] is None
    first, second = task.details["constraints"]
    assert first["evidence"] == {
        "kind": "text", "passages": [{"place": "", "text": "All patients came from one hospital."}], "figure": 0,
        "field": "", "other_paper": "",
    }  # fmt: skip
    assert (first["level"], first["injected"], first["injected_kind"]) == ("paraphrased", False, "")
    assert (second["level"], second["evidence"]["field"]) == (None, "date")
    assert task.details["uniqueness"] == {"smallest": 0, "needed": 0}
    assert talk.details["constraints"][1]["evidence"]["kind"] == "figure"
    assert unmet.gold == ()
    assert unmet.details["near_miss"] == {"id": "p1", "title": ""}
    assert unmet.details["constraints"][0]["evidence"]["figure"] == 2
    assert unmet.labels["clause"] == "refuted"
    assert unmet.labels["year"] == ""
    assert talk.question == "I look for a study."
    assert [turn["constraint_ids"] for turn in talk.details["turns"]] == [[], ["a"], ["b"]]
    assert talk.details["turns"][2]["purpose"] == ""
    form = form_of("complit")
    assert [form.papers(item) for item in (task, unmet, talk)] == [("p1",), ("p1",), ("p2",)]
    assert [tuple(form.subsets(item)) for item in (task, unmet, talk)] == [
        ("all", "standard", "mixed"), ("all", "unmet", "mixed"), ("all", "cumulative"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "change", "field", "value", "rule"),
    [
        (STANDARD, lambda x: x.update(setting="standrad"), "setting", '"standrad"', "one of standard, implicit"),
        (STANDARD, lambda x: x.pop("target"), "target", "nothing", "there is a target and no near_miss"),
        (STANDARD, lambda x: x.update(near_miss={"arxiv_id": "p"}), "near_miss", "{", "no near_miss"),
        (STANDARD, lambda x: x["target"].pop("arxiv_id"), "target.arxiv_id", "nothing", "arxiv_id is required"),
        (STANDARD, lambda x: x["target"].update(titel="x"), "target.titel", '"x"', "of target are arxiv_id, title"),
        (STANDARD, lambda x: x.update(target="p1"), "target", '"p1"', "an object with arxiv_id and title, or null"),
        (STANDARD, lambda x: x.update(year="2020"), "year", '"2020"', "an integer from 1900 to 2100"),
        (STANDARD, lambda x: x.update(domain="bio"), "domain", '"bio"', "one of cs, math"),
        (STANDARD, lambda x: x.update(constraints=[]), "constraints", "[]", "a list of 1 to 64 constraints"),
        (STANDARD, lambda x: x["constraints"][1].update(level="inferred"), "constraints[1].level", '"inferred"',
         "constraints on metadata have no level"),
        (STANDARD, lambda x: x["constraints"][1].update(id="a"), "constraints[1].id", '"a"', "constraints[0] has the"),
        (STANDARD, lambda x: x["constraints"][0].update(injected=True), "constraints[0].injected", "true",
         "in the setting unmet alone"),
        (STANDARD, lambda x: x["constraints"][0].update(status_in_paper="silent"), "constraints[0].status_in_paper",
         '"silent"', "an injected constraint has its status_in_paper, and no other has one"),
        (STANDARD, lambda x: x["constraints"][0]["evidence"].update(kind="txt"), "constraints[0].evidence.kind",
         '"txt"', "one of text, figure"),
        (STANDARD, lambda x: x.update(turns=CUMULATIVE["turns"]), "turns", "[{", "no other has"),
        (UNMET, lambda x: x["constraints"][0].update(injected=False, injected_kind=None, status_in_paper=None),
         "constraints", "0 injected", "one constraint is injected"),
        (UNMET, lambda x: x["constraints"][0].update(status_in_paper=None), "constraints[0].status_in_paper", "null",
         "an injected constraint has its status_in_paper"),
        (UNMET, lambda x: x["constraints"][0].pop("injected_kind"), "constraints[0].injected_kind", "nothing",
         "an injected constraint has its injected_kind"),
        (UNMET, lambda x: x.update(near_miss=None), "near_miss", "null", "there is a near_miss and no target"),
        (UNMET, lambda x: x["constraints"][0].update(injected_kind="figur_fact"), "constraints[0].injected_kind",
         '"figur_fact"', "one of table_value, figure_fact"),
        (CUMULATIVE, lambda x: x.pop("turns"), "turns", "nothing", "the setting cumulative has turns"),
        (CUMULATIVE, lambda x: x["turns"][0].update(constraint_ids=["z"]), "turns[0].constraint_ids[0]", '"z"',
         "one of a, b"),
        (CUMULATIVE, lambda x: x["turns"][2].update(constraint_ids=["b", "a"]), "turns[2].constraint_ids[1]", '"a"',
         "a constraint is revealed once"),
        (CUMULATIVE, lambda x: x["turns"][2].update(constraint_ids=[]), "constraints[1].id", '"b"',
         "a turn reveals every constraint"),
        (CUMULATIVE, lambda x: x["constraints"][0].update(level="explicit"), "constraints[0].level", '"explicit"',
         "every constraint is inferred"),
        (CUMULATIVE, lambda x: x["constraints"][0].update(source="metadata", level=None), "constraints[0].source",
         '"metadata"', "none is on metadata"),
        (CUMULATIVE, lambda x: [turn.update(utterance="w" * 3000) for turn in x["turns"]], "turns", "9004 signs",
         "all utterances together have at most 8192 signs"),
    ],
)  # fmt: skip
def test_a_fault_of_a_complit_line_is_named(
    tmp_path: Path, line: dict[str, Any], change: Change, field: str, value: str, rule: str
) -> None:
    found = one_fault(tmp_path, "complit", changed(line, change))
    assert found[0] == field
    assert found[1].startswith(value)
    assert rule in found[2]


def test_near_names_are_offered(tmp_path: Path) -> None:
    line = changed(STANDARD, lambda x: x.update(setting="standrad"))
    assert one_fault(tmp_path, "complit", line)[3] == "did you mean 'standard'"
    line = changed(STANDARD, lambda x: x.update(year="2020"))
    assert one_fault(tmp_path, "complit", line)[3] == "write 2020, without quotes"
