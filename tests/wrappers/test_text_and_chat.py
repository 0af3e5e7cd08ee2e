"""The text and chat views."""

from __future__ import annotations

import copy
import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import scholar_env
from scholar_env.environment.env import ScholarEnv
from scholar_env.environment.text_view import render_text
from scholar_env.episode.scholargym.tools import TOOLS
from scholar_env.wrappers.messages import Messages, MessageSpace
from scholar_env.wrappers.text_action import CallText, TextAction

GRAPHS = {"name": "derive", "arguments": {"source": 0, "text": "graphs"}}
ID = "ScholarGym-TestFast-v0"


def base(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, corpus="toy", disable_env_checker=True, **options)


def tool_call(name: str, call_id: str = "", **arguments: Any) -> dict[str, Any]:
    call = {"type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {**call, "id": call_id} if call_id else call


def test_texts_play_the_same_episode_as_calls() -> None:
    text, plain = TextAction(base()), base()
    observation, info = text.reset(seed=2)
    expected, expected_info = plain.reset(seed=2)
    assert observation == render_text(expected)
    actions = [
        ('Let me look.\n```json\n{"name": "derive", "arguments": {"source": 0, "text": "graphs"}}\n```', GRAPHS),
        ("<search>credit risk</search>", {"name": "search", "arguments": {"text": "credit risk"}}),
        ("I do not know.", "I do not know."),
        ("<answer></answer>", {"name": "answer", "arguments": {}}),
    ]
    for written, call in actions:
        observation, reward, terminated, truncated, info = text.step(written)
        expected, *rest, expected_info = plain.step(call)
        assert observation == render_text(expected)
        assert observation in text.observation_space
        assert [reward, terminated, truncated] == rest
        assert info == expected_info
    assert terminated


def test_an_observation_of_text_keeps_its_limit() -> None:
    env = TextAction(base(), max_chars=400)
    env.reset(seed=0)
    observation, *_ = env.step("<search>credit risk</search>")
    assert len(observation) <= 400
    assert env.observation_space.contains(observation)
    counted = TextAction(base(), max_chars=60, count_tokens=lambda text: len(text.split()))
    counted.reset(seed=0)
    assert len(counted.step("<search>credit risk</search>")[0].split()) <= 60


def test_drawn_texts_hold_calls_and_follow_the_seed() -> None:
    env = TextAction(base())
    env.action_space.seed(5)
    drawn = [env.action_space.sample() for _ in range(50)]
    assert all(json.loads(text) in env.unwrapped.action_space for text in drawn)
    env.action_space.seed(5)
    assert [env.action_space.sample() for _ in range(50)] == drawn
    calls = scholar_env.ToolCallSpace({"plan": TOOLS["plan"]})
    assert CallText(calls, seed=1).sample() == CallText(calls, seed=1).sample()
    assert CallText(calls) == CallText(calls)
    assert CallText(calls) != env.action_space
    assert repr(CallText(calls)) == "CallText(ToolCallSpace(plan))"


@pytest.mark.parametrize("wrapper", [TextAction, Messages])
def test_gymnasiums_checker_and_the_spec_hold_for_the_views(wrapper: Any) -> None:
    env = wrapper(base(), max_chars=5_000)
    with pytest.warns(UserWarning, match="different from the unwrapped version") as caught:
        check_env(env, skip_render_check=True)
    assert len(caught) == 1
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert isinstance(again, wrapper)
    assert again.max_chars == 5_000
    assert isinstance(again.unwrapped, ScholarEnv)


@pytest.mark.parametrize("wrapper", [TextAction, Messages])
def test_only_environments_of_tool_calls_are_wrapped(wrapper: Any) -> None:
    with pytest.raises(TypeError, match="an environment of tool calls"):
        wrapper(gymnasium.make("CartPole-v1"))


def test_a_conversation_answers_each_call_under_its_id() -> None:
    env, plain = Messages(base(), system="Find papers."), base()
    messages, _ = env.reset(seed=1)
    observation, _ = plain.reset(seed=1)
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[0]["content"] == "Find papers."
    assert observation["question"] in messages[1]["content"]
    before = copy.deepcopy(messages)
    action = {
        "role": "assistant",
        "content": None,
        "tool_calls": [tool_call("derive", "a", text="credit risk"), tool_call("selct", "b")],
    }
    longer, reward, terminated, truncated, info = env.step(action)
    observation, *_ = plain.step({"name": "derive", "arguments": {"text": "credit risk"}})
    assert messages == before
    assert longer[:2] == before
    assert [message["role"] for message in longer[2:]] == ["assistant", "tool", "tool"]
    assert [call["id"] for call in longer[2]["tool_calls"]] == ["a", "b"]
    assert [message["tool_call_id"] for message in longer[3:]] == ["a", "b"]
    assert observation["results"][0]["title"] in longer[3]["content"]
    assert "there is no tool 'selct'" in longer[4]["content"]
    assert (reward, terminated, truncated, info["metrics"]["n_calls"]) == (0.0, False, False, 2.0)
    assert longer in MessageSpace()
    longer.clear()
    end, _, terminated, *_ = env.step("<answer></answer> <search>too late</search>")
    assert terminated
    assert len(end) == 7
    assert end[5]["content"] == "<answer></answer> <search>too late</search>"
    assert [call["function"]["name"] for call in end[5]["tool_calls"]] == ["answer", "search"]
    assert end[6]["tool_call_id"] == end[5]["tool_calls"][0]["id"]


def test_calls_without_ids_get_distinct_ones() -> None:
    env = Messages(base())
    env.reset(seed=0)
    env.step({"role": "assistant", "tool_calls": [tool_call("derive", text="a"), tool_call("derive", text="b")]})
    messages, *_ = env.step({"name": "next_iteration", "arguments": {}})
    ids = [call["id"] for message in messages if message["role"] == "assistant" for call in message["tool_calls"]]
    assert len(set(ids)) == 3
    assert ids == [message["tool_call_id"] for message in messages if message["role"] == "tool"]


@pytest.mark.parametrize("action", ["\ud800 text", {"role": "assistant", "content": "no call"}, None, 3, float("nan")])
def test_what_holds_no_call_is_answered_with_an_error(action: Any) -> None:
    env = Messages(base())
    env.reset(seed=0)
    messages, *_, info = env.step(action)
    assert info["action_error"] == "malformed"
    assert [message["role"] for message in messages] == ["user", "assistant", "tool"]
    assert "not one tool call in JSON" in messages[-1]["content"]
    json.dumps(messages, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "action",
    [
        np.zeros(2),
        {"tool_calls": np.zeros(2)},
        {"role": "assistant", "content": np.zeros(2)},
        {1: 2},
        {"tool_calls": [{"id": "\ud800", "function": {"name": "nothing", "arguments": "{}"}}], "content": "\ud800"},
    ],
)
def test_a_hostile_message_gives_a_conversation_that_utf8_can_carry(action: Any) -> None:
    env = Messages(base())
    env.reset(seed=0)
    messages, _, terminated, _, info = env.step(action)
    assert info["action_error"] in ("malformed", "unknown_tool")
    assert not terminated
    assert json.dumps(messages, ensure_ascii=False).encode()
    assert messages in env.observation_space


def test_no_message_holds_what_only_the_evaluator_may_know() -> None:
    env = Messages(base())
    _, info = env.reset(seed=4)
    messages, *_ = env.step({"name": "derive", "arguments": {"text": "neural networks"}})
    text = json.dumps(messages)
    assert info["task_id"] not in text
    assert ID not in text
    assert not any(name in text for name in ("ret_recall", "reward", "gold"))


def test_other_things_are_not_messages() -> None:
    space = MessageSpace()
    assert [{"role": "user", "content": "x"}] in space
    for other in (
        None,
        {"role": "user"},
        [{"role": "nobody", "content": ""}],
        [{"role": "user", "content": None}],
        ["x"],
    ):
        assert other not in space
    space.seed(3)
    first = space.sample()
    space.seed(3)
    assert space.sample() == first
    assert first in space
    assert space == MessageSpace()
    assert repr(space) == "MessageSpace()"
    assert space.is_np_flattenable is False
