"""The published numbers are stored as published, and agree with each other where they claim to."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import pytest

from scholar_env.metrics.ranking import harmonic_mean
from scholar_env.study import published
from scholar_env.study.published import MAIN_TABLE, PublishedRow

DATA = Path(__file__).resolve().parent.parent / "data" / "published_scholargym.json"
HALF = 0.0005  # the numbers are rounded to three decimals


def f1_bounds(precision: float, recall: float) -> tuple[float, float]:
    """Smallest and largest rounded F1 that rounded precision and recall allow."""
    low, high = harmonic_mean(precision - HALF, recall - HALF), harmonic_mean(precision + HALF, recall + HALF)
    return low - HALF, high + HALF


def test_published_rows_are_the_recorded_ones() -> None:
    recorded = json.loads(DATA.read_text(encoding="utf-8"))["rows"]
    assert {row.system: list(astuple(row)[1:]) for row in MAIN_TABLE} == recorded
    assert len(MAIN_TABLE) == 11


@pytest.mark.parametrize("row", MAIN_TABLE, ids=lambda row: row.system)
def test_published_f1_is_the_harmonic_mean_of_the_means(row: PublishedRow) -> None:
    low, high = f1_bounds(row.precision, row.recall)
    assert low <= row.f1 <= high
    if row.ret_precision is not None and row.ret_f1 is not None:
        low, high = f1_bounds(row.ret_precision, row.ret_recall)
        assert low <= row.ret_f1 <= high


def test_published_f1_deviates_beyond_a_thousandth_only_where_known() -> None:
    off = {
        row.system: round(harmonic_mean(row.precision, row.recall) - row.f1, 4)
        for row in MAIN_TABLE
        if abs(harmonic_mean(row.precision, row.recall) - row.f1) > 0.001
    }
    assert off == {"DeepSeek-V3.2 (thinking)": 0.0011}  # within what rounding precision and recall allows


def test_published_retrieval_row_is_missing_only_where_known() -> None:
    assert [row.system for row in MAIN_TABLE if row.ret_f1 is None] == ["Qwen3-8B (thinking)"]


def test_published_recall_never_exceeds_retrieval_recall() -> None:
    assert all(row.recall <= row.ret_recall for row in MAIN_TABLE)


def test_published_discard_means_agree_with_their_rows_but_one() -> None:
    means = {system: sum(values) / 5 for system, values in published.GT_DISCARD_PERCENT.items()}
    quoted = published.GT_DISCARD_MEAN_PERCENT
    off = {system: round(means[system], 2) for system in quoted if abs(means[system] - quoted[system]) > 0.006}
    assert off == {"Qwen3-30B (thinking)": 1.1}


def test_published_dense_study_starts_from_the_main_table() -> None:
    recalls = {row.system: row.recall for row in MAIN_TABLE}
    assert all(recalls[system] == sparse for system, (sparse, _) in published.DENSE_RECALL.items())


@pytest.mark.parametrize("system", published.TEST_HARD)
def test_published_hard_f1_is_the_harmonic_mean_too(system: str) -> None:
    recall, precision, f1 = published.TEST_HARD[system]
    low, high = f1_bounds(precision, recall)
    assert low <= f1 <= high


def test_published_distance_headline_is_a_mean_over_iterations() -> None:
    first, last, headline = published.AVG_DISTANCE_GEMINI
    assert first < headline < last
