"""Replays recorded runs of the released research loop: through the episode engine, and again through the environment.

A case scripts planner, selector and browser. Here the plans are the calls of an agent and the selector is a named
assessor; pages, ranks, selections and the end come from ``compat="upstream"``, the figures from the released measures.
Both ways must give the same history, which the driver compares with the recorded one.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import gymnasium

from scholar_env.corpus import Corpus, CorpusWriter
from scholar_env.episode.scholargym.assess import Assessment, Candidate
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.engine import Episode
from scholar_env.episode.scholargym.trace import IterationTrace
from scholar_env.episode.scholargym.upstream import UpstreamCrashError
from scholar_env.episode.trace import Page
from scholar_env.metrics.scholargym_release import (
    TOTAL_PAPER_NUM,
    calculate_gt_rank_and_distance,
    calculate_iteration_metrics,
    calculate_subquery_metrics,
)
from scholar_env.records import Paper, Task
from scholar_env.text import scholargym_tokens

SET = "scholargym_workflow"

_folder = tempfile.TemporaryDirectory(prefix="scholar-env-workflow-")
atexit.register(_folder.cleanup)
_script: dict[str, Any] = {}


class Steps(Protocol):
    """What drives a run: takes one action, says whether the episode is over."""

    def __call__(self, action: dict[str, Any]) -> bool: ...


def scripted_assessor(question: str, subquery: str, checklist: str, page: Sequence[Candidate]) -> Assessment:
    """Answers as the recorded selector did: by the case's lists of ids, told apart by whether something was browsed."""
    browsing = _script["browser_mode"] in ("REFRESH", "INCREMENTAL")
    again = browsing and any(candidate.summary for candidate in page)
    kept = _script["accept_after_browse" if again else "accept"]
    goals = {} if again or not browsing else dict.fromkeys(_script["to_browse"], "look closer")
    return Assessment(tuple(kept), goals, "")


@dataclass(frozen=True)
class Case:
    """A recorded run, set up: the corpus of the file with the case's question as its only task."""

    corpus: Corpus
    task: Task
    options: dict[str, Any]
    plans: list[dict[str, Any]]


