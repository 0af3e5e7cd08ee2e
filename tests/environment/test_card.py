"""Cards and their options."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, cast

import gymnasium
import pytest

from scholar_env.corpus import resolve_corpus
from scholar_env.environment import registry
from scholar_env.environment.card import Option
from scholar_env.environment.options import COMMON_OPTIONS
from scholar_env.episode.family import family
from scholar_env.errors import InvalidOptionError

ID = "ScholarGym-TestFast-v0"
NUMBER = Option("rate", "float", 0.5, "A rate.", low=0.0, high=1.0)
CHOICE = Option("mode", "str", "a", "A mode.", choices=("a", "b"), imports=True, nullable=True)
FROZEN = Option("split", "str", "test", "A split.", frozen=True)


@pytest.mark.parametrize(
    ("option", "value"), [(NUMBER, 0), (NUMBER, 1.0), (CHOICE, "b"), (CHOICE, None), (CHOICE, "m:f"), (FROZEN, "test")]
)
def test_admissible_values_come_back(option: Option, value: Any) -> None:
    assert option.check(value, ID) == value


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (NUMBER, 1.5, r"rate=1.5. Rule: rate is float from 0 to 1"),
        (NUMBER, -1, "rate=-1"),
        (NUMBER, True, r"rate=True \(bool\)"),
        (NUMBER, "1", r"rate='1' \(str\)"),
        (NUMBER, None, "rate=None"),
        (NUMBER, float("nan"), "finite float"),
        (CHOICE, "c", r"mode='c'. Rule: mode is one of 'a', 'b' or a callable named \"package.module:name\" or None"),
        (FROZEN, "train", "split is frozen to 'test', it is part of what the id means"),
        (Option("n", "int", 1, "A number."), 1.0, r"n=1.0 \(float\)"),
        (Option("ids", "list", None, "Ids."), ("a",), r"ids=\('a',\) \(tuple\)"),
        (Option("ids", "list", None, "Ids."), [{1: "a"}], "with str keys"),
        (Option("ids", "list", None, "Ids."), [object], "environment arguments are str, int"),
        (Option("w", "dict", None, "Weights."), {"f1": float("inf")}, "finite float"),
    ],
)
def test_other_values_are_refused_with_the_rule(option: Option, value: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        option.check(value, ID)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iteration": 3}, "no argument 'max_iteration'.*did you mean 'max_iterations'?"),
        ({"assesor": "oracle"}, "did you mean 'assessor'"),
        ({"zzz": 1}, "no argument 'zzz'.*Mend: take one of them, or leave it out"),
        ({"split": "test_hard"}, "split is frozen to 'test_fast'"),
        ({"cutoff": 50}, "cutoff is frozen to 100"),
        ({"page_size": 0}, "page_size is int from 1 to 100"),
        ({"assessor": "nobody"}, "assessor is one of 'agent', 'oracle', 'lexical'"),
        ({"assessor": "no.such.module:name"}, "no.such.module"),
        ({"retriever": "no.such.module:name"}, "retriever='no.such.module:name' cannot be imported"),
        ({"retriever": "scholar_env:__version__"}, "it names something that can be called"),
        (
            {"retriever": "os:system"},
            r"retriever='os:system' does not take a corpus \(.*Rule: a retriever is a callable ",
        ),
        ({"retriever": "builtins:repr"}, "retriever='builtins:repr' gives a str. Rule: a retriever is a callable "),
        ({"max_document_chars": 1}, "max_document_chars is int from 100 to 10000000. "),
        ({"retry_delay": 61.0}, "retry_delay is float from 0 to 60. "),
        ({"reward": {"f2": 1.0}}, "f2"),
        ({"reward": {"f1": "much"}}, "much"),
        ({"subset": ["nothing"]}, "there is no task 'nothing'"),
        ({"subset": []}, "The task set is empty"),
        ({"task_stride": 0}, "task_stride is int from 1"),
    ],
)
def test_the_constructor_refuses_bad_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message) as caught:
        gymnasium.make(ID, corpus="toy", **options).reset(seed=0)
    assert type(caught.value).__module__ == "scholar_env.errors"


def test_an_id_cannot_be_made_under_the_card_of_another() -> None:
    env = gymnasium.make(ID, corpus="toy", card="ScholarGym-TestHard-v0")
    with pytest.raises(InvalidOptionError, match="card='ScholarGym-TestHard-v0' was given for ScholarGym-TestFast-v0"):
        env.reset(seed=0)


def test_an_unknown_card_is_named() -> None:
    with pytest.raises(InvalidOptionError, match=r"there is no environment 'ScholarGym-v0'.*ScholarGym-All-v0"):
        registry.card("ScholarGym-v0")


@pytest.mark.parametrize("env_id", sorted(registry.CARDS))
def test_the_card_says_what_the_engine_does(env_id: str) -> None:
    card = registry.card(env_id)
    its_family = family(card.family)
    assert set(card.metrics) <= set(its_family.metrics)
    assert len(set(card.metrics)) == len(card.metrics)
    assert set(card.observation) <= its_family.keys.keys()
    assert all(set(weights) <= set(card.metrics) - set(card.recorded_only) for weights in card.default_reward.values())
    options = {option.name: option for option in card.options}
    assert len(options) == len(card.options)
    assert {option.name for option in COMMON_OPTIONS} <= options.keys()
    frozen = {name: option.default for name, option in options.items() if option.frozen}
    unread = set() if "document" in card.observation else {"max_document_chars"}
    config = its_family.config().to_json()
    for name in config.keys() - unread:
        assert options[name].default == frozen.get(name, config[name]), name
    for option in card.options:
        assert option.doc.endswith(".")
        assert option.check(option.default, env_id) == option.default


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A benchmark as a reader would add it: one module of the shelf and its name in BENCHMARKS."""
    shelf, module = import_module("scholar_env.envs"), ModuleType("scholar_env.envs.demo")
    model = registry.card(ID)
    card = dataclasses.replace(model, id="Demo-v0", benchmark="demo", split="first")
    vars(module).update(CARDS=(card,), tasks=lambda corpus, split: corpus.tasks().ids[: {"first": 3}[split]])
    monkeypatch.setitem(sys.modules, "scholar_env.envs.demo", module)
    monkeypatch.setattr(shelf, "BENCHMARKS", (*shelf.BENCHMARKS, "demo"))
    registry.register_all()
    yield "Demo-v0"
    del registry.CARDS["Demo-v0"], gymnasium.registry["Demo-v0"]


def test_a_new_benchmark_is_one_module_and_one_line(demo: str) -> None:
    env = gymnasium.make(demo, corpus="toy")
    assert len(cast("Any", env.unwrapped).tasks) == 3
    _, info = env.reset(seed=0)
    assert info["corpus"]["name"] == "toy"
    *_, terminated, _, _ = env.step({"name": "answer", "arguments": {}})
    assert terminated


def test_a_split_without_tasks_is_named() -> None:
    tasks = import_module("scholar_env.envs.scholargym").tasks
    with pytest.raises(InvalidOptionError, match=r"The corpus toy has no tasks in the split 'dev'.*all \(40\)"):
        tasks(resolve_corpus("toy"), "dev")


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    registry.register_all()
    assert dict(gymnasium.registry) == before
