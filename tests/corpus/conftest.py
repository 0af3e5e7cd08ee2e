"""Small corpora for the tests of the corpus modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.records import Paper, Section, Task
from tests.own_home import home, no_fsync

__all__ = ["home", "no_fsync"]

PAPERS = [
    Paper(
        "a1", "Graph walks", "We study random walks on graphs.", "2019-05-01", ("Ada B.", "Cé D."), ("cs.LG", "cs.SI")
    ),
    Paper("a2", "", "", "2020-01"),
    Paper("a3", "Über Netze 🔭", "naïve", "", ("X",), (), (Section("Intro", "text"), Section("", "")), ("a1", "zz")),
    Paper("a4", "1984", "Neural networks that search.", "2021-12-31", (), ("cs.IR",), (), ("a3",)),
]
TASKS = [
    Task("q1", "random walks", "2019-05", ("a1",), "one", {"n_gold": "1", "left_out": ""}),
    Task("q2", "nothing", "", (), "two", {"left_out": "the release names no gold paper"}),
]


def write_corpus(target: Path, papers: Sequence[Paper] = PAPERS, name: str = "small", replace: bool = False) -> Path:
    """Writes a corpus of a few papers and two tasks."""
    facts = {"name": name, "source": "tests", "licence": "none", "derived_from": "tests"}
    with CorpusWriter(target, **facts, replace=replace) as writer:
        for paper in papers:
            writer.add_paper(paper)
        writer.freeze_index()
        for task in TASKS:
            writer.add_task(task)
        subsets = {"all": ["q1"], "test_fast": ["q1"], "test_hard": [], "train": []}
        return writer.finish(subsets, {"test_fast": "rule", "test_hard": "rule"}, notes=["for tests"])


@pytest.fixture
def write() -> Callable[..., Path]:
    """The function :func:`write_corpus`."""
    return write_corpus


@pytest.fixture
def papers() -> list[Paper]:
    """The papers of the small corpus."""
    return list(PAPERS)


@pytest.fixture
def small(tmp_path: Path) -> Corpus:
    """An open corpus of four papers."""
    return Corpus.open(write_corpus(tmp_path / "small"))
