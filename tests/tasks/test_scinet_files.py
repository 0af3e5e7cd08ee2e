"""SciNet task files and the released folder: what is odd, what is wrong, and gold from a corpus's citation graph."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

from scholar_env import ScholarEnv
from scholar_env.cli import app
from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.errors import InvalidOptionError
from scholar_env.records import Paper, Section, Task
from scholar_env.task_files.reader import Input
from scholar_env.task_files.scinet_queries import Query
from scholar_env.task_import import import_task_file, validate_task_file
from scholar_env.task_set import TaskSet
from scholar_env.task_table import LEFT_OUT

RELEASE = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA") or "../shared/data") / "scinetbench"

REFERENCES: dict[str, tuple[str, ...]] = {
    "W1": (), "W2": ("W1",), "W3": ("W1", "W2"), "W4": ("W2", "W3"), "W5": ("W3", "W1"), "W6": ("W3",),
    "W7": ("W3", "W2"), "W8": ("W3", "W4"),
}  # fmt: skip
"""What each paper cites; W3 has five citers, two of which cite what it cites."""


NAMES = ("source", "target", "paragraph", "sentiment")


def corpus_of(folder: Path, *, contexts: bool = False) -> Corpus:
    """Eight papers of the field Graphs that cite each other; in W7 and W8 two references share a paragraph."""
    with CorpusWriter(folder, name="cited", source="tests", licence="none") as writer:
        for paper, cited in REFERENCES.items():
            sections = (Section("1", f"First.\n\nOn {' and '.join(cited)}."),)
            title = f'The "{paper}" of graphs'
            date = f"20{10 + int(paper[1:])}-01"
            writer.add_paper(
                Paper(paper, title, "", date=date, categories=("Graphs",), sections=sections, references=cited)
            )
        writer.freeze_index()
        if contexts:
            mentions = [(6, 2, 1, 1), (6, 1, 1, 0), (7, 2, 1, 2), (7, 3, 1, 1), (4, 2, 1, 1)]
            for name, column in zip(NAMES, zip(*mentions, strict=True), strict=True):
                writer.tables.array(f"mentions_{name}", np.array(column, dtype=np.int32))
        writer.finish({"all": [], "test_fast": [], "test_hard": [], "train": []}, {})
    return Corpus.open(folder)


def release(folder: Path) -> Path:
    """A small release with its oddities."""
    ego = {name: Query("novelty", (), name, 5).text for name in ("Graphs", "Trees / Forests")}
    seeds = {
        "https://openalex.org/W3": Query("sentiment", ('The "W3" of graphs',)).text,
        "https://openalex.org/W99": Query("sentiment", ("GONE &AMP; LOST",)).text,
    }
    ends = ('The "W1" of graphs', 'The "W8" of graphs')
    files = {
        "Task1/queries_task1_novel_AI.json": ego,
        "Task1/queries_task1_novel_Geo.json": {"Graphs": ego["Graphs"]},
        "Task1/queries_task1_disruptive_AI.json": {"Graphs": Query("disruption", (), "Graphs", 5).text},
        "Task2/queries_AI_pncites.json": seeds,
        "Task2/queries_AI_cooccur.json": {
            "https://openalex.org/W3": Query("comention", ('The "W3" of graphs',)).text,
        },
        "Task3/queries_task3_path_AI_KDD.json": {
            "Graph_Lineage": Query("path", ends, "Graph Lineage").text,
            "Graph_Lineage_2": Query("path", ends, "Other").text,
        },
    }
    for name, queries in files.items():
        path = folder / "Queries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(queries), encoding="utf-8")
    return folder


def tasks_of(folder: Path, corpus: Corpus, given: Path) -> dict[str, Task]:
    import_task_file(Input(given), "scinet", corpus, "own", folder=folder)
    return {task.id: task for task in TaskSet.open(folder).tasks}


@pytest.mark.usefixtures("home")
def test_a_release_is_validated_and_its_oddities_are_named_by_file_and_key(tmp_path: Path) -> None:
    folder = release(tmp_path / "release")
    command = ["tasks", "validate", str(folder), "--family", "scinet", "--json", "-q"]
    found = json.loads(CliRunner().invoke(app, command).stdout)
    assert (found["n_tasks"], found["n_faults"]) == (9, 0)
    assert found["subsets"] == {"all": 9, "disruption": 1, "novelty": 3, "sentiment": 2, "comention": 1, "path": 2}
    novel, geo = "Queries/Task1/queries_task1_novel_AI.json", "Queries/Task1/queries_task1_novel_Geo.json"
    path = "Queries/Task3/queries_task3_path_AI_KDD.json"
    assert found["remarks"][:4] == [
        "9 queries have 8 distinct texts (n_release 9025, n_paper 8940)",
        "1 pairs of ends occur more than once",
        "1 fields and seeds occur in several domains",
        "10 odd rows",
    ]
    assert f"the same text: {novel}, 'Graphs'; {geo}, 'Graphs'" in found["remarks"]
    assert f"the same pair of ends: {path}, 'Graph_Lineage'; {path}, 'Graph_Lineage_2'" in found["remarks"]
    assert f"novelty in several domains: {novel}, 'Graphs'; {geo}, 'Graphs'" in found["remarks"]
    assert f"odd: {path}, 'Graph_Lineage_2': the text names the field 'Other'" in found["remarks"]
    pairs = "Queries/Task2/queries_AI_pncites.json, 'https://openalex.org/W99'"
    assert {f"odd: {pairs}: a title holds markup", f"odd: {pairs}: a title is all capitals"} <= set(found["remarks"])
    assert any("'Trees / Forests': the field holds a stroke" in remark for remark in found["remarks"])


@pytest.mark.usefixtures("home")
def test_what_is_wrong_with_a_release_is_named(tmp_path: Path) -> None:
    folder = release(tmp_path / "release")
    (folder / "Queries/Task1/queries_task1_novel_Geo.json").write_text('{"A": "Which?", "B": 7}')
    (folder / "Queries/Task1/queries_task1_novel_MED.json").write_text("[1, ")
    found = validate_task_file(Input(folder), "scinet")
    texts = [str(fault) for fault in found.faults]
    assert len(texts) == found.n_faults == 3
    assert 'Geo.json, line 1, text: "Which?". Rule: it asks for the top novel or disruptive papers' in texts[0]
    assert "Geo.json, line 2, text: 7. Rule: text is the question as SciNetBench words it" in texts[1]
    assert "MED.json, line 1: " in texts[2]
    assert "a file of queries is one JSON object in UTF-8" in texts[2]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidOptionError, match="holds no queries of SciNetBench"):
        validate_task_file(Input(tmp_path / "empty"), "scinet")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("contexts", [False, True])
def test_gold_comes_from_the_graph_or_the_reason_why_there_is_none(tmp_path: Path, contexts: bool) -> None:
    corpus = corpus_of(tmp_path / "corpus", contexts=contexts)
    tasks = tasks_of(tmp_path / "own", corpus, release(tmp_path / "release"))
    assert len(tasks) == 9
    left_out = {name: task.labels[LEFT_OUT] for name, task in tasks.items() if task.labels[LEFT_OUT]}
    assert left_out == {
        "ego-novelty/AI/Trees / Forests": "no paper of the corpus is of the field 'Trees / Forests'",
        "pair-sentiment/AI/https://openalex.org/W99": "the corpus has no paper W99",
    }
    seed = "AI/https://openalex.org/W3"
    sentiment, together = tasks[f"pair-sentiment/{seed}"], tasks[f"pair-comention/{seed}"]
    assert (sentiment.details["seed"], sentiment.labels["gold"]) == ("W3", "contexts" if contexts else "references")
    assert sentiment.gold == (("W5", "W7") if contexts else ("W4", "W5", "W6", "W7", "W8"))
    assert together.gold == (("W2", "W4") if contexts else ("W1", "W2", "W4"))
    assert tasks["ego-disruption/AI/Graphs"].gold == ("W3",)  # of five citers three cite its references: D = -0.2
    path = tasks["path/AI_KDD/Graph_Lineage"]
    assert path.gold == ("W1", "W2", "W3", "W4", "W8")  # citations of W1 to W4 and W8: 3, 3, 5, 1, 0
    assert (path.details["start"], path.details["end"], path.details["path_mode"]) == ("W1", "W8", "max_len:5")


@pytest.mark.usefixtures("home")
def test_an_imported_release_is_played_on_its_graph(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", contexts=True)
    tasks = tasks_of(tmp_path / "own", corpus, release(tmp_path / "release"))
    options: dict[str, Any] = {"corpus": str(tmp_path / "corpus"), "tasks": str(tmp_path / "own")}
    env = cast("ScholarEnv", gymnasium.make("SciNet-CiteSentiment-v0", **options).unwrapped)
    assert list(env.tasks) == ["pair-sentiment/AI/https://openalex.org/W3"]
    observation, _ = env.reset(seed=0)
    assert observation["question"] == tasks[env.tasks[0]].question
    observation, *_ = env.step({"name": "read", "arguments": {"paper": "W3"}})
    said = {context["citing"]: context["text"] for context in observation["contexts"]}
    assert said == {"W8": "On W3 and W4.", "W7": "On W3 and W2.", "W5": "On W3 and W1."}
    address = "https://openalex.org/W7"
    _, reward, *_, info = env.step({"name": "answer", "arguments": {"papers": [address, "W5", "W8"]}})
    assert reward == pytest.approx(2 * (2 / 3) / (2 / 3 + 1))
    assert (info["metrics"]["cite_acc_in"], info["metrics"]["cite_sentiment"]) == (1.0, 2 / 3)


@pytest.mark.usefixtures("home")
def test_lines_name_papers_by_id_or_title_and_may_bring_their_gold(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus")
    question = Query("comention", ('The "W3" of graphs',)).text
    lines = [
        {"query_id": "by title", "text": question},
        {"query_id": "with gold", "text": question, "gold": ["https://openalex.org/W8"], "domain": "AI"},
        {"query_id": "lost", "text": Query("comention", ("Lost",)).text},
    ]
    file = tmp_path / "own.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    tasks = tasks_of(tmp_path / "own", corpus, file)
    assert (tasks["by title"].details["seed"], tasks["by title"].gold) == ("W3", ("W1", "W2", "W4"))
    assert (tasks["with gold"].gold, tasks["with gold"].labels["gold"]) == (("W8",), "file")
    assert tasks["lost"].labels[LEFT_OUT] == "the corpus has no paper titled 'Lost'"
    bad = [
        {"query_id": "a", "text": question, "start": "W1"},
        {"query_id": "b", "text": Query("novelty", (), "Graphs", 5).text, "seed": "W1"},
        {"query_id": "c", "text": "What?"},
    ]
    file.write_text("\n".join(map(json.dumps, bad)))
    texts = [str(fault) for fault in validate_task_file(Input(file), "scinet").faults]
    assert ', line 1, start: "W1". Rule: a question of the kind comention names seed.' in texts[0]
    assert ', line 2, seed: "W1". Rule: a question of the kind novelty names no papers.' in texts[1]
    assert ', line 3, text: "What?". Rule: it asks for' in texts[2]


@pytest.mark.skipif(not RELEASE.is_dir(), reason="the released queries are not there")
def test_all_released_queries_make_tasks() -> None:
    found = validate_task_file(Input(RELEASE), "scinet")
    assert (found.n_tasks, found.n_faults, len(set(found.playable))) == (9025, 0, 9025)
    assert {name: len(ids) for name, ids in found.subsets.items()} == {
        "all": 9025, "novelty": 1320, "disruption": 1320, "sentiment": 2100, "comention": 2100, "path": 2185,
    }  # fmt: skip
    assert found.remarks[:3] == (
        "9025 queries have 8237 distinct texts (n_release 9025, n_paper 8940)",
        "27 pairs of ends occur more than once",  # 23 twice, 4 three times
        "666 fields and seeds occur in several domains",  # 19 fields and 314 seeds, for two indicators each
    )
    assert "path/AI_KDD/" in "".join(found.playable)
