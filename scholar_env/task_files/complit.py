"""CompLit task files: queries with constraints, a target or a near-miss, and the turns of conversations.

A line has ``query_id``, ``setting`` (standard, implicit, cumulative, unmet), ``text``, ``constraints`` and, as the
setting asks for them, ``target``, ``near_miss`` and ``turns``; ``intent``, ``domain`` and ``year`` serve break-downs.
Levels, evidence and the kinds of injected constraints may be missing or null, since releases do not store them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from scholar_env.metrics.complit_groups import labels_of
from scholar_env.records import Task
from scholar_env.task_files.complit_corpus import title_remarks, under_held_ids
from scholar_env.task_files.faults import FieldFault, shown
from scholar_env.task_files.form import Record, TaskFileForm
from scholar_env.task_files.schema import NOTHING

UNMET, CUMULATIVE, IMPLICIT = "unmet", "cumulative", "implicit"
MIXED = ("standard", "implicit", "unmet")
"""Settings of the subset ``mixed``."""

LONGEST = 8_192
"""Signs of a question, which holds all utterances of a conversation in the end, with two signs between them."""

FEWEST_TURNS, MOST_REVEALED = 3, 3
"""Turns of a published conversation at least, and constraints that one of them reveals at most."""

EVIDENCE_OF = {"content": "text", "figural": "figure", "metadata": "record", "comparative": "comparison"}
"""Kind of the evidence of a constraint by its source, where the file does not say it."""


def check(record: Record) -> Iterator[FieldFault]:
    """Refuses what contradicts the setting, and constraints that do not fit the turns."""
    yield from _check_papers(record)
    yield from _check_constraints(record)
    yield from _check_turns(record)


def _check_papers(record: Record) -> Iterator[FieldFault]:
    is_unmet = record["setting"] == UNMET
    wanted, other = ("near_miss", "target") if is_unmet else ("target", "near_miss")
    setting = f"in the setting {record['setting']} there is a {wanted} and no {other}"
    if record.get(wanted) is None:
        yield FieldFault(
            wanted, "null" if wanted in record else NOTHING, setting, f"add {wanted}, or change the setting"
        )
    if record.get(other) is not None:
        yield FieldFault(other, shown(record[other]), setting, f"remove {other}, or change the setting")


def _check_constraints(record: Record) -> Iterator[FieldFault]:
    constraints: list[dict[str, Any]] = record["constraints"]
    is_unmet = record["setting"] == UNMET
    injected = [place for place, entry in enumerate(constraints) if entry.get("injected")]
    if is_unmet and len(injected) != 1:
        rule = "in the setting unmet one constraint is injected"
        yield FieldFault("constraints", f"{len(injected)} injected", rule, "set injected to true in that one alone")
    first: dict[str, int] = {}
    for place, entry in enumerate(constraints):
        field = f"constraints[{place}]"
        earlier = first.setdefault(entry["id"], place)
        if earlier != place:
            rule = f"every constraint has an id of its own; constraints[{earlier}] has the same"
            yield FieldFault(f"{field}.id", shown(entry["id"]), rule, "give it another id")
        if entry.get("injected") and not is_unmet:
            rule = "constraints are injected in the setting unmet alone"
            yield FieldFault(f"{field}.injected", "true", rule, "set it to false, or change the setting")
        else:
            yield from _check_injection(entry, field)
        yield from _check_level(record, entry, field)


def _check_injection(entry: dict[str, Any], field: str) -> Iterator[FieldFault]:
    for name in ("injected_kind", "status_in_paper"):
        if (entry.get(name) is not None) != bool(entry.get("injected")):
            rule = f"an injected constraint has its {name}, and no other has one"
            found = shown(entry[name]) if name in entry else NOTHING
            yield FieldFault(f"{field}.{name}", found, rule, f"mend {name}, or injected")


def _check_level(record: Record, entry: dict[str, Any], field: str) -> Iterator[FieldFault]:
    level, is_metadata = entry.get("level"), entry["source"] == "metadata"
    if level is not None and is_metadata:
        rule = "constraints on metadata have no level"
        yield FieldFault(f"{field}.level", shown(level), rule, "set it to null")
    if record["setting"] in (IMPLICIT, CUMULATIVE):
        rule = f"in the setting {record['setting']} every constraint is inferred, and none is on metadata"
        if is_metadata:
            yield FieldFault(f"{field}.source", shown(entry["source"]), rule, "remove the constraint")
        elif level not in (None, "inferred"):
            yield FieldFault(f"{field}.level", shown(level), rule, "set it to inferred, or change the setting")


def _check_turns(record: Record) -> Iterator[FieldFault]:
    turns: list[dict[str, Any]] = record.get("turns", [])
    is_conversation = record["setting"] == CUMULATIVE
    if bool(turns) != is_conversation:
        rule = "the setting cumulative has turns, and no other has"
        found = shown(turns) if "turns" in record else NOTHING
        yield FieldFault("turns", found, rule, "mend the turns, or the setting")
        return
    whole = len("\n\n".join(turn["utterance"] for turn in turns))
    if whole > LONGEST:
        rule = f"all utterances together have at most {LONGEST} signs, since the question grows to hold them"
        yield FieldFault("turns", f"{whole} signs", rule, "shorten the utterances")
    known = {entry["id"] for entry in record["constraints"]}
    revealed: Counter[str] = Counter()
    for place, turn in enumerate(turns):
        for at, constraint in enumerate(turn["constraint_ids"]):
            field = f"turns[{place}].constraint_ids[{at}]"
            if constraint not in known:
                rule = f"it is the id of a constraint of the line, one of {', '.join(sorted(known))}"
                yield FieldFault(field, shown(constraint), rule, "name one of these")
            elif revealed[constraint]:
                rule = "a constraint is revealed once"
                yield FieldFault(field, shown(constraint), rule, "remove it from one of the two turns")
            revealed[constraint] += 1
    for place, entry in enumerate(record["constraints"] if is_conversation else ()):
        if not revealed[entry["id"]]:
            rule = "in the setting cumulative a turn reveals every constraint"
            yield FieldFault(f"constraints[{place}].id", shown(entry["id"]), rule, "add it to the turn that reveals it")


def remarks(record: Record) -> Iterator[FieldFault]:
    """What conversations of the published data do not have; they are played as they are.

    The publication says of turns in section 3.3 that each reveals 1 to 3 constraints, and in appendix A.3 that the
    opening one reveals none; the latter is followed, for the opening turn. Its conversations have 3 to 5 turns.
    """
    turns: list[dict[str, Any]] = record.get("turns", [])
    mend = "leave it where it is meant so"
    if 0 < len(turns) < FEWEST_TURNS:
        found = f"{len(turns)} turn{'s' * (len(turns) > 1)}"
        yield FieldFault("turns", found, f"a conversation has {FEWEST_TURNS} turns or more", mend)
    for place, turn in enumerate(turns):
        revealed = turn["constraint_ids"]
        if place == 0 and revealed:
            rule = "the opening turn of a conversation reveals no constraint (appendix A.3 of the publication)"
        elif place and not 1 <= len(revealed) <= MOST_REVEALED:
            rule = f"a later turn reveals 1 to {MOST_REVEALED} constraints (section 3.3 of the publication)"
        else:
            continue
        yield FieldFault(f"turns[{place}].constraint_ids", shown(revealed), rule, mend)


def read(record: Record) -> Task:
    """Makes the task of a line; its details are those of the family's generated tasks."""
    setting, turns = record["setting"], record.get("turns", [])
    target, near_miss = _paper(record.get("target")), _paper(record.get("near_miss"))
    constraints = [_constraint(entry) for entry in record["constraints"]]
    details = {
        "setting": setting,
        "intent": record.get("intent", ""),
        "domain": record.get("domain", ""),
        "year": int(record.get("year", 0)),
        "target": target,
        "near_miss": near_miss,
        "constraints": constraints,
        "turns": [
            {
                "utterance": turn["utterance"],
                "purpose": turn.get("purpose", ""),
                "constraint_ids": list(turn["constraint_ids"]),
            }
            for turn in turns
        ],
        "uniqueness": {"smallest": 0, "needed": 0},  # no file says it
    }
    return Task(
        id=record["query_id"],
        question=turns[0]["utterance"] if turns else record["text"],
        before="",
        gold=(target["id"],) if target else (),
        labels=labels_of(details),
        details=details,
    )


