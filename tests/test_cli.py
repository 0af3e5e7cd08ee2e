"""The command line: output for people and machines, exit codes, errors without tracebacks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import scholar_env
from scholar_env.agents import AGENTS
from scholar_env.cli import app
from scholar_env.corpus import resolve_corpus
from scholar_env.environment.registry import CARDS
from scholar_env.rollout.runner import run as play

FAST = "ScholarGym-TestFast-v0"


def scholar_env_cli(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


def machine(*arguments: object, code: int = 0) -> dict[str, Any]:
    result = scholar_env_cli(*arguments, "--json")
    assert result.exit_code == code, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def process(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scholar_env.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def process_with_small_world(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same where the home holds a small world, which has another fingerprint than the default one."""
    code = "import scholar_env.corpora as shelf; shelf.FINGERPRINTS.clear(); from scholar_env.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "run"
    play(FAST, "direct", out=folder, corpus="toy", tasks=4)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def release(folder: Path) -> Path:
    """A release of three papers and two queries, one row of each file malformed."""
    papers: dict[str, object] = {
        f"2001.0000{number}": {"title": title, "abstract": f"We study {title}.", "date": "2020-01-0" + str(number)}
        for number, title in enumerate(("graph [bold]pooling[/bold]", "tree search", "speech models"), start=1)
    }
    papers["2001.00009"] = "no record"
    queries = [
        {
            "qid": f"q{number}",
            "query": f"papers on {word}",
            "cited_paper": [{"arxiv_id": f"2001.0000{number}", "title": word, "year": 2020}],
            "gt_label": [1],
            "date": "2020-01",
            "source": "LitSearch",
            "valid": True,
        }
        for number, word in ((1, "graph pooling"), (2, "tree search"))
    ]
    folder.mkdir()
    (folder / "scholargym_paper_db.json").write_text(json.dumps(papers), encoding="utf-8")
    (folder / "scholargym_bench.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries), encoding="utf-8")
    return folder


def test_version() -> None:
    result = scholar_env_cli("--version")
    assert (result.exit_code, result.stdout) == (0, f"{scholar_env.__version__}\n")


def test_help_names_every_command_and_exit_code_and_is_light() -> None:
    result = scholar_env_cli("--help")
    assert result.exit_code == 0
    for word in ("list", "corpus", "run", "replay", "export", "report", "warm", "130 interrupted"):
        assert word in result.stdout
    code = "import sys, scholar_env.cli; print([m for m in ('numba', 'pyarrow', 'rank_bm25') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_list_shows_environments_and_agents() -> None:
    text = scholar_env_cli("list").stdout
    for name in [*CARDS, *AGENTS]:
        assert name in text
    found = machine("list")
    assert [entry["id"] for entry in found["environments"]] == list(CARDS)
    assert found["agents"].keys() == AGENTS.keys()
    direct = found["agents"]["direct"]["docs"]
    assert "answers with the first paper" in direct["complit"]
    assert "selects the whole page" in direct["scholargym"]
    random = found["agents"]["random"]
    assert (random["plays"], next(iter(random["docs"]))) == (["all"], "others")
    assert list(found["agents"]["scripted"]["docs"]) == ["all"]
    rows = [[cell.strip() for cell in line.split("│")[1:3]] for line in text.splitlines() if line.startswith("│")]
    assert [who for name, who in rows if name == "scripted"] == ["all"]
    assert sorted(who for name, who in rows if name == "oracle") == ["aise", "complit", "scholargym", "scinet"]
    arguments = {item["name"]: item for item in found["environments"][0]["arguments"]}
    assert arguments["max_iterations"]["default"] == 5


def test_warm_builds_the_toy_and_names_the_engine() -> None:
    assert machine("warm")["engine"] in ("numpy", "numba")
    assert "is ready with the" in scholar_env_cli("warm").stdout


def test_run_prints_a_table_with_corpus_and_warning(tmp_path: Path) -> None:
    result = scholar_env_cli(
        "run", FAST, "--agent", "direct", "--corpus", "toy", "--tasks", 3, "--out", tmp_path / "run"
    )
    assert result.exit_code == 0
    for text in ("ret_recall", "n_results_shown", "ended: answered", "corpus toy@", "toy corpus: 300 made-up papers"):
        assert text in result.stdout
    assert result.stderr == ""  # no progress bar where nobody watches


def test_run_for_machines(tmp_path: Path) -> None:
    found = machine(
        *("run", f"scholar_env:{FAST}", "--agent", "oracle", "--corpus", "toy", "--task", "toy-q06"),
        *("--set", "max_iterations=3", "--set", 'reward={"ret_recall": 2}', "--agent-set", "k=5", "--seed", 4),
        *("--workers", 2, "--out", tmp_path / "run"),
    )
    assert found["assisted"] is True
    assert (found["n_tasks"], found["n_played"], found["n_failed"]) == (1, 1, 0)
    assert found["corpus"]["name"] == "toy"
    assert found["means"]["return"] == pytest.approx(2.0)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["kwargs"] == {"max_iterations": 3, "reward": {"ret_recall": 2}}
    assert manifest["agent_options"]["k"] == 5
    assert manifest["seed"] == 4


def test_run_without_out_makes_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = machine("run", FAST, "--corpus", "toy", "--tasks", 1)
    assert found["folder"] == str(Path("runs", FAST, "direct-0"))
    assert machine("run", FAST, "--corpus", "toy", "--tasks", 1, code=2)["error"]["type"] == "InvalidOptionError"
    assert machine("run", FAST, "--corpus", "toy", "--tasks", 1, "--resume")["n_played"] == 0


def test_replay_agrees_or_names_the_step(run_folder: Path, tmp_path: Path) -> None:
    result = scholar_env_cli("replay", run_folder)
    assert (result.exit_code, result.stdout) == (0, "all 12 steps of 4 episodes agree\n")
    assert machine("replay", run_folder)["agrees"] is True
    copy = tmp_path / "copy"
    shutil.copytree(run_folder, copy)
    text = (copy / "rollouts.jsonl").read_text("utf-8")
    (copy / "rollouts.jsonl").write_text(text.replace('"name":"derive"', '"name":"expand"', 1), encoding="utf-8")
    result = scholar_env_cli("replay", copy)
    assert result.exit_code == 1
    assert re.search(
        r"rollouts\.jsonl, line 2, task toy-\w+, step 0: expected the line as it was written", result.stdout
    )
    found = machine("replay", copy, code=1)
    assert found["findings"][0]["line"] == 2


def test_export_writes_chats(run_folder: Path, tmp_path: Path) -> None:
    found = machine("export", run_folder, "--to", "chat", "--out", tmp_path / "chat.jsonl")
    assert found["n_episodes"] == 4
    assert len((tmp_path / "chat.jsonl").read_text("utf-8").split("\n")) == 5
    assert machine("export", run_folder, "--to", "no", "--out", tmp_path / "x", code=2)["error"]["what"] == "form 'no'"


def test_report_in_every_form(run_folder: Path, tmp_path: Path) -> None:
    assert "RetR" in scholar_env_cli("report", run_folder).stdout
    assert "| RetR" in scholar_env_cli("report", run_folder, "--format", "markdown").stdout
    result = scholar_env_cli("report", run_folder, run_folder, "--format", "html", "--out", tmp_path / "page.html")
    assert result.exit_code == 0
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    found = machine("report", run_folder)
    assert found["rows"][0]["averages"]["n_tasks"] == 4
    assert scholar_env_cli("report", run_folder, "--format", "pdf").exit_code == 2


def test_report_refuses_a_run_with_gaps(run_folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run_folder, copy)
    lines = (copy / "rollouts.jsonl").read_text("utf-8").split("\n")
    (copy / "rollouts.jsonl").write_text("\n".join(lines[4:]), encoding="utf-8")
    error = machine("report", copy, code=2)["error"]
    assert error["type"] == "IncompleteRunError"
    assert "--partial" in error["mend"]
    assert machine("report", copy, "--partial")["rows"][0]["averages"]["n_tasks"] == 3


def test_corpus_life(home: Path, tmp_path: Path) -> None:
    assert f"no corpora in {home}" in scholar_env_cli("corpus", "list").stdout
    result = scholar_env_cli("corpus", "import", "scholargym", "--from", release(tmp_path / "release"))
    assert result.exit_code == 0, result.output
    assert "3 papers and 2 queries" in result.stdout
    assert "1 malformed rows of scholargym_paper_db.json" in result.stderr
    assert "2001.00009" in result.stderr
    (entry,) = machine("corpus", "list")["corpora"]
    assert (entry["name"], entry["n_papers"]) == ("scholargym", 3)
    assert "scholargym" in scholar_env_cli("corpus", "list").stdout
    info = machine("corpus", "info", "scholargym")
    assert (info["n_papers"], info["official"], info["subsets"]["all"]) == (3, False, 2)
    assert "Apache-2.0" in scholar_env_cli("corpus", "info", "scholargym").stdout
    assert info["counts"]["malformed_scholargym_paper_db.json"] == 1
    assert [row["where"] for row in info["malformed"]] == ["key '2001.00009' (record 4)"]
    assert "require_gold=all" in info["notes"]
    text = scholar_env_cli("corpus", "info", "scholargym").stdout
    assert "note: require_gold=all\n" in text
    assert "malformed: 1 rows\n  scholargym_paper_db.json, key '2001.00009' (record 4): it is 'no record'" in text
    assert "tasks_without_gold 0" in text
    assert machine("corpus", "verify", "scholargym")["intact"] is True
    found = machine("run", "ScholarGym-All-v0", "--out", tmp_path / "run")
    assert found["corpus"]["name"] == "scholargym"
    refused = machine("corpus", "remove", "scholargym", code=2)
    assert "add --yes" in refused["error"]["mend"]
    assert machine("corpus", "remove", "scholargym", "--yes")["removed"] == entry["path"]
    assert machine("corpus", "list")["corpora"] == []


def test_corpus_import_can_be_strict(home: Path, tmp_path: Path) -> None:
    error = machine("corpus", "import", "scholargym", "--from", release(tmp_path / "release"), "--strict", code=2)[
        "error"
    ]
    assert error["type"] == "ImportRowError"
    assert "scholargym_paper_db.json" in error["what"]
    assert not (home / "corpora" / "scholargym").exists()


def test_corpus_verify_names_each_damaged_file(home: Path) -> None:
    folder = resolve_corpus("toy").path
    assert folder.is_relative_to(home)
    damaged = max(folder.rglob("*.npy"), key=lambda path: path.stat().st_size)
    data = bytearray(damaged.read_bytes())
    data[-1] ^= 1
    damaged.write_bytes(data)
    result = scholar_env_cli("corpus", "verify", "toy")
    assert result.exit_code == 1
    assert str(damaged) in result.stdout
    found = machine("corpus", "verify", folder, code=1)
    assert [problem["file"] for problem in found["problems"]] == [str(damaged.relative_to(folder))]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("run", FAST, "--agent", "nobody", "--corpus", "toy"), 2, "there is no agent 'nobody'"),
        (("run", "Nothing-v0"), 2, "there is no environment 'Nothing-v0'"),
        (("run", FAST, "--corpus", "nowhere"), 2, "nowhere"),
        (("run", FAST, "--corpus", "toy", "--set", "max_iterations"), 2, "--set 'max_iterations'"),
        (("run", FAST, "--corpus", "toy", "--set", "a=1", "--set", "a=2"), 2, "each key once"),
        (("run", FAST, "--corpus", "toy", "--tasks", 3, "--task", "toy-q06"), 2, "--tasks and --task"),
        (("replay", "no-such-folder"), 2, "no-such-folder"),
        (("report", "no-such-folder"), 2, "no-such-folder"),
        (("corpus", "import", "pubmed", "--from", "."), 2, "there is no importer 'pubmed'"),
        (("corpus", "info", "nowhere"), 2, "nowhere"),
        (("corpus", "remove", "nowhere", "--yes"), 2, "nowhere"),
    ],
)
def test_errors_have_a_code_a_rule_and_a_mend_but_no_traceback(
    arguments: tuple[object, ...], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = scholar_env_cli(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert "rule: " in result.stderr
    assert "mend: " in result.stderr
    assert "Traceback" not in result.output
    assert machine(*arguments, code=code)["error"].keys() == {"type", "what", "rule", "mend"}


def test_wrong_usage_is_code_2() -> None:
    assert scholar_env_cli("run").exit_code == 2
    assert scholar_env_cli("fly").exit_code == 2
    assert scholar_env_cli("run", FAST, "--workers", "0").exit_code == 2


def test_debug_shows_the_traceback() -> None:
    done = process("replay", "no-such-folder", "--debug")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "RolloutFormatError" in done.stderr
    plain = process("replay", "no-such-folder")
    assert plain.returncode == 2
    assert "Traceback" not in plain.stderr


def test_a_full_disk_is_infrastructure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = machine("run", FAST, "--corpus", "toy", "--tasks", 1, "--out", tmp_path / "file" / "run", code=3)
    assert found["error"]["type"] == "NotADirectoryError"


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_disk_that_fills_up_ends_a_run_which_goes_on(workers: int, tmp_path: Path) -> None:
    resolve_corpus("toy")
    command = ("run", FAST, "--corpus", "toy", "--workers", str(workers), "--set", "index_engine=numpy")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))"
    code = f"{limit}\nfrom scholar_env.cli import main\nmain()"
    arguments = [sys.executable, "-c", code, *command, "--out", str(tmp_path / "run")]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 3
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    found = machine(*command, "--out", tmp_path / "run", "--resume")
    assert 0 < found["n_played"] < found["n_tasks"]
    assert machine("replay", tmp_path / "run")["agrees"] is True


