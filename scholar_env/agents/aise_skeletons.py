"""Plans with gaps: the sequences of API calls that questions over a knowledge graph come to, and how gaps are filled.

A gap is a text that begins with ``$``: what a question names (:class:`~scholar_env.agents.aise_question.Reading`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scholar_env.agents.aise_question import Reading

Step = dict[str, Any]
"""``{"name", "rely", "order", "params"}``."""


def step(name: str, order: int, rely: Sequence[str] = (), /, **params: Any) -> Step:
    """A step of a plan."""
    return {"name": name, "rely": list(rely), "order": order, "params": params}


AUTHOR = step("search_author_id", 1, name="$person", org="$org", interest=["$topic"])
AUTHOR_DETAIL = step("search_author_detail", 2, ["search_author_id"], ids=[])


def papers_of_author(**params: Any) -> list[Step]:
    """The steps that read papers of an author."""
    return [
        AUTHOR,
        step("search_paper_id", 2, ["search_author_id"], author_id="", **{"sort": "citation", **params}),
        step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[]),
    ]


def by_title(*more: Step) -> list[Step]:
    """The steps that read a paper by its title, and further ones."""
    return [
        step("search_paper_id", 1, titles=["$title"], sort="citation", size=1),
        step("search_paper_detail", 2, ["search_paper_id"], paper_ids=[]),
        *more,
    ]


def venue_steps(order: int) -> list[Step]:
    """The steps from a paper to the record of its venue."""
    return [
        step("search_venue_id", order, ["search_paper_detail"], name="", name_search_type="exact"),
        step("search_venue_detail", order + 1, ["search_venue_id"], ids=[]),
    ]


def experts(order: str, **params: Any) -> list[Step]:
    """The step that finds the first authors of a topic by a measure."""
    return [step("search_author_id", 1, interest=["$topic"], order=order, **params)]


def gaps(reading: Reading) -> dict[str, Any]:
    """What a question has for each gap; gaps that it has nothing for are missing."""
    found: dict[str, Any] = {}
    lists = {
        "person": reading.people, "org": reading.orgs, "venue": reading.venues, "topic": reading.topics,
        "title": reading.titles, "year": reading.years,
    }  # fmt: skip
    for name, values in lists.items():
        for number, value in enumerate(values, start=1):
            found[f"${name}" if number == 1 else f"${name}{number}"] = value
    if len(reading.years) > 1:
        low, high = min(reading.years), max(reading.years)
        found["$span"] = list(range(low, min(high, low + 49) + 1))
    if reading.count:
        found["$n"] = reading.count
    if reading.nation:
        found["$nation"] = reading.nation
    found.update({name: value for name, value in zip(("$source", "$rank"), reading.ranks, strict=True) if value})
    return found


def filled(skeleton: Sequence[Mapping[str, Any]], reading: Reading) -> list[Step]:
    """A plan whose gaps are filled; parameters whose gap the question has nothing for are left out."""
    known = gaps(reading)
    return [{**entry, "params": _filled(entry["params"], known)} for entry in skeleton]


_NOTHING = object()


def _filled(params: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: _value(value, known) for name, value in params.items()}
    return {name: value for name, value in values.items() if value is not _NOTHING}


def _value(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        return known.get(value, _NOTHING)
    if isinstance(value, list) and value:
        items = [_value(item, known) for item in value]
        kept = [item for item in items if item is not _NOTHING]
        return kept or _NOTHING
    return value
