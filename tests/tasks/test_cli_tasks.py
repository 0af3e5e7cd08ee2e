"""``scholar-env tasks``, and a run on an imported set from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from scholar_env.cli import app
from scholar_env.corpus import Corpus, resolve_corpus
from scholar_env.task_files import FORMS
from scholar_env.task_set import resolve_task_set

ALL = "ScholarGym-All-v0"


@pytest.fixture
def toy(home: Path) -> Corpus:
    return resolve_corpus("toy")


def cli(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "220"})


def machine(*arguments: object, code: int = 0) -> dict[str, Any]:
    result = cli(*arguments, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def file(toy: Corpus, tmp_path: Path) -> Path:
    """Three queries: two to play and one whose gold is missing."""
    golds = {"q1": [toy.id_of(0)], "q2": [toy.id_of(1), toy.id_of(2)], "q3": ["x1"]}
    lines = [{"query_id": name, "text": "query expansion", "gold": gold} for name, gold in golds.items()]
    path = tmp_path / "queries" / "mine.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def import_mine(file: Path, *more: object) -> dict[str, Any]:
    return machine("tasks", "import", file, "--family", "scholargym", "--corpus", "toy", "--name", "mine", *more)


def test_an_imported_file_is_listed_told_run_and_replayed(file: Path, toy: Corpus, tmp_path: Path) -> None:
    found = import_mine(file)
    assert (found["n_tasks"], found["subsets"], found["n_left_out"], found["n_missing_gold"]) == (3, {"all": 2}, 1, 1)
    assert found["left_out"] == {"q3": "1 of 1 gold papers are not in the corpus: x1"}
    (listed,) = machine("tasks", "list")["task_sets"]
    assert (listed["name"], listed["family"], listed["corpus_name"], listed["n_tasks"]) == (
        "mine",
        "scholargym",
        "toy",
        3,
    )
    assert listed["fingerprint"] == found["fingerprint"]
    assert "toy@7f5407d2d871" in cli("tasks", "list").stdout
    told = machine("tasks", "info", "mine")
    assert (told["corpus"], told["subsets"]) == (f"toy@{toy.fingerprint}", {"all": 2})
    assert told["left_out"] == found["left_out"]
    assert "left out: 1 tasks are kept but in no subset" in cli("tasks", "info", "mine").stdout
    run = machine("run", ALL, "--corpus", "toy", "--tasks", "mine", "--agent", "direct", "--out", tmp_path / "run")
    assert (run["n_tasks"], run["corpus"]["tasks"]) == (2, found["fingerprint"])
    assert run["means"]["n_calls"] == 3
    assert machine("replay", tmp_path / "run")["n_episodes"] == 2
    shown = cli("run", ALL, "--tasks", "mine", "--limit", 1, "--out", tmp_path / "shown").stdout
    assert "corpus toy@7f5407d2 (n" in shown
    assert f"mine@{found['fingerprint'][:8]}" in shown
    n_bytes = sum(path.stat().st_size for path in Path(found["path"]).iterdir())
    gone = {"removed": found["path"], "derived": [], "kept_for": [], "kept_task_sets": [], "freed_bytes": n_bytes}
    assert machine("tasks", "remove", "mine", "--yes") == gone
    assert machine("tasks", "list")["task_sets"] == []
    assert "import one with scholar-env tasks import" in cli("tasks", "list").stdout


def test_people_are_told_what_was_imported(file: Path) -> None:
    said = cli(
        "tasks", "import", file, "--family", "scholargym", "--corpus", "toy", "--name", "mine"
    ).stdout.splitlines()
    assert said[0].startswith("3 tasks in ")
    assert said[1:6] == [
        "subsets: all 2",
        "gold papers that are not in the corpus: 1",
        "  x1: asked for by q3",
        "left out: 1 tasks are kept but in no subset",
        "  q3: 1 of 1 gold papers are not in the corpus: x1",
    ]


def test_options_of_an_import(file: Path, tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("q2\n")
    import_mine(file)
    again = machine("tasks", "import", file, "--family", "scholargym", "--corpus", "toy", "--name", "mine", code=2)
    assert "holds a task set already" in again["error"]["what"]
    import_mine(file, "--replace", "--subset", f"train={tmp_path / 'ids'}", "--source", "my lab", "--licence", "mine")
    manifest = resolve_task_set("mine").manifest
    assert (manifest.source, manifest.licence) == ("my lab", "mine")
    assert resolve_task_set("mine").ids("train") == ("q2",)
    bad = machine(
        "tasks", "import", file, "--family", "scholargym", "--corpus", "toy", "--name", "x", "--subset", "train", code=2
    )
    assert bad["error"]["rule"] == "it is NAME=FILE, each name once"


def test_queries_and_judgements_are_imported(toy: Corpus, tmp_path: Path) -> None:
    (tmp_path / "queries.tsv").write_text("1\tquery expansion\n2\tgraph walks\n")
    (tmp_path / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n1\t{toy.id_of(0)}\t2\n2\t{toy.id_of(1)}\t1\n")
    assert import_mine(tmp_path)["subsets"] == {"all": 2}
    given = (tmp_path / "queries.tsv", "--qrels", tmp_path / "qrels.tsv", "--min-relevance", 2)
    assert machine("tasks", "validate", *given, "--family", "scholargym", "--corpus", "toy")["n_left_out"] == 1


def test_faults_are_named_and_nothing_is_imported(file: Path, home: Path) -> None:
    with file.open("a") as lines:
        lines.write('\n{"query_id": "q1", "text": "x", "gold": "p", "befor": "\\u001b[31m"}\n\x1b[1]\n')
    options = (file, "--family", "scholargym")
    told = machine("tasks", "validate", *options, code=1)
    assert told["n_faults"] == 4
    assert told["n_tasks"] == 3
    places = [(fault["line"], fault["field"]) for fault in told["faults"]]
    assert places == [(4, "befor"), (4, "gold"), (4, "query_id"), (5, "")]
    assert set(told["faults"][0]) == {"file", "line", "field", "value", "rule", "mend"}
    result = cli("tasks", "import", *options, "--corpus", "toy", "--name", "mine")
    assert result.exit_code == 2
    assert 'line 4, befor: "\\u001b[31m". Rule: the fields of a line are' in result.stderr
    assert f'{file}, line 5: "\\u001b[1]". Rule: a line is one JSON object' in result.stderr
    assert "\x1b" not in result.stderr
    assert result.stderr.splitlines()[-1] == "4 faults"
    assert machine("tasks", "import", *options, "--corpus", "toy", "--name", "mine", code=2)["n_faults"] == 4
    assert machine("tasks", "list")["task_sets"] == []


@pytest.mark.parametrize("family", FORMS)
def test_a_file_without_tasks_is_refused_before_it_is_imported(home: Path, tmp_path: Path, family: str) -> None:
    (tmp_path / "empty.jsonl").write_text("\n \n")
    told = machine("tasks", "validate", tmp_path / "empty.jsonl", "--family", family, code=1)
    assert [(fault["line"], fault["value"], fault["mend"]) for fault in told["faults"]] == [
        (1, "nothing", "name another file")
    ]
    assert told["faults"][0]["rule"].startswith("a task file has at least one task, and ")
    assert cli("tasks", "validate", tmp_path / "empty.jsonl", "--family", family).stderr.endswith("\n1 fault\n")


def test_the_format_of_a_family_is_printed(home: Path) -> None:
    for family in ("scholargym", "complit"):
        schema = machine("tasks", "schema", family)
        Draft202012Validator.check_schema(schema)
        assert "query_id" in schema["required"]
    assert "has no task file format" in machine("tasks", "schema", "odd", code=2)["error"]["what"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tasks", "0"), "a run has one number of tasks"),
        (("--tasks", "3", "--limit", "2"), "--tasks 3 and --limit 2"),
        (("--tasks", "3", "--task", "q1"), "a run takes a number of tasks or a list"),
        (("--tasks", "mine", "--set", "tasks=other"), "a run has one task set"),
        (("--tasks", "yours"), "there is no task set 'yours'"),
        (("--set", "tasks=3"), "tasks is str or None"),
    ],
)
def test_tasks_of_a_run_are_a_number_or_a_set(
    file: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    import_mine(file)
    error = machine("run", ALL, "--corpus", "toy", "--out", tmp_path / "run", *arguments, code=2)["error"]
    assert message in f"{error['what']}. {error['rule']}"
    assert not (tmp_path / "run").exists()


def test_a_set_is_removed_on_purpose_only(file: Path) -> None:
    import_mine(file)
    assert "add --yes" in machine("tasks", "remove", "mine", code=2)["error"]["mend"]
    assert "there is no task set 'other'" in machine("tasks", "remove", "other", "--yes", code=2)["error"]["what"]
    assert cli("tasks", "remove", "mine", "-y").stdout.startswith("removed ")


def test_a_damaged_set_is_listed_and_told_and_can_be_removed(file: Path) -> None:
    import_mine(file)
    path = resolve_task_set("mine").path
    with (path / "tasks.jsonl").open("ab") as tasks:
        tasks.write(b"\n")
    error = machine("tasks", "info", "mine", code=1)["error"]
    assert "tasks.jsonl: its sha256 is not the one in the manifest" in error["what"]
    (path / "manifest.json").write_text("{}")
    assert "its format is None" in machine("tasks", "list")["task_sets"][0]["error"]
    assert "cannot be read" in cli("tasks", "list").stdout
    machine("tasks", "remove", "mine", "--yes")