def test_the_default_corpus_is_the_world_with_one_warning(tmp_path: Path, small_worlds_home: Path) -> None:
    home = str(small_worlds_home)
    done = process_with_small_world("run", FAST, "--tasks", 1, "--out", tmp_path / "run", SCHOLAR_ENV_HOME=home)
    assert done.returncode == 0
    assert "corpus world@" in done.stdout
    assert "a generated world of made-up papers; compare these numbers with no published ones" in done.stdout
    assert done.stderr.count("warning: ") == 1
    assert "scholar-env corpus import scholargym" in done.stderr
    assert "warnings.warn" not in done.stderr


def test_a_summary_says_how_the_accuracy_on_unmet_needs_must_be_read(tmp_path: Path, small_home: Path) -> None:
    caution = "scholar-env report sets runs of both side by side"
    for env_id, is_said in (("CompLit-Unmet-v0", True), ("CompLit-Standard-v0", False)):
        done = scholar_env_cli(
            "run", env_id, "--agent", "random", "--tasks", 1, "--corpus", "world", "--out", tmp_path / env_id
        )
        assert done.exit_code == 0, done.output
        assert ("│ unmet_accuracy " in done.stdout) is is_said
        assert ("│ false_abstention " in done.stdout) is not is_said
        assert "nan" not in done.stdout
        assert (caution in " ".join(done.stdout.split())) is is_said


