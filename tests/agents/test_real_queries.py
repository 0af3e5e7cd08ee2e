"""The agents on real papers and queries, through recorded runs, where the data folder is."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scholar_env.corpora.scholargym import import_release
from scholar_env.corpus import resolve_corpus
from scholar_env.metrics.ranking import mean
from scholar_env.rollout.reader import read_episodes, read_run
from scholar_env.rollout.runner import run
from scholar_env.study.summary import EpisodeSummary

DATA = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))
NOT_FOUND = 570_205
ENV_ID = "ScholarGym-All-v0"

pytestmark = pytest.mark.skipif(not (DATA / "make_paper_db.py").is_file(), reason=f"needs the data in {DATA}")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    release = tmp_path_factory.mktemp("release")
    subprocess.run([sys.executable, str(DATA / "make_paper_db.py"), str(release)], check=True, capture_output=True)
    return str(import_release(release, folder=tmp_path_factory.mktemp("corpora") / "real").path)


@pytest.fixture(scope="module")
def direct(corpus: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(ENV_ID, "direct", corpus=corpus, out=tmp_path_factory.mktemp("direct") / "run").folder


def recall(episodes: list[EpisodeSummary], source: str = "") -> float:
    return mean(item.metrics["ret_recall"] for item in episodes if source in item.source)


def test_direct_finds_what_is_published_for_these_queries(direct: Path) -> None:
    episodes = list(read_run(direct).episodes)
    assert len(episodes) == 983
    assert recall(episodes) == pytest.approx(0.469, abs=5e-4)
    assert recall(episodes, "AutoScholar") == pytest.approx(0.431, abs=5e-4)
    assert recall(episodes, "LitSearch") == pytest.approx(0.511, abs=5e-4)


def test_direct_records_the_lists_ranks_and_totals_of_rank_bm25(corpus: str, direct: Path) -> None:
    tasks = resolve_corpus(corpus).tasks()
    recorded = {found.header.task_id: found.steps[0] for found in read_episodes(direct)}
    n_compared = 0
    with gzip.open(DATA / "scholargym" / "direct_query_reference.dev.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            expected = json.loads(line)
            step = recorded[expected["qid"]]
            (page,) = step.retrieval
            assert page["ids"] == expected["top10"]
            assert page["total"] == expected["total"]
            ranks = [NOT_FOUND if rank is None else rank for rank in step.evaluation["gold_ranks"][0]]
            gold = tasks.get(expected["qid"]).gold
            assert dict(zip(gold, ranks, strict=True)) == expected["gold_ranks"]
            n_compared += 1
    assert n_compared == 492


def test_the_oracle_reaches_nearly_everything(corpus: str, tmp_path: Path) -> None:
    episodes = list(read_run(run(ENV_ID, "oracle", corpus=corpus, out=tmp_path / "run").folder).episodes)
    assert recall(episodes) >= 0.95
    assert all(item.assisted for item in episodes)


def test_feedback_beats_the_question_at_equal_results_shown(corpus: str, tmp_path: Path) -> None:
    by_agent = {}
    for agent in ("direct-paged", "feedback"):
        folder = run(ENV_ID, agent, corpus=corpus, out=tmp_path / agent, tasks=120).folder
        by_agent[agent] = list(read_run(folder).episodes)
    shown = [mean(item.metrics["n_results_shown"] for item in episodes) for episodes in by_agent.values()]
    assert shown[0] == pytest.approx(shown[1], rel=0.01)
    assert recall(by_agent["feedback"]) > recall(by_agent["direct-paged"]) + 0.05
    assert mean(item.return_ for item in by_agent["feedback"]) > mean(item.return_ for item in by_agent["direct-paged"])
