"""Sentence plans: how one or two clauses become a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..ontology import Ontology
from ..registry import listed
from .clauses import Said, plain

SLOT = re.compile(r"\{(?:([12])\.(fin|vp|ing|nom)|(hedge|contrast|addition|cause|concession|sequence))\}")


@dataclass(frozen=True)
class Plan:
    """A plan, parsed.

    Attributes:
        id: Its id.
        parts: Fixed texts at even places; (clause, form) or (class of a phrase, "") at odd ones.
        forms: Form of the first and of the second clause, "" where there is none.
        phrase: Class of the phrase that it holds, "" for none.
        moves: Moves that it suits, empty for all.
    """

    id: str
    parts: tuple[str | tuple[str, str], ...]
    forms: tuple[str, str]
    phrase: str
    moves: tuple[str, ...]


class Plans:
    """The plans and phrases of an ontology, by relation or class.

    Args:
        ontology: The ontology.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._plans: dict[tuple[str, str], tuple[Plan, ...]] = {}
        self._phrases: dict[tuple[str, str], tuple[str, ...]] = {}
        groups = sorted({subfield.group for subfield in ontology.subfields})
        for group in groups:
            own = [entry for entry in ontology.phrases if entry.group in ("any", group)]
            for entry in own:
                key = (group, entry.cls)
                if entry.kind == "phrases":
                    self._phrases[key] = (*self._phrases.get(key, ()), entry.text)
                elif entry.kind == "plans" and (plan := parse_plan(entry.id, entry.text, entry.extras)) is not None:
                    weight = int(entry.extras.get("weight", "1"))
                    self._plans[key] = (*self._plans.get(key, ()), *(plan for _ in range(weight)))

    def plans(self, group: str, relation: str) -> tuple[Plan, ...]:
        """Plans of a relation."""
        return self._plans.get((group, relation), ())

    def phrases(self, group: str, cls: str) -> tuple[str, ...]:
        """Phrases of a class."""
        return self._phrases.get((group, cls), ())


def parse_plan(name: str, text: str, extras: dict[str, str]) -> Plan | None:
    """Parse a plan; None for one that has forms of clauses other than fin, vp, ing and nom."""
    parts: list[str | tuple[str, str]] = []
    forms = {"1": "", "2": ""}
    end = 0
    for found in SLOT.finditer(text):
        parts.append(text[end : found.start()])
        if found[3]:
            parts.append((found[3], ""))
        else:
            if forms[found[1]]:
                return None
            forms[found[1]] = found[2]
            parts.append((found[1], found[2]))
        end = found.end()
    parts.append(text[end:])
    if "{" in "".join(part for part in parts if isinstance(part, str)):
        return None
    phrases = [part[0] for part in parts if not isinstance(part, str) and part[0] not in ("1", "2")]
    moves = listed(extras.get("moves", ""))
    return Plan(name, tuple(parts), (forms["1"], forms["2"]), phrases[0] if phrases else "", moves)


def assemble(plan: Plan, first: Said, second: Said | None, phrase: str) -> str:
    """Put clauses, and a phrase where the plan has one, into a plan."""
    clauses = {"1": first, "2": second}
    out: list[str] = []
    for part in plan.parts:
        if isinstance(part, str):
            out.append(part)
            continue
        which, form = part
        if not form:
            out.append(phrase)
            continue
        said = clauses[which]
        assert said is not None
        out.append(said.predicate if form == "vp" else said.finite)
    return "".join(out)


def finish(text: str) -> str:
    """Make a sentence of a text: no gaps, a capital first, a stop last."""
    text = plain(text)
    return f"{text[0].upper()}{text[1:]}."
