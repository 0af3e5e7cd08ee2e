"""Where the parameters of a dependent step come from: a rule over earlier results, a named callable, or the agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scholar_env.episode.aise.plan import Step, base_name
from scholar_env.episode.plain_json import NotJsonError, loads, plain
from scholar_env.errors import InvalidOptionError
from scholar_env.named import named


@dataclass(frozen=True, slots=True)
class FillRequest:
    """What is known when the parameters of a dependent step are needed.

    Attributes:
        step: The step.
        draft: Its parameters as the plan has them.
        results: Results of the steps that it relies on, by their names.
    """

    step: Step
    draft: dict[str, Any]
    results: Mapping[str, Any]


Filler = Callable[[FillRequest], Any]
"""Gives the parameters as an object or as its JSON text, or None to leave them to the agent."""


def filler(name: str) -> Filler:
    """The filler of a name: ``rule``, ``agent``, or ``package.module:function``.

    Raises:
        InvalidOptionError: There is no such function.
    """
    if name == "rule":
        return fill_by_rule
    if name == "agent":
        return leave_to_agent
    try:
        found = cast(Filler, named(name))
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidOptionError(
            f"filler={name!r} ({error})", "a filler is rule, agent or package.module:function", "name one of these"
        ) from error

    def fill(request: FillRequest) -> Any:
        reply = found(request)
        return plain(dict(reply) if isinstance(reply, Mapping) else reply)

    return fill


def leave_to_agent(request: FillRequest) -> None:
    """Leaves the parameters of a dependent step to the agent, unless the draft has no gap."""


def read_parameters(reply: Any) -> dict[str, Any] | str:
    """Parameters as a filler gave them, or what is wrong with them. Text is read as JSON, never evaluated."""
    if isinstance(reply, str):
        text = reply.strip()
        if text.startswith("```"):
            text = text.strip("`").removeprefix("json").strip()
        try:
            reply = loads(text)
        except NotJsonError as error:
            return f"the filled parameters are no JSON ({error})"
    if not isinstance(reply, Mapping) or not all(isinstance(key, str) for key in reply):
        return f"the filled parameters are of type {type(reply).__name__}, they must be an object"
    return dict(reply)


AUTHOR, PAPER, VENUE, ORG = "author", "paper", "venue", "org"

SLOTS: dict[str, dict[str, tuple[str, bool]]] = {
    "search_paper_id": {
        "author_id": (AUTHOR, False),
        "org_id": (ORG, False),
        "venue_ids": (VENUE, True),
        "coauthors": ("author name", True),
    },
    "search_paper_detail": {"paper_ids": (PAPER, True)},
    "search_author_id": {"org": ("org name", False)},
    "search_author_detail": {"ids": (AUTHOR, True), "author_ids": (AUTHOR, True)},
    "search_venue_id": {"name": ("venue name", False)},
    "search_venue_detail": {"ids": (VENUE, True), "venue_ids": (VENUE, True)},
    "search_org_id": {"orgs": ("org name", True)},
    "search_org_detail": {"ids": (ORG, True), "org_ids": (ORG, True)},
}
"""Parameter of an API -> what it takes from earlier results, and whether it takes all of them or the first."""

PREFERRED = {
    "search_paper_id": ("author_id", "venue_ids", "org_id"),
    "search_paper_detail": ("paper_ids",),
    "search_author_detail": ("ids",),
    "search_venue_detail": ("ids",),
    "search_org_detail": ("ids",),
    "search_author_id": ("org",),
    "search_venue_id": ("name",),
    "search_org_id": ("orgs",),
}
"""What is filled where the draft has no empty parameter: the first that the results hold something for."""

MOST_IDS = 100
"""Ids that a rule passes on at most."""


def fill_by_rule(request: FillRequest) -> dict[str, Any]:
    """Fills the empty parameters of a draft with the ids and names that the results hold, in their order.

    What the draft says stays. Where the draft has no empty parameter, the API's first parameter that the results hold
    something for is added, unless the draft names it already.
    """
    api = request.step.api
    slots = SLOTS.get(api, {})
    filled = dict(request.draft)
    open_ = [name for name in slots if name in filled and is_empty(filled[name])]
    if not open_:
        open_ = [name for name in PREFERRED.get(api, ()) if not set(slots) & set(filled)]
    for name in open_:
        kind, takes_all = slots[name]
        values = list(dict.fromkeys(found_in(request.results, kind)))[:MOST_IDS]
        if values:
            filled[name] = values if takes_all else values[0]
            if name not in request.draft:
                break
    return filled


def is_empty(value: Any) -> bool:
    """Whether a parameter says nothing: null, an empty text, list or object, or a list of such."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, Mapping | Sequence):
        return not value or (not isinstance(value, Mapping) and all(is_empty(item) for item in value))
    return value is None


def found_in(results: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Ids or names of a kind in the results of steps, in their order."""
    for name, result in results.items():
        api = base_name(name)
        if kind == PAPER and api in ("search_paper_id", "search_paper_id_gs"):
            yield from _texts(_inside(result, "data", "paper_ids"))
            continue
        for record in records_of(result):
            yield from _from_record(api, record, kind)


def records_of(result: Any) -> list[Mapping[str, Any]]:
    """The objects that a result lists: itself a list, or with one under ``data``."""
    listed = result.get("data") if isinstance(result, Mapping) else result
    return [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []


def _from_record(api: str, record: Mapping[str, Any], kind: str) -> list[str]:
    authors = record.get("authors")
    people = [entry for entry in authors if isinstance(entry, Mapping)] if isinstance(authors, list) else []
    of_author = api.startswith("search_author")
    table: dict[str, list[Any]] = {
        PAPER: [record.get("paper_id")],
        AUTHOR: [record.get("id")] if of_author else [entry.get("author_id") for entry in people],
        VENUE: [record.get("id")] if api.startswith("search_venue") else [],
        ORG: [record.get("id")] if api.startswith("search_org") else _orgs(record, people),
        "author name": [record.get("name")] if of_author else [entry.get("author") for entry in people],
        "venue name": [record.get("name") if api.startswith("search_venue") else record.get("venue")],
        "org name": [record.get("name")]
        if api.startswith("search_org")
        else [record.get("org"), *_list(record, "orgs")],
    }
    return _texts(table[kind])


def _orgs(record: Mapping[str, Any], people: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [record.get("org_id"), *(entry.get("org_id") for entry in people)]


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name)
    return value if isinstance(value, list) else []


def _inside(result: Any, *path: str) -> Any:
    for name in path:
        result = result.get(name) if isinstance(result, Mapping) else None
    return result


def _texts(values: Any) -> list[str]:
    return [value for value in values if isinstance(value, str) and value] if isinstance(values, list) else []
