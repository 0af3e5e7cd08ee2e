"""What a language model is told that judges: a task for each criterion, and the form of the reply."""

from __future__ import annotations

from typing import Final

from scholar_env.metrics.judges import JudgeRequest

VERSION: Final = 1
"""Of the wording; part of the key under which replies are kept."""

ROLE: Final = (
    "You are a careful assessor of scholarly work. Judge only by what you are shown, apply the scale strictly, and "
    "reply with one JSON object and nothing else."
)

TASKS: Final[dict[str, str]] = {
    "correctness": (
        "Compare the answer with the reference answer. Give 1 when every claim and every entity of the answer is "
        "right, 0 when none is. For a question that asks for a list, give the share of the listed entities that the "
        "reference has; give at most 0.5 when the two share no entity, and at most 0.8 when the reference names "
        "papers and the answer links none."
    ),
    "completeness_coverage": (
        "How much of the reference answer does the answer cover? Give the share of its entities and facts that the "
        "answer states, whatever else the answer says."
    ),
    "completeness_task": (
        "Break the question into the separate things that it asks for. Give the share of them that the answer settles; "
        "whether it settles them rightly does not matter here."
    ),
    "faithfulness": (
        "Are the claims of the answer borne out by the evidence, which is what the tools returned? Give the share of "
        "the claims that the evidence supports; a link to something that the evidence does not show has no support."
    ),
    "fit": (
        "Break the question into the separate things that it requires of the paper. Give the share of them that the "
        "paper meets by what you are shown of it; what the paper says the opposite of, or nothing about, is not met."
    ),
    "novelty": (
        "How novel is the work, that is, how unusual is the combination of ideas and sources that it builds on? The "
        "lowest value stands for a routine combination, the highest for one that hardly anybody had tried."
    ),
    "disruption": (
        "How disruptive is the work, that is, how far does later work build on it instead of on what it builds on? The "
        "lowest value stands for work that consolidates its field, the highest for work that replaces its predecessors."
    ),
    "sentiment": "What does the citing paragraph think of the cited work?",
    "rationality": (
        "How sound is the path as an account of how one idea led to the next? The lowest value stands for steps "
        "without any connection, the highest for steps that each follow from the one before."
    ),
}
"""Criterion -> what is asked. Other criteria are asked for by their name."""


def messages_for(request: JudgeRequest) -> list[dict[str, str]]:
    """The conversation that asks a model for a rating."""
    task = TASKS.get(request.criterion, f"Rate the {request.criterion} of what you are shown.")
    parts = [f"Task: {task}"]
    if request.question:
        parts.append(f"Question:\n{request.question}")
    if request.reference:
        parts.append(f"Reference:\n{request.reference}")
    for item in request.items:
        head = " ".join(part for part in (item.id, item.title) if part)
        parts.append(f"{head}:\n{item.text}" if item.text else head)
    parts.append(_form(request))
    return [{"role": "system", "content": ROLE}, {"role": "user", "content": "\n\n".join(parts)}]


def _form(request: JudgeRequest) -> str:
    if request.labels:
        labels = " | ".join(f'"{label}"' for label in request.labels)
        return f'Reply: {{"reason": "one sentence", "label": {labels}}}'
    return f'Reply: {{"reason": "one sentence", "rating": a number from {request.low} to {request.high}}}'
