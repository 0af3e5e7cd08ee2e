"""What an agent sees of an episode of ScholarGym beyond the common keys: tree, selection, memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gymnasium import spaces

from scholar_env.environment.observation import (
    COMMON_KEYS,
    LONGEST_ID,
    LONGEST_NOTE,
    LONGEST_PLAN,
    MOST_ITEMS,
    Viewer,
)
from scholar_env.environment.spaces import INTEGER, Json, Unicode, array_of, object_of, string
from scholar_env.environment.text_view import COMMON_SECTIONS, listed
from scholar_env.episode.family import Detail, ObservationKey, Section
from scholar_env.episode.scholargym.facts import EpisodeFacts
from scholar_env.episode.trace import Outcome

_NODE = object_of(
    id=INTEGER,
    parent=INTEGER,
    link=string(16),
    text=string(LONGEST_NOTE),
    iteration=INTEGER,
    requested=INTEGER,
    retrieved=INTEGER,
    selected=INTEGER,
    pages=INTEGER,
    overview=string(LONGEST_NOTE),
)


def _tree(viewer: Viewer, episode: EpisodeFacts, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    overviews: dict[int, str] = {}
    for iteration in episode.trace.iterations:
        overviews.update(iteration.overviews)
    return [
        {**node, "text": node["text"][:LONGEST_NOTE], "overview": overviews.get(node["id"], "")[:LONGEST_NOTE]}
        for node in episode.tree.to_json()
    ]


def _selected(viewer: Viewer, episode: EpisodeFacts, outcomes: Sequence[Outcome]) -> list[str]:
    return list(episode.selected)


def _memory(viewer: Viewer, episode: EpisodeFacts, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    memory = episode.memory
    return {
        "checklist": memory.checklist[:LONGEST_NOTE],
        "experience": memory.experience[:LONGEST_NOTE],
        "history": [plan[:LONGEST_PLAN] for plan in memory.history],
    }


KEYS: Final[Mapping[str, ObservationKey]] = {
    **COMMON_KEYS,
    "tree": ObservationKey(lambda caps: Json(array_of(_NODE, MOST_ITEMS)), _tree),
    "selected": ObservationKey(lambda caps: Json(array_of(string(LONGEST_ID), MOST_ITEMS)), _selected),
    "memory": ObservationKey(
        lambda caps: spaces.Dict(
            {
                "checklist": Unicode(LONGEST_NOTE),
                "experience": Unicode(LONGEST_NOTE),
                "history": Json(array_of(string(LONGEST_PLAN), MOST_ITEMS)),
            }
        ),
        _memory,
    ),
}


def _tree_text(observation: Mapping[str, Any], detail: Detail) -> str:
    nodes = [_node_text(node) for node in observation.get("tree", ())]
    return listed("Subqueries", nodes, detail.nodes, newest=True) if nodes else ""


def _node_text(node: Mapping[str, Any]) -> str:
    line = (
        f"[{node['id']}] {node['link']} of [{node['parent']}], iteration {node['iteration']}: {node['text']} "
        f"({node['retrieved']} retrieved on {node['pages']} pages, {node['selected']} selected)"
    )
    return line + (f"\n    {node['overview']}" if node["overview"] else "")


def _selected_text(observation: Mapping[str, Any], detail: Detail) -> str:
    papers = [f"- {paper}" for paper in observation.get("selected", ())]
    return listed("Selected", papers, detail.results, newest=True) if papers else ""


def _checklist_text(observation: Mapping[str, Any], detail: Detail) -> str:
    checklist = observation.get("memory", {}).get("checklist")
    return f"Checklist: {checklist}" if checklist else ""


def _experience_text(observation: Mapping[str, Any], detail: Detail) -> str:
    memory = observation.get("memory", {})
    notes = memory.get("experience") or "\n".join(memory.get("history", ()))
    return f"Experience: {notes}" if notes else ""


SECTIONS: Final[Mapping[str, Section]] = {
    "question": COMMON_SECTIONS["question"],
    "before": COMMON_SECTIONS["before"],
    "budget": COMMON_SECTIONS["budget"],
    "tree": _tree_text,
    "results": COMMON_SECTIONS["results"],
    "document": COMMON_SECTIONS["document"],
    "selected": _selected_text,
    "checklist": _checklist_text,
    "experience": _experience_text,
    "feedback": COMMON_SECTIONS["feedback"],
    "error": COMMON_SECTIONS["error"],
}
