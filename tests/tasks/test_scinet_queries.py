from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.errors import InvalidOptionError
from scholar_env.task_files.scinet_queries import KINDS, Query, parse_query

RELEASE = Path(os.environ.get("SCHOLAR_ENV_SHARED_DATA") or "../shared/data") / "scinetbench"

TITLES = st.text(min_size=1).filter(lambda text: '" to "' not in text and not text.startswith('"') and text[-1] != '"')


@given(kind=st.sampled_from(KINDS), first=TITLES, second=TITLES, field=TITLES, k=st.integers(1, 99))
def test_every_query_is_read_back_from_its_text(kind: str, first: str, second: str, field: str, k: int) -> None:
    parts = {
        "novelty": Query("novelty", (), field, k),
        "disruption": Query("disruption", (), field, k),
        "sentiment": Query("sentiment", (first,)),
        "comention": Query("comention", (first,)),
        "path": Query("path", (first, second), field),
    }[kind]
    if kind == "path" and '" in the field of ' in second + field:
        return
    assert parse_query(parts.text) == parts


def test_titles_with_quotation_marks_come_out_whole() -> None:
    text = 'Which papers positively cite the paper titled ""Do it": an <a b="c">essay</a>"?'
    assert parse_query(text).titles == ('"Do it": an <a b="c">essay</a>',)


def test_other_wordings_are_refused() -> None:
    for text in ("", "What are the top five most novel papers in the field of X?", "Which papers cite X?"):
        with pytest.raises(InvalidOptionError, match=r"the query .*word it as the release does"):
            parse_query(text)


@pytest.mark.skipif(not RELEASE.is_dir(), reason="the released queries are not there")
def test_all_released_queries_are_read() -> None:
    kinds: Counter[str] = Counter()
    for path in sorted(RELEASE.rglob("queries*.json")):
        for text in json.loads(path.read_text(encoding="utf-8")).values():
            query = parse_query(text)
            assert query.text == text
            kinds[query.kind] += 1
    assert kinds == {"novelty": 1320, "disruption": 1320, "sentiment": 2100, "comention": 2100, "path": 2185}
