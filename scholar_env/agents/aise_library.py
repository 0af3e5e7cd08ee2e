"""Solution library: plans that training questions came to, recalled by the likeness of a new question to theirs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from scholar_env.agents.aise_planner import AisePlannerAgent
from scholar_env.agents.aise_question import Reading, read_question
from scholar_env.agents.aise_skeletons import Step, filled

LEARNED = "aise_library.json"
"""The library that comes with the package: learned from questions of training worlds."""


class AiseLibraryAgent(AisePlannerAgent):
    """Recalls the plan of the most alike training questions and fills its gaps from the question.

    Args:
        library: A file that ``scholar-env aise learn`` wrote; "" for the one of the package.
    """

    def __init__(self, *, library: str = "") -> None:
        super().__init__()
        self.options: dict[str, Any] = {"library": library}
        self._library = read_library(library)

    def plan(self, reading: Reading) -> list[Step]:
        """The plan of the entry that shares most with the question."""
        signs = signs_of(reading)
        best = max(self._library, key=lambda entry: likeness(signs, entry["signs"]), default=None)
        return filled(best["plan"], reading) if best else []


def signs_of(reading: Reading) -> list[str]:
    """What a question has of signs: cues, and which kinds of names, how many."""
    counts = {
        "titles": len(reading.titles), "people": len(reading.people), "orgs": len(reading.orgs),
        "venues": len(reading.venues), "topics": min(len(reading.topics), 2), "years": min(len(reading.years), 2),
    }  # fmt: skip
    found = [f"{name}={count}" for name, count in counts.items()]
    found += [f"{name}=yes" for name, there in (("count", reading.count), ("nation", reading.nation)) if there]
    return sorted([*found, *(["ranks=yes"] if reading.ranks[1] else []), *reading.cues])


def likeness(signs: Sequence[str], others: Mapping[str, float]) -> float:
    """How well a question fits an entry: signs that it usually has count for it, others against it."""
    have = set(signs)
    every = have | set(others)
    return -sum(abs((1.0 if sign in have else 0.0) - others.get(sign, 0.0)) for sign in sorted(every))


@cache
def read_library(path: str) -> list[dict[str, Any]]:
    """Reads a library: entries with ``signs`` (shares) and ``plan`` (with gaps)."""
    if path:
        return list(json.loads(Path(path).read_text(encoding="utf-8")))
    text = resources.files("scholar_env.agents").joinpath(LEARNED).read_text(encoding="utf-8")
    return list(json.loads(text))


def learn(examples: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> list[dict[str, Any]]:
    """Learns a library of (question, gold plan): one entry for each sequence of calls with gaps.

    A parameter becomes a gap where the question names its value, by kind; else it stays as it is. Entries hold the
    share of their questions that have each sign, the most frequent first.
    """
    groups: dict[str, tuple[list[Step], Counter[str], int]] = {}
    for question, plan in examples:
        reading = read_question(question)
        skeleton = [{**step, "params": _gapped(step["params"], reading)} for step in plan]
        key = json.dumps(skeleton, sort_keys=True, ensure_ascii=False)
        if not _is_general(skeleton):
            continue
        steps, counts, number = groups.get(key, (skeleton, Counter[str](), 0))
        counts.update(signs_of(reading))
        groups[key] = (steps, counts, number + 1)
    ordered = sorted(groups.items(), key=lambda item: (-item[1][2], item[0]))
    return [
        {
            "n": number,
            "signs": {sign: round(count / number, 3) for sign, count in sorted(counts.items())},
            "plan": steps,
        }
        for _, (steps, counts, number) in ordered
    ]


_GAPS = {
    "name": ("$person", "$person2", "$venue", "$venue2"), "org": ("$org", "$org2"), "orgs": ("$org", "$org2"),
    "interest": ("$topic", "$topic2"), "keywords": ("$topic", "$topic2"), "titles": ("$title",), "query": ("$title",),
    "coauthors": ("$person2",), "category": ("$topic",), "years": ("$span", "$year", "$year2"), "size": ("$n",),
    "nation": ("$nation",), "category_source": ("$source",), "quartile": ("$rank",),
}  # fmt: skip
_ALWAYS = ("name", "org", "orgs", "interest", "keywords", "titles", "query", "coauthors", "category", "nation", "years")


def _gapped(params: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    from scholar_env.agents.aise_skeletons import gaps

    known = gaps(reading)
    found: dict[str, Any] = {}
    for name, value in params.items():
        items = value if isinstance(value, list) else [value]
        named = [_gap_of(name, item, known) for item in items] if value not in ("", []) else list(items)
        whole = next((gap for gap in _GAPS.get(name, ()) if known.get(gap) == value), None)
        if whole is not None:
            found[name] = whole
        else:
            found[name] = list(dict.fromkeys(map(str, named))) if isinstance(value, list) and value != named else value
            if not isinstance(value, list):
                found[name] = named[0] if named else value
    return found


def _gap_of(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    options = _GAPS.get(name, ())
    for gap in options:
        if known.get(gap) == value:
            return gap
    there = [gap for gap in options if gap in known]
    return there[0] if name in _ALWAYS and there else value


def _is_general(skeleton: Sequence[Mapping[str, Any]]) -> bool:
    """Whether no name of one question is left in a plan."""
    for step in skeleton:
        for name, value in step["params"].items():
            texts = value if isinstance(value, list) else [value]
            if name in _ALWAYS and any(text and not str(text).startswith("$") for text in texts):
                return False
    return True
