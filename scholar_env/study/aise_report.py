"""What reports on AISE-Bench show: links, plans, parameters, overlap scores, F1-LM in both forms; published rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from scholar_env.metrics.aise import f1_lm
from scholar_env.metrics.ranking import harmonic_mean, ratio
from scholar_env.study.family_report import FamilyReport
from scholar_env.study.published_aise import MAIN_TABLE
from scholar_env.study.tables import Table, number

if TYPE_CHECKING:
    from scholar_env.study.report import Report


def _forms(means: Mapping[str, float]) -> dict[str, float]:
    """F1-LM of the means, as published, and the micro average of the fuzzy parameter F1."""
    missing = math.nan
    pair = means.get("correctness", missing), means.get("completeness_coverage", missing)
    matched, predicted, gold = (means.get(f"fuzzy_{name}", missing) for name in ("matched", "predicted", "gold"))
    return {
        "f1_lm_of_means": f1_lm(*pair),
        "f1_lm_macro": means.get("f1_lm", missing),
        "fuzzy_parameter_f1_micro": harmonic_mean(ratio(matched, predicted), ratio(matched, gold)),
    }


def _tables(report: Report) -> list[Table]:
    del report
    heads = [
        "system",
        "Prec",
        "Rec",
        "Format",
        "EditDist",
        "ParaAcc",
        "Success",
        "Correct",
        "Complete",
        "Faithful",
        "F1-LM",
    ]
    rows = []
    for row in MAIN_TABLE:
        values: list[Any] = [
            row.precision, row.recall, row.format, row.edit_distance, row.parameter_accuracy, row.success,
            row.correctness, row.completeness, row.faithfulness, row.f1_lm,
        ]  # fmt: skip
        rows.append([row.system, *(number(math.nan if value is None else value, 4) for value in values)])
    title = (
        "Published (150 released test questions over another graph, judged by models: not comparable with the above)"
    )
    return [Table(title, heads, rows, n_text=1)]


REPORT: Final = FamilyReport(
    results=(
        ("link F1", "link_f1"),
        ("Prec", "link_precision"),
        ("Rec", "link_recall"),
        ("Format", "format"),
        ("Correct", "correctness"),
        ("Complete", "completeness_coverage"),
        ("Task", "completeness_task"),
        ("Faithful", "faithfulness"),
        ("F1-LM", "f1_lm_of_means"),
        ("F1-LM mac", "f1_lm_macro"),
    ),
    process=(
        ("Edit", "plan_levenshtein"),
        ("GED", "plan_ged"),
        ("ParaAcc", "parameter_accuracy"),
        ("FuzzyF1", "fuzzy_parameter_f1_micro"),
        ("Success", "success"),
        ("PCS", "partial_completion"),
        ("API calls", "n_api_calls"),
        ("unknown", "n_unknown_links"),
        ("unseen", "n_unseen_links"),
        ("invalid", "n_invalid"),
        ("return", "return"),
    ),
    summary=(
        "link_f1",
        "format",
        "f1_lm",
        "plan_levenshtein",
        "parameter_accuracy",
        "success",
        "n_api_calls",
        "return",
    ),
    compared=("link_f1", "f1_lm_of_means", "parameter_accuracy", "return"),
    digits={"plan_levenshtein": 2, "plan_ged": 2, "n_api_calls": 2, "n_unknown_links": 2, "n_unseen_links": 2},
    harmonic={"f1_lm_of_means": ("correctness", "completeness_coverage")},
    forms=_forms,
    tables=_tables,
)
