"""AISE-Bench task files: questions over a knowledge graph, with gold plan, inputs, results and answer where they exist.

A line is ``{"query_id": "q1", "text": "…", "plan": […], "inputs": {…}, "outputs": {…}, "answer": "…[1]", "reference":
{"[1]": "https://…"}, "facts": […], "labels": {…}}``; all but the first two may be left out. Files as they were released
are read as they are (:mod:`scholar_env.task_files.aise_release`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scholar_env.episode.aise.plan import Step, read_plan
from scholar_env.graph.kg_ids import canonical_links, entity_of
from scholar_env.metrics.aise import format_problems
from scholar_env.records import Task
from scholar_env.task_files.aise_release import RELEASED, AiseRecords, cleaned
from scholar_env.task_files.faults import FieldFault, shown
from scholar_env.task_files.form import Record, TaskFileForm
from scholar_env.task_table import LEFT_OUT

if TYPE_CHECKING:
    from scholar_env.corpus_folder import Corpus

COMPUTED = ("steps", "calls", "language", "gold", LEFT_OUT)
"""Labels that follow from a line, and are not taken from it."""

_HAN = re.compile("[\u4e00-\u9fff]")


def check(record: Record) -> Iterator[FieldFault]:
    """Refuses plans that cannot be read, answers in another than the required form, and computed labels.

    Released answers are taken as they are.
    """
    for problem in read_plan(record.get("plan", []))[1]:
        field = f"plan[{problem.place}]" + (f".{problem.field}" if problem.field else "")
        yield FieldFault(field, shown(record["plan"][problem.place]), problem.message, problem.mend)
    if record.get("source") != RELEASED and ("answer" in record or "reference" in record):
        text = json.dumps({"answer": record.get("answer", ""), "reference": record.get("reference", {})})
        for wrong in format_problems(text):
            yield FieldFault(wrong.field, shown(record.get(wrong.field.partition(".")[0])), wrong.message, wrong.mend)
    for name in COMPUTED:
        if name in record.get("labels", {}):
            rule = f"the labels {', '.join(COMPUTED)} are computed"
            yield FieldFault(f"labels.{name}", shown(record["labels"][name]), rule, "give it another name")


def read(record: Record) -> Task:
    """Makes the task of a line; its details are those of the family's generated tasks."""
    plan, _ = read_plan(record.get("plan", []))
    reference: Mapping[str, str] = record.get("reference", {})
    entities = [
        entity for link in reference.values() for found in canonical_links(link) if (entity := entity_of(found))
    ]
    outputs: Mapping[str, Any] = record.get("outputs", {})
    details = {
        "plan": [step.as_json() for step in plan],
        "inputs": dict(record.get("inputs", {})),
        "outputs": {name: cleaned(result) for name, result in outputs.items()},
        "entities": [list(entity) for entity in dict.fromkeys(entities)],
        "answer": record.get("answer", ""),
        "reference": dict(reference),
        "facts": list(record.get("facts", ())),
    }
    gold = tuple(dict.fromkeys(identifier for _, identifier in entities))
    return Task(record["query_id"], record["text"], "", gold, record.get("source", ""), _labels(record, plan), details)


def _labels(record: Record, plan: tuple[Step, ...]) -> dict[str, str]:
    """The labels of a line, and those that follow from it."""
    last = max((step.order for step in plan), default=0)
    computed = {
        "steps": "" if not plan else "5+" if last >= 5 else str(last),
        "calls": "" if not plan else "complex" if len(plan) >= 4 else "simple",
        "language": "zh" if len(_HAN.findall(record["text"])) > 3 else "en",
        "gold": "answer" if record.get("reference") else "plan" if plan else "none",
    }
    return {**record.get("labels", {}), **computed}


def labeller(corpus: Corpus, require_gold: str) -> Callable[[Task], Task]:
    """What leaves tasks out whose gold entities a corpus's knowledge graph does not hold: all of them, or any.

    Raises:
        InvalidOptionError: The corpus has no knowledge graph.
    """
    from scholar_env.graph.kg_store import knowledge_graph

    graph = knowledge_graph(corpus)

    def label(task: Task) -> Task:
        entities: list[tuple[str, str]] = task.details["entities"]
        missing = [identifier for kind, identifier in entities if graph.row_of(kind, identifier) is None]
        if not missing or (require_gold == "any" and len(missing) < len(entities)):
            return task
        more = ", …" if len(missing) > 5 else ""
        found = f"{len(missing)} of {len(entities)} gold entities are not in the knowledge graph"
        return replace(task, labels={**task.labels, LEFT_OUT: f"{found}: {', '.join(missing[:5])}{more}"})

    return label


def no_papers(task: Task) -> tuple[str, ...]:
    """The papers that the corpus must hold: none, since gold entities are counted by the knowledge graph."""
    del task
    return ()


def subsets_of(task: Task) -> tuple[str, ...]:
    """The splits of a task: the test questions and all of them, as released files hold nothing else."""
    del task
    return ("all", "test")


FORM = TaskFileForm(
    "aise", "aise.schema.json", read, check, papers=no_papers, subsets=subsets_of, released=AiseRecords, label=labeller
)
