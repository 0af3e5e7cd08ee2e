"""The tools of AISE-Bench: the nine APIs, a plan of calls, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.aise.apis import DECLARED
from scholar_env.episode.aise.plan import read_plan
from scholar_env.episode.arguments import REASON
from scholar_env.episode.schema import ActionError, Argument
from scholar_env.episode.tool import Tool, by_name

if TYPE_CHECKING:
    from scholar_env.episode.aise.engine import AiseEpisode

MOST_STEPS: Final = 50

STEP_FIELDS: Final = (
    Argument("name", "string", "an API, numbered (1), (2), … where the plan calls it more than once", max_length=100),
    Argument("rely", "strings", "names of the steps whose results it needs", required=False, max_length=MOST_STEPS),
    Argument("order", "integer", "when it runs, from 1 on", required=False, default=0, minimum=0, maximum=1000),
    Argument(
        "params", "object", "parameters; empty values come from the steps that it relies on", required=False,
        max_length=20_000,
    ),
)  # fmt: skip
STEPS: Final = Argument(
    "steps", "entries", "the calls of the plan", min_length=1, max_length=MOST_STEPS, items=STEP_FIELDS
)
PLAN_EXAMPLE: Final[dict[str, Any]] = {
    "steps": [
        {"name": "search_author_id", "rely": [], "order": 1, "params": {"name": "Jia Wang", "interest": ["genomics"]}},
        {"name": "search_author_detail", "rely": ["search_author_id"], "order": 2, "params": {"ids": []}},
    ]
}
ANSWER_EXAMPLE: Final[dict[str, Any]] = {
    "answer": "Jia Wang[1] has published 22 papers.",
    "reference": {"[1]": "https://www.aminer.cn/profile/53e9af26b7602d97039635be"},
}


@dataclass(frozen=True)
class ApiCall:
    """Handler that calls one API; the arguments come as they are, so that released names and forms are understood."""

    api: str

    def __call__(self, episode: AiseEpisode, arguments: Mapping[str, Any]) -> None:
        """Calls the API."""
        episode.call_api(self.api, arguments)


def call_plan(episode: AiseEpisode, arguments: Mapping[str, Any]) -> None:
    """Runs a plan."""
    steps, problems = read_plan(arguments["steps"])
    if not any(step.name for step in steps):
        problem = problems[0].message if problems else "no step has a name"
        raise ActionError("no_steps", f"call_plan: {problem}")
    episode.run_plan([step for step in steps if step.name], problems)


def answer(episode: AiseEpisode, arguments: Mapping[str, Any]) -> None:
    """Finishes with an answer."""
    state = episode.state
    state.answer, state.reference = arguments["answer"], dict(arguments["reference"])
    state.forced = bool(episode.budget()["answer_only"])
    episode.finish("answered")


def abstain(episode: AiseEpisode, arguments: Mapping[str, Any]) -> None:
    """Finishes without an answer."""
    episode.finish("abstained")


TOOLS: Final[Mapping[str, Tool]] = by_name(
    (
        *(
            Tool(api.name, api.description, api.arguments, ApiCall(api.name), api.example, checked=False)
            for api in DECLARED
        ),
        Tool("call_plan", "Runs several API calls as a plan; later steps take ids from earlier ones.", (STEPS,),
             call_plan, PLAN_EXAMPLE),
        Tool(
            "answer",
            "Finishes with the answer: text with markers [1], [2], …, and a link for each marker.",
            (
                Argument("answer", "string", "text in the language of the question, with markers", max_length=20_000),
                Argument("reference", "object", "marker -> link", max_length=50_000),
            ),
            answer,
            ANSWER_EXAMPLE,
            charged=False,
        ),
        Tool("abstain", "Finishes without an answer.", (REASON,), abstain, {"reason": "nothing found"}, charged=False),
    )
)  # fmt: skip
"""All tools by name."""

API_TOOLS: Final = frozenset({*(api.name for api in DECLARED), "call_plan"})
"""Tools that make API calls."""
