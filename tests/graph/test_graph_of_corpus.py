from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env import storage
from scholar_env.corpus import Corpus, CorpusWriter, resolve_corpus
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError, InvalidOptionError
from scholar_env.graph import of_corpus
from scholar_env.graph.citation_graph import Contexts, Edges, make_graph
from scholar_env.graph.frozen import open_graph_folder, write_graph
from scholar_env.graph.of_corpus import graph_of, open_graph, units_of
from scholar_env.index.dates import UNDATED
from scholar_env.records import Paper
from scholar_env.stamp import drop_stamp

PAPERS = [
    Paper("b2", "One", "", date="2019-05-01", categories=("cs.LG", "cs.IR")),
    Paper("a9", "Two", "", date="", references=("b2", "b2", "a9", "gone", "c1")),
    Paper("c1", "Three", "", date="2020-03", references=("a9", "b2"), categories=("cs.IR",)),
    Paper("a10", "Four", "", date="2021-12"),
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(storage, "fs_fsync", lambda fd: None)
    return tmp_path / "home"


def corpus_with(
    folder: Path, arrays: Mapping[str, Any] | None = None, texts: Mapping[str, list[str]] | None = None
) -> Corpus:
    with CorpusWriter(folder, name="cited", source="tests", licence="none") as writer:
        for paper in PAPERS:
            writer.add_paper(paper)
        writer.freeze_index()
        for name, array in (arrays or {}).items():
            writer.tables.array(name, np.array(array))
        for name, values in (texts or {}).items():
            writer.tables.texts(name, values)
        writer.finish({"all": [], "test_fast": [], "test_hard": [], "train": []}, {})
    return Corpus.open(folder)


def test_references_of_the_papers_make_the_graph(tmp_path: Path) -> None:
    graph = open_graph(corpus_with(tmp_path / "cited"))
    assert [graph.references(row).tolist() for row in range(4)] == [[], [0, 2], [0, 1], []]
    assert [graph.citers(row).tolist() for row in range(4)] == [[1, 2], [2], [1], []]
    dropped = graph.dropped
    assert (dropped.self_references, dropped.duplicates, dropped.dangling) == (1, 1, 1)
    assert graph.month.tolist() == [201905, UNDATED, 202003, 202112]
    assert graph.years.tolist() == [2019, -1, 2020, 2021]
    assert graph.id_rank.tolist() == [2, 1, 3, 0]  # a10 a9 b2 c1
    assert graph.component.tolist() == [-1, 0, 0, -1]
    assert graph.mentions is None


def test_mentions_of_an_imported_corpus_come_on_top(tmp_path: Path) -> None:
    columns = {"source": [2, 3, 2], "target": [0, 1, 0], "paragraph": [4, 0, 1], "sentiment": [1, 2, 0]}
    graph = open_graph(
        corpus_with(
            tmp_path / "cited", {f"mentions_{name}": np.array(v, dtype=np.int32) for name, v in columns.items()}
        )
    )
    assert [graph.references(row).tolist() for row in range(4)] == [[], [0, 2], [0, 1], [1]]
    assert graph.mentions is not None
    assert graph.mentions.starts.tolist() == [0, 0, 0, 2, 2, 3]
    assert graph.mentions.paragraph.tolist() == [1, 4, 0]
    assert graph.mentions.sentiment.tolist() == [0, 1, 2]


def test_tables_of_another_corpus_are_refused(tmp_path: Path) -> None:
    columns = {f"mentions_{name}": [9] for name in ("source", "target", "paragraph", "sentiment")}
    with pytest.raises(CorpusFormatError, match=r"a source from 9 to 9 in a graph of 4 papers"):
        graph_of(corpus_with(tmp_path / "one", columns))
    with pytest.raises(CorpusFormatError, match=r"graph_starts \(2\) and graph_targets \(1\) of cited.*its 4 papers"):
        graph_of(corpus_with(tmp_path / "two", {"graph_starts": [0, 1], "graph_targets": [0]}))


def test_many_batches_are_looked_up_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 5000
    with CorpusWriter(tmp_path / "many", name="many", source="tests", licence="none") as writer:
        for row in range(n):
            cited = () if row < 2 else (f"p{row - 1}", f"p{row * 7919 % row}", "gone")
            writer.add_paper(Paper(f"p{row}", "A title", "", references=cited))
        writer.freeze_index()
        writer.finish({"all": [], "test_fast": [], "test_hard": [], "train": []}, {})
    corpus = Corpus.open(tmp_path / "many")
    whole = graph_of(corpus)
    monkeypatch.setattr(of_corpus, "BATCHES", 1)
    parts = graph_of(corpus)
    assert parts.keys.tolist() == whole.keys.tolist()
    expected = {(row, cited) for row in range(2, n) for cited in (row - 1, row * 7919 % row)}
    assert {divmod(key, n) for key in whole.keys.tolist()} == expected
    assert whole.dropped.dangling == n - 2


def test_a_world_keeps_its_graph_and_opens_it_again_without_reading(
    small_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHOLAR_ENV_HOME", str(small_home))
    corpus = resolve_corpus("world")
    graph = open_graph(corpus)
    tables = corpus.tables
    assert graph.n_references == len(tables.array("graph_targets"))
    rows = tables.array("graph_starts")
    for row in (3, 100, 299):
        assert graph.references(row).tolist() == sorted(
            tables.array("graph_targets")[rows[row] : rows[row + 1]].tolist()
        )
        assert [corpus.id_of(cited) for cited in graph.references(row).tolist()] == sorted(
            corpus.references(row), key=lambda paper: corpus.row_of(paper) or 0
        )
    assert graph.mentions is not None
    assert graph.dropped.dangling == graph.dropped.duplicates == graph.dropped.self_references == 0
    monkeypatch.setattr("scholar_env.graph.of_corpus.graph_of", None)  # it is not made a second time
    of_corpus.open_graph.cache_clear()
    again = open_graph(corpus)
    assert again is not graph
    assert again.keys.tolist() == graph.keys.tolist()
    assert not again.targets.flags.writeable


def test_units(tmp_path: Path, small_home: Path) -> None:
    works = corpus_with(
        tmp_path / "works", texts={"works_journals": ["Z", "", "A", "Z"], "works_topics": ["t", "u", "", "t"]}
    )
    assert units_of(works, "reference") is None
    journal, topic = units_of(works, "journal"), units_of(works, "topic")
    assert journal is not None
    assert topic is not None
    assert (journal.tolist(), topic.tolist()) == ([1, -1, 0, 1], [0, 1, -1, 0])
    plain = corpus_with(tmp_path / "plain")
    category = units_of(plain, "topic")
    assert category is not None
    assert category.tolist() == [1, -1, 0, -1]
    with pytest.raises(InvalidOptionError, match=r"unit='journal' of the corpus cited.*as far as the corpus has it"):
        units_of(plain, "journal")
    with pytest.raises(InvalidOptionError, match=r"unit='author'.*one of reference, journal, topic"):
        units_of(plain, "author")
    world = resolve_corpus("world")
    venue = units_of(world, "journal")
    assert venue is not None
    assert venue.tolist() == world.tables.array("people_paper_venue").tolist()


def folder_of(tmp_path: Path) -> Path:
    two = np.array([2, 2, 1])
    graph = make_graph(3, Edges(two, np.array([0, 1, 0])), Contexts(two, np.array([0, 1, 0]), two, np.array([0, 1, 2])))
    return write_graph(tmp_path / "graph", graph, "a" * 64)


def test_every_flipped_byte_is_found_and_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    open_graph_folder(folder, "a" * 64)
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        for place in sorted({0, len(whole) // 2, len(whole) - 1}):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises((CorpusIntegrityError, CorpusFormatError), match=path.name):
                open_graph_folder(folder, "a" * 64)
        path.write_bytes(whole)
        open_graph_folder(folder, "a" * 64)
        path.unlink()
        with pytest.raises((CorpusIntegrityError, CorpusNotFoundError), match=r"graph"):
            open_graph_folder(folder, "a" * 64)
        path.write_bytes(whole)


def test_numbers_that_are_no_addresses_are_found_whatever_the_hashes_say(tmp_path: Path) -> None:

    two = np.array([2, 2, 1])
    good = make_graph(3, Edges(two, np.array([0, 1, 0])), Contexts(two, np.array([0, 1, 0]), two, np.array([0, 1, 2])))
    assert good.mentions is not None
    mentions = good.mentions
    bad = {
        "starts": replace(good, starts=np.array([0, 2, 1, 3])),
        "targets": replace(good, targets=np.array([0, 0, 3], dtype=np.int32)),
        "sources": replace(good, sources=np.array([2, 1, 2], dtype=np.int32)),
        "citer_starts": replace(good, citer_starts=np.array([0, 2, 2, 3])),
        "month": replace(good, month=good.month[:2]),
        "mention_starts": replace(good, mentions=replace(mentions, starts=np.array([0, 1, 2, 9]))),
        "mention_sentiment": replace(good, mentions=replace(mentions, sentiment=np.array([0, 1, 7], dtype=np.int8))),
    }
    for name, graph in bad.items():
        folder = write_graph(tmp_path / name, graph, "a" * 64)
        with pytest.raises(CorpusIntegrityError, match=rf"{name}\.npy is damaged"):
            open_graph_folder(folder, "a" * 64)
        drop_stamp(folder)


def test_a_graph_of_another_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFoundError, match=rf"is of the corpus {'a' * 64}. Rule: that of {'b' * 64} is wanted"):
        open_graph_folder(folder_of(tmp_path), "b" * 64)
