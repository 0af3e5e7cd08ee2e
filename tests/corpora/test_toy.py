"""The toy corpus: pinned content, and the odd papers that it must hold."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scholar_env.corpora.toy import FINGERPRINT
from scholar_env.corpus import Corpus, resolve_corpus


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    before = os.environ.get("SCHOLAR_ENV_HOME")
    os.environ["SCHOLAR_ENV_HOME"] = str(tmp_path_factory.mktemp("home"))
    try:
        return resolve_corpus("toy")
    finally:
        del os.environ["SCHOLAR_ENV_HOME"]
        if before is not None:
            os.environ["SCHOLAR_ENV_HOME"] = before


def test_the_corpus_is_pinned(toy: Corpus) -> None:
    assert toy.fingerprint == FINGERPRINT == "7f5407d2d871be21a0187ad36a280f3930a3ecf261f491902857c6e444345695"
    assert (toy.n_papers, len(toy.tasks())) == (300, 40)
    assert [toy.title(row) for row in (0, 9, 299)] == [
        "Towards open-domain question answering despite answers that change over time",
        "Exoplanet detection: lessons from light curves of quiet dwarfs",
        "Rethinking drug repurposing through Gaussian processes",
    ]
    assert toy.abstract(0) == (
        "Progress in open-domain question answering has been held back by answers that change over time. We approach "
        "it with back-translation and a simple training objective. All tests use trivia questions with evidence "
        "passages, split by date to avoid leakage. The advantage holds across seeds, but it shrinks to 9 points under "
        "a fixed budget. We close with advice for practitioners."
    )
    assert toy.references(0) == ("toy:0241", "toy:0097", "toy:0277", "toy:0169")


def test_the_tasks_are_pinned(toy: Corpus) -> None:
    tasks = list(toy.tasks())
    assert [(task.question, task.gold) for task in (tasks[0], tasks[9], tasks[39])] == [
        (
            "Where did contrastive learning help with choosing rules under which bidders reveal their values or with "
            "covering several intents on one page of hits?",
            ("toy:0120", "toy:0134"),
        ),
        (
            "I am looking for work about mending faulty code without a programmer.",
            ("toy:0101", "toy:0005", "toy:0149", "toy:0053", "toy:0197", "toy:0290"),
        ),
        ("Which studies use diffusion models for retrosynthesis planning?", ("toy:0188",)),
    ]
    assert {name: len(ids) for name, ids in toy.subsets().items()} == {
        "all": 40,
        "test_fast": 20,
        "test_hard": 8,
        "train": 12,
    }
    hard = "toy-q01 toy-q03 toy-q09 toy-q21 toy-q25 toy-q26 toy-q32 toy-q34"
    assert toy.subsets()["test_hard"] == tuple(hard.split())
    assert toy.left_out() == {}


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_another_process_with_another_hash_seed_makes_the_same(tmp_path: Path, seed: str) -> None:
    code = "from scholar_env.corpus import resolve_corpus; print(resolve_corpus('toy').fingerprint)"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "SCHOLAR_ENV_HOME": str(tmp_path / seed)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == FINGERPRINT, done.stderr


def test_gold_is_in_the_corpus_and_decides_the_date(toy: Corpus) -> None:
    for task in toy.tasks():
        dates = []
        for paper_id in task.gold:
            row = toy.row_of(paper_id)
            assert row is not None
            dates.append(toy.date(row))
        assert 1 <= len(task.gold) <= 6
        assert len(set(task.gold)) == len(task.gold)
        assert all(dates)
        assert task.before == max(date[:7] for date in dates)


def test_tasks_have_every_number_of_gold_papers_and_three_sources(toy: Corpus) -> None:
    assert {len(task.gold) for task in toy.tasks()} >= {1, 2, 3, 5, 6}
    assert Counter(task.source for task in toy.tasks()) == {"toy-problem": 14, "toy-method": 10, "toy-across": 16}
    for task_id in toy.subsets()["test_hard"]:
        labels = toy.tasks().get(task_id).labels
        assert int(labels["n_gold"]) >= 2
        assert int(labels["n_categories"]) >= 2
        assert int(labels["best_rank"]) >= 1


def test_the_odd_papers_are_there(toy: Corpus) -> None:
    papers = [toy.paper(row) for row in range(300)]
    texts = Counter((paper.title, paper.abstract) for paper in papers)
    assert sum(count == 2 for count in texts.values()) == 4
    assert sum(not paper.date for paper in papers) == 9
    assert {paper.title for paper in papers if re.fullmatch(r"\d+", paper.title)} == {"1984", "451", "2048", "1729"}
    foreign = {paper.title for paper in papers if not paper.title.isascii()}
    assert len(foreign) == 6
    assert any("\u4e00" <= letter <= "\u9fff" for title in foreign for letter in title)
    assert any(ord(letter) > 0xFFFF for title in foreign for letter in title)
    assert sum(not paper.abstract for paper in papers) == 1
    assert {len(paper.date) for paper in papers} == {0, 7, 10}


def test_citations_point_back_in_time_and_full_text_names_them(toy: Corpus) -> None:
    n_citations = n_full = 0
    for row in range(300):
        paper = toy.paper(row)
        for paper_id in paper.references:
            cited = toy.row_of(paper_id)
            assert cited is not None
            assert toy.date(cited)[:7] < paper.date[:7]
            n_citations += 1
        if paper.sections:
            n_full += 1
            titles = [section.title for section in paper.sections]
            assert titles[:2] == ["Introduction", "Related Work"]
            named = re.findall(r"toy:\d{4}", paper.sections[-1].text) if titles[-1] == "References" else []
            assert tuple(named) == paper.references
    assert n_citations > 600
    assert 100 < n_full < 250


def test_every_question_but_few_can_be_answered_by_searching(toy: Corpus) -> None:
    ranks = [task.labels["best_rank"] for task in toy.tasks()]
    assert "" not in ranks
    assert sum(int(rank) < 10 for rank in ranks) >= 30
    assert sum(int(rank) > 0 for rank in ranks) >= 10


def test_the_licence_and_the_relaxed_rule_are_stated(toy: Corpus) -> None:
    assert toy.manifest.licence == "Apache-2.0 (made up for this package)"
    assert toy.manifest.notes == ("test_hard asks for a best rank of 1 or beyond, not 50",)
    assert toy.info()["official"] is False
    assert toy.info()["subset_origin"] == "rule"