def set_up(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> Case:
    task = Task("case", inputs["query"], inputs["date"] or "", tuple(dict.fromkeys(inputs["gt"])))
    options = {
        "assessor": f"{__name__}:scripted_assessor",
        "browser_mode": inputs["browser_mode"],
        "compat": "upstream",
        "max_iterations": inputs["T"],
    }
    return Case(build_corpus(context["corpus"], task), task, options, list(inputs["plans"]))


def build_corpus(papers: Mapping[str, Sequence[str | None]], task: Task) -> Corpus:
    key = hashlib.sha256(json.dumps([papers, task.question, task.before, task.gold]).encode()).hexdigest()[:16]
    target = Path(_folder.name) / key
    if not target.is_dir():
        with CorpusWriter(target, name="oracle", source="an oracle file", licence="Apache-2.0") as writer:
            for paper, (title, abstract, date) in papers.items():
                writer.add_paper(Paper(paper, title or "", abstract or "", date or ""))
            writer.add_task(task)
            subsets = {name: [task.id] for name in ("all", "test_fast", "test_hard", "train")}
            writer.finish(subsets, dict.fromkeys(subsets, "oracle"))
    return Corpus.open(target)


def run_plans(plans: Sequence[dict[str, Any]], step: Steps) -> None:
    """Plays the scripted planner, one plan an iteration; when it has nothing more to say it gives the empty reply."""
    for plan in [*plans, {"subqueries": []}]:
        if step({"name": "plan", "arguments": plan}):
            return


def by_engine(case: Case) -> Episode:
    config = EpisodeConfig(**case.options)
    episode = Episode(case.corpus, case.corpus.sparse_index(), case.task, config)
    run_plans(case.plans, lambda action: episode.call(action).ended)
    return episode


def by_environment(case: Case) -> Episode:
    """The same through ``gym.make(...).step``; returns the environment's own episode."""
    env = gymnasium.make("scholar_env:ScholarGym-All-v0", corpus=str(case.corpus.path), subset=["case"], **case.options)
    env.reset(seed=0, options={"task_id": case.task.id})

    def step(action: dict[str, Any]) -> bool:
        _, _, terminated, truncated, _ = env.step(action)
        return terminated or truncated

    run_plans(case.plans, step)
    episode = env.get_wrapper_attr("episode")
    assert isinstance(episode, Episode)
    env.close()
    return episode


def history_of(episode: Episode) -> dict[str, Any] | None:
    """Writes an episode down as the released loop does; None for a query that it drops.

    Raises:
        UpstreamCrashError: The released loop would have died.
    """
    crash = episode.state.crash
    if crash is not None:
        raise UpstreamCrashError(crash.kind, crash.message)
    if episode.stop_reason == "failed":
        return None
    history: list[dict[str, Any]] = []
    best: dict[str, int] = {}
    chosen: set[str] = set()
    texts: set[str] = set()
    for iteration in episode.trace.iterations:
        if iteration.plan is not None:
            history.append({"stage": "plan", "iter_idx": iteration.index, **iteration.plan})
        if iteration.closed:
            chosen.update(paper for papers in iteration.selected.values() for paper in papers)
            texts.update(episode.tree[page.subquery].text for page in iteration.pages)
            history.append(selection_of(episode, iteration, chosen, best))
    return {"history": history, "final_selected": sorted(episode.selected), "executed_queries": sorted(texts)}


def selection_of(episode: Episode, iteration: IterationTrace, chosen: set[str], best: dict[str, int]) -> dict[str, Any]:
    gold = sorted(episode.task.gold)
    pages = {page.subquery: page for page in iteration.pages}
    selected = {number: sorted(iteration.selected[number]) for number in pages}
    distance = calculate_gt_rank_and_distance(
        {number: episode.tree[number].text for number in pages},
        {number: ranks_of(episode, page) for number, page in pages.items()},
        gold,
        chosen,
        best,
        cutoff=episode.config.cutoff,
        compat="upstream",
    )
    best.update(distance["updated_selected_min_rank_tracker"])
    results = {
        number: {"retrieved_arxiv_ids": page.papers, "selected_arxiv_ids": selected[number]}
        for number, page in pages.items()
    }
    return {
        "stage": "select",
        "iter_idx": iteration.index,
        "browsing_arxiv_ids": sorted(iteration.browsed),
        "retrieved_papers": {number: list(page.papers) for number, page in pages.items()},
        "selected_papers": selected,
        "gt_rank": distance["gt_rank"],
        "avg_distance": distance["avg_distance"],
        "subquery_metrics": {
            number: calculate_subquery_metrics(page.papers, selected[number], gold) for number, page in pages.items()
        },
        "iteration_metrics": calculate_iteration_metrics(results, gold),
    }


def ranks_of(episode: Episode, page: Page) -> dict[str, dict[str, int]]:
    """The released rank dictionary of a page: every gold paper, with the corpus size as the rank of what was not found
    and the last rank of the list (0 for an empty one) beside it; nothing at all for a query without tokens."""
    if not scholargym_tokens(episode.tree[page.subquery].text):
        return {}
    return {
        paper: {"rank": TOTAL_PAPER_NUM if rank is None else rank, "total": max(page.total - 1, 0)}
        for paper, rank in zip(episode.task.gold, page.gold_ranks, strict=True)
    }


def replay_run(inputs: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any] | None:
    _script.clear()
    _script.update(inputs)
    case = set_up(inputs, context)
    values = [outcome_of(run, case) for run in (by_engine, by_environment)]
    assert repr(values[0]) == repr(values[1]), "engine and environment disagree"
    if isinstance(values[0], UpstreamCrashError):
        raise values[0]
    return values[0]


def outcome_of(run: Callable[[Case], Episode], case: Case) -> dict[str, Any] | UpstreamCrashError | None:
    try:
        return history_of(run(case))
    except UpstreamCrashError as crash:
        return crash


REPLAY: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Any]] = {
    f"workflow_{mode}": replay_run for mode in ("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH")
}