def _paper(paper: Any) -> dict[str, str] | None:
    return None if paper is None else {"id": paper["arxiv_id"], "title": paper.get("title", "")}


def _constraint(entry: dict[str, Any]) -> dict[str, Any]:
    evidence = entry.get("evidence") or {}
    passage = evidence.get("passage", "")
    return {
        "id": entry["id"],
        "text": entry["text"],
        "source": entry["source"],
        "level": entry.get("level"),
        "evidence": {
            "kind": evidence.get("kind", EVIDENCE_OF[entry["source"]]),
            "passages": [{"place": "", "text": passage}] if passage else [],
            "figure": int(evidence.get("figure", 0)),
            "field": evidence.get("field", ""),
            "other_paper": evidence.get("other_paper", ""),
        },
        "injected": entry.get("injected", False),
        "injected_kind": entry.get("injected_kind") or "",
        "status_in_paper": entry.get("status_in_paper") or "",
    }


def papers_of(task: Task) -> tuple[str, ...]:
    """The target, or the near-miss where there is none."""
    near_miss = task.details["near_miss"]
    return task.gold if near_miss is None else (near_miss["id"],)


def subsets_of(task: Task) -> Iterable[str]:
    """All, the setting, and ``mixed`` for the settings that it mixes."""
    setting = task.details["setting"]
    return ("all", setting, *(("mixed",) if setting in MIXED else ()))


FORM = TaskFileForm(
    "complit", "complit.schema.json", read, check, papers_of, subsets_of,
    remarks=remarks, on_corpus=under_held_ids, corpus_remarks=title_remarks,
)  # fmt: skip
