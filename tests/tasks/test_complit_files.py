"""CompLit task files on the way into a corpus: odd conversations, ids and titles written in another way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scholar_env.corpus import Corpus, CorpusWriter, resolve_corpus
from scholar_env.records import Paper
from scholar_env.task_files import form_of
from scholar_env.task_files.reader import Input, TaskFileReader
from scholar_env.task_import import import_task_file, validate_task_file
from scholar_env.task_set import TaskSet
from tests.tasks.test_cli_tasks import cli, machine
from tests.tasks.test_task_file_formats import CUMULATIVE, STANDARD, UNMET, changed, reader_of


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


A3 = "the opening turn of a conversation reveals no constraint (appendix A.3 of the publication)"
S33 = "a later turn reveals 1 to 3 constraints (section 3.3 of the publication)"


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([[], ["a"], ["b"]], []),
        ([[], ["a", "b", "c"], ["d"], ["e"], ["f"]], []),
        ([["a"], ["b"], ["c"]], [("turns[0].constraint_ids", '["a"]', A3)]),
        ([[], ["a", "b", "c", "d"], []],
         [("turns[1].constraint_ids", '["a", "b", "c", "d"]', S33), ("turns[2].constraint_ids", "[]", S33)]),
        ([[], ["a"]], [("turns", "2 turns", "a conversation has 3 turns or more")]),
        ([["a"]], [("turns", "1 turn", "a conversation has 3 turns or more"),
                   ("turns[0].constraint_ids", '["a"]', A3)]),
    ],
)  # fmt: skip
def test_odd_conversations_are_remarked_and_taken(
    tmp_path: Path, ids: list[list[str]], expected: list[tuple[str, str, str]]
) -> None:
    constraints = [{"id": name, "text": "falls", "source": "figural"} for turn in ids for name in turn]
    turns = [{"utterance": "More.", "constraint_ids": turn} for turn in ids]
    reader = reader_of(tmp_path, "complit", STANDARD, {**CUMULATIVE, "constraints": constraints, "turns": turns})
    assert len(list(reader.tasks())) == 2
    assert reader.faults.n == 0
    assert reader.remarks == tuple(
        f"{tmp_path / 'file.jsonl'}, line 2, {field}: {value}. Rule: {rule}. Mend: leave it where it is meant so."
        for field, value, rule in expected
    )


def test_the_first_fifty_remarks_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    line = changed(CUMULATIVE, lambda x: x["turns"].pop(0))
    reader = reader_of(tmp_path, "complit", *({**line, "query_id": f"q{number}"} for number in range(60)))
    assert len(list(reader.tasks())) == 60
    assert len(reader.remarks) == 51
    assert reader.remarks[-1] == "… and 70 more"


def test_remarks_are_told_at_validation_and_import(toy: Corpus, tmp_path: Path) -> None:
    line = changed(CUMULATIVE, lambda x: x["turns"].pop(0))
    line["target"] = {"arxiv_id": toy.id_of(0)}
    file = tmp_path / "talks.jsonl"
    file.write_text("\n".join(json.dumps({**line, "query_id": f"q{number}"}) for number in range(12)))
    told = machine("tasks", "validate", file, "--family", "complit", "--corpus", "toy")
    imported = machine("tasks", "import", file, "--family", "complit", "--corpus", "toy", "--name", "mine")
    assert len(told["remarks"]) == 24
    assert imported["remarks"] == told["remarks"]
    said = cli("tasks", "validate", file, "--family", "complit").stdout.splitlines()
    assert [row for row in said if row.startswith("remark: ")] == [f"remark: {remark}" for remark in told["remarks"]]
    said = cli("tasks", "import", file, "--family", "complit", "--corpus", "toy", "--name", "other").stdout.splitlines()
    assert len([row for row in said if row.startswith("remark: ")]) == 20
    assert said[-1] == "and 4 more remarks: see scholar-env tasks validate"


@pytest.fixture
def arxiv(home: Path, tmp_path: Path) -> Corpus:
    """A corpus of papers with arXiv ids, one of them held with its version alone."""
    target = tmp_path / "corpus"
    with CorpusWriter(target, name="arxiv", source="tests", licence="none", derived_from="tests") as writer:
        for name in ("2105.18383", "hep-th/9901001", "2001.00001v2"):
            writer.add_paper(Paper(name, f"On {name}", "a"))
        writer.freeze_index()
        return Corpus.open(writer.finish({"all": []}, {}, notes=[]))


def written(path: Path, *lines: dict[str, Any]) -> Input:
    path.write_text("\n".join(map(json.dumps, lines)))
    return Input(path)


def standard(query_id: str, paper: str, **target: str) -> dict[str, Any]:
    return {**STANDARD, "query_id": query_id, "target": {"arxiv_id": paper, **target}}


def test_arxiv_ids_may_have_a_prefix_and_a_version(arxiv: Corpus, tmp_path: Path) -> None:
    unmet = {**UNMET, "query_id": "near", "near_miss": {"arxiv_id": "arXiv:hep-th/9901001v3"}}
    talk = changed(CUMULATIVE, lambda x: x.update(target={"arxiv_id": "2105.18383v2"}))
    talk["constraints"][0]["evidence"]["other_paper"] = "ARXIV:hep-th/9901001"
    held = written(
        tmp_path / "file.jsonl", standard("both", "arXiv:2105.18383v1"), standard("whole", "2001.00001v2"), unmet, talk,
        standard("less", "2001.00001"), standard("gone", "arXiv:1999.00001v1"),
    )  # fmt: skip
    report = validate_task_file(held, "complit", arxiv)
    assert report.playable == ["both", "whole", "near", "c3"]
    assert report.missing_gold == {"2001.00001": "less", "arXiv:1999.00001v1": "gone"}
    tasks = TaskSet.open(import_task_file(held, "complit", arxiv, "mine").path).tasks
    found = {task.id: task for task in tasks}
    assert [found[name].gold for name in ("both", "whole", "near", "c3", "gone")] == [
        ("2105.18383",), ("2001.00001v2",), (), ("2105.18383",), ("arXiv:1999.00001v1",),
    ]  # fmt: skip
    assert found["both"].details["target"]["id"] == found["c3"].details["target"]["id"] == "2105.18383"
    assert found["near"].details["near_miss"]["id"] == "hep-th/9901001"
    others = [entry["evidence"]["other_paper"] for entry in found["c3"].details["constraints"]]
    assert others == ["hep-th/9901001", ""]
    assert found["both"].labels["n_gold_in_corpus"] == "1"
    (bare,) = [task for task in TaskFileReader(held, form_of("complit")).tasks() if task.id == "both"]
    assert bare.gold == ("arXiv:2105.18383v1",)  # without a corpus nobody knows


def test_a_title_that_is_not_the_corpus_s_is_remarked(arxiv: Corpus, tmp_path: Path) -> None:
    near = {**UNMET, "query_id": "near", "near_miss": {"arxiv_id": "hep-th/9901001v3", "title": "Of strings"}}
    given = written(
        tmp_path / "file.jsonl", standard("same", "2105.18383", title="ON: 2105 18383"),
        standard("other", "arXiv:2105.18383", title="Another one"), standard("none", "2105.18383"),
        standard("gone", "1999.00001", title="Lost"), near,
    )  # fmt: skip
    mend = "Mend: mend the title or the id; a title that is another version of it may stay."
    expected = (
        f'{given.path}, line 2, target.title: "Another one". Rule: the corpus arxiv has the title "On 2105.18383" for '
        f"the id 2105.18383. {mend}",
        f'{given.path}, line 5, near_miss.title: "Of strings". Rule: the corpus arxiv has the title "On hep-th/9901001"'
        f" for the id hep-th/9901001. {mend}",
    )
    assert validate_task_file(given, "complit", arxiv).remarks == expected
    assert validate_task_file(given, "complit").remarks == ()
    imported = import_task_file(given, "complit", arxiv, "mine")
    assert imported.file.remarks == expected
    assert TaskSet.open(imported.path).ids("all") == ("same", "other", "none", "near")
