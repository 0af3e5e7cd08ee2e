"""The workflow agent with a language model behind a server on this machine, and with callables of its own."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import pytest

from scholar_env.agents import make_agent
from scholar_env.environment.env import ScholarEnv
from tests.families.aise import ROLES, plan_two
from tests.metrics.test_judge_server import FakeServer, said, server

__all__ = ["server"]


def played(agent: Any, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    env = gymnasium.make("AISEBench-All-v0", corpus="world", **options).unwrapped
    assert isinstance(env, ScholarEnv)
    player = agent(env.tools)
    observation, _ = env.reset(seed=4)
    player.reset(0)
    over = False
    calls: list[dict[str, Any]] = []
    while not over and len(calls) < 8:
        calls.append(player.act(observation))
        observation, _, ended, cut, info = env.step(calls[-1])
        over = ended or cut
    assert over
    return info["metrics"], calls


@pytest.mark.parametrize("filler", ["rule", "agent"])
def test_a_callable_a_role(small_home: object, filler: str) -> None:
    metrics, calls = played(lambda tools: make_agent("workflow", "aise", tools, ROLES), filler=filler)
    assert [one["name"] for one in calls] == ["call_plan", *["call_plan"] * (filler == "agent"), "answer"]
    assert metrics["format"] == 1.0


def test_a_model_plays_every_role(small_home: object, server: FakeServer) -> None:
    plan = json.dumps(plan_two("", None))
    answer = json.dumps({"answer": "Nobody[1].", "reference": {"[1]": f"https://www.aminer.cn/profile/{'0' * 24}"}})
    server.script = [said(f"```json\n{plan}\n```"), said('{"author_ids": ["' + "0" * 24 + '"]}'), said(answer)]
    address = f"http://127.0.0.1:{server.server_port}/v1"
    metrics, calls = played(
        lambda tools: make_agent("workflow", "aise", tools, {"base_url": address, "model": "m"}), filler="agent"
    )
    assert [one["name"] for one in calls] == ["call_plan", "call_plan", "answer"]
    assert metrics["link_f1"] == 0.0
    assert [body["model"] for body, _ in server.asked] == ["m"] * 3
    assert "search_paper_id_gs" in server.asked[0][0]["messages"][1]["content"]


def test_a_reply_without_a_plan_abstains(small_home: object, server: FakeServer) -> None:
    server.script = [said("I would rather not.")]
    address = f"http://127.0.0.1:{server.server_port}/v1"
    _, calls = played(lambda tools: make_agent("workflow", "aise", tools, {"base_url": address, "model": "m"}))
    assert [one["name"] for one in calls] == ["abstain"]
