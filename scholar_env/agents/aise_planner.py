"""Template planner: picks a plan by rules over the question, runs it once, and words what came."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scholar_env.agents.aise_answers import compose, loaded
from scholar_env.agents.aise_question import Reading, read_question
from scholar_env.agents.aise_skeletons import (
    AUTHOR,
    AUTHOR_DETAIL,
    Step,
    by_title,
    experts,
    filled,
    papers_of_author,
    step,
    venue_steps,
)
from scholar_env.agents.base import Call, Observation, call

Plan = Callable[[Reading], Sequence[Step]]

READ = step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[])
TWO_AUTHORS = (
    step("search_author_id(1)", 1, name="$person", org="$org", interest=["$topic"]),
    step("search_author_id(2)", 1, name="$person2", org="$org2", interest=["$topic2"]),
    step("search_author_detail", 2, ["search_author_id(1)", "search_author_id(2)"], ids=[]),
)
VENUES_OF_RANK = step("search_venue_id", 1, category="$topic", category_source="$source", quartile="$rank")


def plan_for(reading: Reading) -> list[Step]:
    """The plan for a question: the first of the rules that fits, with its gaps filled."""
    for fits, plan in _RULES:
        if fits(reading):
            return filled(plan(reading), reading)
    return []


def _title(reading: Reading) -> Sequence[Step]:
    cues = reading.cues
    if "scholar" in cues:
        return [
            step("search_paper_id_gs", 1, query="$title"),
            step("search_paper_detail", 2, ["search_paper_id_gs"], paper_ids=[]),
        ]
    if "level" in cues:
        return by_title(*venue_steps(3))
    if "institution" in cues and "h_index" not in cues:
        return by_title(step("search_org_detail", 3, ["search_paper_detail"], ids=[]))
    if "authors" in cues or "h_index" in cues:
        return by_title(step("search_author_detail", 3, ["search_paper_detail"], ids=[]))
    return by_title()


def _person(reading: Reading) -> Sequence[Step]:
    cues = reading.cues
    if "coauthors" in cues and "together" not in cues:
        base = papers_of_author()
        if "institution" in cues or "founded" in cues:
            return [
                *base,
                step("search_author_detail", 4, ["search_paper_detail"], ids=[]),
                step("search_org_detail", 5, ["search_author_detail"], ids=[]),
            ]
        if "h_index" in cues or reading.topics[1:]:
            return [*base, step("search_author_detail", 4, ["search_paper_detail"], ids=[])]
        return base
    if len(reading.people) > 1:
        if "compare" in cues and "together" not in cues and "papers" not in cues:
            return TWO_AUTHORS
        joint = papers_of_author(coauthors=["$person2"], **({"size": 1} if "best" in cues else {}))
        return [*joint, *venue_steps(4)] if "level" in cues else joint
    if "latest" in cues or "best" in cues:
        base = papers_of_author(sort="year" if "latest" in cues else "citation", size=1)
        if "level" in cues:
            return [*base, *venue_steps(4)]
        if "institution" in cues:
            return [*base, step("search_org_detail", 4, ["search_paper_detail"], ids=[])]
        return base
    if "institution" in cues or "country" in cues:
        if "position" in cues or "founded" not in cues:
            return [AUTHOR, AUTHOR_DETAIL, step("search_org_detail", 3, ["search_author_detail"], ids=[])]
        return [AUTHOR, step("search_org_detail", 2, ["search_author_id"], ids=[])]
    if {"position", "interests", "h_index", "citations", "n_papers"} & cues:
        return [AUTHOR, AUTHOR_DETAIL]
    if reading.venues:
        return [
            AUTHOR,
            step("search_venue_id", 1, name="$venue", name_search_type="exact"),
            step(
                "search_paper_id", 2, ["search_author_id", "search_venue_id"], author_id="", venue_ids=[],
                sort="citation",
            ),
            READ,
        ]  # fmt: skip
    if len(reading.years) > 1:
        return papers_of_author(years="$span")
    if reading.topics[1:] or (reading.topics and reading.orgs):
        return papers_of_author(keywords=["$topic2" if reading.topics[1:] else "$topic"])
    return papers_of_author() if "papers" in cues else [AUTHOR, AUTHOR_DETAIL]


def _venue(reading: Reading) -> Sequence[Step]:
    cues = reading.cues
    if reading.venues[1:] and "compare" in cues:
        return [
            step("search_venue_id(1)", 1, name="$venue", name_search_type="exact"),
            step("search_venue_id(2)", 1, name="$venue2", name_search_type="exact"),
            step("search_venue_detail", 2, ["search_venue_id(1)", "search_venue_id(2)"], ids=[]),
        ]
    found = step("search_venue_id", 1, name="$venue", name_search_type="exact")
    if reading.years or "best" in cues or reading.count:
        params: dict[str, Any] = {"years": ["$year"], "keywords": ["$topic"]} if reading.years else {"size": "$n"}
        return [found, step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], sort="citation", **params), READ]
    return [found, step("search_venue_detail", 2, ["search_venue_id"], ids=[])]


def _org(reading: Reading) -> Sequence[Step]:
    cues = reading.cues
    if reading.orgs[1:]:
        return [
            step("search_org_id", 1, orgs=["$org", "$org2"]),
            step("search_org_detail", 2, ["search_org_id"], ids=[]),
        ]
    if reading.topics and "papers" in cues:
        plan = [
            step("search_org_id", 1, orgs=["$org"]),
            step("search_paper_id", 2, ["search_org_id"], org_id="", keywords=["$topic"], sort="citation"),
            READ,
        ]
        return [*plan, step("search_author_detail", 4, ["search_paper_detail"], ids=[])] if "h_index" in cues else plan
    if reading.topics and "founded" not in cues:
        return [step("search_author_id", 1, org="$org", interest=["$topic"]), AUTHOR_DETAIL]
    return [step("search_org_id", 1, orgs=["$org"]), step("search_org_detail", 2, ["search_org_id"], ids=[])]


def _topic(reading: Reading) -> Sequence[Step]:
    cues = reading.cues
    if reading.ranks[1] and "papers" in cues and "list_venues" not in cues:
        topic = "$topic2" if reading.topics[1:] else "$topic"
        params = {"keywords": [topic], "sort": "citation", "size": "$n"}
        papers = step("search_paper_id", 2, ["search_venue_id"], venue_ids=[], **params)
        return [VENUES_OF_RANK, papers, READ]
    if reading.ranks[1]:
        return [VENUES_OF_RANK, step("search_venue_detail", 2, ["search_venue_id"], ids=[])]
    if "cited_scholar" in cues or "prolific" in cues:
        return _expert(reading)
    if reading.years[1:] and "count" in cues:
        return [
            step("search_paper_id(1)", 1, keywords=["$topic"], years=["$year"], sort="citation"),
            step("search_paper_id(2)", 1, keywords=["$topic"], years=["$year2"], sort="citation"),
            step("search_paper_detail", 2, ["search_paper_id(1)", "search_paper_id(2)"], paper_ids=[]),
        ]
    if "h_index" in cues and "institution" in cues:
        found = experts("h_index", size="$n")
        return [*found, AUTHOR_DETAIL, step("search_org_detail", 3, ["search_author_detail"], ids=[])]
    if "h_index" in cues or "top" in cues:
        return [*experts("h_index", size="$n"), AUTHOR_DETAIL]
    if reading.nation or ("researchers" in cues and "papers" not in cues):
        return [step("search_author_id", 1, interest=["$topic"], nation=["$nation"]), AUTHOR_DETAIL]
    sort = "year" if "latest" in cues else "citation"
    return [
        step("search_paper_id", 1, keywords=["$topic"], years=["$year"], sort=sort, size="$n"),
        step("search_paper_detail", 2, ["search_paper_id"], paper_ids=[]),
    ]


def _expert(reading: Reading) -> Sequence[Step]:
    """The foremost author of a topic, and what is asked about their papers."""
    cues = reading.cues
    order = "n_pubs" if "prolific" in cues else "n_citation"
    found = experts(order, size=1)
    if "latest" not in cues and "best" not in cues and not {"level", "institution"} & cues:
        return [*found, AUTHOR_DETAIL]
    sort = "year" if "latest" in cues else "citation"
    papers = [
        step("search_paper_id", 2, ["search_author_id"], author_id="", sort=sort, size=1),
        step("search_paper_detail", 3, ["search_paper_id"], paper_ids=[]),
    ]
    if "level" in cues:
        return [*found, *papers, *venue_steps(4)]
    if "institution" in cues:
        detail = step("search_author_detail", 4, ["search_paper_detail"], ids=[])
        return [*found, *papers, detail, step("search_org_detail", 5, ["search_author_detail"], ids=[])]
    if "position" in cues:
        return [*found, *papers, step("search_author_detail", 4, ["search_paper_detail"], ids=[])]
    return [*found, *papers]


_RULES: tuple[tuple[Callable[[Reading], bool], Plan], ...] = (
    (lambda reading: bool(reading.titles), _title),
    (lambda reading: bool(reading.people), _person),
    (lambda reading: bool(reading.venues) and not reading.ranks[1], _venue),
    (lambda reading: bool(reading.orgs), _org),
    (lambda reading: bool(reading.topics), _topic),
)


class AisePlannerAgent:
    """Plans by rules over the question, runs the plan in one call, and words its results."""

    needs_gold = False

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._asked = False

    def plan(self, reading: Reading) -> list[Step]:
        """The plan for a question."""
        return plan_for(reading)

    def act(self, observation: Observation) -> Call:
        """Runs the plan, then answers with what its steps brought."""
        reading = read_question(str(observation["question"]))
        if not self._asked:
            self._asked = True
            steps = self.plan(reading)
            return call("call_plan", steps=steps) if steps else call("abstain", reason="no rule fits")
        answer = compose(reading, results_of(observation))
        return call("answer", **answer)


def results_of(observation: Observation) -> list[tuple[str, Any]]:
    """API and result of each call of the last step that went well."""
    shown: Sequence[Mapping[str, Any]] = observation["api_results"]
    return [(entry["api"], loaded(entry["result"])) for entry in shown if entry["status"] == "completed"]
