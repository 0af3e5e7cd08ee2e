"""CompLit in the suite of all ids: on small worlds, with an opening that searches, greps and reads."""

from __future__ import annotations

import dataclasses
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.records import Task
from tests.families import Action, Suite


def opening(env: ScholarEnv) -> list[Action]:
    """Searches and reads; then a grep, a refused call, turns if there are any, and an answer."""
    observation, _ = env.reset(seed=1)
    env.action_space.seed(11)
    observation, *_ = env.step({"name": "search", "arguments": {"text": observation["question"][:500], "k": 5}})
    papers = [result["paper"] for result in observation["results"]]
    env.step({"name": "read", "arguments": {"paper": papers[0]}})
    turns = [{"name": "next_turn", "arguments": {"message": "Which data?"}}] * 6 if "next_turn" in env.tools else []
    return [
        {"name": "grep", "arguments": {"text": "percent", "k": 3}},
        {"name": "read", "arguments": {"paper": "nothing"}},
        {"name": "search", "arguments": {"text": "methods", "scope": "full_text", "k": 2}},
        *turns,
        {"name": "answer", "arguments": {"paper": papers[0], "rationale": "größer"}},
    ]


def other_gold(task: Task, corpus: Corpus) -> Task:
    """The task with another target, in its details too."""
    paper = corpus.id_of(len(task.question) % corpus.n_papers)
    gold = (paper,) if task.gold != (paper,) else ()
    target: Any = {"id": paper, "title": ""} if gold else None
    return dataclasses.replace(task, gold=gold, details={**task.details, "target": target, "near_miss": None})


SUITE = Suite(
    oracle=("accuracy", 1.0),
    corpus="world",
    small_worlds=True,
    others={
        "max_tool_calls": 20, "budget_mode": "messages", "page_size": 7, "grep_size": 9, "max_calls": 100,
        "left_out": "nothing", "figure_images": True, "max_abstract_chars": 100, "max_document_chars": 500,
        "retry_delay": 0.0, "train_worlds": 1,
    },
    mixed={"accuracy": 0.5, "read": 0.25, "n_characters": -0.0001, "near_miss": 0.1, "n_calls": 0.0},
    variants=({}, {"max_tool_calls": 2}, {"budget_mode": "messages", "max_tool_calls": 3}),
    roomy={"max_calls": 20_000, "max_tool_calls": 20_000},
    counters=frozenset({"n_calls", "n_invalid", "n_tool_calls"}),
    opening=opening,
    other_gold=other_gold,
    on_world=lambda env_id: {"train_worlds": 0} if "-Train-" in env_id else {},
)  # fmt: skip
