"""AISE-Bench: answer questions about papers, people, venues and institutions by planning calls over a knowledge graph.

## Description

A task is a question in Chinese or English. The agent has nine APIs over a frozen academic knowledge graph: two paper
searches with different coverage, searches of authors, venues and institutions, and the details of each. It calls them
one by one, or writes a plan whose later steps take ids from earlier ones, and then gives one answer: a text with
numbered references and the link of each. The same calls give the same results on every machine.

- AISEBench-Test-v0: the test questions, 150.
- AISEBench-All-v0: all questions, 1,133, the test questions among them.
- AISEBench-Train-v0: training questions without end, tasks ``w<world>-<n>`` over ``train_worlds`` training worlds.

On the synthetic world the questions are made of templates: four intents (papers, authors, venues, institutions), direct
facts and four kinds of understanding (comparison, examples, interpretation, summarisation), plans of two to five
steps, eight disciplines; a good part of the people share their name with another. Each question is counted out over
the world's facts, so exactly one set of entities answers it. Released questions and gold records become task sets by
``scholar-env tasks import FILE --family aise --corpus NAME``, without any personal field; the questions come without
gold, so what compares with it is undefined and pays 0.

## Observation

A dict; every value is JSON-able and built anew at each step.

- question: the question.
- api_results: results of the last step's calls: step, api, status (completed, failed, dropped, pending), params and
  result as JSON text. A result longer than ``max_result_chars`` loses the tail of its list, ``shown`` then counts what
  is left.
- steps: all steps so far: step, api, status, rely.
- results: always empty.
- budget: calls = API calls left; answer_only = 1 when none is left; the others -1 (unlimited).
- error: what was wrong with the last call, or with a step of the plan.
- feedback: as everywhere.
- turn: 0, a question has one turn.

## Actions

``{"name": str, "arguments": {…}}``; ``env.action_space.openai_tools()`` gives the schemas.

- search_paper_id(titles, keywords, years, is_sci, language, sort, author, author_id, coauthors, org, org_id, venues,
  venue_ids, size): papers of the graph's own search.
- search_paper_id_gs(query): papers of the second search.
- search_paper_detail(paper_ids): all of papers.
- search_author_id(name, org, interest, nation, order, asc, size): authors.
- search_author_detail(ids): all of authors.
- search_venue_id(name, name_search_type, category, category_source, quartile, keywords, size): venues.
- search_venue_detail(ids): all of venues.
- search_org_id(orgs, size): institutions.
- search_org_detail(ids): all of institutions.
- call_plan(steps): steps with name, rely, order, params; what can run at a time does. Parameters that depend on
  earlier steps are filled by a rule (empty ones get the ids that were found), by the agent (``filler="agent"``: the
  step waits until a later plan names it with its parameters), or by a callable of your own.
- answer(answer, reference): finish; ``reference`` maps "[1]", "[2]", … to links.
- abstain(reason): finish without an answer.

Conditions of a search must all hold; entries of a list are alternatives, but for co-authors. Names are matched as
written, in any script and with initials, else by similarity. The names of parameters that the release uses elsewhere
(author_ids, venue_ids, name for orgs, …) are understood. A bad call gives a structured error and costs no API call.

## Rewards

Weighted metrics, by default ``{"link_f1": 1}``: F1 of the answer's links against the gold's, 0 when the answer fails
the format check. ``reward_timing="incremental"`` pays what each call adds; ``"terminal"`` pays at the end.

## Starting state

Nothing called. ``reset(seed=s)`` plays place s of the task order that ``task_seed`` fixes,
``reset(options={"task_id": id})`` the task of that id.

## Episode end

Terminated: "answered", "abstained". Truncated: "budget_spent" (a second API call after the last one), "max_calls",
"infrastructure". The reason is ``info["stop_reason"]``.

## Arguments

``scholar_env.environment.registry.card(id).options`` lists them with defaults and ranges. Those of the task:
max_api_calls 10, filler "rule" (or "agent", "package.module:name"), plan_workers 1, max_result_chars 60000, compat
None ("upstream": plans run as the released executor runs them), max_calls 200, retry_delay 0.5. Shared by all
benchmarks: corpus, retriever, index_engine, tasks, subset, task_seed, task_stride, task_start, reward, reward_timing,
invalid_cost, step_cost, metrics_in_info, debug. ``split`` is frozen. AISEBench-Train-v0 alone has train_worlds 4; with
0 it has the world's own questions outside the test set.

## Metrics

In ``info["metrics"]``: link_precision, link_recall, link_f1 (gated), link_f1_ungated over canonical links, and the two
released ones over raw text; format (the paper's check) and format_release; plan_levenshtein (as released), plan_ged
(graph edit distance, exact for at most 8 steps); parameter_accuracy, fuzzy_parameter_f1 with its counts, success,
partial_completion (and partial_completion_gold, over the gold plan's length); correctness, completeness_coverage,
completeness_task, faithfulness and f1_lm by the overlap of entities and facts (no model is asked); counters, among
them n_unknown_links (of no entity) and n_unseen_links (not in any result). Formulas:
:mod:`scholar_env.metrics.aise`, :mod:`~scholar_env.metrics.aise_plans`, :mod:`~scholar_env.metrics.aise_overlap`.

## Versions

v0: first version.

## References

AISE-Bench: arXiv 2607.20498 (KDD 2026).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.card import Card, Option
from scholar_env.environment.options import MAX_CALLS, retry_delay, train_options
from scholar_env.environment.splits import Split, split_cards
from scholar_env.environment.task_source import TaskSource, own_tasks, training_tasks
from scholar_env.metrics.names import AISE_METRICS
from scholar_env.task_set import task_set_of

TOOLS = (
    "search_paper_id", "search_paper_id_gs", "search_paper_detail", "search_author_id", "search_author_detail",
    "search_venue_id", "search_venue_detail", "search_org_id", "search_org_detail", "call_plan", "answer", "abstain",
)  # fmt: skip
OBSERVATION = ("question", "api_results", "steps", "results", "budget", "error", "feedback", "turn")

OPTIONS = (
    Option("max_api_calls", "int", 10, "API calls after which only an answer is taken.", low=1, high=1000),
    Option(
        "filler", "str", "rule", "Where dependent parameters of a plan come from.", choices=("rule", "agent"),
        imports=True,
    ),
    Option("plan_workers", "int", 1, "Calls of a plan that run at a time.", low=1, high=64),
    Option("max_result_chars", "int", 60_000, "Where API results in observations are cut.", low=500, high=250_000),
    Option("compat", "str", None, "The released plan executor with its faults.", choices=("upstream",), nullable=True),
    MAX_CALLS,
    retry_delay("judge"),
)  # fmt: skip

CARDS = split_cards(
    "AISEBench",
    OPTIONS,
    partial(
        Card,
        family="aise",
        benchmark="aise_bench",
        tools=TOOLS,
        observation=OBSERVATION,
        metrics=AISE_METRICS,
        default_reward={"default": {"link_f1": 1.0}},
        references=("https://arxiv.org/abs/2607.20498",),
    ),
    (
        Split("Test", "test", 150, "Calls over an academic knowledge graph, the test questions."),
        Split("All", "all", 1133, "Calls over an academic knowledge graph, all questions."),
        Split(
            "Train",
            "train",
            None,
            "Calls over an academic knowledge graph, endless training questions.",
            train_options("the world's own questions outside its test set"),
        ),
    ),
)


def source(corpus: Corpus, split: str, options: Mapping[str, Any]) -> TaskSource | None:
    """The tasks of a split: the world's own task set, or training questions without end.

    Args:
        corpus: The corpus.
        split: ``test``, ``all`` or ``train``.
        options: Arguments of the environment.

    Raises:
        InvalidOptionError: The corpus makes no tasks of this family.
    """
    endless = training_tasks(corpus, "aise", options) if split == "train" else None
    return endless or own_tasks(corpus, "aise", split, options)


def tasks(corpus: Corpus, split: str) -> tuple[str, ...]:
    """Task ids of a split, in order.

    Args:
        corpus: The corpus.
        split: ``test``, ``all`` or ``train``.

    Raises:
        InvalidOptionError: The corpus makes no tasks of this family, or has none in that split.
    """
    return task_set_of(corpus, "aise").ids(split)
