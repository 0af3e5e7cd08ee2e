"""Agents of one's own: a class with two methods is enough."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from scholar_env.agents import make_agent, needs_gold
from scholar_env.episode.scholargym.tools import TOOLS
from scholar_env.errors import InvalidOptionError
from scholar_env.rollout.reader import read_run
from scholar_env.rollout.replay import replay
from scholar_env.rollout.runner import run

SOURCE = """
class Plain:
    def reset(self, seed): self.asked = False
    def act(self, observation):
        if self.asked:
            return {"name": "answer", "arguments": {"papers": [hit["paper"] for hit in observation["results"][:2]]}}
        self.asked = True
        return {"name": "derive", "arguments": {"source": 0, "text": observation["question"], "k": 10}}

class Optioned(Plain):
    def __init__(self, tools, size=2): self.tools, self.size = tools, size

class Knowing(Plain):
    needs_gold = True
    def bind(self, task, corpus): self.task = task

class Demanding(Plain):
    def __init__(self, weights): self.weights = weights

class Half:
    def act(self, observation): return {}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "agents_of_mine.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "agents_of_mine", raising=False)
    return "agents_of_mine"


def test_a_plain_class_runs_and_replays(module: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run("ScholarGym-TestHard-v0", f"{module}:Plain", corpus="toy", out=out)
    episodes = read_run(out).episodes
    assert len(episodes) == 8
    assert not any(episode.assisted for episode in episodes)
    assert {episode.metrics["n_results_shown"] for episode in episodes} == {10.0}
    assert replay(out, allow_code=True).agrees


@pytest.mark.parametrize(("name", "options"), [("Plain", {}), ("Optioned", {"size": 3})])
def test_what_a_class_does_not_say_is_filled_in(module: str, name: str, options: dict[str, Any]) -> None:
    agent = make_agent(f"{module}:{name}", "scholargym", TOOLS, options)
    agent.reset(0)
    assert agent.options == options
    assert agent.needs_gold is False
    assert agent.act({"question": "q"}) == {"name": "derive", "arguments": {"source": 0, "text": "q", "k": 10}}


def test_tools_are_handed_to_a_constructor_that_takes_them(module: str) -> None:
    agent: Any = make_agent(f"{module}:Optioned", "scholargym", TOOLS)
    assert (agent.inner.tools, agent.inner.size) == (TOOLS, 2)


def test_a_class_that_knows_the_gold_says_so(module: str) -> None:
    assert needs_gold(f"{module}:Knowing", "scholargym")
    assert make_agent(f"{module}:Knowing", "scholargym", TOOLS).needs_gold is True


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Demanding", r"cannot be made \(.*'weights'.*give its other parameters defaults"),
        ("Half", r"is not a class with the methods reset\(seed\) and act\(observation\)"),
        ("Absent", "cannot be imported"),
    ],
)
def test_a_class_that_cannot_act_is_refused_in_words(module: str, name: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_agent(f"{module}:{name}", "scholargym", TOOLS)
