"""SciNet in the suite of all ids: on small worlds, with an opening that searches, reads and follows citations."""

from __future__ import annotations

from scholar_env.environment.env import ScholarEnv
from scholar_env.metrics.judges import JudgeRequest, Rating
from tests.families import Action, Suite


class KindJudge:
    """Finds everything good."""

    name = "kind"

    def rate(self, request: JudgeRequest) -> Rating:
        """The best score, or the label positive."""
        return Rating(label="positive") if request.labels else Rating(score=float(request.high))


kind_judge = KindJudge()


def opening(env: ScholarEnv) -> list[Action]:
    observation, _ = env.reset(seed=1)
    env.action_space.seed(11)
    observation, *_ = env.step({"name": "search", "arguments": {"text": observation["question"], "k": 5}})
    papers = [result["paper"] for result in observation["results"]]
    return [
        {"name": "read", "arguments": {"paper": papers[0]}},
        {"name": "references", "arguments": {"paper": papers[0], "k": 500}},
        {"name": "citers", "arguments": {"paper": papers[1], "order": "citations"}},
        {"name": "co_cited", "arguments": {"paper": "nothing"}},
        {"name": "answer", "arguments": {"papers": [*papers, papers[0], "größer"]}},
    ]


OWN_TASKS = {"train_worlds": 0}

SUITE = Suite(
    oracle=("gold_f1", 1.0),
    corpus="world",
    small_worlds=True,
    others={
        "max_tool_calls": 20, "page_size": 7, "n_contexts": 2, "judge": "tests.families.scinet:kind_judge",
        "max_calls": 100, "max_abstract_chars": 100, "max_document_chars": 500, "retry_delay": 0.0, "train_worlds": 1,
    },
    mixed={"pasa_recall": 0.5, "gold_shown": 0.25, "n_cut": -0.125, "mean_citations": 0.01, "n_calls": 0.0},
    variants=({}, {"max_tool_calls": 2}),
    roomy={"max_calls": 20_000, "max_tool_calls": 20_000},
    opening=opening,
    on_world=lambda env_id: OWN_TASKS if "-Train-" in env_id else {},
)  # fmt: skip
