"""The space of tool calls."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholar_env.environment.tool_space import ToolCallSpace
from scholar_env.episode.schema import ActionError, Argument
from scholar_env.episode.scholargym.tools import TOOLS
from scholar_env.episode.tool import Tool

ALL = ToolCallSpace(TOOLS)


def space_of(*names: str) -> ToolCallSpace:
    return ToolCallSpace({name: TOOLS[name] for name in names})


DERIVE = {"name": "derive", "arguments": {"source": 0, "text": "größe"}}


@pytest.mark.parametrize(
    "call",
    [
        DERIVE,
        {"name": "answer", "arguments": {}},
        {"name": "plan", "arguments": {"subqueries": []}},
        {"name": "search", "arguments": {"text": "x", "before": "2020-01"}},
        {"name": "search", "arguments": {"text": "x", "before": ""}},
        {
            "name": "plan",
            "arguments": {"subqueries": [{"link": "continue", "source": 1}, {"link": "expand", "k": 3.0}]},
        },
    ],
)
def test_well_formed_calls_are_members(call: Any) -> None:
    assert call in ALL


@pytest.mark.parametrize(
    "call",
    [
        None,
        "derive",
        [DERIVE],
        {"name": "derive"},
        {**DERIVE, "more": 1},
        {"name": "derive", "arguments": {}},
        {"name": "derive", "arguments": {"source": 0, "text": "x", "k": 0}},
        {"name": "derive", "arguments": {"source": np.int64(0), "text": "x"}},
        {"name": "derive", "arguments": {"source": 0, "text": "\ud800"}},
        {"name": "derive", "arguments": [1]},
        {"name": "nothing", "arguments": {}},
        {"name": ["derive"], "arguments": {}},
        {"name": "search", "arguments": {"text": "x", "before": "soon"}},
        {"name": "search", "arguments": {"text": "x", "before": "in 2020-01 or so"}},
        {"name": "derive", "arguments": {"text": " "}},
        {"name": "derive", "arguments": {"text": "x" + " " * 2000}},
        {"name": "derive", "arguments": {"source_id": 0, "text": "x"}},
        {"name": "derive", "arguments": {"text": "x", "k": None}},
        {"name": "plan", "arguments": {"subqueries": ["x"]}},
        {"name": "plan", "arguments": {"subqueries": [{"source": 0, "text": "x"}]}},
        {"name": "plan", "arguments": {"subqueries": [{"link": "derive ", "text": "x"}]}},
        {"name": "plan", "arguments": {"subqueries": [{"link": "derive", "text": "x", "target_k": 3}]}},
        {"name": "plan", "arguments": {"subqueries": [{"link": "derive", "text": "x", "k": 0}]}},
    ],
)
def test_other_things_are_not(call: Any) -> None:
    assert call not in ALL


def fits(schema: Any, value: Any) -> bool:
    """The part of JSON Schema that the tools use, read from the schema alone."""
    if "oneOf" in schema:
        return sum(fits(option, value) for option in schema["oneOf"]) == 1
    if "const" in schema:
        return bool(value == schema["const"])
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool}
    if schema["type"] == "integer":
        whole = type(value) is int or (type(value) is float and value.is_integer())
        return whole and schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if type(value) is not kinds[schema["type"]]:
        return False
    if schema["type"] == "object":
        names = schema["properties"]
        required = all(name in value for name in schema["required"])
        return required and all(name in names and fits(names[name], item) for name, item in value.items())
    if schema["type"] == "array":
        return len(value) <= schema.get("maxItems", len(value)) and all(fits(schema["items"], item) for item in value)
    if schema["type"] == "string":
        long = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return long and value in schema.get("enum", [value]) and re.search(schema.get("pattern", ""), value) is not None
    return True


scalars = st.none() | st.booleans() | st.integers(-2, 12) | st.sampled_from([1.0, 0.5, "", " ", "x", " x ", "2020-01"])
entries = st.dictionaries(
    st.sampled_from(["link", "source", "text", "k", "target_k"]),
    scalars | st.sampled_from(["derive", "continue", "expand ", "2020-1"]),
    max_size=4,
)
argument_names = st.sampled_from(
    sorted({name for tool in TOOLS.values() for a in tool.arguments for name in (a.name, *a.aliases)})
)
given_calls = st.fixed_dictionaries(
    {
        "name": st.sampled_from(sorted(TOOLS)),
        "arguments": st.dictionaries(argument_names, scalars | st.lists(scalars | entries, max_size=3), max_size=4),
    }
)


@settings(max_examples=1000)
@given(given_calls)
def test_a_member_fits_the_json_schema_and_is_taken_by_its_tool(call: Any) -> None:
    if call in ALL:
        assert fits(ALL.json_schema(), call)
        assert not isinstance(TOOLS[call["name"]].validate(call["arguments"]), ActionError)
    else:  # the schema cannot say that a text of white space is empty
        blank = any(type(value) is str and value == " " for value in call["arguments"].values())
        assert blank or not fits(ALL.json_schema(), call)


def test_samples_fit_the_json_schema() -> None:
    ALL.seed(5)
    assert all(fits(ALL.json_schema(), ALL.sample()) for _ in range(300))


def test_a_call_of_a_tool_outside_the_set_is_not_a_member() -> None:
    assert DERIVE not in space_of("answer")


def test_samples_are_members_of_every_tool_and_follow_the_seed() -> None:
    ALL.seed(1)
    drawn = [ALL.sample() for _ in range(600)]
    assert all(call in ALL for call in drawn)
    assert {call["name"] for call in drawn} == set(TOOLS)
    ALL.seed(1)
    assert [ALL.sample() for _ in range(600)] == drawn
    twin = pickle.loads(pickle.dumps(ALL))
    assert twin == ALL
    assert [twin.sample() for _ in range(9)] == [ALL.sample() for _ in range(9)]


def test_every_kind_of_argument_can_be_drawn() -> None:
    arguments = (
        Argument("share", "number", "a share", minimum=-1, maximum=0.5),
        Argument("years", "integers", "years", minimum=1900, maximum=1901, min_length=2, max_length=4),
        Argument("reference", "object", "a table"),
    )
    space = ToolCallSpace({"cite": Tool("cite", "Cite.", arguments, lambda episode, given: None, {"share": 0.5})}, 3)
    drawn = [space.sample() for _ in range(200)]
    assert all(call in space for call in drawn)
    years = [call["arguments"]["years"] for call in drawn]
    assert {len(item) for item in years} == {2, 3, 4}
    assert {year for item in years for year in item} == {1900, 1901}
    shares = [call["arguments"]["share"] for call in drawn]
    assert -1 <= min(shares) < 0 < max(shares) <= 0.5
    assert {len(call["arguments"]["reference"]) for call in drawn} == {0, 1, 2}


def test_a_mask_and_a_probability_choose_the_tool() -> None:
    mask = np.array([name in ("plan", "answer") for name in ALL.tools], dtype=np.int8)
    assert {ALL.sample(mask=mask)["name"] for _ in range(60)} == {"plan", "answer"}
    probability = np.array([float(name == "read") for name in ALL.tools])
    assert {ALL.sample(probability=probability)["name"] for _ in range(9)} == {"read"}


@pytest.mark.parametrize(
    ("mask", "probability", "message"),
    [
        (np.ones(3, np.int8), None, "expected 11 weights"),
        (np.zeros(11, np.int8), None, "one of them above"),
        (-np.ones(11, np.int8), None, "at least 0"),
        (None, np.full(11, 0.5), "sum to 5.5, not to 1"),
        (np.ones(11, np.int8), np.full(11, 1 / 11), "a mask or a probability, not both"),
    ],
)
def test_bad_masks_are_refused(mask: Any, probability: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ALL.sample(mask, probability)


def test_batches_go_through_json() -> None:
    ALL.seed(2)
    batch = [ALL.sample() for _ in range(20)]
    there = json.loads(json.dumps(ALL.to_jsonable(batch)))
    assert ALL.from_jsonable(there) == batch


def test_the_schema_names_each_tool_once() -> None:
    schema = ALL.json_schema()
    names = [call["properties"]["name"]["const"] for call in schema["oneOf"]]
    assert names == list(TOOLS)
    assert [tool["function"]["name"] for tool in ALL.openai_tools()] == names
    derive = schema["oneOf"][0]["properties"]["arguments"]
    assert derive["required"] == ["text"]
    assert derive["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize(
    "message",
    [
        DERIVE,
        json.dumps(DERIVE),
        f"I will search.\n```json\n{json.dumps(DERIVE)}\n```",
        {"tool": "derive", "arguments": json.dumps(DERIVE["arguments"])},
        {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": DERIVE}]},
    ],
)
def test_every_form_of_a_call_parses_to_the_same(message: Any) -> None:
    assert ALL.parse(message) == [DERIVE]


def test_parse_reads_several_calls_and_never_raises() -> None:
    assert ALL.parse("<search>graph</search> and <answer>a, b</answer>") == [
        {"name": "search", "arguments": {"text": "graph"}},
        {"name": "answer", "arguments": {"papers": ["a", "b"]}},
    ]
    assert [call["name"] for call in ALL.parse(object())] == ["__malformed__"]


def test_equality_and_text() -> None:
    assert space_of("plan", "answer") == space_of("plan", "answer")
    assert space_of("plan", "answer") != space_of("answer", "plan")
    assert hash(space_of("plan")) == hash(space_of("plan"))
    assert repr(space_of("plan", "answer")) == "ToolCallSpace(plan, answer)"
    assert space_of("plan").is_np_flattenable is False
