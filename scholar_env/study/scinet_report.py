"""What reports on SciNet show: the measures of a kind, the released numbers apart, those of PaSa and LitSearch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from scholar_env.study.family_report import FamilyReport
from scholar_env.study.tables import Table, number

if TYPE_CHECKING:
    from scholar_env.study.report import Report

RELEASED: Final = (
    ("recall@50", "recall_release@50"),
    ("raw novelty", "novelty_raw_top5"),
    ("raw disruption", "disruption_raw_top5"),
    ("SoS 0-10", "sos_pct_of_mean"),
    ("LLM top 5", "llm_top5"),
    ("Cite-Acc", "cite_acc_release"),
    ("Cite-Sentiment", "cite_sentiment_release"),
    ("CoMention-Acc", "comention_acc_release"),
    ("CoMention-Par", "comention_paragraph_release"),
    ("Consistency", "path_precision_release"),
    ("Connectivity", "connectivity_release"),
    ("Rationality", "rationality"),
)
"""Heading and metric of the released numbers."""

CRAWL: Final = (
    ("crawler recall", "pasa_crawler_recall"),
    ("precision", "pasa_precision"),
    ("recall", "pasa_recall"),
    ("recall@100", "pasa_recall@100"),
    ("recall@50", "pasa_recall@50"),
    ("recall@20", "pasa_recall@20"),
    ("actions", "pasa_actions"),
    ("score", "pasa_score"),
    ("LitSearch recall", "litsearch_recall"),
    ("LitSearch nDCG", "litsearch_ndcg"),
)
"""Heading and metric of the measures of PaSa's and LitSearch's releases."""


def measured(report: Report, title: str, columns: Sequence[tuple[str, str]]) -> list[Table]:
    """A table of means, one line a run, without columns that are undefined for every run; none where all are."""
    rows = report.rows
    kept = [
        (heading, name)
        for heading, name in columns
        if not all(math.isnan(row.averages["means"].get(name, math.nan)) for row in rows)
    ]
    if not kept:
        return []
    cells = [[row.label, *(number(row.averages["means"].get(name, math.nan)) for _, name in kept)] for row in rows]
    return [Table(title, ["run", *(heading for heading, _ in kept)], cells)]


def _tables(report: Report) -> list[Table]:
    return [
        *measured(report, "As the release computes it (can be gamed, never a reward)", RELEASED),
        *measured(report, "Search and answer as PaSa and LitSearch measure them", CRAWL),
    ]


REPORT: Final = FamilyReport(
    results=(
        ("R@50", "recall_paper@50"),
        ("R of gold", "recall_of_gold@50"),
        ("SoS@5", "sos_mean_of_pct@5"),
        ("SoS@50", "sos_mean_of_pct@50"),
        ("F1 pair", "pair_f1"),
        ("P pair", "pair_precision"),
        ("R pair", "pair_recall"),
        ("cite strict", "cite_acc_strict"),
        ("sentiment strict", "cite_sentiment_strict"),
        ("comention strict", "comention_acc_strict"),
        ("paragraph strict", "comention_paragraph_strict"),
        ("F1 inner", "path_f1_inner"),
        ("path recall", "path_recall"),
        ("jaccard", "path_jaccard"),
        ("LCS", "path_lcs"),
        ("chain", "connectivity_chain"),
        ("induced", "connectivity_induced"),
        ("F1 gold", "gold_f1"),
        ("shown", "n_results_shown"),
    ),
    process=(
        ("gold shown", "gold_shown"),
        ("items", "n_items"),
        ("cut", "n_cut"),
        ("unknown", "n_unknown"),
        ("citations", "mean_citations"),
        ("contexts", "n_contexts"),
        ("forced", "forced"),
        ("calls", "n_calls"),
        ("invalid", "n_invalid"),
        ("return", "return"),
    ),
    summary=(
        "recall_paper@50", "pair_f1", "path_f1_inner", "gold_f1", "gold_shown", "n_results_shown", "n_calls",
        "n_invalid", "return",
    ),
    compared=("gold_f1", "return"),
    digits={
        "sos_mean_of_pct@5": 1,
        "sos_mean_of_pct@50": 1,
        "n_results_shown": 1,
        "n_items": 1,
        "n_cut": 1,
        "n_unknown": 2,
        "mean_citations": 1,
        "n_contexts": 1,
        "n_calls": 1,
        "n_invalid": 2,
    },
    tables=_tables,
)  # fmt: skip
