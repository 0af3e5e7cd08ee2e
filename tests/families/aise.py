"""AISE-Bench in the suite of all ids: on a small world, with an opening that calls APIs, a plan and a bad step."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from scholar_env.corpus import Corpus
from scholar_env.environment.env import ScholarEnv
from scholar_env.records import Task
from tests.families import Action, Suite


def opening(env: ScholarEnv) -> list[Action]:
    env.reset(seed=2)
    env.action_space.seed(11)
    found = {"name": "search_author_id", "arguments": {"interest": ["information retrieval"], "size": 3}}
    observation, *_ = env.step(found)
    people = json.loads(observation["api_results"][0]["result"])["data"]
    steps = [
        {"name": "search_paper_id", "rely": ["search_author_id"], "order": 2, "params": {"author_id": "", "size": 2}},
        {"name": "search_paper_detail", "rely": ["search_paper_id"], "order": 3, "params": {"paper_ids": []}},
        {"name": "search_org_id", "rely": ["nobody"], "order": 4, "params": {}},
    ]
    link = f"https://www.aminer.cn/profile/{people[0]['id']}"
    return [
        {"name": "call_plan", "arguments": {"steps": steps[:2]}},
        {"name": "call_plan", "arguments": {"steps": steps[2:]}},
        {"name": "search_author_detail", "arguments": {"author_ids": [people[0]["id"]]}},
        {"name": "search_venue_id", "arguments": {"size": 1000}},
        {"name": "search_paper_id_gs", "arguments": {"query": "größer and sequential"}},
        {"name": "answer", "arguments": {"answer": "It is someone[1].", "reference": {"[1]": link}}},
    ]


def another_gold(task: Task, corpus: Corpus) -> Task:
    details = {**task.details, "reference": {"[1]": f"https://www.aminer.cn/pub/{'0' * 24}"}, "facts": ["nothing"]}
    return dataclasses.replace(task, gold=("0" * 24,), details={**details, "plan": details["plan"][:1]})


INTEREST = "information retrieval"


def plan_two(question: str, apis: Any) -> list[dict[str, Any]]:
    return [
        {"name": "search_author_id", "rely": [], "order": 1, "params": {"interest": [INTEREST], "size": 2}},
        {"name": "search_author_detail", "rely": ["search_author_id"], "order": 2, "params": {"author_ids": []}},
    ]


def synthesize(question: str, results: dict[str, Any]) -> dict[str, Any]:
    people = json.loads(results["search_author_id"])["data"]
    return {
        "answer": f"{people[0]['name']}[1].",
        "reference": {"[1]": f"https://www.aminer.cn/profile/{people[0]['id']}"},
    }


def fill(question: str, step: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    return {"author_ids": [person["id"] for person in json.loads(results["search_author_id"])["data"]]}


ROLES = {role: f"{__name__}:{name}" for role, name in
         (("planner", "plan_two"), ("filler", "fill"), ("synthesizer", "synthesize"))}  # fmt: skip


SUITE = Suite(
    oracle=("link_f1", 1.0),
    corpus="world",
    small_worlds=True,
    others={
        "max_api_calls": 7, "filler": "scholar_env.episode.aise.filling:fill_by_rule", "plan_workers": 2,
        "max_result_chars": 900, "compat": "upstream", "max_calls": 100, "train_worlds": 1,
        "retry_delay": 0.0,
    },
    mixed={"link_f1": 0.5, "parameter_accuracy": 0.25, "plan_ged": -0.125, "f1_lm": 0.1, "n_calls": 0.0},
    variants=({}, {"filler": "agent"}, {"compat": "upstream"}),
    roomy={"max_calls": 20_000, "max_api_calls": 1000},
    opening=opening,
    other_gold=another_gold,
    agent_options={"workflow": ROLES},
    on_world=lambda env_id: {"train_worlds": 0} if env_id == "AISEBench-Train-v0" else {},
)  # fmt: skip
