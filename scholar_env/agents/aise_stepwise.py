"""Step-by-step caller: makes one call at a time, looks at what came, and tries another way where nothing did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scholar_env.agents.aise_answers import compose, loaded, records_of
from scholar_env.agents.aise_planner import plan_for
from scholar_env.agents.aise_question import read_question
from scholar_env.agents.aise_skeletons import Step
from scholar_env.agents.base import Call, Observation, call

_SLOTS = {"author_id": "author", "org_id": "org", "venue_ids": "venue", "paper_ids": "paper"}
_KIND = {"search_author_detail": "author", "search_venue_detail": "venue", "search_org_detail": "org"}
_MOST_IDS = 20


class AiseStepwiseAgent:
    """Makes the calls of the template planner one by one.

    Ids come from the records that were shown. Where a search for an author finds nobody, it is made again with the name
    alone; a title that the paper search misses goes to the second search.
    """

    needs_gold = False

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts anew; there is nothing to draw."""
        del seed
        self._plan: list[Step] | None = None
        self._done: list[tuple[str, Any]] = []
        self._last: tuple[str, dict[str, Any]] | None = None
        self._retried = False

    def act(self, observation: Observation) -> Call:
        """Makes the next call, or answers."""
        reading = read_question(str(observation["question"]))
        if self._plan is None:
            self._plan = plan_for(reading)
        again = self._look(observation)
        if again is not None:
            return again
        while self._plan and int(observation["budget"]["calls"]) > 0:
            step = self._plan.pop(0)
            api = str(step["name"]).partition("(")[0]
            params = self._filled(api, step)
            if params is not None:
                self._last = (api, params)
                return call(api, **params)
        return call("answer", **compose(reading, self._done)) if self._done else call("abstain", reason="nothing found")

    def _look(self, observation: Observation) -> Call | None:
        """Takes the last result; returns another try where it is empty."""
        if self._last is None or not observation["api_results"]:
            return None
        shown = observation["api_results"][-1]
        api, params = self._last
        self._last = None
        records = records_of(api, loaded(shown["result"]))
        if records:
            self._done.append((api, loaded(shown["result"])))
            return None
        if self._retried:
            return None
        self._retried = True
        if api == "search_author_id" and params.get("name") and len(params) > 1:
            self._last = (api, {"name": params["name"]})
        elif api == "search_paper_id" and params.get("titles"):
            self._last = ("search_paper_id_gs", {"query": params["titles"][0]})
        if self._last is None:
            return None
        return call(self._last[0], **self._last[1])

    def _filled(self, api: str, step: Mapping[str, Any]) -> dict[str, Any] | None:
        """Parameters with ids of what was found; None where a step has nothing to go on with."""
        params = dict(step["params"])
        for name, value in step["params"].items():
            kind = _SLOTS.get(name) or (_KIND.get(api) if name == "ids" else None)
            if kind and not value:
                found = self._ids(kind)
                if not found:
                    return None
                params[name] = found[0] if name in ("author_id", "org_id") else found[:_MOST_IDS]
            elif name == "name" and not value:
                venue = next(
                    (record.record.get("venue") for record in self._records() if record.record.get("venue")), None
                )
                if not venue:
                    return None
                params[name] = venue
        return params

    def _records(self) -> list[Any]:
        return [record for api, result in reversed(self._done) for record in records_of(api, result)]

    def _ids(self, kind: str) -> list[str]:
        """Ids of a kind in the latest result that names any."""
        for api, result in reversed(self._done):
            found: list[str] = []
            for entity in records_of(api, result):
                if entity.kind == kind:
                    found.append(entity.id)
                elif kind in ("author", "org"):
                    entries = entity.record.get("authors", [entity.record])
                    found += [str(entry[f"{kind}_id"]) for entry in entries if entry.get(f"{kind}_id")]
            if found:
                return list(dict.fromkeys(found))
        return []
