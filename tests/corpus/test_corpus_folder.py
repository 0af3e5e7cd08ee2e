"""An open corpus: what it answers, and that processes and threads share it."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scholar_env.corpus import Corpus
from scholar_env.errors import CorpusFormatError, CorpusNotFoundError, InvalidOptionError, TaskNotFoundError
from scholar_env.records import Paper, Task


def test_a_corpus_answers_what_was_written(small: Corpus, papers: list[Paper]) -> None:
    assert (small.name, small.n_papers) == ("small", 4)
    assert [small.paper(row) for row in range(4)] == papers
    for row, paper in enumerate(papers):
        assert small.row_of(paper.id) == row
        assert small.id_of(row) == paper.id
        assert small.title(row) == paper.title
        assert small.abstract(row) == paper.abstract
        assert small.date(row) == paper.date
        assert small.authors(row) == paper.authors
        assert small.categories(row) == paper.categories
        assert small.sections(row) == paper.sections
        assert small.references(row) == paper.references
    assert small.row_of("a5") is None
    assert small.verify() == []


def test_tasks_keep_their_order_and_reasons(small: Corpus) -> None:
    tasks = small.tasks()
    assert tasks.ids == ("q1", "q2")
    assert len(tasks) == 2
    assert tasks.get("q1") == Task("q1", "random walks", "2019-05", ("a1",), "one", {"n_gold": "1", "left_out": ""})
    assert [task.id for task in tasks] == ["q1", "q2"]
    assert "q2" in tasks
    assert small.subsets()["all"] == ("q1",)
    assert small.left_out() == {"q2": "the release names no gold paper"}
    with pytest.raises(TaskNotFoundError, match="there is no task 'q3'"):
        tasks.get("q3")


def test_info_is_what_rollouts_carry(small: Corpus) -> None:
    assert small.info() == {
        "name": "small",
        "fingerprint": small.fingerprint,
        "official": False,
        "derived_from": "tests",
        "subset_origin": "rule",
    }


def test_the_fingerprint_is_pinned_and_depends_on_rows_only(
    tmp_path: Path, small: Corpus, write: Callable[..., Path], papers: list[Paper]
) -> None:
    assert small.fingerprint == "f5d9a372b1ffc7d60432020365e2dae570fd0ee37cb098dd60de34cd6bbab356"
    assert Corpus.open(write(tmp_path / "b", name="other")).fingerprint == small.fingerprint
    swapped = Corpus.open(write(tmp_path / "c", papers=[papers[1], papers[0], *papers[2:]]))
    assert swapped.fingerprint != small.fingerprint


def test_the_index_is_made_of_title_and_abstract(small: Corpus) -> None:
    index = small.sparse_index(engine="numpy")
    assert small.sparse_index(engine="numpy") is index
    hits = index.search("random walks", 10, gold=[0])
    assert [small.id_of(int(row)) for row in hits.rows] == ["a1"]
    assert hits.gold_ranks == (0,)
    assert index.n_documents == 4
    with pytest.raises(InvalidOptionError, match="has no index for the tokenizer 'snowball-en-v1'"):
        small.sparse_index(tokenizer="snowball-en-v1")


def test_one_object_serves_all_who_open_the_same_content(
    tmp_path: Path, small: Corpus, write: Callable[..., Path], papers: list[Paper]
) -> None:
    assert Corpus.open(small.path) is small
    assert Corpus.open(small.path / ".." / "small") is small
    assert pickle.loads(pickle.dumps(small)) is small
    assert copy.deepcopy(small) is small
    stored = pickle.dumps(small)
    write(small.path, papers=papers[:2], replace=True)
    assert Corpus.open(small.path) is not small
    assert small.title(3) == "1984"  # the old files are still mapped
    with pytest.raises(CorpusNotFoundError, match=f"the fingerprint {small.fingerprint} is wanted"):
        pickle.loads(stored)
    shutil.rmtree(small.path)
    with pytest.raises(CorpusNotFoundError, match="there is no"):
        pickle.loads(stored)


def read_all(corpus: Corpus) -> list[object]:
    """Reads through every part of a corpus; runs in other processes, too."""
    hits = corpus.sparse_index(engine="numpy").search("random walks", 3)
    return [[corpus.paper(row) for row in range(4)], list(corpus.tasks()), hits.rows.tolist(), corpus.row_of("a4")]


@pytest.mark.parametrize("method", ["spawn", *(["fork"] if sys.platform == "linux" else [])])
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_other_processes_read_the_same(small: Corpus, method: str) -> None:
    expected = read_all(small)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(read_all, [small] * 4) == [expected] * 4


def test_threads_read_the_same(tmp_path: Path, write: Callable[..., Path]) -> None:
    corpus = Corpus.open(write(tmp_path / "fresh"))
    barrier = threading.Barrier(8)

    def read(_: int) -> list[object]:
        barrier.wait()
        return read_all(corpus)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(read, range(8)))
    assert results == [read_all(corpus)] * 8


@pytest.mark.parametrize(
    ("paper", "message"),
    [
        (Paper("", "t", "a"), "the paper id '' is empty"),
        (Paper("a1", "t", "a"), "the paper id 'a1' is taken"),
        (Paper("b", "t", "a", "2020-13"), "the paper b has the date '2020-13'"),
        (Paper("b", "t", "a", "2020-1-1"), "the paper b has the date '2020-1-1'"),
        (Paper("b", "\ud800", "a"), "the paper 'b' holds a lone surrogate"),
    ],
)
def test_a_paper_that_cannot_be_stored_is_refused(
    tmp_path: Path, write: Callable[..., Path], papers: list[Paper], paper: Paper, message: str
) -> None:
    with pytest.raises(CorpusFormatError, match=message):
        write(tmp_path / "x", papers=[*papers, paper])
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_not_plain_is_refused(tmp_path: Path, write: Callable[..., Path]) -> None:
    with pytest.raises(CorpusFormatError, match=r"'\.\./x' is no plain name"):
        write(tmp_path / "x", name="../x")


def test_an_empty_corpus_opens(tmp_path: Path, write: Callable[..., Path]) -> None:
    corpus = Corpus.open(write(tmp_path / "empty", papers=[]))
    assert corpus.n_papers == 0
    assert corpus.row_of("a1") is None
    assert corpus.verify() == []
    assert corpus.sparse_index(engine="numpy").search("random", 5).total == 0


def test_what_is_loaded_late_is_of_the_corpus_that_was_opened(
    tmp_path: Path, write: Callable[..., Path], papers: list[Paper]
) -> None:
    opened = [Corpus.open(write(tmp_path / name)) for name in ("tasks", "subsets", "index", "read")]
    opened[3].tasks()
    fingerprint = opened[0].fingerprint
    for corpus in opened:
        write(corpus.path, papers[::-1], replace=True)
    late = (opened[0].tasks, opened[1].subsets, opened[2].sparse_index)
    for load in late:
        with pytest.raises(CorpusNotFoundError, match=f"the fingerprint {fingerprint} is wanted"):
            load()
    assert opened[3].title(0) == "Graph walks"
    assert len(opened[3].tasks()) == 2
    assert Corpus.open(opened[0].path).title(3) == "Graph walks"
