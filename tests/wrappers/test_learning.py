"""An agent learns over numbered actions, and a class of one's own plays."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scholar_env.agents import agent_class

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reinforce_learns_on_one_split_and_is_better_on_another() -> None:
    reinforce = example("reinforce")
    weights = reinforce.train(200)
    random, trained = (reinforce.evaluate(chosen, 60) for chosen in (np.zeros_like(weights), weights))
    assert random < 0.15
    assert trained > random + 0.2


def test_reinforce_is_fixed_by_its_seed() -> None:
    reinforce = example("reinforce")
    first, again, other = reinforce.train(20, 1), reinforce.train(20, 1), reinforce.train(20, 2)
    assert (first == again).all()
    assert (first != other).any()


def test_the_smallest_agent_is_one_that_a_run_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    agent: Any = agent_class("my_agent:MyAgent", "scholargym")()
    agent.reset(0)
    call = agent.act({"question": "credit risk", "tree": []})
    assert call == {"name": "derive", "arguments": {"source": 0, "text": "credit risk", "k": 10}}
    results = [{"paper": f"p{place}"} for place in range(10)]
    call = agent.act({"question": "credit risk", "tree": [{}], "results": results})
    assert call["arguments"]["papers"] in (["p0"], ["p0", "p1"], ["p0", "p1", "p2"])
