"""SciNet: find papers by their relations to others: novel, disruptive, citing, mentioned together, on a path.

## Description

A task is one of SciNetBench's five questions about a frozen corpus with its citation graph. The agent searches, reads
papers and what citing papers say of them, follows references and citers, and gives one list of papers. The same calls
give the same results on every machine.

- SciNet-Novelty-v0: the most novel papers of a field, those with the rarest pairs of references.
- SciNet-Disruption-v0: the most disruptive ones, whose citers do not cite what they build on.
- SciNet-CiteSentiment-v0: the papers that positively cite a paper.
- SciNet-CoMention-v0: the papers that are mentioned together with a paper in citation contexts.
- SciNet-Path-v0: the most influential citation path between two papers.
- SciNet-Novelty-Train-v0, SciNet-Disruption-Train-v0, SciNet-CiteSentiment-Train-v0, SciNet-CoMention-Train-v0,
  SciNet-Path-Train-v0: training tasks of the same five kinds. On the synthetic world they are endless, tasks
  ``w<world>-<n>`` over ``train_worlds`` training worlds of 5,000 papers each.

On the synthetic world the gold is computed exactly from its graph and its citation paragraphs. The 9,025 released
queries have no gold; ``scholar-env tasks import FOLDER --family scinet --corpus NAME`` makes tasks of those whose
papers an imported graph holds, with gold from that graph, and ``tasks=`` plays them.

Reading of the budget: the specification truncates at a call budget of 30. Here an answer is still taken when the 30
calls are spent, since a policy that is cut off without one learns nothing; two further calls that are no answer
truncate. One answer ends the episode.

## Observation

A dict; every value is JSON-able and built anew at each step.

- question: the question. It asks for 5 papers or states no number; up to 50 count, 10 of a path.
- results: papers of the last search: paper, title, abstract, date, score, rank, subquery (number of the search).
- citations: papers of the last list: paper, title, date, n_citers, n_references, together (citing papers that mention
  both, for co_cited), relation, of.
- contexts: what citing papers say of a paper that was read: citing, title, date, cited, text of the paragraph.
- document: what ``read`` returned, {} otherwise; of several in one step the last.
- answer: the papers of the answer that count, once it is given.
- budget: calls left; answer_only = 1 when none is left; the others -1 (unlimited).
- error: what was wrong with the last call and how a right one looks.
- feedback: remarks: how long a list is, a capped ``k``, how to read on.
- turn: 0, a question has one turn.

## Actions

``{"name": str, "arguments": {…}}``; ``env.action_space.openai_tools()`` gives the schemas.

- search(text, k, offset, before): papers by BM25 over titles and abstracts.
- read(paper, section, offset): abstract, section titles, counts and the first citation contexts, newest citing paper
  first; a section; or section "citations" for further contexts, ``offset`` of them skipped.
- references(paper, k, offset): what it cites, the most cited first.
- citers(paper, k, offset, order): who cites it, by date (newest first) or citations.
- co_cited(paper, k, offset): what is mentioned in one citation paragraph with it (in one list of references where the
  corpus knows no paragraphs), most often first.
- answer(papers): finish; best first, a path from the older to the newer paper.
- abstain(reason): finish with an empty list.

## Rewards

Weighted metrics, by default ``{"recall_paper@50": 1}`` for novelty and disruption, ``{"pair_f1": 1}`` for pairs,
``{"path_f1_inner": 1}`` for paths. These count distinct papers, take the seed of a pair task as wrong and pay nothing
for the two ends that a path question names. ``recall_paper@50`` divides by 50, so where the gold is shorter its
greatest value is below 1. What can be gamed is recorded, and refused in a reward: everything released, scores, ratings
and accuracies, which one sure paper brings, and measures that count the ends of a path. ``connectivity_chain`` pays for
the two ends where one cites the other; weigh it beside ``path_f1_inner``. ``reward_timing="incremental"`` and
``"terminal"`` both pay at the answer.

## Starting state

Nothing called. ``reset(seed=s)`` plays place s of the task order that ``task_seed`` fixes,
``reset(options={"task_id": id})`` the task of that id.

## Episode end

Terminated: "answered", "abstained". Truncated: "budget_spent", "max_calls", "infrastructure". The reason is
``info["stop_reason"]``.

## Arguments

``scholar_env.environment.registry.card(id).options`` lists them with defaults and ranges. Those of the task:
max_tool_calls 30, page_size 50, n_contexts 10, judge "truth" (or "package.module:name"), max_calls 200,
max_abstract_chars 4000, max_document_chars 8000, retry_delay 0.5. Shared by all benchmarks: corpus, retriever,
index_engine, tasks, subset, task_seed, task_stride, task_start, reward, reward_timing, invalid_cost, step_cost,
metrics_in_info, debug. ``split`` is frozen. The -Train- ids alone have train_worlds 4.

## Metrics

In ``info["metrics"]``, 0 until the answer is given; NaN where a measure leaves the answer out of its mean.

- Novelty, Disruption: recall_paper@50, recall_of_gold@50 (over min(50, gold)), sos_mean_of_pct@5 and @50 (mean
  percentile among all scored papers of the corpus), sos_mean_of_midrank@5 and @50, novelty_raw_top5 (unit reference),
  novelty_journal_top5 (unit journal), disruption_raw_top5, disruption_cd_top5 (the CD index), llm_top5 (judge),
  recall_release@50, sos_pct_of_mean (0 to 10, of this answer's mean; the release applies it to a system's).
- CiteSentiment: pair_f1, pair_precision, pair_recall, cite_acc_in, cite_acc_out, cite_acc_strict, cite_sentiment,
  cite_sentiment_given_cite, cite_sentiment_given_pdf, cite_sentiment_strict, cite_acc_release, cite_sentiment_release.
- CoMention: pair_*, comention_acc, comention_acc_strict, comention_acc_strict_min5, comention_paragraph,
  comention_paragraph_strict, comention_acc_release, comention_paragraph_release.
- Path: path_f1_inner, path_precision, path_recall, path_inner, path_jaccard, path_lcs, connectivity_chain,
  connectivity_induced, connectivity_order, connectivity_any, connectivity_expected, rationality (judge),
  path_precision_release, connectivity_release.
- All: gold_f1 (of the distinct papers that count against the gold, whatever the kind), pasa_* and litsearch_* (those
  releases' measures of the search and the answer), mean_citations (of the answer's papers), n_items, n_cut (beyond the
  limit), n_distinct, n_unknown (not in the corpus), gold_shown, n_results_shown, n_contexts, forced, n_calls,
  n_invalid.

Formulas: :mod:`scholar_env.metrics.scinet`, :mod:`~scholar_env.metrics.scinet_path`,
:mod:`~scholar_env.metrics.scinet_judged`; released ones in the modules ``scinet_release*``.

## Versions

v0: first version.

## References

SciNet: arXiv 2601.03260. Queries and released measures: github.com/PLUTO-SCY/SciNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.card import Card, Option
from scholar_env.environment.options import MAX_CALLS, all_options, reading_options, train_options
from scholar_env.environment.task_source import TaskSource, own_tasks, training_tasks
from scholar_env.metrics.names import SCINET_ANSWER, SCINET_COUNTS, SCINET_CRAWL
from scholar_env.task_set import task_set_of

RECORDED = (
    "recall_release@50", "sos_pct_of_mean", "sos_mean_of_pct@5", "sos_mean_of_pct@50", "sos_mean_of_midrank@5",
    "sos_mean_of_midrank@50", "novelty_raw_top5", "novelty_journal_top5", "disruption_raw_top5", "disruption_cd_top5",
    "llm_top5", "pair_precision", "cite_acc_in", "cite_acc_out", "cite_acc_strict", "cite_acc_release",
    "cite_sentiment", "cite_sentiment_given_cite", "cite_sentiment_given_pdf", "cite_sentiment_strict",
    "cite_sentiment_release", "comention_acc", "comention_acc_strict", "comention_acc_release", "comention_paragraph",
    "comention_paragraph_strict", "comention_paragraph_release", "path_precision", "path_recall", "path_jaccard",
    "path_lcs", "path_precision_release", "connectivity_release", "connectivity_order", "connectivity_any",
    "connectivity_expected", "rationality", "gold_f1", "litsearch_recall", "litsearch_ndcg", "pasa_precision",
)  # fmt: skip
"""What can be gamed: by what the question names, one sure paper, repetitions, or papers without a score."""

TOOLS = ("search", "read", "references", "citers", "co_cited", "answer", "abstain")
OBSERVATION = (
    "question", "results", "citations", "contexts", "document", "answer", "budget", "error", "feedback", "turn",
)  # fmt: skip

OPTIONS = (
    Option("max_tool_calls", "int", 30, "Calls after which only an answer is taken.", low=1, high=100_000),
    Option("page_size", "int", 50, "Papers of a search or list, and the most that k can ask for.", low=1, high=200),
    Option("n_contexts", "int", 10, "Citation contexts that one read shows.", low=0, high=100),
    Option("judge", "str", "truth", "Who rates where no formula does.", choices=("truth",), imports=True),
    MAX_CALLS,
    *reading_options(),
)
TRAIN_OPTIONS = train_options("the world's own tasks")
KINDS = {
    "Novelty": ("novelty", "The most novel papers of a field."),
    "Disruption": ("disruption", "The most disruptive papers of a field."),
    "CiteSentiment": ("sentiment", "The papers that positively cite a paper."),
    "CoMention": ("comention", "The papers that are mentioned together with a paper."),
    "Path": ("path", "The most influential citation path between two papers."),
}
"""Part of the id, to kind of task and summary."""

TRAIN = "train_"
"""Prefix of the splits of training tasks."""


def _card(name: str, kind: str, summary: str, *, train: bool) -> Card:
    split, further = (TRAIN + kind, TRAIN_OPTIONS) if train else (kind, ())
    return Card(
        id=f"SciNet-{name}-{'Train-' * train}v0",
        family="scinet",
        benchmark="scinet",
        split=split,
        summary=f"{summary[:-1]}, endless training tasks on worlds." if train else summary,
        n_tasks=None,
        options=all_options(split, (*OPTIONS, *further)),
        tools=TOOLS,
        observation=OBSERVATION,
        metrics=(*SCINET_ANSWER[kind], *SCINET_CRAWL, *SCINET_COUNTS),
        default_reward={"default": {SCINET_ANSWER[kind][0]: 1.0}},
        references=("https://arxiv.org/abs/2601.03260",),
        recorded_only=RECORDED,
    )


CARDS = tuple(
    _card(name, kind, summary, train=train) for train in (False, True) for name, (kind, summary) in KINDS.items()
)


def source(corpus: Corpus, split: str, options: Mapping[str, Any]) -> TaskSource | None:
    """The tasks of a split: the world's own task set, or training tasks without end.

    Args:
        corpus: The corpus.
        split: A kind, or ``train_`` and a kind.
        options: Arguments of the environment.

    Raises:
        InvalidOptionError: The corpus makes no tasks of this family.
    """
    kind = split.removeprefix(TRAIN)
    endless = training_tasks(corpus, "scinet", options, kind) if kind != split else None
    return endless or own_tasks(corpus, "scinet", kind, options)


def tasks(corpus: Corpus, split: str) -> tuple[str, ...]:
    """Task ids of a split, in order.

    Args:
        corpus: The corpus.
        split: A kind, or ``train_`` and a kind.

    Raises:
        InvalidOptionError: The corpus makes no tasks of this family, or has none in that split.
    """
    return task_set_of(corpus, "scinet").ids(split.removeprefix(TRAIN))
