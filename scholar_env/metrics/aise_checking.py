"""Checks prediction records as a benchmark's intake does: fields, plan, answer, links; with a mend for each finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scholar_env.episode.aise.apis import APIS
from scholar_env.episode.aise.calling import check_call
from scholar_env.episode.aise.executor import PlanExecutor
from scholar_env.episode.aise.plan import read_plan
from scholar_env.graph.kg import KnowledgeGraph
from scholar_env.graph.kg_ids import canonical_links, entity_of
from scholar_env.metrics.aise import format_problems


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Something wrong with a record.

    Attributes:
        line: Place of the record in the file, from 1.
        field: The field.
        message: What was found.
        mend: What to do about it.
    """

    line: int
    field: str
    message: str
    mend: str


def check_record(record: Mapping[str, Any], line: int, graph: KnowledgeGraph | None = None) -> list[CheckFinding]:
    """Everything wrong with a prediction record.

    Args:
        record: ``id``, ``question``, ``plan`` (JSON text or list), ``summary`` (JSON text), perhaps
            ``execution_result`` and ``error``.
        line: Its place in the file.
        graph: The knowledge graph that the links must lead into; None leaves that out.
    """
    found = []
    for name, kinds, mend in (
        ("id", (int, str), "give the question's id"),
        ("question", (str,), "give the question as it was asked"),
        ("plan", (str, list), "give the plan as JSON text, [] for none"),
        ("summary", (str,), "give the answer as JSON text"),
    ):
        if not isinstance(record.get(name), kinds) or isinstance(record.get(name), bool):
            found.append(CheckFinding(line, name, f"{name} is {record.get(name)!r:.60}", mend))
    found += _plan_findings(record.get("plan"), line)
    if isinstance(record.get("summary"), str):
        found += _answer_findings(record["summary"], line, graph)
    return found


def _plan_findings(plan: Any, line: int) -> list[CheckFinding]:
    """What keeps a plan from being executed."""
    if not isinstance(plan, str | list):
        return []
    steps, problems = read_plan(plan)
    found = [
        CheckFinding(line, f"plan[{p.place}].{p.field}" if p.place >= 0 else "plan", p.message, p.mend)
        for p in problems
    ]
    for place, step in enumerate(steps):
        if step.api not in APIS:
            mend = f"name one of {', '.join(APIS)}"
            found.append(CheckFinding(line, f"plan[{place}].name", f"there is no API {step.name!r}", mend))
        elif not step.rely:
            _, problem = check_call(step.api, step.params)
            if problem is not None:
                field = f"plan[{place}].params.{problem.get('parameter', '')}".rstrip(".")
                found.append(CheckFinding(line, field, problem["msg"], "correct the parameter"))
    executed = PlanExecutor(lambda api, params: [], lambda request: {}, workers=1).run(steps)
    found += [CheckFinding(line, "plan", problem.message, problem.mend) for problem in executed.problems]
    return found


def _answer_findings(summary: str, line: int, graph: KnowledgeGraph | None) -> list[CheckFinding]:
    problems = format_problems(summary)
    found = [CheckFinding(line, f"summary.{p.field}".rstrip("."), p.message, p.mend) for p in problems]
    for link in canonical_links(summary) if graph is not None else []:
        entity = entity_of(link)
        known = entity is not None and graph is not None and graph.row_of(*entity) is not None
        if not known:
            what = "leads to no entity of the knowledge graph" if entity else "is no link of an entity"
            found.append(CheckFinding(line, "summary.reference", f"{link} {what}", "link what a tool returned"))
    return found
