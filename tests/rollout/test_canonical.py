from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.rollout.canonical import canonical_json, checked_line, observation_digest, plain, read_checked_line

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=20,
)
records = st.dictionaries(texts.filter(lambda key: key != "check"), values)


def test_plain_turns_arrays_scalars_and_odd_floats_into_json() -> None:
    value = {
        "a": np.arange(3),
        "b": np.float32(0.5),
        "c": (1, np.int64(2)),
        "d": math.nan,
        "e": -math.inf,
        "f": {"z", "y"},
    }
    assert plain(value) == {"a": [0, 1, 2], "b": 0.5, "c": [1, 2], "d": "nan", "e": "-inf", "f": ["y", "z"]}


def test_plain_refuses_what_has_no_json_form() -> None:
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        plain({"a": b"x"})


def test_digest_is_pinned_so_that_old_rollouts_stay_comparable() -> None:
    observation = {"question": "Grüße", "results": [{"score": 12.3456789, "rank": 0}], "turn": np.int64(3)}
    assert (
        canonical_json(plain(observation, 6)) == '{"question":"Grüße","results":[{"rank":0,"score":12.3457}],"turn":3}'
    )
    assert observation_digest(observation) == "7491d8f69c13da7cab4f3a6c96f583ec9db5770d449dc9aafc31232245ce7c64"


def test_digest_sees_six_digits_and_no_more() -> None:
    assert observation_digest({"score": 1.0000001}) == observation_digest({"score": 1.0})
    assert observation_digest({"score": 1.00001}) != observation_digest({"score": 1.0})
    assert observation_digest({"rank": 1}) != observation_digest({"rank": 2})


@given(records)
def test_a_checked_line_reads_back(record: dict[str, Any]) -> None:
    line = checked_line(record)
    assert "\n" not in line
    back, problem = read_checked_line(line)
    assert problem == ""
    assert canonical_json(back) == canonical_json(plain(record))


@given(records, st.data())
def test_any_changed_byte_of_a_line_is_noticed(record: dict[str, Any], data: st.DataObject) -> None:
    line = checked_line(record).encode()
    place = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[place]))
    changed = line[:place] + bytes([other]) + line[place + 1 :]
    try:
        text = changed.decode()
    except UnicodeDecodeError:
        return
    assert read_checked_line(text)[1] != ""


def test_a_line_says_what_is_wrong_with_it() -> None:
    good = checked_line({"a": 1})
    assert read_checked_line(good[:-2])[1].startswith("not JSON")
    assert read_checked_line("[1]") == (None, "a JSON list instead of an object")
    record, problem = read_checked_line(good.replace("1", "2", 1))
    assert record == {"a": 2}
    assert problem.startswith("its content does not match its own check")
    spaced = json.dumps(json.loads(good))
    assert read_checked_line(spaced)[1] == "it is not written in canonical form"
