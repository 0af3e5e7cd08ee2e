from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scholar_env.errors import InvalidOptionError
from scholar_env.index.scoring import LUCENE, OKAPI, Variant, idf_table, impact_table


def test_okapi_idf_and_its_floor() -> None:
    frequencies = np.array([1, 3, 4], dtype=np.int64)
    table, mean = idf_table(OKAPI, frequencies, 4)
    raw = [math.log(4 - n + 0.5) - math.log(n + 0.5) for n in (1, 3, 4)]
    assert mean == ((0.0 + raw[0]) + raw[1] + raw[2]) / 3
    assert table.tolist() == [raw[0], 0.25 * mean, 0.25 * mean]


def test_the_mean_idf_is_summed_in_order_without_compensation() -> None:
    frequencies = np.arange(1, 2000, dtype=np.int64)
    total = 0.0
    for n in frequencies.tolist():
        total += math.log(4000 - n + 0.5) - math.log(n + 0.5)
    assert idf_table(OKAPI, frequencies, 4000)[1] == total / 1999
    assert total != math.fsum(math.log(4000 - n + 0.5) - math.log(n + 0.5) for n in frequencies.tolist())


def test_other_idf_forms() -> None:
    frequencies = np.array([1, 4], dtype=np.int64)
    assert idf_table(LUCENE, frequencies, 4)[0].tolist() == [math.log(1 + 3.5 / 1.5), math.log(1 + 0.5 / 4.5)]
    assert idf_table(Variant("a", "atire", 1.2, 0.4), frequencies, 4)[0].tolist() == [math.log(4.0), 0.0]
    assert idf_table(OKAPI, np.zeros(0, dtype=np.int64), 0)[1] == 0.0


def test_impacts() -> None:
    tf, dl = np.array([1, 3], dtype=np.uint32), np.array([10, 30], dtype=np.uint32)
    okapi = [t * 2.5 / (t + 1.5 * (1 - 0.75 + 0.75 * d / 20.0)) for t, d in ((1, 10), (3, 30))]
    assert impact_table(OKAPI, tf, dl, n_tokens=40, n_documents=2).tolist() == okapi
    lucene = [t / (t + 1.2 * (1 - 0.75 + 0.75 * d / 20.0)) for t, d in ((1, 10), (3, 30))]
    assert impact_table(LUCENE, tf, dl, n_tokens=40, n_documents=2).tolist() == lucene


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("name", {"name": "../x"}),
        ("name", {"name": ""}),
        ("name", {"name": "Okapi"}),
        ("form", {"form": "bm25f"}),
        ("k1", {"k1": -0.1}),
        ("k1", {"k1": math.nan}),
        ("b", {"b": 1.1}),
        ("epsilon", {"epsilon": math.inf}),
    ],
)
def test_variants_out_of_range_are_refused(key: str, values: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=f"scoring variant has {key} = "):
        replace(Variant("mine", "okapi", k1=1.2, b=0.5, epsilon=0.1), **values)
