"""ScholarGym: find the papers that a research question asks for, by growing a tree of subqueries.

## Description

A task is a research question with a newest admissible month. The agent searches a frozen corpus of papers with BM25,
derives, expands and continues subqueries, and keeps the papers that answer the question. Retrieval is exact and
deterministic: the same calls give the same results on every machine. An episode runs in iterations: plan subqueries,
retrieve a page for each, assess what came, go on. It can be played call by call or a whole iteration at a time with
``plan``; the same calls give the same retrieved papers either way.

- ScholarGym-TestFast-v0: the fast test split.
- ScholarGym-TestHard-v0: the hard test split, several gold papers in several fields that the question does not find.
- ScholarGym-All-v0: every query whose gold papers are all in the corpus.
- ScholarGym-Train-v0: all but the test splits and the queries that share a gold paper with them. On the synthetic
  world it is endless: tasks ``w<world>-<n>`` over ``train_worlds`` training worlds of 5,000 papers each, which hold
  no wording that test worlds keep for themselves. They are built when the environment is made, and
  ``info["corpus"]`` names the one of the task.

The release that this package follows holds no lists of the two test splits; a corpus states under
``info["corpus"]["subset_origin"]`` where its lists come from, and ``subset`` takes your own.

## Observation

A dict; every value is JSON-able and built anew at each step.

- question: the research question.
- before: newest admissible month ``YYYY-MM``, "" for none.
- results: pages of the last step in order: paper, title, abstract, date, score (6 digits), rank (0-based, in the ranked
  list without excluded papers), subquery.
- tree: subqueries in order: id, parent (0 = the question), link, text, iteration, requested, retrieved, selected,
  pages, overview.
- selected: ids of the selected papers.
- memory: checklist, experience; with ``memory=False`` history, the raw plans, takes the place of experience.
- document: what ``read`` or ``browse`` returned, {} otherwise; of several in one step the last.
- budget: iterations, calls, results, characters left (-1 = unlimited), answer_only.
- error: what was wrong with the last call and how a right one looks.
- feedback: remarks on a call that ran: a capped ``k``, ids that were passed over.
- turn: 0, a search task has one turn.

## Actions

``{"name": str, "arguments": {…}}``; ``env.action_space.openai_tools()`` gives the schemas.

- derive(source, text, k): a narrower subquery of a subquery or of the question (0).
- expand(source, text, k): a sideways one.
- continue(source, k): the next page of a subquery.
- search(text, k, offset, before): a plain search, under a tighter date bound if wanted.
- plan(subqueries, checklist, experience, complete): a whole iteration; [] or complete=true ends the episode.
- select(subquery, papers, overview): keep papers of the open iteration (agent assessor); a later one for the same
  subquery replaces it (merges under INCREMENTAL).
- browse(paper, goal): a summary of the full text (agent assessor, browsing modes).
- next_iteration(): close the iteration; what is not selected counts as discarded.
- read(paper, section, offset): abstract and section titles, or a section.
- answer(papers): finish with the selected papers, or with the given retrieved ones.
- abstain(reason): finish with the empty answer.

Searches know words of the letters a to z only: a word with a digit or another letter in it (``resnet50``) finds
nothing, as in the released index.

## Rewards

Weighted metrics, by default ``{"f1": 1}`` when the agent selects and ``{"ret_recall": 1}`` under a fixed assessor.
``reward_timing="incremental"`` pays what each call adds, so the undiscounted return is the final metric;
``"terminal"`` pays it at the end. Costs are apart in ``info["reward_terms"]``.

## Starting state

An empty tree, nothing selected. ``reset(seed=s)`` plays place s of the task order that ``task_seed`` fixes,
``reset(options={"task_id": id})`` the task of that id.

## Episode end

Terminated: "converged" (an iteration without subqueries), "complete", "answered", "abstained", "max_iterations";
"failed" (an empty plan under ``on_empty_plan="fail"``) and "upstream_crash" (``compat="upstream"``). Truncated:
"max_calls" and "infrastructure". The reason is ``info["stop_reason"]``.

## Arguments

``scholar_env.environment.registry.card(id).options`` lists them with defaults and ranges. Those of the task:
max_iterations 5, page_size 10, max_pages 3, max_subqueries 6, max_calls 200, assessor "agent" (or "oracle", "lexical",
"package.module:name"), browser_mode "NONE", browser "extractive", memory True, on_empty_plan "finish", compat None,
max_abstract_chars 4000, max_document_chars 8000, retry_delay 0.5. Shared by all benchmarks: corpus, retriever,
index_engine, tasks, subset, task_seed, task_stride, task_start, reward, reward_timing, invalid_cost, step_cost,
metrics_in_info, debug. ``split`` and ``cutoff`` are frozen. ScholarGym-Train-v0 alone has train_worlds 4.

## Metrics

In ``info["metrics"]``: ret_recall, ret_precision, ret_f1 (of what was retrieved), recall, precision, f1 (of what is
selected), avg_distance_* (how high the gold papers rank), gt_discard_* and missed_gt_ratio* (gold papers shown but not
kept), and counters. Formulas: :mod:`scholar_env.metrics.scholargym`. Compare agents at equal ``n_results_shown``.

## Versions

v0: first version.

## References

ScholarGym: arXiv 2601.21654. Queries: PaSa (AutoScholarQuery, RealScholarQuery) and LitSearch.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.card import Card, Option
from scholar_env.environment.options import MAX_CALLS, reading_options, train_options
from scholar_env.environment.splits import Split, split_cards
from scholar_env.environment.task_source import TaskSource, training_tasks
from scholar_env.errors import InvalidOptionError
from scholar_env.metrics.names import SCHOLARGYM_METRICS

TOOLS = (
    "derive", "expand", "continue", "plan", "select", "browse", "next_iteration", "search", "read", "answer", "abstain",
)  # fmt: skip
OBSERVATION = (
    "question", "before", "results", "tree", "selected", "memory", "document", "budget", "error", "feedback", "turn",
)  # fmt: skip
ASSESSORS = ("agent", "oracle", "lexical")

OPTIONS = (
    Option("max_iterations", "int", 5, "T: iterations after which the episode ends.", low=1, high=1000),
    Option("page_size", "int", 10, "Results on a page, and the most that k can ask for.", low=1, high=100),
    Option("max_pages", "int", 3, "Pages of one subquery.", low=1, high=1000),
    Option("max_subqueries", "int", 6, "Pages of one iteration.", low=1, high=1000),
    MAX_CALLS,
    Option("assessor", "str", "agent", "Who selects: the agent, or a fixed one.", choices=ASSESSORS, imports=True),
    Option(
        "browser_mode", "str", "NONE", "Abstracts only, or one of the ways to read full texts.",
        choices=("NONE", "REFRESH", "INCREMENTAL", "PRE_ENRICH"),
    ),
    Option("browser", "str", "extractive", "Who reads them.", choices=("extractive",), imports=True),
    Option("memory", "bool", True, "Whether experience is kept (False: the ablation with raw history)."),
    Option("on_empty_plan", "str", "finish", "What an empty plan means.", choices=("finish", "fail")),
    Option("compat", "str", None, "The released workflow with its faults.", choices=("upstream",), nullable=True),
    *reading_options(),
    Option("cutoff", "int", 100, "c of the distance metrics.", frozen=True),
)  # fmt: skip


CARDS = split_cards(
    "ScholarGym",
    OPTIONS,
    partial(
        Card,
        family="scholargym",
        benchmark="scholargym",
        tools=TOOLS,
        observation=OBSERVATION,
        metrics=SCHOLARGYM_METRICS,
        default_reward={"agent": {"f1": 1.0}, "fixed": {"ret_recall": 1.0}},
        references=("https://arxiv.org/abs/2601.21654",),
        default_corpora=("scholargym",),
    ),
    (
        Split("TestFast", "test_fast", 200, "Literature search, the fast test split."),
        Split("TestHard", "test_hard", 100, "Literature search, queries that the question alone does not solve."),
        Split("All", "all", None, "Literature search, every query whose gold papers are in the corpus."),
        Split(
            "Train",
            "train",
            None,
            "Literature search, disjoint from the tests; endless on worlds.",
            train_options("the world's own training split"),
        ),
    ),
)


def source(corpus: Corpus, split: str, options: Mapping[str, Any]) -> TaskSource | None:
    """The endless training tasks of generated worlds; None for tasks that lie in the corpus.

    Args:
        corpus: The corpus.
        split: The split; only ``train`` is endless anywhere.
        options: Arguments of the environment.
    """
    return training_tasks(corpus, "scholargym", options) if split == "train" else None


def tasks(corpus: Corpus, split: str) -> tuple[str, ...]:
    """Task ids of a split, in the order of the release.

    Args:
        corpus: The corpus.
        split: ``test_fast``, ``test_hard``, ``all`` or ``train``.

    Raises:
        InvalidOptionError: The corpus has no tasks in that split.
    """
    found = corpus.subsets().get(split, ())
    if not found:
        raise InvalidOptionError(
            f"The corpus {corpus.name} has no tasks in the split {split!r}",
            f"it has {', '.join(f'{name} ({len(ids)})' for name, ids in corpus.subsets().items()) or 'none'}",
            "take an id with another split, another corpus, or your own list as subset",
        )
    return found
