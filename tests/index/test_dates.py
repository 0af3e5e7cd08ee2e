from __future__ import annotations

import pytest

from scholar_env.errors import CorpusFormatError
from scholar_env.index.dates import NO_BOUND, UNDATED, month_bound, month_of


@pytest.mark.parametrize(
    ("date", "month"),
    [("2020-05-31", 202005), ("2020-05", 202005), ("2020", 202000), ("", UNDATED), ("0001-01-01T00:00", 101)],
)
def test_month_of(date: str, month: int) -> None:
    assert month_of(date) == month


@pytest.mark.parametrize("date", ["2020-5", "May 2020", "20-05", "2020/05/01", "2020-05-1", "٢٠٢٠-٠٥", "9999-99", " "])
def test_dates_that_cannot_be_ordered_are_refused(date: str) -> None:
    with pytest.raises(
        CorpusFormatError, match=r"cannot be ordered\. Rule: a date is YYYY-MM-DD, YYYY-MM, YYYY or empty"
    ):
        month_of(date)


def test_a_bound_admits_what_text_comparison_admits() -> None:
    dates = [
        "0000-01",
        "1999-12",
        "2019",
        "2019-12-31",
        "2020",
        "2020-01",
        "2020-02-10",
        "2020-12",
        "2021-01",
        "9999-12",
    ]
    bounds = ["", "0", "1999", "2019-", "2020", "2020-", "2020-0", "2020-1", "2020-01", "2020-01-31", "2020-02-01"]
    bounds += ["2020-13", "2020/01", "20200101", "now", "~", "9999-99", "٢", "2020-01 or so", "-1", "1e9"]
    for before in bounds:
        for date in dates:
            assert (month_of(date) <= month_bound(before)) == (date[:7] <= before[:7]), (date, before)
        assert month_bound(before) < UNDATED


def test_no_bound_admits_undated_documents() -> None:
    assert month_of("") <= month_bound(None) == NO_BOUND
