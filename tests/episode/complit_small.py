"""A small corpus and small needs for tests of CompLit's episodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env import storage
from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.episode.complit.config import ComplitConfig
from scholar_env.episode.complit.engine import ComplitEpisode
from scholar_env.episode.complit.resources import open_resources
from scholar_env.records import Paper, Section, Task

FIGURE = "Figure 1: recall by depth (1 m: 0.20, 2 m: 0.35, 4 m: 0.61)."
BARS = "Figure 2: accuracy by method. Table 1: Walker 81.5 percent, Runner 79.0 percent."
PAPERS = (
    Paper("p0", "Graph walks", "Random walks on graphs find communities.", "2019-05-01", ("Ada B.",), ("cs.SI",), (
        Section("Introduction", "Walks are old."),
        Section("Results", f"The walker wins. {FIGURE} {BARS}"),
    )),
    Paper("p1", "Graph runs", "Fast runs on graphs find hubs.", "2020-01", ("Cé D.",), ("cs.SI", "stat.ML"), (
        Section("Results", "The runner needs 12 GPUs and no labels."),
    )),
    Paper("p2", "A survey of graph walks", "We survey walks on graphs.", "2021-03", sections=(
        Section("Overview", "walks and runs"),
    )),
    Paper("p3", "Tree walks", "Walks on trees need no labels.", "", ("Ada B.",), ("cs.DS",)),
    Paper("p4", "Graph Walks", "A copy in name only.", "2022-02", (), ("cs.LG",)),
)  # fmt: skip
SURVEYS = (2,)

TURNS = (
    "I am looking for work on graphs. It can be of any kind.",
    "It needs random walks. The communities matter, too.",
    "The recall must rise with depth. Name one paper, or say that there is none.",
)


def corpus_of(folder: Path, *papers: Paper, surveys: tuple[int, ...] = ()) -> Corpus:
    """A corpus of these papers; its table says which rows are surveys."""
    with CorpusWriter(folder, name="small", source="tests", licence="none") as writer:
        for paper in papers:
            writer.add_paper(paper)
        writer.tables.array("facts_survey", np.isin(np.arange(len(papers)), surveys))
        return Corpus.open(writer.finish({}, {}))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("complit")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCHOLAR_ENV_HOME", str(folder / "home"))
        patch.setattr(storage, "fs_fsync", lambda fd: None)
        yield corpus_of(folder / "corpus", *PAPERS, surveys=SURVEYS)


def standard() -> Task:
    """A need that p0 meets."""
    details: dict[str, Any] = {"target": {"id": "p0", "title": "Graph walks"}, "near_miss": None, "turns": []}
    return Task("s", "Which paper finds communities by random walks on graphs?", "", ("p0",), details=details)


def unmet(clause: str = "refuted") -> Task:
    """A need that no paper meets; p1 nearly does."""
    details: dict[str, Any] = {"target": None, "near_miss": {"id": "p1", "title": ""}, "turns": []}
    return Task("u", "Runs on graphs with 40 GPUs", "", (), labels={"clause": clause}, details=details)


def cumulative() -> Task:
    """A conversation of three turns about p0."""
    turns = [{"utterance": text, "purpose": "", "constraint_ids": []} for text in TURNS]
    details: dict[str, Any] = {"target": {"id": "p0", "title": "Graph walks"}, "near_miss": None, "turns": turns}
    return Task("c", TURNS[0], "", ("p0",), details=details)


def episode(corpus: Corpus, task: Task, **options: Any) -> ComplitEpisode:
    """An episode at its start."""
    resources = open_resources(corpus, {"left_out": "surveys", "retriever": "sparse", "index_engine": "numpy"})
    return ComplitEpisode(corpus, corpus.sparse_index(engine="numpy"), task, ComplitConfig(**options), resources)


def do(running: ComplitEpisode, name: str, **arguments: Any) -> Any:
    """Makes a call and returns its outcome."""
    return running.call({"name": name, "arguments": arguments})
