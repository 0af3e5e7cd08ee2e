"""Replays recorded evaluations of whole query sets: engine, tracker and averages together."""

from __future__ import annotations

import atexit
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from scholar_env.episode.scholargym.assess import Assessment, Candidate
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.index.freeze import freeze_sparse
from scholar_env.index.sparse import SparseIndex
from scholar_env.metrics.scholargym_tracker import ScholarGymTracker
from scholar_env.records import Section, Task
from scholar_env.study.scholargym_report import dropped_by_release, release_averages
from scholar_env.study.summary import EpisodeSummary
from scholar_env.text import scholargym_text

SET = "scholargym_evalagg"

CORPUS_FILES = "scholargym_workflow.*.json"
"""The files that hold the corpus of this set, looked for beside the replayed file and in the default folder."""

DEFAULT_FOLDER = Path(__file__).resolve().parent.parent / "data" / "oracles"
EMPTY_PLAN = {"subqueries": [], "checklist": "", "experience_replay": "", "is_complete": False}

_folder = tempfile.TemporaryDirectory(prefix="scholar-env-evalagg-")
atexit.register(_folder.cleanup)
_opened: dict[str, tuple[RecordedCorpus, SparseIndex]] = {}


class RecordedCorpus:
    """The papers of an oracle file in their order, as far as an episode reads them."""

    def __init__(self, papers: Mapping[str, Sequence[str]]) -> None:
        self._ids = list(papers)
        self._papers = list(papers.values())
        self._rows = {paper: row for row, paper in enumerate(self._ids)}

    @property
    def fingerprint(self) -> str:
        return "recorded"

    def row_of(self, paper_id: str) -> int | None:
        return self._rows.get(paper_id)

    def id_of(self, row: int) -> str:
        return self._ids[row]

    def title(self, row: int) -> str:
        return self._papers[row][0]

    def abstract(self, row: int) -> str:
        return self._papers[row][1]

    def date(self, row: int) -> str:
        return self._papers[row][2] or ""

    def authors(self, row: int) -> tuple[str, ...]:
        return ()

    def sections(self, row: int) -> tuple[Section, ...]:
        return ()


class AcceptList:
    """The recorded selector: keeps every paper of a page whose id is on a list."""

    def __init__(self, accepted: Sequence[str]) -> None:
        self._accepted = frozenset(accepted)

    def __call__(self, question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
        return Assessment(tuple(candidate.id for candidate in page if candidate.id in self._accepted))


def recorded_corpus(folder: Path) -> tuple[RecordedCorpus, SparseIndex]:
    """The corpus of the set and its index, built once."""
    files = sorted(folder.glob(CORPUS_FILES)) or sorted(DEFAULT_FOLDER.glob(CORPUS_FILES))
    assert files, f"no {CORPUS_FILES} in {folder} or {DEFAULT_FOLDER}: the corpus of this set is missing"
    papers = json.loads(files[0].read_text(encoding="utf-8"))["about"]["corpus"]
    key = json.dumps(papers)
    if key not in _opened:
        texts = [scholargym_text(title, text) if title or text else None for title, text, _ in papers.values()]
        path = Path(_folder.name) / str(len(_opened))
        freeze_sparse(path, texts, [date or "" for *_, date in papers.values()])
        _opened[key] = (RecordedCorpus(papers), SparseIndex.open(path))
    return _opened[key]


def run_query(query: Mapping[str, Any], horizon: int, folder: Path) -> tuple[EpisodeSummary, list[list[str]]]:
    """Runs a query's recorded plans under ``compat="upstream"``.

    Returns:
        The episode, and per closed iteration the gold papers that were retrieved and not selected in it.
    """
    row = query["row"]
    task = Task(row["query"], row["query"], row["date"] or "", tuple(row["gt"]))
    corpus, index = recorded_corpus(folder)
    config = EpisodeConfig(assessor="lexical", compat="upstream", max_iterations=horizon)
    episode = Episode(corpus, index, task, config, assessor=AcceptList(query["accept"]))
    tracker = ScholarGymTracker(task.gold, cutoff=config.cutoff)
    plans: Iterator[Any] = chain(query["plans"], repeat(EMPTY_PLAN))
    while task.gold and not episode.stop_reason:  # the release skips a query without gold before it starts
        outcome = episode.call({"name": "plan", "arguments": next(plans)})
        assert not outcome.invalid, outcome.error
        tracker.update(episode)
    missed = [
        sorted(
            {paper for page in iteration.pages for paper in page.papers if paper in task.gold}
            - {paper for papers in iteration.selected.values() for paper in papers}
        )
        for iteration in episode.trace.iterations
        if iteration.closed
    ]
    summary = EpisodeSummary(
        task_id=task.id,
        source="",
        labels={},
        n_gold=len(task.gold),
        metrics=tracker.update(episode),
        rows=tracker.rows,
        return_=0.0,
        stop_reason=episode.stop_reason,
        failure_kind=episode.failure_kind,
        assisted=False,
        corpus={"fingerprint": corpus.fingerprint},
        env_id="",
        agent="recorded",
        config_hash="",
    )
    return summary, missed


def released_rows(summary: EpisodeSummary, missed: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The rows of an episode under the released names, counts as integers."""
    rows: list[dict[str, Any]] = []
    for row, papers in zip(summary.rows, missed, strict=True):
        n_discarded = round(row["n_discarded_gt"])
        rows.append(
            {
                "iter_idx": round(row["iteration"]),
                "iter_retrieved_not_selected_gt": list(papers),
                "missed_gt_ratio": row["missed_gt_ratio"],
                "recall": row["recall"],
                "precision": row["precision"],
                "matches": round(row["recall"] * summary.n_gold),
                "selected_count": round(row["n_selected"]),
                "retrieval_recall": row["ret_recall"],
                "retrieval_precision": row["ret_precision"],
                "retrieval_matches": round(row["ret_recall"] * summary.n_gold),
                "retrieved_count": round(row["n_retrieved"]),
                "iter_discarded_gt_count": n_discarded,
                "total_discarded_gt_count": n_discarded + (rows[-1]["total_discarded_gt_count"] if rows else 0),
                "avg_distance": row["avg_distance_iter"],
            }
        )
    return rows


def evaluate_benchmark(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """The released evaluation of a query set."""
    ran = [run_query(query, inputs["T"], context["folder"]) for query in inputs["queries"]]
    kept = [(summary, missed) for summary, missed in ran if not dropped_by_release(summary)]
    return {
        "successful": len(kept),
        "total": len(ran),
        "avg": release_averages([summary.rows for summary, _ in kept], inputs["T"]),
        "per_query": [
            {"query": summary.task_id, "iterations": released_rows(summary, missed)} for summary, missed in kept
        ],
    }


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = {"evaluate_benchmark": evaluate_benchmark}
