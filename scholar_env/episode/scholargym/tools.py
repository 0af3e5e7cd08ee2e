"""The tools of ScholarGym."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from scholar_env.episode.arguments import BEFORE, OFFSET, PAPER, READ_ARGUMENTS, REASON, TEXT, K, optional_text
from scholar_env.episode.schema import Argument
from scholar_env.episode.scholargym import actions, reading
from scholar_env.episode.scholargym.config import EpisodeConfig
from scholar_env.episode.scholargym.requests import ENTRY_EXAMPLE, ENTRY_FIELDS, SOURCE
from scholar_env.episode.scholargym.upstream import run_plan
from scholar_env.episode.tool import Tool, by_name

PLAN_ARGUMENTS: Final = (
    Argument(
        "subqueries", "entries", "entries with link, source, text and k; [] ends the search",
        required=False, max_length=100, items=ENTRY_FIELDS,
    ),
    optional_text("checklist", "criteria for selecting papers", 8000),
    optional_text("experience", "notes to keep for the next iterations", 20000, aliases=("experience_replay",)),
    Argument("complete", "boolean", "true ends the search", required=False, default=False, aliases=("is_complete",)),
)  # fmt: skip
SELECT_ARGUMENTS: Final = (
    Argument("subquery", "integer", "id of the subquery", minimum=1),
    Argument("papers", "strings", "ids to keep", max_length=1000),
    optional_text("overview", "remark on the page", 8000),
)
ANSWER: Final = Argument(
    "papers", "strings", "ids of the answer; leave out for the selected papers", required=False, max_length=5000
)
PAGE_EXAMPLE: Final[dict[str, Any]] = {"source": 0, "text": "sparse retrieval", "k": 10}
PLAN_EXAMPLE: Final[dict[str, Any]] = {
    "subqueries": [ENTRY_EXAMPLE],
    "checklist": "",
    "experience": "",
    "complete": False,
}
DECLARED: Final = (
    Tool(
        "derive",
        "Search a narrower subquery made from a subquery or from the question (0).",
        (SOURCE, TEXT, K),
        actions.derive,
        PAGE_EXAMPLE,
    ),
    Tool(
        "expand",
        "Search a sideways subquery made from a subquery or from the question (0).",
        (SOURCE, TEXT, K),
        actions.expand,
        PAGE_EXAMPLE,
    ),
    Tool(
        "continue",
        "Fetch the next page of a subquery.",
        (Argument("source", "integer", "id of the subquery to page on", minimum=0, aliases=("source_id",)), K),
        actions.continue_search,
        {"source": 1, "k": 10},
    ),
    Tool(
        "plan",
        "Run a whole iteration of subqueries; an empty list or complete=true ends the search.",
        PLAN_ARGUMENTS,
        actions.plan,
        PLAN_EXAMPLE,
    ),
    Tool(
        "select",
        "Keep papers of a subquery's pages in the open iteration, in place of an earlier select; others are discarded.",
        SELECT_ARGUMENTS,
        actions.select,
        {"subquery": 1, "papers": ["2101.00001"]},
    ),
    Tool(
        "browse",
        "Read a paper of the open iteration for a goal and get a summary.",
        (PAPER, optional_text("goal", "what to find out", 1000)),
        reading.browse,
        {"paper": "2101.00001", "goal": "which data was used?"},
    ),
    Tool(
        "next_iteration",
        "Close the open iteration; without a search in it the episode ends.",
        (),
        actions.next_iteration,
        {},
    ),
    Tool(
        "search",
        "Search the corpus for words, from an offset on.",
        (TEXT, K, OFFSET, BEFORE),
        actions.search,
        {"text": "sparse retrieval", "k": 10, "offset": 0},
    ),
    Tool(
        "read",
        "Show a paper: abstract and section titles, or one section.",
        READ_ARGUMENTS,
        reading.read,
        {"paper": "2101.00001"},
        mutates=False,
    ),
    Tool(
        "answer",
        "Finish with the selected papers, or with the given ones among those retrieved.",
        (ANSWER,),
        actions.answer,
        {},
    ),
    Tool(
        "abstain",
        "Finish without an answer.",
        (REASON,),
        actions.abstain,
        {"reason": "nothing fits"},
    ),
)
TOOLS: Final = by_name(DECLARED)
RELEASED_PLAN: Final = replace(TOOLS["plan"], handler=run_plan, checked=False)
"""``plan`` of the released workflow, whose planner takes its reply as it is."""


def offered(config: EpisodeConfig) -> tuple[str, ...]:
    """Returns the names of the tools that an episode with these options takes, in the order of declaration.

    ``select`` and ``browse`` belong to the agent assessor, ``browse`` to the browsing modes. The released workflow
    knows plans and, for an agent assessor, selections; finishing early is possible all the same.
    """
    names = ["plan", "answer", "abstain"]
    if not config.upstream:
        names += ["derive", "expand", "continue", "search", "read", "next_iteration"]
    if config.agent_selects:
        names += ["select", "next_iteration"]
        if config.browser_mode != "NONE":
            names.append("browse")
    return tuple(name for name in TOOLS if name in names)


def tools_of(config: EpisodeConfig) -> dict[str, Tool]:
    """Returns the tools that an episode with these options takes, by name in the order of declaration."""
    tools = {name: TOOLS[name] for name in offered(config)}
    return {**tools, "plan": RELEASED_PLAN} if config.upstream else tools
