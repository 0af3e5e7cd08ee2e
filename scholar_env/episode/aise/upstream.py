"""The released plan executor, behaviour for behaviour (``compat="upstream"``).

Source of the behaviour: AISE-Bench/AISE-Bench at commit 9e5b7524, ``framework/caller.py``. Differences from
:class:`~scholar_env.episode.aise.executor.PlanExecutor`: only steps with an order above 1 that rely on something are
filled; only the first of several steps of a base name is handed to the filler; results are projected to a fixed list
of fields; any failure has the same text; what never ran vanishes without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scholar_env.episode.aise.attempts import CALL_ERRORS, ApiCall
from scholar_env.episode.aise.executor import MAX_WAVES, Execution, is_ready, matches
from scholar_env.episode.aise.filling import Filler, FillRequest, read_parameters, records_of
from scholar_env.episode.aise.plan import Step
from scholar_env.errors import ScholarEnvError

FAILED_TEXT = "unhashable type: 'set'"
"""What the released handler says of every exception, because it fails itself."""

KEPT_FIELDS = frozenset({
    "id", "name", "name_zh", "name_en", "org", "org_id", "org_zh", "orgs", "interests", "n_citation", "nation",
    "h_index", "g_index", "citation_num", "pub_num", "paper_id", "title", "abstract", "year", "citation", "keywords",
    "authors", "venue", "alias", "quartile", "type", "url",
})  # fmt: skip
"""Fields of a record under ``data`` that survive."""


def run_upstream(
    call: ApiCall,
    fill: Filler,
    steps: Sequence[Step],
    execution: Execution | None = None,
    ended: Callable[[str], None] = lambda name: None,
) -> Execution:
    """Runs a plan as released.

    Args:
        call: The API; any exception counts as a failed call.
        fill: Gives dependent steps their parameters.
        steps: The plan.
        execution: Takes what the plan comes to, so that it is known how far it was when an interrupt ends it.
        ended: Told the name of each step that has ended.
    """
    execution = execution or Execution()
    waiting = {step.name: step for step in steps}
    results = execution.results
    for _ in range(MAX_WAVES):
        ready = [step for step in waiting.values() if is_ready(step, results)]
        if not ready:
            break
        finished = dict(results)
        for step in ready:
            del waiting[step.name]
            _run(step, finished, call, fill, execution)
            ended(step.name)
        execution.waves.append(tuple(step.name for step in ready))
    return execution


def _run(step: Step, finished: Mapping[str, Any], call: ApiCall, fill: Filler, execution: Execution) -> None:
    try:
        params = dict(step.params)
        if step.rely and step.order > 1:
            needed = {name: finished[name] for other in step.rely for name in matches(other, finished)[:1]}
            params = _filled(step, needed, fill)
        params = _as_sent(step.api, params)
        execution.calls.append((step.api, params))
        result = call(step.api, params)
    except CALL_ERRORS:
        execution.results[step.name] = {"error": FAILED_TEXT}
        execution.status[step.name] = "failed"
        return
    execution.inputs[step.name] = params
    execution.results[step.name] = _projected(result)
    execution.status[step.name] = "completed"


def _filled(step: Step, needed: Mapping[str, Any], fill: Filler) -> dict[str, Any]:
    params = read_parameters(fill(FillRequest(step, dict(step.params), needed)))
    if isinstance(params, str):
        raise ScholarEnvError(params, "a filler gives a JSON object", "mend the filler")
    if step.api == "search_paper_id":
        names = _authors({name: result for name, result in needed.items() if name.startswith("search_paper_detail")})
        if names:
            params["coauthors"] = ",".join(names)
    return params


def _authors(results: Mapping[str, Any]) -> list[str]:
    """Distinct names of all authors of all papers, sorted."""
    names = {
        author.get("author") or author.get("name")
        for result in results.values()
        for paper in records_of(result)
        for author in paper.get("authors") or ()
        if isinstance(author, Mapping)
    }
    return sorted(name for name in names if isinstance(name, str) and name)


def _as_sent(api: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the released client of an API renames and drops them."""
    sent = dict(params)
    if api == "search_author_detail" and "ids" in sent:
        sent["author_ids"] = sent.pop("ids")
    if api == "search_paper_id":
        sent.pop("use_topic", None)
        coauthors = sent.get("coauthors")
        if isinstance(coauthors, list):
            sent["coauthors"] = ",".join(map(str, coauthors))
        if not sent.get("coauthors"):
            sent.pop("coauthors", None)
    return sent


def _projected(result: Any) -> Any:
    if not isinstance(result, Mapping) or not isinstance(result.get("data"), list):
        return result
    data = [
        {name: value for name, value in entry.items() if name in KEPT_FIELDS} if isinstance(entry, Mapping) else entry
        for entry in result["data"]
    ]
    return {**result, "data": data}
