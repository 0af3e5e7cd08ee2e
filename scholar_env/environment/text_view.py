"""The text view: an observation as a page that a language model or a person can read, within a limit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from scholar_env.environment import registry
from scholar_env.episode.family import Detail, Section
from scholar_env.episode.family import family as family_named

_DETAILS = (
    Detail(None, None, None),
    Detail(600, None, None),
    Detail(300, None, None),
    Detail(120, None, None),
    Detail(0, None, None),
    Detail(0, 20, 20),
    Detail(0, 10, 10),
    Detail(0, 3, 3),
    Detail(0, 0, 0),
)


def render_text(
    observation: Mapping[str, Any],
    *,
    max_chars: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    sections: Collection[str] | None = None,
    family: str = "",
) -> str:
    """Renders an observation as text.

    The sections come in the order of the family. Where the page is too long, abstracts are shortened first, then left
    out, then the tails of long lists; what is left out is counted. A page that is still too long is cut.

    Args:
        observation: As the environment returned it.
        max_chars: Greatest length, in characters or, with ``count_tokens``, in tokens; None = no limit.
        count_tokens: Counts the tokens of a text (not decreasing as the text grows).
        sections: Names of the family's sections that are shown, None = all; empty ones never are.
        family: Name of the family; ``""`` = that of the first card with all keys of the observation.

    Returns:
        The page, never longer than the limit.

    Raises:
        InvalidOptionError: No card has these keys.
    """
    known = family_named(family or registry.family_of(observation)).sections
    chosen = [section for name, section in known.items() if sections is None or name in sections]
    measure = count_tokens or len
    page = ""
    for detail in _DETAILS:
        page = "\n\n".join(text for section in chosen if (text := section(observation, detail)))
        if max_chars is None or measure(page) <= max_chars:
            return page
    return _longest_prefix(page, measure, max_chars or 0)


def _longest_prefix(text: str, measure: Callable[[str], int], limit: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle]) <= limit else (low, middle - 1)
    return text[:low]


def _question(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Question: {observation['question']}"


def _before(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Papers count that appeared up to {observation['before']}." if observation.get("before") else ""


def _budget(observation: Mapping[str, Any], detail: Detail) -> str:
    budget = observation["budget"]
    names = ("iterations", "calls", "results", "characters")
    parts = [f"{int(budget[name])} {name} left" for name in names if int(budget[name]) >= 0]
    if int(budget["answer_only"]):
        parts.append("answer or abstain now")
    return f"Budget: {', '.join(parts) or 'unlimited'}"


def listed(title: str, lines: Sequence[str], most: int | None, *, newest: bool = False) -> str:
    """A titled list, cut to its first (or newest) entries with a count of the others."""
    if most is None or len(lines) <= most:
        return "\n".join([f"{title} ({len(lines)}):", *lines])
    kept = lines[len(lines) - most :] if newest else lines[:most]
    return "\n".join([f"{title} ({len(lines)}, {len(lines) - most} not shown):", *kept])


def _results(observation: Mapping[str, Any], detail: Detail) -> str:
    results = [_result(result, detail) for result in observation["results"]]
    return listed("Results", results, detail.results) if results else ""


def _result(result: Mapping[str, Any], detail: Detail) -> str:
    line = (
        f"- {result['paper']} | {result['title']} | {result['date'] or 'undated'} | score {result['score']:.6g} | "
        f"rank {result['rank']} | subquery {result['subquery']}"
    )
    text = shortened(result["abstract"], detail.abstract)
    return line + (f"\n  {text}" if text else "")


def _document(observation: Mapping[str, Any], detail: Detail) -> str:
    document = observation.get("document")
    if not document:
        return ""
    lines = [f"Document {document['paper']}: {document['title']}"]
    if document["sections"]:
        lines.append("Sections: " + "; ".join(document["sections"]))
    if document["section"]:
        lines.append(f"Section: {document['section']}")
    if document["goal"]:
        lines.append(f"Goal: {document['goal']}")
    text = shortened(document["text"] or document["summary"], None if detail.nodes is None else 1_000)
    return "\n".join([*lines, text] if text else lines)


def _feedback(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Feedback: {observation['feedback']}" if observation["feedback"] else ""


def _error(observation: Mapping[str, Any], detail: Detail) -> str:
    return f"Error: {observation['error']}" if observation["error"] else ""


def shortened(text: str, most: int | None) -> str:
    """A text, cut with a count of what is left out; nothing of it for 0."""
    if most is None or len(text) <= most:
        return text
    return f"{text[:most]} [{len(text) - most} more characters]" if most else ""


COMMON_SECTIONS: Mapping[str, Section] = {
    "question": _question,
    "before": _before,
    "budget": _budget,
    "results": _results,
    "document": _document,
    "feedback": _feedback,
    "error": _error,
}
"""Sections for the common keys of observations, for families to take over."""
