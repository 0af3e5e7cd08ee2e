"""Reading calls: the canonical form, what chat models send, and what nobody should send."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholar_env.episode.calls import MALFORMED, Malformed, ToolCall, parse_call, parse_calls
from scholar_env.episode.plain_json import plain

DERIVE = ToolCall("derive", {"source": 0, "text": "sparse"})


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def holding_itself() -> list[Any]:
    value: list[Any] = []
    value.extend([value] * 64)
    return value


def reason(action: object) -> str:
    call = parse_call(action)
    assert isinstance(call, Malformed)
    return call.repr


def test_canonical_action_is_copied() -> None:
    deep: list[Any] = [{"a": 1.5}]
    arguments = {"source": 0, "text": "sparse", "deep": deep}
    call = parse_call({"name": "derive", "arguments": arguments})
    assert call == ToolCall("derive", dict(arguments))
    deep.append(2)
    assert isinstance(call, ToolCall)
    assert call.arguments["deep"] == [{"a": 1.5}]


ARGUMENTS = {"source": 0, "text": "sparse"}
TEXT = json.dumps(ARGUMENTS)
FORMS: dict[str, Any] = {
    "arguments as a JSON string": {"name": "derive", "arguments": TEXT},
    "tool": {"tool": "derive", "arguments": ARGUMENTS},
    "function name": {"function": "derive", "args": ARGUMENTS},
    "function object": {"type": "function", "id": "c1", "function": {"name": "derive", "arguments": TEXT}},
    "tool use": {"type": "tool_use", "id": "t1", "name": "derive", "input": ARGUMENTS},
    "parameters": {"name": "derive", "parameters": ARGUMENTS},
    "chat message": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"type": "function", "function": {"name": "derive", "arguments": TEXT}}],
    },
    "old chat message": {"role": "assistant", "function_call": {"name": "derive", "arguments": TEXT}},
    "message with parts": {
        "role": "assistant",
        "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "name": "derive", "input": ARGUMENTS}],
    },
    "message with JSON text": {"role": "assistant", "content": json.dumps({"name": "derive", "arguments": ARGUMENTS})},
    "fenced": f'Thinking.\n```json\n{{"name": "derive", "arguments": {TEXT}}}\n```\nDone.',
    "fence never closed": f'```json\n{{"name": "derive", "arguments": {TEXT}}}',
    "tool_call tag": f'<tool_call>{{"name": "derive", "arguments": {TEXT}}}</tool_call>',
    "JSON after words": f'I call {{"name": "derive", "arguments": {TEXT}}} now.',
    "list of one": [{"name": "derive", "arguments": ARGUMENTS}],
    "record": DERIVE,
}


@pytest.mark.parametrize("form", FORMS)
def test_form_reads_as_the_canonical_call(form: str) -> None:
    assert parse_call(FORMS[form]) == DERIVE
    assert parse_calls(FORMS[form]) == [DERIVE]


def test_call_without_arguments() -> None:
    for action in ({"name": "answer"}, {"name": "answer", "arguments": None}, {"name": "answer", "arguments": ""}):
        assert parse_call(action) == ToolCall("answer", {})


def test_several_calls_keep_their_order() -> None:
    message = {
        "role": "assistant",
        "content": "two things",
        "tool_calls": [
            {"function": {"name": "derive", "arguments": TEXT}},
            {"function": {"name": "answer", "arguments": "{broken"}},
            {"function": {"name": "answer", "arguments": "{}"}},
        ],
    }
    first, second, third = parse_calls(message)
    assert first == DERIVE
    assert isinstance(second, Malformed)
    assert "text that is not JSON" in second.repr
    assert third == ToolCall("answer", {})
    assert reason(message) == "3 calls in one action, of which a step runs one"


def test_tags() -> None:
    text = "<think>maybe <search>no</search></think><search> graph nets </search> then <answer>p1, p2\n- p3</answer>"
    assert parse_calls(text) == [
        ToolCall("search", {"text": "graph nets"}),
        ToolCall("answer", {"papers": ["p1", "p2", "p3"]}),
    ]
    assert parse_calls('<answer>["p1", "p,2"]</answer>') == [ToolCall("answer", {"papers": ["p1", "p,2"]})]
    assert parse_calls("<answer></answer>") == [ToolCall("answer", {})]
    assert parse_calls('<answer>{"answer": "a [1]"}</answer>') == [ToolCall("answer", {"answer": "a [1]"})]
    assert parse_calls('<answer>{"answer": </answer>') == [ToolCall("answer", {"papers": ['{"answer":']})]


def test_code_in_a_fence_is_no_call_but_broken_json_is_a_broken_one() -> None:
    assert parse_calls("```python\nprint(1)\n```<search>a</search>") == [ToolCall("search", {"text": "a"})]
    (broken,) = parse_calls('```json\n{"name": "derive",}\n```')
    assert isinstance(broken, Malformed)


HOSTILE: dict[str, tuple[Any, str]] = {
    "deep list": ({"name": "a", "arguments": {"x": nested(100_000)}}, "values nested deeper than 32 levels: a"),
    "deep action": (nested(100_000), "deeper than 8 levels"),
    "deep text": ("[" * 100_000, "values nested deeper than 32 levels"),
    "deep arguments text": ({"name": "a", "arguments": '{"x":' * 100_000}, "values nested deeper"),
    "long integer": ({"name": "a", "arguments": {"k": 10**5000}}, "an integer beyond 64 bits"),
    "long integer in text": ('{"name": "a", "arguments": {"k": ' + "9" * 5000 + "}}", "text that is not JSON"),
    "lone surrogate": ({"name": "a", "arguments": {"t": "x\ud800"}}, "lone surrogate"),
    "surrogate name": ({"name": "\udfff", "arguments": {}}, "lone surrogate"),
    "surrogate text": ("\ud800", "lone surrogate"),
    "escaped surrogate": ('{"name": "a", "arguments": {"t": "\\ud800"}}', "lone surrogate"),
    "NaN": ({"name": "a", "arguments": {"k": float("nan")}}, "NaN or infinite"),
    "infinity": ({"name": "a", "arguments": {"k": float("-inf")}}, "NaN or infinite"),
    "NaN in text": ('{"name": "a", "arguments": {"k": NaN}}', "NaN or infinite"),
    "bytes": (b'{"name": "a"}', "a value of type bytes instead of a call"),
    "bytes within": ({"name": "a", "arguments": {"t": b"x"}}, "a value of type bytes"),
    "numpy integer": ({"name": "a", "arguments": {"k": np.int64(3)}}, "a value of type int64"),
    "numpy float": ({"name": "a", "arguments": {"k": np.float64(3)}}, "a value of type float64"),
    "numpy text": (np.str_("x"), "a value of type str_ instead of a call"),
    "numpy array": (np.zeros(3), "a value of type ndarray instead of a call"),
    "number keys": ({"name": "a", "arguments": {1: 2}}, "a key of type int"),
    "number keys above": ({1: 2}, "a key of type int"),
    "number keys beside a call": ({"name": "a", "arguments": {}, 1: 2}, "a key of type int"),
    "array of calls": ({"tool_calls": np.array([1, 2])}, "a value of type ndarray instead of a call"),
    "array as function call": ({"function_call": np.array([1, 2])}, "a value of type ndarray instead of a call"),
    "array as name": ({"name": np.array([1, 2]), "arguments": {}}, "an object without the name of a tool"),
    "array as function": ({"function": {"name": np.array([1, 2])}}, "an object without the name of a tool"),
    "array as kind of part": ({"role": "assistant", "content": [{"type": np.array([1, 2])}]}, "no tool call in it"),
    "surrogate keys": ({"name": "a", "arguments": {"\ud800": 2}}, "lone surrogate"),
    "a number": (7, "a value of type int instead of a call"),
    "nothing": (None, "a value of type NoneType instead of a call"),
    "empty dict": ({}, "an object without the name of a tool"),
    "empty list": ([], "no tool call in it"),
    "empty text": ("  ", "an empty text"),
    "prose": ("I would rather not.", "no tool call in the text: I would rather not."),
    "name no text": ({"name": 3, "arguments": {}}, "an object without the name of a tool"),
    "arguments a list": ({"name": "a", "arguments": [1]}, "arguments of type list instead of an object"),
    "arguments a text of a list": ({"name": "a", "arguments": "[1]"}, "arguments of type list"),
    "set": ({"name": "a", "arguments": {"x": {1}}}, "a value of type set"),
    "too many values": ({"name": "a", "arguments": {"x": [0] * 30_000}}, "more than 20000 values"),
    "list that holds itself": (holding_itself(), "64 calls in one action"),
    "long text": ("x" * 1_000_001, "a text of 1000001 characters, more than 1000000"),
    "many openings": ("<search>" * 100_000, "no tool call in the text"),
    "too many calls": ([{"name": "a"}] * 65, "65 calls, more than 64"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_action_is_malformed_and_its_record_replays(kind: str) -> None:
    action, why = HOSTILE[kind]
    if kind == "list that holds itself":  # 64 ways down at every level: the walk is bounded, not the result's shape
        assert 1 <= len(parse_calls(action)) <= 64 * 1000
        return
    call = parse_call(action)
    assert isinstance(call, Malformed), kind
    assert why in call.repr
    assert len(call.repr) <= 300
    record = json.loads(json.dumps(call.to_json(), ensure_ascii=False).encode("utf-8"))
    assert record["name"] == MALFORMED
    assert parse_call(record) == call


def test_a_message_that_holds_itself_gives_a_bounded_number_of_calls() -> None:
    ring: list[Any] = []
    ring.extend([ring] * 60)
    calls = parse_calls(ring)
    assert len(calls) == 1
    assert isinstance(calls[0], Malformed)
    assert "calls, more than 64" in calls[0].repr


class Rude:
    """Raises whatever it is asked."""

    def __bool__(self) -> bool:
        raise RuntimeError("truth")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("equality")

    def __hash__(self) -> int:
        return hash("name")

    def __len__(self) -> int:
        raise RuntimeError("length")

    def __repr__(self) -> str:
        raise RuntimeError("repr")


class NamelessType(type):
    def __getattribute__(cls, name: str) -> Any:
        raise RuntimeError(name)


class Nameless(metaclass=NamelessType):
    pass


@pytest.mark.parametrize("kind", ["rude", "nameless"])
def test_objects_that_raise_when_asked_are_not_asked(kind: str) -> None:
    rude = Rude() if kind == "rude" else Nameless()
    actions: list[Any] = [
        rude, [rude], {"name": rude, "arguments": {}}, {"name": "a", "arguments": rude}, {"function": rude},
        {"name": "a", "arguments": {"x": rude}}, {"tool_calls": rude}, {"tool_calls": [rude]}, {"function_call": rude},
        {rude: 1}, {rude: 1, "arguments": {}}, {"name": "a", "arguments": {rude: 1}}, {"content": [{"type": rude}]},
        {"role": "assistant", "content": rude}, {"role": "assistant", "content": [{"type": "text", "text": rude}]},
        ToolCall("a", {"x": rude}),
    ]  # fmt: skip
    for action in actions:
        assert isinstance(parse_call(action), Malformed)


def test_a_clipped_record_stays_as_it_is() -> None:
    call = parse_call({"name": MALFORMED, "repr": "\ud800" * 400})
    assert isinstance(call, Malformed)
    assert len(call.repr) == 300
    assert call.repr.startswith("\\ud800")
    assert parse_call(json.loads(json.dumps(call.to_json()))) == call


def test_hostile_subclasses_cannot_run_code() -> None:
    class Trap(dict[str, Any]):
        def __iter__(self) -> Any:
            raise RuntimeError("iterated")

        def items(self) -> Any:
            raise RuntimeError("items")

        def get(self, *_: Any) -> Any:
            raise RuntimeError("get")

    assert parse_call(Trap(name="derive", arguments=Trap(ARGUMENTS))) == DERIVE


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)  # fmt: skip


@given(json_values)
def test_plain_json_survives_as_it_is(value: Any) -> None:
    assert plain(value) == value


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["name", "arguments", "tool", "function", "tool_calls", "content", "role"]), inner
        )
        | st.dictionaries(st.integers() | st.text(), inner)
    ),
    max_leaves=30,
)


@given(anything)
def test_nothing_raises_and_every_record_reads_back(action: Any) -> None:
    for call in parse_calls(action):
        record = json.loads(json.dumps(call.to_json(), ensure_ascii=False).encode("utf-8"))
        assert parse_call(record) == call
    parse_call(action)


@given(st.text(alphabet='<>/`{}[]",: abcdnmesarhw\n', max_size=200))
def test_no_text_raises(text: str) -> None:
    assert parse_calls(text)


@pytest.mark.parametrize(
    "text",
    [
        '<think>maybe {"name": "answer", "arguments": {}}</think> {"name": "next_iteration", "arguments": {}}',
        '{"name": "answer", "arguments": {}} no, wait</think> {"name": "next_iteration", "arguments": {}}',
        '<think>a</think> ```json\n{"name": "answer"}\n``` <think>b</think>{"name": "next_iteration", "arguments": {}}',
        '{"name": "next_iteration", "arguments": {}} <think>then {"name": "answer", "arguments": {}}',
    ],
)
def test_calls_within_reasoning_are_not_made(text: str) -> None:
    assert parse_calls(text) == [ToolCall("next_iteration", {})]