def test_a_mixed_summary_says_that_its_false_abstention_is_not_the_one_on_standard(
    tmp_path: Path, small_home: Path
) -> None:
    folder = tmp_path / "mixed"
    done = scholar_env_cli(
        "run", "CompLit-Mixed-v0", "--agent", "random", "--tasks", 40, "--corpus", "world", "--out", folder
    )
    assert "false_abstention shown here is over all needs that a paper meets, Implicit ones among them" in done.stdout
    averages = machine("report", folder)["rows"][0]["averages"]
    standard, implicit = averages["settings"]["standard"], averages["settings"]["implicit"]
    n_false = sum(shares["n_tasks"] * shares["false_abstention"] for shares in (standard, implicit))
    shown = n_false / (standard["n_tasks"] + implicit["n_tasks"])
    assert re.search(rf"false_abstention +│ {shown:.4g} ", done.stdout)
    assert averages["standard_false_abstention"] == standard["false_abstention"] != pytest.approx(shown)


def test_markup_in_text_is_not_interpreted(tmp_path: Path) -> None:
    result = scholar_env_cli("replay", tmp_path / "[bold]x[/bold]")
    assert "[bold]x[/bold]" in result.stderr
    assert scholar_env_cli("run", "[/red]", "--corpus", "toy").exit_code == 2


