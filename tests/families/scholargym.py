"""ScholarGym in the suite of all ids: on the toy corpus, with an opening that uses most tools."""

from __future__ import annotations

from scholar_env.environment.env import ScholarEnv
from tests.families import Action, Suite


def opening(env: ScholarEnv) -> list[Action]:
    observation, _ = env.reset(seed=2)
    env.action_space.seed(11)
    env.step({"name": "derive", "arguments": {"source": 0, "text": observation["question"], "k": 10}})
    observation, *_ = env.step({"name": "expand", "arguments": {"source": 1, "text": "neural networks"}})
    papers = [result["paper"] for result in observation["results"]][:3]
    return [
        {"name": "select", "arguments": {"subquery": 2, "papers": papers, "overview": "größer"}},
        {"name": "next_iteration", "arguments": {}},
        {"name": "continue", "arguments": {"source": 1}},
        {"name": "continue", "arguments": {"source": 99}},
        {"name": "plan", "arguments": {"subqueries": [{"link": "derive", "source": 1, "text": "learning"}]}},
        {"name": "answer", "arguments": {}},
    ]


SUITE = Suite(
    oracle=("ret_recall", 0.95),
    others={
        "max_iterations": 4, "page_size": 7, "max_pages": 2, "max_subqueries": 5, "max_calls": 100,
        "assessor": "lexical", "browser_mode": "REFRESH",
        "browser": "scholar_env.episode.scholargym.browse:ExtractiveBrowser", "memory": False, "on_empty_plan": "fail",
        "compat": "upstream", "max_abstract_chars": 100, "max_document_chars": 500, "retry_delay": 0.0,
        "train_worlds": 0,
    },
    mixed={"f1": 0.5, "ret_recall": 0.25, "avg_distance_best": -0.125, "missed_gt_ratio": 0.1, "n_calls": 0.0},
    variants=({}, {"assessor": "lexical"}),
    assisted=({"assessor": "oracle"},),
    roomy={"max_calls": 20_000},
    opening=opening,
    on_world=lambda env_id: {"train_worlds": 2} if env_id == "ScholarGym-Train-v0" else {},
    n_world_tasks=lambda env_id: 1 if env_id == "ScholarGym-TestHard-v0" else 4,
)  # fmt: skip
