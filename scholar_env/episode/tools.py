"""The tools, each declared once: name, one line, typed arguments, handler. Schemas, chat tools and checks follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode import actions, reading
from scholar_env.episode.config import EpisodeConfig
from scholar_env.episode.requests import ENTRY_EXAMPLE, ENTRY_FIELDS, SOURCE, TEXT, K
from scholar_env.episode.schema import ActionError, Argument, Validator, compile_validator, object_schema

if TYPE_CHECKING:
    from scholar_env.episode.engine import Episode

Handler = Callable[["Episode", Mapping[str, Any]], None]
METHOD_NAMES: Final = {"continue": "continue_search"}
"""Names for adapters whose tools are methods, where a tool's own name is a Python keyword."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: Name in the call.
        description: One line for the agent.
        arguments: Its arguments in order.
        handler: What it does.
        example: Arguments of a right call, shown in errors.
        mutates: Whether it can change the episode beyond the counters.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    handler: Handler
    example: dict[str, Any]
    mutates: bool = True
    _validate: Validator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        example = {"name": self.name, "arguments": self.example}
        object.__setattr__(self, "_validate", compile_validator(self.name, self.arguments, example))

    def __reduce__(self) -> tuple[Callable[[str], Tool], tuple[str]]:
        return tool_named, (self.name,)  # handlers and compiled checks stay in this module

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any] | ActionError:
        """Checks plain JSON arguments; returns them complete and clean, or the first thing wrong."""
        return self._validate(arguments)

    def json_schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the arguments."""
        return object_schema(self.arguments)


def _text(name: str, description: str, max_length: int, *, aliases: tuple[str, ...] = ()) -> Argument:
    """An optional text."""
    return Argument(name, "string", description, required=False, default="", max_length=max_length, aliases=aliases)


PAPER: Final = Argument("paper", "string", "paper id as shown in the results", min_length=1, max_length=200)
BEFORE: Final = Argument(
    "before", "string", "newest month YYYY-MM; can only tighten the task's bound", required=False, default="",
    pattern=r"\d{4}-(0[1-9]|1[0-2])(-\d{2})?", pattern_hint="a month as YYYY-MM",
)  # fmt: skip
OFFSET: Final = Argument("offset", "integer", "results to skip", required=False, default=0, minimum=0)
PLAN_ARGUMENTS: Final = (
    Argument(
        "subqueries", "entries", "entries with link, source, text and k; [] ends the search",
        required=False, max_length=100, items=ENTRY_FIELDS,
    ),
    _text("checklist", "criteria for selecting papers", 8000),
    _text("experience", "notes to keep for the next iterations", 20000, aliases=("experience_replay",)),
    Argument("complete", "boolean", "true ends the search", required=False, default=False, aliases=("is_complete",)),
)  # fmt: skip
SELECT_ARGUMENTS: Final = (
    Argument("subquery", "integer", "id of the subquery", minimum=1),
    Argument("papers", "strings", "ids to keep", max_length=1000),
    _text("overview", "remark on the page", 8000),
)
READ_ARGUMENTS: Final = (
    PAPER,
    _text("section", "title or number of a section", 500),
    Argument("offset", "integer", "characters to skip", required=False, default=0, minimum=0),
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
        (PAPER, _text("goal", "what to find out", 1000)),
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
        (_text("reason", "why", 2000),),
        actions.abstain,
        {"reason": "nothing fits"},
    ),
)
TOOLS: Final[dict[str, Tool]] = {tool.name: tool for tool in DECLARED}


def tool_named(name: str) -> Tool:
    """Returns the tool of that name.

    Raises:
        KeyError: There is none.
    """
    return TOOLS[name]


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


def openai_tools(names: Iterable[str]) -> list[dict[str, Any]]:
    """Returns the chat-completion tool list for these tools."""
    return [
        {
            "type": "function",
            "function": {"name": name, "description": TOOLS[name].description, "parameters": TOOLS[name].json_schema()},
        }
        for name in names
    ]
