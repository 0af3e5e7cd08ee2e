"""The importer on real papers and queries, where the data folder is."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scholar_env.corpora.scholargym import import_release
from scholar_env.corpora.scholargym_files import ReleaseFiles
from scholar_env.corpus import Corpus

DATA = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))

pytestmark = pytest.mark.skipif(not (DATA / "make_paper_db.py").is_file(), reason=f"needs the data in {DATA}")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    command = [sys.executable, str(DATA / "make_paper_db.py"), str(folder)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    return folder


@pytest.fixture(scope="module")
def corpus(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus.open(import_release(release, folder=tmp_path_factory.mktemp("corpora") / "real", strict=True).path)


def test_every_paper_and_covered_query_is_there(corpus: Corpus) -> None:
    assert corpus.n_papers == 99_419
    assert len(corpus.tasks()) == len(corpus.subsets()["all"]) == 983
    assert Counter(task.source for task in corpus.tasks()) == {"PASA_AutoScholar": 515, "LitSearch": 468}
    assert corpus.left_out() == {}
    assert len(corpus.subsets()["test_fast"]) == 200
    assert Counter(corpus.tasks().get(i).source for i in corpus.subsets()["test_fast"]) == {
        "PASA_AutoScholar": 104,
        "LitSearch": 96,
    }


def test_direct_queries_rank_as_rank_bm25_does(corpus: Corpus) -> None:
    index = corpus.sparse_index(engine="numpy")
    n_compared = 0
    with gzip.open(DATA / "scholargym" / "direct_query_reference.dev.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            expected = json.loads(line)
            task = corpus.tasks().get(expected["qid"])
            gold = [row for row in map(corpus.row_of, task.gold) if row is not None]
            hits = index.search(task.question, 10, before=task.before, gold=gold)
            assert [corpus.id_of(int(row)) for row in hits.rows] == expected["top10"]
            assert hits.scores.tolist() == expected["scores"]
            ranks = [570_205 if rank is None else rank for rank in hits.gold_ranks]
            assert dict(zip(task.gold, ranks, strict=True)) == expected["gold_ranks"]
            assert hits.total == expected["total"]
            n_compared += 1
    assert n_compared == 492


def test_the_whole_query_file_is_read_as_released(tmp_path: Path) -> None:
    (tmp_path / "scholargym_paper_db.json").write_text("{}")
    (tmp_path / "scholargym_bench.jsonl").write_bytes((DATA / "scholargym" / "scholargym_bench.jsonl").read_bytes())
    files = ReleaseFiles(tmp_path, True, lambda stage, done, total: None)
    tasks = files.queries()
    assert len(tasks) == 2536
    assert sum(not task.gold for task in tasks) == 78
    assert Counter(task.source for task in tasks) == {
        "PASA_AutoScholar": 2000, "LitSearch": 486, "PASA_RealScholar": 50
    }  # fmt: skip
    assert len({paper_id for task in tasks for paper_id in task.gold}) == 4498
    assert sum(len(task.gold) for task in tasks) == 5836 - files.n_repeated
    assert max(len(task.gold) for task in tasks) == 62
    assert [task.id for task in (tasks[0], tasks[9], tasks[-1])] == [
        "AutoScholarQuery_test_0", "AutoScholarQuery_test_9", "LitSearch_596"
    ]  # fmt: skip
