"""Calls of the APIs: released names of parameters, checks, and error results in place of exceptions.

A call never raises for what is in it: an unknown API or parameter, a wrong type, a list that is too long, a size above
the maximum, or an id of another form comes back as an error result with ``success`` false, a code, the parameter and a
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scholar_env.episode.aise.apis import APIS, DECLARED
from scholar_env.episode.aise.attempts import failure
from scholar_env.episode.checks import Validator, compile_validator
from scholar_env.episode.plain_json import clip
from scholar_env.episode.schema import ActionError
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import ID_PATTERN

RELEASED_NAMES: Final[dict[str, dict[str, str]]] = {
    "search_paper_id": {
        "title": "titles", "keyword": "keywords", "year": "years", "author_name": "author", "name": "author",
        "coauthor": "coauthors", "venue": "venues", "venue_id": "venue_ids",
    },
    "search_paper_id_gs": {"title": "query", "keywords": "query"},
    "search_paper_detail": {"ids": "paper_ids", "paper_id": "paper_ids", "id": "paper_ids"},
    "search_author_id": {"author": "name", "interests": "interest", "country": "nation", "organization": "org"},
    "search_author_detail": {"author_ids": "ids", "author_id": "ids", "id": "ids"},
    "search_venue_id": {"venue": "name", "venue_name": "name", "keyword": "keywords"},
    "search_venue_detail": {"venue_ids": "ids", "venue_id": "ids", "id": "ids"},
    "search_org_id": {"name": "orgs", "names": "orgs", "org": "orgs", "org_name": "orgs"},
    "search_org_detail": {"org_ids": "ids", "org_id": "ids", "id": "ids"},
}  # fmt: skip
"""Names under which the release's prompts, clients and files call parameters -> canonical names."""

DROPPED: Final[dict[str, tuple[str, ...]]] = {"search_paper_id": ("use_topic",)}
"""Parameters of the release that its client never sends."""

_KINDS = {(api.name, argument.name): argument.kind for api in DECLARED for argument in api.arguments}
_VALIDATORS: dict[str, Validator] = {
    api.name: compile_validator(api.name, api.arguments, api.example) for api in DECLARED
}
_ID_PARAMETERS = ("author_id", "org_id", "venue_ids", "paper_ids", "ids")


def name_of(api: str, parameter: str) -> str:
    """The canonical name of a parameter; unknown ones stay as they are."""
    return RELEASED_NAMES.get(api, {}).get(parameter, parameter)


def canonical(api: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters under their canonical names and in their canonical form.

    A released name gives way to a canonical one that is there, too. Where a list is wanted, one value under a released
    name becomes a list, and co-authors in one text are split at commas, as the release sends them. Empty values
    of known parameters are left out.
    """
    found: dict[str, Any] = {}
    for name, value in params.items():
        target = name_of(api, name)
        if name in DROPPED.get(api, ()) or (target != name and target in params):
            continue
        if (api, target) not in _KINDS or (value is not None and value != ""):
            found[target] = _in_form(api, target, value, released=target != name)
    return found


def _in_form(api: str, name: str, value: Any, *, released: bool) -> Any:
    kind = _KINDS.get((api, name))
    if name == "coauthors" and isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if released and kind in ("strings", "integers") and isinstance(value, str | int):
        return [value]
    if released and kind == "string" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return value


class KnowledgeApis:
    """The nine APIs over one graph. Threads may call at once.

    Args:
        graph: The knowledge graph.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph

    def __call__(self, name: str, params: Mapping[str, Any]) -> Any:
        """Calls an API.

        Args:
            name: Its name.
            params: Parameters under canonical or released names.

        Returns:
            The result as JSON; an error result where something is wrong with the call.
        """
        clean, problem = check_call(name, params)
        return APIS[name].run(self.graph, clean) if problem is None else problem


def check_call(name: Any, params: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Complete and clean parameters of a call, and the error result of the first thing wrong with it, or None."""
    problem = _call_problem(name, params)
    if problem is not None:
        return {}, problem
    given = canonical(name, params)
    clean = _VALIDATORS[name](given)
    if isinstance(clean, ActionError):
        return {}, failure(clean.code, clean.message, api=name, parameter=_culprit(name, given, clean.code))
    problem = _empty_problem(name, given, clean) or _id_problem(name, clean)
    return ({}, problem) if problem else (clean, None)


def _call_problem(name: Any, params: Any) -> dict[str, Any] | None:
    if not isinstance(name, str) or name not in APIS:
        return failure("unknown_api", f"there is no API {clip(str(name), 40)!r}; there is: {', '.join(APIS)}")
    if not isinstance(params, Mapping) or not all(isinstance(key, str) for key in params):
        return failure("wrong_type", f"{name}: the parameters must be an object", api=name)
    return None


def _empty_problem(name: str, given: Mapping[str, Any], clean: Mapping[str, Any]) -> dict[str, Any] | None:
    """Whether a call asks for nothing at all."""
    api = APIS[name]
    if api.needs and not any(parameter in given and given[parameter] not in ([], "") for parameter in api.needs):
        message = f"{name}: at least one of {', '.join(api.needs)} must be given"
        return failure("missing_argument", message, api=name, parameter=api.needs[0])
    for argument in api.arguments:
        if argument.kind == "strings" and argument.required and not clean[argument.name]:
            message = f"{name}: {argument.name} must not be empty"
            return failure("out_of_range", message, api=name, parameter=argument.name)
    return None


def _id_problem(api: str, clean: Mapping[str, Any]) -> dict[str, Any] | None:
    for parameter in _ID_PARAMETERS:
        value = clean.get(parameter)
        for identifier in value if isinstance(value, list) else [value] if value else []:
            if not re.fullmatch(ID_PATTERN, identifier.strip().lower()):
                message = f"{api}: {parameter} holds {clip(identifier, 60)!r}, an id has 24 hex digits"
                return failure("bad_id", message, api=api, parameter=parameter)
    return None


def _culprit(api: str, given: Mapping[str, Any], code: str) -> str:
    """The parameter that an error is about."""
    for name, value in given.items():
        problem = _VALIDATORS[api]({name: value})
        if isinstance(problem, ActionError) and problem.code == code:
            return name
    return next(
        (argument.name for argument in APIS[api].arguments if argument.required and argument.name not in given), ""
    )
