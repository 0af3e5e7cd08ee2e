"""What judges are asked about an AISE-Bench episode: four criteria, each from 0 to 1."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scholar_env.episode.aise.engine import AiseEpisode
from scholar_env.metrics.aise_overlap import CRITERIA, FAITHFULNESS, overlap_judge
from scholar_env.metrics.judges import Judge, JudgeItem, JudgeRequest

MOST_EVIDENCE = 60_000
"""Characters of the tools' results that a judge is shown."""


def requests(episode: AiseEpisode) -> list[JudgeRequest]:
    """The requests about an episode; none where it has no answer or its task no gold, which scores 0 everywhere."""
    summary = episode.summary
    if summary is None or not episode.task.details.get("reference"):
        return []
    evidence = {name: ran.result for name, ran in episode.state.ran.items() if ran.result is not None}
    text = json.dumps(evidence, ensure_ascii=False)[:MOST_EVIDENCE]
    return requests_about(episode.task.id, episode.question, summary, episode.task.details, text)


def own_judge(episode: AiseEpisode) -> Judge:
    """The judge that compares entities and facts with the gold answer."""
    del episode
    return overlap_judge()


def requests_about(
    subject: str, question: str, summary: str, gold: Mapping[str, Any], evidence: str
) -> list[JudgeRequest]:
    """The requests about an answer.

    Args:
        subject: Names the question among all.
        question: The question.
        summary: The answer as JSON text.
        gold: ``answer``, ``reference`` and ``facts`` of the gold.
        evidence: What the tools returned, as text; only faithfulness is judged by it.
    """
    reference = json.dumps(
        {name: gold[name] for name in ("answer", "reference", "facts") if name in gold}, ensure_ascii=False
    )
    found = []
    for criterion in CRITERIA:
        items = [JudgeItem("answer", text=summary)]
        faithful = criterion == FAITHFULNESS
        if faithful:
            items.append(JudgeItem("evidence", text=evidence))
        shown = "" if faithful else reference
        found.append(JudgeRequest(criterion, subject, tuple(items), question, shown, low=0, high=1))
    return found
