"""The text view: an observation as a page that a language model or a person can read, within a limit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class _Detail:
    """How much is shown: characters of an abstract, results, subqueries; None = all."""

    abstract: int | None
    results: int | None
    nodes: int | None


SECTIONS = (
    "question",
    "before",
    "budget",
    "tree",
    "results",
    "document",
    "selected",
    "checklist",
    "experience",
    "feedback",
    "error",
)
"""Names of the sections, in their order."""

_DETAILS = (
    _Detail(None, None, None),
    _Detail(600, None, None),
    _Detail(300, None, None),
    _Detail(120, None, None),
    _Detail(0, None, None),
    _Detail(0, 20, 20),
    _Detail(0, 10, 10),
    _Detail(0, 3, 3),
    _Detail(0, 0, 0),
)


def render_text(
    observation: Mapping[str, Any],
    *,
    max_chars: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
    sections: Collection[str] = SECTIONS,
) -> str:
    """Renders an observation as text.

    The sections come in a fixed order: question, date bound, budget, subqueries, results of the last call, document,
    selection, memory, feedback, error. Where the page is too long, abstracts are shortened first, then left out,
    then the tails of long lists; what is left out is counted. A page that is still too long is cut.

    Args:
        observation: As the environment returned it.
        max_chars: Greatest length, in characters or, with ``count_tokens``, in tokens; None = no limit.
        count_tokens: Counts the tokens of a text (not decreasing as the text grows).
        sections: Which of :data:`SECTIONS` are shown; empty ones never are.

    Returns:
        The page, never longer than the limit.
    """
    measure = count_tokens or len
    page = ""
    for detail in _DETAILS:
        page = "\n\n".join(text for name, text in _sections(observation, detail) if name in sections)
        if max_chars is None or measure(page) <= max_chars:
            return page
    return _longest_prefix(page, measure, max_chars or 0)


def _longest_prefix(text: str, measure: Callable[[str], int], limit: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle]) <= limit else (low, middle - 1)
    return text[:low]


def _sections(observation: Mapping[str, Any], detail: _Detail) -> Iterator[tuple[str, str]]:
    yield "question", f"Question: {observation['question']}"
    if observation.get("before"):
        yield "before", f"Papers count that appeared up to {observation['before']}."
    yield "budget", f"Budget: {_budget(observation['budget'])}"
    if observation.get("tree"):
        nodes = [_node(node) for node in observation["tree"]]
        yield "tree", _listed("Subqueries", nodes, detail.nodes, newest=True)
    if observation["results"]:
        results = [_result(result, detail) for result in observation["results"]]
        yield "results", _listed("Results", results, detail.results)
    if observation.get("document"):
        yield "document", _document(observation["document"], detail)
    if observation.get("selected"):
        papers = [f"- {paper}" for paper in observation["selected"]]
        yield "selected", _listed("Selected", papers, detail.results, newest=True)
    memory = observation.get("memory", {})
    if memory.get("checklist"):
        yield "checklist", f"Checklist: {memory['checklist']}"
    notes = memory.get("experience") or "\n".join(memory.get("history", ()))
    if notes:
        yield "experience", f"Experience: {notes}"
    for name in ("feedback", "error"):
        if observation[name]:
            yield name, f"{name.capitalize()}: {observation[name]}"


def _budget(budget: Mapping[str, Any]) -> str:
    names = ("iterations", "calls", "results", "characters")
    parts = [f"{int(budget[name])} {name} left" for name in names if int(budget[name]) >= 0]
    if int(budget["answer_only"]):
        parts.append("answer or abstain now")
    return ", ".join(parts) or "unlimited"


def _listed(title: str, lines: Sequence[str], most: int | None, *, newest: bool = False) -> str:
    """A titled list, cut to its first (or newest) entries with a count of the others."""
    if most is None or len(lines) <= most:
        return "\n".join([f"{title} ({len(lines)}):", *lines])
    kept = lines[len(lines) - most :] if newest else lines[:most]
    return "\n".join([f"{title} ({len(lines)}, {len(lines) - most} not shown):", *kept])


def _node(node: Mapping[str, Any]) -> str:
    line = (
        f"[{node['id']}] {node['link']} of [{node['parent']}], iteration {node['iteration']}: {node['text']} "
        f"({node['retrieved']} retrieved on {node['pages']} pages, {node['selected']} selected)"
    )
    return line + (f"\n    {node['overview']}" if node["overview"] else "")


def _result(result: Mapping[str, Any], detail: _Detail) -> str:
    line = (
        f"- {result['paper']} | {result['title']} | {result['date'] or 'undated'} | score {result['score']:.6g} | "
        f"rank {result['rank']} | subquery {result['subquery']}"
    )
    text = _shortened(result["abstract"], detail.abstract)
    return line + (f"\n  {text}" if text else "")


def _document(document: Mapping[str, Any], detail: _Detail) -> str:
    lines = [f"Document {document['paper']}: {document['title']}"]
    if document["sections"]:
        lines.append("Sections: " + "; ".join(document["sections"]))
    if document["section"]:
        lines.append(f"Section: {document['section']}")
    if document["goal"]:
        lines.append(f"Goal: {document['goal']}")
    text = _shortened(document["text"] or document["summary"], None if detail.nodes is None else 1_000)
    return "\n".join([*lines, text] if text else lines)


def _shortened(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"{text[:most]} [{len(text) - most} more characters]" if most else ""
