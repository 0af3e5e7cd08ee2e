"""Names of the metrics, family by family: the keys that trackers give and that cards tell, in their order.

A module of its own so that cards know them without the measures. Formulas are in the modules of the measures.
"""

from __future__ import annotations

from typing import Final

from scholar_env.metrics.pasa import CUTOFFS
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT

SCHOLARGYM_METRICS: Final[tuple[str, ...]] = (
    "ret_recall", "ret_precision", "ret_f1", "recall", "precision", "f1",
    "avg_distance_iter", "avg_distance_best", "avg_distance_mean_iters",
    "gt_discard_of_discarded", "gt_discard_of_retrieved_gt", "gt_discard_iter",
    "missed_gt_ratio", "missed_gt_ratio_macro",
    "n_results_shown", "n_retrieved", "n_selected", "n_calls", "n_invalid", "n_unseen", "n_iterations", "n_subqueries",
)  # fmt: skip
"""Formulas in :mod:`scholar_env.metrics.scholargym`."""

COMPLIT_METRICS: Final[tuple[str, ...]] = (
    "accuracy", "accuracy_unforced", "answered", "abstained", "another", "forced", "conflict",
    "unmet_accuracy", "false_abstention", "near_miss", "other", "abstain_refuted", "abstain_silent",
    "retrieved", "read", "near_miss_read", "best_rank", "committed", "ever_another", "escaped", "recovered",
    "n_answer_changes", "n_turns", "n_tool_calls", "n_calls", "n_invalid", "n_results_shown", "n_characters",
    "n_searches", "n_greps", "n_reads",
)  # fmt: skip
"""What is undefined is NaN at the end, and 0.0 until then.

Of the verdict, all 0.0 before it is given: ``accuracy`` (right), ``accuracy_unforced`` (right and within the budget),
``answered`` (names a paper), ``abstained``, ``another`` (names a paper that is not the target), ``forced``,
``conflict`` (id and title are of two papers). Undefined for needs with a target: ``unmet_accuracy`` (abstained),
``near_miss``, ``other`` (what was named instead), ``abstain_refuted`` and ``abstain_silent`` (abstained, for needs of
that clause status alone). Undefined for needs without one: ``false_abstention``, ``retrieved``, ``read`` (the target
was listed, opened; read implies retrieved), ``best_rank`` (its best 1-based rank in a search, undefined without one).
``near_miss_read`` is undefined where no near-miss is known. Of the answers turn by turn: ``committed`` (the current
answer is the target), ``ever_another``, ``escaped``, ``recovered``
(:class:`scholar_env.metrics.dynamics.TurnCurves`), ``n_answer_changes``. The rest are counters; ``n_tool_calls`` is
what is spent of the budget, ``n_characters`` what was shown of papers."""

AISE_METRICS: Final[tuple[str, ...]] = (
    "link_f1", "link_f1_ungated", "link_precision", "link_recall", "link_precision_release", "link_recall_release",
    "format", "format_release", "plan_levenshtein", "plan_ged", "plan_ged_exact", "parameter_accuracy", "success",
    "partial_completion", "partial_completion_gold", "fuzzy_parameter_f1", "fuzzy_matched", "fuzzy_predicted",
    "fuzzy_gold", "correctness", "completeness_coverage", "completeness_task", "faithfulness", "f1_lm",
    "n_links", "n_unknown_links", "n_unseen_links", "n_steps", "n_failed_steps", "n_dropped_steps", "n_api_calls",
    "n_results_shown", "n_calls", "n_invalid", "forced",
)  # fmt: skip
"""Formulas in the modules aise, aise_plans, aise_overlap and aise_release of :mod:`scholar_env.metrics`."""

_EGO: Final = (
    "recall_paper@50", "recall_of_gold@50", "sos_mean_of_pct@5", "sos_mean_of_pct@50", "sos_mean_of_midrank@5",
    "sos_mean_of_midrank@50", "llm_top5", "recall_release@50", "sos_pct_of_mean",
)  # fmt: skip
_PAIR: Final = ("pair_f1", "pair_precision", "pair_recall")

SCINET_ANSWER: Final[dict[str, tuple[str, ...]]] = {
    kind: (*names, "gold_f1", "mean_citations")
    for kind, names in {
        NOVELTY: (*_EGO, "novelty_raw_top5", "novelty_journal_top5"),
        DISRUPTION: (*_EGO, "disruption_raw_top5", "disruption_cd_top5"),
        SENTIMENT: (
            *_PAIR, "cite_acc_in", "cite_acc_out", "cite_acc_strict", "cite_sentiment", "cite_sentiment_given_cite",
            "cite_sentiment_given_pdf", "cite_sentiment_strict", "cite_acc_release", "cite_sentiment_release",
        ),
        COMENTION: (
            *_PAIR, "comention_acc", "comention_acc_strict", "comention_acc_strict_min5", "comention_paragraph",
            "comention_paragraph_strict", "comention_acc_release", "comention_paragraph_release",
        ),
        PATH: (
            "path_f1_inner", "path_precision", "path_recall", "path_inner", "path_jaccard", "path_lcs",
            "connectivity_chain", "connectivity_induced", "connectivity_order", "connectivity_any",
            "connectivity_expected", "rationality", "path_precision_release", "connectivity_release",
        ),
    }.items()
}  # fmt: skip
"""Measures of an answer, by kind of task (:mod:`scholar_env.metrics.scinet_answer`); the first one is the reward."""

SCINET_CRAWL: Final[tuple[str, ...]] = (
    "pasa_crawler_recall", "pasa_precision", "pasa_recall", *(f"pasa_recall@{cutoff}" for cutoff in CUTOFFS),
    "pasa_actions", "pasa_score", "litsearch_recall", "litsearch_ndcg",
)  # fmt: skip
"""PaSa's and LitSearch's measures of an episode (:mod:`scholar_env.metrics.scinet_crawl`)."""

SCINET_COUNTS: Final[tuple[str, ...]] = (
    "n_items", "n_cut", "n_distinct", "n_unknown", "gold_shown", "n_results_shown", "n_contexts", "forced", "n_calls",
    "n_invalid",
)  # fmt: skip
"""Counters of every kind of task; ``gold_shown`` is the share of the gold papers that searches and lists have shown."""

SCINET_METRICS: Final[tuple[str, ...]] = (
    *dict.fromkeys(name for names in SCINET_ANSWER.values() for name in names),
    *SCINET_CRAWL,
    *SCINET_COUNTS,
)
"""What every tracker gives; those of other kinds of tasks are NaN."""
