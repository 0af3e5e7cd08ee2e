"""SciNet task files: questions about relations between papers; their gold is computed from the corpus's citation graph.

A line is ``{"query_id": "q1", "text": "Which papers positively cite the paper titled …?", "seed": "W123"}``. The
wording says what kind of question it is; ``seed`` (pairs) and ``start`` and ``end`` (paths) are ids and may be left out
where titles tell the papers apart. ``gold`` takes the place of what the graph says. The folder of SciNetBench's release
is read as it is (:mod:`scholar_env.task_files.scinet_release`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from scholar_env.errors import InvalidOptionError
from scholar_env.records import Task
from scholar_env.task_files.faults import Faults, FieldFault, shown
from scholar_env.task_files.form import Record, TaskFileForm
from scholar_env.task_files.scinet_gold import with_gold
from scholar_env.task_files.scinet_queries import COMENTION, DISRUPTION, NOVELTY, PATH, SENTIMENT, Query, parse_query
from scholar_env.task_files.scinet_release import ReleaseFolder

FAMILY_OF = {
    NOVELTY: "ego-novelty",
    DISRUPTION: "ego-disruption",
    SENTIMENT: "pair-sentiment",
    COMENTION: "pair-comention",
    PATH: "path",
}
"""Family of a query by its kind, as in the ids of released queries."""


def check(record: Record) -> Iterator[FieldFault]:
    """Refuses questions that are worded in no known way, and papers that do not go with the question."""
    try:
        query = parse_query(record["text"])
    except InvalidOptionError as problem:
        yield FieldFault("text", shown(record["text"]), problem.rule, problem.mend)
        return
    allowed = {SENTIMENT: ("seed",), COMENTION: ("seed",), PATH: ("start", "end")}.get(query.kind, ())
    for name in ("seed", "start", "end"):
        if name in record and name not in allowed:
            rule = f"a question of the kind {query.kind} names {' and '.join(allowed) or 'no papers'}"
            yield FieldFault(name, shown(record[name]), rule, f"remove {name}, or mend the text")


def read(record: Record) -> Task:
    """Makes the task of a line; its details are those of the family's generated tasks."""
    query, domain = parse_query(record["text"]), record.get("domain", "")
    details = {
        "kind": query.kind,
        "domain": domain,
        "field": query.field,
        "titles": list(query.titles),
        "asked_k": query.asked_k,
        "seed": _short(record.get("seed", "")),
        "start": _short(record.get("start", "")),
        "end": _short(record.get("end", "")),
        "unit": "reference" if query.kind == NOVELTY else "",
        "path_mode": "",
        "population": "corpus",
    }
    labels = {"kind": query.kind, "domain": domain, "field": query.field, "gold": "file" if record.get("gold") else ""}
    gold = tuple(_short(paper) for paper in record.get("gold", ()))
    return Task(record["query_id"], query.text, "", gold, _source(query), labels, details)


def _source(query: Query) -> str:
    return FAMILY_OF[query.kind].partition("-")[0]


def _short(paper: str) -> str:
    """The short form of an OpenAlex address; other ids stay as they are."""
    return paper.rsplit("/", 1)[-1] if paper.startswith("https://openalex.org/") else paper


def subsets_of(task: Task) -> Iterable[str]:
    """All, and the kind."""
    return ("all", task.details["kind"])


def released(path: Path, faults: Faults) -> ReleaseFolder | None:
    """The folder of the release, None for a file."""
    return ReleaseFolder(path, faults) if path.is_dir() else None


FORM = TaskFileForm(
    "scinet", "scinet.schema.json", read, check, subsets=subsets_of, on_corpus=with_gold, released=released
)