def test_a_terminal_does_not_obey_what_it_is_shown(tmp_path: Path, home: Path) -> None:
    folder = release(tmp_path / "release")
    hostile = "\x1b[31m\x1b]0;own\x07\r\u202e:bug:\nline"
    query = {"qid": f"q{hostile}", "query": f"on {hostile}", "source": hostile, "date": "2020-01"}
    record = json.dumps({**query, "cited_paper": [{"arxiv_id": f"9{hostile}"}], "gt_label": [1]})
    bench = folder / "scholargym_bench.jsonl"
    bench.write_text(bench.read_text("utf-8") + record + "\n" + record + "\n", encoding="utf-8")
    outputs = [scholar_env_cli("corpus", "import", "scholargym", "--from", folder)]
    outputs += [scholar_env_cli("corpus", "info", "scholargym"), scholar_env_cli("corpus", "info", hostile)]
    for result in outputs:
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(result.output)
        assert r"\x1b[31m\x1b]0;own\x07\r\u202e:bug:\nline" in result.output


def test_output_that_takes_no_unicode_still_gets_json() -> None:
    done = process("corpus", "info", "é\udcff", "--json", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (2, "")
    assert "é" in json.loads(done.stdout)["error"]["what"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_output_that_cannot_be_written_is_infrastructure(form: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "scholar_env.cli", "list", *form]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_fault_of_the_program_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(spec: str) -> None:
        raise ValueError("a bad day")

    monkeypatch.setattr("scholar_env.corpus.resolve_corpus", fail)
    result = scholar_env_cli("corpus", "info", "toy")
    assert result.exit_code == 4
    assert "error: ValueError: a bad day" in result.stderr
    assert "--debug" in result.stderr
    assert isinstance(scholar_env_cli("corpus", "info", "toy", "--debug").exception, ValueError)


def test_list_shows_the_arguments_of_one_environment() -> None:
    shown = scholar_env_cli("list", FAST)
    assert shown.exit_code == 0
    assert "max_iterations" in shown.stdout
    found = machine("list", FAST)
    assert {item["name"]: item["default"] for item in found["arguments"]}["page_size"] == 10
    unknown = scholar_env_cli("list", "Nowhere-v0")
    assert unknown.exit_code == 2
    assert "there is no environment 'Nowhere-v0'" in unknown.output


def test_an_agent_of_the_current_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "agent_here.py").write_text(
        "class Quiet:\n    def reset(self, seed): pass\n    def act(self, observation):\n"
        "        return {'name': 'answer', 'arguments': {}}\n",
        encoding="utf-8",
    )
    script = "from scholar_env.cli import main; main()"  # as the console script, whose path holds no current folder
    options = ["--agent", "agent_here:Quiet", "--corpus", "toy", "--tasks", "2", "--workers", "2", "--json"]
    command = [sys.executable, "-P", "-c", script, "run", FAST, *options, "--out", "run"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_tasks"] == 2
