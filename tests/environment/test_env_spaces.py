"""The text and JSON spaces."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from gymnasium.spaces import Dict
from gymnasium.vector import AsyncVectorEnv

import scholar_env
from scholar_env.environment.spaces import INTEGER, NUMBER, Json, Unicode, array_of, object_of, string

BOOLEAN = {"type": "boolean"}
SHAPE = array_of(object_of(name=string(12), rank=INTEGER, score=NUMBER, kept=BOOLEAN), 4)
MEMBER = {"name": "ö", "rank": 3, "score": 0.5, "kept": True}


@pytest.mark.parametrize("text", ["", "plain", "größe 機械学習 🎓", "x" * 20])
def test_unicode_holds_any_text_that_utf8_can_carry(text: str) -> None:
    assert text in Unicode(20)


@pytest.mark.parametrize("other", ["x" * 21, "\ud800", b"bytes", None, 7, ["text"]])
def test_unicode_holds_nothing_else(other: Any) -> None:
    assert other not in Unicode(20)


@pytest.mark.parametrize("value", [[], [MEMBER], [MEMBER, {**MEMBER, "rank": -1}]])
def test_json_holds_values_of_its_shape(value: Any) -> None:
    assert value in Json(SHAPE)


@pytest.mark.parametrize(
    "value",
    [
        {},
        [MEMBER] * 5,
        [{**MEMBER, "more": 1}],
        [{"name": "x"}],
        [{**MEMBER, "name": "x" * 13}],
        [{**MEMBER, "name": "\ud800"}],
        [{**MEMBER, "rank": True}],
        [{**MEMBER, "rank": 1.0}],
        [{**MEMBER, "score": 1}],
        [{**MEMBER, "score": float("nan")}],
        [{**MEMBER, "kept": 1}],
        [{}],
    ],
)
def test_json_holds_nothing_of_another_shape(value: Any) -> None:
    assert value not in Json(SHAPE)


def test_an_object_may_be_empty_where_the_shape_says_so() -> None:
    assert {} in Json(object_of(nullable=True, text=string(3)))
    assert {} not in Json(object_of(text=string(3)))
    assert {} in Json(object_of())


@pytest.mark.parametrize("space", [Unicode(9), Json(SHAPE), Json(object_of(nullable=True, text=string(3)))])
def test_samples_are_members_and_follow_the_seed(space: Any) -> None:
    space.seed(4)
    first = [space.sample() for _ in range(200)]
    assert all(value in space for value in first)
    space.seed(4)
    assert [space.sample() for _ in range(200)] == first
    assert len({repr(value) for value in first}) > 1
    twin = pickle.loads(pickle.dumps(space))
    assert twin == space
    assert hash(twin) == hash(space)
    assert [twin.sample() for _ in range(5)] == [space.sample() for _ in range(5)]


@pytest.mark.parametrize("space", [Unicode(9), Json(SHAPE)])
def test_masks_of_numeric_spaces_are_refused(space: Any) -> None:
    with pytest.raises(ValueError, match="takes no mask and no probability"):
        space.sample(mask=[1])


def test_spaces_of_other_bounds_differ() -> None:
    assert Unicode(9) != Unicode(10)
    assert Json(SHAPE) != Json(array_of(INTEGER, 4))
    assert Dict({"a": Unicode(3)}) == Dict({"a": Unicode(3)})
    assert repr(Unicode(9)) == "Unicode(9)"
    assert repr(Json(INTEGER)) == "Json({'type': 'integer'})"


def test_an_asynchronous_environment_with_shared_memory_fails_loudly() -> None:
    def env() -> Any:
        return scholar_env.ScholarEnv("ScholarGym-TestFast-v0", corpus="toy")

    with pytest.raises(ValueError, match="shared_memory=False"):
        AsyncVectorEnv([env], shared_memory=True)
