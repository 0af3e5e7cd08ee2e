"""``scholar-env corpus generate``: what it makes, what it refuses, and that a second time costs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scholar_env import storage
from scholar_env.cli import app
from scholar_env.corpora.world import rendering
from scholar_env.corpora.world.spec import WorldSpec
from scholar_env.corpora.world.tables import spec_of
from scholar_env.corpus import Corpus, resolve_corpus
from tests import small_worlds

SMALL = ("--papers", 220, "--seed", 5, "--subfields", "stat.ME, cs.IR")


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


def machine(*arguments: object, code: int = 0) -> Any:
    result = call(*arguments, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module, name, value in small_worlds.REPLACED:
        monkeypatch.setattr(module, name, value)
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
    return tmp_path / "home"


def test_a_world_of_one_s_own_is_made_named_and_described(home: Path) -> None:
    result = call("corpus", "generate", *SMALL, "--cell-size", 12, "--evidence", 45, "--train", "--workers", 1)
    assert result.exit_code == 0, result.output
    corpus = resolve_corpus("world-220-5-train")
    assert spec_of(corpus) == WorldSpec(5, 220, True, ("cs.IR", "stat.ME"), 12, 45)
    line = rf"{corpus.path}: world-220-5-train@{corpus.fingerprint} with 220 papers and 0 tasks, made in \d.*papers/s"
    assert re.fullmatch(line, result.stdout.strip())
    again = call("corpus", "generate", *SMALL, "--cell-size", 12, "--evidence", 45, "--train")
    assert again.stdout.strip().endswith("with 220 papers and 0 tasks, was there already")
    info = call("corpus", "info", "world-220-5-train").stdout
    assert re.search(r"world: cell_size 12, evidence 45, .*ontology_version 1, papers 220, seed 5, .*train True", info)
    assert machine("corpus", "info", "world-220-5-train")["world"]["subfields"] == ["cs.IR", "stat.ME"]
    assert machine("corpus", "verify", "world-220-5-train")["intact"] is True


def test_another_world_of_that_name_is_replaced_on_purpose_only(home: Path) -> None:
    first = machine("corpus", "generate", *SMALL, "--train", "--name", "mine")
    assert first["is_new"] is True
    assert (first["n_papers"], first["n_tasks"]) == (220, 0)
    refused = machine("corpus", "generate", *SMALL, "--name", "mine", code=2)["error"]
    assert refused["what"] == f"{home / 'corpora' / 'mine'} holds another corpus"
    assert refused["mend"] == "add --replace or --name"
    second = machine("corpus", "generate", *SMALL, "--name", "mine", "--replace")
    assert second["fingerprint"] != first["fingerprint"]
    assert second["n_tasks"] == small_worlds.N_TASKS
    assert Corpus.open(home / "corpora" / "mine", verify=True).fingerprint == second["fingerprint"]


def test_the_names_of_the_package_stand_for_its_worlds(home: Path) -> None:
    for name in ("world", "world-train-1", "toy"):
        error = machine("corpus", "generate", *SMALL, "--name", name, code=2)["error"]
        assert error["what"].startswith(f"the name '{name}' for WorldSpec(seed=5, papers=220, ")
        assert error["mend"] == "choose another --name"
    spec = small_worlds.training_spec(1)
    asked = ("--papers", spec.papers, "--seed", spec.seed, "--subfields", ",".join(spec.subfields), "--train")
    made = machine("corpus", "generate", *asked)
    assert made["name"] == "world-train-1"
    assert resolve_corpus("world-train-1").tables.settings("world")["number"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--papers", 10), "papers=10 of a world"),
        (("--evidence", 101), "evidence=101 of a world"),
        (("--seed", -1), "seed=-1 of a world"),
        (("--subfields", "cs.XX"), "subfield 'cs.XX' of a world"),
        (("--papers", 220, "--workers", 300), "workers=300"),
        (("--papers", 220, "--name", "../up"), "'../up' is no plain name"),
    ],
)
def test_bad_requests_are_refused(home: Path, arguments: tuple[object, ...], message: str) -> None:
    result = call("corpus", "generate", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert not any(path.is_dir() for path in (home / "corpora").glob("*"))


def test_an_interrupt_keeps_what_was_rendered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    whole = rendering.render_shard
    monkeypatch.setattr(rendering, "render_shard", interrupt)
    result = call("corpus", "generate", *SMALL, "--train")
    assert result.exit_code == 130
    assert result.stderr == "interrupted; the same command goes on with the papers rendered so far\n"
    monkeypatch.setattr(rendering, "render_shard", whole)
    assert machine("corpus", "generate", *SMALL, "--train")["is_new"] is True
